//! Splits functions that always occur in one argument of a relation into columns.
//!
//! Where every conclusion has `(legal2 ?r (move ?x ?y))`, the relation becomes `legal2 move` with three
//! columns: joins see through the term, and no term is built for a row.

use std::collections::{BTreeMap, BTreeSet};

use super::signature::{Signature, Signatures, substitute};
use crate::{
    id::{PredicateId, RuleId, SymbolId},
    rules::{Atom, Literal, Program, Rule, Term},
};

/// Maximum number of times that terms are split; deeper nesting stays.
const ROUNDS_MAX: usize = 4;

/// A relation does not get more columns than these.
const COLUMNS_MAX: usize = 48;

/// A program, and for each rule the one that it comes from.
pub(super) struct Unpacked {
    pub(super) program: Program,
    pub(super) origins: Vec<RuleId>,
}

/// The places of a relation that always hold the same function.
type FunctionPlaces = BTreeMap<PredicateId, BTreeMap<usize, (SymbolId, usize)>>;

/// Splits everything that can be split.
pub(super) fn unpack(program: &Program) -> Unpacked {
    let mut unpacked = Unpacked { program: program.clone(), origins: program.rule_ids().collect() };
    for _ in 0..ROUNDS_MAX {
        let places = places(&unpacked.program);
        if places.is_empty() {
            break;
        }
        unpacked = rewrite(&unpacked, &places);
    }
    unpacked
}

/// The arguments that can be split: not those of keywords, and not if a negated atom could have another term there.
fn places(program: &Program) -> FunctionPlaces {
    let signatures = Signatures::of(program);
    let mut places = FunctionPlaces::new();
    for predicate in program.predicate_ids().filter(|&predicate| program.as_keyword(predicate).is_none()) {
        let arity = program.predicates[predicate.index()].arity;
        for place in 0..arity {
            if let Some(function) = signatures.only_function(predicate, place) {
                places.entry(predicate).or_default().insert(place, function);
            }
        }
        let columns = |found: &BTreeMap<usize, (SymbolId, usize)>| {
            found.values().map(|(_, arity)| arity).sum::<usize>()
        };
        if places.get(&predicate).is_some_and(|found| arity + columns(found) > COLUMNS_MAX) {
            places.remove(&predicate);
        }
    }
    for rule in &program.rules {
        for literal in &rule.body {
            let Literal::Negative(atom) = literal else { continue };
            if let Some(found) = places.get_mut(&atom.predicate) {
                found.retain(|&place, &mut (symbol, arity)| match &atom.arguments[place] {
                    Term::Variable(variable) => {
                        let only = BTreeSet::from([Signature::Function(symbol, arity)]);
                        signatures.of_variable(rule, *variable).is_subset(&only)
                    }
                    _ => true,
                });
            }
        }
    }
    places.retain(|_, found| !found.is_empty());
    places
}

fn rewrite(before: &Unpacked, places: &FunctionPlaces) -> Unpacked {
    let program = Program::with_symbols(before.program.symbols.clone());
    let mut rewriting = UnpackRewriting { before: &before.program, places, program };
    let mut origins = Vec::new();
    for (rule, &origin) in before.program.rules.iter().zip(&before.origins) {
        if let Some(rule) = rewriting.rule(rule.clone()) {
            rewriting.program.rules.push(rule);
            origins.push(origin);
        }
    }
    Unpacked { program: rewriting.program, origins }
}

struct UnpackRewriting<'p> {
    before: &'p Program,
    places: &'p FunctionPlaces,
    program: Program,
}

impl UnpackRewriting<'_> {
    /// The rule over columns; `None` if a condition can never hold.
    fn rule(&mut self, mut rule: Rule) -> Option<Rule> {
        while let Some((variable, (symbol, arity))) = self.packed_variable(&rule) {
            let first = rule.variables.len();
            let name = rule.variables[variable].clone();
            rule.variables.extend((0..arity).map(|place| format!("{name}.{place}")));
            let arguments = (first..first + arity).map(Term::Variable).collect();
            substitute(&mut rule, variable, &Term::Compound(symbol, arguments));
        }
        let mut body = Vec::new();
        for literal in rule.body {
            body.push(match literal {
                Literal::Positive(atom) => Literal::Positive(self.atom(&atom)?),
                Literal::Negative(atom) => match self.atom(&atom) {
                    Some(atom) => Literal::Negative(atom),
                    None => continue,
                },
                comparison => comparison,
            });
        }
        let head = self.atom(&rule.head)?;
        Some(Rule { head, body, ..rule })
    }

    /// A variable in an argument that is split, and its columns.
    fn packed_variable(&self, rule: &Rule) -> Option<(usize, (SymbolId, usize))> {
        let mut atoms = rule.body.iter().filter_map(Literal::atom).chain([&rule.head]);
        atoms.find_map(|atom| {
            self.places.get(&atom.predicate)?.iter().find_map(|(&place, &function)| {
                match atom.arguments[place] {
                    Term::Variable(variable) => Some((variable, function)),
                    Term::Constant(_) | Term::Compound(..) => None,
                }
            })
        })
    }

    /// The atom over columns; `None` if it has another term where the function always occurs.
    fn atom(&mut self, atom: &Atom) -> Option<Atom> {
        let mut name = self.before.name(atom.predicate).to_owned();
        let mut arguments = Vec::new();
        let none = BTreeMap::new();
        let places = self.places.get(&atom.predicate).unwrap_or(&none);
        for (place, term) in atom.arguments.iter().enumerate() {
            match (places.get(&place), term) {
                (None, term) => arguments.push(term.clone()),
                (Some(&(symbol, arity)), Term::Compound(found, inner))
                    if *found == symbol && inner.len() == arity =>
                {
                    name = format!("{name} {place}{}", self.before.symbols.name(symbol));
                    arguments.extend(inner.iter().cloned());
                }
                (Some(_), _) => return None,
            }
        }
        Some(Atom { predicate: self.program.predicate(&name, arguments.len()), arguments, span: atom.span })
    }
}
