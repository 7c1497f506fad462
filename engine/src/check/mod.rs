//! Whether a program is a game: one file a check, one table of severities, one door.
//!
//! [`check`] is the only maker of [`CheckedRules`], and everything behind it relies on what the
//! checks establish: safety, stratification, keywords in their places.

mod arity;
mod keywords;
mod recursion;
mod roles;
mod safety;
mod stratification;
mod table;

pub use table::{CODES, Code, severity};

use crate::{
    diagnostic::{Diagnostic, Severity, Strictness, has_errors},
    limits::Limits,
    rules::{DependencyGraph, Program, normalise, with_full_sight},
    syntax::{self, Description},
};

/// Rules that passed every check of an [`check`] run.
#[derive(Clone, Debug)]
pub struct CheckedRules {
    program: Program,
    graph: DependencyGraph,
    has_full_sight: bool,
    strictness: Strictness,
}

impl CheckedRules {
    /// The rules in normal form, those of full sight included.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// Which predicate is computed from which.
    #[must_use]
    pub fn graph(&self) -> &DependencyGraph {
        &self.graph
    }

    /// Whether the text has no `sees` and everybody is taken to see every move.
    #[must_use]
    pub fn has_full_sight(&self) -> bool {
        self.has_full_sight
    }

    /// How the text was judged.
    #[must_use]
    pub fn strictness(&self) -> Strictness {
        self.strictness
    }
}

/// The codes that say what a text does not have.
const ABSENCES: [&str; 3] = ["no-role", "missing-keyword", "random-without-sees"];

/// Reads and checks a rules text: the rules if nothing is an error, and every finding in file order.
#[must_use]
pub fn check_text(
    text: &str,
    strictness: Strictness,
    limits: &Limits,
) -> (Option<CheckedRules>, Vec<Diagnostic>) {
    let (description, mut diagnostics) = syntax::read_prefix(text, limits);
    let (rules, found) = check(description, strictness, limits);
    // What is missing may stand in a clause that could not be read.
    let is_whole = !has_errors(&diagnostics);
    diagnostics.extend(found.into_iter().filter(|found| is_whole || !ABSENCES.contains(&found.code)));
    judge(&mut diagnostics, strictness);
    let is_sound = !has_errors(&diagnostics);
    (rules.filter(|_| is_sound), diagnostics)
}

/// Checks a description: the rules if nothing is an error, and every finding in file order.
#[must_use]
pub fn check(
    description: Description,
    strictness: Strictness,
    limits: &Limits,
) -> (Option<CheckedRules>, Vec<Diagnostic>) {
    let (description, has_full_sight) = with_full_sight(description);
    let (program, mut diagnostics) = normalise(&description, limits);
    let graph = stratification::graph(&program);
    safety::check(&program, &mut diagnostics);
    stratification::check(&program, &graph, &mut diagnostics);
    recursion::check(&program, &graph, &mut diagnostics);
    keywords::check(&program, &graph, &mut diagnostics);
    roles::check(&program, has_full_sight, &mut diagnostics);
    arity::check(&program, &mut diagnostics);
    judge(&mut diagnostics, strictness);
    let is_sound = !has_errors(&diagnostics);
    let rules = is_sound.then_some(CheckedRules { program, graph, has_full_sight, strictness });
    (rules, diagnostics)
}

/// Gives each finding the weight that the table says, sorts them, and drops repetitions.
fn judge(diagnostics: &mut Vec<Diagnostic>, strictness: Strictness) {
    for found in &mut *diagnostics {
        found.severity = severity(found.code, strictness);
    }
    diagnostics.sort();
    diagnostics.dedup();
}

/// A finding whose weight is still to be looked up.
fn finding(code: &'static str, span: crate::Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(code, Severity::Error, span, message)
}

#[cfg(test)]
mod tests;
