//! Strategies for games that are too large for a tree, in which chance only deals.

mod clock;
mod machine;
mod vocabulary;
mod move_tree;
mod likeness;
mod rollout;
mod buckets;
mod abstraction;
mod walk;
mod consistent;
mod passive;
mod local;
mod ends;
mod paired;
mod response;
mod blueprint;
mod solver;
mod exploiter;

use croupier_engine::RoleId;
use thiserror::Error;

pub use blueprint::{BLUEPRINT_MAGIC, Blueprint, BlueprintEntry, BlueprintError};
pub use exploiter::{Exploited, Exploiter};
pub use local::{LocalBestResponse, LocalResult};
pub use move_tree::MoveTree;
pub use solver::AbstractSolver;
pub use walk::DealSampling;

use machine::LANES;

/// Why a game cannot be taken apart into a deal and the players' moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum DealError {
    /// The tape of a network is needed.
    #[error("the rules cannot be compiled to a network, so deals cannot be played in parallel")]
    NoNetwork,
    /// The tree of the players' moves is too large.
    #[error("the players' moves alone form more than {nodes_max} histories")]
    TooLarge {
        /// The bound.
        nodes_max: usize,
    },
    /// The legal moves depend on the deal.
    #[error("the legal moves depend on earlier moves of chance")]
    LegalMoves {
        /// The role of the legal moves.
        role: RoleId,
    },
    /// A player has no legal move.
    #[error("a player has no legal move in some state")]
    Stuck {
        /// Who.
        role: RoleId,
    },
    /// Whether the match is over depends on the deal.
    #[error("the end of a match depends on earlier moves of chance")]
    Ends,
    /// A player is told of the deal together with moves.
    #[error("what a player is told about moves depends on earlier moves of chance")]
    Percepts {
        /// Who.
        role: RoleId,
    },
    /// A player cannot know its legal moves.
    #[error("a player cannot know its legal moves")]
    UnknownMoves {
        /// Who.
        role: RoleId,
    },
    /// A match ends without a goal for a player.
    #[error("a match ends without a goal for a player")]
    NoGoal {
        /// Who.
        role: RoleId,
    },
    /// There was no time left.
    #[error("the players' moves were not all followed in time")]
    Interrupted,
    /// Some move of chance is too rare to be met.
    #[error("some move of chance is too rare to occur in many deals")]
    Rare,
}
