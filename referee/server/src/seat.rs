//! The player of a role, and how it is reached.

use std::{collections::BTreeMap, str::FromStr as _, sync::Arc};

use croupier_referee::{
    Agents,
    protocol::{Dialect, WireForm},
};
use croupier_remote::PlayerAddress;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{problem::Problem, store::NewSeat};

/// The player of a role, as requested.
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

/// The players of all roles.
pub(crate) struct Seating {
    /// How each role is told something.
    pub(crate) seats: BTreeMap<String, SeatSetup>,
    /// By role, the digest of the token of a seat whose player connects.
    pub(crate) tokens: BTreeMap<String, String>,
    /// What those are called who sit there.
    pub(crate) players: Vec<NewSeat>,
}

/// A seat that is known to be sound.
#[derive(Clone, Debug)]
pub(crate) enum Seat {
    Pull,
    Push { address: PlayerAddress, form: WireForm },
    Agent { agent: Arc<str> },
}

impl SeatSetup {
    /// The seat, if the agent or player that it names exists.
    ///
    /// # Errors
    /// [`Problem`] with the seat.
    pub(crate) fn seat(&self, role: &str, agents: &dyn Agents) -> Result<Seat, Problem> {
        let bad = |what: String| Problem::unfit("bad-seat", format!("seat {role}: {what}"));
        Ok(match self {
            Self::Pull | Self::Open | Self::Player { address: None, .. } => Seat::Pull,
            Self::Push { address, dialect } | Self::Player { address: Some(address), dialect, .. } => {
                Seat::Push {
                    address: address.parse().map_err(|error| bad(format!("{error}")))?,
                    form: match dialect {
                        None => WireForm::from_str("gdl2").map_err(|error| bad(error.to_string()))?,
                        Some(text) => text.parse().map_err(|error| bad(format!("{error}")))?,
                    },
                }
            }
            Self::Agent { agent } => {
                agents.full_name(agent).map_err(|error| bad(error.to_string()))?;
                Seat::Agent { agent: agent.as_str().into() }
            }
        })
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
