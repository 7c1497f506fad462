//! The fluents of a state: as bits, or as a list if that takes less memory.
//!
//! A game may have a hundred thousand fluents of which a state has three. As bits each state would take 12 KB, and
//! enumerating the states would take time and memory quadratic in the number of fluents.

use crate::{bits::ones, id::FluentId};

/// A set of fluents. Two sets with the same members are equal, however they were built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Fluents {
    /// A bit for each fluent up to the last; the last word is not zero.
    Bits(Box<[u64]>),
    /// The members, ascending; invariant: uses fewer bytes than the words would.
    List(Box<[u32]>),
}

impl Fluents {
    /// The set of these fluents, in any order, without repetitions.
    pub(super) fn of(members: impl Iterator<Item = FluentId>) -> Self {
        let mut list: Vec<u32> = members.map(raw).collect();
        let words = list.iter().max().map_or(0, |&last| last as usize / 64 + 1);
        if list.len() >= 2 * words {
            return Self::Bits(bits(&list, words));
        }
        list.sort_unstable();
        debug_assert!(list.is_sorted_by(|one, next| one < next), "no fluent comes twice");
        Self::List(list.into())
    }

    pub(super) fn contains(&self, fluent: FluentId) -> bool {
        match self {
            Self::Bits(words) => {
                words.get(fluent.index() / 64).is_some_and(|word| word >> (fluent.index() % 64) & 1 == 1)
            }
            Self::List(list) => list.binary_search(&raw(fluent)).is_ok(),
        }
    }

    /// The members, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = FluentId> + '_ {
        let (words, list): (&[u64], &[u32]) = match self {
            Self::Bits(words) => (words, &[]),
            Self::List(list) => (&[], list),
        };
        let members = ones(words).chain(list.iter().map(|&member| member as usize));
        members.map(|index| FluentId::new(index).expect("fluents were counted when interned"))
    }
}

fn raw(fluent: FluentId) -> u32 {
    u32::try_from(fluent.index()).expect("ids have 32 bits")
}

fn bits(members: &[u32], words: usize) -> Box<[u64]> {
    let mut bits = vec![0; words].into_boxed_slice();
    for &member in members {
        bits[member as usize / 64] |= 1 << (member % 64);
    }
    bits
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    fn fluents(members: impl Iterator<Item = usize>) -> Fluents {
        Fluents::of(members.map(|member| FluentId::new(member).expect("a small number")))
    }

    proptest! {
        #[test]
        fn fluents_are_a_set_in_whatever_order_they_come(
            members in prop::collection::vec(0_usize..2_000, 0..200),
            span in 1_usize..2_000,
        ) {
            let set: BTreeSet<usize> = members.iter().map(|member| member % span).collect();
            let found = fluents(set.iter().copied());
            prop_assert_eq!(found.iter().map(FluentId::index).collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
            let is_right = |member: usize| {
                found.contains(FluentId::new(member).expect("a small number")) == set.contains(&member)
            };
            prop_assert!((0..span).all(is_right));
            prop_assert_eq!(&found, &fluents(set.iter().rev().copied()));
        }
    }

    #[test]
    fn few_fluents_of_very_many_take_little_memory() {
        let bytes = |fluents: &Fluents| match fluents {
            Fluents::Bits(words) => size_of_val::<[u64]>(words),
            Fluents::List(list) => size_of_val::<[u32]>(list),
        };
        assert_eq!(bytes(&fluents([1, 64_000, 99_999].into_iter())), 12);
        assert_eq!(bytes(&fluents(0..640)), 80);
        assert_eq!(bytes(&fluents([0].into_iter())), 4);
    }
}
