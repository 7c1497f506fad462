//! Guesses of sums: vectors that all states which were met are orthogonal to.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    groups::FluentGroups,
    interner::is_set,
    invariants::Invariant,
    sums::{Weighted, in_parts, total},
};

/// A prime below 2^31: what vanishes for many states vanishes for them modulo this as well.
const PRIME: i64 = 2_147_483_647;

/// Limits of guesses: states that are looked at; counts, of single bases and of groups; bases of one guess; its highest weight.
const STATES_MAX: usize = 1_500;
const SINGLES_MAX: usize = 300;
const GROUPS_MAX: usize = 150;
const TERMS_MAX: usize = 300;
const WEIGHT_MAX: i64 = 200;

/// What sums are guessed with.
#[derive(Clone, Copy)]
pub(crate) struct SumBasis<'b> {
    /// What is true of every state.
    pub(crate) known: &'b [Invariant],
    /// What is true of every state that was met.
    pub(crate) open: &'b [Invariant],
}

/// Guesses of sums that are the same in all states that were met, beside what is known.
pub(crate) fn sum_guesses(groups: &FluentGroups, basis: SumBasis<'_>, states: &[&[u64]]) -> Vec<Invariant> {
    let states = telling(groups.words.len(), states);
    let mut found: BTreeSet<Vec<Weighted>> =
        orthogonal(&features(groups, &states), &states, SCALE_MAX).into_iter().collect();
    let of_singles = orthogonal(&singles(groups, &states), &states, SINGLES_SCALE_MAX);
    found.extend(of_singles.iter().map(|terms| simpler(terms, basis)));
    found.retain(|terms| (3..=TERMS_MAX).contains(&terms.len()));
    let sum = |terms: &Vec<Weighted>| Invariant::Sum(total(states[0], terms), in_parts(terms, basis.known));
    found.iter().map(sum).collect()
}

/// Some of these states, the first among them, and among them one in which each base is true that ever is: of large numbers, which are rare, it is
/// told what they count.
fn telling<'r>(bases: usize, states: &[&'r [u64]]) -> Vec<&'r [u64]> {
    let step = states.len().div_ceil(STATES_MAX).max(1);
    let (mut chosen, mut others) = (Vec::new(), Vec::new());
    for (place, row) in states.iter().copied().enumerate() {
        (if place % step == 0 { &mut chosen } else { &mut others }).push(row);
    }
    let mut is_met: Vec<bool> = (0..bases).map(|base| chosen.iter().any(|row| is_set(row, base))).collect();
    for row in others {
        let is_new = |base: &usize| !is_met[*base] && is_set(row, *base);
        let new: Vec<usize> = (0..bases).filter(is_new).collect();
        if !new.is_empty() {
            chosen.push(row);
            new.into_iter().for_each(|base| is_met[base] = true);
        }
    }
    chosen
}

/// Weights of features so that all states that were met count the same: small whole numbers, once they are taken so many times at most.
fn orthogonal(features: &[Vec<usize>], states: &[&[u64]], scale_max: i64) -> Vec<Vec<Weighted>> {
    let mut rows: Vec<Vec<i64>> = states
        .iter()
        .map(|row| {
            let count = |group: &Vec<usize>| group.iter().filter(|&&base| is_set(row, base)).count() as i64;
            [1].into_iter().chain(features.iter().map(count)).collect()
        })
        .collect();
    let pivots = reduce(&mut rows, features.len() + 1);
    let mut found = Vec::new();
    for free in (1..=features.len()).filter(|column| !pivots.contains(column)) {
        let own =
            |(row, &feature): (usize, &usize)| FeatureWeight { feature, weight: PRIME - rows[row][free] };
        let column: Vec<FeatureWeight> =
            pivots.iter().enumerate().map(own).chain([FeatureWeight { feature: free, weight: 1 }]).collect();
        let Some(weights) = (1..=scale_max).find_map(|scale| small(&column, scale)) else { continue };
        let mut by_base: BTreeMap<usize, i64> = BTreeMap::new();
        // The first feature is there always, and counts for the sum alone.
        for own in weights.iter().filter(|own| own.feature > 0) {
            for &base in &features[own.feature - 1] {
                *by_base.entry(base).or_insert(0) += own.weight;
            }
        }
        found.push(terms_of(by_base));
    }
    found
}

fn terms_of(by_base: BTreeMap<usize, i64>) -> Vec<Weighted> {
    let terms = by_base.into_iter().filter(|&(_, weight)| weight != 0);
    terms.map(|(base, weight)| Weighted { base, weight }).collect()
}

/// The same sum but for a constant, if what is open is so: of fluents of which exactly one is true, all weights may be taken less by the least, so that numbers count what
/// they are.
fn simpler(terms: &[Weighted], SumBasis { known, open }: SumBasis<'_>) -> Vec<Weighted> {
    let mut by_base: BTreeMap<usize, i64> = terms.iter().map(|term| (term.base, term.weight)).collect();
    for invariant in known.iter().chain(open) {
        let Invariant::AtLeastOne(group) = invariant else { continue };
        let is_whole = group.len() > 2 && group.iter().any(|base| by_base.contains_key(base));
        if !is_whole || !known.contains(&Invariant::AtMostOne(group.clone())) {
            continue;
        }
        let weight = |base: &usize| by_base.get(base).copied().unwrap_or(0);
        let (least, most) = (group.iter().map(weight).min(), group.iter().map(weight).max());
        let (least, most) = (least.unwrap_or(0), most.unwrap_or(0));
        let shift = if most.abs() > least.abs() { least } else { most };
        // What has no weight for the most part is left.
        if group.iter().filter(|&base| weight(base) != 0).count() * 2 > group.len() {
            group.iter().for_each(|&base| *by_base.entry(base).or_insert(0) -= shift);
        }
    }
    terms_of(by_base)
}

/// All single fluents that are true in some of these states and false in others; none if there are too many.
fn singles(groups: &FluentGroups, states: &[&[u64]]) -> Vec<Vec<usize>> {
    let varies = |base: &usize| {
        let count = states.iter().filter(|row| is_set(row, *base)).count();
        (1..states.len()).contains(&count)
    };
    let found: Vec<Vec<usize>> = (0..groups.words.len()).filter(varies).map(|base| vec![base]).collect();
    if found.len() <= ALL_SINGLES_MAX { found } else { Vec::new() }
}

/// How many times weights may be taken. Of numbers the difference of any two may come up, whichever come last.
const SCALE_MAX: i64 = 6;
const SINGLES_SCALE_MAX: i64 = 60;

/// The most single fluents of which all are counted.
const ALL_SINGLES_MAX: usize = 450;

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
