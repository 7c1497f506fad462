//! Random real-time games are games, and what they are for happens in them.

use std::collections::BTreeMap;

use croupier_engine::{
    Limits,
    stages::syntax::{Syntax, read},
};

use super::{
    course::{Position, Update, course},
    program,
};
use crate::oracle::{
    OracleError,
    realtime::{Lifetime, RealTimeOracle},
};

const PROGRAMS: u64 = 400;
const UPDATES: usize = 8;

/// Programs that are refused for a wrong lifetime at the start or later: some, so that this is judged as well, and few.
const WRONG: std::ops::RangeInclusive<usize> = 1..=40;

/// What must be seen in at least so many of the programs.
const SEEN: [(&str, usize); 12] = [
    ("a move", 240),
    ("a joint move", 40),
    ("a move of random", 40),
    ("an expiry", 240),
    ("a move at an expiry", 100),
    ("a percept", 100),
    ("a goal", 240),
    ("an end", 60),
    ("all updates", 60),
    ("a fluent with two lifetimes", 60),
    ("a fluent that is true and expired", 60),
    ("a time that no rule names inside a fluent", 10),
];

/// What is to be seen in a course, of [`SEEN`].
fn seen(positions: &[Position]) -> Vec<&'static str> {
    let mut seen = Vec::new();
    for (place, Position { state, expired, view, update }) in positions.iter().enumerate() {
        let fluents: Vec<&String> = state.iter().map(|pair| &pair.1).collect();
        let is_double = |place: usize| fluents[..place].contains(&fluents[place]);
        let states = [
            (!expired.is_empty(), "an expiry"),
            (view.is_terminal, "an end"),
            (place == UPDATES, "all updates"),
            (view.goals.values().any(|goals| !goals.is_empty()), "a goal"),
            ((0..fluents.len()).any(is_double), "a fluent with two lifetimes"),
            (fluents.iter().any(|fluent| expired.contains(*fluent)), "a fluent that is true and expired"),
            (fluents.iter().any(|fluent| has_time(fluent)), "a time that no rule names inside a fluent"),
        ];
        seen.extend(states.iter().filter(|(is_seen, _)| *is_seen).map(|(_, what)| *what));
        let Some(Update { moves, consequence: Ok(consequence), .. }) = update else { continue };
        let updates = [
            (!moves.is_empty(), "a move"),
            (moves.len() > 1, "a joint move"),
            (moves.contains_key("random"), "a move of random"),
            (!moves.is_empty() && !consequence.expired.is_empty(), "a move at an expiry"),
            (consequence.sees.values().any(|percepts| !percepts.is_empty()), "a percept"),
        ];
        seen.extend(updates.iter().filter(|(is_seen, _)| *is_seen).map(|(_, what)| *what));
    }
    seen.sort_unstable();
    seen.dedup();
    seen
}

/// Whether a term has a number that only a subtraction can have given.
fn has_time(fluent: &str) -> bool {
    let is_odd = |lifetime| matches!(lifetime, Lifetime::Finite(micros) if micros % 250_000 > 0);
    fluent.split([' ', ')']).any(|word| Lifetime::read(word).is_some_and(is_odd))
}

#[test]
fn random_real_time_games_move_expire_and_end() {
    let (mut counts, mut wrong) = (BTreeMap::new(), 0);
    for seed in 0..PROGRAMS {
        let text = program(seed);
        let reading = read(&text, Syntax::Auto, &Limits::STANDARD);
        assert_eq!(reading.diagnostics, [], "seed {seed}\n{text}");
        let oracle = RealTimeOracle::new(&reading.description).expect("safe rules");
        let positions = match course(&oracle, seed, UPDATES) {
            Err(OracleError::Lifetime { .. }) => {
                wrong += 1;
                continue;
            }
            positions => positions.unwrap_or_else(|error| panic!("seed {seed}: {error}\n{text}")),
        };
        let last = positions.last().and_then(|position| position.update.as_ref());
        wrong += usize::from(last.is_some_and(|update| update.consequence.is_err()));
        for what in seen(&positions) {
            *counts.entry(what).or_insert(0) += 1;
        }
    }
    let rare: Vec<_> =
        SEEN.iter().filter(|(what, least)| counts.get(what).is_none_or(|count| count < least)).collect();
    assert!(rare.is_empty(), "rare: {rare:?} in {counts:?}");
    assert!(WRONG.contains(&wrong), "{wrong} have a wrong lifetime");
}

#[test]
fn a_seed_gives_the_same_program_and_the_same_course() {
    let text = program(5);
    assert_eq!(text, program(5));
    assert_ne!(text, program(6));
    let oracle = RealTimeOracle::of(&text).expect("safe rules");
    assert_eq!(course(&oracle, 1, UPDATES), course(&oracle, 1, UPDATES));
}
