//! Access rights: one function, called by every handler.

use actix_web::{HttpRequest, http::header::AUTHORIZATION};
use sha2::{Digest as _, Sha256};
use subtle::ConstantTimeEq as _;

use crate::{
    problem::{Problem, ProblemCode},
    session::SessionKeys,
};

/// A stored token: its digest, from which the token cannot be recovered.
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

    /// Whether both are of the same token; takes constant time.
    pub(crate) fn is(&self, other: &Self) -> bool {
        self.0.ct_eq(&other.0).into()
    }
}

/// The client of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Actor {
    /// Anybody.
    Anybody,
    /// Who runs the server.
    Operator,
    /// Who makes matches for others.
    Organiser(String),
    /// A registered player.
    Player(String),
    /// A client with a token that belongs to no registered name: perhaps that of a seat.
    Bearer(TokenDigest),
}

impl Actor {
    /// Its name in logs of actions. Names of different kinds of actors differ.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Anybody | Self::Bearer(_) => "anybody".to_owned(),
            Self::Operator => "operator".to_owned(),
            Self::Organiser(name) => format!("organiser {name}"),
            Self::Player(name) => format!("player {name}"),
        }
    }
}

/// An action that needs a right. Everyone may see the catalogue, the players, and of a match
/// that it exists, its players and its progress.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Operation<'d> {
    /// Make matches, upload games, register players.
    Organise,
    /// Have rules checked.
    Check {
        /// Whether they are as short as those of anybody may be.
        is_small: bool,
    },
    /// Undo an action of the client with this name: end its match, remove its player.
    Undo(&'d str),
    /// Give and take the tokens of organisers.
    Appoint,
    /// Read the server's metrics.
    Measure {
        /// Whether the operator shows that to everybody.
        is_open: bool,
    },
    /// Read a seat's messages and reply.
    Sit(&'d TokenDigest),
    /// See what waits for a player of this name.
    Be(&'d str),
    /// See the whole of a match.
    Review(PublicationStage),
    /// Open a table: a session, whose host is whoever holds its key.
    OpenTable {
        /// Whether anybody may on this server.
        is_open: bool,
    },
    /// Use the controls of a session: who holds the host's key, and never by it see what a seat sees.
    Control(&'d TokenDigest),
    /// See a session that is not in the list of tables.
    Look(&'d SessionKeys),
}

/// The state of a match with respect to its publication.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PublicationStage {
    /// It runs.
    Running,
    /// It is over, and others that are not have its seed, or one that follows from it.
    Held,
    /// It is over.
    Over,
}

/// Whether an actor may do that.
///
/// # Errors
/// [`Problem`]: without a token, which one is needed; with one, why it is not sufficient.
pub(crate) fn may(actor: &Actor, shown: &[TokenDigest], deed: Operation<'_>) -> Result<(), Problem> {
    let holds = |key: &TokenDigest| shown.iter().any(|shown| shown.is(key));
    let forbid = |detail: &str| Err(ProblemCode::Forbidden.because(detail));
    match (deed, actor) {
        // Not even the operator sees a match before its end: who sees hidden cards can sell them.
        (
            Operation::Review(PublicationStage::Over)
            | Operation::Measure { is_open: true }
            | Operation::Check { is_small: true },
            _,
        )
        | (Operation::Check { .. }, Actor::Operator | Actor::Organiser(_) | Actor::Player(_)) => Ok(()),
        (Operation::Review(PublicationStage::Running), _) => Err(ProblemCode::Running.into()),
        (Operation::Review(PublicationStage::Held), _) => Err(ProblemCode::Held.into()),
        (Operation::Sit(key) | Operation::Control(key), _) if holds(key) => Ok(()),
        (Operation::Look(keys), _) if keys.are_held_by(holds) => Ok(()),
        (Operation::Sit(_) | Operation::Control(_) | Operation::Look(_), _) if shown.is_empty() => {
            Err(ProblemCode::Unauthorized.into())
        }
        (Operation::Sit(_), _) => forbid("this is not the token of that seat"),
        (Operation::Control(_), _) => forbid("only the host of the session may do that"),
        (Operation::Look(_), _) => forbid("this token opens nothing of that session"),
        (Operation::OpenTable { is_open: true }, _)
        | (Operation::OpenTable { .. }, Actor::Operator | Actor::Organiser(_)) => Ok(()),
        (_, Actor::Anybody) => Err(ProblemCode::Unauthorized.into()),
        (Operation::Be(name), Actor::Player(own)) if name == own => Ok(()),
        (Operation::Be(_), _) => forbid("this is not the token of that player"),
        (
            Operation::Organise | Operation::Undo(_) | Operation::Appoint | Operation::Measure { .. },
            Actor::Operator,
        )
        | (Operation::Organise, Actor::Organiser(_)) => Ok(()),
        (Operation::Undo(creator), _) if actor.name() == creator => Ok(()),
        (Operation::Undo(_), _) => forbid("only its creator or the operator may do that"),
        (Operation::Check { .. }, _) => {
            forbid("rules of this length need the token of the operator, an organiser or a player")
        }
        (Operation::OpenTable { .. }, _) => {
            forbid("only the operator's or an organiser's token may open tables on this server")
        }
        (Operation::Organise, _) => forbid("only the operator's or an organiser's token may do that"),
        (Operation::Appoint | Operation::Measure { .. }, _) => {
            forbid("only the operator's token may do that")
        }
    }
}

/// The digest of the token that a request shows.
pub(crate) fn shown(request: &HttpRequest) -> Option<TokenDigest> {
    let value = request.headers().get(AUTHORIZATION)?.to_str().ok()?;
    let (scheme, token) = value.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| TokenDigest::of(token.trim()))
}
