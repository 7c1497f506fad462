//! Tuples of few different values as small numbers, without collisions.

/// The share of a value that no tuple had so far, and the address of a tuple with such a value.
pub(super) const NOWHERE: u32 = u32::MAX;

/// Addresses stay below `2^BITS_MAX`, and the values that have shares too: a table of this many
/// entries still fits in the cache of a processor.
const BITS_MAX: u32 = 16;

/// Different numbers for different tuples: the first value of each column has share 0 of the
/// address, the next one share 1, and so on, in a field of bits that the column has for itself.
#[derive(Clone, Debug)]
pub(super) struct Addresses {
    axes: Vec<Axis>,
    bits: u32,
}

/// The values of one column.
#[derive(Clone, Debug, Default)]
struct Axis {
    /// By value, its share of the address, in its place.
    shares: Vec<u32>,
    values: u32,
    shift: u32,
    bits: u32,
}

/// What became of addresses when a tuple was admitted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    /// All tuples have the addresses that they had.
    Kept,
    /// All tuples have other addresses now.
    Moved,
    /// There are too many different values for addresses.
    Refused,
}

impl Addresses {
    pub(super) fn new(columns: usize) -> Self {
        Self { axes: vec![Axis::default(); columns], bits: 0 }
    }

    /// All addresses are below this.
    pub(super) fn len(&self) -> usize {
        1 << self.bits
    }

    /// The address of a tuple; [`NOWHERE`] if it has a value that none had which was admitted.
    #[inline(always)]
    pub(super) fn of(&self, tuple: impl Iterator<Item = u32>) -> u32 {
        self.axes.iter().zip(tuple).fold(0, |address, (axis, value)| address | axis.share(value))
    }

    /// Gives every value of a tuple a share.
    pub(super) fn admit(&mut self, tuple: impl Iterator<Item = u32>) -> Admission {
        let mut admission = Admission::Kept;
        for (column, value) in tuple.enumerate() {
            if self.axes[column].share(value) != NOWHERE {
                continue;
            }
            if value >> BITS_MAX != 0 {
                return Admission::Refused;
            }
            if self.axes[column].is_full() {
                if self.bits == BITS_MAX {
                    return Admission::Refused;
                }
                self.widen(column);
                admission = Admission::Moved;
            }
            self.axes[column].add(value);
        }
        admission
    }

    /// Makes room for twice as many values in a column.
    fn widen(&mut self, column: usize) {
        self.bits += 1;
        self.axes[column].bits += 1;
        let mut shift = 0;
        for axis in &mut self.axes {
            axis.move_to(shift);
            shift += axis.bits;
        }
    }
}

impl Axis {
    #[inline(always)]
    fn share(&self, value: u32) -> u32 {
        self.shares.get(value as usize).copied().unwrap_or(NOWHERE)
    }

    fn is_full(&self) -> bool {
        self.values >> self.bits != 0
    }

    fn add(&mut self, value: u32) {
        let value = value as usize;
        if value >= self.shares.len() {
            self.shares.resize(value + 1, NOWHERE);
        }
        self.shares[value] = self.values << self.shift;
        self.values += 1;
    }

    fn move_to(&mut self, shift: u32) {
        for share in self.shares.iter_mut().filter(|share| **share != NOWHERE) {
            *share = *share >> self.shift << shift;
        }
        self.shift = shift;
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn different_tuples_have_different_addresses(
            tuples in prop::collection::vec((0_u32..40, 0_u32..9, 0_u32..3), 1..200),
        ) {
            let mut addresses = Addresses::new(3);
            let mut by_address = BTreeMap::new();
            for &(a, b, c) in &tuples {
                let before = addresses.of([a, b, c].into_iter());
                let admission = addresses.admit([a, b, c].into_iter());
                prop_assert_ne!(admission, Admission::Refused);
                if before != NOWHERE {
                    prop_assert_eq!(admission, Admission::Kept);
                }
            }
            for &tuple in &tuples {
                let (a, b, c) = tuple;
                let address = addresses.of([a, b, c].into_iter());
                prop_assert!((address as usize) < addresses.len());
                prop_assert_eq!(*by_address.entry(address).or_insert(tuple), tuple);
            }
            prop_assert_eq!(addresses.of([40, 0, 0].into_iter()), NOWHERE);
        }
    }

    #[test]
    fn too_many_values_are_refused() {
        let mut addresses = Addresses::new(2);
        let refused =
            (0..1000).find(|&value| addresses.admit([value, value].into_iter()) == Admission::Refused);
        assert_eq!(refused, Some(256));
        assert_eq!(Addresses::new(1).admit([1 << BITS_MAX].into_iter()), Admission::Refused);
    }
}
