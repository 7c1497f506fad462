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
//! Two players that never say anything sensible get moves drawn for them, and the record still replays:
//!
//! ```
//! use std::sync::Arc;
//!
//! use croupier_engine::{ByPlayer, Strictness, game::PerceptReading};
//! use croupier_referee::{
//!     Clocks, Header, MatchSetup, Message, Seat, SeatReply, Secrets, Seed, Substitution, read_records, replay, run_match,
//! };
//!
//! struct Mumbler;
//!
//! impl Seat for Mumbler {
//!     fn receive(&mut self, _: &Message) -> SeatReply {
//!         SeatReply::text("mumble")
//!     }
//! }
//!
//! let rules = "(role left) (role right) (init asking) (legal left (say yes)) (legal left (say no)) (legal right listen)
//!     (<= (next (said ?w)) (does left (say ?w))) (<= (sees right ?w) (does left (say ?w)))
//!     (<= terminal (not (true asking))) (<= (goal left 100) (true (said yes))) (<= (goal left 0) (not (true (said yes))))
//!     (goal right 50)";
//! let header = Arc::new(Header::compile(MatchSetup {
//!     match_id: "example".to_owned(),
//!     rules: rules.to_owned(),
//!     game_name: None,
//!     players: vec![("left".to_owned(), "mumbler".to_owned()), ("right".to_owned(), "mumbler".to_owned())],
//!     clocks: Clocks { start_ms: 10_000, play_ms: 10_000 },
//!     percepts: PerceptReading::OldState,
//!     strictness: Strictness::Compatible,
//!     substitution: Substitution::Drawn,
//!     turns_max: 10,
//! })?);
//! let mut seats = ByPlayer::from_fn(header.roles(), |_| Box::new(Mumbler));
//! let secrets = Secrets::from_seed(Seed::from_text("42")?);
//! let played = run_match(&header, secrets, &mut seats, |role, message| {
//!     println!("to {}: {message}", header.role_name(role));
//! });
//! // Seed 42 draws 1 of 2 for the first role in turn 0, and `(say no)` comes before `(say yes)`.
//! let left = header.roles().find("left").ok_or("the game has it")?;
//! assert_eq!(played.outcome.goals().map(|goals| goals[left].value()), Some(100));
//! let records = read_records(&played.record)?;
//! assert_eq!(replay(&records[0])?.outcome(), Some(&played.outcome));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![forbid(unsafe_code)]

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

#[cfg(test)]
mod fixture;

pub use chance::{Chance, Seed, SeedError};
pub use conduct::{Conduct, Slip};
pub use digest::Digest;
pub use driver::{Played, Seat, SeatReply, run_match};
pub use event::{Effect, Event, Failure, Outcome, Reply, ReplyStatus, Request};
pub use header::{Clocks, Header, HeaderError, MatchSetup, Substitution};
pub use match_state::{MatchState, Secrets};
pub use record::{Record, RecordError, SealKey, read_records};
pub use replay::{Difference, Replay, ReplayError, ReplayTurn, SealCheck, replay, replay_all};
pub use view::{LastTurn, Message, Moment, OwnHistory, OwnTurn, message};
