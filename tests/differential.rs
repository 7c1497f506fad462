//! The engine against the oracle on every game there is: random walks, with legal moves, terminal,
//! goals, percepts and successors compared as sets in every state.
//!
//! `CROUPIER_GAME` names the one game to compare, `CROUPIER_SEED` the seed.

use std::{
    env,
    panic::{AssertUnwindSafe, catch_unwind},
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

use croupier_engine::{CompileError, Game, Options, Severity};
use croupier_tests::{
    comparison::{Coverage, Plan, compare},
    corpus::{self, RuleFile},
};

/// Other people's games for which the oracle needs more than its effort already for the first state.
const TOO_SLOW_FOR_THE_ORACLE: &[&str] = &[];

fn seed() -> u64 {
    env::var("CROUPIER_SEED").map_or(2_026, |text| text.parse().expect("CROUPIER_SEED is a number"))
}

fn chosen(files: Vec<RuleFile>) -> Vec<RuleFile> {
    let Ok(name) = env::var("CROUPIER_GAME") else { return files };
    files.into_iter().filter(|file| file.name == name).collect()
}

/// Compares on every file; a panic is one more failure. The answer is in the order of the files.
fn compare_all(files: &[RuleFile], plan: &Plan) -> Vec<Result<Coverage, String>> {
    let next = AtomicUsize::new(0);
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get());
    let work = || {
        let mut done = Vec::new();
        while let Some((index, file)) = files.iter().enumerate().nth(next.fetch_add(1, Ordering::Relaxed)) {
            let result = catch_unwind(AssertUnwindSafe(|| compare(&file.text, plan)));
            done.push((index, result.unwrap_or_else(|_| Err("a panic, printed above".to_owned()))));
        }
        done
    };
    let mut results: Vec<_> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker that ends")).collect()
    });
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Fails with every difference; else a summary to print.
fn judge(files: &[RuleFile], plan: &Plan) -> String {
    let results = compare_all(files, plan);
    let mut failures = Vec::new();
    let mut total = Coverage::default();
    let mut cut_short = Vec::new();
    for (file, result) in files.iter().zip(results) {
        match result {
            Ok(coverage) => {
                if coverage.states == 0 && !TOO_SLOW_FOR_THE_ORACLE.contains(&file.name.as_str()) {
                    failures.push(format!("{}: not one state was compared", file.name));
                }
                if coverage.is_cut_short {
                    cut_short.push(format!("{} ({} turns)", file.name, coverage.turns));
                }
                total.states += coverage.states;
                total.turns += coverage.turns;
                total.ends += coverage.ends;
                total.terms += coverage.terms;
            }
            Err(failure) => {
                let run = format!("CROUPIER_GAME={} CROUPIER_SEED={}", file.name, plan.seed);
                let run = format!("{run} cargo test -p croupier-tests --test differential");
                failures.push(format!("{}: {failure}\n    rerun with: {run}", file.path.display()));
            }
        }
    }
    assert!(failures.is_empty(), "{} of {} games:\n  {}", failures.len(), files.len(), failures.join("\n  "));
    let Coverage { states, turns, ends, terms, .. } = total;
    let sizes = format!("{states} states, {turns} turns, {ends} ends, {terms} terms");
    format!("{} games, {sizes}; cut short: {}", files.len(), cut_short.join(", "))
}

#[test]
fn the_catalogue_plays_as_the_oracle_says() {
    let files = chosen(corpus::catalogue());
    let plan = Plan { seed: seed(), walks: 20, turns: 200, effort: 30_000_000 };
    println!("{}", judge(&files, &plan));
}

#[test]
fn games_with_percepts_play_as_the_oracle_says() {
    let files = chosen(corpus::shared("gdl2"));
    let files: Vec<_> = files.into_iter().filter(|file| !file.name.contains("_unsafe")).collect();
    let plan = Plan { seed: seed(), walks: 10, turns: 100, effort: 20_000_000 };
    println!("{}", skipped(&files).unwrap_or_else(|| judge(&files, &plan)));
}

#[test]
fn games_of_full_sight_play_as_the_oracle_says() {
    let files = chosen(corpus::shared("gdl"));
    let plan = Plan { seed: seed(), walks: 4, turns: 60, effort: 6_000_000 };
    println!("{}", skipped(&files).unwrap_or_else(|| judge(&files, &plan)));
}

#[test]
fn unsafe_rules_are_refused_with_the_place() {
    let files = chosen(corpus::shared("gdl2"));
    for file in files.iter().filter(|file| file.name.contains("_unsafe")) {
        let Err(CompileError::Rules(diagnostics)) = Game::compile(&file.text, &Options::PLAY) else {
            panic!("{} was not refused", file.name);
        };
        let found = diagnostics.iter().find(|found| found.code == "unsafe-variable");
        let found = found.unwrap_or_else(|| panic!("{}: {diagnostics:?}", file.name));
        assert_eq!(found.severity, Severity::Error);
        let variable = &file.text[found.span.range()];
        assert!(variable.starts_with('?') || variable.starts_with('('), "{}: at {variable:?}", file.name);
    }
    println!("{}", skipped(&files).unwrap_or_default());
}

fn skipped(files: &[RuleFile]) -> Option<String> {
    files.is_empty().then(|| "skipped: the folder of other people's games is not beside this one".to_owned())
}
