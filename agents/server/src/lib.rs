//! Serves any player of `croupier-players` as a general game player over HTTP.
//!
//! The modules are in reading order. An [`Application`] answers the push-mode messages of every dialect that
//! [`croupier_referee::protocol`] supports, in many matches at once. Handlers only read, look up and write; the reply is
//! whatever the player has found when the time is up.
//!
//! # From a message to a move
//!
//! - `handler.rs` reads a message, and the match's `Book` (`answer.rs`) checks whether it is a repeat: if so, the same
//!   reply is returned. The handler answers with the best move found before the deadline, less a [`Margin`] that it
//!   learns from turn to turn.
//! - Between messages a match is a `Seat` (`seat.rs`): what was asked and replied, and a `Transcript` of what its role
//!   did and was told, as text. Its game is compiled once for all matches with equal rules (`library.rs`), and no player
//!   computes with that copy.
//! - When a move is requested, the seat goes to a small pool of threads that serves the match with the nearest deadline
//!   first, and to spare threads when those are busy (`pool.rs`). The thread finds the match's `Session` (`session.rs`),
//!   a `PlayerSeat` of `croupier-seat` with a move in reserve, in memory, or recreates it from a fork of the game and the
//!   transcript. Either way the player chooses the same move, since its choices depend on what it knows and not on which
//!   messages it received.
//! - The session processes what is new, publishes a legal move at once and a better one when the player has chosen
//!   (`thinker.rs`); when many are waiting, each gets its legal move before any search starts. It stops early when the
//!   referee has moved on, when nobody waits for the answer any more (`connections.rs`), and when other matches need the thread.
//! - `repair.rs` fills in skipped turns with the most likely percepts consistent with everything else. If that fails, the
//!   answer is a move that is probably legal (`guess.rs`), and the message is not added to the transcript.
//! - `table.rs` has the matches that are being played, and makes room for others.
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
mod no_move;
mod answer;
mod pool;
mod library;
mod seat;
mod session;
mod sessions;
mod thinker;
mod table;
mod connections;
mod handler;
mod application;

pub use application::{Application, Settings};
pub use margin::Margin;
