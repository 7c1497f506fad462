//! Why a message of a real-time match cannot be read.

use thiserror::Error;

/// Why a message cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum WireError {
    /// It is longer than any message may be.
    #[error("the message has {bytes} bytes: limit {bytes_max}")]
    TooLong {
        /// How long it is.
        bytes: usize,
        /// The bound.
        bytes_max: usize,
    },
    /// Not a JSON object of a known type with the fields of that type.
    #[error("the frame is not a message of croupier-rt/1: {0}")]
    Json(String),
    /// Not a list, or an incomplete one.
    #[error(
        "the message is not a list with matching parentheses; expected one like (EVENT id 1500000 NIL ())"
    )]
    NotAList,
    /// The first word is not a known kind of message.
    #[error("unknown kind of message; known kinds are START, CLOCK, EVENT, RECEIVED, STOP, READY and MOVE")]
    UnknownKind,
    /// It has another number of parts than its kind has.
    #[error("{kind} has {found} parts after its name, which matches none of its forms")]
    Parts {
        /// The kind.
        kind: &'static str,
        /// How many parts there are.
        found: usize,
    },
    /// A part has the wrong form.
    #[error("cannot parse {what} of {kind}")]
    Part {
        /// The kind.
        kind: &'static str,
        /// Which part.
        what: &'static str,
    },
}

impl WireError {
    /// A word for logs that reveals nothing of the content.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => "too-long",
            Self::Json(_) => "not-a-frame",
            Self::NotAList => "not-a-list",
            Self::UnknownKind => "unknown-kind",
            Self::Parts { .. } => "wrong-parts",
            Self::Part { .. } => "unreadable-part",
        }
    }
}

/// The problem with a part.
pub(super) fn part(kind: &'static str, what: &'static str) -> WireError {
    WireError::Part { kind, what }
}

/// Rejects text above the maximum length.
pub(super) fn check_length(bytes: usize, bytes_max: usize) -> Result<(), WireError> {
    if bytes <= bytes_max { Ok(()) } else { Err(WireError::TooLong { bytes, bytes_max }) }
}
