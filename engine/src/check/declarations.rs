//! Faults in `base`, `input` and `percept`, which decide nothing in a match.
//!
//! In the compatible reading, rules are played without a declaration that has errors, and these are warnings.

use std::collections::BTreeSet;

use crate::{
    diagnostic::{Diagnostic, Severity},
    rules::{Keyword, ordinary_words},
    syntax::{Clause, Description},
};

/// The declarations that are to blame for every error, if no rule uses them.
pub(super) fn faulty(description: &Description, diagnostics: &[Diagnostic]) -> BTreeSet<Keyword> {
    let clauses = &description.clauses;
    let ordinary = ordinary_words(clauses);
    let mut faulty = BTreeSet::new();
    for error in diagnostics.iter().filter(|found| found.severity == Severity::Error) {
        let is_around = |clause: &&Clause| {
            let (clause, place) = (clause.span, error.span);
            clause.start <= place.start && place.end <= clause.end && place.start < place.end
        };
        match clauses.iter().find(is_around).and_then(declared) {
            Some(word) if !ordinary.contains(&word) => faulty.insert(word),
            _ => return BTreeSet::new(),
        };
    }
    let others = clauses.iter().filter(|clause| declared(clause).is_none_or(|word| !faulty.contains(&word)));
    let mut is_used = false;
    for clause in others {
        for formula in &clause.body {
            formula.for_each_atom(&mut |atom| {
                is_used |= faulty.iter().any(|word| atom.name() == Some(word.name()));
            });
        }
    }
    if is_used { BTreeSet::new() } else { faulty }
}

/// The word that a clause declares something with.
fn declared(clause: &Clause) -> Option<Keyword> {
    Keyword::DECLARATIONS.into_iter().find(|word| clause.head.name() == Some(word.name()))
}

/// The description without these declarations.
pub(super) fn without(mut description: Description, words: &BTreeSet<Keyword>) -> Description {
    description.clauses.retain(|clause| declared(clause).is_none_or(|word| !words.contains(&word)));
    description
}

/// An error of a declaration as the warning that it is when the declaration is left out.
pub(super) fn excused(mut found: Diagnostic, words: &BTreeSet<Keyword>) -> Diagnostic {
    if found.severity == Severity::Error {
        let words: Vec<String> = words.iter().map(|word| format!("`{}`", word.name())).collect();
        found.severity = Severity::Warning;
        found.message = format!("{}; the game is played without {}", found.message, words.join(" and "));
    }
    found
}
