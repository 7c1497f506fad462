//! The agent as a referee meets it: over sockets, in every dialect, and with everything that is no message.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]
#![expect(clippy::disallowed_methods, reason = "these are tests of deadlines, which are real time")]

mod dialects;
mod fit;
mod hostile;
mod many;
mod turns;
mod wire;
