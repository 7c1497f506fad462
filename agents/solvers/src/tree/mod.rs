//! The whole tree of a game in extensive form, stored flat: nodes, information sets, chance, outcomes.
//!
//! A tree holds every history once, breadth first; states are never merged. Roles that choose in the same turn do so one
//! after the other without seeing each other's choices, as Gambit's format requires.
//!
//! Histories of one length are expanded on lanes, 512 at once, and in blocks on all threads (`levels.rs`, `rows.rs`); if
//! a legal move or goal is missing or duplicated, the engine is asked again in order to get its error. States, legal
//! moves and percepts stay rows of bits (`engine/src/game/rows.rs`), so a history takes some tenths of a microsecond.
//! Games without a network are enumerated state by state (`expansion.rs`).
//!
//! Information sets are interned from own moves and percepts, turn by turn (`knowledge.rs`); an information set whose
//! histories have different legal moves is an error that names it.
//!
//! A reduced tree (`reduction.rs`) keeps one representative, with a weight, of the chance moves that symmetries exchange.
//! A bit set beside each history says which symmetries preserve it, and what a player knows is stored in the smallest
//! form under these symmetries, so that equivalent information sets are one. The symmetries are those that
//! `engine/src/symmetry` finds in the rules.

mod builder;
mod estimate;
mod expansion;
pub(crate) mod knowledge;
mod levels;
mod lists;
mod properties;
mod reduction;
mod rows;
mod subgame;

use std::ops::{ControlFlow, Range};

use croupier_engine::{
    Game, GameError, GoalValue, InformationSet, MoveId, RoleId,
    game::{Symmetries, Symmetry},
};
use thiserror::Error;

use knowledge::{KnowledgeForest, KnowledgeId};
use reduction::Reduction;

pub use estimate::{TreeEstimate, estimate_histories, is_far_beyond};
pub use properties::{GoalSum, Properties};
pub use subgame::{Beyond, Horizon, Root};

/// Declares an id: a `u32` index of one kind of value.
macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this index; counts are kept below 2^32 by [`TreeLimits`].
            pub(crate) fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a count below 2^32"))
            }

            /// The index as a `usize`.
            #[must_use]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A node of one tree; parents come before children, and the children of a node in a row.
    NodeId
}
id! {
    /// One player's information set with a choice; numbered in the order of turns.
    InformationSetId
}
id! {
    /// The moves of chance at some node: nodes with the same moves share it.
    MenuId
}
id! {
    /// A combination of all players' goals; terminal nodes with the same goals share it.
    OutcomeId
}

/// What happens at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Node {
    /// Chance makes one of its moves, each with the same probability unless there are [`GameTree::chance_weights`].
    Chance {
        /// The moves.
        menu: MenuId,
        /// The node after the first move; the others follow it.
        first_child: NodeId,
    },
    /// A player makes one of its moves.
    Decision {
        /// The player's information set.
        information_set: InformationSetId,
        /// The node after the first move; the others follow it.
        first_child: NodeId,
    },
    /// The match is over.
    Terminal {
        /// The goals.
        outcome: OutcomeId,
    },
}

/// How large a tree may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeLimits {
    /// Maximum number of histories and of nodes.
    pub histories_max: u64,
}

/// How many nodes of each kind a tree has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeSizes {
    /// Histories: states reached by different joint moves, including those where nobody has a choice.
    pub histories: u64,
    /// Nodes where chance has a choice.
    pub chance: u64,
    /// Nodes where a player has a choice.
    pub decision: u64,
    /// Nodes where the match is over.
    pub terminal: u64,
    /// Information sets of each player, in the order of [`GameTree::players`].
    pub information_sets: Vec<u64>,
    /// Memory of the tree, in bytes.
    pub bytes: u64,
}

/// Why a game has no tree here.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum TreeError {
    /// More histories than allowed.
    #[error("the game has {estimate} histories, as estimated by random descents, but the limit is {limit}")]
    TooLarge {
        /// The bound.
        limit: u64,
        /// How many there are by [`estimate_histories`].
        estimate: TreeEstimate,
    },
    /// A player cannot know its legal moves, so no strategy can be defined for it.
    #[error(
        "{role} cannot know its legal moves: they differ between histories with the same information set: {information_set}"
    )]
    UnknownMoves {
        /// Name of the role.
        role: String,
        /// The information set.
        information_set: String,
    },
    /// The caller stopped the work.
    #[error("the enumeration was interrupted")]
    Interrupted,
    /// The rules fail somewhere in the tree.
    #[error(transparent)]
    Game(#[from] GameError),
}

/// The tree of a game, by full enumeration: a node is a history and one role's choice in it.
///
/// There are no nodes for forced moves. Roles that choose in the same turn do so one after the
/// other, in the order of the rules, and none sees the choices of those before it. States are never merged.
///
/// A player knows its own moves and percepts since the start of the match, so every player has perfect recall.
///
/// ```
/// use croupier_solvers::{GameTree, Node, TreeLimits};
/// # use croupier_engine::{Game, Options};
///
/// # let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
/// # let game = Game::compile(kuhn.rules, &Options::PLAY)?.game;
/// let tree = GameTree::new(&game, &TreeLimits { histories_max: 1_000 }, &mut |_| {})?;
/// // Three cards for alice, two for bob, and five ways to end the betting on each deal.
/// let sizes = tree.sizes();
/// assert_eq!((sizes.chance, sizes.decision, sizes.terminal), (4, 24, 30));
/// assert_eq!(sizes.information_sets, [6, 6]);
/// let Node::Chance { menu, .. } = tree.node(tree.root()) else { panic!("chance deals first") };
/// assert_eq!(game.move_text(tree.menu(menu)[0]), "(deal jack)".into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct GameTree {
    players: Vec<RoleId>,
    /// Invariant: parents before children, children in a row; the roots first.
    nodes: Vec<Node>,
    sets: Vec<SetEntry>,
    menus: Vec<MenuEntry>,
    /// The weights of menus; the first have none.
    weights: Vec<Vec<u32>>,
    /// Those that were used, the identity first; none if every history is there.
    symmetries: Vec<Symmetry>,
    /// What `sets` and `menus` are ranges of.
    moves: Vec<MoveId>,
    /// One goal per player for each outcome.
    goals: Vec<GoalValue>,
    knowledge: KnowledgeForest,
    /// The probability of each of the nodes that it begins with: one, or those of a subgame.
    roots: Vec<f64>,
    histories: u64,
}

/// An information set.
#[derive(Clone, Debug)]
struct SetEntry {
    /// Position among the players.
    player: u32,
    knowledge: KnowledgeId,
    moves: Range<u32>,
}

/// The moves of chance at some node.
#[derive(Clone, Debug)]
struct MenuEntry {
    moves: Range<u32>,
    /// Position among the weights.
    weights: u32,
}

impl NodeId {
    /// The node this many after this one.
    pub(crate) fn plus(self, count: usize) -> Self {
        Self::new(self.index() + count)
    }
}

/// A report of progress that never stops the work.
fn going_on(progress: &mut dyn FnMut(u64)) -> impl FnMut(u64) -> ControlFlow<()> + '_ {
    |histories| {
        progress(histories);
        ControlFlow::Continue(())
    }
}

impl TreeLimits {
    /// The same, but no more than there are ids for: they are 32 bits wide, and a sequence form has an entry for each player in
    /// each terminal node.
    fn of_ids(&self, game: &Game) -> Self {
        let players = u64::try_from(game.roles().players().count()).expect("few roles");
        assert!(players > 0, "rules without players are refused");
        Self { histories_max: self.histories_max.min(u64::from(u32::MAX / 2) / players) }
    }
}

impl GameTree {
    /// Enumerates the tree of `game`.
    ///
    /// `progress` is called now and then with the number of histories so far. It uses the threads of the calling rayon
    /// pool; the result does not depend on them.
    ///
    /// # Errors
    /// [`TreeError::TooLarge`] beyond the limits, [`TreeError::UnknownMoves`] if a player cannot know its
    /// legal moves, [`TreeError::Game`] if the rules fail.
    ///
    /// # Complexity
    /// A turn of the game for each history; 12 bytes for each node, and the states of one depth at a time.
    pub fn new(game: &Game, limits: &TreeLimits, progress: &mut dyn FnMut(u64)) -> Result<Self, TreeError> {
        Self::within(game, limits, &mut going_on(progress))
    }

    /// The same, where `progress` can stop the work.
    ///
    /// # Errors
    /// As [`new`](Self::new), and [`TreeError::Interrupted`].
    pub fn within(
        game: &Game,
        limits: &TreeLimits,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Self, TreeError> {
        Self::with(game, limits, Reduction::none(), progress)
    }

    /// The tree of `game` with one of the moves of chance that some symmetries exchange, for each class of them.
    ///
    /// If chance has moves that symmetries preserving the history so far map to each other, one of them represents
    /// all, with their total weight; and players' information sets that symmetries map to each other are merged,
    /// and named by one of them. Only symmetries that preserve every role and every move of the players are used, so
    /// only choices of chance are exchanged: suits, or cards of one rank. For policies that do not distinguish
    /// symmetric information sets, all values are those of the whole tree. Some equilibrium is such a policy, and against
    /// such a policy there is a best response of the same kind; counterfactual regret minimisation only produces such policies.
    ///
    /// A game without a network, or without such symmetries, gets the whole tree.
    ///
    /// # Errors
    /// As [`within`](Self::within).
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use croupier_solvers::{GameTree, Node, TreeLimits};
    /// # use croupier_engine::{Game, Options};
    ///
    /// # let leduc = croupier_games::find("leduc").ok_or("the catalogue has it")?;
    /// # let game = Game::compile(leduc.rules, &Options::PLAY)?.game;
    /// let limits = TreeLimits { histories_max: 10_000 };
    /// let tree = GameTree::reduced(&game, &limits, &game.symmetries()?, &mut |_| ControlFlow::Continue(()))?;
    /// let Node::Chance { menu, .. } = tree.node(tree.root()) else { panic!("chance deals first") };
    /// // Of six cards one of each rank is dealt, in the place of two.
    /// assert_eq!(tree.chance_weights(menu), [2, 2, 2]);
    /// assert!(tree.sizes().histories < GameTree::new(&game, &limits, &mut |_| {})?.sizes().histories / 3);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn reduced(
        game: &Game,
        limits: &TreeLimits,
        symmetries: &Symmetries,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Self, TreeError> {
        Self::with(game, limits, Reduction::new(game, symmetries)?, progress)
    }

    /// The same with the symmetries that are found, if chance deals and there are any; otherwise the whole tree.
    ///
    /// # Errors
    /// As [`within`](Self::within).
    pub fn compact(
        game: &Game,
        limits: &TreeLimits,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Self, TreeError> {
        // Only chance is reduced, and only on networks.
        let is_dealt = game.network().is_some() && game.roles().random().is_some();
        match is_dealt.then(|| game.symmetries().ok()).flatten() {
            Some(symmetries) => Self::reduced(game, limits, &symmetries, progress),
            None => Self::within(game, limits, progress),
        }
    }

    fn with(
        game: &Game,
        limits: &TreeLimits,
        reduction: Reduction,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Result<Self, TreeError> {
        let limits = limits.of_ids(game);
        let tree = rows::expand(game, &limits, reduction, progress);
        tree.unwrap_or_else(|| expansion::expand(game, &limits, progress))
    }

    /// The tree of the continuations of several histories of equal length, with the probability of each: a
    /// *subgame*. It has one root per history instead of a single one.
    ///
    /// It is cut before the first turn whose nodes do not all fit within the limits: `horizon` gives the value of its last
    /// histories. `None` if the game has no network, or a very large one.
    ///
    /// # Errors
    /// As [`within`](Self::within) but for its size, and [`TreeError::Interrupted`] if the horizon says nothing.
    pub(crate) fn of_subgame(
        game: &Game,
        limits: &TreeLimits,
        roots: &[Root<'_>],
        horizon: &mut Horizon<'_>,
        progress: &mut dyn FnMut(u64) -> ControlFlow<()>,
    ) -> Option<Result<Self, TreeError>> {
        rows::expand_subgame(game, &limits.of_ids(game), roots, horizon, progress)
    }

    /// The probability of each of the nodes that it begins with.
    pub(crate) fn root_probabilities(&self) -> &[f64] {
        &self.roots
    }

    /// The players, in the order of the rules.
    #[must_use]
    pub fn players(&self) -> &[RoleId] {
        &self.players
    }

    /// How many nodes there are; at least one.
    #[must_use]
    pub fn nodes_count(&self) -> usize {
        self.nodes.len()
    }

    /// How many information sets all players have together.
    #[must_use]
    pub fn information_sets_count(&self) -> usize {
        self.sets.len()
    }

    /// How many different outcomes there are.
    #[must_use]
    pub fn outcomes_count(&self) -> usize {
        self.goals.len() / self.players.len().max(1)
    }

    /// The node in which every match begins.
    #[must_use]
    pub fn root(&self) -> NodeId {
        NodeId(0)
    }

    /// A node.
    #[must_use]
    pub fn node(&self, id: NodeId) -> Node {
        self.nodes[id.index()]
    }

    /// All nodes, parents before children.
    pub fn nodes(&self) -> impl ExactSizeIterator<Item = (NodeId, Node)> + '_ {
        self.nodes.iter().enumerate().map(|(index, node)| (NodeId::new(index), *node))
    }

    /// The nodes after each move; none at the end.
    pub fn children(&self, node: Node) -> impl DoubleEndedIterator<Item = NodeId> + use<> {
        let (first, count) = match node {
            Node::Chance { menu, first_child } => (first_child, self.menu(menu).len()),
            Node::Decision { information_set, first_child } => {
                (first_child, self.moves(information_set).len())
            }
            Node::Terminal { .. } => (NodeId(0), 0),
        };
        (first.index()..first.index() + count).map(NodeId::new)
    }

    /// All information sets.
    pub fn information_sets(&self) -> impl ExactSizeIterator<Item = InformationSetId> + use<> {
        (0..self.sets.len()).map(InformationSetId::new)
    }

    /// The owner of an information set: the index among the [`players`](Self::players).
    #[must_use]
    pub fn player(&self, id: InformationSetId) -> usize {
        self.sets[id.index()].player as usize
    }

    /// The moves of an information set, in canonical order; at least two.
    #[must_use]
    pub fn moves(&self, id: InformationSetId) -> &[MoveId] {
        self.slice(&self.sets[id.index()].moves)
    }

    /// The moves of chance, in canonical order; at least two.
    #[must_use]
    pub fn menu(&self, id: MenuId) -> &[MoveId] {
        self.slice(&self.menus[id.index()].moves)
    }

    /// For each move of chance the number of moves that it represents; empty if each represents only itself.
    #[must_use]
    pub fn chance_weights(&self, id: MenuId) -> &[u32] {
        &self.weights[self.menus[id.index()].weights as usize]
    }

    /// The probability of a move of chance, as a fraction.
    #[must_use]
    pub fn chances(&self, id: MenuId, place: usize) -> [f64; 2] {
        match self.chance_weights(id) {
            [] => [1.0, self.menu(id).len() as f64],
            weights => [f64::from(weights[place]), f64::from(weights.iter().sum::<u32>())],
        }
    }

    fn slice(&self, range: &Range<u32>) -> &[MoveId] {
        &self.moves[range.start as usize..range.end as usize]
    }

    /// What the player did and was told.
    #[must_use]
    pub fn information_set(&self, id: InformationSetId) -> InformationSet {
        let entry = &self.sets[id.index()];
        InformationSet {
            role: self.players[entry.player as usize],
            turns: self.knowledge.turns(entry.knowledge),
        }
    }

    /// The symmetries by which the tree is reduced, the identity first; none if it is whole.
    #[must_use]
    pub fn symmetries(&self) -> &[Symmetry] {
        &self.symmetries
    }

    /// All information sets of the game that this one represents, itself first: the policy is the same in all of them.
    ///
    /// # Errors
    /// [`GameError::Limit`] if the game, which must be that of the tree, has no room for more terms.
    pub fn images(&self, game: &Game, id: InformationSetId) -> Result<Vec<InformationSet>, GameError> {
        let known = self.information_set(id);
        let mut images = vec![known.clone()];
        for symmetry in self.symmetries.iter().skip(1) {
            let image = symmetry.information_set(game, &known)?;
            if !images.contains(&image) {
                images.push(image);
            }
        }
        Ok(images)
    }

    /// The goals of all players, in their order.
    #[must_use]
    pub fn goals(&self, id: OutcomeId) -> &[GoalValue] {
        &self.goals[id.index() * self.players.len()..][..self.players.len()]
    }

    /// How many nodes of each kind there are, and the memory that they take.
    #[must_use]
    pub fn sizes(&self) -> TreeSizes {
        let count =
            |is_kind: fn(&Node) -> bool| self.nodes.iter().filter(|node| is_kind(node)).count() as u64;
        let mut information_sets = vec![0; self.players.len()];
        for entry in &self.sets {
            information_sets[entry.player as usize] += 1;
        }
        let bytes = size_of_val(self.nodes.as_slice())
            + size_of_val(self.sets.as_slice())
            + size_of_val(self.menus.as_slice())
            + size_of_val(self.moves.as_slice())
            + size_of_val(self.goals.as_slice())
            + self.knowledge.bytes();
        TreeSizes {
            histories: self.histories,
            chance: count(|node| matches!(node, Node::Chance { .. })),
            decision: count(|node| matches!(node, Node::Decision { .. })),
            terminal: count(|node| matches!(node, Node::Terminal { .. })),
            information_sets,
            bytes: bytes as u64,
        }
    }
}
