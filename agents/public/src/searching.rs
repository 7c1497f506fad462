//! Searches of one game, and the trees that they share.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, Percepts, RoleId, game::Looker};
use rustc_hash::FxHashMap;

use crate::{
    Alternative, PublicError, PublicEyes, PublicNode, PublicSearch, PublicSpace, PublicState, PublicTree,
    TreeDepth, ValueNetwork,
    dealt_tree::{DealtTrees, NextBoard},
    leaves::{LeafAnswer, LeafRows, ValuedSearch},
    state::SearchRoot,
};

/// How a search looks ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// How far, and how large a tree may be.
    pub depth: TreeDepth,
    /// Iterations of each search.
    pub iterations: u32,
    /// How often the tree of a search grows during the first half of its iterations, each time by one turn with a choice where matches come to
    /// most; never where nobody has a choice. What has grown is looked at and not decided: there the next search begins.
    pub growth: u32,
}

/// Makes searches of a game.
#[derive(Debug)]
pub(crate) struct Searching {
    game: Arc<Game>,
    pub(crate) eyes: PublicEyes,
    looker: Looker,
    /// Where private states are hands.
    dealt: Option<DealtTrees>,
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
        let dealt = space.dealt_trees();
        Ok(Self { game, eyes, looker, dealt, space, ahead, trees: KnownTrees::default() })
    }

    /// Where a match begins; as soon as they have their hands, if that is what private states are.
    pub(crate) fn first(&mut self) -> Result<SearchRoot, PublicError> {
        let state = match &mut self.dealt {
            Some(trees) => PublicState::Dealt(trees.first()),
            None => PublicState::Listed(PublicNode::initial(&self.game, &mut self.looker)?),
        };
        let ranges = match &state {
            PublicState::Listed(node) => node.players().iter().map(|_| vec![1.0]).collect(),
            PublicState::Dealt(state) => state.hands().iter().map(|hands| vec![1.0; hands.len()]).collect(),
        };
        Ok(SearchRoot::of(state, ranges))
    }

    /// The position of a role among the players.
    pub(crate) fn player(&self, role: RoleId) -> Option<usize> {
        self.game.roles().players().position(|player| player == role)
    }

    /// The place of a private state of a public state, by what its player knows, and its legal moves.
    pub(crate) fn place_of(
        &mut self,
        state: &PublicState,
        player: usize,
        known: &InformationSet,
    ) -> Option<(usize, Vec<MoveId>)> {
        match state {
            PublicState::Listed(node) => {
                let place = node.private(player).iter().position(|state| state.known == *known)?;
                Some((place, node.private(player)[place].legal.clone()))
            }
            PublicState::Dealt(state) => {
                let place = state.place_of(player, known, &mut self.eyes)?;
                Some((place, state.legal(player)))
            }
        }
    }

    /// A search from a public belief, before its first iteration. Where chance deals next, it goes on as `next` says.
    pub(crate) fn search(
        &mut self,
        root: &SearchRoot,
        alternative: Option<&Alternative>,
        next: NextBoard<'_>,
    ) -> Result<ValuedSearch, PublicError> {
        let told = root.state.told();
        // Each search from a turn in which chance deals has boards of its own.
        let is_dealing = matches!(&root.state, PublicState::Dealt(state) if state.is_dealing());
        let known = if is_dealing { None } else { self.trees.known.get(told) };
        let (tree, rows) = match known {
            Some((tree, rows)) => (Arc::clone(tree), Arc::clone(rows)),
            None => {
                let tree = Arc::new(self.tree(&root.state, next)?);
                let rows = Arc::new(LeafRows::new(&self.space, &tree, &mut self.eyes)?);
                if !is_dealing {
                    self.trees.keep(told, &tree, &rows);
                }
                (tree, rows)
            }
        };
        let most = if tree.has_no_choice() { 1 } else { u32::MAX };
        let search = PublicSearch::resolving(tree, &root.ranges, alternative);
        Ok(ValuedSearch { search, rows, most, grown: 0 })
    }

    /// Brings each search to so many iterations; in each of them all searches ask their leaves together, and trees grow in between.
    pub(crate) fn advance(
        &mut self,
        searches: &mut [ValuedSearch],
        iterations: &[u32],
        network: &mut dyn ValueNetwork,
    ) -> Result<(), PublicError> {
        let space = &*Arc::clone(&self.space);
        let mut rows: Vec<f32> = Vec::new();
        let (mut worth, is_beyond_shares) = (Vec::new(), network.is_beyond_shares());
        loop {
            let mut going: Vec<&mut ValuedSearch> = searches
                .iter_mut()
                .zip(iterations)
                .filter_map(|(one, &wanted)| (one.search.iterations() < wanted.min(one.most)).then_some(one))
                .collect();
            if going.is_empty() {
                return Ok(());
            }
            rows.clear();
            let counts: Vec<usize> =
                going.iter().map(|one| one.rows.write(space, one.search.asks(), &mut rows)).collect();
            let count = rows.len() / space.inputs();
            let found = if count > 0 { network.values(count, &rows)? } else { Vec::new() };
            if found.len() != space.outputs() * count {
                return Err(PublicError::PolicyFailed(format!(
                    "a value network gave {} numbers",
                    found.len()
                )));
            }
            let mut rest = found.as_slice();
            for (one, count) in going.iter_mut().zip(counts) {
                let asked = one.search.asks();
                let (here, after) = rest.split_at(count * space.outputs());
                rest = after;
                worth.clear();
                worth.resize(asked.ranges.len(), 0.0);
                let answer = LeafAnswer { values: here, is_beyond_shares };
                one.rows.read(space, asked, &answer, &mut worth);
                one.search.iterate(&worth);
                self.grow(one)?;
            }
        }
    }

    /// Grows the tree of a search as often as it should have after its iterations.
    ///
    /// # Errors
    /// As [`search`](Self::search).
    fn grow(&mut self, one: &mut ValuedSearch) -> Result<(), PublicError> {
        let LookAhead { depth, iterations, growth } = self.ahead;
        let due = u64::from(growth) * 2 * u64::from(one.search.iterations()) / u64::from(iterations.max(1));
        while one.most > 1 && u64::from(one.grown) < due.min(u64::from(growth)) {
            one.grown += 1;
            let Some(leaf) = one.search.place_to_grow() else { return Ok(()) };
            let tree = one.search.tree_mut();
            match (tree.state(leaf).clone(), &mut self.dealt) {
                (PublicState::Listed(_), _) => {
                    tree.grow(leaf, depth.histories, &mut self.eyes, &mut self.looker)?;
                }
                (PublicState::Dealt(state), Some(trees)) => trees.grow(tree, leaf, &state, depth)?,
                (PublicState::Dealt(_), None) => return Err(PublicError::Unknown),
            }
            one.search.go_on();
            one.rows = Arc::new(one.rows.grown(&self.space, one.search.tree(), &mut self.eyes)?);
        }
        Ok(())
    }

    fn tree(&mut self, root: &PublicState, next: NextBoard<'_>) -> Result<PublicTree, PublicError> {
        match (root, &mut self.dealt) {
            (PublicState::Listed(node), _) => {
                PublicTree::new(node.clone(), self.ahead.depth, &mut self.eyes, &mut self.looker)
            }
            (PublicState::Dealt(state), Some(trees)) => trees.tree(state, self.ahead.depth, next),
            (PublicState::Dealt(_), None) => Err(PublicError::Unknown),
        }
    }
}

impl KnownTrees {
    /// Keeps a tree, and no other if all together are too large.
    fn keep(&mut self, told: &[Percepts], tree: &Arc<PublicTree>, rows: &Arc<LeafRows>) {
        self.histories += tree.histories_count();
        if self.histories > Self::HISTORIES_MAX {
            *self = Self { histories: tree.histories_count(), ..Self::default() };
        }
        self.known.insert(told.to_vec(), (Arc::clone(tree), Arc::clone(rows)));
    }
}
