//! What hosts and guests can ask of a session: one list for programs and for forms.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{keys::SessionKeys, view::SeatPlace};
use crate::{
    problem::{Problem, Result},
    rights::{Actor, Operation, TokenDigest, may},
};

/// A request to a session. What it does not allow as it is now is refused in words, and changes nothing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum SessionCommand {
    /// The host begins the first match.
    Start,
    /// The host lets no other match begin.
    Pause,
    /// The host goes on after a pause.
    Resume,
    /// The host ends the session after the match that runs.
    End,
    /// The host begins another session of the same people, on the same terms.
    Rematch,
    /// The host seats an agent of this server in a free seat.
    SeatAgent {
        /// The seat.
        place: SeatPlace,
        /// The agent, as `croupier play --seat` takes it.
        agent: String,
    },
    /// The host takes whoever has a seat away from it, after the match that runs.
    Kick {
        /// The seat.
        place: SeatPlace,
    },
    /// The host makes a new invitation to a free seat; the earlier one opens nothing any more.
    Invite {
        /// The seat.
        place: SeatPlace,
    },
    /// The host takes back the invitation to a seat.
    Revoke {
        /// The seat.
        place: SeatPlace,
    },
    /// The host gives the guest of a seat a new link, which opens it from the next match on.
    Renew {
        /// The seat.
        place: SeatPlace,
    },
    /// The host hands its role on to the guest of a seat.
    HandOn {
        /// The seat.
        place: SeatPlace,
    },
    /// A guest sits out from the next match on.
    SitOut {
        /// Its seat.
        place: SeatPlace,
    },
    /// A guest comes back.
    ComeBack {
        /// Its seat.
        place: SeatPlace,
    },
    /// A guest that has nothing left buys chips again.
    Rebuy {
        /// Its seat.
        place: SeatPlace,
    },
    /// A guest leaves its seat for good, after the match that runs.
    Leave {
        /// Its seat.
        place: SeatPlace,
    },
    /// A guest, or the host, writes to all others.
    Say {
        /// The seat; none for the host.
        place: Option<SeatPlace>,
        /// What is said.
        text: String,
    },
}

impl SessionCommand {
    /// The seat whose guest may ask for this; the host, if it is none.
    fn own_place(&self) -> Option<SeatPlace> {
        match self {
            Self::SitOut { place }
            | Self::ComeBack { place }
            | Self::Rebuy { place }
            | Self::Leave { place } => Some(*place),
            Self::Say { place, .. } => *place,
            Self::Start
            | Self::Pause
            | Self::Resume
            | Self::End
            | Self::Rematch
            | Self::SeatAgent { .. }
            | Self::Kick { .. }
            | Self::Invite { .. }
            | Self::Revoke { .. }
            | Self::Renew { .. }
            | Self::HandOn { .. } => None,
        }
    }

    /// Rejects who may not ask for this; who asks, for requests that come twice.
    ///
    /// # Errors
    /// [`Problem`] without the right key.
    pub(crate) fn demand(&self, keys: &SessionKeys, shown: &[TokenDigest]) -> Result<String> {
        match self.own_place() {
            Some(place) => {
                let key = keys.of_seat(place).ok_or_else(|| Problem::absent("nobody has that seat"))?;
                may(&Actor::Anybody, shown, Operation::Sit(key))?;
                Ok(format!("seat {place}"))
            }
            None => {
                may(&Actor::Anybody, shown, Operation::Control(keys.of_host()))?;
                Ok("host".to_owned())
            }
        }
    }
}
