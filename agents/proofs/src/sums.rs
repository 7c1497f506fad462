//! Weighted counts of true fluents that no turn changes: so many cards are dealt as the deal has come to.
//!
//! # Sources
//! T. Murata, "Petri nets: properties, analysis and applications", Proceedings of the IEEE 77(4), 1989, section VII: S-invariants. Here they
//! are guessed from states that were met, as vectors that all of them are orthogonal to, and proved turn by turn.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::stages::propnet::{Gates, Wire};

use crate::{
    counting::{differ, same},
    interner::is_set,
    invariants::Invariant,
};

/// A base, and what it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Weighted {
    pub(crate) base: usize,
    pub(crate) weight: i64,
}

/// What the true bases of a state count together.
pub(crate) fn total(row: &[u64], terms: &[Weighted]) -> i64 {
    terms.iter().filter(|term| is_set(row, term.base)).map(|term| term.weight).sum()
}

/// The terms of a sum, those together of which at most one is true at a time, as is known: such a part is a number already, of which each binary digit
/// is one of a few bases.
pub(crate) fn in_parts(terms: &[Weighted], known: &[Invariant]) -> Vec<Vec<Weighted>> {
    let mut parts = Vec::new();
    for is_positive in [true, false] {
        let mut left: BTreeMap<usize, i64> = terms
            .iter()
            .filter(|term| (term.weight > 0) == is_positive)
            .map(|term| (term.base, term.weight))
            .collect();
        let mut groups: Vec<&Vec<usize>> = known
            .iter()
            .filter_map(
                |invariant| if let Invariant::AtMostOne(group) = invariant { Some(group) } else { None },
            )
            .collect();
        loop {
            let covered = |group: &&Vec<usize>| group.iter().filter(|base| left.contains_key(base)).count();
            groups.retain(|group| covered(group) > 1);
            let Some(group) = groups.iter().max_by_key(|group| covered(group)) else { break };
            let own = group.iter().filter_map(|&base| Some(Weighted { base, weight: left.remove(&base)? }));
            parts.push(own.collect());
        }
        parts.extend(left.into_iter().map(|(base, weight)| vec![Weighted { base, weight }]));
    }
    parts
}

/// The wire that says that the true bases count so much together, if of each part at most one is true.
pub(crate) fn counts(gates: &mut Gates, bases: &[Wire], parts: &[Vec<Weighted>], wanted: i64) -> Wire {
    let [one, other] = [true, false].map(|is_positive| {
        let own = parts.iter().filter(|part| (part[0].weight > 0) == is_positive);
        let mut own: Vec<WeightedWire> = own.flat_map(|part| digits(gates, bases, part)).collect();
        if (wanted < 0) == is_positive {
            own.push(WeightedWire { wire: Wire::TRUE, weight: wanted.unsigned_abs() });
        }
        sum(gates, own)
    });
    same(gates, &one, &other)
}

/// The binary digits of what the true one of some bases counts; all are false if there is none.
fn digits(gates: &mut Gates, bases: &[Wire], part: &[Weighted]) -> Vec<WeightedWire> {
    let most = part.iter().map(|term| term.weight.unsigned_abs()).max().unwrap_or(0);
    let digit = |digit: u32| {
        let own = part.iter().filter(|term| term.weight.unsigned_abs() >> digit & 1 == 1);
        WeightedWire { wire: gates.any(own.map(|term| bases[term.base])), weight: 1 << digit }
    };
    (0..u64::BITS - most.leading_zeros()).map(digit).collect()
}

/// The wire that says that a turn changes what the true bases count together, if of each part at most one is true before and after it.
pub(crate) fn changes(gates: &mut Gates, before: &[Wire], after: &[Wire], parts: &[Vec<Weighted>]) -> Wire {
    let [gained, lost] = gained_and_lost(gates, before, after, parts);
    // As much was lost as gained, and no more than could be counted.
    let is_same = same(gates, &gained, &lost);
    let is_counted = !gained[UNARY_MAX - 1];
    !gates.and(is_same, is_counted)
}

/// What a turn adds to a sum, and what it takes away: wires of which the first so many are true, as far as that is told.
pub(crate) fn gained_and_lost(
    gates: &mut Gates,
    before: &[Wire],
    after: &[Wire],
    parts: &[Vec<Weighted>],
) -> [Vec<Wire>; 2] {
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    for part in parts {
        let is_positive = part[0].weight > 0;
        let weights: BTreeSet<u64> = part.iter().map(|term| term.weight.unsigned_abs()).collect();
        let mut below = 0;
        // From one number to another as many steps are taken as these differ by.
        for weight in weights {
            let reaches: Vec<usize> = part
                .iter()
                .filter(|term| term.weight.unsigned_abs() >= weight)
                .map(|term| term.base)
                .collect();
            let [before, after] =
                [before, after].map(|state| gates.any(reaches.iter().map(|&base| state[base])));
            let [rises, falls] = [gates.and(!before, after), gates.and(before, !after)];
            let (more, less) = if is_positive { (rises, falls) } else { (falls, rises) };
            gained.push(WeightedWire { wire: more, weight: weight - below });
            lost.push(WeightedWire { wire: less, weight: weight - below });
            below = weight;
        }
    }
    [gained, lost].map(|side| unary(gates, &side))
}

/// What a turn may change a side of a sum by: more is not told apart.
const UNARY_MAX: usize = 24;

/// A sum as wires of which the first so many are true: solvers see through few changes better than through binary digits.
///
/// # Sources
/// O. Bailleux, Y. Boufkhad, "Efficient CNF encoding of Boolean cardinality constraints", CP 2003: the totalizer.
fn unary(gates: &mut Gates, terms: &[WeightedWire]) -> Vec<Wire> {
    match terms {
        [] => vec![Wire::FALSE; UNARY_MAX],
        [only] => {
            let count = usize::try_from(only.weight).unwrap_or(usize::MAX).min(UNARY_MAX);
            (0..UNARY_MAX).map(|place| if place < count { only.wire } else { Wire::FALSE }).collect()
        }
        _ => {
            let (one, other) = terms.split_at(terms.len() / 2);
            let [one, other] = [one, other].map(|part| unary(gates, part));
            let at_least = |all: &[Wire], count: usize| if count == 0 { Wire::TRUE } else { all[count - 1] };
            let mut together = Vec::new();
            for count in 1..=UNARY_MAX {
                let ways = (0..=count).map(|first| [at_least(&one, first), at_least(&other, count - first)]);
                let ways: Vec<Wire> = ways.map(|[one, other]| gates.and(one, other)).collect();
                together.push(gates.any(ways));
            }
            together
        }
    }
}

/// A wire, and what it counts if it is true.
struct WeightedWire {
    wire: Wire,
    weight: u64,
}

/// The binary digits of a sum, the lowest first.
fn sum(gates: &mut Gates, terms: Vec<WeightedWire>) -> Vec<Wire> {
    let mut columns: Vec<Vec<Wire>> = Vec::new();
    for term in terms.into_iter().filter(|term| term.wire != Wire::FALSE) {
        for digit in
            (0..u64::BITS - term.weight.leading_zeros()).filter(|digit| term.weight >> digit & 1 == 1)
        {
            let digit = digit as usize;
            columns.resize(columns.len().max(digit + 1), Vec::new());
            columns[digit].push(term.wire);
        }
    }
    let mut digits = Vec::new();
    let mut column = 0;
    while column < columns.len() {
        while columns[column].len() > 1 {
            let third = if columns[column].len() > 2 { columns[column].pop() } else { None };
            let (one, other) = (columns[column].pop(), columns[column].pop());
            let [one, other, third] = [one, other, third].map(|wire| wire.unwrap_or(Wire::FALSE));
            let half = differ(gates, one, other);
            let (both, carried) = (gates.and(one, other), gates.and(half, third));
            let carry = gates.or(both, carried);
            let digit = differ(gates, half, third);
            // Taken up last, so that the sum is as deep as a tree.
            columns[column].insert(0, digit);
            columns.resize(columns.len().max(column + 2), Vec::new());
            columns[column + 1].push(carry);
        }
        digits.push(columns[column].first().copied().unwrap_or(Wire::FALSE));
        column += 1;
    }
    digits
}
