//! Rules texts in parts that can be taken away one by one.

use std::fmt;

use croupier_engine::{
    Limits,
    stages::syntax::{self, Clause, Formula, Term, TermKind, print_formula, print_term},
};

/// The clauses of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Program {
    /// Facts and rules, in order.
    pub clauses: Vec<Clause>,
}

/// One clause a line.
impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Clause { head, body, .. } in &self.clauses {
            let head = print_term(head);
            match body.is_empty() {
                true => writeln!(f, "{head}")?,
                false => {
                    let body: Vec<_> = body.iter().map(print_formula).collect();
                    writeln!(f, "(<= {head} {})", body.join(" "))?;
                }
            }
        }
        Ok(())
    }
}

impl Program {
    /// The clauses of a text; what cannot be read is left out.
    #[must_use]
    pub fn read(text: &str) -> Self {
        Self { clauses: syntax::read(text, syntax::Syntax::Auto, &Limits::STANDARD).description.clauses }
    }

    /// A program for which `is_failing` still holds, and from which no clause and no literal can be taken away, and
    /// no formula or function be replaced by a part of it, without losing that.
    #[must_use]
    pub fn shrunk(self, is_failing: impl Fn(&Self) -> bool) -> Self {
        let mut smallest = self;
        loop {
            let before = smallest.clone();
            let mut count = smallest.clauses.len().div_ceil(2);
            while count > 0 {
                smallest.drop_clauses(count, &is_failing);
                count /= 2;
            }
            for index in (0..smallest.clauses.len()).rev() {
                smallest.simplify_clause(index, &is_failing);
            }
            if smallest == before {
                return smallest;
            }
        }
    }

    /// Every program with one clause or one literal less.
    pub fn smaller(&self) -> impl Iterator<Item = Self> + '_ {
        let clauses = (0..self.clauses.len()).map(|index| {
            let mut program = self.clone();
            program.clauses.remove(index);
            program
        });
        let places = self.clauses.iter().enumerate();
        let places =
            places.flat_map(|(index, clause)| (0..clause.body.len()).map(move |literal| (index, literal)));
        clauses.chain(places.map(|(index, literal)| {
            let mut program = self.clone();
            program.clauses[index].body.remove(literal);
            program
        }))
    }

    /// Drops so many clauses at a time wherever that keeps the failure.
    fn drop_clauses(&mut self, count: usize, is_failing: &impl Fn(&Self) -> bool) {
        let mut first = 0;
        while first < self.clauses.len() {
            let mut smaller = self.clone();
            smaller.clauses.drain(first..self.clauses.len().min(first + count));
            if is_failing(&smaller) {
                *self = smaller;
            } else {
                first += count;
            }
        }
    }

    /// Makes one clause as simple as keeps the failure.
    fn simplify_clause(&mut self, index: usize, is_failing: &impl Fn(&Self) -> bool) {
        let with = |clause| {
            let mut program = self.clone();
            program.clauses[index] = clause;
            program
        };
        let simpler = simpler_clauses(&self.clauses[index]).into_iter().map(with).find(is_failing);
        if let Some(program) = simpler {
            *self = program;
            self.simplify_clause(index, is_failing);
        }
    }
}

/// The clause with a literal less, or with something replaced by a part of it.
fn simpler_clauses(clause: &Clause) -> Vec<Clause> {
    let mut simpler = Vec::new();
    for literal in 0..clause.body.len() {
        let mut shorter = clause.clone();
        shorter.body.remove(literal);
        simpler.push(shorter);
    }
    for (literal, formula) in clause.body.iter().enumerate() {
        simpler.extend(simpler_formulas(formula).into_iter().map(|formula| {
            let mut other = clause.clone();
            other.body[literal] = formula;
            other
        }));
    }
    let heads = simpler_atoms(&clause.head).into_iter();
    simpler.extend(heads.map(|head| Clause { head, ..clause.clone() }));
    simpler
}

fn simpler_formulas(formula: &Formula) -> Vec<Formula> {
    match formula {
        Formula::Atom(atom) => simpler_atoms(atom).into_iter().map(Formula::Atom).collect(),
        Formula::Distinct(span, left, right) => {
            let lefts = simpler_terms(left).into_iter();
            let rights = simpler_terms(right).into_iter();
            let lefts = lefts.map(|left| Formula::Distinct(*span, left, right.clone()));
            lefts.chain(rights.map(|right| Formula::Distinct(*span, left.clone(), right))).collect()
        }
        Formula::Not(span, inner) => {
            let double = match &**inner {
                Formula::Not(_, formula) => Some((**formula).clone()),
                _ => None,
            };
            let inner = simpler_formulas(inner).into_iter();
            double.into_iter().chain(inner.map(|inner| Formula::Not(*span, Box::new(inner)))).collect()
        }
        Formula::And(span, formulas) => simpler_lists(formulas, |formulas| Formula::And(*span, formulas)),
        Formula::Or(span, formulas) => simpler_lists(formulas, |formulas| Formula::Or(*span, formulas)),
    }
}

/// One of the formulas alone, or all of them with one made simpler.
fn simpler_lists(formulas: &[Formula], joined: impl Fn(Vec<Formula>) -> Formula) -> Vec<Formula> {
    let mut simpler = formulas.to_vec();
    for (index, formula) in formulas.iter().enumerate() {
        simpler.extend(simpler_formulas(formula).into_iter().map(|other| {
            let mut formulas = formulas.to_vec();
            formulas[index] = other;
            joined(formulas)
        }));
    }
    simpler
}

/// The same relation or function with an argument made simpler.
fn simpler_atoms(atom: &Term) -> Vec<Term> {
    let TermKind::Compound(name, arguments) = &atom.kind else { return Vec::new() };
    let places = arguments.iter().enumerate();
    places
        .flat_map(|(index, argument)| simpler_terms(argument).into_iter().map(move |other| (index, other)))
        .map(|(index, other)| {
            let mut arguments = arguments.clone();
            arguments[index] = other;
            Term { span: atom.span, kind: TermKind::Compound(name.clone(), arguments) }
        })
        .collect()
}

/// An argument instead of a function, or the function with an argument made simpler.
fn simpler_terms(term: &Term) -> Vec<Term> {
    [term.arguments().to_vec(), simpler_atoms(term)].concat()
}
