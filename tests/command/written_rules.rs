//! Rules that somebody writes in the browser: what is found in them, and a table that is opened with them.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::collections::BTreeMap;

use crate::{
    browser::{Browser, BrowserPage},
    server::Server,
};
use croupier_games::{find, starter, starter_facts};

/// Opens a table with rules that are checked first; what the browser shows then.
fn open(browser: &mut Browser<'_>, rules: &str, words: &str, more: &[(&str, &str)]) -> BrowserPage {
    let checked = browser.send("/games/check", &[("rules", rules), ("words", words)]);
    assert_eq!(checked.status, 200, "{}", checked.html);
    let (csrf, key) = (checked.field("csrf"), checked.field("key"));
    let own = [("csrf", &*csrf), ("key", &*key), ("rules", rules), ("words", words), ("name", "Ann")];
    let fields: BTreeMap<&str, &str> = own.iter().chain(more).copied().collect();
    browser.send("/new", &fields.into_iter().collect::<Vec<_>>())
}

/// What it says in the place where it refuses something.
fn trouble(shown: &BrowserPage) -> &str {
    let alert = shown.html.split_once("role=\"alert\">");
    alert.map_or("", |(_, rest)| rest.split_once('<').unwrap().0)
}

fn has_form(shown: &BrowserPage) -> bool {
    shown.html.contains("action=\"/new\"")
}

#[test]
fn findings_stand_below_their_lines_and_nothing_is_offered_until_they_are_gone() {
    let server = Server::new("written-findings");
    let mut browser = Browser::new(&server);
    assert!(browser.go("/games").html.contains("action=\"/games/check\""));
    let rules = "(role ann)\n(init <b>bold</b>)\n(legal ann (say ?x))\n(goal ann 0)\n";
    let shown = browser.send("/games/check", &[("rules", rules), ("words", "")]);
    assert_eq!(shown.status, 200);
    // What is wrong with line 3 is said there, and the text of line 2 is no markup.
    let third = shown.html.split_once("id=\"line-3\"").unwrap().1.split_once("</li>").unwrap().0;
    assert!(third.contains("note error"), "{third}");
    assert!(!shown.html.contains("<b>") && !has_form(&shown), "{}", shown.html);
    // The text comes back to be corrected, with its words.
    assert!(shown.html.contains("(legal ann (say ?x))\n(goal ann 0)\n</textarea>"), "{}", shown.html);
    // Words that are none.
    let shown = browser.send("/games/check", &[("rules", starter()), ("words", "title = <b>7")]);
    assert!(trouble(&shown).starts_with("the words cannot be used"), "{}", trouble(&shown));
    assert!(!shown.html.contains("<b>") && !has_form(&shown));
}

#[test]
fn a_table_is_opened_with_rules_and_words_of_ones_own() {
    let server = Server::new("written-tables");
    let mut browser = Browser::new(&server);
    let more = [("agents", "0"), ("agent", "random"), ("title", ""), ("clock", "30")];
    let welcome = open(&mut browser, starter(), starter_facts(), &more);
    assert_eq!(welcome.status, 200, "{}", welcome.html);
    let table = welcome.html.split_once("href=\"/s/").unwrap().1.split_once('"').unwrap().0;
    let shown = browser.go(&format!("/s/{}", table.replace("&amp;", "&")));
    assert_eq!(shown.status, 200, "{}", shown.html);
    let title = starter_facts().lines().find_map(|line| line.strip_prefix("title = ")).unwrap();
    assert!(shown.html.contains(title.trim_matches('"')), "{}", shown.html);
    // Somebody else has no key to it, and a form without its own token opens nothing.
    let mut other = Browser::new(&server);
    assert!(other.go(&format!("/s/{table}")).status >= 400);
    let fields =
        [("csrf", "x"), ("key", "0123456789abcdef0123456789abcdef"), ("rules", starter()), ("name", "Eve")];
    assert_eq!(other.send("/new", &fields).status, 403);
    // The rules of hold'em are longer than what anybody may have checked, and may be played by whoever may open tables.
    let holdem = find("holdem").unwrap();
    assert!(holdem.rules.len() > 16 << 10);
    let welcome = open(&mut browser, holdem.rules, "", &[("title", "Friday")]);
    assert!(welcome.status == 200 && welcome.html.contains("Friday"), "{}", welcome.html);
}

#[test]
fn hostile_uploads_are_refused_in_words() {
    let server = Server::new("written-hostile");
    let mut browser = Browser::new(&server);
    // Rules that would be evaluated for years: the complete graph of 16 nodes in 15 colours, which the text does not show.
    let colours: String = (0..15).map(|colour| format!("(colour {colour})")).collect();
    let nodes: String = (0..16).map(|node| format!("(colour ?x{node})")).collect();
    let edges = (0..16).flat_map(|node| (0..node).map(move |other| format!("(distinct ?x{node} ?x{other})")));
    let endless = format!(
        "(role a) (role b) {colours} (<= painted {nodes} {}) (init s) (<= (legal ?r m) (role ?r)) (goal a 50) (goal b 50) \
         (<= (next s) (true s) painted) (<= terminal (true s) painted)",
        edges.collect::<String>()
    );
    let shown = open(&mut browser, &endless, "", &[]);
    assert_eq!(shown.status, 200, "{}", shown.html);
    assert!(trouble(&shown).contains("limit"), "{}", shown.html);
    // Names of 64 kB, markup and reversed text, in every place for a name.
    let (long, markup) = ("a".repeat(64 << 10), "</textarea><script>alert(1)</script>\u{202e}");
    for name in [&*long, markup] {
        let rules = starter().replace("(role ", &format!("(role {name} "));
        let shown = browser.send("/games/check", &[("rules", &rules), ("words", name)]);
        assert!(shown.status < 500 && !shown.html.contains("<script>alert"), "{}", shown.status);
    }
    for (field, value) in [("name", &*long), ("title", &*long), ("agent", markup), ("seats", "99")] {
        let more = BTreeMap::from([("agents", "1"), ("agent", "random"), (field, value)]);
        let shown = open(&mut browser, starter(), starter_facts(), &more.into_iter().collect::<Vec<_>>());
        assert!(shown.status == 200 && !shown.html.contains("<script>alert"), "{field}: {}", shown.html);
        assert!(!trouble(&shown).is_empty() && has_form(&shown), "{field}: {}", shown.html);
    }
    // More than the server reads at all.
    let shown = browser.send("/games/check", &[("rules", &"(".repeat(2 << 20))]);
    assert_eq!(shown.status, 413, "{}", shown.html);
    assert!(server.log().lines().all(|line| !line.contains("panicked")));
}
