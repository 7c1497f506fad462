//! What people write: their names, and what they say. Any text, within bounds, and never markup: whoever shows it escapes it.

use crate::problem::{Problem, ProblemCode, Result};

/// Longest name, in characters and in bytes.
const NAME_CHARS_MAX: usize = 40;
const NAME_BYTES_MAX: usize = 160;

/// Longest line of chat, in characters and in bytes.
const SAID_CHARS_MAX: usize = 280;
const SAID_BYTES_MAX: usize = 1_120;

/// The name of a guest: white space is single, and what is not seen is left out.
///
/// # Errors
/// [`Problem`] that says what is wrong with it.
pub(crate) fn name(text: &str) -> Result<String> {
    let is_long = text.len() > 2 * NAME_BYTES_MAX;
    let name = if is_long { String::new() } else { shown(text) };
    if is_long || name.chars().count() > NAME_CHARS_MAX || name.len() > NAME_BYTES_MAX {
        return Err(bad(&format!("a name may have at most {NAME_CHARS_MAX} characters")));
    }
    if name.is_empty() {
        return Err(bad("a name must have at least one character that can be seen"));
    }
    Ok(name)
}

/// A line of chat.
///
/// # Errors
/// [`Problem`] that says what is wrong with it.
pub(crate) fn said(text: &str) -> Result<String> {
    let is_long = text.len() > 2 * SAID_BYTES_MAX;
    let line = if is_long { String::new() } else { shown(text) };
    if is_long || line.chars().count() > SAID_CHARS_MAX || line.len() > SAID_BYTES_MAX {
        return Err(
            ProblemCode::BadText.because(format!("a line may have at most {SAID_CHARS_MAX} characters"))
        );
    }
    if line.is_empty() {
        return Err(ProblemCode::BadText.because("there is nothing to say in it"));
    }
    Ok(line)
}

fn bad(detail: &str) -> Problem {
    ProblemCode::BadName.because(detail)
}

/// The text on one line with single spaces, without control characters and without what turns the direction of other texts. What joins
/// emoji stays.
fn shown(text: &str) -> String {
    let is_hidden = |letter: &char| {
        let hides = matches!(letter,
            '\u{ad}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{180e}' | '\u{200b}' | '\u{200c}' | '\u{200e}' | '\u{200f}'
            | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff9}'..='\u{fffb}'
            | '\u{e0001}' | '\u{1d173}'..='\u{1d17a}');
        hides || (letter.is_control() && !letter.is_whitespace())
    };
    let kept: String = text.chars().filter(|letter| !is_hidden(letter)).collect();
    let words: Vec<&str> = kept.split_whitespace().collect();
    let joined = words.join(" ");
    // What only joins letters is nothing by itself.
    if joined.chars().all(|letter| matches!(letter, ' ' | '\u{200d}' | '\u{fe00}'..='\u{fe0f}')) {
        return String::new();
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_any_text_that_can_be_seen_within_bounds() {
        for (text, expected) in [
            ("Ada", Some("Ada")),
            ("  Ada \t\r\n Lovelace ", Some("Ada Lovelace")),
            ("<script>alert(1)</script>", Some("<script>alert(1)</script>")),
            ("\u{202e}ada\u{0}\u{7}", Some("ada")),
            ("👩\u{200d}👩\u{200d}👧", Some("👩\u{200d}👩\u{200d}👧")),
            ("مريم", Some("مريم")),
            ("", None),
            ("\u{200b}\u{200d} \u{feff}", None),
        ] {
            assert_eq!(name(text).ok().as_deref(), expected, "{text:?}");
        }
        assert!(name(&"é".repeat(40)).is_ok());
        let long = name(&"x".repeat(65_536)).map_err(|problem| problem.to_string());
        assert_eq!(long, Err("bad-name: a name may have at most 40 characters".to_owned()));
        assert!(name(&"x".repeat(41)).is_err());
    }

    #[test]
    fn what_is_said_is_one_line_within_bounds() {
        assert_eq!(said("nice\nhand").ok().as_deref(), Some("nice hand"));
        assert!(said(&"ha".repeat(140)).is_ok());
        assert!(said(&"ha".repeat(141)).is_err());
        assert!(said("\u{200b}").is_err());
    }
}
