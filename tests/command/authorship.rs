//! Records say whose they are, and whether all of them are there: keys, seals and the matches of a series.

use std::fs;

use croupier_tests::{command::Program, corpus::workspace};
use serde_json::{Value, json};

use crate::program;

/// A record of `matches` matches of random players, signed with the key in a file if there is one; its path.
fn record(program: &Program, name: &str, matches: &str, rest: &[&str]) -> String {
    record_of("kuhn", program, name, matches, rest)
}

/// The same of one of these games.
fn record_of(game: &str, program: &Program, name: &str, matches: &str, rest: &[&str]) -> String {
    let path = program.path(name);
    let seats = match game {
        "kuhn" => ["--seat", "alice=random", "--seat", "bob=random"],
        _ => ["--seat", "white=random", "--seat", "black=random"],
    };
    program.output(&[&["play", game, "-n", matches, "--record", &path], &seats[..], rest].concat());
    path
}

/// The records of a file, each with its newline.
fn records(program: &Program, name: &str) -> Vec<String> {
    let text = String::from_utf8(program.contents(name)).expect("a record is UTF-8");
    let mut records: Vec<String> = Vec::new();
    for line in text.split_inclusive('\n') {
        if line.contains("\"event\":\"genesis\"") {
            records.push(String::new());
        }
        records.last_mut().expect("a record begins with its genesis").push_str(line);
    }
    records
}

/// The exit status of a verification, what the file comes to, and the codes of what is wrong with it as a whole.
fn verified(program: &Program, path: &str, rest: &[&str]) -> (i32, String, Vec<String>) {
    let ended = program.run(&[&["replay", path, "--verify", "--json"], rest].concat());
    let verdict: Value = serde_json::from_str(&ended.stdout).expect("a verdict in JSON");
    assert_eq!(verdict["verified"], ended.code == 0, "{verdict}");
    let findings = verdict["findings"].as_array().expect("findings").iter();
    let codes = findings.map(|finding| finding["code"].as_str().expect("a code").to_owned());
    (ended.code, verdict["state"].as_str().expect("a state").to_owned(), codes.collect())
}

/// What is said to people.
fn said(program: &Program, path: &str, rest: &[&str]) -> (i32, String) {
    let ended = program.run(&[&["replay", path, "--verify"], rest].concat());
    (ended.code, ended.stdout)
}

#[test]
fn a_public_key_signs_nothing() {
    let program = program("key-public");
    let (secret, record) = (program.path("my.key"), program.path("m.jsonl"));
    program.output(&["key", "new", "-o", &secret]);
    let public = program.file("my.pub", program.output(&["key", "show", &secret]));
    for arguments in [
        vec!["key", "show", &public],
        vec![
            "play",
            "kuhn",
            "--key",
            &public,
            "--record",
            &record,
            "--seat",
            "alice=random",
            "--seat",
            "bob=random",
        ],
    ] {
        assert!(program.refusal(&arguments).contains("public key"), "{arguments:?}");
    }
}

#[test]
fn a_key_is_made_once_for_its_owner_alone_and_shows_its_public_half() {
    let program = program("key-new");
    let path = program.path("my.key");
    let public = program.output(&["key", "new", "-o", &path]);
    let public = public.trim();
    assert!(public.len() == 64 && public.bytes().all(|byte| byte.is_ascii_hexdigit()), "{public}");
    assert_eq!(program.output(&["key", "show", &path]).trim(), public);
    let shown: Value =
        serde_json::from_str(&program.output(&["key", "show", &path, "--json"])).expect("JSON");
    assert_eq!(shown["public_key"], public);
    let secret = program.contents("my.key");
    assert!(!String::from_utf8_lossy(&secret).contains(public), "the file holds the secret half");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&path).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    let refused = program.refusal(&["key", "new", "-o", &path]);
    assert!(refused.contains("never replaced"), "{refused}");
    assert_eq!(program.contents("my.key"), secret, "a key is not replaced");
    let other = program.output(&["key", "new", "-o", &program.path("other.key"), "--json"]);
    assert!(!other.contains(public), "two keys differ");
}

#[test]
fn a_key_of_other_making_signs_too_and_what_is_no_key_is_refused() {
    let program = program("key-made");
    let digits = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    // RFC 8032, section 7.1, test 1.
    let public = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    let bytes: Vec<u8> = (0..64)
        .step_by(2)
        .map(|at| u8::from_str_radix(&digits[at..at + 2], 16).expect("hexadecimal digits"))
        .collect();
    for (name, contents) in
        [("labelled", format!("croupier secret key\n{digits}\n").into_bytes()), ("raw", bytes)]
    {
        let path = program.file(name, contents);
        assert_eq!(program.output(&["key", "show", &path]).trim(), public, "{name}");
    }
    // Digits alone may be a public key, with which anybody could sign.
    for (name, contents) in
        [("empty", ""), ("short", "9d61b1"), ("words", "this is no key"), ("digits", digits)]
    {
        let path = program.file(name, contents);
        for arguments in
            [vec!["key", "show", &path], vec!["play", "kuhn", "--record", "never.jsonl", "--key", &path]]
        {
            assert!(program.refusal(&arguments).contains("bad-key"), "{arguments:?}");
        }
    }
    let record = record(&program, "m.jsonl", "1", &[]);
    // The neutral point of the curve, under which forged signatures of anything would be good.
    let weak = format!("01{}", "0".repeat(62));
    for (key, word) in [("no-such-file", "bad-key"), (&weak, "no public key")] {
        let refused = program.refusal(&["replay", &record, "--verify", "--signed-by", key]);
        assert!(refused.contains(word), "{key}: {refused}");
    }
    assert!(program.refusal(&["replay", &record, "--signed-by", public]).contains("--verify"));
}

#[test]
fn signed_by_a_key_is_true_of_what_it_signed_and_of_nothing_else() {
    let program = program("signed-by");
    let [mine, theirs] = ["my.key", "their.key"].map(|name| {
        let path = program.path(name);
        (program.output(&["key", "new", "-o", &path]).trim().to_owned(), path)
    });
    let public_file = program.file("my.pub", format!("{}\n", mine.0));
    let signed = record(&program, "mine.jsonl", "3", &["--key", &mine.1]);
    let other = record(&program, "theirs.jsonl", "3", &["--key", &theirs.1]);
    let unsigned = record(&program, "unsigned.jsonl", "3", &[]);
    for key in [&mine.0, &public_file, &mine.1] {
        assert_eq!(verified(&program, &signed, &["--signed-by", key]).0, 0);
        for path in [&other, &unsigned] {
            let (code, state, _) = verified(&program, path, &["--signed-by", key]);
            assert_eq!((code, state.as_str()), (1, "altered"), "{path} with {key}");
        }
    }
    assert_eq!(verified(&program, &signed, &["--signed-by", &theirs.0]).0, 1);
    let (_, text) = said(&program, &other, &["--signed-by", &mine.0]);
    let first = text.lines().next().expect("a line");
    assert!(first.starts_with("match 1: NOT SIGNED by the key that was asked for, "), "{text}");
    assert!(first.ends_with(&format!(" turns; signed by {}", theirs.0)), "{text}");
    let (_, text) = said(&program, &unsigned, &["--signed-by", &mine.0]);
    assert!(text.contains("sealed without a key"), "{text}");
    // One match of the file, too.
    assert_eq!(verified(&program, &signed, &["--match", "2", "--signed-by", &mine.0]).0, 0);
    assert_eq!(verified(&program, &other, &["--match", "2", "--signed-by", &mine.0]).0, 1);
}

#[test]
fn a_file_in_which_keys_are_mixed_is_not_verified() {
    let program = program("mixed-keys");
    let [mine, theirs] = ["my.key", "their.key"].map(|name| {
        let path = program.path(name);
        program.output(&["key", "new", "-o", &path]);
        path
    });
    let of = |seed: &str, rest: &[&str]| {
        record(&program, seed, "2", &[&["--seed", seed], rest].concat());
        program.contents(seed)
    };
    let (one, same) = (of("1", &["--key", &mine]), of("2", &["--key", &mine]));
    let (other, unsigned) = (of("3", &["--key", &theirs]), of("4", &[]));
    let together = |name: &str, files: &[&[u8]]| program.file(name, files.concat());
    assert_eq!(verified(&program, &together("same", &[&one, &same]), &[]).0, 0, "two series of one key");
    for (name, files) in [("two", [&one, &other]), ("none", [&one, &unsigned]), ("before", [&unsigned, &one])]
    {
        let path = together(name, &files.map(Vec::as_slice));
        assert_eq!(
            verified(&program, &path, &[]),
            (1, "altered".to_owned(), vec!["mixed-keys".to_owned()]),
            "{name}"
        );
        let (_, text) = said(&program, &path, &[]);
        assert!(text.contains("ALTERED: match 1 is s") && text.contains("and match 3 s"), "{text}");
    }
}

#[test]
fn every_dropped_doubled_swapped_and_foreign_match_of_a_series_is_named() {
    changed_series("kuhn");
}

#[test]
fn the_same_is_named_in_real_time() {
    changed_series("chicken");
}

fn changed_series(game: &str) {
    let program = program(&format!("series-changed-{game}"));
    let key = program.path("my.key");
    let public = program.output(&["key", "new", "-o", &key]);
    let path = record_of(game, &program, "whole.jsonl", "5", &["--seed", "7", "--key", &key]);
    record_of(game, &program, "other.jsonl", "5", &["--seed", "8", "--key", &key]);
    let (whole, other) = (records(&program, "whole.jsonl"), records(&program, "other.jsonl"));
    let signed = ["--signed-by", public.trim()];
    assert_eq!(verified(&program, &path, &signed), (0, "complete".to_owned(), Vec::new()));
    let check = |changed: &[&String], state: &str, code: &str, words: &str| {
        let text: String = changed.iter().map(|record| record.as_str()).collect();
        let path = program.file("changed.jsonl", text);
        let (exit, found, codes) = verified(&program, &path, &signed);
        assert_eq!((exit, found.as_str()), (1, state), "{words}");
        assert!(codes.iter().any(|found| found == code), "{words}: {codes:?}");
        let (_, text) = said(&program, &path, &signed);
        assert!(text.contains(words), "{words}: {text}");
    };
    for at in 0..5 {
        let number = at + 1;
        let mut dropped: Vec<_> = whole.iter().collect();
        dropped.remove(at);
        check(&dropped, "incomplete", "missing", &format!("has 4 of 5 matches: {number} is missing"));
        let mut doubled: Vec<_> = whole.iter().collect();
        doubled.insert(at, &whole[at]);
        let words = format!("ALTERED: match {} has the same id as match {number}", number + 1);
        check(&doubled, "altered", "repeated-id", &words);
        let mut foreign: Vec<_> = whole.iter().collect();
        foreign[at] = &other[at];
        check(&foreign, "incomplete", "missing", &format!("has 4 of 5 matches: {number} is missing"));
        for after in at + 1..5 {
            let mut swapped: Vec<_> = whole.iter().collect();
            swapped.swap(at, after);
            check(&swapped, "altered", "swapped", "but comes after");
        }
    }
    let first_three: Vec<_> = whole[..3].iter().collect();
    check(&first_three, "incomplete", "missing", &format!("INCOMPLETE: the series {game}-"));
    check(&first_three, "incomplete", "missing", "has 3 of 5 matches: 4 and 5 are missing");
    let three = program.file("three.jsonl", whole[..3].concat());
    let verdict: Value =
        serde_json::from_str(&program.run(&["replay", &three, "--verify", "--json"]).stdout).expect("JSON");
    let details = &verdict["findings"][0]["details"];
    assert_eq!((&details["found"], &details["total"]), (&json!(3), &json!(5)), "{verdict}");
    assert_eq!(details["missing"], json!([[4, 5]]), "{verdict}");
    assert_eq!(verdict["matches"][1]["series"]["index"], 2, "{verdict}");
    // A match by itself can be looked at by itself.
    assert_eq!(verified(&program, &three, &["--match", "2"]).0, 0);
}

#[test]
fn series_that_differ_in_anything_can_stand_in_one_file() {
    let program = program("series-together");
    let mut all = Vec::new();
    for (number, rest) in [
        &["--seed", "7"][..],
        &["--seed", "8"],
        &["--seed", "7", "--start-clock", "30"],
        &["--seed", "7", "--full-sight", "bob"],
    ]
    .iter()
    .enumerate()
    {
        let name = format!("{number}.jsonl");
        record(&program, &name, "2", rest);
        all.extend(program.contents(&name));
    }
    let path = program.path("players.jsonl");
    program.output(&[
        "play",
        "kuhn",
        "-n",
        "2",
        "--seed",
        "7",
        "--seat",
        "alice=first-legal",
        "--record",
        &path,
    ]);
    all.extend(program.contents("players.jsonl"));
    let path = program.file("all.jsonl", all);
    assert_eq!(verified(&program, &path, &[]), (0, "complete".to_owned(), Vec::new()));
}

#[test]
fn records_without_a_series_verify_as_they_did() {
    let program = program("without-series");
    for (format, name) in [(1, "kuhn"), (1, "leduc"), (1, "holdem"), (1, "tic-tac-toe"), (3, "reaction")] {
        let folder = workspace().join(format!("tests/golden/format-{format}"));
        let path = folder.join(format!("{name}.jsonl"));
        let text = fs::read_to_string(&path).expect("a record");
        let format = format!("\"format\":{format}");
        assert!(text.contains(&format) && !text.contains("\"series\""), "{name}");
        let path = path.to_str().expect("a path in UTF-8");
        assert_eq!(verified(&program, path, &[]), (0, "complete".to_owned(), Vec::new()), "{name}");
        // They have no series, but each has an id.
        let doubled = program.file("doubled.jsonl", text.repeat(2));
        assert_eq!(verified(&program, &doubled, &[]).2[0], "repeated-id");
    }
}

#[test]
fn records_of_a_tournament_are_one_series_and_can_be_signed() {
    let program = program("tournament-signed");
    let (key, path) = (program.path("my.key"), program.path("t.jsonl"));
    let public = program.output(&["key", "new", "-o", &key]);
    let players = ["--players", "random,first-legal,belief:iterations=2", "-n", "2", "--duplicate"];
    program.output(&[&["tournament", "kuhn", "--record", &path, "--key", &key], &players[..]].concat());
    let signed = ["--signed-by", public.trim()];
    assert_eq!(verified(&program, &path, &signed), (0, "complete".to_owned(), Vec::new()));
    let all = records(&program, "t.jsonl");
    let cut = program.file("cut.jsonl", [&all[..1], &all[2..]].concat().concat());
    assert_eq!(verified(&program, &cut, &signed), (1, "incomplete".to_owned(), vec!["missing".to_owned()]));
}
