//! Symmetries of games: how many there are, and that what they map is played alike.
#![expect(clippy::unwrap_used, reason = "a test that fails says where")]

mod known;
mod plays;
