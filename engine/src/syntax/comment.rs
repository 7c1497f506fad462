//! One line of commentary.

use crate::diagnostic::Span;

/// A comment, from its sign to the end of its line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comment {
    /// From its sign to the end of its line.
    pub span: Span,
    /// How often the sign is repeated: `;;;` is 3.
    pub signs: usize,
    /// The text after the comment signs, without trailing spaces.
    pub text: String,
    /// Whether a clause ends before it on the same line.
    pub is_trailing: bool,
}

impl Comment {
    /// The comment at `span` of `text`, where it starts with `sign`.
    pub(super) fn at(span: Span, text: &str, sign: char) -> Self {
        let line = &text[span.range()];
        let words = line.trim_start_matches(sign);
        // Both signs are one byte long.
        let signs = line.len() - words.len();
        Self { span, signs, text: words.trim_end().to_owned(), is_trailing: false }
    }

    /// Writes it with the sign of a syntax, and ends the line.
    pub(super) fn write(&self, out: &mut String, sign: char) {
        out.extend(std::iter::repeat_n(sign, self.signs.max(1)));
        // A sign of either syntax that belongs to the text would be counted among the signs.
        if self.text.starts_with([';', '%']) {
            out.push(' ');
        }
        out.push_str(&self.text);
        out.push('\n');
    }
}
