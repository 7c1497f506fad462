//! What keeps matches from being played in lanes.

use croupier_engine::RoleId;
use thiserror::Error;

/// Why there is no environment, or it cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum TrainingError {
    /// The rules are too large for a network.
    #[error("the game is no network, so many matches cannot be played at once")]
    NoNetwork,
    /// No match.
    #[error("there has to be one lane at least")]
    NoLanes,
    /// A seat is held for somebody else's game.
    #[error("there are {found} seats and {players} players")]
    Seats {
        /// Seats that were given.
        found: usize,
        /// Players of the game.
        players: usize,
    },
    /// Nobody in an open seat ever has a choice.
    #[error("nobody in an open seat has a choice between moves")]
    NoChoice,
    /// An array has the wrong size.
    #[error("{name} has {found} numbers and needs {wanted}")]
    Size {
        /// Which array.
        name: &'static str,
        /// Numbers that it has.
        found: usize,
        /// Numbers that are needed.
        wanted: usize,
    },
    /// What was saved is of another environment.
    #[error("what was saved is of another game, or of other settings")]
    Words,
    /// Features are asked for that are not simply what a player did and was told.
    #[error("these features are not what a player did and was told")]
    NoKnowledge,
    /// There is no belief.
    #[error("a player has no belief: {0}")]
    Belief(String),
    /// A role has no legal move in a state that is not terminal.
    #[error("a role has no legal move in a match that is not over")]
    Stuck,
    /// A match ends without a goal.
    #[error("a match ended without a goal for a player")]
    NoGoal {
        /// Whose goal is missing.
        role: RoleId,
    },
}
