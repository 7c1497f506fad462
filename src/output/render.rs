//! Diagnostics about rules, as rustc would show them.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use croupier_engine::{Diagnostic, Severity, Span};
use croupier_games::printable;

use crate::output::lines::Lines;

/// More than these are counted, not shown: nobody reads on.
const SHOWN_MAX: usize = 100;

/// The same of the lines that are shown, in bytes. Rendering takes some milliseconds a megabyte, and a rule
/// file may be a single line.
const BYTES_MAX: usize = 4 << 20;

/// The diagnostics with the lines that they are about, each followed by an empty line; styled, for a
/// stream that removes the styles where they are not wanted.
pub(crate) fn diagnostics(found: &[&Diagnostic], text: &str, path: &str) -> String {
    let path = printable(path);
    let lines = Lines::of(text);
    let mut rendered = String::new();
    let (mut shown, mut bytes) = (0, 0);
    for diagnostic in found.iter().take(SHOWN_MAX) {
        if bytes > BYTES_MAX {
            break;
        }
        let extent = extent(diagnostic, text);
        bytes += extent.len();
        shown += 1;
        rendered.push_str(&one(diagnostic, text, extent, &lines, &path));
        rendered.push_str("\n\n");
    }
    if shown < found.len() {
        rendered.push_str(&format!("... and {} more, which --json lists\n\n", found.len() - shown));
    }
    rendered
}

/// How many errors, warnings and notes, in words.
pub(crate) fn count<'d>(found: impl Iterator<Item = &'d Diagnostic> + Clone) -> String {
    let of = |weight| found.clone().filter(|diagnostic| diagnostic.severity == weight).count();
    let (errors, warnings, notes) = (of(Severity::Error), of(Severity::Warning), of(Severity::Note));
    let number = |count: usize, what: &str| match count {
        1 => format!("1 {what}"),
        _ => format!("{count} {what}s"),
    };
    let weighty = match (errors, warnings) {
        (0, 0) => "no errors, no warnings".to_owned(),
        (0, _) => number(warnings, "warning"),
        (_, 0) => number(errors, "error"),
        _ => format!("{} and {}", number(errors, "error"), number(warnings, "warning")),
    };
    match notes {
        0 => weighty,
        notes => format!("{weighty}, {}", number(notes, "note")),
    }
}

/// The lines that a diagnostic is about: the renderer looks at every line that it is given.
fn extent(diagnostic: &Diagnostic, text: &str) -> Range<usize> {
    let spans = diagnostic.notes.iter().map(|(span, _)| *span).chain([diagnostic.span]);
    let ranges: Vec<Range<usize>> = spans.map(|span| within(span.range(), text)).collect();
    let start = line_start(text, ranges.iter().map(|range| range.start).min().unwrap_or(0));
    let end = line_end(text, ranges.iter().map(|range| range.end).max().unwrap_or(0));
    start..end
}

fn one(
    diagnostic: &Diagnostic,
    text: &str,
    extent: Range<usize>,
    numbered: &Lines<'_>,
    path: &str,
) -> String {
    let message = printable(&diagnostic.message);
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Note => Level::NOTE,
    };
    let primary = within(diagnostic.span.range(), text);
    let notes: Vec<(Range<usize>, String)> =
        diagnostic.notes.iter().map(|(span, note)| (within(span.range(), text), printable(note))).collect();

    let start = extent.start;
    let shift = |range: &Range<usize>| range.start - start..range.end - start;

    // The renderer shows C0 controls as pictures and lets C1 through, which some terminals obey. What stands
    // for one here has as many bytes, so that every place stays where it is.
    let lines = text[extent].replace(|char| ('\u{80}'..='\u{9f}').contains(&char), "\u{b7}");
    let mut snippet = Snippet::source(lines)
        .line_start(numbered.start(Span::new(start, start)).0)
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

/// The word for a severity, in SARIF and elsewhere.
pub(crate) fn level(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
        Severity::Note => "note",
    }
}
