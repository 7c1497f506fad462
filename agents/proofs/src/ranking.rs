//! Why a match must end: fluents that, once they change, never change back; and, while those stay, others; until some fluent changes in
//! every few turns.
//!
//! # Sources
//! Lexicographic ranking: A. R. Bradley, Z. Manna, H. B. Sipma, "Linear ranking with reachability", CAV 2005; here the components are
//! single fluents, each found by induction.

use batsat::Lit;
use croupier_engine::stages::propnet::Wire;

use crate::{
    circuit::Circuit,
    invariants::Invariant,
    prover::{Proof, Prover},
};

/// A base and a value that it keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kept {
    base: usize,
    value: bool,
}

/// Turns that happened, as rows before and after.
pub(crate) type Turns<'t> = Vec<[&'t [u64]; 2]>;

/// Whether it is proved that every match ends: there is an order of fluents in which no infinite match can go on.
pub(crate) fn must_end(
    circuit: &mut Circuit,
    invariants: &[Invariant],
    mut turns: Turns<'_>,
    is_over: &dyn Fn() -> bool,
) -> bool {
    let bases = circuit.states[0].bases.len();
    let steps = circuit.states.len() - 1;
    let first = circuit.states[0].bases.clone();
    let held: Vec<Wire> =
        invariants.iter().map(|invariant| invariant.wire(&mut circuit.gates, &first)).collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let wires: Vec<Wire> = circuit.states.iter().flat_map(|state| state.bases.iter().copied()).collect();
    // One turn for what is kept, all turns for the end: the clauses of the later turns are not in the way, since every turn can be the last.
    let Some(mut prover) = Prover::new(&circuit.gates, &circuit.clauses, &wires) else { return true };
    let mut is_kept = vec![false; bases];
    loop {
        let mut open: Vec<Kept> = (0..bases)
            .filter(|&base| !is_kept[base])
            .flat_map(|base| [true, false].map(|value| Kept { base, value }))
            .collect();
        for [before, after] in &turns {
            open.retain(|kept| bit(before, kept.base) != kept.value || bit(after, kept.base) == kept.value);
        }
        let Some(found) = persistent(&mut prover, bases, open, is_over) else { return false };
        if found.is_empty() {
            return false;
        }
        for kept in found {
            is_kept[kept.base] = true;
            turns.retain(|[before, after]| bit(before, kept.base) == bit(after, kept.base));
            // From now on only of turns that leave it as it is.
            for step in 0..steps {
                let [one, other] = [step, step + 1].map(|state| prover.literal(state * bases + kept.base));
                prover.demand(vec![!one, other]);
                prover.demand(vec![one, !other]);
            }
        }
        match prover.ask(&[]) {
            Proof::Impossible => return true,
            Proof::Possible if !is_over() => {}
            Proof::Possible | Proof::Unknown => return false,
        }
    }
}

/// Those of some values that no turn changes that leaves what is kept already. `None` if that was not settled.
fn persistent(
    prover: &mut Prover,
    bases: usize,
    open: Vec<Kept>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Kept>> {
    let literal = |prover: &Prover, state: usize, kept: Kept| {
        let literal = prover.literal(state * bases + kept.base);
        if kept.value { literal } else { !literal }
    };
    let lost: Vec<Lit> = open
        .iter()
        .map(|&kept| {
            let lost = prover.fresh();
            let [before, after] = [0, 1].map(|state| literal(prover, state, kept));
            prover.demand(vec![!lost, before]);
            prover.demand(vec![!lost, !after]);
            lost
        })
        .collect();
    let mut left: Vec<usize> = (0..open.len()).collect();
    while !left.is_empty() {
        if is_over() {
            return None;
        }
        let round = prover.fresh();
        let clause: Vec<Lit> = left.iter().map(|&place| lost[place]).chain([!round]).collect();
        prover.demand(clause);
        match prover.ask(&[round]) {
            Proof::Impossible => break,
            Proof::Possible => {
                left.retain(|&place| {
                    let kept = open[place];
                    !(prover.holds(literal(prover, 0, kept)) && !prover.holds(literal(prover, 1, kept)))
                });
            }
            Proof::Unknown => return None,
        }
    }
    Some(left.into_iter().map(|place| open[place]).collect())
}

fn bit(row: &[u64], base: usize) -> bool {
    row[base / 64] >> (base % 64) & 1 == 1
}
