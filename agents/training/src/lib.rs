//! Plays hundreds of matches at once for learning: features of what each role knows, masks of legal moves, goals at the end.
//!
//! A [`VectorEnvironment`] plays a match in each lane of the batch engine; a step goes from one choice to the next.
//! Chance is handled inside, forced moves are made automatically, and when a match ends the next one starts in its lane.
//! Results are written into [`Arrays`], whose numbers are named by [`Space`].
//!
//! The features of a role are a function of its own moves and percepts, except those of [`Features::State`]. Those of
//! [`Features::Belief`] are inferred from them: the probability of every fluent.
//!
//! A block (`block.rs`) has 512 lanes: it draws a move for every role, replaces it by the step's move where that is
//! legal, runs the tape, and continues in lanes where nobody has a choice. `memory.rs` keeps what a player did and was
//! told as planes in the order of its features, so observations are written by transposition; `bytes.rs` writes eight
//! bytes at a time. Tests compare every feature with the information set of a match that is replayed turn by turn.
//!
//! [`Space::row`] writes the same bytes for one information set (`knowledge.rs`): a seat shows a net the same input as
//! the lanes did during training. `known.rs` keeps information sets where a caller needs them.
//! `events.rs` keeps them as numbers, under names by which those that differ only in exchangeable values become one (`shapes.rs`); `beliefs.rs`
//! computes the probability of every fluent for each of them once.
//!
//! A network is asked for all choices of a step at once: [`StepChoices`] writes them as rows, and draws moves from its answers.
//!
//! This package is pure: no clock, no entropy (a seed is an argument), no I/O, no log. It uses the threads of the calling rayon
//! pool, whose number never affects a result.
#![forbid(unsafe_code)]

mod features;
mod size;
mod knowledge;
mod space;
mod memory;
mod known;
mod shapes;
mod events;
mod beliefs;
mod policies;
mod opponent_sets;
mod opponents;
mod block;
mod bytes;
mod arrays;
mod environment;
mod choices;
mod error;

pub use arrays::Arrays;
pub use choices::{ShownFeatures, StepChoices};
pub use environment::{EnvironmentSettings, VectorEnvironment};
pub use error::TrainingError;
pub use features::Features;
pub use policies::{OpponentPolicies, OpponentPolicy};
pub use space::{PlayerSpace, SeatKind, Space};
