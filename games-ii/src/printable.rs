//! Text that is safe to print.

/// The text with every control character replaced by `\u{fffd}`, so that no rule file can write escape
/// sequences to a terminal.
#[must_use]
pub fn printable(text: &str) -> String {
    text.chars().map(|char| if char.is_control() { char::REPLACEMENT_CHARACTER } else { char }).collect()
}
