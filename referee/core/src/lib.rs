//! One match of a game: who is told what and when, what chance deals, and a record that replays bit for bit.
//!
//! The modules stand in reading order; each imports only those above it. A [`Header`] says what is
//! played; [`MatchState::step`] turns events (replies, deadlines) into effects (lines of the
//! record, messages, timers, the outcome); [`replay`](fn@replay) recomputes all of it from a record.
//!
//! This package is pure: no I/O, no clock, no entropy, no log. Whoever drives a match brings the time
//! and the seed; [`run_match`] is such a driver, in simulated time and in one process.
//!
//! # Examples
//! A player of one's own against one that never says anything sensible, for whom moves are drawn:
//!
//! ```
#![doc = include_str!("../examples/seat.rs")]
//! ```
#![forbid(unsafe_code)]

#[cfg(feature = "mutants")]
pub mod mutant;
pub mod digest;
pub mod chance;
pub mod header;
pub mod view;
pub mod event;
pub mod conduct;
pub mod record;
pub mod match_state;
pub mod protocol;
pub mod replay;
pub mod driver;
pub mod realtime;

#[cfg(test)]
mod fixture;

pub use chance::{Chance, Nonce, Seed, SeedError};
pub use conduct::{Conduct, Slip};
pub use digest::Digest;
pub use driver::{Played, Seat, SeatReply, run_match};
pub use event::{Effect, Event, Failure, Outcome, Reply, ReplyStatus, Request};
pub use header::{Clocks, Header, HeaderError, MatchSetup, SeriesPlace, Substitution};
pub use match_state::{MatchState, Secrets};
pub use record::{Disorder, Record, RecordError, SealKey, disorders, read_records};
pub use replay::{Difference, Replay, ReplayError, ReplayTurn, SealCheck, replay, replay_all, resume};
pub use view::{LastTurn, Message, Moment, OwnHistory, OwnTurn, message};
