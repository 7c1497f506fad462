//! Terms that callers write, in the one form that values are compared in.

use croupier_engine::{
    Limits,
    stages::syntax::{print_term, read_ground_term},
};
use pyo3::prelude::*;

use crate::errors::refused;

/// The canonical text of a term, written in any case and spacing.
///
/// # Errors
/// The problem, if it is not one ground term.
pub(crate) fn canonical(text: &str) -> Result<String, String> {
    read_ground_term(text, &Limits::STANDARD).map(|term| print_term(&term))
}

/// The same for a percept, a fact or a move without a role.
///
/// # Errors
/// `CroupierError` if it is not one ground term.
pub(crate) fn term(text: &str) -> PyResult<String> {
    canonical(text).map_err(|problem| refused(format!("{} is not a ground term: {problem}", shown(text))))
}

/// A text as quoted in messages: truncated if it is long.
pub(crate) fn shown(text: &str) -> String {
    const CHARS_MAX: usize = 80;
    match text.char_indices().nth(CHARS_MAX) {
        Some((end, _)) => format!("{:?}...", &text[..end]),
        None => format!("{text:?}"),
    }
}
