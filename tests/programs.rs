//! The engine against the oracle on thousands of random programs.
//!
//! `CROUPIER_PROGRAMS` sets how many, `CROUPIER_SEED` the first seed.

use std::{env, thread};

use croupier_engine::{Game, GameError, Options, game::Backend};
use croupier_tests::{
    comparison::{Coverage, Plan, compare, compare_texts},
    program::Program,
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const PROGRAMS: u64 = 2_500;

fn number(variable: &str, otherwise: u64) -> u64 {
    match env::var(variable) {
        Ok(text) => text.parse().unwrap_or_else(|_| panic!("{variable}={text} is not a number")),
        Err(_) => otherwise,
    }
}

const PLAN: Plan = Plan { seed: 1, walks: 2, turns: 3, effort: 1_000_000 };

fn check(program: &Program) -> Result<Coverage, String> {
    compare(&program.to_string(), &PLAN)
}

/// What kind of failure it is, so that shrinking does not turn one into another.
fn kind(failure: &str) -> &str {
    let message = failure.split_once("turn ").map_or(failure, |(_, rest)| rest);
    let words = message.trim_start_matches(|c: char| c.is_numeric() || c == ':' || c == ' ');
    words.split([':', '(']).next().unwrap_or(words)
}

fn report(seed: u64, failure: &str) -> String {
    let program = Program::random(seed);
    let is_same = |program: &Program| check(program).is_err_and(|other| kind(&other) == kind(failure));
    let smallest = program.shrunk(is_same);
    let failure = check(&smallest).expect_err("shrinking keeps the failure");
    let rerun =
        format!("CROUPIER_SEED={seed} CROUPIER_PROGRAMS=1 cargo test -p croupier-tests --test programs");
    format!("{failure}\n{smallest}rerun with: {rerun}")
}

#[test]
fn random_programs_mean_the_same_to_engine_and_oracle() {
    let (first, count) = (number("CROUPIER_SEED", 0), number("CROUPIER_PROGRAMS", PROGRAMS));
    let threads = thread::available_parallelism().map_or(1, |threads| threads.get() as u64);
    let results = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|worker| {
                let seeds = (first..first + count).filter(move |seed| seed % threads == worker);
                scope.spawn(move || {
                    seeds.map(|seed| (seed, check(&Program::random(seed)))).collect::<Vec<_>>()
                })
            })
            .collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("a worker that ends")).collect::<Vec<_>>()
    });
    let failures: Vec<_> =
        results.iter().filter_map(|(seed, result)| Some((*seed, result.as_ref().err()?))).collect();
    if let Some((seed, failure)) = failures.first() {
        panic!("{} of {count} programs differ, the first: {}", failures.len(), report(*seed, failure));
    }
    let compared =
        results.iter().filter_map(|(_, result)| result.as_ref().ok()).filter(|coverage| coverage.states > 1);
    let terms: Vec<_> = compared.map(|coverage| coverage.terms / coverage.states).collect();
    let telling = terms.iter().filter(|&&terms| terms >= 8).count();
    println!("{count} programs, {} compared, {telling} with at least 8 terms a state", terms.len());
    if count >= PROGRAMS {
        assert!(telling * 2 > results.len(), "most programs say something: {telling} of {count}");
    }
}

/// A positive control: were a clause or literal lost on the way, some comparison would fail.
#[test]
fn a_lost_clause_or_literal_is_noticed() {
    let (mut tried, mut noticed) = (0, 0);
    for seed in 0..40 {
        let program = Program::random(seed);
        for smaller in program.smaller().iter().step_by(11).filter(|smaller| check(smaller).is_ok()) {
            tried += 1;
            let difference =
                compare_texts(&program.to_string(), &smaller.to_string(), &PLAN, Backend::Datalog);
            noticed += usize::from(difference.is_err());
        }
    }
    println!("{noticed} of {tried} losses were noticed");
    assert!(noticed * 4 > tried, "only {noticed} of {tried} losses were noticed");
}

/// Found by seed 2215: as a tree the term has 2^n symbols after n turns, though it is one more function deep.
#[test]
fn a_term_that_doubles_every_turn_is_refused_by_a_limit() {
    let rules = "(role a) (legal a noop) (goal a 0) (init (p c)) (<= terminal (true over))
        (<= (next (p (g ?x ?x))) (true (p ?x)))";
    let game = Game::compile(rules, &Options::PLAY).expect("the rules are sound").game;
    let mut scratch = game.scratch();
    let mut rng = ChaCha8Rng::seed_from_u64(0);
    let ended = game.playout(game.initial_state(), &mut rng, &mut scratch);
    assert!(matches!(ended, Err(GameError::Limit { .. })), "{ended:?}");
}
