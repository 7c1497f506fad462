//! What keeps matches from being played in lanes.

use croupier_engine::RoleId;
use thiserror::Error;

/// Why there is no environment, or it cannot continue.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrainingError {
    /// The rules are too large for a network.
    #[error("the rules cannot be compiled to a network, so matches cannot be played in parallel")]
    NoNetwork,
    /// No match.
    #[error("at least one lane is needed")]
    NoLanes,
    /// More memory than there is.
    #[error("{lanes} lanes with these features need about {} GB of memory, more than there is", bytes.div_ceil(1_000_000_000))]
    TooLarge {
        /// Lanes that were asked for.
        lanes: usize,
        /// Bytes that they need, about.
        bytes: u64,
    },
    /// The number of seats does not match the game.
    #[error("there are {found} seats, but {players} players")]
    Seats {
        /// Seats that were given.
        found: usize,
        /// Players of the game.
        players: usize,
    },
    /// No player in an open seat ever has a choice.
    #[error("no player in an open seat ever has a choice")]
    NoChoice,
    /// An array has the wrong size.
    #[error("{name} has {found} numbers, but needs {wanted}")]
    Size {
        /// Which array.
        name: &'static str,
        /// Numbers that it has.
        found: usize,
        /// Numbers that are needed.
        wanted: usize,
    },
    /// No move can be drawn from logits.
    #[error(
        "the logits in row {row} are no distribution of the legal moves: they must be numbers, at least one of them finite"
    )]
    Logits {
        /// Which row.
        row: usize,
    },
    /// The saved state belongs to another environment.
    #[error("the saved state is from another game or other settings")]
    Words,
    /// The requested features are not a player's own moves and percepts.
    #[error("these features are not a player's own moves and percepts")]
    NoKnowledge,
    /// A belief could not be computed.
    #[error("cannot compute a player's belief: {0}")]
    Belief(String),
    /// A policy by which others are taken to choose has no answer.
    #[error("the policy of the other players has no answer: {0}")]
    Policy(String),
    /// Policies are given, but features are no beliefs.
    #[error("policies of the other players make a difference to beliefs alone")]
    NoBeliefs,
    /// A role has no legal move in a state that is not terminal.
    #[error("a role has no legal move in a match that is not over")]
    Stuck,
    /// A match ends without a goal.
    #[error("a match ended without a goal for a player")]
    NoGoal {
        /// The player whose goal is missing.
        role: RoleId,
    },
}
