//! Hundreds of matches at once for whoever learns: what each role knows as features, legal moves as a mask, goals at the end.
//!
//! A [`VectorEnvironment`] plays a match in each lane of the batch engine. Chance is inside, a role with a single legal move is
//! moved for, and a match that ends is followed by the next one in its lane. What comes out is written into [`Arrays`]: numbers
//! that mean what [`Space`] names.
//!
//! Features of a role are a function of its own moves and percepts alone, except those of [`Features::State`]. Those of
//! [`Features::Belief`] are what follows from them: how probable every fluent is.
//!
//! This package is pure: no clock, no entropy (a seed is an argument), no I/O, no log. Threads are those of the rayon pool that
//! it is called in, and change no bit of a result.
#![forbid(unsafe_code)]

mod space;
mod knowledge;
mod memory;
mod known;
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
