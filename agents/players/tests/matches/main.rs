//! Whole matches of players, with a referee of a few lines.
#![expect(clippy::unwrap_used, reason = "a failure in a test is told by its panic")]

mod kuhn;
mod laws;
mod monty_hall;
mod referee;
