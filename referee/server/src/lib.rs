//! A referee as a server: matches that survive restarts, players that connect or are called, records that prove fair dealing.
//!
//! The modules are in reading order. A [`MatchActor`] turns events into lines to store and messages to send, in
//! that order; a task runs each actor; the store makes lines durable, for many matches at a time. An
//! [`Application`] provides all of this over HTTP.
//!
//! # Modules
//!
//! *Order.* `MatchState` of `croupier-referee` decides what to do; [`MatchActor`] (`actor.rs`) decides in which order:
//! record lines are stored one request at a time, and a message waits for all lines before it (`outbox.rs`, for both
//! kinds of match). Both use no clock and no socket; a test tries every order in which replies and the store's answers
//! can arrive, and kills the match after every line. `live.rs` is the task that gives an actor its clock and its seats,
//! `storing.rs` its part of the store and its spectators, `dispatch.rs` what waits to be told, and when. `referee.rs`
//! creates and finds matches, and resumes them when the server starts. `realtime` runs real-time matches: the state
//! machine is that of `croupier-referee`, its `clock.rs` maps game time to the clock and can pause it, and lines of
//! several steps share a write.
//!
//! *Time.* `cadence.rs` decides when messages go out: all messages of a turn are stored first, and are then sent
//! together, in the order of the roles, when they are due. `bounds.rs` measures how long a turn of a game takes to
//! compute, in random matches before the first padded one, and the store keeps it; the cadence gets twice that.
//!
//! *Store.* `store/writer.rs` owns the only connections that write. Servers on one database hold leases
//! (`store/lease.rs`): a match is looked up, and anything is told about it, only while its tenure is held, by a clock
//! that counts suspension. A server that has missed a renewal takes up its matches anew (`takeover.rs`); the store
//! refuses lines and ends of an earlier epoch. Everything that follows from the end of a match is in the transaction that
//! stores it (`store/endings.rs`): the result of its fixture, its deal, the ratings of its players. A deal that several
//! matches share is closed when the last of them ends; until then nothing that reveals its cards is published, not even a
//! rating.
//!
//! *Seats.* A seat that connects reads its board (`board.rs`): every frame it was told, in order, and repeatable, so a
//! broken connection loses nothing. It gets a receipt for each reply (`receipt.rs`): once its line is durable, and
//! together with the messages that follow from it, so that receipts reveal no more than messages do. `known.rs` tells
//! seats that ask which moves are legal, from the frames that they were shown alone: `ProvableMoves` lists them if they
//! are the same in every state that agrees with these. `agent.rs` runs agents of the server's own, on separate threads:
//! their specifications are text, in requests, in the store and in records, and `Agents`, which [`Settings`] brings,
//! checks and seats them. This package depends on no agents.
//!
//! *Memory.* Between events a match has no working memory; it borrows some from its game (`scratches.rs`). Spectator
//! messages are serialised once, however many spectators read them (`feed.rs`). `shelf.rs` keeps compiled games while
//! somebody plays them, and the last few; `replays.rs` what was computed from records of finished matches; `tables.rs`
//! schedules of tournaments together with the results that count. `organising.rs` creates the match of each tournament
//! fixture when it is due.
//!
//! *Requests.* Every request passes `edge.rs`: rate limits (`rates.rs`), the deadline for its body, headers, metrics
//! (`metrics.rs`) and the log. `problem/code.rs` lists the codes of all refusals; `idempotency.rs` answers requests that come twice. `connections.rs` watches connections. `text.rs` refuses NUL and `api/query.rs` unknown query
//! keys, for every route, by the OpenAPI document. `rights.rs` is the only place that decides who may do what; not even
//! the operator sees a match before it is over. `checking.rs` gives a check of rules a budget of processor time, and ends
//! it when its client has gone; the engine asks between rules whether to stop (`engine/src/check/effort.rs`). `drain.rs`
//! is the shutdown signal, to which everything that waits listens. A server whose store takes nothing when it starts
//! answers 503 from a waiting room (`application.rs`) until it does.
//!
//! *Tests.* `leaks.rs`, and `mutant.rs` of `croupier-referee`, are compiled only for tests: deliberate information leaks,
//! which `tests/server` switches on and must detect. `croupier bench --server` measures a server from outside.
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
mod client;
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
mod session;
mod forms;
mod pledge;
mod problem;
mod outcome;
mod receipt;
mod names;
mod idempotency;
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
mod interruptions;
mod live;
mod realtime;
mod bounds;
mod replays;
mod told;
mod tournament;
mod tables;
mod referee;
mod seating;
mod match_view;
mod takeover;
mod organising;
mod tournament_view;
mod tls;
mod connections;
mod api;
mod pages;
mod edge;
mod application;

pub use actor::{Instruction, MatchActor, Resumption};
pub use application::{Application, BuildError, Settings, Stopper};
pub use cadence::{Cadence, Pace};
pub use limits::{CHECK, Limits, RateLimits};
pub use outbox::Lines;
pub use realtime::RealTimeActor;
pub use setup::{PLAY_CLOCK_MS, START_CLOCK_MS};
pub use store::{StoreError, StorePlace};
pub use tls::{TlsError, TlsFiles};
