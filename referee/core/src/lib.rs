//! Runs one match of a game: what each role is told and when, the moves of chance, and a record that replays bit for bit.
//!
//! The modules are in reading order; each imports only those above it. A [`Header`] says what is
//! played; [`MatchState::step`] turns events (replies, deadlines) into effects (lines of the
//! record, messages, timers, the outcome); [`replay`](fn@replay) recomputes all of them from a record.
//!
//! This package is pure: no I/O, no clock, no entropy, no log. The driver of a match provides the time
//! and the seed; [`run_match`] is a driver that runs in simulated time, in one process.
//!
//! # Examples
//! A custom player against one that never replies with a legal move, whose moves are drawn for it:
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
mod public_sight;
pub mod event;
pub mod conduct;
mod json_trouble;
pub mod record;
pub mod match_state;
pub mod protocol;
pub mod replay;
pub mod driver;
pub mod realtime;
mod agents;

#[cfg(test)]
mod fixture;

pub use agents::{
    AgentError, AgentSeat, Agents, FluentWords, Insight, PossibleMoves, ProvableMoves, ProvedFacts,
    SeatTrainer, TimedInsight, TimedNews, TimedOutlook,
};
pub use chance::{Chance, Nonce, Seed, SeedError};
pub use conduct::{Conduct, Slip};
pub use digest::Digest;
pub use driver::{Played, Seat, SeatReply, run_match};
pub use event::{Effect, Event, Failure, Outcome, Reply, ReplyStatus, Request, Timer};
pub use header::{Clocks, Header, HeaderError, MatchSetup, Nonces, SentRules, SeriesPlace, SessionPlace, Substitution};
pub use json_trouble::json_trouble;
pub use match_state::{MatchState, Standing};
pub use public_sight::{PublicSight, SightError};
pub use record::{
    Disorder, Record, RecordError, SealKey, Secrets, Tear, disorders, read_records, whole_matches_bytes,
    without_tear,
};
pub use replay::{
    Difference, Replay, ReplayError, ReplayTurn, SealCheck, replay, replay_after, replay_all, resume,
};
pub use view::{Message, Moment, OwnHistory, OwnTurn, message};
