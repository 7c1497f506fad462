//! Why there is no belief.

use croupier_engine::GameError;
use thiserror::Error;

/// Why a belief could not be made or continued. Turns are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum BeliefError {
    /// `random` chooses regardless of percepts, so it has no belief.
    #[error("the role random is played by chance and has no belief")]
    RandomRole,
    /// Certainly no history agrees with what the role did and was told.
    #[error("no history of the game agrees with the player's move and percepts of turn {turn}")]
    Inconsistent {
        /// The first turn that cannot be explained.
        turn: usize,
    },
    /// No history was found that agrees with what the role did and was told, and a longer search would
    /// have exceeded the limit.
    #[error(
        "no history was found that agrees with the percepts of turn {turn}: {rejuvenations} fresh starts and \
         a search through {joint_moves_max} joint moves were in vain"
    )]
    Depleted {
        /// The turn at which all particles died.
        turn: usize,
        /// How often earlier turns were drawn again.
        rejuvenations: u32,
        /// Limit of the search, in joint moves examined.
        joint_moves_max: u64,
    },
    /// More histories than an exact belief may hold.
    #[error("histories of an exact belief: limit {histories_max}, but turn {turn} needs more")]
    TooManyHistories {
        /// The bound.
        histories_max: usize,
        /// The turn in which it was reached.
        turn: usize,
    },
    /// One turn has more joint moves than an exact belief may examine.
    #[error(
        "joint moves of one turn of an exact belief: limit {joint_moves_max}, but turn {turn} needs more"
    )]
    TooManyJointMoves {
        /// The bound.
        joint_moves_max: u64,
        /// The turn in which it was reached.
        turn: usize,
    },
    /// The rules fail in a state that the role cannot rule out.
    #[error(transparent)]
    Game(#[from] GameError),
}
