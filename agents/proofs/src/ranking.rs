//! Why a match must end: fluents that, once they change, never change back; and, while those stay, others; if no few turns leave all of them as they
//! are.
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

/// Turns that happened: of each group whether some base was true before and after.
struct TurnSample {
    before: Vec<Vec<u64>>,
    after: Vec<Vec<u64>>,
    /// A bit for each turn that still counts.
    counts: Vec<u64>,
    len: usize,
}

/// Turns that are looked at.
const TURNS_MAX: usize = 60_000;

impl TurnSample {
    fn new<'t>(groups: &[Vec<usize>], turns: impl Iterator<Item = [&'t [u64]; 2]>) -> Self {
        let turns: Vec<[&[u64]; 2]> = turns.take(TURNS_MAX).collect();
        let words = turns.len().div_ceil(64);
        let bits = |group: &Vec<usize>, end: usize| {
            let mut bits = vec![0; words];
            for (place, turn) in turns.iter().enumerate() {
                bits[place / 64] |= u64::from(some(turn[end], group)) << (place % 64);
            }
            bits
        };
        let all = |end: usize| groups.iter().map(|group| bits(group, end)).collect();
        Self { before: all(0), after: all(1), counts: vec![u64::MAX; words], len: turns.len() }
    }

    /// One turn more: of each group whether some base is true before and after.
    fn add(&mut self, holds: impl Fn(usize, usize) -> bool) {
        let len = self.len;
        self.len += 1;
        if len.is_multiple_of(64) {
            self.before.iter_mut().chain(&mut self.after).for_each(|bits| bits.push(0));
            self.counts.push(u64::MAX);
        }
        for (state, all) in [&mut self.before, &mut self.after].into_iter().enumerate() {
            for (group, bits) in all.iter_mut().enumerate() {
                bits[len / 64] |= u64::from(holds(state, group)) << (len % 64);
            }
        }
    }

    /// Whether a turn that counts takes a value away.
    fn takes(&self, kept: KeptGroup) -> bool {
        let flip = if kept.is_some { 0 } else { u64::MAX };
        let words = self.before[kept.group].iter().zip(&self.after[kept.group]).zip(&self.counts);
        words.into_iter().any(|((before, after), counts)| (before ^ flip) & !(after ^ flip) & counts != 0)
    }

    /// From now on only turns count that leave a group as it is.
    fn keep(&mut self, group: usize) {
        let words = self.before[group].iter().zip(&self.after[group]);
        self.counts.iter_mut().zip(words).for_each(|(counts, (before, after))| *counts &= !(before ^ after));
    }
}

/// Groups of bases that change only finitely often, one after the other: of each whether some base is true. A match without an end has turns
/// that leave all of them as they are, one after the other for ever. `None` if that was not settled.
pub(crate) fn settling<'t>(
    circuit: &mut Circuit,
    known: &RankingBasis<'_>,
    turns: impl Iterator<Item = [&'t [u64]; 2]>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Vec<usize>>> {
    let mut groups: Vec<Vec<usize>> = (0..circuit.states[0].bases.len()).map(|base| vec![base]).collect();
    groups.extend(known.groups.alike.iter().filter(|group| group.len() <= GROUP_MAX).cloned());
    let count = groups.len();
    let mut turns = TurnSample::new(&groups, turns);
    let first = circuit.states[0].bases.clone();
    let held: Vec<Wire> =
        known.invariants.iter().map(|invariant| invariant.wire(&mut circuit.gates, &first)).collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let mut wires: Vec<Wire> = Vec::new();
    for state in &circuit.states {
        let some = |group: &Vec<usize>| circuit.gates.any(group.iter().map(|&base| state.bases[base]));
        wires.extend(groups.iter().map(some));
    }
    let kept = |is_kept: &[bool]| {
        groups.iter().zip(is_kept).filter(|(_, is_kept)| **is_kept).map(|(group, _)| group.clone()).collect()
    };
    let mut is_kept = vec![false; count];
    let Some(mut prover) = Prover::new(&circuit.gates, &circuit.clauses, &wires) else {
        return Some(kept(&is_kept));
    };
    loop {
        let mut open: Vec<KeptGroup> = (0..count)
            .filter(|&group| !is_kept[group])
            .flat_map(|group| [true, false].map(|is_some| KeptGroup { group, is_some }))
            .collect();
        open.retain(|&kept| !turns.takes(kept));
        let found = persistent(&mut prover, &mut turns, open, is_over)?;
        if found.is_empty() {
            return Some(kept(&is_kept));
        }
        for kept in found {
            is_kept[kept.group] = true;
            turns.keep(kept.group);
            // From now on only of turns that leave it as it is.
            let [one, other] = [0, 1].map(|state| prover.literal(state * count + kept.group));
            prover.demand(vec![!one, other]);
            prover.demand(vec![one, !other]);
        }
    }
}

/// Those of some values that no turn changes that leaves what is kept already. `None` if that was not settled.
fn persistent(
    prover: &mut Prover,
    turns: &mut TurnSample,
    open: Vec<KeptGroup>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<KeptGroup>> {
    let count = turns.before.len();
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
        match prover.ask(&[round], is_over) {
            Proof::Impossible => break,
            Proof::Possible => {
                // What was found once need not be found again.
                turns.add(|state, group| prover.holds(prover.literal(state * count + group)));
                left.retain(|&place| !turns.takes(open[place]));
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
