//! Which relations the reasoner keeps, and where an atom of a rule is found in them.
//!
//! A fluent `(cell ?x ?y b)` under `true` is not stored in one column but in as many as the function has
//! arguments, in a relation of its own function; likewise a move under `does`. So joins can use the arguments
//! of the term. If a rule has a variable for the whole fluent or move, another relation
//! stores the term itself.

use rustc_hash::FxHashMap;

use super::{plan::RelationId, relation::Relation};
use crate::{
    id::{PredicateId, SymbolId},
    rules::{Atom, Keyword, Program, Term},
};

/// The content of a relation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Holding {
    /// What rules conclude of a predicate.
    Derived(PredicateId),
    /// Arguments of the true fluents with this function.
    Fluent(SymbolId, usize),
    /// The true fluents.
    AnyFluent,
    /// Role, then arguments of the moves with this function.
    Move(SymbolId, usize),
    /// Role and move.
    AnyMove,
    /// The questions to a predicate that is computed on demand: the values of these arguments.
    Asked(PredicateId, u128),
}

/// All relations of a reasoner.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    pub(super) holdings: Vec<Holding>,
    /// Empty relations with the indexes that plans need.
    pub(super) relations: Vec<Relation>,
    ids: FxHashMap<Holding, RelationId>,
    is_true: Option<PredicateId>,
    does: Option<PredicateId>,
}

impl Layout {
    pub(super) fn new(program: &Program) -> Self {
        Self {
            is_true: program.keyword(Keyword::True),
            does: program.keyword(Keyword::Does),
            ..Self::default()
        }
    }

    pub(super) fn relation(&mut self, holding: Holding, arity: usize) -> RelationId {
        let next = RelationId::try_from(self.relations.len()).expect("limits keep relations few");
        *self.ids.entry(holding).or_insert_with(|| {
            self.holdings.push(holding);
            self.relations.push(Relation::new(arity));
            next
        })
    }

    pub(super) fn get(&self, holding: Holding) -> Option<RelationId> {
        self.ids.get(&holding).copied()
    }

    pub(super) fn derived(&mut self, predicate: PredicateId, arity: usize) -> RelationId {
        self.relation(Holding::Derived(predicate), arity)
    }

    /// The relation where an atom is found, and the term in each of its columns.
    pub(super) fn place<'a>(&mut self, atom: &'a Atom) -> (RelationId, Vec<&'a Term>) {
        if Some(atom.predicate) == self.is_true {
            match &atom.arguments[0] {
                Term::Variable(_) => (self.relation(Holding::AnyFluent, 1), atom.arguments.iter().collect()),
                Term::Constant(symbol) => (self.relation(Holding::Fluent(*symbol, 0), 0), Vec::new()),
                Term::Compound(symbol, arguments) => {
                    let holding = Holding::Fluent(*symbol, arguments.len());
                    (self.relation(holding, arguments.len()), arguments.iter().collect())
                }
            }
        } else if Some(atom.predicate) == self.does {
            let role = std::iter::once(&atom.arguments[0]);
            match &atom.arguments[1] {
                Term::Variable(_) => (self.relation(Holding::AnyMove, 2), atom.arguments.iter().collect()),
                Term::Constant(symbol) => (self.relation(Holding::Move(*symbol, 0), 1), role.collect()),
                Term::Compound(symbol, arguments) => {
                    let holding = Holding::Move(*symbol, arguments.len());
                    (self.relation(holding, arguments.len() + 1), role.chain(arguments).collect())
                }
            }
        } else {
            (self.derived(atom.predicate, atom.arguments.len()), atom.arguments.iter().collect())
        }
    }
}
