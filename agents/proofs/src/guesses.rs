//! Guesses about every state that no sampled state contradicts.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, BTreeSet},
};

use crate::{
    counting::{COUNT_MAX, count},
    cube::{BaseValue, Cube},
    groups::FluentGroups,
    invariants::{Invariant, SomeOf},
    sample::{SampleLimits, StateSample},
};

/// Names of fluents that are told apart: more make too many guesses.
const NAMES_MAX: usize = 40;

/// Guesses that no state of a sample contradicts.
pub(crate) fn guesses(groups: &FluentGroups, bases: usize, sample: &StateSample) -> Vec<Invariant> {
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
    guesses.retain(|guess| guess.holds_in(sample));
    guesses
}

/// Of some guesses those that of a group at most one is true that say most, and that some is of these groups.
pub(crate) fn exactly_one(guesses: &[Invariant]) -> Vec<Invariant> {
    let mut groups: Vec<&Vec<usize>> = guesses
        .iter()
        .filter_map(|guess| if let Invariant::AtMostOne(group) = guess { Some(group) } else { None })
        .collect();
    groups.sort_by_key(|group| Reverse(group.len()));
    let mut largest: Vec<&Vec<usize>> = Vec::new();
    for group in groups {
        let is_in = |other: &&Vec<usize>| group.iter().all(|base| other.binary_search(base).is_ok());
        if !largest.iter().any(is_in) {
            largest.push(group);
        }
    }
    let is_told = |guess: &&Invariant| match guess {
        Invariant::AtMostOne(group) | Invariant::AtLeastOne(group) => largest.contains(&group),
        _ => false,
    };
    guesses.iter().filter(is_told).cloned().collect()
}

/// The most guesses about groups that are told apart by an argument.
const TOLD_GUESSES_MAX: usize = 10_000;

/// Guesses that of two or three groups told apart by an argument some or none is true, which no state of a sample of described rows
/// contradicts: a player whose turn it is has no card on the table; if the next one has, all others have.
pub(crate) fn told_guesses(groups: &FluentGroups, bases: usize, sample: &StateSample) -> Vec<Invariant> {
    let all = (0..groups.told.len())
        .flat_map(|number| [false, true].map(|is_true| BaseValue { base: bases + number, is_true }));
    // What is always so is guessed alone.
    let is_constant =
        |base| [true, false].iter().any(|&is_true| sample.is_absent(&[BaseValue { base, is_true }]));
    let values = Cube(all.filter(|value| !is_constant(value.base)).collect());
    let absent = sample.absent_within(
        &values,
        &SampleLimits { pairs_of: usize::MAX, triples_of: usize::MAX, sets: TOLD_GUESSES_MAX },
    );
    let either = |absent: Cube| {
        let denied = |value: BaseValue| SomeOf {
            group: groups.told[value.base - bases].clone(),
            is_some: !value.is_true,
        };
        Invariant::Either(absent.0.into_iter().map(denied).collect())
    };
    // That a group has some or none is no guess.
    let is_told = |absent: &Cube| absent.0.windows(2).all(|pair| pair[0].base != pair[1].base);
    absent.into_iter().filter(is_told).map(either).collect()
}

/// The most bases of a group that is counted.
const BASES_MAX: usize = 130;

/// The most groups of which counts are compared.
const GROUPS_MAX: usize = 400;

/// States in which counts are compared; whatever differs in others is found there.
const STATES_MAX: usize = 2_000;

/// Guesses about counts that no sampled state contradicts.
pub(crate) fn counted<'r>(groups: &FluentGroups, sample: impl Iterator<Item = &'r [u64]>) -> Vec<Invariant> {
    let states: Vec<&[u64]> = sample.take(STATES_MAX).collect();
    let mut by_counts: BTreeMap<Vec<usize>, Vec<Vec<usize>>> = BTreeMap::new();
    for group in candidates(groups) {
        let counts: Vec<usize> = states.iter().map(|row| count(row, &group).min(COUNT_MAX)).collect();
        by_counts.entry(counts).or_default().push(group);
    }
    let mut guesses = Vec::new();
    for (counts, alike) in by_counts {
        let (least, most) = (counts.iter().min(), counts.iter().max());
        match (least, most) {
            (Some(&least), Some(&most)) if least == most => {
                // One and none are said in simpler words.
                let is_told = (2..COUNT_MAX).contains(&most);
                guesses.extend(
                    alike.into_iter().filter(|_| is_told).map(|group| Invariant::Exactly(most, group)),
                );
            }
            _ => {
                let mut alike = alike.into_iter();
                let first = alike.next().expect("a group with these counts");
                guesses.extend(alike.map(|other| Invariant::Equal(first.clone(), other)));
            }
        }
    }
    guesses
}

/// Groups that may be counted: those of fluents that are alike, and two names together.
fn candidates(groups: &FluentGroups) -> BTreeSet<Vec<usize>> {
    let named = &groups.named[..groups.named.len().min(12)];
    let pairs = named.iter().enumerate().flat_map(|(place, one)| {
        named[place + 1..].iter().map(move |other| {
            let both: BTreeSet<usize> = one.iter().chain(other).copied().collect();
            both.into_iter().collect::<Vec<usize>>()
        })
    });
    let all = groups.named.iter().cloned().chain(pairs).chain(groups.alike.iter().cloned());
    all.filter(|group| (2..=BASES_MAX).contains(&group.len())).take(GROUPS_MAX).collect()
}
