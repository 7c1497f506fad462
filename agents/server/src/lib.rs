//! Any player of `croupier-players` as a general game player over HTTP.
//!
//! The modules stand in reading order. An [`Application`] answers the messages of push mode in every dialect that
//! [`croupier_referee::protocol`] reads, in several matches at once. Handlers only read, look up and write: each match
//! has a thread of its own, where the rules are compiled and moves are chosen, and a reply is whatever that thread
//! has found when the time is up.
//!
//! # Promises
//! - A move leaves before the deadline, less a margin that learns ([`Margin`]): the player's, or the first legal one.
//! - A message that comes again gets the same reply; a turn that was skipped is bridged by percepts that agree with
//!   everything else the role was told.
//! - STOP and ABORT free the match at once, whatever its player is doing.
//! - No bytes make it panic, and what it cannot read is answered in words. Its log has ids, turns, times and codes of
//!   errors, and neither moves nor percepts nor rules.
//!
//! The pull mode, in which a player connects to a referee, is not here: there is no referee that offers it yet.
#![forbid(unsafe_code)]

mod clock;

mod margin;

mod told;

mod repair;

mod answer;

mod thinker;

mod table;

mod handler;

mod application;

pub use application::{Application, Settings};
pub use margin::Margin;
