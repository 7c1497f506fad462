//! Bytes to text.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Severity, Span};

/// What some editors put before a text to say that it is UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Bytes that were read as text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded<'b> {
    /// The text, without byte order marks before it.
    pub text: Cow<'b, str>,
    /// That it was not UTF-8, at the place in the text of the first byte that shows it.
    pub finding: Option<Diagnostic>,
}

/// The text in `bytes`: UTF-8 if valid, otherwise every byte as a Latin-1 character, with a warning.
///
/// All bytes are accepted: Latin-1 gives every byte a meaning, and most rules have other characters only in
/// comments.
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    let mut rest = bytes;
    while let Some(behind) = rest.strip_prefix(BYTE_ORDER_MARK) {
        rest = behind;
    }
    match std::str::from_utf8(rest) {
        Ok(text) => Decoded { text: Cow::Borrowed(text), finding: None },
        Err(error) => Decoded {
            text: Cow::Owned(rest.iter().map(|&byte| char::from(byte)).collect()),
            finding: Some(finding(rest, error.valid_up_to(), bytes.len() - rest.len())),
        },
    }
}

/// The warning about the byte at `position` after the `skipped` bytes of the byte order mark.
fn finding(bytes: &[u8], position: usize, skipped: usize) -> Diagnostic {
    // In the text each byte above ASCII has become two.
    let start = position + bytes[..position].iter().filter(|byte| !byte.is_ascii()).count();
    let message =
        format!("byte {} of the file is not UTF-8; the whole file is read as Latin-1", skipped + position);
    Diagnostic::new("not-utf-8", Severity::Warning, Span::new(start, start + 2), message)
        .with_help("save the file as UTF-8")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf_8_is_latin_1_with_a_warning_at_its_place() {
        assert_eq!(decode(b"\xef\xbb\xbfa"), Decoded { text: Cow::Borrowed("a"), finding: None });
        let cases: [(&[u8], &str, &str, &str); 3] = [
            (b"\xc3\xa9 \xe9", "\u{c3}\u{a9} \u{e9}", "\u{e9}", "byte 3 "),
            (b"\xef\xbb\xbf(\xff)", "(\u{ff})", "\u{ff}", "byte 4 "),
            // A character that is cut off at the end.
            (b"ab\xe2\x87", "ab\u{e2}\u{87}", "\u{e2}", "byte 2 "),
        ];
        for (bytes, expected, shown, place) in cases {
            let Decoded { text, finding } = decode(bytes);
            assert_eq!(text, expected);
            let finding = finding.expect("it is not UTF-8");
            assert_eq!(&text[finding.span.range()], shown);
            assert!(finding.message.starts_with(place), "{finding}");
        }
    }
}
