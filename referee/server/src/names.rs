//! Names that people give to games, players and tournaments.

use crate::problem::Problem;

/// Longest name.
const NAME_MAX: usize = 64;

/// Refuses what is no name: 1 to 64 letters, digits, hyphens and underscores of ASCII, a letter or digit first. Such a name is
/// itself in a URL, a file name, a page and a log.
///
/// # Errors
/// [`Problem`] `bad-name`.
pub(crate) fn demand(what: &str, name: &str) -> Result<(), Problem> {
    let is_first_sound = name.bytes().next().is_some_and(|first| first.is_ascii_alphanumeric());
    let is_sound = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if is_first_sound && is_sound && name.len() <= NAME_MAX {
        return Ok(());
    }
    Err(Problem::unfit(
        "bad-name",
        format!(
            "the name of {what} must have 1 to {NAME_MAX} letters, digits, hyphens and underscores, and start with a letter or digit"
        ),
    ))
}
