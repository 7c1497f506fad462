//! `croupier-rt/1`: what goes over the wire in a real-time match, as JSON and as prefix text, without I/O.
//!
//! Only [`RealTimeMatch`](super::RealTimeMatch) decides what a player is told, as [`Notice`](super::Notice)s;
//! [`RealTimeMessage::of`] only serialises one, so a role is told the same over every transport.
//!
//! | JSON, one object a frame | prefix text |
//! |---|---|
//! | `{"type":"start","time":"real","match":id,"role":r,"rules":text,"tick_us":n,"speed_permille":n,"start_clock_ms":n,"now_us":n,"commitment":hex?}` | `(START id role (rules) REAL tick speed startclock now commitment?)` |
//! | `{"type":"clock","now_us":n}` | `(CLOCK id now)` |
//! | `{"type":"event","at_us":n,"moves":{role:term}}`, with full sight | `(EVENT id at ((role term) ...))` |
//! | `{"type":"event","at_us":n,"move":term?,"percepts":[term...]}`, else | `(EVENT id at term (term ...))`, with `()` for no move |
//! | `{"type":"received","id":k,"at_us":n,"arrived_us":n?,"accepted":bool,"status":word?}` | `(RECEIVED id k at)` or `(RECEIVED id k at status arrived)` |
//! | `{"type":"stop","at_us":n,"goals":{role:n}?}` | `(STOP id at NIL)` or `(STOP id at ((role n) ...))` |
//! | the player: `{"type":"ready"}` | `(READY id)` |
//! | `{"type":"move","id":k,"move":term,"not_before_us":n?}` | `(MOVE id k term)` or `(MOVE id k term notbefore)` |
//!
//! Instants are whole microseconds of game time, numbers at most 2^53 - 1, so that every reader of JSON has them exactly.
//! `speed_permille` is how much game time passes while a second does on the clock, in milliseconds. `start` gives the rules before
//! the match begins, so that a player can get ready; `clock` says that it runs. The referee's frames may gain fields, so
//! unknown ones are passed over; a player's may not.

mod error;
mod json;
mod message;
mod prefix;
#[cfg(test)]
mod tests;

pub use error::WireError;
pub use message::{Opening, RealTimeMessage, RealTimeSaid, Seen};

/// Longest frame of a player, in bytes: its move has up to 64 KiB.
pub const SAID_BYTES_MAX: usize = (1 << 16) + 1024;

/// Largest number: the largest that every JSON parser represents exactly.
pub const NUMBER_MAX: u64 = (1 << 53) - 1;
