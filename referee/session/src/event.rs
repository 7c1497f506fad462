//! What can happen to a session.

use std::{collections::BTreeMap, fmt};

use croupier_referee::Digest;
use serde::{Deserialize, Serialize};

/// A seat of a session, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct SeatNumber(pub u32);

impl SeatNumber {
    /// The seat at this place of a list.
    #[must_use]
    pub fn at(place: usize) -> Self {
        Self(u32::try_from(place + 1).unwrap_or(u32::MAX))
    }

    /// Its place in a list; `None` for 0, which is no seat.
    #[must_use]
    pub fn place(self) -> Option<usize> {
        (self.0 as usize).checked_sub(1)
    }
}

impl fmt::Display for SeatNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Who sits in a seat.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase", deny_unknown_fields)]
pub enum SeatHolder {
    /// A person.
    Person {
        /// What they are called at this table.
        name: String,
    },
    /// A program.
    Agent {
        /// What it is called at this table.
        name: String,
        /// What it is, as `--seat` has it: `belief:iterations=100`.
        agent: String,
    },
}

impl SeatHolder {
    /// What they are called.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Person { name } | Self::Agent { name, .. } => name,
        }
    }

    /// Who plays, as the record of a match names them.
    #[must_use]
    pub fn described(&self) -> String {
        match self {
            Self::Person { name } => name.clone(),
            Self::Agent { name, agent } if name == agent => agent.clone(),
            Self::Agent { name, agent } => format!("{name} ({agent})"),
        }
    }
}

/// Something that happens to a session. In JSON it is an object whose `event` names it, so that a store can keep it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum SessionEvent {
    /// Somebody, or an agent, takes a free seat.
    SeatTaken {
        /// The seat.
        seat: SeatNumber,
        /// Who.
        holder: SeatHolder,
    },
    /// Whoever sits there gets up. In the middle of a match the seat is played for until the match is over.
    SeatLeft {
        /// The seat.
        seat: SeatNumber,
    },
    /// The host asks somebody to go: as [`SeatLeft`](Self::SeatLeft), and an agent is removed in the same way.
    Kicked {
        /// The seat.
        seat: SeatNumber,
    },
    /// The first match is to begin.
    Started,
    /// A match is over.
    MatchOver(MatchOver),
    /// No further match begins until [`Resumed`](Self::Resumed).
    Paused,
    /// Matches go on.
    Resumed,
    /// A person is away: sits out, or did not answer twice.
    SatOut {
        /// The seat.
        seat: SeatNumber,
    },
    /// A person is back.
    CameBack {
        /// The seat.
        seat: SeatNumber,
    },
    /// A seat that has nothing left begins again.
    Rebought {
        /// The seat.
        seat: SeatNumber,
    },
    /// Somebody else is the host from now on.
    HostHanded {
        /// Their seat.
        seat: SeatNumber,
    },
    /// A seat is to get a new link: at once, or when the running match is over.
    LinkAsked {
        /// The seat.
        seat: SeatNumber,
    },
    /// The host ends the session: when the running match is over, or at once if none is.
    Ended,
    /// The same seats want another session on the same terms. Only a session that is over has a rematch, and only one.
    Rematched,
    /// The time of the driver's clock, in milliseconds. A driver sends it before any event that happens later than the last
    /// one, and when [`SessionState::wakes_ms`](crate::SessionState::wakes_ms) says so.
    Tick {
        /// Milliseconds since any fixed instant.
        now_ms: u64,
    },
    /// The driver was gone: what passes until the next tick is no time of play.
    Interrupted,
}

/// How a match ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchOver {
    /// Which match, from 1.
    pub index: u64,
    /// The goal of each role; `None` if the match has no result, as one that is aborted. Then everybody has what they had
    /// before it.
    pub goals: Option<BTreeMap<String, i64>>,
    /// The fluents of the last state that [`FamilyRules::read`](croupier_games::FamilyRules::read) matches, as canonical
    /// text. Others are ignored.
    pub last: Vec<String>,
    /// SHA-256 of the record of the match, all its lines with their newlines; `None` if there is no record.
    pub record: Option<Digest>,
}
