//! Patterns of a `game.toml` as terms of the rules.

use std::collections::BTreeMap;

use croupier_engine::{
    Limits,
    stages::syntax::{Clause, Syntax, Term, TermKind, print_term, read},
};

/// A pattern, and the conditions behind its `if`.
#[derive(Clone, Debug)]
pub(super) struct Pattern {
    pub(super) term: Term,
    /// What is asked of the state, with or without `not`.
    pub(super) conditions: Vec<Term>,
}

impl Pattern {
    /// Reads `PATTERN` or `PATTERN if CONDITION ...`; places count from the beginning of the text. `None` for a pattern that is
    /// a variable alone, which fits everything.
    pub(super) fn read(text: &str) -> Option<Self> {
        let clauses = read(text, Syntax::Prefix, &Limits::STANDARD).description.clauses;
        let mut terms = clauses.into_iter().map(|Clause { head, .. }| head);
        let term = terms.next()?;
        let conditions = terms.filter(|term| term.name() != Some("if")).filter_map(asked).collect();
        Some(Self { term, conditions })
    }
}

/// What a condition asks for in the state, if it asks for something.
fn asked(condition: Term) -> Option<Term> {
    match condition.name() {
        Some("distinct") => None,
        Some("not") => condition.arguments().first().cloned(),
        _ => Some(condition),
    }
}

/// Whether a pattern fits every term that another one fits.
pub(super) fn covers<'t>(general: &'t Term, special: &'t Term) -> bool {
    fn bind<'t>(general: &'t Term, special: &'t Term, bound: &mut BTreeMap<&'t str, String>) -> bool {
        match &general.kind {
            TermKind::Variable(name) => {
                let printed = print_term(special);
                *bound.entry(name).or_insert_with(|| printed.clone()) == printed
            }
            TermKind::Constant(name) => {
                matches!(&special.kind, TermKind::Constant(other) if other == name)
            }
            TermKind::Compound(name, arguments) => match &special.kind {
                TermKind::Compound(other, others) if other == name && others.len() == arguments.len() => {
                    arguments.iter().zip(others).all(|(one, other)| bind(one, other, bound))
                }
                _ => false,
            },
        }
    }
    bind(general, special, &mut BTreeMap::new())
}

/// The text of a pattern in which a part has another name.
pub(super) fn with_name(text: &str, part: &Term, name: &str) -> String {
    let range = part.span.range();
    let written = &text[range.clone()];
    let start = written.find(|c: char| c != '(' && !c.is_whitespace()).unwrap_or(0);
    let end = written[start..]
        .find(|c: char| c == ')' || c.is_whitespace())
        .map_or(written.len(), |end| start + end);
    format!("{}{name}{}", &text[..range.start + start], &text[range.start + end..])
}
