//! What holds in every state that can be reached, found by induction among guesses: fluents of which exactly one is true, or none ever.
//!
//! # Sources
//! C. Flanagan, K. R. M. Leino, "Houdini, an annotation assistant for ESC/Java", FME 2001: all guesses are taken to hold, and those that a turn
//! breaks are given up, until no turn breaks any.

use batsat::Lit;
use croupier_engine::stages::propnet::{Gates, Wire};

use crate::{
    circuit::Circuit,
    counting::{are_equal, at_least, count, equal, exactly},
    interner::is_set,
    prover::{Proof, Prover},
    sums::{Weighted, counts, total},
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
    /// So many of these bases are true.
    Exactly(usize, Vec<usize>),
    /// As many of these bases are true as of those.
    Equal(Vec<usize>, Vec<usize>),
    /// The true ones of these bases count so much together; of each part of them at most one is true, as another invariant says.
    Sum(i64, Vec<Vec<Weighted>>),
}

/// Whether some base of a group is true.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct SomeOf {
    pub(crate) group: Vec<usize>,
    pub(crate) is_some: bool,
}

impl Invariant {
    /// Whether a state has it.
    pub(crate) fn holds(&self, row: &[u64]) -> bool {
        let is_true = |&base: &usize| is_set(row, base);
        match self {
            Self::AtMostOne(group) => count(row, group) <= 1,
            Self::AtLeastOne(group) => group.iter().any(is_true),
            Self::Always(base, value) => is_set(row, *base) == *value,
            Self::Either(parts) => parts.iter().any(|part| part.group.iter().any(is_true) == part.is_some),
            Self::Exactly(wanted, group) => count(row, group) == *wanted,
            Self::Equal(one, other) => are_equal(row, one, other),
            Self::Sum(wanted, parts) => total(row, &parts.concat()) == *wanted,
        }
    }

    /// Whether it makes long proofs: it is given up where the solver does.
    fn is_costly(&self) -> bool {
        matches!(self, Self::Exactly(..) | Self::Equal(..) | Self::Sum(..))
    }

    /// The wire that says so of a state.
    pub(crate) fn wire(&self, gates: &mut Gates, bases: &[Wire]) -> Wire {
        match self {
            Self::AtMostOne(group) => !at_least(gates, bases, group, 2)[2],
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
            Self::Exactly(wanted, group) => exactly(gates, bases, *wanted, group),
            Self::Equal(one, other) => equal(gates, bases, one, other),
            Self::Sum(wanted, parts) => counts(gates, bases, parts, *wanted),
        }
    }
}

/// Of how many parts of the guesses one turn should break one each.
const PARTS_MAX: usize = 32;

/// Clauses that may be learnt for that.
const CONFLICTS_OF_PARTS: u32 = 1_000;

/// A literal under which so many guesses hold before a turn.
#[derive(Clone, Copy)]
struct HeldGuesses {
    literal: Lit,
    count: usize,
}

impl HeldGuesses {
    fn new(prover: &mut Prover, guesses: &[usize]) -> Self {
        let literal = prover.fresh();
        for &guess in guesses {
            let before = prover.literal(guess);
            prover.demand(vec![!literal, before]);
        }
        Self { literal, count: guesses.len() }
    }
}

/// Those of some guesses, all true of the first state, that hold in every state that can be reached, as other invariants do that are known.
/// `None` if that was not settled.
pub(crate) fn inductive(
    circuit: &mut Circuit,
    known: &[Invariant],
    guesses: Vec<Invariant>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Invariant>> {
    let first = circuit.states[0].bases.clone();
    let held: Vec<Wire> = known.iter().map(|invariant| invariant.wire(&mut circuit.gates, &first)).collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let mut wires: Vec<Wire> = Vec::new();
    for state in 0..2 {
        let bases = circuit.states[state].bases.clone();
        wires.extend(guesses.iter().map(|guess| guess.wire(&mut circuit.gates, &bases)));
    }
    let mut prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
    let count = guesses.len();
    let mut left: Vec<usize> = (0..count).collect();
    // What breaks a guess though all that was left at some time holds before the turn does so too if less holds.
    let mut held: Option<HeldGuesses> = None;
    let mut parts = PARTS_MAX;
    while !left.is_empty() {
        if is_over() {
            return None;
        }
        let HeldGuesses { literal, count: held_count } =
            *held.get_or_insert_with(|| HeldGuesses::new(&mut prover, &left));
        // A turn that breaks one guess of each part does as much as many turns.
        let round = prover.fresh();
        for part in left.chunks(left.len().div_ceil(parts)) {
            let broken = part.iter().map(|&guess| !prover.literal(count + guess));
            let clause: Vec<Lit> = broken.chain([!round]).collect();
            prover.demand(clause);
        }
        let found = if parts > 1 {
            prover.ask_at_most(CONFLICTS_OF_PARTS, &[literal, round], is_over)
        } else {
            prover.ask(&[literal, round], is_over)
        };
        match found {
            Proof::Possible => {
                left.retain(|&guess| prover.holds(prover.literal(count + guess)));
                parts = (2 * parts).min(PARTS_MAX);
            }
            _ if parts > 1 => parts = (parts / 4).max(1),
            Proof::Impossible if held_count == left.len() => break,
            Proof::Impossible => held = None,
            Proof::Unknown => {
                let before = left.len();
                left.retain(|&guess| !guesses[guess].is_costly());
                if left.len() == before {
                    return None;
                }
            }
        }
        prover.demand(vec![!round]);
    }
    Some(left.into_iter().map(|guess| guesses[guess].clone()).collect())
}
