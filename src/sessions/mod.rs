//! Matches, and the people who sit at them.
//!
//! `seat` holds every kind of player that can sit in a role, with its clock, and `series` plays the matches of one call, `session` those of a table; `realtime`
//! has both for real-time games. `interrupt.rs` handles signals and passes them down as a value or a closure. `terminal` is what a
//! person sits at: lines wrapped by words, an edited line, and a keyboard that is given up at a deadline. `story.rs`, `telling.rs` and
//! `signs.rs` describe what happened.

pub(crate) mod clock;
pub(crate) mod signs;
pub(crate) mod terminal;
pub(crate) mod interrupt;
pub(crate) mod log;
pub(crate) mod conduct;
pub(crate) mod fault;
pub(crate) mod relations;
pub(crate) mod story;
pub(crate) mod telling;
pub(crate) mod belief;
pub(crate) mod seat;
pub(crate) mod series;
pub(crate) mod session;
pub(crate) mod realtime;
