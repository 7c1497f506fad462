//! The pages of tournaments, of who plays in them, and of their matches.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use serde_json::{Value, json};

use crate::{
    browser::Browser,
    server::Server,
    tournaments::{ended, make},
};

/// The cells of the rows of a table that the page has under this name, as text.
fn table(html: &str, name: &str) -> Vec<Vec<String>> {
    let (_, rest) = html.split_once(&format!("data-testid=\"{name}\"")).unwrap();
    let body = rest.split_once("<tbody>").unwrap().1.split_once("</tbody>").unwrap().0;
    let rows = body.split("</tr>").filter(|row| row.contains("<td"));
    rows.map(|row| row.split("</td>").flat_map(|part| part.split("</th>")).map(text).collect()).collect()
}

/// What a part of a page says, without its tags.
fn text(html: &str) -> String {
    let parts = html.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    parts.collect::<String>().trim().to_owned()
}

/// The addresses of a page that begin like this.
fn links(html: &str, begin: &str) -> Vec<String> {
    let links = html.split("href=\"").skip(1).filter_map(|rest| Some(rest.split_once('"')?.0.to_owned()));
    links.filter(|link| link.starts_with(begin)).collect()
}

#[test]
fn a_tournament_shows_its_standings_everybody_against_everybody_and_every_match() {
    let server = Server::on("people-pages", "croupier.db");
    let agent = |name: &str| json!({ "kind": "agent", "agent": name });
    let names = ["random", "first-legal", "raise"];
    let entrants: Vec<Value> = names.iter().map(|name| agent(name)).collect();
    let asked =
        json!({ "name": "summer", "game": "kuhn", "matches": 4, "entrants": entrants, "rated": true });
    let id = make(&server, &asked);
    let told = ended(&server, &id, |_| {});
    let mut browser = Browser::new(&server);
    let page = browser.go(&format!("/t/{id}")).html;
    // The rows are those of the interface for programs.
    let rows = table(&page, "standings");
    assert_eq!(rows.len(), 3, "{page}");
    for (row, known) in rows.iter().zip(told["standings"].as_array().unwrap()) {
        let mean = known["mean"].as_f64().unwrap();
        let [low, high] = [0, 1].map(|end| known["interval"][end].as_f64().unwrap());
        assert_eq!(row[1], known["entrant"].as_str().unwrap());
        assert_eq!(row[3..5], [format!("{mean:.2}"), format!("{low:.2} to {high:.2}")]);
        let counts = ["won", "drawn", "lost"].map(|count| known[count].to_string());
        assert_eq!(row[5..8], counts);
    }
    // In a game of two whose goals add up to 100, what one got against another is what is left of 100.
    let cross = table(&page, "crosstable");
    let mean = |row: usize, column: usize| {
        let (mean, _) = cross[row][column + 1].split_once(" ± ").unwrap();
        mean.parse::<f64>().unwrap()
    };
    for one in 0..3 {
        assert_eq!(cross[one][one + 1], "–");
        for other in (0..3).filter(|other| *other != one) {
            assert!((mean(one, other) + mean(other, one) - 100.0).abs() < 0.11, "{cross:?}");
        }
    }
    // Every match has a replay, from which its picture and its record can be reached.
    let matches = links(&page, "/m/");
    assert_eq!(matches.len(), 12, "{page}");
    let replay = browser.go(&matches[3]);
    assert!(replay.status == 200 && replay.html.contains("data-turn=\"1\""), "{}", replay.html);
    let picture = browser.go(&format!("{}?part=picture&turn=1", matches[3]));
    assert!(picture.status == 200 && !picture.html.contains("<html"), "{}", picture.html);
    assert!(browser.go(&links(&replay.html, "/v1/")[0]).html.contains("\"event\":\"seal\""));
}

#[test]
fn who_plays_has_a_page_with_ratings_and_results() {
    let server = Server::on("people-players", "croupier.db");
    let agent = |name: &str| json!({ "kind": "agent", "agent": name });
    let entrants = [agent("random"), agent("first-legal")];
    let asked =
        json!({ "name": "summer", "game": "kuhn", "matches": 6, "entrants": entrants, "rated": true });
    let id = make(&server, &asked);
    let told = ended(&server, &id, |_| {});
    let mut browser = Browser::new(&server);
    let page = browser.go("/p/random").html;
    let known = server.get("/v1/ratings?game=kuhn");
    let ratings = known["ratings"].as_array().unwrap();
    let rating = ratings.iter().find(|rating| rating["player"] == "random").unwrap();
    let rows = table(&page, "ratings");
    assert_eq!((&*rows[0][0], &*rows[0][1]), ("kuhn", "6"), "{known}");
    // The interval is 1.96 deviations to each side.
    let value = |text: &str| text.parse::<f64>().unwrap();
    let (mean, interval) = rows[0][2].trim_end_matches(')').split_once(" (").unwrap();
    let (low, high) = interval.split_once(" to ").unwrap();
    let [glicko, deviation] = ["rating", "deviation"].map(|key| rating["glicko2"][key].as_f64().unwrap());
    assert!((value(mean) - glicko).abs() <= 0.5, "{rating}");
    assert!((value(high) - value(low) - 2.0 * 1.96 * deviation).abs() <= 1.1, "{rating} {interval}");
    // As many are won, drawn and lost as the standings say.
    let standings = told["standings"].as_array().unwrap();
    let own = standings.iter().find(|row| row["entrant"] == "random").unwrap();
    let [won, drawn, lost] = ["won", "drawn", "lost"].map(|count| own[count].to_string());
    assert!(page.contains(&format!("{won} were won, {drawn} drawn and {lost} lost")), "{page}");
    assert_eq!(links(&page, "/m/").len(), 6, "{page}");
    assert_eq!(browser.go("/p/nobody-of-this-name").status, 404);
}
