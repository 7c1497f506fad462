//! What iterations remember of a player's information sets.

use std::{
    ops::Range,
    sync::atomic::{AtomicU64, Ordering},
};

use super::Worth;
use crate::full::RegretDiscount;

/// A number for each probability of a player's [`SetTree`](super::sets::SetTree). Threads of one walk come to different
/// information sets, so a number has one thread at a time.
#[derive(Debug)]
pub(super) struct Regrets(Vec<AtomicU64>);

impl Regrets {
    /// Nothing is regretted yet.
    pub(super) fn new(places: usize) -> Self {
        Self((0..places).map(|_| AtomicU64::new(0)).collect())
    }

    /// Adds what is regretted of not having made each move of an information set, where the strategy came to `value`.
    pub(super) fn learn(&self, row: Range<usize>, moves: &[Worth], value: f64, kept: RegretDiscount) {
        for (regret, worth) in self.0[row].iter().zip(moves) {
            let before = f64::from_bits(regret.load(Ordering::Relaxed));
            let after = kept.of(before + worth.value - value);
            regret.store(after.to_bits(), Ordering::Relaxed);
        }
    }

    /// The regrets of an information set.
    pub(super) fn read(&self, row: Range<usize>, regrets: &mut Vec<f64>) {
        regrets.clear();
        let read = |regret: &AtomicU64| f64::from_bits(regret.load(Ordering::Relaxed));
        regrets.extend(self.0[row].iter().map(read));
    }
}
