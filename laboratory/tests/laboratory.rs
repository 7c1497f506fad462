//! The laboratory from outside: what it prints and writes has every figure, whatever is installed.

use std::{
    env::consts::EXE_SUFFIX,
    fs,
    path::Path,
    process::{Command, Output},
};

use croupier_tests::skipped;
use serde_json::Value;

const LABORATORY: &str = env!("CARGO_BIN_EXE_croupier-laboratory");

/// Runs it with the program that was built beside it, where no peer is installed.
fn run(arguments: &[&str]) -> Output {
    let croupier = Path::new(LABORATORY).with_file_name(format!("croupier{EXE_SUFFIX}"));
    let mut command = Command::new(LABORATORY);
    command.args(arguments).args(["--seconds", "0.01"]).current_dir(env!("CARGO_TARGET_TMPDIR"));
    command.env("CROUPIER", croupier).env("CROUPIER_PEERS", "no-such-folder");
    command.output().expect("a binary that can be run")
}

fn printed(arguments: &[&str]) -> String {
    let ended = run(arguments);
    assert!(ended.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&ended.stderr));
    String::from_utf8(ended.stdout).expect("UTF-8")
}

#[test]
fn a_page_has_its_tables_and_plots_and_says_what_is_missing() {
    if !Path::new(LABORATORY).with_file_name(format!("croupier{EXE_SUFFIX}")).is_file() {
        return skipped("croupier was not built beside the laboratory: cargo test --workspace builds it");
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("page");
    printed(&["page", "tic-tac-toe", "kuhn", "--folder", folder.to_str().expect("UTF-8")]);
    let read = |name: &str| fs::read_to_string(folder.join(name)).expect("a file that was written");
    let page = read("benchmarks.md");
    for part in
        ["# Benchmarks", "| tic-tac-toe | 0.0", "gate-lanes/s.\n", "| Sancho | tic-tac-toe |", "](lanes.svg)"]
    {
        assert!(page.contains(part), "{part} is missing in: {page}");
    }
    for peer in ["OpenSpiel", "Pgx"] {
        assert!(
            page.contains(&format!("- {peer} has no figure for tic-tac-toe, kuhn: `laboratory/install`")),
            "{page}"
        );
    }
    for name in ["lanes.svg", "gates.svg", "threads.svg"] {
        let plot = read(name);
        assert!(plot.starts_with("<svg") && plot.contains("tic-tac-toe") && !plot.contains("NaN"), "{name}");
    }
}

#[test]
fn experiments_print_tables_and_json_of_bundled_games_and_of_files() {
    let file = croupier_tests::corpus::workspace().join("games-ii/kuhn/rules.gdl");
    let games = ["limit", "tic-tac-toe", file.to_str().expect("UTF-8"), "--json"];
    let found: Value = serde_json::from_str(&printed(&games)).expect("JSON");
    let limit = found["machine"]["gate_lanes_per_second"].as_f64().expect("a rate");
    for (place, name) in ["tic-tac-toe", "rules"].iter().enumerate() {
        let game = &found["games"][place];
        assert_eq!(game["game"], *name);
        let rate = game["gate_lanes_per_second"].as_f64().expect("a rate");
        assert!(limit > 0.0 && rate > 0.0, "{found}");
    }
    let sweep = printed(&["sweep", "kuhn"]);
    for head in ["| game | 1 | 64 | 512 |", "| game | 1 |"] {
        assert!(sweep.contains(head), "{head} is missing in: {sweep}");
    }
}

#[test]
fn a_game_that_is_not_there_is_named() {
    let ended = run(&["limit", "khun"]);
    assert!(!ended.status.success() && String::from_utf8_lossy(&ended.stderr).contains("khun: "));
}
