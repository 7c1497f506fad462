//! Where the lines of a text start, so that a thousand places are found in one pass.

use croupier_engine::Span;

/// The lines of a text.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

impl<'t> Lines<'t> {
    pub(crate) fn of(text: &'t str) -> Self {
        let starts = [0].into_iter().chain(text.match_indices('\n').map(|(newline, _)| newline + 1));
        Self { text, starts: starts.collect() }
    }

    /// Line and column of the first byte of a range, from 1, columns in characters.
    pub(crate) fn start(&self, span: Span) -> (usize, usize) {
        self.line_column(span.start as usize)
    }

    /// Line and column of the byte behind a range.
    pub(crate) fn end(&self, span: Span) -> (usize, usize) {
        self.line_column(span.end as usize)
    }

    fn line_column(&self, position: usize) -> (usize, usize) {
        let position = self.text.floor_char_boundary(position.min(self.text.len()));
        let line = self.starts.partition_point(|&start| start <= position);
        let start = self.starts[line - 1];
        (line, self.text[start..position].chars().count() + 1)
    }
}
