//! The one place that reads the clock and the operating system's entropy.

use std::time::Instant;

use croupier_referee::{Seed, SeedError};

use crate::failure::Failure;

/// Now, for rates and for the patience of a person; no result depends on it.
#[expect(clippy::disallowed_methods, reason = "the command line is the shell that owns the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The seed that was asked for, or a fresh one from the operating system.
///
/// # Errors
/// If the text is not a seed, or the operating system gives none.
pub(crate) fn seed(text: Option<&str>) -> Result<Seed, Failure> {
    if let Some(text) = text {
        return Seed::from_text(text).map_err(|error: SeedError| {
            Failure::refuse("bad-seed", error.to_string()).at_argument("--seed", text)
        });
    }
    random_bytes().map(Seed::from_bytes).map_err(|failure| failure.help("give a seed with --seed"))
}

/// Fresh bytes from the operating system, which nobody can guess.
///
/// # Errors
/// If it gives none.
pub(crate) fn random_bytes() -> Result<[u8; 32], Failure> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::refuse("no-entropy", format!("the operating system gives no random bytes: {error}"))
    })?;
    Ok(bytes)
}
