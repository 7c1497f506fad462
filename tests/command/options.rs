//! What is the same in every command: help that fits a screen, `-o`, files that are not replaced, roles by number.

use std::process::Command;

use serde_json::Value;

use crate::program;

/// Lines of a terminal on which `--help` is read without scrolling.
const SCREEN: usize = 60;

/// The same for the command that people meet first.
const FIRST_SCREEN: usize = 50;

/// What a command prints in a terminal of 80 columns.
fn in_80_columns(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_croupier")).args(arguments).env("COLUMNS", "80").output();
    let output = output.expect("a binary that can be run");
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("help is UTF-8")
}

/// The commands that `croupier help` lists.
pub(crate) fn commands() -> Vec<String> {
    let list = in_80_columns(&["help"]);
    let indented = list.lines().filter_map(|line| line.strip_prefix("  "));
    let names = indented.filter_map(|line| line.split_whitespace().next());
    names
        .filter(|name| name.chars().all(|c| c.is_ascii_lowercase()) && *name != "croupier")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_help_of_every_command_fits_a_screen() {
    let commands = commands();
    assert!(commands.len() >= 23, "{commands:?}");
    for command in &commands {
        let help = in_80_columns(&[command, "--help"]);
        let lines = help.lines().count();
        let most = if command == "play" { FIRST_SCREEN } else { SCREEN };
        assert!(lines <= most, "{command} --help has {lines} lines:\n{help}");
        // Examples are as long as they are.
        let long: Vec<&str> = help.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{command}: {long:?}");
        assert!(help.contains(&format!("`croupier help {command}`")), "{help}");
        assert_eq!(help, in_80_columns(&[command, "-h"]));
        let whole = in_80_columns(&["help", command]);
        assert!(whole.lines().count() >= lines - 2, "{command}: help says no less than --help");
    }
    assert!(in_80_columns(&["help"]).lines().count() <= SCREEN);
}

#[test]
fn files_are_written_with_o_and_never_replaced_without_force() {
    let program = program("options-output");
    let rules = program.path("kuhn.gdl");
    program.output(&["convert", "kuhn", "--to", "kif", "-o", &rules]);
    for (name, arguments) in [
        ("record", &["play", "kuhn", "--seed", "1", "--seat", "1=random"][..]),
        ("results", &["tournament", "kuhn", "--players", "random,call", "-n", "2", "--seed", "1", "--csv"]),
        ("trace", &["simulate", "kuhn", "--playouts", "2", "--seed", "1"]),
        ("policy", &["solve", "kuhn", "-n", "2"]),
        ("evaluated", &["evaluate", "kuhn", "--player", "call"]),
        ("converted", &["convert", "kuhn", "--to", "infix"]),
        ("exported", &["export", "kuhn", "--format", "policy"]),
        ("measured", &["bench", "kuhn", "--seconds", "0.01"]),
        ("new", &["new"]),
        ("schema", &["schema", "play"]),
    ] {
        let path = program.path(name);
        // A file of results is resumed from; the table beside it is not replaced.
        let option = if name == "results" { None } else { Some("-o") };
        let all: Vec<&str> = arguments.iter().copied().chain(option).chain([path.as_str()]).collect();
        program.output(&all);
        let written = program.contents(name);
        assert!(!written.is_empty(), "{name}");
        let said = program.refusal(&all);
        assert!(said.contains("error[file-exists]") && said.contains("--force"), "{name}: {said}");
        assert_eq!(program.contents(name), written, "{name} is as it was");
        program.output(&[&all[..], &["--force"]].concat());
        // Devices hold nothing that could be lost.
        let last = all.len() - 1;
        if name != "new" {
            program.output(&[&all[..last], &["/dev/null"]].concat());
        }
    }
    let key = program.path("my.key");
    program.output(&["key", "new", "-o", &key]);
    assert!(program.refusal(&["key", "new", "-o", &key]).contains("error[file-exists]"));
}

#[test]
fn a_policy_is_written_anew_with_the_checkpoint_that_it_belongs_to() {
    let program = program("options-checkpoint");
    let (policy, checkpoint) = (program.path("p.json"), program.path("c.json"));
    let solve = |iterations| ["solve", "kuhn", "-n", iterations, "-o", &policy, "--checkpoint", &checkpoint];
    program.output(&solve("5"));
    let first = program.contents("p.json");
    program.output(&solve("50"));
    assert_ne!(program.contents("p.json"), first);
}

#[test]
fn roles_are_given_by_number_wherever_by_name() {
    let program = program("options-roles");
    let json = |arguments: &[&str]| -> Value {
        serde_json::from_str(&program.output(&[arguments, &["--json"]].concat())).expect("JSON")
    };
    let named = [
        "play",
        "leduc",
        "--seed",
        "1",
        "--seat",
        "bob=belief:iterations=20,particles=20",
        "--model",
        "alice=raise",
    ];
    let numbered = [
        "play",
        "leduc",
        "--seed",
        "1",
        "--seat",
        "2=belief:iterations=20,particles=20",
        "--model",
        "p1=raise",
    ];
    let record = program.path("m.jsonl");
    assert_eq!(
        json(&[&named[..], &["--full-sight", "Alice"]].concat()),
        json(&[&numbered[..], &["--full-sight", "1"]].concat())
    );
    let inside = [
        "play",
        "leduc",
        "--seed",
        "1",
        "--seat",
        "2=belief:iterations=20,particles=20,model.1=raise",
        "--full-sight",
        "1",
    ];
    let (by_number, by_name) = (json(&inside), json(&[&named[..], &["--full-sight", "1"]].concat()));
    assert_eq!(by_number["matches"][0]["goals"], by_name["matches"][0]["goals"]);
    program.output(&["play", "kuhn", "--seed", "1", "-o", &record]);
    for command in ["replay", "belief"] {
        let of = |role| match command {
            "replay" => vec!["replay", &record, "--role", role],
            _ => vec!["belief", &record, "--turn", "2", "--role", role],
        };
        assert_eq!(program.output(&of("bob")), program.output(&of("2")), "{command}");
        assert_eq!(json(&of("bob")), json(&of("p2")), "{command}");
    }
    for arguments in [
        &["play", "kuhn", "--seat", "alic=random"][..],
        &["play", "kuhn", "--model", "alic=random"],
        &["play", "kuhn", "--full-sight", "alic"],
        &["play", "kuhn", "--dialect", "alic=gdl2"],
        &["tournament", "kuhn", "--players", "random,belief", "--model", "alic=raise"],
        &["replay", &record, "--role", "alic"],
        &["belief", &record, "--turn", "1", "--role", "alic"],
    ] {
        let said = program.refusal(arguments);
        for part in ["error[unknown-role]", "no player 'alic'", "did you mean 'alice'?", "alice (1), bob (2)"]
        {
            assert!(said.contains(part), "{part} is missing in: {said}");
        }
    }
    assert!(program.refusal(&["replay", &record, "--role", "3"]).contains("alice (1), bob (2)"));
}

#[test]
fn completions_know_new_commands_and_options() {
    let program = program("options-completions");
    for shell in ["bash", "zsh", "fish"] {
        let script = program.output(&["completions", shell]);
        for word in ["schema", "spectators", "output", "force"] {
            assert!(script.contains(word), "{word} is missing for {shell}");
        }
    }
}
