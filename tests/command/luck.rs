//! `croupier luck` as a user meets it: means without the luck of the deal.

use croupier_tests::command::Program;
use serde_json::Value;

use crate::program;

fn json(program: &Program, arguments: &[&str]) -> Value {
    serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON")
}

fn interval(value: &Value) -> [f64; 2] {
    [0, 1].map(|end| value["interval_95"][end].as_f64().unwrap_or_else(|| panic!("no interval: {value}")))
}

#[test]
fn without_luck_the_mean_is_the_same_and_its_interval_narrower() {
    let program = program("luck-leduc");
    let record = program.path("leduc.jsonl");
    let seats = ["play", "leduc", "--seat", "alice=raise", "--seat", "bob=call"];
    program.output(&[&seats[..], &["-n", "600", "--seed", "1", "--record", &record]].concat());
    let found = json(&program, &["luck", &record]);
    let bob = &found["players"]["call"];
    let (plain, without) = (interval(&bob["plain"]), interval(&bob["without_luck"]));
    assert!(without[1] - without[0] < 0.5 * (plain[1] - plain[0]), "{found}");
    // Neither folds, and neither sees more than the other: each wins what chance gives, which is nothing on average.
    assert!(without[0] < 0.0 && 0.0 < without[1], "{found}");
    assert_eq!((&found["matches"], &found["players"]["raise"]["seats"]), (&600.into(), &600.into()));
    // Nothing depends on the threads.
    assert_eq!(json(&program, &["luck", &record, "--threads", "1"]), found);
}

#[test]
fn matches_on_one_deal_are_one_observation() {
    let program = program("luck-deals");
    let [one, other] = ["one.jsonl", "other.jsonl"].map(|name| program.path(name));
    for (record, [alice, bob]) in [(&one, ["raise", "fold"]), (&other, ["fold", "raise"])] {
        let seats = [format!("alice={alice}"), format!("bob={bob}")];
        let arguments = ["play", "kuhn", "--seat", &seats[0], "--seat", &seats[1], "-n", "40", "--seed", "1"];
        program.output(&[&arguments[..], &["--record", record]].concat());
    }
    let raise = &json(&program, &["luck", &one, &other])["players"]["raise"];
    assert_eq!((&raise["seats"], &raise["deals"]), (&80.into(), &40.into()), "{raise}");
    // Whoever folds loses the ante, whatever the cards are.
    assert_eq!(raise["plain"]["mean"], 1.0);
    assert_eq!(raise["without_luck"]["mean"], 1.0);
}

#[test]
fn the_luck_of_a_player_against_itself_says_that_it_means_nothing() {
    let program = program("luck-mirrored");
    let record = |game: &str, seats: &[&str]| {
        let path = program.path(&format!("{game}-{}.jsonl", seats.join("-")));
        let mut arguments = vec!["play".to_owned(), game.to_owned()];
        for (place, seat) in seats.iter().enumerate() {
            arguments.extend(["--seat".to_owned(), format!("{}={seat}", place + 1)]);
        }
        let rest = ["-n", "20", "--seed", "1", "--record", &path].map(str::to_owned);
        let arguments = [arguments, rest.to_vec()].concat();
        program.output(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
        path
    };
    let says = "played every seat of its matches, and their goals always have the same sum";
    let mirrored = record("kuhn", &["random", "random"]);
    let text = program.output(&["luck", &mirrored]);
    assert!(text.contains(&format!("random {says}")), "{text}");
    let row = text.lines().find(|line| line.starts_with("random  ")).expect("a row for the player");
    assert_eq!(row.split_whitespace().collect::<Vec<_>>(), ["random", "40", "20", "-", "-", "-", "-", "-"]);
    assert_eq!(json(&program, &["luck", &mirrored])["players"]["random"]["says_nothing"], true);
    // Against another, in one more file, or where players win and lose together, means say something.
    let other = record("kuhn", &["random", "call"]);
    for files in [&[&other][..], &[&mirrored, &other]] {
        let arguments = std::iter::once("luck").chain(files.iter().map(|file| file.as_str()));
        let arguments: Vec<&str> = arguments.collect();
        assert!(!program.output(&arguments).contains(says), "{files:?}");
        let found = json(&program, &arguments);
        assert_eq!(found["players"]["random"]["says_nothing"], false, "{found}");
    }
    for game in ["tiny-hanabi", "hanabi-small"] {
        let together = record(game, &["random", "random"]);
        assert!(!program.output(&["luck", &together]).contains(says), "{game}");
    }
}

#[test]
fn records_that_do_not_go_together_are_refused() {
    let program = program("luck-refused");
    let [kuhn, leduc] = ["kuhn", "leduc"].map(|game| {
        let record = program.path(&format!("{game}.jsonl"));
        program.output(&["play", game, "--seed", "1", "--record", &record]);
        record
    });
    let refused = program.run(&["luck", &kuhn, &leduc]);
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("match 1 is of another game than the first one"), "{}", refused.stderr);
    assert!(refused.stderr.contains("leduc.jsonl"), "{}", refused.stderr);
}
