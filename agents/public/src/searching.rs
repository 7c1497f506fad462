//! Searches of one game, and the trees that they share.

use std::sync::Arc;

use croupier_engine::{Game, Percepts, game::Looker};
use rustc_hash::FxHashMap;

use crate::{
    Alternative, PublicBelief, PublicError, PublicEyes, PublicSearch, PublicSpace, PublicTree, TreeDepth,
    leaves::{LeafRows, ValuedSearch},
};

/// How a search looks ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// How far, and how large a tree may be.
    pub depth: TreeDepth,
    /// Iterations of each search.
    pub iterations: u32,
}

/// Makes searches of a game.
#[derive(Debug)]
pub(crate) struct Searching {
    game: Arc<Game>,
    pub(crate) eyes: PublicEyes,
    looker: Looker,
    pub(crate) space: Arc<PublicSpace>,
    pub(crate) ahead: LookAhead,
    trees: KnownTrees,
}

/// The trees of public states, by what was public before, as long as they are not too large together.
#[derive(Debug, Default)]
struct KnownTrees {
    known: FxHashMap<Vec<Percepts>, (Arc<PublicTree>, Arc<LeafRows>)>,
    histories: usize,
}

impl KnownTrees {
    /// Some hundred megabytes.
    const HISTORIES_MAX: usize = 500_000;
}

impl Searching {
    /// Fails as [`PublicEyes::new`].
    pub(crate) fn new(
        game: Arc<Game>,
        space: Arc<PublicSpace>,
        ahead: LookAhead,
    ) -> Result<Self, PublicError> {
        let (eyes, looker) = (PublicEyes::new(Arc::clone(&game))?, Looker::new(&game));
        Ok(Self { game, eyes, looker, space, ahead, trees: KnownTrees::default() })
    }

    /// The public belief before the first move.
    pub(crate) fn first(&mut self) -> Result<PublicBelief, PublicError> {
        PublicBelief::initial(&self.game, &mut self.looker)
    }

    /// A search from a public belief, before its first iteration.
    pub(crate) fn search(
        &mut self,
        belief: &PublicBelief,
        alternative: Option<&Alternative>,
    ) -> Result<ValuedSearch, PublicError> {
        let told = belief.node().told();
        if !self.trees.known.contains_key(told) {
            let root = belief.node().clone();
            let tree = PublicTree::new(root, self.ahead.depth, &mut self.eyes, &mut self.looker)?;
            let rows = Arc::new(LeafRows::new(&self.space, &tree, &mut self.eyes)?);
            self.trees.histories += tree.histories_count();
            if self.trees.histories > KnownTrees::HISTORIES_MAX {
                self.trees = KnownTrees { histories: tree.histories_count(), ..KnownTrees::default() };
            }
            self.trees.known.insert(told.to_vec(), (Arc::new(tree), rows));
        }
        let (tree, rows) = &self.trees.known[told];
        let search = PublicSearch::resolving(Arc::clone(tree), belief.ranges(), alternative);
        Ok(ValuedSearch { search, rows: Arc::clone(rows) })
    }
}
