//! Players reached over HTTP, and matches in real time.
//!
//! A [`RemoteSeat`] posts the messages of one role to a player that is an HTTP server, in the dialect that the
//! player uses ([`croupier_referee::protocol`]); [`run_timed_match`] plays a match with such seats, with in-process
//! seats, or with both, each on its own thread, with wall-clock deadlines.
//!
//! [`run_timed_match`] (`driver.rs`) drives the `MatchState` of `croupier-referee`, with a thread for each seat
//! (`table.rs`). A player that answers `busy` is sent START again while the clock is paused. Each seat writes its message
//! in one piece and reads until the reply is complete or the deadline has passed.
//!
//! *Why blocking sockets.* The protocol requires one write per message, no chunks, no headers added by a library, and
//! one absolute deadline for head and body. A `TcpStream` with a timeout set before each read gives exactly
//! that. Each seat has its own thread anyway, because an in-process player may be computing on it, and a
//! match needs no more threads than it has roles. Response heads are parsed by `httparse`.
//!
//! # Promises
//! - A message is one write on its own connection; nothing in it depends on the time or on another role.
//! - Connecting has a separate time budget ([`CONNECT_MAX`], [`CONNECT_IN_ALL_MAX`]), during which the clock of the match
//!   is paused: only the player's own time is measured, from the sending of the message.
//! - A match starts when every player is there. A player that cannot be reached, or stays busy, makes it void, unless the
//!   [`DriverOptions`] says that the match is played anyway; the record says so and can be verified.
//! - At the deadline the match continues, whatever a player does: sends nothing, a byte a second, or endless bytes.
//! - Names are resolved once per match. Redirects are not followed; proxies and other environment settings
//!   are ignored.
#![forbid(unsafe_code)]

mod address;
mod clock;
mod connection;
mod driver;
mod driver_options;
mod patience;
mod response;
mod seat;
mod table;
mod timed_seat;

pub use address::{AddressError, PlayerAddress};
pub use connection::{CONNECT_IN_ALL_MAX, CONNECT_MAX};
pub use driver::run_timed_match;
pub use driver_options::{Absence, DriverOptions, Observed};
pub use patience::Patience;
pub use response::Response;
pub use seat::RemoteSeat;
pub use timed_seat::{TimedReply, TimedSeat};
