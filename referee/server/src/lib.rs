//! A referee as a server: matches that outlive it, players that connect or are called, records that prove fair dealing.
//!
//! The modules stand in reading order. A [`MatchActor`] turns events into lines to be stored and messages to be sent, in
//! that order; a task runs each of them; the store makes lines durable, many matches at a time. An
//! [`Application`] is all of that behind HTTP.
//!
//! # Promises
//! - Nobody is told anything that is not stored. A server that was killed goes on with every match where it stood: nothing is
//!   lost, nothing drawn twice, no seat told two different things.
//! - A seat is told what [`message`](croupier_referee::message) says, whether it is called or connects. Seeds, states and
//!   the percepts of others leave the server after the end of a match, and are in no log line and no error.
//! - One match that fails touches no other.
#![forbid(unsafe_code)]

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
mod metrics;
mod push;
mod scratches;
mod thinker;
mod store;
mod rights;
mod problem;
mod names;
mod limits;
mod rates;
mod drain;
mod findings;
mod seat;
mod setup;
mod audience;
mod handle;
mod house;
mod call;
mod live;
mod storing;
mod realtime;
mod panics;
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

pub use actor::{Duty, MatchActor, Resumption};
pub use application::{Application, BuildError, Settings, Stopper};
pub use cadence::{Cadence, Pace};
pub use limits::{Limits, RateLimits};
pub use store::{StoreError, StorePlace};
pub use tls::{TlsError, TlsFiles};
