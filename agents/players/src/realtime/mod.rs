//! Players of real-time games: they know what they did and were told, with the instants, and plan a move and when.
//!
//! A player keeps [matches as they could be](TimedBelief): states with hidden instants of others' moves, drawn so that they
//! agree with everything it was told. It looks ahead in them by playing on at random, and chooses a move and an instant
//! where something can change: at once, just before and just after each expiry, and on a grid between.
//! A seed and a budget of iterations give the same plans on every machine.

mod belief;
mod candidates;
mod kind;
mod player;
mod search;
mod walk;

pub use belief::TimedBelief;
pub use kind::{RealTimeKind, RealTimeKindError};
pub use player::{Intent, RealTimePlayer, Told};
pub use walk::{TimedPosition, Walk, WalkEnd};

#[cfg(test)]
mod tests;
