//! Weighted counts of true fluents that no turn changes: so many cards are dealt as the deal has come to.
//!
//! # Sources
//! T. Murata, "Petri nets: properties, analysis and applications", Proceedings of the IEEE 77(4), 1989, section VII: S-invariants. Here they
//! are guessed from states that were met, as vectors that all of them are orthogonal to, and proved turn by turn.

use std::collections::{BTreeMap, BTreeSet};

use batsat::Lit;
use croupier_engine::stages::propnet::{Gates, Wire};

use crate::{
    circuit::Circuit,
    counting::{differ, same},
    groups::FluentGroups,
    interner::is_set,
    invariants::Invariant,
    prover::{Proof, Prover},
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
            .filter_map(|invariant| if let Invariant::AtMostOne(group) = invariant { Some(group) } else { None })
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

/// The wire that says that a turn changes what the true bases count together.
fn changes(gates: &mut Gates, before: &[Wire], after: &[Wire], terms: &[Weighted]) -> Wire {
    let [gained, lost] = gained_and_lost(gates, before, after, terms);
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
    terms: &[Weighted],
) -> [Vec<Wire>; 2] {
    let (mut gained, mut lost) = (Vec::new(), Vec::new());
    for term in terms {
        let (before, after) = (before[term.base], after[term.base]);
        let weight = term.weight.unsigned_abs();
        let [rises, falls] = [gates.and(!before, after), gates.and(before, !after)];
        let (more, less) = if term.weight > 0 { (rises, falls) } else { (falls, rises) };
        gained.push(WeightedWire { wire: more, weight });
        lost.push(WeightedWire { wire: less, weight });
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

/// Of some guesses, those that no turn changes if all of them hold before it.
///
/// `None` if nothing is known of any turn.
pub(crate) fn constant(
    circuit: &mut Circuit,
    known: &[Invariant],
    guesses: Vec<Invariant>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Invariant>> {
    let [before, after] = [0, 1].map(|state| circuit.states[state].bases.clone());
    let gates = &mut circuit.gates;
    let held: Vec<Wire> = known.iter().map(|invariant| invariant.wire(gates, &before)).collect();
    circuit.clauses.extend(held.into_iter().map(|wire| vec![wire]));
    let changed = |guess: &Invariant| match guess {
        Invariant::Sum(_, parts) => changes(gates, &before, &after, &parts.concat()),
        _ => Wire::TRUE,
    };
    let mut wires: Vec<Wire> = guesses.iter().map(changed).collect();
    wires.extend(guesses.iter().map(|guess| guess.wire(gates, &before)));
    let mut prover = Prover::new(&circuit.gates, &circuit.clauses, &wires)?;
    let mut left: Vec<usize> = (0..guesses.len()).collect();
    loop {
        // What is left is taken to hold before the turn.
        let taken: Vec<Lit> = left.iter().map(|&guess| prover.literal(guesses.len() + guess)).collect();
        let mut broken = None;
        for &guess in &left {
            if is_over() {
                return Some(Vec::new());
            }
            let asked: Vec<Lit> = taken.iter().copied().chain([prover.literal(guess)]).collect();
            match prover.ask(&asked, is_over) {
                Proof::Impossible => {}
                Proof::Possible => {
                    broken =
                        Some(left.iter().copied().filter(|&one| prover.holds(prover.literal(one))).collect());
                    break;
                }
                Proof::Unknown => {
                    broken = Some(vec![guess]);
                    break;
                }
            }
        }
        let Some(broken): Option<Vec<usize>> = broken else { break };
        left.retain(|guess| !broken.contains(guess));
    }
    let is_left = |place: &usize| left.contains(place);
    Some(
        guesses.into_iter().enumerate().filter(|(place, _)| is_left(place)).map(|(_, guess)| guess).collect(),
    )
}

/// A prime below 2^31: what vanishes for many states vanishes for them modulo this as well.
const PRIME: i64 = 2_147_483_647;

/// Limits of guesses: states that are looked at; counts, of single bases and of groups; bases of one guess; its highest weight.
const STATES_MAX: usize = 1_500;
const SINGLES_MAX: usize = 300;
const GROUPS_MAX: usize = 150;
const TERMS_MAX: usize = 300;
const WEIGHT_MAX: i64 = 200;

/// Guesses of sums that are the same in all states that were met, beside what is known.
pub(crate) fn guesses(groups: &FluentGroups, known: &[Invariant], states: &[&[u64]]) -> Vec<Invariant> {
    let step = states.len().div_ceil(STATES_MAX).max(1);
    let states: Vec<&[u64]> = states.iter().copied().step_by(step).collect();
    let features = features(groups, &states);
    let mut rows: Vec<Vec<i64>> = states
        .iter()
        .map(|row| {
            let count = |group: &Vec<usize>| group.iter().filter(|&&base| is_set(row, base)).count() as i64;
            [1].into_iter().chain(features.iter().map(count)).collect()
        })
        .collect();
    let pivots = reduce(&mut rows, features.len() + 1);
    let mut found = BTreeSet::new();
    for free in (1..=features.len()).filter(|column| !pivots.contains(column)) {
        let own =
            |(row, &feature): (usize, &usize)| FeatureWeight { feature, weight: PRIME - rows[row][free] };
        let column: Vec<FeatureWeight> =
            pivots.iter().enumerate().map(own).chain([FeatureWeight { feature: free, weight: 1 }]).collect();
        let Some(weights) = (1..=6).find_map(|scale| small(&column, scale)) else { continue };
        let mut by_base: BTreeMap<usize, i64> = BTreeMap::new();
        // The first feature is there always, and counts for the sum alone.
        for own in weights.iter().filter(|own| own.feature > 0) {
            for &base in &features[own.feature - 1] {
                *by_base.entry(base).or_insert(0) += own.weight;
            }
        }
        let terms = by_base.into_iter().filter(|&(_, weight)| weight != 0);
        let terms: Vec<Weighted> = terms.map(|(base, weight)| Weighted { base, weight }).collect();
        if (3..=TERMS_MAX).contains(&terms.len()) {
            found.insert(terms);
        }
    }
    let sum = |terms: &Vec<Weighted>| Invariant::Sum(total(states[0], terms), in_parts(terms, known));
    found.iter().map(sum).collect()
}

/// What is counted: single fluents that come one after the other, then groups, the small ones first.
fn features(groups: &FluentGroups, states: &[&[u64]]) -> Vec<Vec<usize>> {
    let is_single = |group: &&Vec<usize>| {
        let count = |row: &&&[u64]| group.iter().filter(|&&base| is_set(row, base)).count() > 1;
        group.len() <= 12 || !states.iter().any(|row| count(&row))
    };
    let singles = groups.named.iter().filter(is_single).flatten().map(|&base| vec![base]);
    let mut features: Vec<Vec<usize>> = singles.take(SINGLES_MAX).collect();
    let all: BTreeSet<&Vec<usize>> = groups.named.iter().chain(&groups.alike).collect();
    let mut all: Vec<&Vec<usize>> =
        all.into_iter().filter(|group| (3..=TERMS_MAX).contains(&group.len())).collect();
    all.sort_by_key(|group| group.len());
    // The large ones say most: where there are too many, the small ones are left out.
    let spare = all.len().saturating_sub(GROUPS_MAX);
    features.extend(all.into_iter().skip(spare).cloned());
    features
}

/// Brings rows into reduced echelon form modulo the prime; the column of the pivot of each row that is left.
fn reduce(rows: &mut Vec<Vec<i64>>, columns: usize) -> Vec<usize> {
    let mut pivots = Vec::new();
    for column in 0..columns {
        let Some(place) = (pivots.len()..rows.len()).find(|&row| rows[row][column] != 0) else { continue };
        let at = pivots.len();
        rows.swap(at, place);
        let inverse = power(rows[at][column], PRIME - 2);
        rows[at].iter_mut().for_each(|value| *value = *value * inverse % PRIME);
        let own = rows[at].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(number, _)| *number != at) {
            let factor = row[column];
            if factor != 0 {
                row.iter_mut().zip(&own).for_each(|(value, own)| {
                    *value = (*value + (PRIME - factor) * own) % PRIME;
                });
            }
        }
        pivots.push(column);
    }
    rows.truncate(pivots.len());
    pivots
}

fn power(base: i64, exponent: i64) -> i64 {
    let (mut result, mut square, mut rest) = (1, base % PRIME, exponent);
    while rest > 0 {
        if rest & 1 == 1 {
            result = result * square % PRIME;
        }
        square = square * square % PRIME;
        rest >>= 1;
    }
    result
}

/// A feature, by its number, and what each true base of it counts.
struct FeatureWeight {
    feature: usize,
    weight: i64,
}

/// The weights times so much as small whole numbers, if they are.
fn small(column: &[FeatureWeight], scale: i64) -> Option<Vec<FeatureWeight>> {
    let signed = |value: i64| if value > PRIME / 2 { value - PRIME } else { value };
    let scaled = column.iter().map(|own| FeatureWeight {
        feature: own.feature,
        weight: signed(own.weight % PRIME * scale % PRIME),
    });
    let scaled: Vec<FeatureWeight> = scaled.filter(|own| own.weight != 0).collect();
    scaled.iter().all(|own| own.feature == 0 || own.weight.abs() <= WEIGHT_MAX).then_some(scaled)
}
