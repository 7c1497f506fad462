//! Sets of states that have some bases in common.

use crate::interner::is_set;

/// A base and its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct BaseValue {
    pub(crate) base: usize,
    pub(crate) is_true: bool,
}

/// All states in which these bases, ascending, have these values.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Cube(pub(crate) Vec<BaseValue>);

impl Cube {
    /// Whether a state is in it.
    pub(crate) fn contains(&self, row: &[u64]) -> bool {
        self.0.iter().all(|value| is_set(row, value.base) == value.is_true)
    }

    /// Whether all states of another are in it.
    pub(crate) fn includes(&self, other: &Self) -> bool {
        let mut others = other.0.iter();
        self.0.len() <= other.0.len() && self.0.iter().all(|value| others.any(|other| other == value))
    }

    /// The set of those that need not have this value.
    pub(crate) fn without(&self, value: BaseValue) -> Self {
        Self(self.0.iter().copied().filter(|&other| other != value).collect())
    }
}
