//! What holds in every state that can be reached, found by induction among guesses: fluents of which exactly one is true, or none ever.
//!
//! # Sources
//! C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001: all guesses are taken to hold, and those that a turn
//! breaks are given up, until no turn breaks any.

use std::collections::{BTreeMap, BTreeSet};

use batsat::Lit;
use croupier_engine::{
    Game,
    game::GameNetwork,
    stages::propnet::{Gates, Wire},
};

use crate::{
    circuit::Circuit,
    prover::{Proof, Prover},
};

/// A guess about every state.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Invariant {
    /// At most one of these bases is true.
    AtMostOne(Vec<usize>),
    /// At least one of these bases is true.
    AtLeastOne(Vec<usize>),
    /// A base always has this value.
    Always(usize, bool),
}

/// The most bases of a group: larger ones make long proofs of little use.
const GROUP_MAX: usize = 400;

impl Invariant {
    /// Whether a state has it.
    pub(crate) fn holds(&self, row: &[u64]) -> bool {
        let is_set = |&base: &usize| row[base / 64] >> (base % 64) & 1 == 1;
        match self {
            Self::AtMostOne(group) => group.iter().filter(|base| is_set(base)).count() <= 1,
            Self::AtLeastOne(group) => group.iter().any(is_set),
            Self::Always(base, value) => is_set(base) == *value,
        }
    }

    /// The wire that says so of a state.
    pub(crate) fn wire(&self, gates: &mut Gates, bases: &[Wire]) -> Wire {
        match self {
            Self::AtMostOne(group) => {
                let (mut before, mut fine) = (Wire::FALSE, Wire::TRUE);
                for &base in group {
                    let both = gates.and(before, bases[base]);
                    fine = gates.and(fine, !both);
                    before = gates.or(before, bases[base]);
                }
                fine
            }
            Self::AtLeastOne(group) => gates.any(group.iter().map(|&base| bases[base])),
            Self::Always(base, value) => {
                if *value {
                    bases[*base]
                } else {
                    !bases[*base]
                }
            }
        }
    }
}

/// The parts of a printed term: its name and arguments.
fn parts(text: &str) -> Vec<&str> {
    let Some(inner) = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) else {
        return vec![text];
    };
    let (mut found, mut depth, mut begin) = (Vec::new(), 0_usize, 0);
    for (at, c) in inner.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ' ' if depth == 0 => {
                found.push(&inner[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&inner[begin..]);
    found
}

/// Guesses that no sampled state contradicts: of fluents that differ in one argument or several, of those that speak of one thing, and
/// of each alone.
pub(crate) fn guesses<'r>(
    game: &Game,
    network: &GameNetwork,
    sample: impl Iterator<Item = &'r [u64]>,
) -> Vec<Invariant> {
    let texts: Vec<String> =
        network.fluents().iter().map(|&fluent| game.fluent_text(fluent).to_string()).collect();
    let mut groups: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    for (base, text) in texts.iter().enumerate() {
        let parts = parts(text);
        // Which arguments may differ, as bits; of long terms one or all.
        let arguments = parts.len() - 1;
        let masks: Vec<u32> = match arguments {
            0 => Vec::new(),
            1..=4 => (1..1 << arguments).collect(),
            more => (0..more).map(|place| 1 << place).chain([u32::MAX]).collect(),
        };
        for mask in masks {
            let shown = parts
                .iter()
                .enumerate()
                .map(|(place, part)| if place > 0 && mask >> (place - 1) & 1 == 1 { "?" } else { part });
            let key = format!("{mask} {}", shown.collect::<Vec<_>>().join(" "));
            groups.entry(key).or_default().push(base);
        }
        for part in parts.iter().skip(1).collect::<BTreeSet<_>>() {
            groups.entry(format!("of {part}")).or_default().push(base);
        }
    }
    let distinct: BTreeSet<Vec<usize>> =
        groups.into_values().filter(|group| (2..=GROUP_MAX).contains(&group.len())).collect();
    let mut guesses: Vec<Invariant> = distinct
        .into_iter()
        .flat_map(|group| [Invariant::AtMostOne(group.clone()), Invariant::AtLeastOne(group)])
        .collect();
    guesses
        .extend((0..texts.len()).flat_map(|base| [true, false].map(|value| Invariant::Always(base, value))));
    for row in sample {
        guesses.retain(|guess| guess.holds(row));
    }
    guesses
}

/// Those of some guesses, all true of the first state, that hold in every state that can be reached. `None` if that was not settled.
pub(crate) fn inductive(
    circuit: &mut Circuit,
    guesses: Vec<Invariant>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Invariant>> {
    let mut wires: Vec<Wire> = Vec::new();
    for state in 0..2 {
        let bases = circuit.states[state].bases.clone();
        wires.extend(guesses.iter().map(|guess| guess.wire(&mut circuit.gates, &bases)));
    }
    let mut prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
    let count = guesses.len();
    let selectors: Vec<Lit> = (0..count)
        .map(|guess| {
            let selector = prover.fresh();
            let before = prover.literal(guess);
            prover.demand(vec![!selector, before]);
            selector
        })
        .collect();
    let mut left: Vec<usize> = (0..count).collect();
    while !left.is_empty() {
        if is_over() {
            return None;
        }
        let round = prover.fresh();
        let broken = left.iter().map(|&guess| !prover.literal(count + guess));
        let clause: Vec<Lit> = broken.chain([!round]).collect();
        prover.demand(clause);
        let taken: Vec<Lit> = left.iter().map(|&guess| selectors[guess]).chain([round]).collect();
        match prover.ask(&taken) {
            Proof::Impossible => break,
            Proof::Possible => left.retain(|&guess| prover.holds(prover.literal(count + guess))),
            Proof::Unknown => return None,
        }
    }
    Some(left.into_iter().map(|guess| guesses[guess].clone()).collect())
}
