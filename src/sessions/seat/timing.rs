//! How a seat's time is measured.

use std::time::Duration;

use croupier_referee::{SeatReply, event::Reply};

/// How a seat's time is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Timing {
    /// Not at all: every reply counts as immediate, so that a seeded match has one record.
    Untimed,
    /// By the clock: whoever thinks longer than this is late.
    Clock(Duration),
}

impl Timing {
    /// The reply, with the time it took if that counts.
    pub(crate) fn reply(self, reply: Reply, taken: Duration) -> SeatReply {
        let elapsed_ms = match self {
            Self::Untimed => 0,
            Self::Clock(_) => u64::try_from(taken.as_millis()).unwrap_or(u64::MAX),
        };
        SeatReply::Reply { reply, elapsed_ms }
    }
}
