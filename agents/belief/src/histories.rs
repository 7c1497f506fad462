//! Histories with their probabilities: the likeliest, and a sampler.

use croupier_engine::{Game, History, JointMove};
use rand_core::Rng;

use crate::distribution::unit_interval;

/// Histories that agree with what a role knows, and how likely each is.
#[derive(Clone, Debug, PartialEq)]
pub struct Histories {
    /// Invariant: at least one; probabilities positive and of sum one.
    entries: Vec<(History, f64)>,
    /// Invariant: the sum of the probabilities up to and with each entry.
    cumulative: Vec<f64>,
}

impl Histories {
    /// Histories with probabilities proportional to `weights`; `None` if no weight is positive.
    #[must_use]
    pub fn proportional(weighted: impl IntoIterator<Item = (History, f64)>) -> Option<Self> {
        let mut entries: Vec<(History, f64)> =
            weighted.into_iter().filter(|(_, weight)| *weight > 0.0).collect();
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

    /// All of them, in an order that means nothing but is always the same.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&History, f64)> {
        self.entries.iter().map(|(history, probability)| (history, *probability))
    }

    /// How many there are; at least one.
    #[must_use]
    pub fn histories_count(&self) -> usize {
        self.entries.len()
    }

    /// The `count` most likely, or all if there are fewer; equally likely ones by the print of their moves.
    #[must_use]
    pub fn most_likely(&self, game: &Game, count: usize) -> Vec<(&History, f64)> {
        let mut ranked: Vec<(&History, f64)> = self.iter().collect();
        ranked.sort_by(|(_, likely), (_, more_likely)| more_likely.total_cmp(likely));
        // Only those that are as likely as the last one wanted have to be printed.
        let last = ranked.get(count.saturating_sub(1)).map_or(0.0, |(_, probability)| *probability);
        ranked.truncate(ranked.partition_point(|(_, probability)| *probability >= last));
        ranked.sort_by_cached_key(|(history, probability)| {
            let print = |joint_move: &JointMove| {
                joint_move.moves().iter().map(|(_, &played)| game.move_text(played)).collect::<Vec<_>>()
            };
            let moves: Vec<_> = history.joint_moves.iter().map(print).collect();
            // Positive doubles compare like their bits.
            (std::cmp::Reverse(probability.to_bits()), moves)
        });
        ranked.truncate(count);
        ranked
    }

    /// A history drawn with its probability.
    pub fn sample(&self, rng: &mut impl Rng) -> &History {
        let point = unit_interval(rng) * self.cumulative[self.cumulative.len() - 1];
        let position = self.cumulative.partition_point(|&sum| sum <= point);
        &self.entries[position.min(self.entries.len() - 1)].0
    }
}
