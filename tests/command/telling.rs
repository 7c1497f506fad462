//! What `replay` tells of a match: tables for people, and the formats of other programs.

use croupier_tests::command::Program;
use serde_json::Value;

use crate::program;

/// A record of matches between random players.
fn record(program: &Program, game: &str, seats: [&str; 2], matches: &str) -> String {
    let path = program.path(&format!("{game}.jsonl"));
    let seats = seats.map(|role| format!("{role}=random"));
    let seated = ["--seat", &seats[0], "--seat", &seats[1]];
    let arguments = ["play", game, "--seed", "5", "--matches", matches, "--record", &path];
    program.output(&[&arguments[..], &seated].concat());
    path
}

/// Marks on the last board of a text, by column and row as they stand there.
fn last_board(text: &str, rows: usize) -> Vec<Vec<String>> {
    let lines: Vec<Vec<String>> =
        text.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect();
    let foot = lines.iter().rposition(|line| *line == ["a", "b", "c"][..]).expect("a board");
    lines[foot - rows..foot].iter().map(|line| line[1..].to_vec()).collect()
}

#[test]
fn a_table_shows_each_mark_in_its_square() {
    let program = program("table");
    let file = record(&program, "tic-tac-toe", ["x", "o"], "1");
    let told: Value = serde_json::from_str(&program.output(&["replay", &file, "--json"])).expect("JSON");
    let mut expected = vec![vec!["·".to_owned(); 3]; 3];
    for turn in told["matches"][0]["turns"].as_array().expect("turns") {
        for (role, played) in turn["moves"].as_object().expect("moves") {
            let played = played.as_str().expect("a term");
            let Some(square) = played.strip_prefix("(mark ").and_then(|rest| rest.strip_suffix(')')) else {
                continue;
            };
            let (column, row) = square.split_once(' ').expect("two coordinates");
            let index = |text: &str| text.parse::<usize>().expect("a number") - 1;
            expected[2 - index(row)][index(column)] = role.to_uppercase();
        }
    }
    let shown = program.output(&["replay", &file, "--table"]);
    assert_eq!(last_board(&shown, 3), expected, "{shown}");
    // Full sight: a role sees the same table.
    let seen = program.output(&["replay", &file, "--table", "--role", "o"]);
    assert_eq!(last_board(&seen, 3), expected, "{seen}");
}

#[test]
fn a_role_sees_nothing_on_the_table_that_it_was_not_told() {
    let program = program("seen-table");
    let file = record(&program, "holdem", ["alice", "bob"], "8");
    for number in 1..=8 {
        let base = ["replay", &file, "--match", &number.to_string(), "--table"];
        let told = program.output(&base);
        let seen = program.output(&[&base[..], &["--role", "alice"]].concat());
        // The row of a player in the last table.
        let row = |text: &str, name: &str| {
            let mut rows = text.lines().rev().map(str::trim).filter(|line| line.starts_with(name));
            rows.find(|line| line.contains("blind")).map(str::to_owned).expect("a row")
        };
        assert!(!row(&told, "Bob").contains('?'), "{told}");
        assert!(!row(&seen, "Alice").contains('?'), "{seen}");
        let is_shown = seen.contains("Bob shows");
        assert_eq!(!row(&seen, "Bob").contains("? ?"), is_shown, "{seen}");
    }
}

#[test]
fn a_finished_match_is_written_as_other_programs_read_it() {
    let program = program("formats");
    let file = record(&program, "holdem", ["alice", "bob"], "3");
    let told: Value = serde_json::from_str(&program.output(&["replay", &file, "--json"])).expect("JSON");
    let lines = program.output(&["replay", &file, "--format", "ggp"]);
    assert_eq!(lines.lines().count(), 3);
    for (index, line) in lines.lines().enumerate() {
        let found: Value = serde_json::from_str(line).expect("JSON");
        let known = &told["matches"][index];
        let turns = known["turns"].as_array().expect("turns");
        let len = |key: &str| found[key].as_array().expect("a list").len();
        assert_eq!(
            (len("moves"), len("states"), len("stateTimes")),
            (turns.len(), turns.len() + 1, turns.len() + 1)
        );
        assert_eq!(len("errors"), turns.len() + 1);
        for (turn, moves) in turns.iter().zip(found["moves"].as_array().expect("moves")) {
            for (place, role) in ["alice", "bob", "random"].into_iter().enumerate() {
                assert_eq!(turn["moves"][role], moves[place]);
            }
        }
        let goals = &known["outcome"]["goals"];
        assert_eq!(found["goalValues"], serde_json::json!([goals["alice"], goals["bob"], 0]));
    }
    let hand = program.output(&["replay", &file, "--match", "2", "--format", "phh"]);
    let hand: toml::Table = hand.parse().expect("TOML");
    let chips = |key: &str| -> i64 {
        hand[key].as_array().expect("a list").iter().filter_map(toml::Value::as_integer).sum()
    };
    assert_eq!(chips("starting_stacks"), chips("finishing_stacks"));
    assert_eq!(hand["variant"].as_str(), Some("FT"));
}

#[test]
fn what_a_format_cannot_tell_is_refused() {
    let program = program("no-format");
    let file = record(&program, "tic-tac-toe", ["x", "o"], "1");
    let refused = program.refusal(&["replay", &file, "--format", "phh"]);
    assert!(refused.contains("hand_history"), "{refused}");
    let refused = program.refusal(&["replay", &file, "--format", "ggp", "--role", "x"]);
    assert!(refused.contains("--role"), "{refused}");
    let whole = std::fs::read_to_string(&file).expect("a record");
    let cut: String = whole.split_inclusive('\n').take(6).collect();
    let cut = program.file("cut.jsonl", &cut);
    let refused = program.refusal(&["replay", &cut, "--format", "ggp"]);
    assert!(refused.contains("not over"), "{refused}");
}
