//! The one place that reads the clock.

use std::time::Instant;

/// Now, for rates and for the patience of a person; no result depends on it.
#[expect(clippy::disallowed_methods, reason = "the command line is the shell that owns the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}
