//! Beliefs and reviews of trainers, compared with enumerations of whole games.
#![expect(clippy::unwrap_used, reason = "a failure in a test is told by its panic")]

mod beliefs;
mod enumeration;
mod holdem;
mod renaming;
mod reviews;
mod views;
