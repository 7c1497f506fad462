//! The log of commands that serve, on standard error.

use std::io::{IsTerminal as _, stderr};

use tracing::Level;

/// Writes to standard error from now on what is said at this level or above it.
pub(crate) fn begin(level: Level) {
    tracing_subscriber::fmt()
        .with_max_level(level)
        .with_writer(stderr)
        .with_ansi(stderr().is_terminal())
        .with_target(false)
        .init();
}
