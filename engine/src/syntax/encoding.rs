//! Bytes to text.

use std::borrow::Cow;

use crate::diagnostic::{Diagnostic, Severity, Span};

/// The text in `bytes`: UTF-8 if it is that, else every byte as the Latin-1 character it is.
#[must_use]
pub fn decode(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => Cow::Owned(bytes.iter().map(|&byte| char::from(byte)).collect()),
    }
}

/// The same, with a warning at the first character that had to be taken as Latin-1.
#[must_use]
pub fn decode_with_findings(bytes: &[u8]) -> (Cow<'_, str>, Vec<Diagnostic>) {
    let found = std::str::from_utf8(bytes).err().map(|error| {
        // Each byte above ASCII before it has become two.
        let before = &bytes[..error.valid_up_to()];
        let start = before.len() + before.iter().filter(|byte| !byte.is_ascii()).count();
        let message = "the text is not UTF-8; it is read as Latin-1";
        Diagnostic::new("latin-1", Severity::Warning, Span::new(start, start + 2), message)
            .with_help("save the file as UTF-8")
    });
    (decode(bytes), found.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_utf_8_is_latin_1_with_a_warning_at_its_place() {
        assert_eq!(decode_with_findings(b"\xef\xbb\xbfa"), (Cow::Borrowed("a"), vec![]));
        let (text, found) = decode_with_findings(b"\xc3\xa9 \xe9");
        assert_eq!(text, "\u{c3}\u{a9} \u{e9}");
        assert_eq!(&text[found[0].span.range()], "\u{e9}");
    }
}
