//! Real-time games judged by a third reading of their semantics: the stable models that clingo computes.
//!
//! `CROUPIER_PYTHON` names a Python that can import clingo; without it, `python3` is tried. Where there is none, the tests
//! say so and end. `CROUPIER_PROGRAMS` sets how many random programs are judged, `CROUPIER_SEED` the first seed.

use std::{
    collections::BTreeMap,
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

use croupier_tests::{
    corpus::workspace,
    generator::realtime::{
        course::{Position, Update, course},
        program,
    },
    oracle::{
        OracleError, Terms,
        realtime::{RealTimeOracle, State, chicken},
    },
};
use serde_json::{Value, json};

const PROGRAMS: u64 = 300;
const UPDATES: usize = 8;

fn python() -> Option<String> {
    let python = env::var("CROUPIER_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let run = Command::new(&python).args(["-c", "import clingo"]).output();
    run.is_ok_and(|run| run.status.success()).then_some(python)
}

fn number(variable: &str, otherwise: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
        Err(_) => otherwise,
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a writable folder");
    folder
}

/// What the judge says of courses, one a line.
fn judge(python: &str, name: &str, courses: &[Value]) -> Result<String, String> {
    let path = folder("real-time").join(name);
    let lines: String = courses.iter().map(|course| format!("{course}\n")).collect();
    fs::write(&path, lines).expect("a writable folder");
    let script = workspace().join("tests/rules/stable_models.py");
    let run = Command::new(python).arg(script).arg(&path).output().expect("Python was there a moment ago");
    let said = [&run.stdout, &run.stderr].map(|bytes| String::from_utf8_lossy(bytes).trim().to_owned());
    if run.status.success() { Ok(said.concat()) } else { Err(said.concat()) }
}

fn pairs(state: &State) -> Value {
    state.iter().map(|(lifetime, fluent)| json!([lifetime.to_string(), fluent])).collect()
}

fn written(name: &str, rules: &str, positions: &[Position]) -> Value {
    let positions = positions.iter().map(|Position { state, expired, view, update }| {
        let mut said = json!({
            "state": pairs(state), "expired": expired, "legal": view.legal, "goals": view.goals,
            "terminal": view.is_terminal,
        });
        if let Some(Update { elapsed, moves, consequence }) = update {
            said["update"] = json!({ "elapsed": elapsed, "moves": moves });
            if let Ok(consequence) = consequence {
                said["update"]["next"] = pairs(&consequence.successor);
                said["update"]["sees"] = json!(consequence.sees);
            }
        }
        said
    });
    json!({ "name": name, "rules": rules, "positions": positions.collect::<Vec<_>>() })
}

/// Something else in a course than what was said.
type Change = fn(&mut Value);

/// One match of chicken: each driver swerves at an instant, in microseconds, or not at all.
fn chicken_course(white: Option<u64>, black: Option<u64>) -> Value {
    let oracle = RealTimeOracle::of(chicken::PREFIX).expect("sound rules");
    let mut schedule: BTreeMap<u64, BTreeMap<String, String>> = BTreeMap::new();
    for (role, instant) in [("white", white), ("black", black)] {
        if let Some(instant) = instant {
            schedule.entry(instant).or_default().insert(role.to_owned(), "swerve".to_owned());
        }
    }
    schedule.entry(1_000_000).or_default();
    let (mut state, mut expired) = (oracle.initial_state().expect("a state"), Terms::new());
    let (mut now, mut positions) = (0, Vec::new());
    for (instant, moves) in schedule {
        let view = oracle.view(&state, &expired).expect("a view");
        let consequence = oracle.update(&state, instant - now, &moves).expect("a consequence");
        let update = Update { elapsed: instant - now, moves, consequence: Ok(consequence.clone()) };
        positions.push(Position { state, expired, view, update: Some(update) });
        (now, state, expired) = (instant, consequence.successor, consequence.expired);
    }
    let view = oracle.view(&state, &expired).expect("a view");
    assert!(view.is_terminal);
    positions.push(Position { state, expired, view, update: None });
    written(&format!("chicken {white:?} {black:?}"), chicken::PREFIX, &positions)
}

#[test]
fn the_real_time_oracle_says_what_the_stable_models_of_the_rules_say() {
    let Some(python) = python() else {
        croupier_tests::skipped("neither CROUPIER_PYTHON nor python3 can import clingo");
        return;
    };
    let instants = [None, Some(1), Some(300_000), Some(700_000), Some(999_999), Some(1_000_000)];
    let pairs = instants.iter().flat_map(|white| instants.iter().map(|black| (*white, *black)));
    let mut courses: Vec<Value> = pairs.map(|(white, black)| chicken_course(white, black)).collect();
    let first = number("CROUPIER_SEED", 0);
    for seed in first..first + number("CROUPIER_PROGRAMS", PROGRAMS) {
        let text = program(seed);
        let oracle = RealTimeOracle::of(&text).expect("safe rules");
        match course(&oracle, seed, UPDATES) {
            Ok(positions) => courses.push(written(&format!("seed {seed}"), &text, &positions)),
            Err(OracleError::Lifetime { .. }) => {}
            Err(error) => panic!("seed {seed}: {error}"),
        }
    }
    match judge(&python, "courses.jsonl", &courses) {
        Ok(said) => println!("{said}"),
        Err(said) => panic!("{said}"),
    }
}

#[test]
fn the_stable_models_notice_every_kind_of_answer_that_is_changed() {
    let Some(python) = python() else {
        croupier_tests::skipped("neither CROUPIER_PYTHON nor python3 can import clingo");
        return;
    };
    let whole = chicken_course(Some(300_000), None);
    let changes: [(&str, Change); 8] = [
        ("state", |course| course["positions"][0]["state"][2][0] = json!("1.5")),
        ("expired", |course| course["positions"][2]["expired"] = json!([])),
        ("legal", |course| course["positions"][1]["legal"]["white"] = json!(["swerve"])),
        ("goal", |course| course["positions"][2]["goals"]["black"] = json!(["90"])),
        ("terminal", |course| course["positions"][2]["terminal"] = json!(false)),
        ("next", |course| course["positions"][0]["update"]["elapsed"] = json!(300_001)),
        ("next", |course| course["positions"][0]["update"]["moves"] = json!({ "black": "swerve" })),
        ("sees", |course| course["positions"][0]["update"]["sees"]["white"] = json!(["nothing"])),
    ];
    assert!(judge(&python, "whole.jsonl", std::slice::from_ref(&whole)).is_ok());
    for (what, change) in changes {
        let mut changed = whole.clone();
        change(&mut changed);
        assert_ne!(changed, whole);
        let said = judge(&python, "changed.jsonl", &[changed]).expect_err("a change that is noticed");
        assert!(said.contains(&format!(": {what}: ")), "{what}: {said}");
    }
}
