//! Matches whose terminal is closed, and files of records with a torn last line.

use std::{io::Read as _, process::Child};

use croupier_tests::command::Program;
use pty_process::blocking::{Command, Pty, open};
use serde_json::Value;

use crate::program;

/// The binary in a terminal, in a folder of the test's own.
fn in_terminal(folder: &str, arguments: &[&str]) -> (Pty, Child) {
    let (pty, pts) = open().expect("a system with terminals");
    // Tests that run under `nohup` would pass on that SIGHUP is ignored.
    let command = Command::new("env").args(["--default-signal=HUP", env!("CARGO_BIN_EXE_croupier")]);
    let command = command.args(arguments).env("TERM", "xterm-256color");
    let child = command.current_dir(folder).spawn(pts).expect("a binary that can be run");
    (pty, child)
}

/// Reads the terminal until it shows this.
fn wait_for(mut pty: &Pty, text: &str) {
    let (mut shown, mut bytes) = (String::new(), [0; 4096]);
    while !shown.contains(text) {
        let count = pty.read(&mut bytes).expect("a terminal that is written to");
        shown.push_str(&String::from_utf8_lossy(&bytes[..count]));
    }
}

fn replayed(program: &Program, record: &str) -> Value {
    let text = program.output(&["replay", record, "--json"]);
    serde_json::from_str::<Value>(&text).expect("JSON")["matches"][0].clone()
}

#[test]
fn a_terminal_that_is_closed_leaves_the_record_of_an_aborted_match() {
    let cases = [
        ("kuhn", "alice=human", "your move>"),
        // In real time a match goes on without anybody who types.
        ("chicken", "white=human", "> "),
    ];
    for (game, seat, prompt) in cases {
        let program = program(&format!("torn-terminal-{game}"));
        let arguments = ["play", game, "--seat", seat, "--seed", "1", "--record", "m.jsonl"];
        let (pty, mut child) = in_terminal(&program.path(""), &arguments);
        wait_for(&pty, prompt);
        drop(pty);
        child.wait().expect("a child of this process");
        let record = program.path("m.jsonl");
        assert_eq!(program.run(&["replay", &record, "--verify"]).code, 0, "{game}");
        let told = replayed(&program, &record);
        let status = if game == "chicken" { &told["end"]["status"] } else { &told["outcome"]["status"] };
        assert_eq!(*status, "aborted", "{game}: {told}");
    }
}

#[test]
fn who_hangs_up_on_a_pipe_keeps_the_record_too() {
    let program = program("torn-hangup");
    let record = program.path("m.jsonl");
    let base = ["play", "leduc", "--seat", "1=random", "--seat", "2=random", "--seed", "1", "-n", "99999999"];
    let env = Program::new("env", env!("CARGO_TARGET_TMPDIR"), "torn-hangup-env");
    let binary = ["--default-signal=HUP", env!("CARGO_BIN_EXE_croupier")];
    let mut running = env.start(&[&binary[..], &base, &["--record", &record, "--json"]].concat());
    while std::fs::metadata(&record).map_or(0, |found| found.len()) == 0 {
        assert!(running.is_running());
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    running.signal("HUP");
    let ended = running.end();
    assert_eq!(ended.code, 130, "{ended:?}");
    let played: Value = serde_json::from_str(&ended.stdout).expect("JSON");
    assert_eq!(played["interrupted"], true);
    let verified = program.run(&["replay", &record, "--verify"]).stdout;
    let matches = played["matches"].as_array().expect("matches").len();
    assert!(verified.contains(&format!("all {matches} matches are what their records say")), "{verified}");
}

/// Two whole matches of a game and the first bytes of another one.
fn torn(program: &Program, seats: &[&str], name: &str, bytes: usize) -> (String, usize) {
    let (whole, third) = (program.path(&format!("{name}-whole")), program.path(&format!("{name}-third")));
    let play = |seed: &str, matches: &str, record: &str| {
        let rest = ["--seed", seed, "-n", matches, "--record", record];
        program.output(&[seats, &rest].concat());
        std::fs::read(record).expect("a record")
    };
    let (two, next) = (play("1", "2", &whole), play("2", "1", &third));
    let end = two.len();
    (program.file(name, [&two[..], &next[..bytes]].concat()), end)
}

#[test]
fn whole_matches_before_a_torn_line_verify_and_are_appended_to() {
    let games: [&[&str]; 2] = [
        &["play", "kuhn", "--seat", "1=random", "--seat", "2=random"],
        &["play", "chicken", "--seat", "1=random", "--seat", "2=random"],
    ];
    for (game, seats) in games.into_iter().enumerate() {
        let program = program(&format!("torn-line-{game}"));
        let (record, end) = torn(&program, seats, "torn", 143);
        let line =
            1 + std::fs::read(&record).expect("it is there")[..end].iter().filter(|&&b| b == b'\n').count();

        let verified = program.run(&["replay", &record, "--verify"]);
        assert_eq!(verified.code, 1, "{verified:?}");
        for number in [1, 2] {
            assert!(verified.stdout.contains(&format!("match {number}: ")), "{}", verified.stdout);
        }
        assert!(verified.stdout.contains("all 2 matches are what their records say"), "{}", verified.stdout);
        let tear = format!("line {line} is torn: 143 bytes stand behind the last whole match");
        assert!(verified.stdout.contains(&tear), "{}", verified.stdout);
        let json = program.run(&["replay", &record, "--verify", "--json"]).stdout;
        let json: Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(json["verified"], false);
        assert!(json["matches"].as_array().expect("matches").iter().all(|one| one["verified"] == true));
        assert!(json.to_string().contains("\"bytes\":143"), "{json}");

        // They can be read, and the tear is named beside them.
        let read = program.run(&["replay", &record]);
        assert!(read.code == 0 && read.stderr.contains(&tear), "{read:?}");

        let append = |option: &[&'static str]| {
            let rest = ["--seed", "3", "--record", &record, "--append"];
            [seats, &rest, option].concat().into_iter().map(str::to_owned).collect::<Vec<String>>()
        };
        let refusal = program.refusal(&append(&[]));
        let offer = "--append --cut-torn removes these 143 bytes and keeps the 2 whole matches";
        assert!(refusal.contains(offer), "{refusal}");
        let appended = program.run(&append(&["--cut-torn"]));
        assert_eq!(appended.code, 0, "{appended:?}");
        let verified = program.run(&["replay", &record, "--verify"]);
        assert!(verified.stdout.contains("all 3 matches are what their records say"), "{}", verified.stdout);
    }
}

#[test]
fn a_match_that_was_cut_off_between_lines_can_be_removed_too() {
    let program = program("torn-match");
    let seats = ["play", "kuhn", "--seat", "1=random", "--seat", "2=random"];
    let (record, end) = torn(&program, &seats, "torn", 143);
    let next = std::fs::read(program.path("torn-third")).expect("a record");
    let lines: Vec<&[u8]> = next.split_inclusive(|&byte| byte == b'\n').take(3).collect();
    let mut bytes = std::fs::read(&record).expect("it is there");
    bytes.truncate(end);
    let record = program.file("cut", [bytes, lines.concat()].concat());
    let rest = ["--seed", "3", "--record", &record, "--append"];
    let refusal = program.refusal(&[&seats[..], &rest].concat());
    assert!(refusal.contains("--cut-torn removes"), "{refusal}");
    program.output(&[&seats[..], &rest, &["--cut-torn"]].concat());
    let verified = program.run(&["replay", &record, "--verify"]);
    assert!(verified.stdout.contains("all 3 matches are what their records say"), "{}", verified.stdout);
}

#[test]
fn what_is_no_record_is_never_cut() {
    let program = program("torn-nothing");
    let text = program.file("notes.txt", "a shopping list\nwithout an end");
    let arguments = ["play", "kuhn", "--seed", "3", "--record", &text, "--append", "--cut-torn"];
    let refusal = program.refusal(&arguments);
    assert!(refusal.contains("bad-record"), "{refusal}");
    assert_eq!(program.contents("notes.txt"), b"a shopping list\nwithout an end");
}
