//! Errors in a real-time match.

use thiserror::Error;

use crate::{game::GameError, syntax};

/// A state that the rules of a real-time game give no sensible continuation.
///
/// The message describes the rules but never identifies the state, except for an invalid lifetime, which ends the match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RealTimeError {
    /// A rule gives a fluent a lifetime that is neither a positive number nor `infinity`.
    #[error(
        "{rule} gives the fluent {fluent} the lifetime {value}, which is neither a positive number nor `infinity`"
    )]
    Lifetime {
        /// `init` or `next`.
        rule: &'static str,
        /// The fluent as printed.
        fluent: String,
        /// The invalid lifetime.
        value: String,
    },
    /// The requested update skips the end of a lifetime.
    #[error("cannot advance {micros} microseconds: something expires after {expiry}")]
    SkipsExpiry {
        /// The requested time.
        micros: u64,
        /// When something expires.
        expiry: u64,
    },
    /// As in turn-based games.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// Why a text is not a legal move in a state of a real-time game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RealTimeIllegalMove {
    /// Not one ground term.
    #[error("not a move: {0}")]
    Malformed(String),
    /// A term that the role may not play now.
    #[error("{text} is not legal for {role} now")]
    NotLegal {
        /// Name of the role.
        role: String,
        /// The move as read.
        text: String,
    },
    /// The state could not be evaluated.
    #[error(transparent)]
    State(#[from] RealTimeError),
}

impl RealTimeIllegalMove {
    /// A move that was read and is not among the legal ones.
    pub(super) fn not_legal(role: &str, term: &syntax::Term) -> Self {
        Self::NotLegal { role: role.to_owned(), text: syntax::print_term(term) }
    }
}
