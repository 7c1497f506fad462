//! The relations that a program has so far, and of what they hold.

use croupier_engine::stages::syntax::Term;

use super::{dice::Dice, term::applied};

/// A relation, or a fluent under `true`.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub(super) name: String,
    pub(super) arity: usize,
    pub(super) is_fluent: bool,
    /// Of what it holds at the first turn.
    pub(super) rows: Vec<Vec<Term>>,
}

impl Relation {
    pub(super) fn atom(&self, arguments: Vec<Term>) -> Term {
        let atom = applied(&self.name, arguments);
        if self.is_fluent { applied("true", vec![atom]) } else { atom }
    }
}

/// Relations in the order in which they were added; the first is the domain, which always holds of something.
#[derive(Clone, Debug, Default)]
pub(super) struct Relations(Vec<Relation>);

impl Relations {
    pub(super) fn add(&mut self, relation: Relation) {
        self.0.push(relation);
    }

    /// The facts of one argument that bound what functions are built of.
    pub(super) fn domain(&self) -> &Relation {
        &self.0[0]
    }

    pub(super) fn contains(&self, name: &str, arity: usize) -> bool {
        self.0.iter().any(|relation| relation.name == name && relation.arity == arity)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Relation> {
        self.0.iter()
    }

    /// Any of them, rather one that holds of something, and rather a late one than an early one.
    pub(super) fn pick(&self, dice: &mut Dice) -> &Relation {
        let mut picked = dice.below(self.0.len());
        if dice.chance(50) {
            picked = picked.max(dice.below(self.0.len()));
        }
        if self.0[picked].rows.is_empty() {
            picked = dice.below(self.0.len());
        }
        &self.0[picked]
    }
}
