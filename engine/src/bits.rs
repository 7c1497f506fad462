//! A set of small numbers, stored as words of bits.

/// A set of `usize`, one bit each. Two sets with the same members are equal whatever their history.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bits {
    /// Invariant: the last word is not zero.
    words: Vec<u64>,
}

impl Bits {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a member; true if it was not there.
    pub fn insert(&mut self, member: usize) -> bool {
        let (word, bit) = (member / 64, 1_u64 << (member % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let is_new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        is_new
    }

    /// Whether `member` is in the set.
    #[must_use]
    pub fn contains(&self, member: usize) -> bool {
        self.words.get(member / 64).is_some_and(|word| word >> (member % 64) & 1 == 1)
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.words)
    }
}

/// The positions of the ones in a row of bits, ascending: bit `b % 64` of word `b / 64` is position `b`.
pub fn ones(words: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let filled = words.iter().enumerate().filter(|(_, word)| **word != 0);
    filled.flat_map(|(index, &word)| {
        let mut rest = word;
        std::iter::from_fn(move || {
            let lowest = (rest != 0).then(|| rest.trailing_zeros() as usize)?;
            rest &= rest - 1;
            Some(index * 64 + lowest)
        })
    })
}

impl FromIterator<usize> for Bits {
    fn from_iter<I: IntoIterator<Item = usize>>(members: I) -> Self {
        let mut bits = Self::new();
        for member in members {
            bits.insert(member);
        }
        bits
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::Bits;

    proptest! {
        #[test]
        fn bits_are_a_set(members in prop::collection::vec(0_usize..500, 0..60)) {
            let bits: Bits = members.iter().copied().collect();
            let set: BTreeSet<usize> = members.iter().copied().collect();
            prop_assert_eq!(bits.iter().collect::<Vec<_>>(), set.iter().copied().collect::<Vec<_>>());
            prop_assert_eq!(bits.len(), set.len());
            prop_assert!((0..600).all(|member| bits.contains(member) == set.contains(&member)));
        }
    }
}
