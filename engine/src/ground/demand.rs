//! Relations computed only for values that some rule needs.
//!
//! A relation that is written for a top-down prover can have astronomically many rows
//! if it is computed bottom-up: `(threatened ?from ?to ?ignored)` for all squares at once. If every
//! rule that uses it knows the values of some positions beforehand, the rows for other values are never
//! needed.
//!
//! # Sources
//! Magic sets: F. Bancilhon, D. Maier, Y. Sagiv, J. Ullman, "Magic sets and other strange ways to implement
//! logic programs", PODS 1986. One pattern of bound positions is kept for each relation: those that all its users know.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    id::PredicateId,
    rules::{Atom, Literal, Program, Rule, Term},
};

/// Relations to compute on demand, each with the number of rows that it had without: the smaller ones are evaluated
/// first, and determine the demand for the larger ones.
pub(crate) type DemandedRelations = BTreeMap<PredicateId, usize>;

/// For each relation that is computed on demand, the positions whose values all its users know.
#[derive(Clone, Debug)]
pub(crate) struct Demands<'w> {
    wanted: &'w DemandedRelations,
    places: BTreeMap<PredicateId, Vec<usize>>,
}

impl<'w> Demands<'w> {
    /// The requested relations for which demand restricts anything.
    pub(crate) fn of(program: &Program, wanted: &'w DemandedRelations) -> Self {
        let all = |&predicate: &PredicateId| (0..program.predicates[predicate.index()].arity).collect();
        let places = wanted.keys().map(|predicate| (*predicate, all(predicate))).collect();
        let mut demands = Self { wanted, places };
        let mut is_shrinking = true;
        while is_shrinking {
            is_shrinking = false;
            for rule in &program.rules {
                is_shrinking |= demands.shrink(rule);
            }
            // What is asked for blindly is computed whole.
            let before = demands.places.len();
            demands.places.retain(|_, places| !places.is_empty());
            is_shrinking |= demands.places.len() < before;
        }
        demands
    }

    /// Whether every relation is computed whole.
    #[cfg(test)]
    pub(crate) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Drops the positions of a used relation that a rule does not know.
    fn shrink(&mut self, rule: &Rule) -> bool {
        let mut is_shrunk = false;
        for (position, literal) in rule.body.iter().enumerate() {
            let Some((atom, mut places)) = self.asked(literal) else { continue };
            let known = self.known(rule, position);
            let before = places.len();
            places.retain(|&place| is_known(&atom.arguments[place], &known));
            if places.len() < before {
                is_shrunk = true;
                self.places.insert(atom.predicate, places);
            }
        }
        is_shrunk
    }

    /// The atom of a literal that is computed on demand, and its known places.
    fn asked<'r>(&self, literal: &'r Literal) -> Option<(&'r Atom, Vec<usize>)> {
        let atom = literal.atom()?;
        Some((atom, self.places.get(&atom.predicate)?.clone()))
    }

    /// Whether a literal is computed before another one is needed.
    fn is_before(&self, rule: &Rule, position: usize, other: usize) -> bool {
        let key = |position: usize| {
            let predicate = rule.body[position].atom().map(|atom| atom.predicate);
            let rank =
                predicate.filter(|found| self.places.contains_key(found)).map(|found| self.wanted[&found]);
            (rank, position)
        };
        let (here, there) = (key(position), key(other));
        here.0.is_none() || here < there
    }

    /// The variables that a rule knows when it uses the literal at a position.
    fn known(&self, rule: &Rule, position: usize) -> BTreeSet<usize> {
        let mut known = BTreeSet::new();
        let mut learn = |term: &Term| term.for_each_variable(&mut |variable| _ = known.insert(variable));
        self.given(rule).for_each(&mut learn);
        for (place, literal) in rule.body.iter().enumerate() {
            if let Literal::Positive(atom) = literal
                && place != position
                && self.is_before(rule, place, position)
            {
                atom.arguments.iter().for_each(&mut learn);
            }
        }
        known
    }

    /// The terms of the head whose values are given when the rule is used.
    fn given<'r>(&self, rule: &'r Rule) -> impl Iterator<Item = &'r Term> {
        let places = self.places.get(&rule.head.predicate).cloned().unwrap_or_default();
        places.into_iter().map(|place| &rule.head.arguments[place])
    }

    /// The condition that an atom is needed.
    pub(crate) fn condition(&self, program: &mut Program, atom: &Atom) -> Option<Atom> {
        let places = self.places.get(&atom.predicate)?;
        let predicate = program.predicate(&format!("demand {}", atom.predicate.index()), places.len());
        let arguments = places.iter().map(|&place| atom.arguments[place].clone()).collect();
        Some(Atom { predicate, arguments, span: atom.span })
    }

    /// Rules that define what `rule` needs. `is_exact` says on which negated atoms of the body it may rely.
    pub(crate) fn questions(
        &self,
        program: &mut Program,
        rule: &Rule,
        is_exact: impl Fn(&Atom) -> bool,
    ) -> Vec<Rule> {
        let condition = self.condition(program, &rule.head).map(Literal::Positive);
        let mut questions = Vec::new();
        for (position, literal) in rule.body.iter().enumerate() {
            let Some(head) = literal.atom().and_then(|atom| self.condition(program, atom)) else { continue };
            let known = self.known(rule, position);
            let is_usable = |(place, literal): &(usize, &Literal)| {
                let is_ready = || literal.terms().all(|term| is_known(term, &known));
                match literal {
                    Literal::Positive(_) => *place != position && self.is_before(rule, *place, position),
                    Literal::Negative(atom) => is_exact(atom) && is_ready(),
                    Literal::Distinct(..) | Literal::Same(..) => is_ready(),
                }
            };
            let usable = rule.body.iter().enumerate().filter(is_usable).map(|(_, literal)| literal.clone());
            let body = usable.chain(condition.clone()).collect();
            questions.push(Rule { head, body, ..rule.clone() });
        }
        questions
    }
}

fn is_known(term: &Term, known: &BTreeSet<usize>) -> bool {
    let mut is_known = true;
    term.for_each_variable(&mut |variable| is_known &= known.contains(&variable));
    is_known
}
