//! What is said of input that is not what was wanted: in words of whoever gave it, not of the parsers inside.

use croupier_tests::{
    player::{FakePlayer, is},
    size,
};
use serde_json::json;

use crate::{options::commands, program, server::Server};

/// What parsers of numbers, addresses and JSON say by themselves.
const FOREIGN: [&str; 14] = [
    "invalid digit found in string",
    "cannot parse integer from empty string",
    "number too large to fit",
    "invalid float literal",
    "invalid IP address syntax",
    "invalid socket address",
    "is not in ",
    "unknown variant",
    "unknown field",
    "missing field",
    "invalid type",
    "expected value at line",
    "EOF while parsing",
    "(os error",
];

fn assert_own_words(said: &str, asked: &str) {
    for foreign in FOREIGN {
        assert!(!said.contains(foreign), "{asked}: {said}");
    }
}

#[test]
fn a_million_is_1e6_for_every_count() {
    let program = program("saying-counts");
    let record = program.path("m.jsonl");
    program.output(&["play", "kuhn", "-n", "1e1", "--seed", "1", "--record", &record, "--seat", "1=random"]);
    for arguments in [
        &["simulate", "kuhn", "-n", "1e3", "--seed", "1"][..],
        &["check", "kuhn", "--playouts", "2e1"],
        &["show", "kuhn", "--counts", "1e6"],
        &["solve", "kuhn", "-n", "1e1", "--histories-max", "1e6"],
        &[
            "play",
            "kuhn",
            "--seed",
            "1",
            "--seat",
            "1=ismcts:iterations=1e1,particles=1_0",
            "--seat",
            "2=call",
        ],
        &["play", "chicken", "--seed", "1", "--seat", "1=mc:iterations=1e1", "--seat", "2=wait"],
        &["tournament", "kuhn", "--players", "random,call", "-n", "1e1", "--seed", "1"],
        &["belief", &record, "--role", "bob", "--turn", "2e0", "--match", "1e0", "--particles", "1e3"],
        &["replay", &record, "--match", "1e1"],
        &["new", &program.path("goofspiel"), "--from", "goofspiel", "--cards", "1e1"],
    ] {
        program.output(arguments);
    }
    let said = program.run(&["simulate", "kuhn", "-n", "1.5"]).stderr;
    assert!(said.contains("a whole number from 1 to 1000000000000 is expected, such as 1e6"), "{said}");
}

#[test]
fn no_option_answers_nonsense_with_the_words_of_a_parser() {
    let program = program("saying-options");
    let mut asked = 0;
    for command in commands() {
        let help = program.run(&["help", &command]).stdout;
        let options = help.lines().filter_map(|line| line.trim_start().split_once("--")?.1.split_once(" <"));
        // These begin to work where they are given what they take.
        let is_working = ["agent", "bench", "host"].contains(&command.as_str());
        let options =
            options.filter(|(_, value)| !is_working || value.starts_with("N>") || value.starts_with("PORT>"));
        let options: Vec<String> =
            options.map(|(name, _)| name.to_owned()).filter(|name| !name.contains(' ')).collect();
        for option in options {
            // One of them each, in turn: options of one type share what reads it.
            let values = ["zz", "99999999999999999999999", "1e99", "-1.5"];
            for value in values.into_iter().skip(asked % size(4, 1)).step_by(size(4, 1)) {
                let given = format!("--{option}={value}");
                let mut arguments = vec![command.as_str(), &given];
                if command == "serve" {
                    arguments.push("--print-config");
                }
                assert_own_words(&program.run(&arguments).stderr, &arguments.join(" "));
                asked += 1;
            }
        }
    }
    assert!(asked > size(50, 200), "{asked}");
}

#[test]
fn files_of_other_kinds_are_called_what_they_are() {
    let program = program("saying-files");
    let utf_16: Vec<u8> = "(role alice)".encode_utf16().flat_map(u16::to_le_bytes).collect();
    let policy = program.path("policy.json");
    program.output(&["solve", "kuhn", "-n", "3", "--policy", &policy]);
    let tree = program.path("tree.efg");
    program.output(&["export", "kuhn", "--format", "efg", "-o", &tree]);
    let record = program.path("m.jsonl");
    program.output(&["play", "kuhn", "--seed", "1", "--record", &record, "--seat", "1=random"]);
    let prolog = "role(x).\nlegal(P, noop) :- role(P).\nterminal :- true(over).\n";
    let rules = program.path("kuhn.gdl");
    program.output(&["convert", "kuhn", "--to", "kif", "-o", &rules]);
    for (path, what) in [
        (program.file("binary", b"\x7fELF\x02\x01\x01\0\0\0\0"), "a program"),
        (program.file("zip", b"PK\x03\x04\0\0"), "a ZIP archive"),
        (program.file("utf-16.gdl", &utf_16), "text in UTF-16"),
        (program.file("rules.pl", prolog), "a logic program, in Prolog"),
        (tree, "a game in extensive form (.efg)"),
        (policy, "a policy"),
        (program.file("some.json", "{\"a\": 1}"), "JSON"),
        (record.clone(), "a record of matches"),
    ] {
        for command in ["play", "check", "show"] {
            let said = program.refusal(&[command, &path]);
            assert!(
                said.contains(&format!("error[not-rules]: the file is {what}")),
                "{command} {path}: {said}"
            );
            assert!(said.contains("help"), "{said}");
        }
        if path != record {
            let said = program.refusal(&["replay", &path]);
            assert!(said.contains(&format!("error[bad-record]: the file is {what}")), "{path}: {said}");
            assert_own_words(&said, &path);
        }
    }
    let said = program.refusal(&["replay", &rules]);
    assert!(said.contains("the file is rules of a game, not a record"), "{said}");
    for (name, text) in [("empty.json", "{"), ("notes.txt", "dear diary"), ("wrong.json", "{\"format\":1}")] {
        let path = program.file(name, text);
        assert_own_words(&program.run(&["replay", &path]).stderr, name);
        assert_own_words(&program.run(&["play", "kuhn", "--seat", &format!("1=policy:{path}")]).stderr, name);
        assert_own_words(
            &program.run(&["tournament", "kuhn", "--players", "random,call", "--results", &path]).stderr,
            name,
        );
    }
}

#[test]
fn an_address_needs_no_http() {
    let program = program("saying-address");
    let player = FakePlayer::saying("noop");
    let address = player.address().strip_prefix("http://").expect("an address").to_owned();
    let seat = format!("x={address}");
    let ended =
        program.run(&["play", "tic-tac-toe", "--seed", "1", "--seat", &seat, "--seat", "o=random", "--json"]);
    assert!(player.messages().iter().any(|message| is(message, "START")), "{ended:?}");
    assert!(ended.stdout.contains(&format!("\"x\":\"http://{address} gdl2\"")), "{ended:?}");
}

#[test]
fn a_server_says_what_is_wrong_with_a_body_in_words_of_its_keys() {
    let server = Server::new("saying-server");
    let operator = server.operator();
    for (body, told) in [
        (
            json!({ "gmae": "kuhn", "seats": {} }),
            "there is no key 'gmae'; the keys here are game, rules, seats",
        ),
        (json!({ "game": "kuhn" }), "the key 'seats' is missing"),
        (
            json!({ "game": "kuhn", "seats": { "alice": { "kind": "human" } } }),
            "'human' is none of pull, push",
        ),
        (json!({ "game": "kuhn", "seats": {}, "join_s": "soon" }), "stands where a whole number is expected"),
        (json!([]), "invalid request body"),
    ] {
        let (status, said) = server.ask("POST", "/v1/matches", Some(&operator), Some(&body));
        assert!(status == 422 && said.contains(told), "{body}: {said}");
        assert_own_words(&said, &body.to_string());
        let (_, said) = server.ask("POST", "/v1/tournaments", Some(&operator), Some(&body));
        assert_own_words(&said, &body.to_string());
    }
}
