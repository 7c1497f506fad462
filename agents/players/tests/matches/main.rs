//! Whole matches of players, with a referee of a few lines.
#![expect(clippy::unwrap_used, reason = "a failure in a test is told by its panic")]

mod bomb;
mod deals;
mod full_sight;
mod information;
mod kuhn;
mod laws;
mod leduc;
mod luck;
mod models;
mod monty_hall;
mod open_ends;
mod policy;
mod referee;
mod resolve;
mod symmetries;
