//! Iterations that look at a sample of the game: Monte Carlo CFR.

mod external;
mod outcome;

use croupier_engine::draw::{draw_index, unit_interval};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    form::SequenceForm,
    full::match_regrets,
    tables::Tables,
    tree::{GameTree, NodeId, OutcomeId},
};

pub(crate) use external::ExternalSampling;
pub(crate) use outcome::OutcomeSampling;

/// One player's part of one iteration.
///
/// Samples depend on each other by the regrets that they leave, so they are drawn one after the other, in one thread.
struct Sampler<'s> {
    tree: &'s GameTree,
    form: &'s SequenceForm,
    tables: &'s mut Tables,
    rng: &'s mut ChaCha8Rng,
    /// Who takes in regrets: a position among the players.
    player: usize,
}

/// The draws of one iteration: a stream of its own, so that work can be taken up anywhere.
pub(crate) fn stream(seed: [u8; 32], iteration: u64) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::from_seed(seed);
    rng.set_stream(iteration);
    rng
}

impl Sampler<'_> {
    /// What the end of a match is worth to the player, beyond the middle of its goals.
    fn worth(&self, outcome: OutcomeId) -> f64 {
        f64::from(self.tree.goals(outcome)[self.player].value()) - self.form.players[self.player].middle
    }

    /// A move of chance: the node after it.
    fn chance(&mut self, moves: usize, first_child: NodeId) -> NodeId {
        first_child.plus(draw_index(moves, self.rng))
    }

    /// Puts what the regrets say should be played into `strategy`.
    fn strategy(&self, sequences: std::ops::Range<usize>, strategy: &mut Vec<f64>) {
        strategy.clear();
        strategy.resize(sequences.len(), 0.0);
        match_regrets(&self.tables.regrets[sequences], strategy);
    }

    /// A position, each as likely as it says.
    fn draw(&mut self, probabilities: &[f64]) -> usize {
        let mut point = unit_interval(self.rng);
        let reached = probabilities.iter().position(|&probability| {
            point -= probability;
            point < 0.0
        });
        // Rounding may leave a point behind the last move that can be played.
        let last = probabilities.iter().rposition(|&probability| probability > 0.0);
        reached.or(last).expect("probabilities have the sum one")
    }
}
