//! The player's side of a match over a network: how much earlier to send, and what to do about late notices.
//!
//! [`Lag`] learns from acknowledgements how long moves take; [`Track`] computes the state at any instant from notices received
//! in any order. Both count microseconds of game time, and use no clock: the caller provides one, which need not agree
//! with the referee's.
//!
//! # Sources
//! J. Kowalski and A. Kisielewicz, "Towards a Real-time Game Description Language", ICAART 2016, section 3 and theorem 2.

mod lag;
#[cfg(test)]
mod network;
#[cfg(test)]
mod tests;
mod track;

pub use lag::Lag;
pub use track::{Track, TrackError};
