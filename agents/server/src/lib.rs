//! Serves any player of `croupier-players` as a general game player over HTTP.
//!
//! The modules are in reading order. An [`Application`] answers the push-mode messages of every dialect that
//! [`croupier_referee::protocol`] supports, in many matches at once. Handlers only read, look up and write. Between
//! messages a match is data: what was asked and replied, and what its role was told, as text. When a move is
//! requested, a thread from a small pool creates a player from that data, or finds one in memory; the reply is whatever the player
//! has found when the time is up.
//!
//! # Promises
//! - A move is sent before the deadline, less an adaptive margin ([`Margin`]): the player's move, or the first legal one.
//!   If more moves are requested than there are threads, they share the time.
//! - A repeated message gets the same reply; a skipped turn is filled in with percepts that agree with
//!   everything else the role was told; a message that contradicts earlier ones is answered with the move that is most likely legal.
//! - STOP and ABORT free the match at once, whatever its player is doing; if the client disconnects, the player stops computing; and
//!   a match whose referee has been silent for longer than its announced clocks makes room for another.
//! - With a budget of iterations a player's moves do not depend on other matches, on threads, or on whether it stayed
//!   in memory.
//! - No input makes it panic, and messages that cannot be parsed are answered with an explanation. Its log has ids, turns, times and error
//!   codes, but no moves, percepts or rules.
//!
//! Pull mode, in which a player connects to a referee, is not implemented here: no referee offers it yet.
#![forbid(unsafe_code)]

mod clock;
mod margin;
mod told;
mod small_belief;
mod repair;
mod guess;
mod transcript;
mod answer;
mod pool;
mod library;
mod seat;
mod session;
mod sessions;
mod thinker;
mod table;
mod line;
mod handler;
mod application;

pub use application::{Application, Settings};
pub use margin::Margin;
