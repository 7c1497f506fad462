//! An arbitrary policy, for tests.

use std::sync::Arc;

use croupier_belief::Policy;
use croupier_engine::{Game, InformationSet, MoveId};

/// Plays every move with a probability that depends on nothing but what the player knows, the move, and a number.
#[derive(Debug)]
pub(crate) struct Whim {
    pub(crate) game: Arc<Game>,
    pub(crate) number: u64,
}

impl Policy for Whim {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let text = self.game.information_set_text(known);
        let weight = |played: &MoveId| {
            let played = self.game.move_text(*played);
            let mixed = text.bytes().chain(played.bytes()).fold(self.number, |mixed, byte| {
                (mixed ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3).rotate_left(23)
            });
            1.0 + (mixed % 97) as f64
        };
        let weights: Vec<f64> = legal.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        weights.into_iter().map(|weight| weight / total).collect()
    }
}
