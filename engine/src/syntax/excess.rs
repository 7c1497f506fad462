//! The common message for text that exceeds a limit.

use crate::diagnostic::{Diagnostic, Severity, Span};

/// A text demands more than a limit allows.
pub(super) fn excess(what: &str, limit: usize, demand: usize, span: Span) -> Diagnostic {
    let message = format!("{what}: limit {limit}, {demand} needed");
    Diagnostic::new("limit", Severity::Error, span, message)
}
