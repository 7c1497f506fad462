//! The player of a role, and how it is reached.

use std::sync::Arc;

use croupier_referee::{
    Agents,
    protocol::{Dialect, WireForm},
};
use croupier_remote::PlayerAddress;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    agent::SeatedAgent,
    problem::{Problem, ProblemCode},
};

/// The messages that a player is sent if it does not say which it understands.
const DIALECT: &str = "gdl2";

/// The player of a role, as requested and as stored; [`Seat`] is one that stands in a match.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SeatSetup {
    /// A player that connects with the token of its seat.
    Pull,
    /// A player that is an HTTP server.
    Push {
        /// Its address.
        address: String,
        /// Its dialect: by default `gdl2`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        dialect: Option<String>,
    },
    /// Whoever claims it first.
    Open,
    /// A player that is registered.
    Player {
        /// Its name.
        player: String,
        /// Its address when the match was created.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(ignore)]
        address: Option<String>,
        /// The messages that it knew then.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        #[schema(ignore)]
        dialect: Option<String>,
    },
    /// A player of this server.
    Agent {
        /// Which one, as `croupier play --seat` takes it.
        agent: String,
    },
}

/// A seat of a match, whose player exists.
#[derive(Debug)]
pub(crate) enum Seat {
    /// Its player connects.
    Pull,
    /// Its player is called.
    Push { address: PlayerAddress, form: WireForm },
    /// Its player is an agent of this server.
    Agent {
        /// Its specification.
        agent: Arc<str>,
        /// The agent while it computes nothing; it is seated again from what it was told.
        seated: Option<SeatedAgent>,
    },
}

impl SeatSetup {
    /// The seat, if the agent or player that it names exists.
    ///
    /// # Errors
    /// [`Problem`] with the seat.
    pub(crate) fn seat(&self, role: &str, agents: &dyn Agents) -> Result<Seat, Problem> {
        let bad = |what: String| ProblemCode::BadSeat.because(format!("seat {role}: {what}"));
        Ok(match self {
            Self::Pull | Self::Open | Self::Player { address: None, .. } => Seat::Pull,
            Self::Push { address, dialect } | Self::Player { address: Some(address), dialect, .. } => {
                let form: Result<WireForm, _> = dialect.as_deref().unwrap_or(DIALECT).parse();
                Seat::Push {
                    address: address.parse().map_err(|error| bad(format!("{error}")))?,
                    form: form.map_err(|error| bad(error.to_string()))?,
                }
            }
            Self::Agent { agent } => {
                agents.full_name(agent).map_err(|error| bad(error.to_string()))?;
                Seat::Agent { agent: agent.as_str().into(), seated: None }
            }
        })
    }

    /// The name under which its player is rated; nobody has one who connects, is called, or may still come.
    pub(crate) fn player(&self) -> Option<&str> {
        match self {
            Self::Player { player: name, .. } | Self::Agent { agent: name } => Some(name),
            Self::Pull | Self::Push { .. } | Self::Open => None,
        }
    }

    /// Whether it waits for a registered player, which connects with its own token.
    pub(crate) fn waits_for_player(&self) -> bool {
        matches!(self, Self::Player { address: None, .. })
    }

    /// The public description: the address of a player is not public before the end.
    pub(crate) fn public_description(&self) -> String {
        match self {
            Self::Push { .. } => "is called".to_owned(),
            Self::Pull | Self::Open | Self::Player { .. } | Self::Agent { .. } => self.description(),
        }
    }

    /// The name of the player in the record.
    pub(crate) fn description(&self) -> String {
        match self {
            Self::Pull => "connects".to_owned(),
            Self::Open => "open".to_owned(),
            Self::Push { address, .. } => address.clone(),
            Self::Player { player, .. } => player.clone(),
            Self::Agent { agent } => agent.clone(),
        }
    }
}

impl Seat {
    /// Whether the player can be asked again without taking the message for another turn.
    pub(crate) fn is_idempotent(&self) -> bool {
        match self {
            Self::Pull | Self::Agent { .. } => true,
            Self::Push { form, .. } => form.dialect == Dialect::Gdl2,
        }
    }
}
