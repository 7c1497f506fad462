//! Laws of beliefs, checked against enumerations that share no code with them.
#![expect(clippy::unwrap_used, reason = "a failure in a test is told by its panic")]

mod exact;
mod holdem;
mod particle;
mod rejuvenation;
mod tree;
