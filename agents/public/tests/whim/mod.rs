//! An arbitrary policy, for tests.

use std::hash::{DefaultHasher, Hash, Hasher};

use croupier_belief::Policy;
use croupier_engine::{InformationSet, MoveId};

/// Plays every move with a probability that depends on nothing but what the player knows, the move, and a number.
#[derive(Debug)]
pub(crate) struct Whim(pub(crate) u64);

impl Policy for Whim {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let weight = |place: usize| {
            let mut hasher = DefaultHasher::new();
            (self.0, known, place).hash(&mut hasher);
            1.0 + (hasher.finish() % 97) as f64
        };
        let weights: Vec<f64> = (0..legal.len()).map(weight).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }
}
