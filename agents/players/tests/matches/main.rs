//! Whole matches of players, with a referee of a few lines.

mod kuhn;
mod laws;
mod monty_hall;
mod referee;
