//! The sorts of a program: places between which values can pass.
//!
//! The `1` of a column and the `1` of a row are the same constant in the text, but two different values here, unless some variable
//! occurs both in a column and in a row. So a board can be mirrored in one direction only.

use std::collections::{BTreeMap, btree_map::Entry};

use super::clause::{Clause, ClauseTerm};
use crate::{
    id::{PredicateId, SymbolId},
    rules::{Keyword, Program},
};

/// A position in which a value can occur, or any other position of the same sort.
pub(super) type ArgumentPosition = usize;

/// The owner of the positions: a function with a number of arguments.
type Function = (SymbolId, usize);

/// The positions of one sort: the classes of the finest equivalence in which each variable has one sort, and so does each
/// fluent, move or role wherever the language uses it.
#[derive(Debug)]
pub(super) struct Sorts {
    parents: Vec<ArgumentPosition>,
    /// For a sort, the positions of the arguments of each function whose values are of it.
    functions: Vec<BTreeMap<Function, Vec<ArgumentPosition>>>,
    /// By predicate, the places of its arguments.
    predicates: Vec<Vec<ArgumentPosition>>,
    /// By clause and literal, the place of both terms of a comparison.
    comparisons: BTreeMap<(usize, usize), ArgumentPosition>,
}

impl Sorts {
    /// The sorts of the clauses of a program.
    pub(super) fn of(program: &Program, clauses: &[Clause]) -> Self {
        let mut sorts = Self {
            parents: Vec::new(),
            functions: Vec::new(),
            predicates: Vec::new(),
            comparisons: BTreeMap::new(),
        };
        for predicate in &program.predicates {
            let places = (0..predicate.arity).map(|_| sorts.add()).collect();
            sorts.predicates.push(places);
        }
        sorts.join_keywords(program);
        for (number, clause) in clauses.iter().enumerate() {
            let mut variables = BTreeMap::new();
            for (position, literal) in clause.literals.iter().enumerate() {
                let places = match literal.predicate {
                    Some(predicate) => sorts.predicates[predicate.index()].clone(),
                    None => {
                        let place = sorts.add();
                        sorts.comparisons.insert((number, position), place);
                        vec![place; literal.arguments.len()]
                    }
                };
                for (term, place) in literal.arguments.iter().zip(places) {
                    sorts.put(term, place, &mut variables);
                }
            }
        }
        sorts
    }

    /// The sort of the terms of a comparison: the literal at a position of a clause with a number.
    pub(super) fn compared(&self, clause: usize, position: usize) -> ArgumentPosition {
        self.sort(self.comparisons[&(clause, position)])
    }

    /// The argument of a keyword has the same sort for all keywords.
    fn join_keywords(&mut self, program: &Program) {
        let groups: [&[(Keyword, usize)]; 3] = [
            &[
                (Keyword::Role, 0),
                (Keyword::Legal, 0),
                (Keyword::Does, 0),
                (Keyword::Goal, 0),
                (Keyword::Sees, 0),
            ],
            &[(Keyword::True, 0), (Keyword::Init, 0), (Keyword::Next, 0)],
            &[(Keyword::Legal, 1), (Keyword::Does, 1)],
        ];
        for group in groups {
            let mut places =
                group.iter().filter_map(|&(word, number)| Some(self.place(program.keyword(word)?, number)));
            let places: Vec<ArgumentPosition> = places.by_ref().collect();
            places.windows(2).for_each(|pair| self.join(pair[0], pair[1]));
        }
    }

    fn add(&mut self) -> ArgumentPosition {
        self.parents.push(self.parents.len());
        self.functions.push(BTreeMap::new());
        self.parents.len() - 1
    }

    fn put(
        &mut self,
        term: &ClauseTerm,
        place: ArgumentPosition,
        variables: &mut BTreeMap<usize, ArgumentPosition>,
    ) {
        match term {
            ClauseTerm::Variable(variable) => match variables.entry(*variable) {
                Entry::Vacant(entry) => _ = entry.insert(place),
                Entry::Occupied(entry) => {
                    let known = *entry.get();
                    self.join(known, place);
                }
            },
            ClauseTerm::Apply(_, arguments) if arguments.is_empty() => {}
            ClauseTerm::Apply(symbol, arguments) => {
                let places = self.arguments(place, *symbol, arguments.len());
                for (term, place) in arguments.iter().zip(places) {
                    self.put(term, place, variables);
                }
            }
        }
    }

    /// The positions of the arguments of a function whose value is in `place`.
    fn arguments(
        &mut self,
        place: ArgumentPosition,
        symbol: SymbolId,
        arity: usize,
    ) -> Vec<ArgumentPosition> {
        let sort = self.sort(place);
        if let Some(known) = self.functions[sort].get(&(symbol, arity)) {
            return known.clone();
        }
        let places: Vec<ArgumentPosition> = (0..arity).map(|_| self.add()).collect();
        self.functions[sort].insert((symbol, arity), places.clone());
        places
    }

    fn join(&mut self, one: ArgumentPosition, other: ArgumentPosition) {
        let mut pairs = vec![(one, other)];
        while let Some((one, other)) = pairs.pop() {
            let (one, other) = (self.sort(one), self.sort(other));
            if one == other {
                continue;
            }
            self.parents[other] = one;
            for (function, places) in std::mem::take(&mut self.functions[other]) {
                match self.functions[one].entry(function) {
                    Entry::Vacant(entry) => _ = entry.insert(places),
                    Entry::Occupied(entry) => pairs.extend(entry.get().iter().copied().zip(places)),
                }
            }
        }
    }

    /// The place of an argument of a predicate.
    pub(super) fn place(&self, predicate: PredicateId, number: usize) -> ArgumentPosition {
        self.predicates[predicate.index()][number]
    }

    /// The sort of a place: one of its places, the same for all of them.
    pub(super) fn sort(&self, place: ArgumentPosition) -> ArgumentPosition {
        let mut sort = place;
        while self.parents[sort] != sort {
            sort = self.parents[sort];
        }
        sort
    }

    /// The functions whose values are of a sort, with the sorts of their arguments.
    pub(super) fn functions(
        &self,
        sort: ArgumentPosition,
    ) -> impl Iterator<Item = (Function, Vec<ArgumentPosition>)> + '_ {
        let sorts = |places: &Vec<ArgumentPosition>| places.iter().map(|&place| self.sort(place)).collect();
        self.functions[sort].iter().map(move |(&function, places)| (function, sorts(places)))
    }

    /// The sorts of the arguments of a function whose value is of a sort.
    pub(super) fn arguments_of(
        &self,
        sort: ArgumentPosition,
        symbol: SymbolId,
        arity: usize,
    ) -> Option<Vec<ArgumentPosition>> {
        let places = self.functions[sort].get(&(symbol, arity))?;
        Some(places.iter().map(|&place| self.sort(place)).collect())
    }
}
