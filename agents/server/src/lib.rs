//! Any player of `croupier-players` as a general game player over HTTP.
//!
//! The modules stand in reading order. An [`Application`] answers the messages of push mode in every dialect that
//! [`croupier_referee::protocol`] reads, in many matches at once. Handlers only read, look up and write. Between its
//! messages a match is data: what was asked and replied, and what its role was told, as text. When a move is asked
//! for, one of a few threads makes a player of that, or finds it in memory still, and a reply is whatever the player
//! has found when the time is up.
//!
//! # Promises
//! - A move leaves before the deadline, less a margin that learns ([`Margin`]): the player's, or the first legal one.
//!   Where more moves are asked for than there are threads, they share the time.
//! - A message that comes again gets the same reply; a turn that was skipped is bridged by percepts that agree with
//!   everything else the role was told; a message that does not fit gets the move that is likeliest to be legal.
//! - STOP and ABORT free the match at once, whatever its player is doing; a client that is gone stops the thinking; and
//!   a match whose referee has been silent for longer than the clocks it announced makes room for another.
//! - With a budget of iterations a player's moves do not depend on other matches, on threads, or on whether it stayed
//!   in memory.
//! - No bytes make it panic, and what it cannot read is answered in words. Its log has ids, turns, times and codes of
//!   errors, and neither moves nor percepts nor rules.
//!
//! The pull mode, in which a player connects to a referee, is not here: there is no referee that offers it yet.
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
