//! `croupier bench`: what it prints has every figure, and nothing in it is impossible.

use std::{fs, process::Command};

use serde_json::Value;

use crate::program;

fn number(object: &Value, key: &str) -> f64 {
    object[key].as_f64().unwrap_or_else(|| panic!("{key} is no number in {object}"))
}

/// Best and median of a rate.
fn rate(object: &Value, key: &str) -> [f64; 2] {
    let [best, median] = ["best", "median"].map(|which| number(&object[key], which));
    assert!(best >= median && median > 0.0, "{key}: {best} and {median}");
    [best, median]
}

#[test]
fn every_figure_of_a_game_is_there_and_they_fit_together() {
    let printed =
        program("bench-json").output(&["bench", "tic-tac-toe", "kuhn", "--seconds", "0.05", "--json"]);
    let report: Value = serde_json::from_str(&printed).expect("JSON");
    assert!(number(&report["machine"], "gate_lanes_per_second_limit") > 0.0);
    assert!(report["comparisons"].is_null(), "nobody asked for peers");
    let games = report["games"].as_array().expect("games");
    let names: Vec<&str> = games.iter().filter_map(|game| game["game"].as_str()).collect();
    assert_eq!(names, ["tic-tac-toe", "kuhn"]);
    for game in games {
        rate(game, "lifted_playouts_per_second");
        let network = &game["network"];
        let [playouts, _] = rate(network, "playouts_per_second");
        let [turns, _] = rate(network, "turns_per_second");
        let length = number(network, "turns_per_playout");
        assert!((turns / playouts - length).abs() < 1e-6 * length, "turns are playouts times their length");
        assert!(length > 2.0 && length < 10.0, "{length} turns");
        rate(network, "gate_lanes_per_second");
        rate(network, "tape_gate_lanes_per_second");
        assert!(number(network, "tape_bytes") >= number(network, "ops_per_turn"));
    }
    // 64.84 by full enumeration; a thousand playouts and more have a standard error of 1.4 at most.
    let mean = number(&games[0]["network"]["mean_goals"], "x");
    assert!((mean - 64.84).abs() < 8.0, "x gets {mean}");
}

#[test]
fn a_page_has_its_tables_and_plots() {
    let program = program("bench-page");
    let folder = program.path("plots");
    let page = program.output(&["bench", "tic-tac-toe", "--seconds", "0.01", "--markdown", "--svg", &folder]);
    for part in ["# Benchmarks", "| tic-tac-toe |", "](lanes.svg)", "](gates.svg)", "](threads.svg)"] {
        assert!(page.contains(part), "{part} is missing in: {page}");
    }
    for name in ["lanes.svg", "gates.svg", "threads.svg"] {
        let plot = fs::read_to_string(format!("{folder}/{name}")).expect("a plot");
        assert!(plot.starts_with("<svg") && plot.contains("tic-tac-toe") && !plot.contains("NaN"), "{name}");
    }
}

#[test]
fn nonsense_is_refused_before_anything_takes_long() {
    let program = program("bench-refusals");
    for (arguments, part) in [
        (["bench", "khun", "--seconds", "600"], "kuhn"),
        (["bench", "kuhn", "--seconds", "0"], "from 0.001 to 600"),
        (["bench", "kuhn", "--seconds", "soon"], "a number of seconds"),
        (["bench", "kuhn", "--peers-dir", "x"], "--peers"),
        (["bench", "kuhn", "--yes", "--peers-dir=x"], "--peers"),
    ] {
        let said = program.refusal(&arguments);
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
}

#[test]
fn a_missing_python_is_said_with_advice_and_the_rest_is_printed() {
    let program = program("bench-no-python");
    let ended = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["bench", "kuhn", "--seconds", "0.01", "--peers", "--yes", "--peers-dir"])
        .arg(program.path("peers"))
        .env("PYTHON", program.path("no-such-python"))
        .output()
        .expect("a binary that can be run");
    let (stdout, stderr) = (String::from_utf8_lossy(&ended.stdout), String::from_utf8_lossy(&ended.stderr));
    assert!(ended.status.success(), "{stderr}");
    for part in ["error[no-python]", "PYTHON"] {
        assert!(stderr.contains(part), "{part} is missing in: {stderr}");
    }
    assert!(stdout.contains("OpenSpiel is missing"), "{stdout}");
}

#[test]
fn nothing_is_downloaded_without_a_yes() {
    let program = program("bench-unasked");
    let said = program.refusal(&["bench", "kuhn", "--peers", "--peers-dir", &program.path("peers")]);
    for part in ["error[not-confirmed]", "half a gigabyte", "OpenSpiel and Pgx", "--yes"] {
        assert!(said.contains(part), "{part} is missing in: {said}");
    }
    assert!(!std::path::Path::new(&program.path("peers")).exists(), "nothing was made");
}

#[cfg(target_os = "linux")]
#[test]
fn a_signal_ends_an_installation_and_keeps_what_was_measured() {
    use std::{fs, os::unix::fs::PermissionsExt as _, path::Path, process::Stdio, thread, time::Duration};

    let program = program("bench-interrupted");
    let pid = program.path("pid");
    let python = program
        .file("python", format!("#!/bin/sh\necho $$ > {pid}.new\nmv {pid}.new {pid}\nexec sleep 600\n"));
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).expect("a file of this test");
    let process = Command::new(env!("CARGO_BIN_EXE_croupier"))
        .args(["bench", "kuhn", "--seconds", "0.01", "--peers", "--yes", "--json", "--peers-dir"])
        .arg(program.path("peers"))
        .env("PYTHON", &python)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("a binary that can be run");
    while !Path::new(&pid).exists() {
        thread::sleep(Duration::from_millis(20));
    }
    let killed = Command::new("kill").args(["-INT", &process.id().to_string()]).status().expect("kill");
    assert!(killed.success());
    let ended = process.wait_with_output().expect("a child of this process");
    assert_eq!(ended.status.code(), Some(130), "{}", String::from_utf8_lossy(&ended.stderr));
    let report: serde_json::Value =
        serde_json::from_slice(&ended.stdout).expect("what was measured is printed");
    assert_eq!((&report["interrupted"], &report["games"][0]["game"]), (&true.into(), &"kuhn".into()));
    let child = program.contents("pid");
    let child = String::from_utf8(child).expect("a number");
    assert!(!Path::new(&format!("/proc/{}", child.trim())).exists(), "the installation runs on");
}
