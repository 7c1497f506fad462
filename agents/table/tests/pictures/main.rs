//! Pictures of every game of the catalogue: that they are sound markup, that they show what is known and nothing else, and that what
//! people choose is what is legal.
#![expect(clippy::unwrap_used, reason = "a failure in a test is told by its panic")]

mod choices;
mod counts;
mod knowledge;
mod markup;
mod walk;
