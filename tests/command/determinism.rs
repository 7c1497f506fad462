//! The same input and seed give the same bytes, whatever the threads; and a record proves itself.

use std::{env, fs};

use croupier_tests::{
    command::Program,
    corpus::{catalogue, catalogue_game, workspace},
    size, trace,
};
use serde_json::Value;

use crate::program;

/// The record that `play` writes with these arguments.
fn record(program: &Program, name: &str, arguments: &[&str]) -> Vec<u8> {
    let path = program.path(name);
    program.output(&[&["play"], arguments, &["--record", &path, "--force"]].concat());
    program.contents(name)
}

#[test]
fn a_seeded_series_is_the_same_to_the_byte_on_1_and_8_threads() {
    let program = program("series");
    let series: [&[&str]; 6] = [
        &["kuhn", "--matches", "5"],
        &["leduc", "--matches", "3", "--seat", "alice=random", "--seat", "bob=belief:iterations=20"],
        &["monty-hall", "--matches", "20"],
        &[
            "leduc",
            "--matches",
            "3",
            "--seat",
            "alice=ismcts:iterations=50",
            "--seat",
            "bob=mo-ismcts:iterations=50",
        ],
        &[
            "kuhn",
            "--matches",
            "5",
            "--seat",
            "alice=hyperplay",
            "--seat",
            "bob=hyperplay-ii",
            "--full-sight",
            "bob",
        ],
        &["holdem", "--matches", "2", "--seat", "alice=random", "--seat", "bob=first-legal"],
    ];
    for (index, arguments) in series.iter().enumerate() {
        let with = |threads: &str, name: &str, seed: &str| {
            let name = format!("{index}-{name}.jsonl");
            record(&program, &name, &[arguments, &["--seed", seed, "--threads", threads][..]].concat())
        };
        let one = with("1", "one", "7");
        assert!(!one.is_empty());
        assert!(one == with("8", "eight", "7"), "{arguments:?} differs between 1 and 8 threads");
        assert!(one == with("1", "again", "7"), "{arguments:?} differs between two runs");
        assert!(one != with("1", "other", "8"), "{arguments:?} does not depend on the seed");
    }
}

#[test]
fn an_integer_seed_is_its_32_bytes_with_the_low_byte_first() {
    let program = program("seeds");
    let with = |name: &str, seed: &str| record(&program, name, &["kuhn", "--seed", seed]);
    let hex = format!("0702{}", "00".repeat(30));
    assert!(with("integer.jsonl", "519") == with("hex.jsonl", &hex), "519 is 2 * 256 + 7");
    assert!(with("integer.jsonl", "519") != with("other.jsonl", "520"));
}

/// The lines of a record without what the number of matches of its series is hashed into.
fn but_for_the_total(record: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(record).expect("a record is UTF-8");
    let line = |line: &str| {
        let mut line: Value = serde_json::from_str(line).expect("a line in JSON");
        for field in ["prev", "head", "signature"] {
            line[field] = Value::Null;
        }
        line["series"]["total"] = Value::Null;
        line
    };
    text.lines().map(line).collect()
}

#[test]
fn a_match_depends_on_its_index_and_not_on_how_many_are_played() {
    let program = program("prefix");
    let [two, four] = ["2", "4"].map(|matches| {
        let arguments = ["leduc", "--seed", "5", "--matches", matches];
        but_for_the_total(&record(&program, &format!("{matches}.jsonl"), &arguments))
    });
    assert!(four.starts_with(&two) && four.len() > two.len(), "two matches begin the series of four");
    assert_eq!(two.iter().filter(|line| line["event"] == "genesis").count(), 2);
}

#[test]
fn simulated_playouts_depend_on_the_seed_and_their_index_alone() {
    let program = program("simulation");
    let with = |name: &str, playouts: &str, threads: &str| {
        let path = program.path(name);
        let arguments = ["simulate", "leduc", "--seed", "3", "--json", "--playouts", playouts];
        let output = program.output(&[&arguments[..], &["--threads", threads, "--trace", &path]].concat());
        let summary: Value = serde_json::from_str(&output).expect("a summary in JSON");
        (summary["roles"].clone(), summary["turns"].clone(), program.contents(name))
    };
    let one = with("one.jsonl", "60", "1");
    assert!(one == with("eight.jsonl", "60", "8"), "1 and 8 threads give the same goals, turns and trace");
    assert!(one.2.starts_with(&with("short.jsonl", "20", "4").2), "20 playouts begin the 60");
    let lifted = ["simulate", "leduc", "--seed", "3", "--json", "--playouts", "60", "--engine", "datalog"];
    let untraced = program.output(&lifted);
    let untraced: Value = serde_json::from_str(&untraced).expect("a summary in JSON");
    assert_eq!(
        (&untraced["roles"], &untraced["turns"]),
        (&one.0, &one.1),
        "tracing changes nothing, nor does the engine"
    );
}

#[test]
fn traces_of_the_catalogue_agree_with_the_oracle_step_by_step() {
    let program = program("traces");
    for game in catalogue() {
        // A turn of chess takes the slow interpreter a while, and a game of it hundreds of turns; so do others.
        let playouts = match game.name.as_str() {
            "kuhn" => "100",
            "chess" | "backgammon" => "1",
            "deck-building" | "no-limit-holdem-4" | "no-limit-holdem-6" => size("1", "5"),
            _ => size("4", "20"),
        };
        let path = program.path(&game.name);
        program.output(&["simulate", &game.name, "--playouts", playouts, "--seed", "1", "--trace", &path]);
        let trace = String::from_utf8(program.contents(&game.name)).expect("a trace is UTF-8");
        let size = trace::verify(&game.text, &trace).unwrap_or_else(|error| panic!("{}: {error}", game.name));
        assert_eq!(size.playouts.to_string(), playouts, "{}", game.name);
    }
}

#[test]
fn a_genuine_record_is_verified_and_a_cut_one_is_called_cut() {
    let program = program("verification");
    let whole = record(&program, "whole.jsonl", &["kuhn", "--seed", "7", "--matches", "2"]);
    let path = program.path("whole.jsonl");
    assert!(program.output(&["replay", &path, "--verify"]).contains("OK"));
    let lines: Vec<_> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    let cut = program.file("cut.jsonl", lines[..lines.len() - 3].concat());
    let ended = program.run(&["replay", &cut, "--verify"]);
    assert_eq!(ended.code, 1, "a record that ends early is not passed off as whole: {ended:?}");
    assert!(ended.stdout.contains("cut off"), "{ended:?}");
}

/// Positions all over a record, fewer of them in the long first line.
fn positions(record: &[u8]) -> Vec<usize> {
    let first = record.iter().position(|&byte| byte == b'\n').expect("a record has lines");
    (0..first)
        .step_by(size(839, 211))
        .chain((first..record.len()).step_by(size(61, 13)))
        .chain(record.len() - 3..record.len())
        .collect()
}

#[test]
fn a_record_with_any_byte_changed_is_not_verified() {
    let program = program("flips");
    let whole = record(&program, "whole.jsonl", &["kuhn", "--seed", "7"]);
    for position in positions(&whole) {
        let mut flipped = whole.clone();
        flipped[position] ^= 1;
        let file = program.file("flipped.jsonl", &flipped);
        let ended = program.run(&["replay", &file, "--verify"]);
        let around =
            String::from_utf8_lossy(&whole[position.saturating_sub(30)..(position + 10).min(whole.len())]);
        assert_ne!(ended.code, 0, "byte {position} near {around:?} was changed: {}", ended.stdout);
        let said = if ended.code == 1 { &ended.stdout } else { &ended.stderr };
        assert!(!said.is_empty(), "byte {position}: nothing is said");
    }
}

#[test]
fn a_record_with_lines_dropped_doubled_or_swapped_is_not_verified() {
    changed_lines(&["kuhn", "--seed", "7"]);
    changed_lines(&["chicken", "--seed", "7", "--seat", "white=random", "--seat", "black=random"]);
}

fn changed_lines(arguments: &[&str]) {
    let program = program(&format!("lines-{}", arguments[0]));
    let whole = record(&program, "whole.jsonl", arguments);
    let lines: Vec<&[u8]> = whole.split_inclusive(|&byte| byte == b'\n').collect();
    for index in 0..lines.len() - 1 {
        let mut dropped = lines.clone();
        dropped.remove(index);
        let mut doubled = lines.clone();
        doubled.insert(index, lines[index]);
        let mut swapped = lines.clone();
        swapped.swap(index, index + 1);
        for (what, lines) in [("dropped", dropped), ("doubled", doubled), ("swapped", swapped)] {
            let file = program.file("changed.jsonl", lines.concat());
            let ended = program.run(&["replay", &file, "--verify"]);
            assert_ne!(ended.code, 0, "line {index} {what}: {}", ended.stdout);
        }
    }
}

#[test]
fn a_record_names_the_first_turn_that_differs() {
    let program = program("turns");
    let whole = record(&program, "whole.jsonl", &["kuhn", "--seed", "7", "--seat", "alice=random"]);
    let text = String::from_utf8(whole).expect("a record is UTF-8");
    let line =
        text.lines().position(|line| line.contains("\"event\":\"draw\"") && line.contains("\"turn\":1"));
    let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
    let line = line.expect("a draw of turn 1");
    lines[line] = lines[line].replace("\"n\":2", "\"n\":3");
    let file = program.file("changed.jsonl", lines.join("\n") + "\n");
    let ended = program.run(&["replay", &file, "--verify", "--json"]);
    assert_eq!(ended.code, 1, "{ended:?}");
    let verdict: Value = serde_json::from_str(&ended.stdout).expect("a verdict in JSON");
    let difference = &verdict["matches"][0]["difference"];
    assert_eq!(difference["turn"], 1, "{verdict}");
    assert!(difference["line"].as_u64().is_some_and(|found| found <= line as u64 + 2), "{verdict}");
}

/// A role's view of a match tells nothing that the rules do not let it see.
#[test]
fn the_view_of_a_role_holds_its_own_moves_and_percepts_only() {
    let program = program("views");
    let path = program.path("match.jsonl");
    for seed in 0..12 {
        let seed = seed.to_string();
        let seats = ["--seat", "alice=random", "--seat", "bob=random"];
        program
            .output(&[&["play", "kuhn", "--seed", &seed, "--record", &path, "--force"][..], &seats].concat());
        let output = program.output(&["replay", &path, "--role", "bob", "--json"]);
        let shown: Value = serde_json::from_str(&output).expect("a view in JSON");
        let turns = shown["matches"][0]["turns"].as_array().expect("turns").clone();
        let told = |turn: usize| turns[turn]["percepts"].to_string();
        assert!(!told(0).contains("hole"), "alice's card is dealt: {}", told(0));
        assert!(told(1).contains("(hole "), "bob's own card: {}", told(1));
        let whole = turns.iter().map(Value::to_string).collect::<String>();
        let is_shown_down = whole.contains("(shows alice");
        let card = |name: &str| whole.contains(name);
        let cards = ["jack", "queen", "king"].into_iter().filter(|name| card(name)).count();
        assert_eq!(cards, if is_shown_down { 2 } else { 1 }, "{whole}");
        assert!(!output.contains("seed"), "the seed is in the view: {output}");
    }
}

/// Records that were written once are replayed, and played again to the same bytes, by every later
/// version. `CROUPIER_BLESS=1` writes them anew: say why in the commit.
#[test]
fn golden_records_replay_and_come_out_the_same_again() {
    let program = program("golden");
    for name in ["kuhn", "leduc", "holdem"] {
        let golden = workspace().join("tests/golden").join(format!("{name}.jsonl"));
        if env::var("CROUPIER_BLESS").is_ok() {
            let rules = program.file(&format!("{name}.gdl"), catalogue_game(name).text);
            fs::create_dir_all(workspace().join("tests/golden")).expect("a folder for golden records");
            fs::write(&golden, played(&program, name, &rules)).expect("a writable golden record");
        }
        let written = fs::read(&golden).expect("a golden record; CROUPIER_BLESS=1 writes it");
        program.output(&["replay", golden.to_str().expect("a path in UTF-8"), "--verify"]);
        let text = std::str::from_utf8(&written).expect("a record is UTF-8");
        let genesis: Value =
            text.lines().next().and_then(|line| serde_json::from_str(line).ok()).expect("genesis");
        let rules = genesis["game"]["rules"].as_str().expect("the rules are in genesis");
        let rules = program.file(&format!("{name}.gdl"), rules);
        assert!(played(&program, name, &rules) == written, "{name} is played differently than it was");
    }
}

fn played(program: &Program, name: &str, rules: &str) -> Vec<u8> {
    let seats = ["--seat", "alice=random", "--seat", "bob=first-legal"];
    let arguments = [&[rules, "--seed", "42", "--matches", "2"][..], &seats].concat();
    record(program, &format!("{name}.jsonl"), &arguments)
}
