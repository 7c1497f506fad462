//! What is to be done after an event.

use croupier_referee::Seed;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{
    event::{SeatHolder, SeatNumber},
    order::MatchOrder,
};

/// Something that a driver does after an event is stored, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionEffect {
    /// Everybody may know this.
    Tell(SessionNews),
    /// Create this match, unless a match of its index is there.
    Create(Box<MatchOrder>),
    /// Make a new link for this seat, which makes the old one worthless.
    NewLink(SeatNumber),
    /// The session is over: what was sealed may be opened, and this is its seed.
    Reveal(Seed),
    /// Open a session on the same terms, with an id and a seed of its own, and these in the same seats.
    Rematch(Vec<(SeatNumber, SeatHolder)>),
}

/// What has changed, for everybody: nothing of it is hidden.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "news", rename_all = "snake_case")]
pub enum SessionNews {
    /// Somebody sits there now.
    SeatTaken {
        /// The seat.
        seat: SeatNumber,
    },
    /// Whoever sits there goes when the running match is over; until then the seat is played for.
    SeatLeaves {
        /// The seat.
        seat: SeatNumber,
    },
    /// The seat is free.
    SeatFreed {
        /// The seat.
        seat: SeatNumber,
    },
    /// Whoever sits there is away.
    Away {
        /// The seat.
        seat: SeatNumber,
    },
    /// Whoever sits there is back.
    Back {
        /// The seat.
        seat: SeatNumber,
    },
    /// The seat has begun again.
    Rebought {
        /// The seat.
        seat: SeatNumber,
    },
    /// Whoever sits there is the host.
    Host {
        /// The seat.
        seat: SeatNumber,
    },
    /// The session has begun.
    Started,
    /// A match is over.
    MatchOver {
        /// Which.
        index: u64,
    },
    /// The seat has nothing left.
    Out {
        /// The seat.
        seat: SeatNumber,
    },
    /// The next level has come.
    Level {
        /// Which, from 1.
        level: usize,
    },
    /// The next match waits for more seats that can be dealt in.
    Waiting {
        /// How many are needed.
        needed: usize,
    },
    /// No further match begins.
    Paused,
    /// Matches go on.
    Resumed,
    /// The session ends when the running match is over.
    Ending,
    /// The session is over.
    Over {
        /// Why.
        ending: SessionEnding,
    },
}

/// Why a session is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "because", rename_all = "snake_case")]
pub enum SessionEnding {
    /// The host ended it.
    Host,
    /// As many matches were played as it was to have.
    Matches,
    /// A seat has won as many matches as were needed.
    Wins,
    /// The total of a seat has reached what was set.
    Total,
    /// One seat has everything.
    OneLeft,
    /// Its time is over.
    Minutes,
    /// Something is wrong that no event may do.
    Fault {
        /// What.
        fault: SessionFault,
    },
}

/// What stops a session because its results can be trusted no longer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, Error)]
#[serde(tag = "fault", rename_all = "snake_case")]
pub enum SessionFault {
    /// Chips were lost or made.
    #[error("there are {found} chips where {expected} must be")]
    Chips {
        /// What is there.
        found: u64,
        /// What must be there.
        expected: u64,
    },
    /// The last state of a match does not say, once, what a role has left.
    #[error("the last state of match {index} does not say once what {role} has left")]
    Unread {
        /// The match.
        index: u64,
        /// The role.
        role: String,
    },
    /// The goals of a match are not those of its roles.
    #[error("the goals of match {index} are not those of its roles")]
    Goals {
        /// The match.
        index: u64,
    },
}
