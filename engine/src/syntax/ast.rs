//! The abstract syntax that both concrete syntaxes share.

use super::comment::Comment;
use crate::diagnostic::Span;

/// The text of rules as written: its clauses in order, and its comments.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Description {
    /// Facts and rules.
    pub clauses: Vec<Clause>,
    /// Comments, in the order of the text. They mean nothing to the game.
    pub comments: Vec<Comment>,
}

/// A fact (empty body) or a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// The whole clause.
    pub span: Span,
    /// The head: a constant or compound that represents an atom.
    pub head: Term,
    /// The conditions, all of which must hold.
    pub body: Vec<Formula>,
}

/// A condition in a body.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// An atom holds.
    Atom(Term),
    /// Two terms are not the same.
    Distinct(Span, Term, Term),
    /// A formula does not hold.
    Not(Span, Box<Formula>),
    /// All of them hold.
    And(Span, Vec<Formula>),
    /// At least one of them holds.
    Or(Span, Vec<Formula>),
}

impl Clause {
    /// Calls `visit` with the name and place of every variable: head first, then the body as written.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a str, &'a Term)) {
        self.head.for_each_variable(visit);
        for formula in &self.body {
            formula.for_each_variable(visit);
        }
    }
}

impl Clause {
    /// Calls `visit` with every atom of the clause and every term in one or in a comparison, in no order that means anything.
    pub(crate) fn for_each_term<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        let mut terms = vec![&self.head];
        let mut formulas: Vec<&Formula> = self.body.iter().collect();
        while let Some(formula) = formulas.pop() {
            match formula {
                Formula::Atom(atom) => terms.push(atom),
                Formula::Distinct(_, left, right) => terms.extend([left, right]),
                Formula::Not(_, inner) => formulas.push(inner),
                Formula::And(_, parts) | Formula::Or(_, parts) => formulas.extend(parts),
            }
        }
        while let Some(term) = terms.pop() {
            visit(term);
            terms.extend(term.arguments());
        }
    }
}

impl Formula {
    /// Calls `visit` with every atom, as written; comparisons have none.
    pub(crate) fn for_each_atom<'a>(&'a self, visit: &mut impl FnMut(&'a Term)) {
        match self {
            Self::Atom(atom) => visit(atom),
            Self::Distinct(..) => {}
            Self::Not(_, inner) => inner.for_each_atom(visit),
            Self::And(_, parts) | Self::Or(_, parts) => {
                parts.iter().for_each(|part| part.for_each_atom(visit));
            }
        }
    }

    /// Calls `visit` with the name and place of every variable, as written.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a str, &'a Term)) {
        match self {
            Self::Atom(atom) => atom.for_each_variable(visit),
            Self::Distinct(_, left, right) => {
                left.for_each_variable(visit);
                right.for_each_variable(visit);
            }
            Self::Not(_, inner) => inner.for_each_variable(visit),
            Self::And(_, parts) | Self::Or(_, parts) => {
                for part in parts {
                    part.for_each_variable(visit);
                }
            }
        }
    }

    /// The location.
    #[must_use]
    pub fn span(&self) -> Span {
        match self {
            Self::Atom(atom) => atom.span,
            Self::Distinct(span, ..) | Self::Not(span, _) | Self::And(span, _) | Self::Or(span, _) => *span,
        }
    }
}

/// A term, or an atom, which has the same shape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Term {
    /// The location.
    pub span: Span,
    /// The kind of term.
    pub kind: TermKind,
}

/// The three kinds of term. Names are lower case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TermKind {
    /// A variable, named without its question mark.
    Variable(String),
    /// An object constant, or a relation without arguments.
    Constant(String),
    /// A function or relation with at least one argument.
    Compound(String, Vec<Term>),
}

impl Term {
    /// Calls `visit` with the name and place of every variable, as written.
    pub fn for_each_variable<'a>(&'a self, visit: &mut impl FnMut(&'a str, &'a Term)) {
        if let TermKind::Variable(name) = &self.kind {
            visit(name, self);
        }
        for argument in self.arguments() {
            argument.for_each_variable(visit);
        }
    }

    /// The name of the constant, function or relation; `None` for a variable.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(name) | TermKind::Compound(name, _) => Some(name),
        }
    }

    /// The arguments; none for a variable or constant.
    #[must_use]
    pub fn arguments(&self) -> &[Term] {
        match &self.kind {
            TermKind::Compound(_, arguments) => arguments,
            TermKind::Variable(_) | TermKind::Constant(_) => &[],
        }
    }

    /// Whether no variable occurs in it.
    #[must_use]
    pub fn is_ground(&self) -> bool {
        !matches!(self.kind, TermKind::Variable(_)) && self.arguments().iter().all(Term::is_ground)
    }
}
