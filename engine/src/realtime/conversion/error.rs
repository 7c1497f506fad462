//! Why turn-based rules have no real-time form.

use thiserror::Error;

use crate::game::GameError;

/// Why rules cannot be converted to real time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ConversionError {
    /// They have lifetimes already.
    #[error("these rules have lifetimes: they already describe a real-time game")]
    IsRealTime,
    /// The order of moves is known of networks only.
    #[error(
        "cannot choose the first legal move of a silent role: that needs the list of all its moves, which exists only for rules \
         that can be compiled to a network"
    )]
    NoNetwork,
    /// Two constants would become one.
    #[error("`{one}` and `{other}` are two constants here, but the same number in real-time rules")]
    SameNumber {
        /// As the rules write it.
        one: String,
        /// As the rules also write it.
        other: String,
    },
    /// Percepts that are read in the new state cannot be told together with the joint move.
    #[error(
        "percepts are evaluated in the new state here, but real-time rules evaluate them together with the moves"
    )]
    PerceptsOfNewState,
    /// A state of a playout could not be evaluated.
    #[error(transparent)]
    Game(#[from] GameError),
}
