//! Who may do what: one function, asked by every handler.

use actix_web::{HttpRequest, http::header::AUTHORIZATION};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::problem::Problem;

/// A token as it is stored: its digest, from which nobody gets it back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TokenDigest([u8; 32]);

impl TokenDigest {
    /// The digest of a token.
    pub(crate) fn of(token: &str) -> Self {
        Self(Sha256::digest(token.as_bytes()).into())
    }

    /// As it is stored.
    pub(crate) fn to_hex(self) -> String {
        hex::encode(self.0)
    }

    /// Its bytes.
    pub(crate) fn to_bytes(self) -> [u8; 32] {
        self.0
    }

    /// The digest that was stored like this.
    pub(crate) fn from_hex(text: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        hex::decode_to_slice(text, &mut bytes).ok().map(|()| Self(bytes))
    }

    /// Whether it is that of this token; takes as long wherever they differ.
    fn is_of(&self, token: &str) -> bool {
        self.0.ct_eq(&Self::of(token).0).into()
    }
}

/// Whoever makes a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Actor {
    /// Anybody.
    Anybody,
    /// Who runs the server.
    Operator,
    /// Who shows a token that is not the operator's: perhaps that of a seat.
    Bearer(String),
}

/// What an actor wants to do.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Deed<'d> {
    /// Make or end matches, and see what is in the catalogue of this server.
    Run,
    /// See what the server counts.
    Measure {
        /// Whether the operator shows that to everybody.
        is_open: bool,
    },
    /// See that a match is there, who plays, and how far it is.
    Watch,
    /// Read and answer what a seat is told.
    Sit(&'d TokenDigest),
    /// See the whole of a match.
    Review {
        /// Whether the match is over.
        is_over: bool,
    },
}

/// Whether an actor may do that.
///
/// # Errors
/// [`Problem`]: without a token, what would show one; with one, what it is not good for.
pub(crate) fn may(actor: &Actor, deed: Deed<'_>) -> Result<(), Problem> {
    match (deed, actor) {
        (Deed::Watch, _) | (Deed::Run | Deed::Measure { .. }, Actor::Operator) => Ok(()),
        (Deed::Measure { is_open: true }, _) => Ok(()),
        // Not even the operator sees a match before its end: who sees hidden cards can sell them.
        (Deed::Review { is_over: true }, _) => Ok(()),
        (Deed::Review { is_over: false }, _) => {
            Err(Problem::conflict("running", "the record of a match is there after its end"))
        }
        (Deed::Sit(seat), Actor::Bearer(token)) if seat.is_of(token) => Ok(()),
        (_, Actor::Anybody) => Err(Problem::unknown_actor()),
        (Deed::Sit(_), _) => Err(Problem::forbidden("this is not the token of that seat")),
        (Deed::Run | Deed::Measure { .. }, _) => {
            Err(Problem::forbidden("only the operator's token may do that"))
        }
    }
}

/// Whoever makes a request, by the token that it shows.
pub(crate) fn actor(request: &HttpRequest, operator: &TokenDigest) -> Actor {
    let shown = request.headers().get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    match shown.and_then(|value| value.strip_prefix("Bearer ")).map(str::trim) {
        None => Actor::Anybody,
        Some(token) if operator.is_of(token) => Actor::Operator,
        Some(token) => Actor::Bearer(token.to_owned()),
    }
}
