//! The only place of this package that asks the operating system for entropy.

use std::io;

/// Unpredictable random bytes.
///
/// # Errors
/// If the operating system gives none.
pub(crate) fn bytes<const N: usize>() -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes)
}
