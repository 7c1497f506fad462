//! Where the lines of a text start, so that a thousand places are found in one pass.

use croupier_engine::Span;
use serde::Serialize;

/// The lines of a text.
pub(crate) struct Lines<'t> {
    text: &'t str,
    starts: Vec<usize>,
}

/// Where in a text.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Place {
    /// First byte, from 0.
    start: u32,
    /// The byte after the last.
    end: u32,
    /// From 1.
    line: usize,
    /// From 1, in characters.
    column: usize,
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

    /// Where a range is, as data.
    pub(crate) fn place(&self, span: Span) -> Place {
        let (line, column) = self.start(span);
        Place { start: span.start, end: span.end, line, column }
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
