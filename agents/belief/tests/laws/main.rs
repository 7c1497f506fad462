//! Laws of beliefs, checked against enumerations that share no code with them.
#![expect(clippy::unwrap_used, reason = "a failure in a test is told by its panic")]

mod certainty;
mod convergence;
mod exact;
mod guided;
mod health;
mod holdem;
mod lanes;
mod particle;
mod policies;
mod questions;
mod rejuvenation;
mod tree;
