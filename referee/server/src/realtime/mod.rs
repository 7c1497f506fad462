//! Real-time matches of the server: their terms, their clock, their agents, the task that runs one, and how they are created and
//! resumed.
//!
//! The match is [`RealTimeMatch`](croupier_referee::realtime::RealTimeMatch), as in one process. Storing before telling,
//! boards, spectators and rights work as in turn-based matches.

mod actor;
mod agents;
mod clock;
mod frames;
mod live;
mod making;
mod terms;

pub use actor::RealTimeActor;
pub(crate) use clock::GameClock;
pub(crate) use frames::told_in;
pub(crate) use terms::{RealTimeTerms, SPEED_PERMILLE_MAX};
