//! The exceptions of the package, which are written in Python, and their arguments.

use std::{io, path::Path};

use croupier_engine::{CompileError, Diagnostic, Severity};
use croupier_training::TrainingError;
use pyo3::{exceptions::PyMemoryError, import_exception, prelude::*};

import_exception!(croupier.errors, CroupierError);
import_exception!(croupier.errors, FinishedError);
import_exception!(croupier.errors, IllegalMoveError);
import_exception!(croupier.errors, NoEntryError);
import_exception!(croupier.errors, RecordError);
import_exception!(croupier.errors, RoleError);
import_exception!(croupier.errors, RulesError);
import_exception!(croupier.errors, UnknownGameError);

/// The exception for everything that has no class of its own.
pub(crate) fn refused(problem: impl ToString) -> PyErr {
    CroupierError::new_err(problem.to_string())
}

/// The exception for what lanes refuse.
pub(crate) fn failed(error: &TrainingError) -> PyErr {
    match error {
        TrainingError::TooLarge { .. } => PyMemoryError::new_err(error.to_string()),
        _ => refused(error),
    }
}

/// The exception for a file that cannot be read, with its name.
pub(crate) fn unreadable(path: &Path, error: &io::Error) -> PyErr {
    io::Error::new(error.kind(), format!("{}: {error}", path.display())).into()
}

/// A diagnostic as `croupier.Diagnostic` takes it: code, severity, message, line, column, help.
pub(crate) type DiagnosticFields = (&'static str, &'static str, String, usize, usize, Option<String>);

/// A diagnostic about `source`, as Python is told it.
pub(crate) fn finding(diagnostic: &Diagnostic, source: &str) -> DiagnosticFields {
    let severity = match diagnostic.severity {
        Severity::Note => "note",
        Severity::Warning => "warning",
        Severity::Error => "error",
    };
    let (line, column) = diagnostic.line_column(source);
    (diagnostic.code, severity, diagnostic.message.clone(), line, column, diagnostic.help.clone())
}

/// The exception for rules that give no game.
pub(crate) fn rules_refused(error: &CompileError, source: &str) -> PyErr {
    let mut diagnostics = error.diagnostics();
    // What is wrong comes before what is only odd.
    diagnostics.sort_by_key(|diagnostic| std::cmp::Reverse(diagnostic.severity));
    let findings: Vec<DiagnosticFields> = diagnostics.iter().map(|found| finding(found, source)).collect();
    let message = match (error, findings.first()) {
        (CompileError::Rules(_), Some((code, _, message, line, column, help))) => {
            let errors = diagnostics.iter().filter(|found| found.severity == Severity::Error).count();
            let more = match errors.saturating_sub(1) {
                0 => String::new(),
                more => format!("; {more} more in .diagnostics"),
            };
            let help = help.as_ref().map_or_else(String::new, |help| format!(" ({help})"));
            format!("the rules have errors: line {line}, column {column}: {message}{help} [{code}]{more}")
        }
        _ => error.to_string(),
    };
    RulesError::new_err((message, findings))
}
