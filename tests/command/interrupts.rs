//! SIGINT and SIGTERM, sent to commands while they work.
#![expect(clippy::disallowed_methods, reason = "how soon a command ends is real time")]

use std::{
    fs, thread,
    time::{Duration, Instant},
};

use croupier_tests::{
    command::{Ended, Program, Running},
    player::{FakePlayer, is},
};
use serde_json::Value;

use crate::program;

/// Longer than any command here takes to come to where it can be interrupted.
const PATIENCE: Duration = Duration::from_secs(60);

/// Waits until something has happened in a command.
fn wait_until(running: &mut Running, has_happened: impl Fn() -> bool) {
    let begun = Instant::now();
    while !has_happened() {
        assert!(running.is_running() && begun.elapsed() < PATIENCE, "the command ended, or nothing happened");
        thread::sleep(Duration::from_millis(20));
    }
}

/// A command that is interrupted when it has been at work for a while: later and later, until it has something to show.
fn interrupted(program: &Program, arguments: &[&str], signal: &str) -> Ended {
    let mut delay = Duration::from_millis(400);
    loop {
        let running = program.start(arguments);
        thread::sleep(delay);
        running.signal(signal);
        let ended = running.end();
        if ended.code == 130 && !ended.stdout.is_empty() {
            return ended;
        }
        // Before it listens a signal kills it, and before it has something to keep it ends without a word.
        assert!([-1, 130].contains(&ended.code) && delay < PATIENCE / 4, "{arguments:?}: {ended:?}");
        delay = delay * 3 / 2;
    }
}

fn json(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn size(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |found| found.len())
}

#[test]
fn a_match_with_a_player_at_an_address_is_aborted_and_the_player_told() {
    let program = program("interrupt-remote");
    let player = FakePlayer::new(|message| (!is(message, "PLAY")).then(|| "READY".to_owned()));
    let (seat, record) = (format!("x={}", player.address()), program.path("m.jsonl"));
    let arguments =
        ["play", "tic-tac-toe", "--seat", &seat, "--seat", "o=random", "--record", &record, "--json"];
    let mut running = program.start(&arguments);
    wait_until(&mut running, || player.messages().iter().any(|message| is(message, "PLAY")));
    let begun = Instant::now();
    running.signal("INT");
    let ended = running.end();
    assert_eq!(ended.code, 130, "{ended:?}");
    assert!(begun.elapsed() < Duration::from_secs(5), "the play clock of a minute is not waited for");
    assert!(player.messages().last().is_some_and(|message| is(message, "ABORT")), "{:?}", player.messages());
    let played = json(&ended.stdout);
    assert_eq!((&played["interrupted"], &played["matches"][0]["status"]), (&true.into(), &"aborted".into()));
    assert!(program.output(&["replay", &record, "--verify"]).contains("OK"));
}

#[test]
fn a_series_keeps_the_matches_that_were_played() {
    let program = program("interrupt-series");
    for signal in ["INT", "TERM"] {
        let record = program.path(&format!("{signal}.jsonl"));
        let arguments =
            ["play", "kuhn", "--seat", "alice=random", "--seat", "bob=random", "--json", "-n", "99999999"];
        let mut running = program.start(&[&arguments[..], &["--record", &record]].concat());
        wait_until(&mut running, || size(&record) > 0);
        running.signal(signal);
        let ended = running.end();
        assert_eq!(ended.code, 130, "{}", ended.stderr);
        let played = json(&ended.stdout);
        assert_eq!(played["interrupted"], true);
        let matches = played["matches"].as_array().expect("matches").len();
        let verified = program.run(&["replay", &record, "--verify"]);
        let text = verified.stdout;
        assert_eq!(verified.code, 1, "the other matches of the series are missing: {text}");
        assert!(text.contains(&format!("all {matches} matches are what their records say")), "{text}");
        assert!(text.contains(&format!("has {matches} of 99999999 matches")), "{text}");
    }
}

#[test]
fn a_person_at_the_terminal_is_not_waited_for() {
    let program = program("interrupt-person");
    let record = program.path("m.jsonl");
    let arguments = ["play", "kuhn", "--seat", "alice=human", "--seed", "1", "--record", &record];
    let ended = interrupted(&program, &[&arguments[..], &["--force"]].concat(), "INT");
    assert!(ended.stdout.contains("your move>"), "{}", ended.stdout);
    assert!(ended.stdout.contains("interrupted: 1 of 1 matches were begun"), "{}", ended.stdout);
    assert!(program.output(&["replay", &record, "--verify"]).contains("OK"));
}

#[test]
fn a_tournament_goes_on_where_it_was_interrupted() {
    let program = program("interrupt-tournament");
    let base =
        ["tournament", "leduc", "--players", "random,first-legal", "--duplicate", "--seed", "5", "--json"];
    let with = |name: &str, matches: &str| -> Vec<String> {
        let (results, record) = (program.path(name), program.path(&format!("{name}.record")));
        let files = ["-n", matches, "--results", &results, "--record", &record];
        [&base[..], &files].concat().into_iter().map(str::to_owned).collect()
    };
    let cut = program.path("cut");
    let arguments = ["cut", "whole"].map(|name| with(name, "1200"));
    let mut running = program.start(&arguments[0]);
    wait_until(&mut running, || size(&cut) > 5_000);
    running.signal("TERM");
    let ended = running.end();
    assert_eq!(ended.code, 130, "{}", ended.stderr);
    let table = json(&ended.stdout);
    let played = table["matches"].as_u64().expect("a count");
    assert!(table["interrupted"] == true && table["unfinished"] == json("{}"), "{table}");
    assert!((1..1200).contains(&played), "{table}");
    let [cut, whole] = arguments.map(|arguments| program.run(&arguments));
    assert_eq!((cut.code, whole.code), (0, 0));
    assert_eq!(cut.stdout, whole.stdout);
    assert!(program.contents("cut") == program.contents("whole"));
    assert!(program.contents("cut.record") == program.contents("whole.record"));
}

#[test]
fn playouts_that_were_done_are_summed_up() {
    let program = program("interrupt-simulate");
    let trace = program.path("t.jsonl");
    let ways: [&[&str]; 3] = [&[], &["--engine", "datalog"], &["--trace", &trace]];
    for way in ways {
        let base = ["simulate", "leduc", "-n", "900000000000", "--json", "--seed", "1"];
        let ended = interrupted(&program, &[&base[..], way].concat(), "INT");
        let report = json(&ended.stdout);
        let playouts = report["playouts"].as_u64().expect("a count");
        assert_eq!((&report["interrupted"], playouts > 0), (&true.into(), true), "{report}");
        assert_eq!(report["playouts_asked"], 900_000_000_000_u64);
        let counts = report["roles"]["alice"]["distribution"].as_object().expect("a distribution").values();
        assert_eq!(counts.map(|count| count.as_u64().expect("a count")).sum::<u64>(), playouts);
    }
    let text = String::from_utf8(program.contents("t.jsonl")).expect("a trace is UTF-8");
    assert!(text.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "every line is whole");
}

#[test]
fn an_exploiter_measures_what_it_has_learnt() {
    let program = program("interrupt-exploiter");
    let file = program.path("leduc.bin");
    let few = ["--abstract", "4", "--algorithm", "chance-sampling", "-n", "2", "--seed", "1"];
    program.output(&[&["solve", "leduc", "-o", &file], &few[..]].concat());
    let player = format!("policy:{file}");
    let long = ["--exploiter", "--minutes", "60", "--matches", "500", "--seed", "1", "--json"];
    let ended =
        interrupted(&program, &[&["evaluate", "leduc", "--player", &player], &long[..]].concat(), "INT");
    let report = json(&ended.stdout);
    assert!(report["interrupted"] == true && report["iterations"].as_u64() > Some(0), "{report}");
    assert_eq!(report["matches"], 500, "all deals that were asked for");
}

#[test]
fn a_solver_keeps_its_iterations_and_writes_no_empty_file() {
    let program = program("interrupt-solve");
    let (policy, checkpoint) = (program.path("p.json"), program.path("c"));
    let solve =
        ["solve", "leduc", "--algorithm", "cfr", "--json", "--policy", &policy, "--checkpoint", &checkpoint];
    let ended = interrupted(&program, &[&solve[..], &["-n", "900000000000"]].concat(), "INT");
    let report = json(&ended.stdout);
    let made = report["iterations"].as_u64().expect("a count");
    assert!(report["interrupted"] == true && made > 0, "{report}");
    let table = json(&String::from_utf8(program.contents("p.json")).expect("UTF-8"));
    assert!(table["information_sets"].as_object().is_some_and(|sets| !sets.is_empty()));
    let more = (made + 3).to_string();
    let resumed = json(&program.output(&[&solve[..], &["-n", &more]].concat()));
    assert_eq!(resumed["iterations_from_checkpoint"], made);

    // Without a tree it ends after an iteration, too, and measures what it has.
    let walked = program.path("walked.json");
    let walk = ["solve", "leduc", "--walk", "-n", "900000000000", "--policy", &walked, "--json"];
    let report = json(&interrupted(&program, &walk, "INT").stdout);
    let last = report["curve"].as_array().and_then(|curve| curve.last()).expect("a point");
    assert!(report["interrupted"] == true && last["iterations"] == report["iterations"], "{report}");
    assert!(report["policy_information_sets"].as_u64() > Some(0), "{report}");
    assert!(program.contents("walked.json").len() > 1_000);

    // While the tree is enumerated there is nothing to keep.
    let early = program.path("early.json");
    let large = ["solve", "holdem", "--histories-max", "1000000000", "--policy", &early];
    let mut running = program.start(&large);
    thread::sleep(Duration::from_millis(1500));
    assert!(running.is_running());
    running.signal("INT");
    let ended = running.end();
    assert!([-1, 130].contains(&ended.code) && ended.stdout.is_empty(), "{ended:?}");
    for name in [early.clone(), early + ".new"] {
        assert!(!std::path::Path::new(&name).exists(), "{name}");
    }
}

#[test]
fn counts_and_checks_show_what_they_have() {
    let program = program("interrupt-shown");
    let ended = interrupted(&program, &["show", "holdem", "--counts", "900000000000"], "INT");
    assert!(ended.stdout.contains("interrupted: the first ") && ended.stdout.contains("depths are whole"));
    let rows: Vec<&str> = ended.stdout.lines().collect();
    assert!(rows.iter().any(|row| row.trim_start().starts_with("0  ")), "{}", ended.stdout);
    let ended = interrupted(&program, &["check", "holdem", "--playouts", "900000000", "--json"], "TERM");
    let verdict = json(&ended.stdout);
    assert_eq!((&verdict["interrupted"], &verdict["playable"]), (&true.into(), &true.into()), "{verdict}");
    assert_eq!(verdict["analysis"]["cut_short"], true);
}

#[test]
fn a_benchmark_shows_the_games_that_were_measured() {
    let program = program("interrupt-bench");
    let games = ["kuhn"; 40];
    let arguments = [&["bench"][..], &games, &["--seconds", "0.2", "--json"]].concat();
    let report = json(&interrupted(&program, &arguments, "INT").stdout);
    let measured = report["games"].as_array().expect("games").len();
    assert!(report["interrupted"] == true && (1..40).contains(&measured), "{measured}");
}

#[test]
fn an_export_is_there_as_a_whole_or_not_at_all() {
    let program = program("interrupt-export");
    let output = program.file("tree.efg", "what was there before");
    let arguments =
        ["export", "holdem", "--format", "efg", "--histories-max", "1000000000", "--force", "-o", &output];
    let mut running = program.start(&arguments);
    thread::sleep(Duration::from_millis(1500));
    assert!(running.is_running());
    running.signal("TERM");
    let ended = running.end();
    assert!([-1, 130].contains(&ended.code), "{ended:?}");
    assert_eq!(program.contents("tree.efg"), b"what was there before");
    program.output(&["export", "kuhn", "--format", "efg", "--force", "--output", &output]);
    assert!(program.contents("tree.efg").starts_with(b"EFG 2 R"));
    assert!(!std::path::Path::new(&format!("{output}.new")).exists());
}

#[test]
fn the_second_signal_ends_a_command_at_once() {
    let program = program("interrupt-twice");
    let player = FakePlayer::new(|message| (!is(message, "PLAY")).then(|| "READY".to_owned()));
    let silent = FakePlayer::new(|message| is(message, "START").then(|| "READY".to_owned()));
    let seats = [format!("x={}", player.address()), format!("o={}", silent.address())];
    let mut running = program.start(&["play", "tic-tac-toe", "--seat", &seats[0], "--seat", &seats[1]]);
    wait_until(&mut running, || player.messages().iter().any(|message| is(message, "PLAY")));
    // The first lets the match say farewell to its players, one of whom is silent for two seconds.
    running.signal("INT");
    wait_until(&mut running, || silent.messages().iter().any(|message| is(message, "ABORT")));
    // Another one at once is the same: some programs send theirs to a process and to its group.
    running.signal("INT");
    thread::sleep(Duration::from_millis(500));
    assert!(running.is_running());
    let begun = Instant::now();
    running.signal("INT");
    let ended = running.end();
    assert!(begun.elapsed() < Duration::from_millis(900), "{:?}", begun.elapsed());
    assert_eq!((ended.code, ended.stdout.as_str()), (130, ""), "{ended:?}");
    assert!(ended.stderr.contains("once more ends the command at once"), "{}", ended.stderr);
}

#[test]
fn an_agent_stops_when_it_is_told_to() {
    let program = program("interrupt-agent");
    for signal in ["INT", "TERM"] {
        let ended = interrupted(&program, &["agent", "--player", "random", "--port", "0"], signal);
        assert!(ended.stdout.contains("listens on http://"), "{ended:?}");
        assert!(ended.stderr.contains("the agent is stopped"), "{ended:?}");
    }
}

#[test]
fn a_verification_says_how_far_it_came() {
    let program = program("interrupt-verify");
    let record = program.path("m.jsonl");
    let seats = ["--seat", "alice=random", "--seat", "bob=random"];
    program
        .output(&[&["play", "leduc", "-n", "3000", "--seed", "1", "--record", &record][..], &seats].concat());
    let verdict = json(&interrupted(&program, &["replay", &record, "--verify", "--json"], "INT").stdout);
    let looked_at = verdict["matches"].as_array().expect("matches").len();
    assert!(verdict["interrupted"] == true && verdict["verified"] == false, "{looked_at}");
    assert!((1..3_000).contains(&looked_at), "{looked_at}");
}
