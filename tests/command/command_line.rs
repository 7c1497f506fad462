//! The binary as a user meets it: nonsense in any argument, file or move ends with a code, a place and
//! advice, never with a panic; and what is asked for as JSON is JSON.

use std::{ffi::OsString, fs, os::unix::ffi::OsStringExt as _};

use croupier_tests::{
    command::{Ended, Program, says_code},
    corpus::catalogue_game,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use serde_json::Value;

use crate::program;

/// Commands that read rules and end with status 2 where there is no game in them.
const READERS: [&str; 3] = ["show", "play", "simulate"];

fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part:?} is missing in: {text}");
    }
}

/// A record of two matches of Kuhn poker.
fn record(program: &Program) -> String {
    let path = program.path("kuhn.jsonl");
    program.output(&["play", "kuhn", "--seed", "7", "--matches", "2", "--record", &path]);
    path
}

#[test]
fn an_unknown_game_is_answered_with_one_that_is_like_it() {
    let program = program("unknown-game");
    for command in ["show", "play", "simulate", "check"] {
        assert_says(&program.refusal(&[command, "khun"]), &["khun", "kuhn", "croupier games"]);
        assert_says(&program.refusal(&[command, "no-such-thing"]), &["no-such-thing", "croupier games"]);
        let missing = program.path("missing.gdl");
        assert_says(&program.refusal(&[command, &missing]), &[&missing, "No such file"]);
    }
}

#[test]
fn a_megabyte_of_parentheses_is_refused_by_a_limit_with_its_place() {
    let program = program("parentheses");
    let file = program.file("deep.gdl", "(".repeat(1 << 20));
    for command in READERS {
        assert_says(
            &program.refusal(&[command, &file]),
            &["error[limit]", &file, "limit 256, 1048576 needed"],
        );
    }
    let checked = program.run(&["check", &file]);
    assert_eq!(checked.code, 1, "check answers that it cannot be played");
    assert_says(&checked.stdout, &["error[limit]", &file, "cannot be played"]);
    let file = program.file("long.gdl", " ".repeat((1 << 20) + 1));
    assert_says(&program.refusal(&["check", &file]), &["1048576 bytes", &file]);
}

#[test]
fn a_megabyte_on_one_line_is_checked_and_what_is_not_shown_is_counted() {
    let program = program("one-line");
    let rules: String = (0..12_000)
        .map(|number| {
            format!("(<= (goal white 50) (nothing_of_the_kind_{number} ?any_value_of_it) (nobody)) ")
        })
        .collect();
    let file = program.file("line.gdl", format!("(role white) {rules}"));
    let checked = program.run(&["check", &file, "--playouts", "0", "--all"]);
    assert_says(
        &checked.stdout,
        &["warning[undefined-relation]", "more, which --json lists", "cannot be played"],
    );
}

#[test]
fn files_that_are_no_rules_are_refused_by_name() {
    let program = program("no-rules");
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let noise: Vec<u8> = (0..20_000).map(|_| rng.next_u32().to_le_bytes()[0]).collect();
    let files: [(&str, Vec<u8>); 9] = [
        ("empty.gdl", Vec::new()),
        ("nul.gdl", vec![0; 1000]),
        ("noise.gdl", noise),
        ("utf16.gdl", "(role alice)".encode_utf16().flat_map(u16::to_le_bytes).collect()),
        ("latin1.gdl", b"(role \xe9\xff)".to_vec()),
        ("unbalanced.gdl", b"(role alice".to_vec()),
        ("page.html", b"<html><body>404</body></html>".to_vec()),
        ("escape.gdl", b"(role \x1b[31mred\x1b[0m) (legal \x07 \x7f)".to_vec()),
        ("unsafe.gdl", b"(role a)\n(<= (legal a ?x) (not (true ?x)))".to_vec()),
    ];
    for (name, contents) in files {
        let file = program.file(name, contents);
        for command in READERS {
            assert_says(&program.refusal(&[command, &file]), &[&file]);
        }
        // What is no text at all is no rules to check.
        let is_text = !matches!(name, "nul.gdl" | "noise.gdl" | "utf16.gdl" | "page.html");
        let checked = program.run(&["check", &file]);
        assert_eq!(checked.code, if is_text { 1 } else { 2 }, "{name}: {checked:?}");
        assert_says(if is_text { &checked.stdout } else { &checked.stderr }, &[&file]);
    }
    let folder = program.path("");
    assert_says(&program.refusal(&["check", &folder]), &["error[several-rules]", "latin1.gdl, noise.gdl"]);
}

#[test]
fn a_comment_in_latin_1_does_no_harm_and_is_warned_of() {
    let program = program("latin-1");
    let rules = [b"; Wei\xdfw\xfcrste\n".to_vec(), catalogue_game("kuhn").text.into_bytes()].concat();
    let file = program.file("kuhn.gdl", rules);
    let warning =
        ["warning[not-utf-8]", "byte 5 ", "kuhn.gdl:1:6", "Wei\u{df}w\u{fc}rste", "save the file as UTF-8"];
    assert_says(&program.output(&["check", &file, "--strict"]), &warning);
    let checked: Value =
        serde_json::from_str(&program.output(&["check", &file, "--json"])).expect("it is JSON");
    assert_eq!(checked["diagnostics"][0]["code"], "not-utf-8");
    assert_eq!(checked["diagnostics"][0]["place"]["column"], 6);
    assert_says(&program.output(&["explain", "not-utf-8"]), &["a warning", "Latin-1"]);

    let converted = program.run(&["convert", &file, "--to", "infix"]);
    assert_says(&converted.stdout, &["% Wei\u{df}w\u{fc}rste\n"]);
    assert_says(&converted.stderr, &warning);
    program.output(&["play", &file, "--seed", "1"]);

    let mended = program.file("mended.gdl", catalogue_game("kuhn").text);
    assert!(!program.output(&["check", &mended]).contains("not-utf-8"));
}

#[test]
fn every_bad_seat_is_refused_with_what_could_be_written() {
    let program = program("seats");
    let cases: [(&[&str], &[&str]); 13] = [
        (&["alice"], &["--seat"]),
        (&["p3=random"], &["p3", "alice (1), bob (2)"]),
        (&["0=random"], &["alice (1), bob (2)"]),
        (&["2=random", "bob=belief"], &["bob"]),
        (&["=random"], &["--seat"]),
        (&["alice="], &["--seat"]),
        (&["carol=random"], &["carol", "alice (1), bob (2)"]),
        (&["random=random"], &["random", "alice (1), bob (2)"]),
        (&["alice=wizard"], &["wizard", "first-legal"]),
        (&["alice=belief:iterations=many"], &["many"]),
        (&["alice=random", "alice=belief"], &["alice"]),
        (&["alice=rule:"], &["rule:FILE"]),
        (&["alice=rule:nowhere.txt"], &["nowhere.txt"]),
    ];
    for (seats, parts) in cases {
        let mut arguments = vec!["play", "kuhn"];
        arguments.extend(seats.iter().flat_map(|seat| ["--seat", seat]));
        assert_says(&program.refusal(&arguments), parts);
    }
}

#[test]
fn a_seat_may_be_named_by_its_place() {
    let program = program("places");
    let played = |seats: [&str; 2]| {
        let [first, second] = seats;
        program.output(&["play", "kuhn", "--seed", "1", "--seat", first, "--seat", second])
    };
    let by_name = played(["alice=first-legal", "bob=random"]);
    assert_eq!(played(["1=first-legal", "p2=random"]), by_name);
    assert_ne!(played(["2=first-legal", "1=random"]), by_name);
}

#[test]
fn preferences_in_a_file_are_played() {
    let program = program("rules");
    let rules = program.file("bold.txt", "# a king is not needed\nbet\n");
    let play =
        |alice: &str| program.output(&["play", "kuhn", "--seed", "1", "--seat", alice, "--seat", "bob=call"]);
    // The first line says who sits where.
    let story = |text: String| text.lines().skip(1).collect::<Vec<_>>().join("\n");
    assert_eq!(story(play(&format!("alice=rule:{rules}"))), story(play("alice=raise")));
    let unreadable = program.file("bad.txt", "bet\noften pass\n");
    let refusal = program.refusal(&["play", "kuhn", "--seat", &format!("alice=rule:{unreadable}")]);
    assert_says(&refusal, &["error[bad-rule]", "line 2", "\"often\"", "help: "]);
}

#[test]
fn players_take_models_of_the_others() {
    let program = program("models");
    let record = program.path("m.jsonl");
    let play = [
        "play",
        "kuhn",
        "--seed",
        "1",
        "--seat",
        "alice=raise",
        "--seat",
        "bob=belief:iterations=20,particles=20",
    ];
    let played = program.output(&[&play[..], &["--model", "alice=raise", "--record", &record]].concat());
    assert_says(&played, &["model.alice=raise"]);
    // Alice always bets, so whoever holds her to be so learns nothing from a bet; of three cards bob has one.
    let belief = ["belief", &record, "--role", "bob", "--turn", "3", "--model", "alice=raise", "--json"];
    let belief = program.output(&belief);
    assert_says(&belief, &["0.5"]);
    let refused = |rest: &[&str], parts: &[&str]| {
        assert_says(&program.refusal(&[&play[..], rest].concat()), parts);
    };
    refused(&["--model", "alice"], &["error[bad-model]", "ROLE=MODEL"]);
    refused(&["--model", "carol=raise"], &["carol", "alice (1), bob (2)"]);
    refused(&["--model", "alice=wizard"], &["wizard"]);
    refused(&["--model", "alice=raise", "--model", "1=call"], &["two models"]);
    refused(&["--model", "bob=raise"], &["nobody who has a model of bob searches"]);
    let meeting = ["tournament", "kuhn", "--players", "random,belief:iterations=20,particles=20", "-n", "1"];
    let met = program.output(&[&meeting[..], &["--model", "bob=raise", "--json"]].concat());
    assert_says(&met, &["belief:iterations=20,particles=20,playouts=16,model.bob=raise"]);
    let of_nobody = ["tournament", "kuhn", "--players", "random,call", "--model", "bob=raise"];
    assert_says(&program.refusal(&of_nobody), &["error[bad-model]", "nobody who takes part searches"]);
    refused(&["--model", "alice=belief:model=raise"], &["a model cannot have a model of its own"]);
    refused(&["--seat", "alice=random:model=raise"], &["seated twice"]);
}

#[test]
fn help_lists_people_only_where_they_can_sit() {
    let program = program("sitters");
    for (command, parts, absent) in [
        ("play", &[", human, http://HOST:PORT.", "croupier help agents"][..], &[][..]),
        ("tournament", &["random", "http://HOST:PORT."], &["human"]),
        ("agent", &["random"], &["human", "http://HOST:PORT"]),
    ] {
        // Lines end where the width says, so what is looked for may be on two of them.
        let help = program.output(&["help", command]).split_whitespace().collect::<Vec<_>>().join(" ");
        assert_says(&help, parts);
        assert!(absent.iter().all(|word| !help.contains(word)), "{command}: {help}");
    }
}

#[test]
fn help_is_there_for_commands_and_topics() {
    let program = program("help");
    assert_eq!(program.output(&["help"]), program.output(&["--help"]));
    for topic in ["play", "clocks", "records", "real-time", "json"] {
        assert!(program.output(&["help", topic]).lines().count() > 10, "{topic}");
    }
    assert_says(&program.output(&["help"]), &["\nPlay:\n", "\nWrite rules:\n", "  tournament   Run a "]);
    let agents = program.output(&["help", "agents"]);
    assert_says(
        &agents,
        &["\n  human\n", "\n  resolve:", "http://HOST:PORT", "model=MODEL", "mc is usual", "Which to take"],
    );
    assert_says(&program.refusal(&["help", "agent5"]), &["error[unknown-topic]", "did you mean 'agent"]);
    assert_says(&program.refusal(&["help", "xyzzy"]), &["`croupier help` lists the commands"]);
}

#[test]
fn every_bad_number_is_refused_at_its_option() {
    let program = program("numbers");
    let hex = "f".repeat(63);
    let too_long = "f".repeat(65);
    for seed in [
        "",
        "x",
        "-1",
        "1.5",
        "0x12",
        &hex,
        &too_long,
        "٣",
        "99999999999999999999999999999999999999999999999999",
    ] {
        assert_says(&program.refusal(&["play", "kuhn", &format!("--seed={seed}")]), &["seed"]);
        assert_says(&program.refusal(&["simulate", "kuhn", &format!("--seed={seed}")]), &["seed"]);
    }
    for number in ["", "0", "-1", "many", "1e-3", "18446744073709551616"] {
        assert_says(&program.refusal(&["play", "kuhn", &format!("--matches={number}")]), &["--matches"]);
        assert_says(
            &program.refusal(&["simulate", "kuhn", &format!("--playouts={number}")]),
            &["--playouts"],
        );
        assert_says(&program.refusal(&["simulate", "kuhn", &format!("--threads={number}")]), &["--threads"]);
    }
}

#[test]
fn words_that_no_command_knows_are_refused() {
    let program = program("words");
    assert_eq!(program.run(&[] as &[&str]).code, 2, "without a command there is nothing to do");
    let cases: [&[&str]; 10] = [
        &["deal"],
        &["play"],
        &["games", "--threads", "2"],
        &["play", "kuhn", "leduc"],
        &["play", "kuhn", "--seats", "alice=random"],
        &["completions"],
        &["completions", "tcsh"],
        &["belief"],
        &["replay"],
        &["--json"],
    ];
    for arguments in cases {
        program.refusal(arguments);
    }
    for arguments in [vec!["--help"], vec!["--version"], vec!["play", "--help"], vec!["completions", "bash"]]
    {
        assert!(!program.output(&arguments).is_empty(), "{arguments:?} prints something");
    }
}

#[test]
fn arguments_that_are_no_text_or_have_control_characters_are_refused_in_plain_text() {
    let program = program("bytes");
    let bytes = || OsString::from_vec(vec![b'k', 0xff, 0xfe]);
    let cases: Vec<Vec<OsString>> = vec![
        vec!["play".into(), bytes()],
        vec!["play".into(), "kuhn".into(), "--seat".into(), bytes()],
        vec!["play".into(), "kuhn".into(), "--seed".into(), bytes()],
        vec!["replay".into(), bytes()],
        vec!["replay".into(), "\u{1b}[2J\u{7}".into()],
        vec!["play".into(), "\u{1b}[2Jkuhn".into()],
        vec!["play".into(), "kuhn".into(), "--seat".into(), "\u{1b}]0;x\u{7}=random".into()],
        vec!["play".into(), "kuhn".into(), "--seed".into(), "1\u{1b}[2J".into()],
    ];
    for arguments in cases {
        program.refusal(&arguments);
    }
}

#[test]
fn places_that_cannot_be_written_are_refused() {
    let program = program("unwritable");
    let nowhere = program.path("no/such/folder/file.jsonl");
    let folder = program.path("");
    for place in [&nowhere, &folder] {
        assert_says(&program.refusal(&["play", "kuhn", "--seed", "1", "--record", place]), &[place]);
        assert_says(&program.refusal(&["simulate", "kuhn", "--playouts", "1", "--trace", place]), &[place]);
    }
}

#[test]
fn files_that_are_no_records_are_refused_by_name() {
    let program = program("no-records");
    let genuine = record(&program);
    let text = String::from_utf8(program.contents("kuhn.jsonl")).expect("a record is UTF-8");
    let first = text.lines().next().expect("a record has lines");
    let files: [(&str, Vec<u8>); 8] = [
        ("empty.jsonl", Vec::new()),
        ("rules.jsonl", catalogue_game("kuhn").text.into_bytes()),
        ("braces.jsonl", b"{".repeat(1 << 20)),
        ("brackets.jsonl", [b"[".repeat(1 << 20), b"\n".to_vec()].concat()),
        ("object.jsonl", b"{}\n".to_vec()),
        ("bytes.jsonl", vec![0xff; 5000]),
        ("headless.jsonl", text.as_bytes()[first.len() + 1..].to_vec()),
        ("torn.jsonl", first.as_bytes()[..first.len() / 2].to_vec()),
    ];
    for (name, contents) in files {
        let file = program.file(name, contents);
        assert_says(&program.refusal(&["replay", &file]), &[&file]);
        assert_says(&program.refusal(&["replay", &file, "--verify"]), &[&file]);
        assert_says(&program.refusal(&["belief", &file, "--role", "alice", "--turn", "0"]), &[&file]);
    }
    let missing = program.path("missing.jsonl");
    assert_says(&program.refusal(&["replay", &missing]), &[&missing]);
    for (role, turn) in
        [("carol", "0"), ("random", "0"), ("alice", "99"), ("alice", "-1"), ("alice", "x"), ("", "0")]
    {
        program.refusal(&["belief", &genuine, &format!("--role={role}"), &format!("--turn={turn}")]);
    }
    program.refusal(&["replay", &genuine, "--role", "carol"]);
    program.refusal(&["replay", &genuine, "--match", "3"]);
}

#[test]
fn nonsense_for_a_move_is_answered_with_the_moves_there_are() {
    let program = program("moves");
    let lines: [&[u8]; 8] =
        [b"nonsense", b"(", b"((((", b"", b"0", b"99999999999999999999", b"\xff\xfe\x00", b"\x1b[2J"];
    let long = [lines.join(&b'\n'), b"(".repeat(1 << 20), b"\npass\npass\n".to_vec()].concat();
    let Ended { stdout, stderr, .. } =
        program.run_with(&["play", "kuhn", "--seat", "alice=human", "--seed", "1"], long);
    assert_says(&stdout, &["nonsense", "check", "bet"]);
    let is_raw = |c: char| c.is_control() && c != '\n';
    assert!(!stdout.contains(is_raw) && !stderr.contains(is_raw), "what was typed is echoed raw: {stdout:?}");
}

#[test]
fn a_person_that_leaves_ends_the_match() {
    let program = program("leaving");
    for typed in ["", "quit\n", "pass", "no\nno\nquit\n"] {
        let ended = program.run_with(&["play", "leduc", "--seat", "bob=human", "--seed", "3"], typed);
        assert!(ended.code <= 1, "{typed:?}: {ended:?}");
    }
}

#[test]
fn what_is_asked_for_as_json_is_json() {
    let program = program("json");
    let record = record(&program);
    let commands: [&[&str]; 10] = [
        &["games", "--json"],
        &["show", "kuhn", "--json"],
        &["show", "holdem", "--json"],
        &["check", "leduc", "--json"],
        &["check", "leduc", "--strict", "--json"],
        &["play", "kuhn", "--seed", "1", "--matches", "3", "--json"],
        &["simulate", "leduc", "--playouts", "20", "--seed", "1", "--json"],
        &["replay", &record, "--json"],
        &["replay", &record, "--verify", "--json"],
        &["belief", &record, "--role", "alice", "--turn", "2", "--json"],
    ];
    for arguments in commands {
        let output = program.output(arguments);
        let parsed: Result<Value, _> = serde_json::from_str(&output);
        assert!(parsed.is_ok_and(|value| value.is_object() || value.is_array()), "{arguments:?}: {output}");
    }
    let simulated = program.output(commands[6]);
    let simulated: Value = serde_json::from_str(&simulated).expect("it is JSON");
    for key in [
        "playouts",
        "turns",
        "seconds",
        "playouts_per_second",
        "turns_per_second",
        "engine",
        "threads",
        "seed",
    ] {
        assert!(simulated.get(key).is_some(), "{key} is missing in {simulated}");
    }
    let file = program.file("broken.gdl", "(role a");
    let checked = program.run(&["check", &file, "--json"]);
    assert_eq!(checked.code, 1);
    let checked: Value = serde_json::from_str(&checked.stdout).expect("findings as JSON");
    assert!(checked["diagnostics"].as_array().is_some_and(|found| !found.is_empty()), "{checked}");
}

#[test]
fn a_belief_answers_questions_and_tells_histories() {
    let program = program("belief");
    let record = record(&program);
    let rules = "(<= (query ?c) (true (hand alice ?c)))";
    let base = ["belief", &record, "--role", "bob", "--turn", "2"];
    for method in ["exact", "particle", "auto"] {
        let asked = ["--method", method, "--histories", "5", "--query", rules, "--json"];
        let told: Value = serde_json::from_str(&program.output(&[&base[..], &asked].concat())).expect("JSON");
        // Bob holds one of three cards, and alice has either of the other two.
        let answers = told["answers"].as_array().expect("answers");
        let histories = told["likely_histories"].as_array().expect("histories");
        assert_eq!((answers.len(), histories.len()), (2, 2), "{told}");
        for likely in answers.iter().chain(histories) {
            assert!(likely["probability"].as_f64().is_some_and(|share| (share - 0.5).abs() < 1e-9), "{told}");
        }
        assert_eq!(histories[0]["moves"][0]["role"], "random");
        assert_eq!(histories[0]["moves"][0]["turn"], 0);
    }
    let shown = program.output(&[&base[..], &["--histories", "1", "--query", rules]].concat());
    assert_says(
        &shown,
        &["1 likeliest histories", "0: random (deal ", "answers to the query", "50.00 %  (query "],
    );
    let file = program.file("query.gdl", rules);
    assert_says(&program.output(&[&base[..], &["--query", &file]].concat()), &["50.00 %  (query "]);
    for (query, said) in [("(question 1)", "no rule for `query`"), ("nowhere", "nowhere")] {
        let refused = program.refusal(&[&base[..], &["--query", query]].concat());
        assert_says(&refused, &["error[no-query]", said]);
    }
}

#[test]
fn rules_go_to_the_other_syntax_and_come_back_the_same() {
    let program = program("convert");
    let kif = program.output(&["show", "leduc", "--rules=kif"]);
    let infix = program.output(&["show", "leduc", "--rules=infix"]);
    assert_says(&infix, &["legal(", ":-", "% "]);
    let file = program.file("leduc.hrf", infix);
    assert_eq!(program.output(&["convert", &file, "--to", "kif"]), kif);
    program.output(&["play", &file, "--seed", "1"]);
    program.refusal(&["convert", &file, "--to", "prolog"]);
}

#[test]
fn every_code_is_explained_and_a_near_one_is_suggested() {
    let program = program("explain");
    assert_says(
        &program.output(&["explain", "unsafe-variable"]),
        &["Found in:", "Not found in:", "Cure:", "Source:"],
    );
    assert_says(&program.refusal(&["explain", "unsafe-varable"]), &["unsafe-variable"]);
    let all: Value = serde_json::from_str(&program.output(&["explain", "--json"])).expect("it is JSON");
    let codes = all["codes"].as_array().expect("a list of codes");
    assert!(codes.len() > 50);
    for code in codes {
        let name = code["code"].as_str().expect("a code has a name");
        assert_says(&program.output(&["explain", name]), &[name, "Cure:"]);
    }
}

#[test]
fn findings_are_given_as_sarif_with_their_places() {
    let program = program("sarif");
    let file = program.file("bad.gdl", "(role a)\n(<= (legal a ?x)\n    (not (p ?x)))\n");
    let ended = program.run(&["check", &file, "--format", "sarif"]);
    assert_eq!(ended.code, 1);
    let log: Value = serde_json::from_str(&ended.stdout).expect("SARIF is JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list of results");
    let unsafe_variable = results.iter().find(|result| result["ruleId"] == "unsafe-variable");
    let region = &unsafe_variable.expect("the finding")["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&Value::from(2), &Value::from(14)));
}

#[test]
fn answers_are_given_as_sarif_with_the_lines_of_rules_that_never_apply() {
    let program = program("sarif-answers");
    let rules = "(role a)\n(init (at 0))\n(legal a go)\n(<= (next (at 1)) (true (at 0)))\n(<= (next (at 3)) (true (at 2)))\n(<= terminal (true (at 1)))\n(goal a 100)\n";
    let file = program.file("short.gdl", rules);
    let log: Value =
        serde_json::from_str(&program.output(&["analyze", &file, "--format", "sarif"])).expect("JSON");
    let results = log["runs"][0]["results"].as_array().expect("a list of results");
    let of = |name: &str| results.iter().filter(|result| result["ruleId"] == name).collect::<Vec<_>>();
    assert_eq!(of("terminates")[0]["kind"], "pass");
    // The last of what is used is rules.
    let unused = of("used").pop().expect("an answer");
    assert_eq!((&unused["kind"], &unused["level"]), (&Value::from("fail"), &Value::from("note")));
    let region = &unused["locations"][0]["physicalLocation"]["region"];
    assert_eq!((&region["startLine"], &region["startColumn"]), (&Value::from(5), &Value::from(1)));
}

#[test]
fn no_combination_of_words_makes_it_panic() {
    let program = program("combinations");
    let record = record(&program);
    let broken = program.file("broken.gdl", "(role a) (<= (legal a ?x) (foo ?x)) (<= terminal)");
    let words = [
        "games",
        "show",
        "check",
        "play",
        "simulate",
        "replay",
        "belief",
        "completions",
        "kuhn",
        "monty-hall",
        "leduc",
        "--json",
        "--seed",
        "1",
        "2",
        "--matches",
        "--playouts",
        "--threads",
        "--role",
        "alice",
        "--turn",
        "0",
        "--verify",
        "--strict",
        "--rules",
        "kif",
        "--seat",
        "alice=random",
        "bob=human",
        "candidate=belief",
        "",
        "-",
        "--",
        "--help",
        "bash",
        "(",
        "--match",
        "--top",
        &record,
        &broken,
    ];
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut below = |bound: u64| usize::try_from(rng.next_u64() % bound).expect("a small number");
    for _ in 0..250 {
        let mut arguments = vec![words[below(8)]];
        let target = match arguments[0] {
            "replay" | "belief" => record.as_str(),
            _ => words[8 + below(3)],
        };
        if below(4) > 0 {
            arguments.push(target);
        }
        arguments.extend((0..below(5)).map(|_| words[below(words.len() as u64)]));
        if arguments[0] == "simulate" {
            arguments.extend(["--playouts", "3"]);
        }
        let ended = program.run(&arguments);
        assert!(ended.code < 2 || says_code(&ended.stderr), "{arguments:?}: {ended:?}");
    }
}

#[test]
fn a_folder_stands_for_the_rules_in_it() {
    let program = program("folders");
    let folder = program.path("my-game");
    fs::create_dir(&folder).expect("a folder");
    let refused = |parts: &[&str]| assert_says(&program.refusal(&["check", &folder]), parts);
    refused(&["error[no-rules]", "croupier new FOLDER"]);
    program.output(&["new", "-o", &format!("{folder}/mine.gdl")]);
    assert_says(&program.output(&["check", &folder]), &["mine.gdl", "can be played"]);
    program.output(&["new", "-o", &format!("{folder}/other.kif")]);
    refused(&["error[several-rules]", "mine.gdl, other.kif", "name one of them"]);
    program.output(&["new", "-o", &format!("{folder}/rules.gdl")]);
    let played = program.output(&["play", &folder, "--seed", "1"]);
    assert_says(&played, &["my-game"]);
    let beside = program.refusal(&["play", &format!("{folder}/mine")]);
    assert_says(&beside, &["error[unknown-game]", "did you mean the file", "mine.gdl"]);
}

#[test]
fn a_new_game_is_written_once_and_can_be_played() {
    let program = program("new");
    let file = program.path("mine.gdl");
    program.output(&["new", "-o", &file]);
    assert_says(&program.refusal(&["new", "-o", &file]), &[&file, "--force"]);
    program.output(&["new", "-o", &file, "--force", "--from", "goofspiel", "--cards=3"]);
    program.output(&["check", "--strict", &file]);
    program.output(&["play", &file, "--seat", "alice=random", "--seat", "bob=random"]);
    let table = ["new", "--force", "-o", &file, "--from", "no-limit-holdem", "--big-blinds", "5,10,15"];
    assert_says(&program.refusal(&table), &["each of 2 players", "--big-blinds N[,N...]"]);
    program.output(&[&table[..], &["--players", "3"]].concat());
    assert_says(&program.output(&["check", "--strict", &file]), &["no errors, no warnings"]);
    // Options stand in any order.
    program.output(&["new", "--from", "goofspiel", "--cards", "3", "-o", &file, "--force"]);
    assert_says(&program.refusal(&["new", "--from", "goofspeil"]), &["did you mean 'goofspiel'"]);
    let nonsense: [(&[&str], &str); 5] = [
        (&["--card", "3"], "'--cards'"),
        (&["--cards", "99"], "--cards N from 2 to 20"),
        (&["--cards"], "--cards <N>"),
        (&["--dice", "3"], "goofspiel has no parameter 'dice'"),
        (&["--cards", "3", "--cards=4"], "cannot be used multiple times"),
    ];
    for (words, told) in nonsense {
        let arguments = [&["new", "--from", "goofspiel"][..], words].concat();
        assert_says(&program.refusal(&arguments), &[told]);
    }
}
