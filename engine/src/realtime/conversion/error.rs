//! Why turn-based rules have no real-time form.

use thiserror::Error;

use crate::game::GameError;

/// Why rules cannot be converted to real time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConversionError {
    /// They have lifetimes already.
    #[error("these rules have lifetimes: they are of a real-time game already")]
    IsRealTime,
    /// The order of moves is known of networks only.
    #[error(
        "the first legal move of a silent role is found along all moves that it can ever have, which are known only where rules \
         become a network, and these do not"
    )]
    NoNetwork,
    /// Two constants would become one.
    #[error("`{one}` and `{other}` are two constants here, and one number in real-time rules")]
    SameNumber {
        /// As the rules write it.
        one: String,
        /// As the rules also write it.
        other: String,
    },
    /// Percepts that are read in the new state cannot be told together with the joint move.
    #[error("percepts are read in the new state here; real-time rules read them together with the moves")]
    PerceptsOfNewState,
    /// A state of a playout could not be evaluated.
    #[error(transparent)]
    Game(#[from] GameError),
}
