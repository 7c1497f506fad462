//! Problems in the text of rules, as data: code, severity, location, notes and a fix.
//!
//! Stages return all diagnostics that they find; nothing here prints.

use std::{fmt, sync::Arc};

/// A range of bytes in a rules text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`; positions beyond 4 GiB are cut to it.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Self {
        let cut = |position| u32::try_from(position).unwrap_or(u32::MAX);
        Self { start: cut(start), end: cut(end) }
    }

    /// From the start of this range to the end of `last`.
    #[must_use]
    pub fn to(self, last: Self) -> Self {
        Self { start: self.start, end: last.end }
    }

    /// The same as a range for slicing.
    #[must_use]
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// The location of a rule in the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RulePlace {
    /// The name of the relation that it concludes.
    pub relation: Arc<str>,
    /// All of the rule, in bytes of the text.
    pub span: Span,
}

/// How much a finding weighs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// Not a problem, but useful to know.
    Note,
    /// The rules are played as written, with this reading.
    Warning,
    /// The rules have no meaning in this reading and are rejected.
    Error,
}

/// How a text is judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strictness {
    /// Only what the specification allows.
    Strict,
    /// Also what departs from it and still has one sensible meaning.
    Compatible,
}

/// One finding about a rules text.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Diagnostic {
    /// Where, in bytes of the text.
    pub span: Span,
    /// How bad.
    pub severity: Severity,
    /// Which check: a stable word.
    pub code: &'static str,
    /// The problem, in one line without a full stop.
    pub message: String,
    /// Related locations, each with an explanation.
    pub notes: Vec<(Span, String)>,
    /// What to do about it, if that is evident.
    pub help: Option<String>,
}

impl Diagnostic {
    /// A finding without notes or help.
    #[must_use]
    pub fn new(code: &'static str, severity: Severity, span: Span, message: impl Into<String>) -> Self {
        Self { span, severity, code, message: message.into(), notes: Vec::new(), help: None }
    }

    /// The same with a cure.
    #[must_use]
    pub fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same with one more place.
    #[must_use]
    pub fn with_note(mut self, span: Span, note: impl Into<String>) -> Self {
        self.notes.push((span, note.into()));
        self
    }

    /// Line and column of the start in `source`, both from 1, columns in characters.
    #[must_use]
    pub fn line_column(&self, source: &str) -> (usize, usize) {
        let mut start = (self.span.start as usize).min(source.len());
        while !source.is_char_boundary(start) {
            start -= 1;
        }
        let before = &source[..start];
        let line_start = before.rfind('\n').map_or(0, |newline| newline + 1);
        (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let severity = match self.severity {
            Severity::Note => "note",
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        write!(f, "{severity}[{}] at byte {}: {}", self.code, self.span.start, self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

/// Whether any finding is an error.
#[must_use]
pub fn has_errors(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}
