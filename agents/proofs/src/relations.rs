//! Guesses about two fluents, or a fluent and a group, that rules are likely to keep together: whose arguments are the same, such as the
//! amazon on a square and the arrow on it; that differ in one argument alone, such as the second copy of a card and the first; or of which one
//! is among few of its name, such as whose turn it is.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    groups::FluentGroups,
    invariants::{Invariant, SomeOf},
    sample::{SampleBits, StateSample},
};

/// How many fluents a name may have to be compared with all others, and how many may differ in one argument.
const FEW: usize = 8;

/// The most arguments of a fluent of which all choices are looked at.
const ARGUMENTS_MAX: usize = 5;

/// The most guesses.
const GUESSES_MAX: usize = 12_000;

/// Two groups that may depend on each other.
type RelatedPair = [Vec<usize>; 2];

/// By name and places of arguments, as bits.
type PlaceGroups<'w> = BTreeMap<(&'w str, u32), Vec<usize>>;

/// Guesses that no state of a sample contradicts, and that are not known.
pub(crate) fn related_guesses(
    groups: &FluentGroups,
    known: &[Invariant],
    sample: &StateSample,
) -> Vec<Invariant> {
    let mut found = BTreeSet::new();
    let alone: Vec<&Vec<usize>> = known
        .iter()
        .filter_map(|invariant| if let Invariant::AtMostOne(group) = invariant { Some(group) } else { None })
        .collect();
    let bits = |group: &[usize]| sample.some(group);
    for [one, other] in [same_arguments(groups), siblings(groups), with_few(groups)].into_iter().flatten() {
        let (first, second) = (bits(&one), bits(&other));
        let varies =
            |bits: &[u64]| [false, true].iter().all(|&is_true| sample.has(&[SampleBits { bits, is_true }]));
        if !varies(&first) || !varies(&second) {
            continue;
        }
        for [is_one, is_other] in [[true, true], [true, false], [false, true], [false, false]] {
            let is_known = || {
                let are_in = |group: &[usize]| one.iter().chain(&other).all(|base| group.contains(base));
                is_one && is_other && alone.iter().any(|group| are_in(group))
            };
            let of = |bits, is_true| SampleBits { bits, is_true };
            if sample.has(&[of(&first, is_one), of(&second, is_other)]) || is_known() {
                continue;
            }
            let denied =
                |group: &Vec<usize>, is_some: bool| SomeOf { group: group.clone(), is_some: !is_some };
            found.insert(Invariant::Either(vec![denied(&one, is_one), denied(&other, is_other)]));
            if found.len() >= GUESSES_MAX {
                return found.into_iter().collect();
            }
        }
    }
    found.into_iter().collect()
}

/// Each fluent, and fluents of other names with all its arguments among theirs, in the same order.
fn same_arguments(groups: &FluentGroups) -> Vec<RelatedPair> {
    // By the words in some places, each in its order.
    let mut by_words: BTreeMap<Vec<&str>, PlaceGroups<'_>> = BTreeMap::new();
    for (base, words) in groups.words.iter().enumerate() {
        let arguments = words.len() - 1;
        if arguments > ARGUMENTS_MAX {
            continue;
        }
        for places in 1_u32..1 << arguments {
            let chosen = (0..arguments).filter(|place| places >> place & 1 == 1);
            let key: Vec<&str> = chosen.map(|place| words[place + 1].as_str()).collect();
            by_words.entry(key).or_default().entry((&words[0], places)).or_default().push(base);
        }
    }
    let mut pairs = Vec::new();
    for (base, words) in groups.words.iter().enumerate() {
        let key: Vec<&str> = words[1..].iter().map(String::as_str).collect();
        for ((name, _), group) in by_words.get(&key).into_iter().flatten() {
            if *name != words[0] {
                pairs.push([vec![base], group.clone()]);
            }
        }
    }
    pairs
}

/// Fluents that differ in one argument, if few do.
fn siblings(groups: &FluentGroups) -> Vec<RelatedPair> {
    let mut by_rest: BTreeMap<(usize, Vec<&str>), Vec<usize>> = BTreeMap::new();
    for (base, words) in groups.words.iter().enumerate() {
        for place in 1..words.len() {
            let rest = (0..words.len()).filter(|&other| other != place).map(|other| words[other].as_str());
            by_rest.entry((place, rest.collect())).or_default().push(base);
        }
    }
    let mut pairs = Vec::new();
    for group in by_rest.values().filter(|group| group.len() <= FEW) {
        for (place, &one) in group.iter().enumerate() {
            pairs.extend(group[place + 1..].iter().map(|&other| [vec![one], vec![other]]));
        }
    }
    pairs
}

/// Each fluent whose name has few, and every fluent of another name.
fn with_few(groups: &FluentGroups) -> Vec<RelatedPair> {
    let few: Vec<usize> = groups.named.iter().filter(|named| named.len() <= FEW).flatten().copied().collect();
    let mut pairs = Vec::new();
    for &one in &few {
        for other in 0..groups.words.len() {
            let is_turned = few.contains(&other) && other < one;
            if groups.words[one][0] != groups.words[other][0] && !is_turned {
                pairs.push([vec![one], vec![other]]);
            }
        }
    }
    pairs
}
