//! What there is to say of a code, read from a file of text.

/// The meaning of a code: in a few words, and in a text that has the finding beside a similar one that does not; a fix, and a source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// Its meaning, and the source; "Def." is the specification LG-2006-01.
    pub meaning: &'static str,
    /// A small whole text that shows the finding; it may have other findings too.
    pub rejected: &'static str,
    /// The text without the finding, as little changed as possible.
    pub accepted: &'static str,
    /// What to do.
    pub cure: &'static str,
    /// The source of the rule, or another program that has it.
    pub source: &'static str,
}

impl Explanation {
    /// Reads a file of three paragraphs and two lines: the meaning; `Found in:` on a line before a text; `Not found in:` on a line before
    /// another; then a line that begins with `Cure: ` and one that begins with `Source: `.
    ///
    /// # Panics
    /// If a part is missing, or something stands after the last one. In a constant this is an error of the compiler.
    #[must_use]
    pub const fn read(file: &'static str) -> Self {
        let (meaning, rest) = split(file, "\n\nFound in:\n");
        let (rejected, rest) = split(rest, "\n\nNot found in:\n");
        let (accepted, rest) = split(rest, "\n\nCure: ");
        let (cure, rest) = split(rest, "\nSource: ");
        let (source, after) = split(rest, "\n");
        assert!(after.is_empty(), "an explanation has text after its source");
        Self { meaning, rejected, accepted, cure, source }
    }
}

/// The text before the first occurrence of a mark, and the text behind it.
const fn split(text: &'static str, mark: &str) -> (&'static str, &'static str) {
    let (mut start, mut matched) = (0, 0);
    while matched < mark.len() {
        assert!(start + matched < text.len(), "an explanation lacks one of its parts");
        if text.as_bytes()[start + matched] == mark.as_bytes()[matched] {
            matched += 1;
        } else {
            (start, matched) = (start + 1, 0);
        }
    }
    let (before, rest) = text.split_at(start);
    (before, rest.split_at(matched).1)
}
