//! Somebody writes a game: `new`, `check` of a folder, `explain`, and what is said of slips.

use std::fs;

use croupier_games::{ParameterKind, catalogue, families};
use serde_json::Value;

use crate::program;

#[track_caller]
fn assert_says(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn new_writes_rules_and_words_that_check_clean_and_can_be_played() {
    let program = program("new-folder");
    let folder = program.path("my-game");
    assert_says(&program.output(&["new", &folder]), &["rules.gdl", "game.toml", "croupier check"]);
    assert_says(&program.output(&["check", "--strict", &folder]), &["can be played; no errors, no warnings"]);
    let played = program.output(&["play", &folder, "--seat", "player=random", "--seed", "1"]);
    assert_says(&played, &["Covered coin", "The coin: lands on", "You: "]);
    assert_says(&program.refusal(&["new", &folder]), &["error[file-exists]", "--force"]);
    program.output(&["new", &folder, "--force", "--from", "goofspiel", "--cards", "4"]);
    let rules = fs::read_to_string(format!("{folder}/rules.gdl")).expect("it was written");
    assert!(!rules.contains("wait"), "the move of whoever has nothing to do is called noop");
    assert_says(&program.refusal(&["new", "-o", &folder]), &["it is a folder", "croupier new"]);
}

#[test]
fn games_of_every_family_come_with_words_that_fit_their_rules() {
    let program = program("new-families");
    let fits = |name: &str, options: &[&str]| {
        let folder = program.path(&format!("{name}{}", options.concat().replace([',', '='], "-")));
        program.output(&[&["new", &folder, "--from", name], options].concat());
        let checked = program.output(&["check", &folder, "--playouts", "0", "--json"]);
        let checked: Value = serde_json::from_str(&checked).expect("it is JSON");
        assert_eq!(checked["diagnostics"], serde_json::json!([]), "{name} {options:?}");
        assert!(checked["facts_file"].as_str().is_some_and(|path| path.ends_with("game.toml")));
    };
    for family in families() {
        let parameter = family.parameters[0];
        let other = match parameter.kind {
            ParameterKind::Number { range, standard: Some(standard), .. } => {
                (standard + 1).min(range.1).to_string()
            }
            ParameterKind::Number { .. } => panic!("{} begins with a number that has a default", family.name),
            ParameterKind::Word(choices) => choices[choices.len() - 1].to_owned(),
        };
        fits(family.name, &[&format!("--{}={other}", parameter.name)]);
        let help = program.output(&["new", "--from", family.name, "--help"]);
        for parameter in family.parameters {
            assert_says(&help, &[&format!("--{} ", parameter.name), parameter.meaning, "[default: "]);
        }
    }
    // Rules and words of members that no game of the catalogue is like.
    for options in [
        &["--players=2", "--stacks=40,1", "--bets=all"][..],
        &["--players=3", "--stacks=7", "--big-blind=10", "--small-blind=5"],
        &["--players=9", "--big-blinds=100", "--bets=all"],
    ] {
        fits("no-limit-holdem", options);
    }
    fits("dark-hex", &["--size=4", "--variant=abrupt"]);
    for options in [&["--stake=die"][..], &["--players=6", "--dice=1,0,2,3,0,6"], &["--dice=2,1"]] {
        fits("liars-dice", options);
    }
    let list = program.output(&["new", "--list"]);
    assert!(families().iter().all(|family| list.contains(family.name)), "{list}");
    assert_says(&program.output(&["new", "--help"]), &["Usage: croupier new", "--list", "goofspiel"]);
}

#[test]
fn a_slip_in_game_toml_is_a_finding_with_its_file_in_every_format() {
    let program = program("facts");
    let folder = program.path("game");
    program.output(&["new", &folder]);
    let facts = format!("{folder}/game.toml");
    let written = fs::read_to_string(&facts).expect("it was written");
    fs::write(&facts, written.replace("\"(throw ?s)\"", "\"(thorw ?s)\"")).expect("a writable folder");
    // The folder, the rules and the words are one game.
    for path in [folder.clone(), format!("{folder}/rules.gdl"), facts.clone()] {
        let checked = program.output(&["check", &path]);
        assert_says(
            &checked,
            &[
                "warning[unmatched-pattern]",
                "game.toml:",
                "did you mean `(throw ?s)`?",
                "can be played; 1 warning",
            ],
        );
    }
    let json: Value =
        serde_json::from_str(&program.output(&["check", &folder, "--json"])).expect("it is JSON");
    let found = &json["diagnostics"][0];
    assert_eq!((&found["code"], &json["warnings"]), (&"unmatched-pattern".into(), &1.into()));
    assert_eq!(found["file"], facts.as_str());
    let line = 1 + written.lines().position(|line| line.starts_with("\"(throw")).expect("it is there");
    assert_eq!((&found["place"]["line"], &found["place"]["column"]), (&line.into(), &2.into()));
    let sarif: Value =
        serde_json::from_str(&program.output(&["check", &folder, "--format", "sarif"])).expect("it is JSON");
    let run = &sarif["runs"][0];
    let uri = &run["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert!(uri.as_str().is_some_and(|uri| uri.ends_with("game.toml")), "{uri}");
    assert_eq!(run["artifacts"].as_array().map(Vec::len), Some(2));
    assert_says(
        &program.output(&["explain", "unmatched-pattern"]),
        &["Found in:", "Beside the rules:", "(shwo ?card)"],
    );
}

#[test]
fn a_game_toml_that_is_refused_is_shown_with_line_and_column() {
    let program = program("facts-refused");
    let folder = program.path("game");
    program.output(&["new", &folder]);
    let facts = format!("{folder}/game.toml");
    let written = fs::read_to_string(&facts).expect("it was written");
    let cases = [
        ("[moves]", "[mvoes]", "did you mean `moves`?"),
        ("say {s}", "say {t}", "has no ?t"),
        ("asked = \"you have peeked\"", "(asked) = \"you have peeked\"", "in quotes"),
    ];
    for (right, wrong, told) in cases {
        fs::write(&facts, written.replace(right, wrong)).expect("a writable folder");
        let checked = program.run(&["check", &folder]);
        assert_eq!(checked.code, 1, "{}", checked.stdout);
        assert_says(&checked.stdout, &["error[bad-facts]", "game.toml:", told, "cannot be played"]);
        let played = program.refusal(&["play", &folder, "--seat", "player=random"]);
        assert_says(&played, &["error[bad-facts]", "game.toml:", "fix the file"]);
    }
}

#[test]
fn every_bundled_game_has_words_that_fit_its_rules() {
    // The findings themselves are compared where they are made, for all games; here is that `check` shows them.
    let program = program("facts-catalogue");
    for entry in
        catalogue().iter().filter(|entry| ["kuhn", "tic-tac-toe", "hearts-small"].contains(&entry.name))
    {
        let checked = program.output(&["check", entry.name, "--strict"]);
        assert_says(&checked, &["can be played; no errors, no warnings"]);
    }
}

#[test]
fn half_written_rules_show_what_is_missing_and_the_verdict_last() {
    let program = program("half");
    let players = "(role alice) (role bob) (role random) (card jack) (card queen) (higher queen jack) (opponent alice bob)";
    let file = program.file("half.gdl", players);
    let checked = program.run(&["check", &file]);
    assert_eq!(checked.code, 1);
    let lines: Vec<&str> = checked.stdout.lines().collect();
    assert!(lines.len() < 60, "{}", checked.stdout);
    assert!(!checked.stdout.contains("unused-relation"), "{}", checked.stdout);
    let verdict = lines[lines.len() - 2];
    assert_says(verdict, &["cannot be played", "alice no legal move", " hidden; --all shows them)"]);
    let all = program.run(&["check", &file, "--all"]);
    assert_says(&all.stdout, &["unused-relation"]);
    assert!(!all.stdout.contains("--all"), "{}", all.stdout);
}

#[test]
fn errors_come_before_warnings() {
    let program = program("order");
    let rules = "(role alice) (card king) (init ready)\n(<= (legal alice (show ?card)) (card ?crad))\n(<= terminal (true done)) (goal alice 1)";
    let checked = program.run(&["check", &program.file("order.gdl", rules)]);
    let place =
        |code: &str| checked.stdout.find(code).unwrap_or_else(|| panic!("{code}: {}", checked.stdout));
    assert!(place("error[unsafe-variable]") < place("warning[undefined-fluent]"), "{}", checked.stdout);
    assert_says(&checked.stdout, &["did you mean ?crad?"]);
}

#[test]
fn records_of_a_game_of_ones_own_keep_their_words_and_carry_no_path() {
    let program = program("own-words");
    let folder = program.path("my-game");
    program.output(&["new", &folder]);
    let record = program.path("matches.jsonl");
    let play = ["play", &folder, "--seat", "player=random", "--seed", "7", "--record", &record];
    program.output(&play);
    // Beside the folder that has the name of the game, and inside it.
    let inside = format!("{folder}/matches.jsonl");
    fs::copy(&record, &inside).expect("a writable folder");
    for path in [&record, &inside] {
        assert_says(&program.output(&["replay", path]), &["match 1 of Covered coin", "The coin: lands on"]);
    }
    let belief = program.output(&["belief", &record, "--role", "player", "--turn", "1"]);
    assert_says(&belief, &["the coin shows"]);
    let bytes = fs::read_to_string(&record).expect("it was written");
    assert!(!bytes.contains(&program.path("")), "a record is the same on every machine");
    // Changed rules are another game, and other words are for whoever asks for them.
    let rules = format!("{folder}/rules.gdl");
    let written = fs::read_to_string(&rules).expect("it was written");
    fs::write(&rules, format!("{written}\n; changed\n")).expect("a writable folder");
    let replayed = program.output(&["replay", &record]);
    assert!(!replayed.contains("The coin"), "{replayed}");
    for words in [folder.clone(), format!("{folder}/game.toml"), rules] {
        assert_says(&program.output(&["replay", &record, "--words", &words]), &["The coin: lands on"]);
    }
    assert_says(&program.refusal(&["replay", &record, "--words", &record]), &["error[bad-facts]"]);
}
