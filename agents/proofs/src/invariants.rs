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
    /// At least one of these groups has a true base, or has none, as it says.
    Either(Vec<SomeOf>),
}

/// Whether some base of a group is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SomeOf {
    group: Vec<usize>,
    is_some: bool,
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
            Self::Either(parts) => parts.iter().any(|part| part.group.iter().any(is_set) == part.is_some),
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
            Self::Either(parts) => {
                let of = |part: &SomeOf| {
                    let some = gates.any(part.group.iter().map(|&base| bases[base]));
                    if part.is_some { some } else { !some }
                };
                let parts: Vec<Wire> = parts.iter().map(of).collect();
                gates.any(parts)
            }
        }
    }
}

/// The parts of a printed term: its name and arguments.
pub(crate) fn parts(text: &str) -> Vec<&str> {
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

/// Fluents that belong together.
#[derive(Debug)]
pub(crate) struct FluentGroups {
    /// Those that differ in one argument or several, and those that speak of one thing; each has two at least.
    pub(crate) alike: Vec<Vec<usize>>,
    /// Those with the same name, some of them single.
    pub(crate) named: Vec<Vec<usize>>,
}

impl FluentGroups {
    /// The groups of the fluents of a game.
    pub(crate) fn of(game: &Game, network: &GameNetwork) -> Self {
        let texts = network.fluents().iter().map(|&fluent| game.fluent_text(fluent).to_string());
        let (mut groups, mut named) =
            (BTreeMap::<String, Vec<usize>>::new(), BTreeMap::<String, Vec<usize>>::new());
        for (base, text) in texts.enumerate() {
            let parts = parts(&text);
            named.entry(parts[0].to_owned()).or_default().push(base);
            for mask in masks(parts.len() - 1) {
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
        let alike: BTreeSet<Vec<usize>> =
            groups.into_values().filter(|group| (2..=GROUP_MAX).contains(&group.len())).collect();
        Self { alike: alike.into_iter().collect(), named: named.into_values().collect() }
    }
}

/// Which of so many arguments may differ, as bits; of long terms one or all.
fn masks(arguments: usize) -> Vec<u32> {
    match arguments {
        0 => Vec::new(),
        1..=4 => (1..1 << arguments).collect(),
        more => (0..more.min(31)).map(|place| 1 << place).chain([u32::MAX]).collect(),
    }
}

/// Names of fluents that are told apart: more make too many guesses.
const NAMES_MAX: usize = 40;

/// Guesses that no sampled state contradicts.
pub(crate) fn guesses<'r>(
    groups: &FluentGroups,
    bases: usize,
    sample: impl Iterator<Item = &'r [u64]>,
) -> Vec<Invariant> {
    let alike = groups.alike.iter();
    let mut guesses: Vec<Invariant> = alike
        .flat_map(|group| [Invariant::AtMostOne(group.clone()), Invariant::AtLeastOne(group.clone())])
        .collect();
    guesses.extend((0..bases).flat_map(|base| [true, false].map(|value| Invariant::Always(base, value))));
    let names = &groups.named[..groups.named.len().min(NAMES_MAX)];
    let some = |place: usize, is_some| SomeOf { group: names[place].clone(), is_some };
    for one in 0..names.len() {
        for other in one + 1..names.len() {
            let pairs = [(true, true), (true, false), (false, true), (false, false)];
            let either = |(first, second)| Invariant::Either(vec![some(one, first), some(other, second)]);
            guesses.extend(pairs.map(either));
            let third = (other + 1..names.len())
                .map(|third| Invariant::Either([one, other, third].map(|place| some(place, true)).to_vec()));
            guesses.extend(third);
        }
    }
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
