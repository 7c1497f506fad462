//! Players reached over HTTP, and matches in real time.
//!
//! A [`RemoteSeat`] posts the messages of one role to a player that is an HTTP server, in the dialect that the
//! player understands ([`croupier_referee::protocol`]); [`run_timed_match`] plays a match with such seats, with seats
//! of this process, or with both, each on a thread of its own, by the clock.
//!
//! *Why blocking sockets.* The protocol wants one write per message, no chunks, no headers of a library's own and
//! one absolute deadline over head and body. A `TcpStream` with a timeout set before each read gives exactly
//! that; a seat has a thread of its own anyway, because a player of this process may be computing on it, and a
//! match needs no more of them than it has roles. The heads of responses are read by `httparse`.
//!
//! # Promises
//! - A message is one write on a connection of its own; nothing in it depends on the time or on another role.
//! - Connecting has a budget of its own ([`CONNECT_MAX`], [`CONNECT_IN_ALL_MAX`]), for which the clock of the match stands
//!   still: what is measured is the player's time, from the writing of the message.
//! - A match begins when every player is there. One that cannot be reached, or stays busy, makes it void, unless the
//!   [`Manner`] says that it is played all the same; its record says so and verifies.
//! - At the deadline the match goes on, whatever a player does: says nothing, a byte a second, or no end of bytes.
//! - Names are looked up once a match. Redirects are not followed; proxies and other settings of the environment
//!   are not looked at.
#![forbid(unsafe_code)]

mod address;
mod clock;
mod connection;
mod driver;
mod manner;
mod patience;
mod response;
mod seat;
mod table;
mod timed_seat;

pub use address::{AddressError, PlayerAddress};
pub use connection::{CONNECT_IN_ALL_MAX, CONNECT_MAX};
pub use driver::run_timed_match;
pub use manner::{Absence, Manner, Observed};
pub use patience::Patience;
pub use response::Response;
pub use seat::RemoteSeat;
pub use timed_seat::{TimedReply, TimedSeat};
