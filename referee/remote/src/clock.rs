//! The one place of this package that reads the clock.

use std::time::Instant;

/// Now, on a clock that does not go back.
#[expect(clippy::disallowed_methods, reason = "deadlines of players are real time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
