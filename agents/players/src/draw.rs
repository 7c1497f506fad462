//! Draws of a move from a mixed strategy.

use croupier_engine::{
    MoveId,
    draw::{draw_index, unit_interval},
};
use rand_core::Rng;

use crate::Decision;

/// A move drawn by a strategy, whose probabilities have the sum one but for rounding.
pub(crate) fn drawn(moves: Vec<MoveId>, strategy: Vec<f64>, rng: &mut impl Rng) -> Decision {
    let mut point = unit_interval(rng) * strategy.iter().sum::<f64>();
    let reached = strategy.iter().position(|&probability| {
        point -= probability;
        point < 0.0
    });
    // Rounding may leave a point behind the last move that can be played.
    let last = || strategy.iter().rposition(|&probability| probability > 0.0);
    let chosen = reached.or_else(last).expect("probabilities have the sum one");
    Decision::mixed(moves, chosen, strategy)
}

/// A move drawn with the same probability for each.
pub(crate) fn drawn_uniformly(moves: Vec<MoveId>, rng: &mut impl Rng) -> Decision {
    let place = draw_index(moves.len(), rng);
    let strategy = vec![1.0 / moves.len() as f64; moves.len()];
    Decision::mixed(moves, place, strategy)
}
