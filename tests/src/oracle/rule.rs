//! Clauses to rules without disjunction (Definition 18): each body a conjunction of literals.

use std::collections::BTreeSet;

use croupier_engine::stages::syntax::{self, Clause, Formula, TermKind};

use super::{
    OracleError,
    term::{Name, Names, Pattern},
};

/// A relation: its name and how many arguments it has.
pub(super) type Predicate = (Name, usize);

/// An atomic sentence with variables.
#[derive(Clone, Debug)]
pub(super) struct Atom {
    pub(super) predicate: Predicate,
    pub(super) arguments: Vec<Pattern>,
}

/// One conjunct of a body.
#[derive(Clone, Debug)]
pub(super) enum Literal {
    /// The atom is in the model.
    Holds(Atom),
    /// It is not.
    Fails(Atom),
    /// The two are not the same term.
    Distinct(Pattern, Pattern),
    /// They are: a negated `distinct`.
    Same(Pattern, Pattern),
}

/// A rule; its literals stand in an order in which every variable of a test is bound before it.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub(super) head: Atom,
    pub(super) body: Vec<Literal>,
    pub(super) variables: usize,
}

impl Literal {
    fn variables(&self) -> Vec<usize> {
        match self {
            Self::Holds(atom) | Self::Fails(atom) => atom.variables(),
            Self::Distinct(left, right) | Self::Same(left, right) => {
                [left.variables(), right.variables()].concat()
            }
        }
    }
}

impl Atom {
    fn variables(&self) -> Vec<usize> {
        self.arguments.iter().flat_map(Pattern::variables).collect()
    }
}

/// The rules that one clause stands for.
pub(super) fn rules_of(clause: &Clause, names: &mut Names) -> Result<Vec<Rule>, OracleError> {
    let alternatives = conjunction(clause.body.iter().map(|formula| alternatives(formula, true)));
    alternatives
        .into_iter()
        .map(|literals| {
            let mut reader = Reader { names: &mut *names, variables: Vec::new() };
            let body = literals.iter().map(|literal| reader.literal(literal)).collect();
            let head = reader.atom(&clause.head);
            let variables = reader.variables.len();
            let body =
                safe_order(body, &head).ok_or_else(|| OracleError::Unsafe(syntax::print_clause(clause)))?;
            Ok(Rule { head, body, variables })
        })
        .collect()
}

/// A literal as the parser wrote it, and whether it is meant positively.
type Signed<'d> = (bool, &'d Formula);

/// The formula, or its negation, as a disjunction of conjunctions.
fn alternatives(formula: &Formula, is_positive: bool) -> Vec<Vec<Signed<'_>>> {
    match formula {
        Formula::Atom(_) | Formula::Distinct(..) => vec![vec![(is_positive, formula)]],
        Formula::Not(_, inner) => alternatives(inner, !is_positive),
        Formula::And(_, parts) if is_positive => {
            conjunction(parts.iter().map(|part| alternatives(part, true)))
        }
        Formula::Or(_, parts) if !is_positive => {
            conjunction(parts.iter().map(|part| alternatives(part, false)))
        }
        Formula::And(_, parts) | Formula::Or(_, parts) => {
            parts.iter().flat_map(|part| alternatives(part, is_positive)).collect()
        }
    }
}

/// One alternative of each part, in every combination.
fn conjunction<'d>(parts: impl Iterator<Item = Vec<Vec<Signed<'d>>>>) -> Vec<Vec<Signed<'d>>> {
    parts.fold(vec![Vec::new()], |all, part| {
        all.iter().flat_map(|before| part.iter().map(move |one| [&before[..], &one[..]].concat())).collect()
    })
}

struct Reader<'n> {
    names: &'n mut Names,
    variables: Vec<String>,
}

impl Reader<'_> {
    fn literal(&mut self, &(is_positive, formula): &Signed<'_>) -> Literal {
        match (formula, is_positive) {
            (Formula::Atom(atom), true) => Literal::Holds(self.atom(atom)),
            (Formula::Atom(atom), false) => Literal::Fails(self.atom(atom)),
            (Formula::Distinct(_, left, right), true) => {
                Literal::Distinct(self.pattern(left), self.pattern(right))
            }
            (Formula::Distinct(_, left, right), false) => {
                Literal::Same(self.pattern(left), self.pattern(right))
            }
            _ => unreachable!("only atoms and `distinct` are left"),
        }
    }

    fn atom(&mut self, term: &syntax::Term) -> Atom {
        let name = self.names.add(term.name().expect("the parser refuses a variable as an atom"));
        let arguments: Vec<_> = term.arguments().iter().map(|argument| self.pattern(argument)).collect();
        Atom { predicate: (name, arguments.len()), arguments }
    }

    fn pattern(&mut self, term: &syntax::Term) -> Pattern {
        match &term.kind {
            TermKind::Variable(variable) => {
                let known = self.variables.iter().position(|other| other == variable);
                Pattern::Variable(known.unwrap_or_else(|| {
                    self.variables.push(variable.clone());
                    self.variables.len() - 1
                }))
            }
            TermKind::Constant(name) => Pattern::Constant(self.names.add(name)),
            TermKind::Compound(name, arguments) => {
                let name = self.names.add(name);
                Pattern::Compound(name, arguments.iter().map(|argument| self.pattern(argument)).collect())
            }
        }
    }
}

/// Every test as soon as its variables are bound; of the positive literals first whichever has the most
/// leading arguments bound. `None` where a variable of the head or of a test is in no positive literal.
fn safe_order(body: Vec<Literal>, head: &Atom) -> Option<Vec<Literal>> {
    let mut bound = BTreeSet::new();
    let mut ordered = Vec::with_capacity(body.len());
    let mut waiting = body;
    while !waiting.is_empty() {
        let is_bound =
            |literal: &Literal| literal.variables().iter().all(|variable| bound.contains(variable));
        let next = match waiting.iter().position(is_bound) {
            Some(next) => next,
            None => most_bound(&waiting, &bound)?,
        };
        let literal = waiting.remove(next);
        bound.extend(literal.variables());
        ordered.push(literal);
    }
    head.variables().iter().all(|variable| bound.contains(variable)).then_some(ordered)
}

/// The first of the positive literals with the longest prefix of bound arguments.
fn most_bound(literals: &[Literal], bound: &BTreeSet<usize>) -> Option<usize> {
    let is_bound = |pattern: &&Pattern| pattern.variables().iter().all(|variable| bound.contains(variable));
    let positive = literals.iter().enumerate().filter_map(|(index, literal)| match literal {
        Literal::Holds(atom) => Some((index, atom.arguments.iter().take_while(is_bound).count())),
        _ => None,
    });
    positive.rev().max_by_key(|(_, prefix)| *prefix).map(|(index, _)| index)
}
