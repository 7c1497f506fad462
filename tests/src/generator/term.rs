//! Terms, atoms and clauses that nobody wrote, and the names in them.

use croupier_engine::{
    Span,
    stages::syntax::{Clause, Formula, Term, TermKind},
};

/// Where everything stands that was never written.
pub(super) fn nowhere() -> Span {
    Span::new(0, 0)
}

fn term(kind: TermKind) -> Term {
    Term { span: nowhere(), kind }
}

pub(super) fn variable(name: &str) -> Term {
    term(TermKind::Variable(name.to_owned()))
}

/// A constant or relation without arguments, or a function or relation with some.
pub(super) fn applied(name: &str, arguments: Vec<Term>) -> Term {
    match arguments.is_empty() {
        true => term(TermKind::Constant(name.to_owned())),
        false => term(TermKind::Compound(name.to_owned(), arguments)),
    }
}

pub(super) fn constant(name: &str) -> Term {
    applied(name, Vec::new())
}

pub(super) fn fact(head: Term) -> Clause {
    rule(head, Vec::new())
}

pub(super) fn rule(head: Term, body: Vec<Formula>) -> Clause {
    Clause { span: nowhere(), head, body }
}

pub(super) fn not(formula: Formula) -> Formula {
    Formula::Not(nowhere(), Box::new(formula))
}

pub(super) fn or(formulas: Vec<Formula>) -> Formula {
    Formula::Or(nowhere(), formulas)
}

pub(super) fn and(formulas: Vec<Formula>) -> Formula {
    Formula::And(nowhere(), formulas)
}

pub(super) fn distinct(left: Term, right: Term) -> Formula {
    Formula::Distinct(nowhere(), left, right)
}

/// The variables of a term, each once.
pub(super) fn variables(term: &Term) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    term.for_each_variable(&mut |name, _| {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    });
    names
}
