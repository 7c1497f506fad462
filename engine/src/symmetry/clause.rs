//! Clauses in the form needed for symmetries: only symbols and variables.

use crate::id::{PredicateId, SymbolId};

/// A term of a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum ClauseTerm {
    /// A variable of the clause.
    Variable(usize),
    /// A function applied to terms, or a constant if there are none.
    Apply(SymbolId, Vec<ClauseTerm>),
}

/// The assertion of a literal about its atom or its two terms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum LiteralKind {
    /// It follows.
    Head,
    /// It holds.
    Positive,
    /// It does not hold.
    Negative,
    /// Two terms differ.
    Distinct,
    /// Two terms are the same.
    Same,
}

/// The head or a condition of a clause.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Literal {
    pub(super) kind: LiteralKind,
    /// `None` for a comparison of two terms.
    pub(super) predicate: Option<PredicateId>,
    pub(super) arguments: Vec<ClauseTerm>,
}

/// A rule: its head and its conditions, in an order that means nothing.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Clause {
    pub(super) literals: Vec<Literal>,
}

impl Clause {
    /// The clause with repeated conditions left out, and its variables numbered in the order of the literals.
    ///
    /// Two clauses that differ only in names of variables and order almost always become equal. If they do not, one
    /// too many is kept: a symmetry may be missed, but no false one is found.
    pub(super) fn tidied(mut self) -> Self {
        self.literals.sort_by_cached_key(|literal| {
            let mut nameless = literal.clone();
            nameless.arguments.iter_mut().for_each(|term| term.rename(&mut |_| 0));
            nameless
        });
        let mut names = Vec::new();
        for term in self.literals.iter_mut().flat_map(|literal| &mut literal.arguments) {
            term.rename(&mut |variable| {
                names.iter().position(|&name| name == variable).unwrap_or_else(|| {
                    names.push(variable);
                    names.len() - 1
                })
            });
        }
        self.literals.sort_unstable();
        self.literals.dedup();
        self
    }
}

impl ClauseTerm {
    fn rename(&mut self, name: &mut impl FnMut(usize) -> usize) {
        match self {
            Self::Variable(variable) => *variable = name(*variable),
            Self::Apply(_, arguments) => arguments.iter_mut().for_each(|term| term.rename(name)),
        }
    }
}
