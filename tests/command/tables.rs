//! Tables as people see them, while they play and afterwards.

use croupier_tests::command::Program;
use serde_json::Value;

use crate::program;

/// The cards that a role holds in the last state of the first match of a record, as they are written without colour.
fn cards(program: &Program, record: &str, role: &str) -> Vec<String> {
    let told: Value = serde_json::from_str(&program.output(&["replay", record, "--json"])).expect("JSON");
    let turns = told["matches"][0]["turns"].as_array().expect("turns");
    let mut cards = Vec::new();
    for turn in turns {
        let percepts = turn["percepts"][role].as_array().expect("percepts");
        let holes = percepts.iter().filter_map(Value::as_str);
        cards.extend(holes.filter_map(|text| text.strip_prefix("(hole ")?.strip_suffix(')')).map(|card| {
            let (rank, suit) = card.split_at(1);
            format!("{}{suit}", if rank == "t" { "10".to_owned() } else { rank.to_uppercase() })
        }));
    }
    cards
}

#[test]
fn what_was_folded_stays_hidden_from_the_person_at_the_table() {
    let program = program("folded");
    let (mut folded, mut shown) = (0, 0);
    for seed in 1..=12 {
        let record = program.path(&format!("{seed}.jsonl"));
        let seed = seed.to_string();
        let arguments = ["play", "holdem", "--seed", &seed, "--record", &record];
        let seats = ["--seat", "alice=human", "--seat", "bob=random"];
        let typed = "raise\nbet\ncall\ncheck\n".repeat(20);
        let ended = program.run_with(&[&arguments[..], &seats].concat(), typed);
        let hidden = cards(&program, &record, "bob");
        assert_eq!(hidden.len(), 2, "{hidden:?}");
        // Bob's cards are nowhere else: a deck has one of each.
        let is_told = |card: &String| {
            ended.stdout.split(|char: char| !char.is_ascii_alphanumeric()).any(|word| word == card)
        };
        if ended.stdout.contains("Bob folds") {
            folded += 1;
            assert!(!hidden.iter().any(is_told), "{hidden:?}\n{}", ended.stdout);
        } else {
            shown += 1;
            assert!(hidden.iter().all(is_told), "{hidden:?}\n{}", ended.stdout);
            assert!(
                ended.stdout.contains("chips with ") || ended.stdout.contains("even with"),
                "{}",
                ended.stdout
            );
        }
        // Whoever holds the record may look.
        let whole = program.output(&["replay", &record]);
        assert!(hidden.iter().all(|card| whole.contains(&format!("deal {card}"))), "{whole}");
    }
    assert!(folded > 0 && shown > 0, "{folded} folded, {shown} shown");
}

#[test]
fn a_bet_that_answers_a_bet_is_a_call() {
    let program = program("answers");
    let path = program.path("m.jsonl");
    let seats = ["--seat", "alice=random", "--seat", "bob=random"];
    program.output(
        &[&["play", "kuhn", "--seed", "4", "--matches", "40", "--record", &path][..], &seats].concat(),
    );
    let told: Value = serde_json::from_str(&program.output(&["replay", &path, "--json"])).expect("JSON");
    for (matched, number) in told["matches"].as_array().expect("matches").iter().zip(1..) {
        let number = number.to_string();
        // The plain rule of the game, on its own: whoever acts after a bet calls or folds.
        let mut expected = Vec::new();
        let mut has_bet = false;
        for turn in matched["turns"].as_array().expect("turns").iter().skip(2) {
            for (role, name) in [("alice", "Alice"), ("bob", "Bob")] {
                let word = match (turn["moves"][role].as_str().expect("a move"), has_bet) {
                    ("bet", false) => "bet",
                    ("bet", true) => "call",
                    ("pass", false) => "check",
                    ("pass", true) => "fold",
                    _ => continue,
                };
                expected.push(format!("{name}: {word}"));
                has_bet |= word == "bet";
                break;
            }
        }
        let whole = program.output(&["replay", &path, "--match", &number]);
        let seen = program.output(&["replay", &path, "--match", &number, "--role", "bob"]);
        for line in &expected {
            assert!(whole.contains(line), "{line}\n{whole}");
            let (name, word) = line.split_once(": ").expect("a name and a word");
            assert!(seen.contains(&format!("{name} {word}s")), "{line}\n{seen}");
        }
    }
}

#[test]
fn colours_are_for_terminals_and_letters_for_pipes() {
    let program = program("colours");
    let path = program.path("m.jsonl");
    program.output(&[
        "play",
        "holdem",
        "--seed",
        "4",
        "--record",
        &path,
        "--seat",
        "alice=random",
        "--seat",
        "bob=random",
    ]);
    for table in
        [&["replay", &path][..], &["replay", &path, "--table"], &["replay", &path, "--format", "playthrough"]]
    {
        let told = program.output(table);
        assert!(!told.contains(['♠', '♥', '♦', '♣', '\u{1b}']), "{told}");
        assert!(told.contains("Alice"), "{told}");
    }
}

#[test]
fn two_people_at_one_terminal_are_not_shown_what_one_of_them_folded() {
    let program = program("two-people");
    for (typed, is_shown) in [("bet\nfold\n", false), ("bet\ncall\n", true)] {
        let arguments = ["play", "kuhn", "--seed", "2", "--seat", "alice=human", "--seat", "bob=human"];
        let ended = program.run_with(&arguments, typed);
        let (_, end) = ended.stdout.rsplit_once("move>").expect("a prompt");
        assert!(end.contains("Alice") && end.contains("chip"), "{}", ended.stdout);
        let is_told = ["the jack", "the queen", "the king"].iter().any(|card| end.contains(card));
        assert_eq!(is_told, is_shown, "{end}");
    }
}
