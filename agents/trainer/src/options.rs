//! How much a trainer computes, and why it may have no answer.

use croupier_belief::{BeliefError, Detail, ExactOptions, Methods, ParticleOptions};
use croupier_players::{PlayerError, ResolveOptions};
use thiserror::Error;

/// How much a [`Trainer`](crate::Trainer) computes. With the same options it always gives the same answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrainerOptions {
    /// How beliefs are worked out. They keep histories, because a model of the others depends on what these know.
    pub methods: Methods,
    /// How much is solved to know the strategy of the best player, and searched where there is none.
    pub resolve: ResolveOptions,
    /// Histories that may follow a decision if all of them are counted.
    pub histories_max: u64,
    /// Playouts for each move where there are more.
    pub playouts: u32,
    /// Playouts of how the match ends if everybody checks and calls, spread over all states: one of each at least; 0 for none.
    pub prospects: u64,
    /// What playouts and particles are drawn with.
    pub seed: [u8; 32],
}

impl TrainerOptions {
    /// For a view beside a match: an answer within about a second where rules are of usual size. Games are not solved by deals, which
    /// takes longer.
    #[must_use]
    pub const fn brief(seed: [u8; 32]) -> Self {
        Self {
            methods: methods(20_000, 200_000, 1_000, seed),
            resolve: ResolveOptions { deals: 0, histories: 40_000, ..ResolveOptions::STANDARD },
            histories_max: 100_000,
            playouts: 256,
            prospects: 16_384,
            seed,
        }
    }

    /// For whoever has some seconds.
    #[must_use]
    pub const fn thorough(seed: [u8; 32]) -> Self {
        Self {
            methods: methods(Methods::EXACT.histories_max, Methods::EXACT.joint_moves_max, 2_000, seed),
            resolve: ResolveOptions::STANDARD,
            histories_max: 1_000_000,
            playouts: 1_024,
            prospects: 131_072,
            seed,
        }
    }
}

const fn methods(histories_max: usize, joint_moves_max: u64, particles: usize, seed: [u8; 32]) -> Methods {
    Methods {
        exact: Some(ExactOptions { histories_max, joint_moves_max, detail: Detail::Histories }),
        sample: Some((ParticleOptions { particles, ..ParticleOptions::STANDARD }, seed)),
    }
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrainerError {
    /// Nothing can be believed.
    #[error(transparent)]
    Belief(#[from] BeliefError),
    /// The best player has no move.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// Whoever asked no longer wants to know.
    #[error("the computation was interrupted")]
    Interrupted,
}

impl From<croupier_engine::GameError> for TrainerError {
    fn from(error: croupier_engine::GameError) -> Self {
        Self::Belief(error.into())
    }
}
