//! Anonymous variables under `not`, as in Prolog: `not succ(_, X)` means that there is no such
//! instance at all. A new relation without the variable expresses this, and is safe to negate.

use std::collections::BTreeMap;

use super::written_word;
use crate::{
    diagnostic::{Diagnostic, Severity, Span},
    syntax::{Clause, Description, Formula, Term, TermKind},
};

/// The description with each negated atom that has anonymous variables replaced by a negated relation
/// of its other variables, and a clause for each such relation; `None` if there is nothing to replace.
///
/// A variable is anonymous if its name begins with an underscore and it occurs once in its clause. The
/// name of a new relation has a blank in it, which no name of a text has.
pub(crate) fn without_anonymous(description: &Description) -> Option<(Description, Vec<Diagnostic>)> {
    let mut projection = Projection { added: Vec::new(), diagnostics: Vec::new() };
    let mut clauses: Vec<(usize, Clause)> = Vec::new();
    for (index, clause) in description.clauses.iter().enumerate() {
        let mut counts = BTreeMap::new();
        clause.for_each_variable(&mut |name, _| *counts.entry(name).or_default() += 1);
        counts.retain(|name, count| name.starts_with('_') && *count == 1);
        if !counts.is_empty() {
            let body = clause.body.iter().map(|formula| projection.formula(formula, &counts)).collect();
            clauses.push((index, Clause { body, ..clause.clone() }));
        }
    }
    if projection.added.is_empty() {
        return None;
    }
    let mut changed = description.clone();
    for (index, clause) in clauses {
        changed.clauses[index] = clause;
    }
    changed.clauses.append(&mut projection.added);
    Some((changed, projection.diagnostics))
}

struct Projection {
    added: Vec<Clause>,
    diagnostics: Vec<Diagnostic>,
}

impl Projection {
    fn formula(&mut self, formula: &Formula, anonymous: &BTreeMap<&str, u32>) -> Formula {
        let mut all = |parts: &[Formula]| parts.iter().map(|part| self.formula(part, anonymous)).collect();
        match formula {
            Formula::Not(span, inner) => match &**inner {
                Formula::Atom(atom) => {
                    Formula::Not(*span, Box::new(Formula::Atom(self.atom(atom, anonymous))))
                }
                other => Formula::Not(*span, Box::new(self.formula(other, anonymous))),
            },
            Formula::And(span, parts) => Formula::And(*span, all(parts)),
            Formula::Or(span, parts) => Formula::Or(*span, all(parts)),
            Formula::Atom(_) | Formula::Distinct(..) => formula.clone(),
        }
    }

    /// The negated atom without its anonymous variables.
    fn atom(&mut self, atom: &Term, anonymous: &BTreeMap<&str, u32>) -> Term {
        let mut variables = Vec::new();
        collect(atom, &mut variables);
        let hidden = |term: &&Term| match &term.kind {
            TermKind::Variable(name) => anonymous.contains_key(name.as_str()),
            TermKind::Constant(_) | TermKind::Compound(..) => false,
        };
        let Some(first) = variables.iter().copied().find(hidden) else { return atom.clone() };
        let relation = atom.name().unwrap_or_default();
        self.diagnostics.push(report(first.span, written_word(atom)));
        let kept: Vec<Term> = variables.iter().copied().filter(|term| !hidden(term)).cloned().collect();
        let name = format!("{relation} {}", self.added.len());
        let kind = if kept.is_empty() { TermKind::Constant(name) } else { TermKind::Compound(name, kept) };
        let head = Term { span: atom.span, kind };
        let body = vec![Formula::Atom(atom.clone())];
        self.added.push(Clause { span: atom.span, head: head.clone(), body });
        head
    }
}

fn report(span: Span, relation: &str) -> Diagnostic {
    let message =
        format!("under `not`, an anonymous variable is read as in Prolog: there is no `{relation}`");
    Diagnostic::new("anonymous-under-not", Severity::Warning, span, message)
        .with_help(format!("define a relation that holds if there is some `{relation}`, and negate that"))
}

fn collect<'t>(term: &'t Term, variables: &mut Vec<&'t Term>) {
    term.for_each_variable(&mut |_, found| {
        if !variables.iter().any(|known| known.kind == found.kind) {
            variables.push(found);
        }
    });
}
