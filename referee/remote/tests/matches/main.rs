//! Matches over real sockets: what is written to the byte, and players that do everything wrong.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]
#![expect(clippy::disallowed_methods, reason = "these are tests of deadlines, which are real time")]

mod absent;
mod bytes;
mod fake;
mod hostile;
mod maze;
