//! A referee as a server: matches that survive restarts, players that connect or are called, records that prove fair dealing.
//!
//! The modules are in reading order. A [`MatchActor`] turns events into lines to store and messages to send, in
//! that order; a task runs each actor; the store makes lines durable, for many matches at a time. An
//! [`Application`] provides all of this over HTTP.
//!
//! # Promises
//! - Nobody is told anything that is not stored. After a crash the server resumes every match where it was: nothing is
//!   lost, nothing drawn twice, no seat told two different things.
//! - A seat is told what [`message`](croupier_referee::message) computes, whether it is called or connects. Seeds, states and
//!   other roles' percepts leave the server only after the end of a match, and never appear in a log line or error.
//! - A match that fails does not affect any other.
#![forbid(unsafe_code)]

mod outbox;
mod actor;
mod cadence;
mod board;
mod clock;
mod entropy;
mod faults;
mod feed;
#[cfg(feature = "mutants")]
mod leaks;
mod frame;
mod process;
mod metrics;
mod push;
mod scratches;
mod shelf;
mod agent;
mod store;
mod rights;
mod pledge;
mod problem;
mod receipt;
mod names;
mod text;
mod limits;
mod rates;
mod drain;
mod checking;
mod compiling;
mod findings;
mod seat;
mod setup;
mod audience;
mod known;
mod handle;
mod context;
mod call;
mod dispatch;
mod storing;
mod live;
mod realtime;
mod bounds;
mod panics;
mod replays;
mod tournament;
mod tables;
mod referee;
mod seating;
mod match_view;
mod takeover;
mod organising;
mod tournament_view;
mod tls;
mod line;
mod api;
mod edge;
mod application;

pub use actor::{Action, MatchActor, Resumption};
pub use application::{Application, BuildError, Settings, Stopper};
pub use cadence::{Cadence, Pace};
pub use limits::{CHECK, Limits, RateLimits};
pub use outbox::Lines;
pub use realtime::RealTimeActor;
pub use setup::{PLAY_CLOCK_MS, START_CLOCK_MS};
pub use store::{StoreError, StorePlace};
pub use tls::{TlsError, TlsFiles};
