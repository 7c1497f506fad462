//! Traces judged by a third reading of the semantics: stable models, as clingo computes them.
//!
//! `CROUPIER_ORACLE` names the script; without it, one beside the folder of other people's games is
//! used if it is there. Where there is no script, or Python has no `clingo`, the test says so and ends.

use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

use croupier_tests::{
    corpus::{catalogue, shared, workspace},
    size,
};

use crate::program;

/// Other people's games that are quick to judge, and playouts of each.
const QUICK: &[(&str, &str, &str)] = &[
    ("gdl2", "meier", "3"),
    ("gdl2", "montyHall", "10"),
    ("gdl2", "kriegTicTacToe", "2"),
    ("gdl2", "transit", "2"),
    ("gdl", "2pttc", "1"),
    ("gdl", "connectFour", "1"),
];

/// Games of this project with hundreds of turns, a thousand legal moves or large numbers: one playout is enough.
const LONG: &[&str] = &[
    "amazons",
    "chess",
    "goofspiel-13",
    "mastermind-4x6",
    "no-limit-holdem-3",
    "no-limit-holdem-4",
    "no-limit-holdem-6",
    "pig",
];

/// Games that are too slow for the other oracle, and take minutes here: only with `CROUPIER_SLOW=1`.
const SLOW: &[(&str, &str, &str)] = &[
    ("gdl", "chess", "1"),
    ("gdl", "gt_two_thirds_4p", "1"),
    ("gdl", "hitori", "1"),
    ("gdl", "linesOfAction", "1"),
    ("gdl", "merrills", "1"),
    ("gdl", "mummymaze1p", "1"),
    ("gdl", "quad", "1"),
];

fn script() -> Option<PathBuf> {
    let beside = || workspace().join("../shared/tools/gdl_oracle.py");
    let script = env::var_os("CROUPIER_ORACLE").map_or_else(beside, PathBuf::from);
    let has_clingo = || {
        Command::new("python3").args(["-c", "import clingo"]).output().is_ok_and(|run| run.status.success())
    };
    (script.is_file() && has_clingo()).then_some(script)
}

fn judge(script: &Path, rules: &Path, trace: &str) -> Result<String, String> {
    let output = Command::new("python3").arg(script).arg("verify").arg(rules).arg(trace).output();
    let output = output.expect("Python was there a moment ago");
    let said =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(said) } else { Err(said) }
}

#[test]
fn traces_agree_with_the_stable_models_of_the_rules() {
    let Some(script) = script() else {
        croupier_tests::skipped("no script is named by CROUPIER_ORACLE, or python3 cannot import clingo");
        return;
    };
    let program = program("stable-models");
    let playouts = |name: &str| if LONG.contains(&name) { "1" } else { "3" };
    let own = catalogue().into_iter().map(|game| {
        let playouts = playouts(&game.name);
        (game, playouts)
    });
    let slow = size(&[][..], SLOW);
    let others = QUICK.iter().chain(slow).filter_map(|(folder, name, playouts)| {
        shared(folder).into_iter().find(|file| file.name == *name).map(|file| (file, *playouts))
    });
    let mut failures = Vec::new();
    for (game, playouts) in own.chain(others) {
        let trace = program.path(&game.name);
        let path = game.path.to_str().expect("a path in UTF-8");
        program.output(&[
            "simulate",
            path,
            "--playouts",
            playouts,
            "--seed",
            "11",
            "--force",
            "--trace",
            &trace,
        ]);
        match judge(&script, &game.path, &trace) {
            Ok(said) => println!("{}: {}", game.name, said.trim()),
            Err(said) => failures.push(format!("{}: {said}", game.name)),
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Members of families that no game of the catalogue is: chips of every depth, and the dice of several.
const MEMBERS: &[(&str, &str)] = &[
    ("no-limit-holdem", "--players 2 --stacks 6,3 --bets all"),
    ("no-limit-holdem", "--players 3 --stacks 3,7,5 --small-blind 1 --big-blind 3 --bets all"),
    ("no-limit-holdem", "--players 4 --stacks 8,2,6,1 --bets fractions"),
    ("liars-dice", "--players 3 --dice 2,1,1 --stake die"),
];

/// Words of the language, which mean something: all others are names.
const KEYWORDS: &[&str] = &[
    "role", "init", "true", "next", "legal", "does", "goal", "terminal", "sees", "random", "distinct", "not",
    "or", "base", "input", "<=",
];

/// The rules with every name changed: whatever knows a game by its names knows this one no more.
fn renamed(rules: &str) -> String {
    let lines = rules.lines().map(|line| line.split(';').next().unwrap_or_default());
    let mut text = String::new();
    for line in lines {
        let mut word = String::new();
        for char in line.chars().chain(['\n']) {
            if !char.is_whitespace() && char != '(' && char != ')' {
                word.push(char);
                continue;
            }
            let is_name = !word.is_empty() && !word.starts_with('?') && word.parse::<u32>().is_err();
            if is_name && !KEYWORDS.contains(&&*word) {
                word.push_str("_x");
            }
            text.push_str(&std::mem::take(&mut word));
            text.push(char);
        }
    }
    text
}

#[test]
fn members_of_families_agree_with_the_stable_models_of_their_rules_whatever_their_names() {
    let Some(script) = script() else {
        croupier_tests::skipped("no script is named by CROUPIER_ORACLE, or python3 cannot import clingo");
        return;
    };
    let program = program("stable-members");
    for (number, (family, options)) in MEMBERS.iter().enumerate() {
        let path = program.path(&format!("{number}.gdl"));
        let options: Vec<&str> = options.split(' ').collect();
        program.output(&[&["new", "--from", family, "--force", "--output", &path][..], &options].concat());
        let other = program.path(&format!("{number}-renamed.gdl"));
        let rules = std::fs::read_to_string(&path).expect("it was written");
        std::fs::write(&other, renamed(&rules)).expect("a folder of the test");
        for rules in [path, other] {
            let trace = format!("{rules}.jsonl");
            let simulate =
                ["simulate", &rules, "--playouts", "3", "--seed", "11", "--force", "--trace", &trace];
            program.output(&simulate);
            let said = judge(&script, Path::new(&rules), &trace);
            assert!(said.is_ok(), "{family} {options:?}: {said:?}");
        }
    }
}
