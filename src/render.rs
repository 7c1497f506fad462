//! Diagnostics about rules, as rustc would show them.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use croupier_engine::{Diagnostic, Severity};
use croupier_games::printable;

/// More than these are counted, not shown: nobody reads on, and rendering one costs as much as its lines
/// are long.
const SHOWN_MAX: usize = 100;

/// The diagnostics with the lines that they are about, each followed by an empty line; styled, for a
/// stream that removes the styles where they are not wanted.
pub(crate) fn diagnostics(found: &[Diagnostic], text: &str, path: &str) -> String {
    let path = printable(path);
    let mut rendered = String::new();
    for diagnostic in found.iter().take(SHOWN_MAX) {
        rendered.push_str(&one(diagnostic, text, &path));
        rendered.push_str("\n\n");
    }
    if let Some(hidden) = found.len().checked_sub(SHOWN_MAX).filter(|&hidden| hidden > 0) {
        rendered.push_str(&format!("... and {hidden} more, which --json lists\n\n"));
    }
    rendered
}

/// How many errors and warnings, in words.
pub(crate) fn count(found: &[Diagnostic]) -> String {
    let errors = found.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).count();
    let warnings = found.len() - errors;
    let number = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    match (errors, warnings) {
        (0, 0) => "no errors, no warnings".to_owned(),
        (0, _) => number(warnings, "warning"),
        (_, 0) => number(errors, "error"),
        _ => format!("{} and {}", number(errors, "error"), number(warnings, "warning")),
    }
}

fn one(diagnostic: &Diagnostic, text: &str, path: &str) -> String {
    let message = printable(&diagnostic.message);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let primary = within(diagnostic.span.range(), text);
    let notes: Vec<(Range<usize>, String)> =
        diagnostic.notes.iter().map(|(span, note)| (within(span.range(), text), printable(note))).collect();

    // Only the lines that matter are given to the renderer, which looks at every line that it is given.
    let ranges = || notes.iter().map(|(range, _)| range).chain([&primary]);
    let start = line_start(text, ranges().map(|range| range.start).min().unwrap_or(0));
    let end = line_end(text, ranges().map(|range| range.end).max().unwrap_or(0));
    let shift = |range: &Range<usize>| range.start - start..range.end - start;

    // The renderer shows C0 controls as pictures and lets C1 through, which some terminals obey. What stands
    // for one here has as many bytes, so that every place stays where it is.
    let lines = text[start..end].replace(|char| ('\u{80}'..='\u{9f}').contains(&char), "\u{b7}");
    let mut snippet = Snippet::source(lines)
        .line_start(text[..start].matches('\n').count() + 1)
        .path(path)
        .annotation(AnnotationKind::Primary.span(shift(&primary)));
    for (range, note) in &notes {
        snippet = snippet.annotation(AnnotationKind::Context.span(shift(range)).label(note.as_str()));
    }
    let mut report = vec![level.primary_title(message.as_str()).id(diagnostic.code).element(snippet)];
    let help = diagnostic.help.as_deref().map(printable);
    if let Some(help) = &help {
        report.push(Group::with_title(Level::HELP.secondary_title(help.as_str())));
    }
    Renderer::styled().render(&report)
}

/// The range cut to the text and widened to whole characters.
fn within(range: Range<usize>, text: &str) -> Range<usize> {
    let start = text.floor_char_boundary(range.start.min(text.len()));
    let end = text.ceil_char_boundary(range.end.clamp(start, text.len()));
    start..end
}

fn line_start(text: &str, position: usize) -> usize {
    text[..position].rfind('\n').map_or(0, |newline| newline + 1)
}

fn line_end(text: &str, position: usize) -> usize {
    text[position..].find('\n').map_or(text.len(), |newline| position + newline)
}
