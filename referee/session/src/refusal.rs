//! Why an event cannot happen now.

use thiserror::Error;

use crate::event::SeatNumber;

/// Why an event cannot happen now. The session is as it was before.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SessionRefusal {
    /// There is no such seat.
    #[error("there is no seat {seat}: the table has {seats}")]
    NoSeat {
        /// As named.
        seat: SeatNumber,
        /// How many there are.
        seats: usize,
    },
    /// Somebody sits there.
    #[error("seat {seat} is taken")]
    Taken {
        /// The seat.
        seat: SeatNumber,
    },
    /// Nobody sits there.
    #[error("nobody sits in seat {seat}")]
    Free {
        /// The seat.
        seat: SeatNumber,
    },
    /// Whoever sits there is about to go.
    #[error("whoever sits in seat {seat} is about to go")]
    Leaving {
        /// The seat.
        seat: SeatNumber,
    },
    /// It is no person who sits there.
    #[error("an agent sits in seat {seat}")]
    NoPerson {
        /// The seat.
        seat: SeatNumber,
    },
    /// The name cannot be used.
    #[error("a name has 1 to 200 bytes and no control characters")]
    Name,
    /// Somebody else has this name.
    #[error("{name} sits at this table already")]
    NameTaken {
        /// The name.
        name: String,
    },
    /// Too few seats are taken.
    #[error("{found} seats can be dealt in, and {needed} are needed")]
    TooFew {
        /// How many there are.
        found: usize,
        /// How many are needed.
        needed: usize,
    },
    /// The session has begun.
    #[error("the session has begun")]
    Begun,
    /// The session has not begun.
    #[error("the session has not begun")]
    NotBegun,
    /// The session is paused.
    #[error("the session is paused")]
    Paused,
    /// The session is not paused.
    #[error("the session is not paused")]
    NotPaused,
    /// The session is over.
    #[error("the session is over")]
    Over,
    /// The session is not over.
    #[error("the session is not over")]
    NotOver,
    /// The session ends when the running match is over.
    #[error("the session ends when the running match is over")]
    Ending,
    /// The match is not the one that is running.
    #[error("match {index} is not the one that is running")]
    NotRunning {
        /// The match.
        index: u64,
    },
    /// Whoever sits there is away already.
    #[error("seat {seat} sits out already")]
    AwayAlready {
        /// The seat.
        seat: SeatNumber,
    },
    /// Whoever sits there is not away.
    #[error("seat {seat} does not sit out")]
    NotAway {
        /// The seat.
        seat: SeatNumber,
    },
    /// The seat has something left.
    #[error("seat {seat} has something left")]
    NotOut {
        /// The seat.
        seat: SeatNumber,
    },
    /// The family has no game for so many chips.
    #[error("nobody can buy in: {reason}")]
    TooMany {
        /// Why not.
        reason: String,
    },
    /// Nobody may begin again, or for the first time, at this level.
    #[error("nobody may buy in any more")]
    NoBuyIn,
    /// Whoever sits there is the host.
    #[error("seat {seat} is the host already")]
    HostAlready {
        /// The seat.
        seat: SeatNumber,
    },
    /// There is a rematch.
    #[error("there is a rematch already")]
    RematchedAlready,
    /// The clock of the driver went back.
    #[error("the clock went back")]
    ClockBack,
}
