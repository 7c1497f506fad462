//! Nothing that is guessed stands on a person's table as known.

use croupier_games::{Entry, catalogue};
use croupier_tests::size;
use serde_json::Value;

use super::screen::Session;
use crate::program;

/// The deal of the trial in which the ace of hearts was guessed.
const SEED: &str = "d6e6d86893134ff6b905b47a2da8d24b956bb8712a07aa06a3d1314b9425225e";

/// The row of a player in the last table of a text.
fn row<'t>(text: &'t str, name: &str) -> &'t str {
    let mut rows = text.lines().rev().map(str::trim).filter(|line| line.starts_with(&format!("{name}  ")));
    rows.next().unwrap_or_else(|| panic!("no row of {name} in {text}"))
}

#[test]
fn who_may_hold_the_ace_of_hearts_is_not_said_to_hold_it() {
    let program = program("certainty-hearts");
    let record = program.path("m.jsonl");
    let mut arguments =
        vec!["play", "hearts-small", "--seat", "1=human", "--seed", SEED, "--record", &record];
    // A match is known by the players that play it.
    arguments.extend(["--seat", "2=mo-ismcts:iterations=4000", "--seat", "3=mo-ismcts:iterations=4000"]);
    let ended = program.run_with(&arguments, "1\n1\nquit\n");
    let asked: Vec<&str> = ended.stdout.split("your move>").collect();
    // Before turn 23, the second move that she is asked for.
    let before = asked[1];
    assert!(before.contains("2 tricks taken"), "{}", ended.stdout);
    let cards =
        |name: &str| row(before, name).split_whitespace().skip(1).map(str::to_owned).collect::<Vec<_>>();
    // She passed him the jack; one card of his is not known to her, nor is one of Carol's.
    assert_eq!(cards("Bob")[..2], ["Js", "?"], "{before}");
    // Only Carol can hold the ace of clubs: that is proved, and shown.
    assert_eq!(cards("Carol")[..2], ["Ac", "?"], "{before}");

    let belief = program.output(&["belief", &record, "--role", "alice", "--turn", "23", "--json"]);
    let belief: Value = serde_json::from_str(&belief).expect("JSON");
    assert_eq!(belief["method"], "exact");
    let share = |fluent: &str| {
        let mut open = belief["uncertain"].as_array().expect("fluents").iter();
        open.find(|open| open["fluent"] == fluent).map(|open| open["probability"].as_f64().expect("a number"))
    };
    let (bob, carol) = (share("(hand bob ah)").expect("open"), share("(hand carol ah)").expect("open"));
    assert!((bob - 0.6).abs() < 0.005 && (carol - 0.4).abs() < 0.005, "{bob} {carol}");
}

#[test]
fn the_belief_at_the_prompt_is_that_of_the_command() {
    let program = program("certainty-prompt");
    let mut compared = 0;
    let is_hidden = |entry: &&Entry| {
        entry.facts().expect("sound facts").tags.iter().any(|tag| tag == "hidden information")
    };
    for entry in catalogue().iter().filter(is_hidden).step_by(size(3, 1)) {
        let record = program.path(&format!("{}.jsonl", entry.name));
        let shown: Value =
            serde_json::from_str(&program.output(&["show", entry.name, "--json"])).expect("JSON");
        let players = shown["players"].as_array().expect("players");
        let mut seats = vec!["--seat".to_owned(), "1=human".to_owned()];
        for number in 2..=players.len() {
            seats.extend(["--seat".to_owned(), format!("{number}=first-legal")]);
        }
        let mut arguments: Vec<&str> = vec!["play", entry.name, "--seed", "28", "--record", &record];
        arguments.extend(seats.iter().map(String::as_str));
        let said = program.run_with(&arguments, "1\nbelief\nquit\n").stdout;
        let Some(told) = said.split("your move>").nth(2) else { continue };
        let replayed = program.output(&["replay", &record, "--json"]);
        let replayed: Value = serde_json::from_str(&replayed).expect("JSON");
        let turn = replayed["matches"][0]["turns"].as_array().expect("turns").len().to_string();
        let expected = program.output(&["belief", &record, "--role", "1", "--turn", &turn]);
        // After the line that says which match and turn.
        let (_, expected) = expected.split_once('\n').expect("lines");
        assert!(told.contains(expected.trim_end()), "{}: {told}\n\n{expected}", entry.name);
        compared += 1;
    }
    assert!(compared >= size(5, 20), "only {compared} games were compared");
}

#[test]
fn no_command_breaks_a_word_at_80_columns() {
    let program = program("certainty-width");
    let record = program.path("m.jsonl");
    program.output(&[
        "play",
        "holdem",
        "--seed",
        "3",
        "--seat",
        "alice=random",
        "--seat",
        "bob=random",
        "--record",
        &record,
    ]);
    let commands: [&[&str]; 4] = [
        &["games"],
        &["belief", &record, "--role", "alice", "--turn", "6"],
        &["help", "solve"],
        &["help", "belief"],
    ];
    for command in commands {
        let mut session = Session::new(&program.path(""), 80, command);
        assert_eq!(session.end(), 0, "{command:?}");
        session.assert_fits();
    }
}

#[test]
fn who_shot_the_moon_is_said() {
    let facts = croupier_games::find("hearts-small").expect("a game").facts().expect("sound facts");
    let scene = facts.scene(["(taken bob 10)", "(taken alice 0)", "(tricks 5)"], []);
    assert_eq!(facts.result_text("bob", &scene).as_deref(), Some("and shoots the moon"));
    assert_eq!(facts.result_text("alice", &scene), None);
}

#[test]
fn who_wants_a_card_says_hit() {
    let program = program("certainty-hit");
    let arguments = ["play", "blackjack", "--seat", "1=human", "--seed", "1"];
    let said = program.run_with(&arguments, "hit\nquit\n").stdout;
    assert!(said.contains("1  hit") && !said.contains("is not one of your moves"), "{said}");
}
