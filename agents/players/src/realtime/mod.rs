//! Players of real-time games: from what they did and were told, with the instants, they plan a move and its time.
//!
//! A player keeps [possible matches](TimedBelief): states that agree with everything it was told, in which the hidden instants of
//! other players' moves are drawn at random. It looks ahead in them by random play, and chooses a move and an instant
//! at which something can change: at once, just before, at and just after each expiry, and on a grid between.
//! A seed and a budget of iterations give the same plans on every machine.

mod belief;
mod candidates;
mod kind;
mod player;
mod search;
mod walk;

pub use belief::TimedBelief;
pub use kind::RealTimeKind;
pub use player::{Intent, RealTimePlayer, TimedTurn};
pub use walk::{TimedPosition, Walk, WalkEnd};

#[cfg(test)]
mod tests;
