//! The choices that a gadget game has in front of a subgame.

use croupier_engine::InformationSet;
use rustc_hash::FxHashMap;

use crate::tree::{GameTree, InformationSetId, Root};

/// The opponent's choices in front of a subgame.
#[derive(Debug)]
pub(crate) struct Gadget {
    /// Whose they are.
    pub(crate) opponent: usize,
    /// For each root the number of the opponent's information set there.
    sets: Vec<usize>,
    /// How many such information sets there are.
    pub(crate) sets_count: usize,
    /// For each root the opponent's part in its weight: a gadget game leaves that to the opponent.
    pub(crate) reach: Vec<f64>,
}

impl Gadget {
    pub(crate) fn new(opponent: usize, roots: &[Root<'_>]) -> Self {
        let mut numbers: FxHashMap<&InformationSet, usize> = FxHashMap::default();
        let mut sets = Vec::with_capacity(roots.len());
        for root in roots {
            let next = numbers.len();
            sets.push(*numbers.entry(root.known[opponent]).or_insert(next));
        }
        let reach = roots.iter().map(|root| root.reach[opponent].max(f64::MIN_POSITIVE)).collect();
        Self { opponent, sets, sets_count: numbers.len(), reach }
    }

    /// The id of one of these information sets: they come after those of the tree.
    pub(crate) fn id(&self, tree: &GameTree, set: usize) -> InformationSetId {
        InformationSetId::new(tree.information_sets_count() + set)
    }

    /// The choice of a player in front of a root, if it has one there.
    pub(crate) fn at(&self, player: usize, root: usize, tree: &GameTree) -> Option<InformationSetId> {
        (player == self.opponent).then(|| self.id(tree, self.sets[root]))
    }
}
