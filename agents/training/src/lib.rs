//! Plays hundreds of matches at once for learning: features of what each role knows, masks of legal moves, goals at the end.
//!
//! A [`VectorEnvironment`] plays a match in each lane of the batch engine. Chance is handled inside, forced moves are made
//! automatically, and when a match ends the next one starts in its lane. Results are written into [`Arrays`], whose numbers
//! are named by [`Space`].
//!
//! The features of a role are a function of its own moves and percepts, except those of [`Features::State`]. Those of
//! [`Features::Belief`] are inferred from them: the probability of every fluent.
//!
//! This package is pure: no clock, no entropy (a seed is an argument), no I/O, no log. It uses the threads of the calling rayon
//! pool, whose number never affects a result.
#![forbid(unsafe_code)]

mod space;
mod knowledge;
mod memory;
mod known;
mod size;
mod beliefs;
mod block;
mod bytes;
mod arrays;
mod environment;
mod error;

pub use arrays::Arrays;
pub use environment::{Settings, VectorEnvironment};
pub use error::TrainingError;
pub use space::{Features, PlayerSpace, Seat, Space};
