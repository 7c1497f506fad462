//! How other systems read rules: what `convert` tells about that, and the form in which they read what we do.

use std::io::Write;

use croupier_engine::{
    Diagnostic, Limits, Severity, Strictness,
    stages::{
        check::{check_text, severity},
        rules::is_real_time,
        strict::strict_form,
        syntax::{self, Description},
    },
};

use crate::{
    arguments::source::Source,
    output::{failure::Failure, render},
};

/// Warnings of both readings that are about other systems too.
const BY_ORDER: [&str; 2] = ["negation-before-binding", "conjunction"];

/// Tells, for each kind, the first place that other systems may read differently or not at all.
pub(super) fn tell_differences(source: &Source) -> Result<(), Failure> {
    let (_, found) = source.checked();
    let mut told: Vec<Diagnostic> = Vec::new();
    let mut others = 0;
    for found in found.iter().filter(is_read_differently) {
        match told.iter().any(|known| known.code == found.code) {
            true => others += 1,
            false => told.push(found.clone()),
        }
    }
    if told.is_empty() {
        return Ok(());
    }
    let mut out = anstream::stderr().lock();
    write!(out, "{}", render::diagnostics(&told.iter().collect::<Vec<_>>(), &source.rules, &source.origin))?;
    let others = match others {
        0 => String::new(),
        others => format!(" and {others} more of these kinds"),
    };
    writeln!(
        out,
        "other systems may read the above{others} differently, or not at all; `--strict` writes what all read alike"
    )?;
    Ok(())
}

fn is_read_differently(found: &&Diagnostic) -> bool {
    let is_lax =
        severity(found.code, Strictness::Strict) == Severity::Error && found.severity == Severity::Warning;
    is_lax || BY_ORDER.contains(&found.code)
}

/// The rules in strict GDL; real-time rules as they are, with a note.
///
/// # Errors
/// A [`Failure`] with every finding if the rules are no game, or if what they say has no strict form.
pub(super) fn in_strict_form(written: Description, source: &Source) -> Result<Description, Failure> {
    if is_real_time(&written) {
        writeln!(
            anstream::stderr().lock(),
            "note: real-time rules have no strict form and stay as they are written"
        )?;
        return Ok(written);
    }
    let (Some(checked), _) = source.checked() else {
        return Err(refusal(
            "rules-refused",
            "the rules are no game",
            &source.checked().1,
            &source.rules,
            source,
        ));
    };
    let strict = strict_form(&written, checked);
    let text = syntax::print_description(&strict);
    let (passed, left) = check_text(&text, Strictness::Strict, &Limits::STANDARD);
    match passed {
        Some(_) => Ok(strict),
        None => {
            Err(refusal("no-strict-form", "what these rules say has no strict form", &left, &text, source))
        }
    }
}

fn refusal(code: &'static str, message: &str, found: &[Diagnostic], text: &str, source: &Source) -> Failure {
    let errors: Vec<&Diagnostic> = found.iter().filter(|found| found.severity == Severity::Error).collect();
    let rendered = render::diagnostics(&errors, text, &source.origin);
    let message = format!("{message}: {}", render::count(errors.iter().copied()));
    Failure::refuse(code, message).at(&source.origin).after(rendered)
}
