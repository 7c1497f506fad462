//! How many fluents of a group are true, in states and as gates.

use croupier_engine::stages::propnet::{Gates, Wire};

use crate::interner::is_set;

/// The highest count that is told from higher ones.
pub(crate) const COUNT_MAX: usize = 16;

/// How many bases of a group are true.
pub(crate) fn count(row: &[u64], group: &[usize]) -> usize {
    group.iter().filter(|&&base| is_set(row, base)).count()
}

/// The wire that says that exactly so many bases of a group are true.
pub(crate) fn exactly(gates: &mut Gates, bases: &[Wire], wanted: usize, group: &[usize]) -> Wire {
    let counted = at_least(gates, bases, group, wanted + 1);
    gates.and(counted[wanted], !counted[wanted + 1])
}

/// The wire that says that as many bases of one group are true as of another, up to [`COUNT_MAX`].
pub(crate) fn equal(gates: &mut Gates, bases: &[Wire], one: &[usize], other: &[usize]) -> Wire {
    let [first, second] = [one, other].map(|group| at_least(gates, bases, group, COUNT_MAX));
    same(gates, &first, &second)
}

/// The wire that says that one of two is true, and not both.
pub(crate) fn differ(gates: &mut Gates, one: Wire, other: Wire) -> Wire {
    let (first, second) = (gates.and(one, !other), gates.and(!one, other));
    gates.or(first, second)
}

/// The wire that says that two lines of wires are the same place by place; what the shorter one lacks is false.
pub(crate) fn same(gates: &mut Gates, one: &[Wire], other: &[Wire]) -> Wire {
    let at = |wires: &[Wire], place: usize| wires.get(place).copied().unwrap_or(Wire::FALSE);
    let all: Vec<Wire> = (0..one.len().max(other.len()))
        .map(|place| !differ(gates, at(one, place), at(other, place)))
        .collect();
    gates.all(all)
}

/// Whether two groups have as many true bases, up to [`COUNT_MAX`].
pub(crate) fn are_equal(row: &[u64], one: &[usize], other: &[usize]) -> bool {
    count(row, one).min(COUNT_MAX) == count(row, other).min(COUNT_MAX)
}

/// For each number from 0 to `most` whether so many bases of a group are true at least.
pub(crate) fn at_least(gates: &mut Gates, bases: &[Wire], group: &[usize], most: usize) -> Vec<Wire> {
    gates.at_least(group.iter().map(|&base| bases[base]), most)
}

/// At least two of these are true.
pub(crate) fn several(gates: &mut Gates, wires: &[Wire]) -> Wire {
    gates.at_least(wires.iter().copied(), 2)[2]
}
