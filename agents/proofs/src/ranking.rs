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
    groups::FluentGroups,
    interner::is_set,
    invariants::Invariant,
    prover::{Proof, Prover},
};

/// Whether some fluent of a group is true, and that it stays so, or that none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KeptGroup {
    /// The group, by its place.
    group: usize,
    is_some: bool,
}

/// The largest group of fluents of which one may take the place of another, besides single ones.
const GROUP_MAX: usize = 12;

/// What is known before.
pub(crate) struct RankingBasis<'k> {
    pub(crate) invariants: &'k [Invariant],
    pub(crate) groups: &'k FluentGroups,
}

/// Turns that happened, as rows before and after.
pub(crate) type Turns<'t> = Vec<[&'t [u64]; 2]>;

/// Whether it is proved that every match ends: there is an order of fluents in which no infinite match can go on.
pub(crate) fn must_end(
    circuit: &mut Circuit,
    known: &RankingBasis<'_>,
    mut turns: Turns<'_>,
    is_over: &dyn Fn() -> bool,
) -> bool {
    let mut groups: Vec<Vec<usize>> = (0..circuit.states[0].bases.len()).map(|base| vec![base]).collect();
    groups.extend(known.groups.alike.iter().filter(|group| group.len() <= GROUP_MAX).cloned());
    let count = groups.len();
    let steps = circuit.states.len() - 1;
    let first = circuit.states[0].bases.clone();
    let held: Vec<Wire> =
        known.invariants.iter().map(|invariant| invariant.wire(&mut circuit.gates, &first)).collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let mut wires: Vec<Wire> = Vec::new();
    for state in &circuit.states {
        let some = |group: &Vec<usize>| circuit.gates.any(group.iter().map(|&base| state.bases[base]));
        wires.extend(groups.iter().map(some));
    }
    // An infinite match has turns after every turn: what is asked of the first alone may take the later ones for granted.
    let Some(mut prover) = Prover::new(&circuit.gates, &circuit.clauses, &wires) else { return true };
    let mut is_kept = vec![false; count];
    loop {
        let mut open: Vec<KeptGroup> = (0..count)
            .filter(|&group| !is_kept[group])
            .flat_map(|group| [true, false].map(|is_some| KeptGroup { group, is_some }))
            .collect();
        for [before, after] in &turns {
            let is_lost = |kept: &KeptGroup| {
                let group = &groups[kept.group];
                some(before, group) == kept.is_some && some(after, group) != kept.is_some
            };
            open.retain(|kept| !is_lost(kept));
        }
        let Some(found) = persistent(&mut prover, count, open, is_over) else { return false };
        if found.is_empty() {
            return false;
        }
        for kept in found {
            is_kept[kept.group] = true;
            let group = &groups[kept.group];
            turns.retain(|[before, after]| some(before, group) == some(after, group));
            // From now on only of turns that leave it as it is.
            for step in 0..steps {
                let [one, other] = [step, step + 1].map(|state| prover.literal(state * count + kept.group));
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
    count: usize,
    open: Vec<KeptGroup>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<KeptGroup>> {
    let literal = |prover: &Prover, state: usize, kept: KeptGroup| {
        let literal = prover.literal(state * count + kept.group);
        if kept.is_some { literal } else { !literal }
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
                    !prover.holds(literal(prover, 0, kept)) || prover.holds(literal(prover, 1, kept))
                });
            }
            Proof::Unknown => return None,
        }
    }
    Some(left.into_iter().map(|place| open[place]).collect())
}

/// Whether some base of a group is true.
fn some(row: &[u64], group: &[usize]) -> bool {
    group.iter().any(|&base| is_set(row, base))
}
