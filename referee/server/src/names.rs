//! Names that people give to games, players and tournaments.

use crate::problem::{Problem, ProblemCode};

/// Longest name.
const NAME_MAX: usize = 64;

/// Rejects invalid names: a name has 1 to 64 ASCII letters, digits, hyphens and underscores, and starts with a letter or digit. Such a name
/// needs no escaping in a URL, a file name, a page or a log.
///
/// # Errors
/// [`Problem`] `bad-name`.
pub(crate) fn demand(what: &str, name: &str) -> Result<(), Problem> {
    let is_first_sound = name.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric());
    let is_sound = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_first_sound && is_sound && name.len() <= NAME_MAX {
        return Ok(());
    }
    Err(ProblemCode::BadName.because(format!(
            "the name of {what} must have 1 to {NAME_MAX} letters, digits, hyphens and underscores, and start with a letter or digit"
        )))
}
