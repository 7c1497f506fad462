//! Values with probabilities that sum to one, and a draw from them.

use croupier_engine::draw::unit_interval;
use rand_core::Rng;

/// Values and how likely each is.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Weighted<T> {
    /// Invariant: at least one; probabilities positive and of sum one.
    entries: Vec<(T, f64)>,
    /// Invariant: the sum of the probabilities up to and with each entry.
    cumulative: Vec<f64>,
}

impl<T> Weighted<T> {
    /// Probabilities proportional to `weights`, or `None` if no weight is positive; others are left out.
    pub(crate) fn proportional(weights: impl IntoIterator<Item = (T, f64)>) -> Option<Self> {
        let mut entries: Vec<(T, f64)> = weights.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
        let total: f64 = entries.iter().map(|(_, weight)| weight).sum();
        entries.iter_mut().for_each(|(_, weight)| *weight /= total);
        let mut sum = 0.0;
        let cumulative = entries.iter().map(|(_, probability)| {
            sum += probability;
            sum
        });
        let cumulative = cumulative.collect();
        (!entries.is_empty()).then_some(Self { entries, cumulative })
    }

    /// All of them, in the order in which they were given.
    pub(crate) fn entries(&self) -> &[(T, f64)] {
        &self.entries
    }

    /// The position of an entry drawn with its probability.
    pub(crate) fn sample_position(&self, rng: &mut impl Rng) -> usize {
        let point = unit_interval(rng) * self.cumulative[self.cumulative.len() - 1];
        self.cumulative.partition_point(|&sum| sum <= point).min(self.entries.len() - 1)
    }
}
