//! Bodies of rules, drawn so that they hold of something: each literal is made from a row of its relation, and a
//! variable stands where values agree.

use croupier_engine::stages::syntax::{Formula, Term};

use super::{
    dice::Dice,
    relation::{Relation, Relations},
    term::{and, applied, distinct, not, or, variable, variables},
};

/// Variables that a rule may have.
const NAMES: [&str; 5] = ["x", "y", "z", "w", "v"];

/// A rule that is being drawn: its conditions, and for each variable that they bind a value that it may have.
#[derive(Debug)]
pub(super) struct Body<'g> {
    pub(super) dice: &'g mut Dice,
    pub(super) relations: &'g Relations,
    pub(super) literals: Vec<Formula>,
    bound: Vec<(&'static str, Term)>,
}

impl<'g> Body<'g> {
    pub(super) fn new(dice: &'g mut Dice, relations: &'g Relations) -> Self {
        Self { dice, relations, literals: Vec::new(), bound: Vec::new() }
    }

    /// One to three positive literals, mostly, and a test or two.
    pub(super) fn draw(&mut self) {
        let literals = *self.dice.pick(&[1, 1, 1, 2, 2, 2, 2, 3]);
        for _ in 0..literals {
            let relation = self.relations.pick(self.dice);
            let literal = self.positive(relation);
            self.literals.push(literal);
        }
    }

    /// Conditions that bind nothing.
    pub(super) fn draw_tests(&mut self) {
        if self.dice.chance(8) {
            self.draw_alternatives();
        }
        let tests = *self.dice.pick(&[0, 0, 0, 1, 1, 2]);
        for _ in 0..tests {
            let test = self.test();
            self.literals.push(test);
        }
    }

    /// The conditions in any order.
    pub(super) fn shuffled(mut self) -> Vec<Formula> {
        for end in (1..self.literals.len()).rev() {
            let other = self.dice.below(end + 1);
            self.literals.swap(end, other);
        }
        self.literals
    }

    /// An atom of a relation that may bind variables.
    pub(super) fn positive(&mut self, relation: &Relation) -> Formula {
        let row = self.row(relation);
        let arguments = match row {
            Some(row) => row.iter().map(|value| self.pattern(value)).collect(),
            None => (0..relation.arity).map(|_| self.bound_term(None)).collect(),
        };
        Formula::Atom(relation.atom(arguments))
    }

    /// Binds a variable, so that it is one of the values that everything is about.
    pub(super) fn guard(&mut self, name: &str) {
        let guard = self.relations.domain().atom(vec![variable(name)]);
        self.literals.push(Formula::Atom(guard));
    }

    /// A row of a relation, rather one with a value that some variable has; none if there is no row.
    fn row<'r>(&mut self, relation: &'r Relation) -> Option<&'r [Term]> {
        if relation.rows.is_empty() {
            return None;
        }
        let joins =
            |row: &&Vec<Term>| row.iter().any(|value| self.bound.iter().any(|(_, known)| known == value));
        let joined: Vec<&Vec<Term>> = relation.rows.iter().filter(joins).collect();
        let row = if !joined.is_empty() && self.dice.chance(85) {
            *self.dice.pick(&joined)
        } else {
            self.dice.pick(&relation.rows)
        };
        Some(row)
    }

    /// A term that can stand for a value: seldom one that does not.
    fn pattern(&mut self, value: &Term) -> Term {
        if self.dice.chance(4) {
            return self.bound_term(None);
        }
        if !value.arguments().is_empty() && self.dice.chance(45) {
            let arguments = value.arguments().iter().map(|argument| self.pattern(argument)).collect();
            return applied(value.name().expect("a compound has a name"), arguments);
        }
        let equal: Vec<&str> =
            self.bound.iter().filter(|(_, known)| known == value).map(|(name, _)| *name).collect();
        if !equal.is_empty() && self.dice.chance(75) {
            return variable(equal[self.dice.below(equal.len())]);
        }
        let fresh = NAMES.iter().find(|name| self.bound.iter().all(|(known, _)| known != *name));
        match fresh {
            Some(name) if self.dice.chance(88) => {
                self.bound.push((name, value.clone()));
                variable(name)
            }
            _ => value.clone(),
        }
    }

    /// A bound variable, or a value: the given one or any.
    pub(super) fn bound_term(&mut self, value: Option<&Term>) -> Term {
        if !self.bound.is_empty() && self.dice.chance(75) {
            return variable(self.dice.pick(&self.bound).0);
        }
        match value {
            Some(value) if self.dice.chance(60) => value.clone(),
            _ => self.dice.pick(&self.relations.domain().rows)[0].clone(),
        }
    }

    /// An atom of some relation that binds nothing.
    fn closed(&mut self) -> Formula {
        let relation = self.relations.pick(self.dice);
        let row = self.row(relation);
        let arguments = (0..relation.arity).map(|index| {
            let value = row.map(|row| &row[index]);
            match value.filter(|value| !value.arguments().is_empty()) {
                Some(value) if self.dice.chance(40) => {
                    let arguments = value.arguments().iter().map(|inner| self.bound_term(Some(inner)));
                    let arguments = arguments.collect();
                    applied(value.name().expect("a compound has a name"), arguments)
                }
                _ => self.bound_term(value),
            }
        });
        let arguments = arguments.collect();
        Formula::Atom(relation.atom(arguments))
    }

    fn test(&mut self) -> Formula {
        match self.dice.below(10) {
            0..=3 => not(self.closed()),
            4 | 5 => distinct(self.bound_term(None), self.bound_term(None)),
            6 => not(distinct(self.bound_term(None), self.bound_term(None))),
            7 => or(vec![self.closed(), not(self.closed())]),
            8 => not(or(vec![self.closed(), and(vec![self.closed(), not(self.closed())])])),
            _ => not(not(and(vec![self.closed(), or(vec![self.closed(), self.closed()])]))),
        }
    }

    /// Two ways to bind one more variable.
    fn draw_alternatives(&mut self) {
        let fresh = NAMES.iter().find(|name| self.bound.iter().all(|(known, _)| known != *name));
        let Some(&name) = fresh else { return };
        let domain = self.relations.domain();
        let value = self.dice.pick(&domain.rows)[0].clone();
        let relation = self.relations.pick(self.dice);
        let other = match relation.arity {
            0 => self.closed(),
            arity => {
                let place = self.dice.below(arity);
                let arguments = (0..arity).map(|index| match index == place {
                    true => variable(name),
                    false => self.bound_term(None),
                });
                let arguments = arguments.collect();
                Formula::Atom(relation.atom(arguments))
            }
        };
        let bind = Formula::Atom(domain.atom(vec![variable(name)]));
        // Where the other one binds nothing, both hold together.
        let alternatives = match relation.arity {
            0 => or(vec![and(vec![other, bind.clone()]), bind]),
            _ => or(vec![bind, other]),
        };
        self.literals.push(alternatives);
        self.bound.push((name, value));
    }

    /// Arguments of a head: variables mostly, else constants, and functions where `has_functions`.
    /// Their variables are values of the domain unless `is_free`, so that no term grows.
    pub(super) fn head(&mut self, arity: usize, has_functions: bool, is_free: bool) -> Vec<Term> {
        (0..arity)
            .map(|_| match self.dice.below(100) {
                0..12 if has_functions => self.function(is_free),
                _ => self.bound_term(None),
            })
            .collect()
    }

    fn function(&mut self, is_free: bool) -> Term {
        let mut argument = || {
            let is_small = |value: &Term| self.relations.domain().rows.iter().any(|row| row[0] == *value);
            let small: Vec<&str> = (self.bound.iter())
                .filter(|(_, value)| is_free || is_small(value))
                .map(|(name, _)| *name)
                .collect();
            match small.is_empty() || self.dice.chance(15) {
                true => self.dice.pick(&self.relations.domain().rows)[0].clone(),
                false => variable(small[self.dice.below(small.len())]),
            }
        };
        let (one, other) = (argument(), argument());
        let term = match self.dice.below(5) {
            0..=2 => applied("f", vec![one]),
            3 => applied("g", vec![one, other]),
            _ => applied("g", vec![applied("f", vec![one]), other]),
        };
        if !is_free {
            for name in variables(&term) {
                self.guard(&name);
            }
        }
        term
    }
}
