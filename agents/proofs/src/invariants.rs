//! What is guessed of every state that can be reached: fluents of which exactly one is true, or none ever.

use croupier_engine::stages::propnet::{Gates, Wire};

use crate::{
    counting::{are_equal, at_least, count, equal, exactly},
    interner::is_set,
    sample::{SampleBits, StateSample},
    sums::{Weighted, counts, total},
};

/// States of a sample in which what takes long is counted.
const COUNTED_STATES: usize = 256;

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

/// What holds in every state that can be reached.
#[derive(Debug, Default)]
pub(crate) struct KnownInvariants {
    pub(crate) plain: Vec<Invariant>,
    pub(crate) sums: Vec<Invariant>,
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

    /// Whether all of these states have it, as far as they are looked at.
    pub(crate) fn holds_in(&self, states: &StateSample) -> bool {
        let has = |parts: &[SomeOf]| {
            let bits: Vec<Vec<u64>> = parts.iter().map(|part| states.some(&part.group)).collect();
            let denied =
                parts.iter().zip(&bits).map(|(part, bits)| SampleBits { bits, is_true: !part.is_some });
            states.has(&denied.collect::<Vec<_>>())
        };
        let some = |group: &[usize], is_some| [SomeOf { group: group.to_vec(), is_some }];
        match self {
            Self::AtMostOne(group) => !states.has_two(group),
            Self::AtLeastOne(group) => !has(&some(group, true)),
            Self::Always(base, value) => !has(&some(&[*base], *value)),
            Self::Either(parts) => !has(parts),
            Self::Exactly(..) | Self::Equal(..) | Self::Sum(..) => {
                states.rows(COUNTED_STATES).all(|row| self.holds(&row))
            }
        }
    }

    /// How many bases of a group can be true at once, as it says.
    pub(crate) fn most(&self, group: &[usize]) -> Option<usize> {
        let is_whole = |own: &[usize]| group.iter().all(|base| own.contains(base));
        match self {
            Self::AtMostOne(own) if is_whole(own) => Some(1),
            Self::Exactly(count, own) if is_whole(own) => Some(*count),
            Self::Sum(wanted, parts) => most_of_sum(*wanted, parts, group),
            _ => None,
        }
    }

    /// Of how many bases it says something.
    pub(crate) fn bases_count(&self) -> usize {
        match self {
            // There are many, and they seldom help.
            Self::Always(..) => usize::MAX,
            Self::AtMostOne(group) | Self::AtLeastOne(group) | Self::Exactly(_, group) => group.len(),
            Self::Either(parts) => parts.iter().map(|part| part.group.len()).sum(),
            Self::Equal(one, other) => one.len() + other.len(),
            Self::Sum(_, parts) => parts.iter().map(Vec::len).sum(),
        }
    }

    /// Whether it says something of one group alone, without counting: there are few such, and what else is guessed often needs them.
    pub(crate) fn is_simple(&self) -> bool {
        matches!(self, Self::AtMostOne(_) | Self::AtLeastOne(_) | Self::Always(..))
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

/// How many bases of a group can be true if all true bases count so much: what counts the other way leaves room for more, at most one of each part.
fn most_of_sum(wanted: i64, parts: &[Vec<Weighted>], group: &[usize]) -> Option<usize> {
    let weight = |base: &usize| Some(parts.iter().flatten().find(|term| term.base == *base)?.weight);
    let weights: Vec<i64> = group.iter().map(weight).collect::<Option<_>>()?;
    let sign = weights.first()?.signum();
    let least = weights.iter().map(|weight| weight * sign).min().filter(|&least| least > 0)?;
    let against =
        |part: &Vec<Weighted>| part.iter().map(|term| -term.weight * sign).max().unwrap_or(0).max(0);
    let room = wanted * sign + parts.iter().map(against).sum::<i64>();
    Some(usize::try_from(room / least).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::{collection::vec, prelude::*};

    use super::{Invariant, SomeOf};
    use crate::{
        counting::count,
        sample::StateSample,
        sums::{Weighted, total},
    };

    fn group() -> impl Strategy<Value = Vec<usize>> {
        proptest::sample::subsequence((0..10).collect::<Vec<usize>>(), 1..=5)
    }

    fn guess() -> impl Strategy<Value = Invariant> {
        let some = (group(), any::<bool>()).prop_map(|(group, is_some)| SomeOf { group, is_some });
        prop_oneof![
            group().prop_map(Invariant::AtMostOne),
            group().prop_map(Invariant::AtLeastOne),
            (0..10_usize, any::<bool>()).prop_map(|(base, value)| Invariant::Always(base, value)),
            vec(some, 2..4).prop_map(Invariant::Either),
            (0..4_usize, group()).prop_map(|(count, group)| Invariant::Exactly(count, group)),
            (group(), group()).prop_map(|(one, other)| Invariant::Equal(one, other)),
        ]
    }

    proptest! {
        #[test]
        fn a_sample_has_what_each_of_its_states_has(
            rows in vec(0..1_u64 << 10, 1..150), always in 0..1_u64 << 10, never in 0..1_u64 << 10, guess in guess(),
        ) {
            // Few guesses hold of states that have nothing in common.
            let rows: Vec<[u64; 1]> = rows.into_iter().map(|row| [(row | always) & !never]).collect();
            let sample = StateSample::new(10, rows.iter().map(|row| row.to_vec()));
            prop_assert_eq!(guess.holds_in(&sample), rows.iter().all(|row| guess.holds(row)));
        }

        #[test]
        fn no_more_bases_are_true_than_a_sum_leaves_room_for(
            parts in vec((any::<bool>(), vec(1..4_i64, 1..4), 0..4_usize), 1..6), group in vec(0..20_usize, 1..6),
        ) {
            // Of each part the base at some place is true, or none.
            let (mut terms, mut row, mut base) = (Vec::new(), [0_u64], 0);
            for (is_positive, weights, place) in parts {
                let sign = if is_positive { 1 } else { -1 };
                let own = weights.iter().zip(base..).map(|(weight, base)| Weighted { base, weight: weight * sign });
                let own: Vec<Weighted> = own.collect();
                row[0] |= own.get(place).map_or(0, |term| 1 << term.base);
                base += own.len();
                terms.push(own);
            }
            let sum = Invariant::Sum(total(&row, &terms.concat()), terms);
            prop_assert!(sum.holds(&row));
            let group: BTreeSet<usize> = group.into_iter().map(|place| place % base).collect();
            let group: Vec<usize> = group.into_iter().collect();
            if let Some(most) = sum.most(&group) {
                prop_assert!(count(&row, &group) <= most);
            }
        }
    }
}
