//! A rule in normal form, written out again.

use std::collections::BTreeMap;

use super::order::ordered;
use crate::{
    diagnostic::Span,
    id::PredicateId,
    rules::{Atom, Literal, Program, Rule, Term},
    syntax::{self, Clause, Formula, TermKind},
};

/// The clause that says what a rule says, where added relations have the given words; `None` if two terms that must be equal
/// never are, so that the rule says nothing.
pub(super) fn clause(
    program: &Program,
    words: &BTreeMap<PredicateId, String>,
    rule: &Rule,
) -> Option<Clause> {
    let mut values = VariableValues(vec![None; rule.variables.len()]);
    for literal in &rule.body {
        if let Literal::Same(left, right, _) = literal
            && !values.unify(left, right)
        {
            return None;
        }
    }
    let writer = StrictRuleWriter { program, words, rule, values };
    let head = writer.atom(&rule.head);
    let body: Vec<Formula> = rule.body.iter().filter_map(|literal| writer.literal(literal)).collect();
    let body = ordered(&head, &body).unwrap_or(body);
    Some(Clause { span: rule.span, head, body })
}

/// What the variables of a rule are equal to.
struct VariableValues(Vec<Option<Term>>);

impl VariableValues {
    /// Makes two terms equal; false if they cannot be.
    fn unify(&mut self, left: &Term, right: &Term) -> bool {
        match (self.value(left), self.value(right)) {
            (Term::Variable(one), Term::Variable(other)) if one == other => true,
            (Term::Variable(variable), term) | (term, Term::Variable(variable)) => {
                let mut is_within = false;
                term.for_each_variable(&mut |other| is_within |= other == variable);
                if !is_within {
                    self.0[variable] = Some(term);
                }
                !is_within
            }
            (Term::Constant(one), Term::Constant(other)) => one == other,
            (Term::Compound(one, left), Term::Compound(other, right)) => {
                one == other
                    && left.len() == right.len()
                    && left.iter().zip(&right).all(|(left, right)| self.unify(left, right))
            }
            (Term::Constant(_), Term::Compound(..)) | (Term::Compound(..), Term::Constant(_)) => false,
        }
    }

    /// A term with everything that is known of its variables.
    fn value(&self, term: &Term) -> Term {
        match term {
            Term::Variable(variable) => {
                self.0[*variable].as_ref().map_or_else(|| term.clone(), |to| self.value(to))
            }
            Term::Constant(_) => term.clone(),
            Term::Compound(symbol, arguments) => {
                Term::Compound(*symbol, arguments.iter().map(|argument| self.value(argument)).collect())
            }
        }
    }
}

struct StrictRuleWriter<'r> {
    program: &'r Program,
    words: &'r BTreeMap<PredicateId, String>,
    rule: &'r Rule,
    values: VariableValues,
}

impl StrictRuleWriter<'_> {
    fn literal(&self, literal: &Literal) -> Option<Formula> {
        Some(match literal {
            Literal::Positive(atom) => Formula::Atom(self.atom(atom)),
            Literal::Negative(atom) => Formula::Not(atom.span, Box::new(Formula::Atom(self.atom(atom)))),
            Literal::Distinct(left, right, span) => {
                Formula::Distinct(*span, self.term(left, *span), self.term(right, *span))
            }
            Literal::Same(..) => return None,
        })
    }

    fn atom(&self, atom: &Atom) -> syntax::Term {
        let word =
            self.words.get(&atom.predicate).map_or_else(|| self.program.name(atom.predicate), String::as_str);
        let arguments = atom.arguments.iter().map(|term| self.term(term, atom.span)).collect();
        applied(word, arguments, atom.span)
    }

    fn term(&self, term: &Term, span: Span) -> syntax::Term {
        match self.values.value(term) {
            Term::Variable(variable) => {
                syntax::Term { span, kind: TermKind::Variable(self.rule.variables[variable].clone()) }
            }
            Term::Constant(symbol) => applied(self.program.symbols.name(symbol), Vec::new(), span),
            Term::Compound(symbol, arguments) => {
                let arguments = arguments.iter().map(|argument| self.term(argument, span)).collect();
                applied(self.program.symbols.name(symbol), arguments, span)
            }
        }
    }
}

/// A name applied to arguments, or the name alone.
pub(super) fn applied(name: &str, arguments: Vec<syntax::Term>, span: Span) -> syntax::Term {
    let name = name.to_owned();
    let kind =
        if arguments.is_empty() { TermKind::Constant(name) } else { TermKind::Compound(name, arguments) };
    syntax::Term { span, kind }
}
