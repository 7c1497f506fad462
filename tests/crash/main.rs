//! The server as a process that dies: at every numbered effect of a match, at random under load, on a disk that fails.
//!
//! `CROUPIER_SLOW=1` runs the long versions, which `.ci/nightly` prints.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]
#![expect(clippy::print_stdout, reason = "the long versions are run for their counts")]
#![expect(clippy::disallowed_methods, reason = "a server that stands still is given up on")]

mod dice;
mod effects;
mod errors;
mod expected;
mod images;
mod kept;
mod kills;
mod players;
mod seats;
mod server;
mod tables;
mod trace;
