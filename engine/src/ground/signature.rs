//! The possible functions of a variable that represents a whole fluent or move.

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    id::{PredicateId, SymbolId},
    rules::{Atom, Keyword, Literal, Program, Rule, Term},
};

/// The outermost part of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Signature {
    /// Any constant.
    Constant,
    /// A function with its number of arguments.
    Function(SymbolId, usize),
}

impl Signature {
    /// The signature of a term that is not a variable.
    pub(super) fn of(term: &Term) -> Option<Self> {
        match term {
            Term::Variable(_) => None,
            Term::Constant(_) => Some(Self::Constant),
            Term::Compound(symbol, arguments) => Some(Self::Function(*symbol, arguments.len())),
        }
    }
}

/// For each argument of each predicate, its possible signatures; fluents are those of `true`
/// for all keywords about fluents, and moves those of `does`.
pub(super) struct Signatures<'p> {
    program: &'p Program,
    sets: BTreeMap<(PredicateId, usize), BTreeSet<Signature>>,
    /// The possible signatures of a variable that is not itself an argument of a condition.
    all: BTreeSet<Signature>,
}

impl<'p> Signatures<'p> {
    /// The least sets that the rules allow.
    pub(super) fn of(program: &'p Program) -> Self {
        let mut all = BTreeSet::new();
        for rule in &program.rules {
            let atoms = rule.body.iter().filter_map(Literal::atom).chain([&rule.head]);
            atoms.flat_map(|atom| &atom.arguments).for_each(|term| collect(term, &mut all));
        }
        let mut signatures = Self { program, sets: BTreeMap::new(), all };
        let mut is_growing = true;
        while is_growing {
            is_growing = false;
            for rule in &program.rules {
                is_growing |= signatures.extend(rule);
            }
        }
        signatures
    }

    /// The possible signatures of a variable of a rule.
    pub(super) fn of_variable(&self, rule: &Rule, variable: usize) -> BTreeSet<Signature> {
        let mut found: Option<BTreeSet<Signature>> = None;
        for literal in &rule.body {
            let Literal::Positive(atom) = literal else { continue };
            for (place, _) in
                atom.arguments.iter().enumerate().filter(|(_, term)| **term == Term::Variable(variable))
            {
                let empty = BTreeSet::new();
                let here = self.sets.get(&self.position(atom, place)).unwrap_or(&empty);
                found = Some(match found {
                    Some(before) => before.intersection(here).copied().collect(),
                    None => here.clone(),
                });
            }
        }
        found.unwrap_or_else(|| self.all.clone())
    }

    /// The function that every conclusion has in a place, if there is one and it is not a keyword's.
    pub(super) fn only_function(&self, predicate: PredicateId, place: usize) -> Option<(SymbolId, usize)> {
        let mut set = self.sets.get(&(predicate, place))?.iter();
        match (set.next(), set.next()) {
            (Some(&Signature::Function(symbol, arity)), None) => Some((symbol, arity)),
            _ => None,
        }
    }

    fn position(&self, atom: &Atom, place: usize) -> (PredicateId, usize) {
        let keyword = match self.program.as_keyword(atom.predicate) {
            Some(Keyword::Init | Keyword::Next) => Keyword::True,
            Some(Keyword::Legal) => Keyword::Does,
            _ => return (atom.predicate, place),
        };
        (self.program.keyword(keyword).unwrap_or(atom.predicate), place)
    }

    fn extend(&mut self, rule: &Rule) -> bool {
        let mut grew = false;
        for (place, term) in rule.head.arguments.iter().enumerate() {
            let new = match (Signature::of(term), term) {
                (None, Term::Variable(variable)) => self.of_variable(rule, *variable),
                (signature, _) => signature.into_iter().collect(),
            };
            let set = self.sets.entry(self.position(&rule.head, place)).or_default();
            let before = set.len();
            set.extend(new);
            grew |= set.len() > before;
        }
        grew
    }
}

fn collect(term: &Term, all: &mut BTreeSet<Signature>) {
    all.extend(Signature::of(term));
    if let Term::Compound(_, arguments) = term {
        arguments.iter().for_each(|argument| collect(argument, all));
    }
}

/// Puts a term in the place of a variable.
pub(super) fn substitute(rule: &mut Rule, variable: usize, value: &Term) {
    let in_atom = |atom: &mut Atom| atom.arguments.iter_mut().for_each(|term| replace(term, variable, value));
    in_atom(&mut rule.head);
    for literal in &mut rule.body {
        match literal {
            Literal::Positive(atom) | Literal::Negative(atom) => in_atom(atom),
            Literal::Distinct(left, right, _) | Literal::Same(left, right, _) => {
                replace(left, variable, value);
                replace(right, variable, value);
            }
        }
    }
}

fn replace(term: &mut Term, variable: usize, value: &Term) {
    match term {
        Term::Variable(found) if *found == variable => term.clone_from(value),
        Term::Variable(_) | Term::Constant(_) => {}
        Term::Compound(_, arguments) => {
            arguments.iter_mut().for_each(|argument| replace(argument, variable, value));
        }
    }
}
