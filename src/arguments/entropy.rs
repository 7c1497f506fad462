//! The one place that asks the operating system for entropy.

use croupier_referee::{Seed, SeedError};

use crate::output::failure::Failure;

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
