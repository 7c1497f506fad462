//! A tree that grows: nodes, information sets, menus and outcomes, each kept once.

use croupier_engine::{Game, GoalValue, MoveId, Percepts, RoleId, game::Symmetry};
use rustc_hash::FxHashMap;

use super::{
    GameTree, InformationSetId, MenuEntry, MenuId, Node, NodeId, OutcomeId, SetEntry, TreeError, TreeLimits,
    estimate_histories,
    knowledge::{KnowledgeBuilder, KnowledgeId, Origin},
    lists::{ListId, Lists},
};

/// Maximum number of histories evaluated before any of them is added to the tree.
const CHUNK_MAX: usize = 8_192;

/// Approximate number of legal moves of those histories together: fewer histories are evaluated if each has many.
const CHUNK_MOVES: usize = 4_000_000;

/// Number of histories evaluated first in a level, when their numbers of moves are not known yet.
const CHUNK_FIRST: usize = 64;

/// Joint moves played before their results are added to the tree.
pub(super) const BRANCHES: usize = 65_536;

/// The legal moves in a history.
#[derive(Clone, Copy)]
pub(super) struct Legal<'l> {
    /// By role.
    pub(super) lists: &'l [ListId],
    /// The position of the weights of chance's moves; those at zero are equal.
    pub(super) weights: u32,
}

/// The moves of chance at some node, and the position of their weights.
type ChanceMenu = (ListId, u32);

/// The continuations of several histories.
#[derive(Default)]
pub(super) struct ContinuationCounts {
    histories: u64,
    nodes: u64,
    moves: usize,
}

impl ContinuationCounts {
    /// The continuations if each role has this many moves, for each history that continues.
    pub(super) fn of(counts: impl Iterator<Item = impl Iterator<Item = usize>>) -> Self {
        let mut following = Self::default();
        for of_history in counts {
            let mut leaves = 1_u64;
            for of_role in of_history.filter(|&of_role| of_role > 1) {
                leaves = leaves.saturating_mul(of_role as u64);
                following.nodes = following.nodes.saturating_add(leaves);
                following.moves += of_role;
            }
            following.histories = following.histories.saturating_add(leaves);
        }
        following
    }

    /// Adds the continuations of more histories.
    pub(super) fn add(&mut self, other: &Self) {
        self.histories = self.histories.saturating_add(other.histories);
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.moves += other.moves;
    }
}

/// A tree that grows.
pub(super) struct TreeBuilder<'g> {
    pub(super) game: &'g Game,
    limits: &'g TreeLimits,
    pub(super) players: Vec<RoleId>,
    /// For each role its position among the players; chance has none.
    player_of: Vec<Option<usize>>,
    /// Marks a node that is not evaluated yet.
    nodes: Vec<Option<Node>>,
    sets: Vec<SetEntry>,
    /// By information set.
    known_sets: Vec<Option<InformationSetId>>,
    /// The legal moves in an information set, a single move or many.
    known_moves: Vec<Option<ListId>>,
    menus: Vec<ChanceMenu>,
    known_menus: FxHashMap<ChanceMenu, MenuId>,
    weights: Vec<Vec<u32>>,
    known_weights: FxHashMap<Vec<u32>, u32>,
    pub(super) lists: Lists,
    goals: Vec<GoalValue>,
    known_goals: FxHashMap<Vec<GoalValue>, OutcomeId>,
    pub(super) knowledge: KnowledgeBuilder,
    /// The probability of each node that the tree begins with.
    roots: Vec<f64>,
    pub(super) histories: u64,
    /// How many histories to evaluate together next.
    pub(super) chunk: usize,
}

impl<'g> TreeBuilder<'g> {
    /// A tree with only a root.
    pub(super) fn new(game: &'g Game, limits: &'g TreeLimits) -> Self {
        let players = game.roles().players().count();
        Self::with_roots(game, limits, vec![1.0], vec![Origin::new(); players])
    }

    /// A tree with only roots of these probabilities, and the players' information sets in them.
    pub(super) fn with_roots(
        game: &'g Game,
        limits: &'g TreeLimits,
        roots: Vec<f64>,
        origins: Vec<Origin>,
    ) -> Self {
        let players: Vec<RoleId> = game.roles().players().collect();
        let position = |role| players.iter().position(|&player| player == role);
        Self {
            game,
            limits,
            player_of: game.roles().all().map(position).collect(),
            nodes: vec![None; roots.len()],
            sets: Vec::new(),
            known_sets: Vec::new(),
            known_moves: Vec::new(),
            menus: Vec::new(),
            known_menus: FxHashMap::default(),
            weights: vec![Vec::new()],
            known_weights: FxHashMap::default(),
            lists: Lists::default(),
            goals: Vec::new(),
            known_goals: FxHashMap::default(),
            knowledge: KnowledgeBuilder::new(origins),
            histories: roots.len() as u64,
            roots,
            chunk: CHUNK_FIRST,
            players,
        }
    }

    /// Begins with the histories of the next length.
    pub(super) fn begin_turn(&mut self) {
        self.chunk = CHUNK_FIRST;
        self.knowledge.begin_turn();
    }

    /// Counts the continuations of several histories, checks that they and their nodes are within the limit, and determines how many
    /// histories to evaluate next. For each history that continues, `counts` has the number of moves of each role.
    pub(super) fn count(
        &mut self,
        asked: usize,
        counts: impl Iterator<Item = impl Iterator<Item = usize>>,
    ) -> Result<(), TreeError> {
        let following = ContinuationCounts::of(counts);
        let has_room = self.has_room(&following);
        self.histories = self.histories.saturating_add(following.histories);
        if !has_room {
            return Err(self.too_large());
        }
        let moves_each = following.moves.div_ceil(asked.max(1)).max(1);
        self.chunk = (CHUNK_MOVES / moves_each).clamp(1, (4 * self.chunk).min(CHUNK_MAX));
        Ok(())
    }

    /// Whether all that follows on some histories is within the limit.
    pub(super) fn has_room(&self, following: &ContinuationCounts) -> bool {
        let histories = self.histories.saturating_add(following.histories);
        let nodes = following.nodes.saturating_add(self.nodes.len() as u64);
        histories.max(nodes) <= self.limits.histories_max
    }

    /// The probability of reaching each node if everyone chooses uniformly.
    pub(super) fn reach(&self) -> Vec<f64> {
        let mut reach = vec![0.0; self.nodes.len()];
        reach[..self.roots.len()].copy_from_slice(&self.roots);
        for (place, node) in self.nodes.iter().enumerate() {
            let (first, count) = match *node {
                Some(Node::Chance { menu, first_child }) => {
                    (first_child, self.lists.len(self.menus[menu.index()].0))
                }
                Some(Node::Decision { information_set, first_child }) => {
                    (first_child, self.sets[information_set.index()].moves.len())
                }
                Some(Node::Terminal { .. }) | None => continue,
            };
            let each = reach[place] / count as f64;
            reach[first.index()..first.index() + count].fill(each);
        }
        reach
    }

    /// Creates the nodes of one turn. `leaves` gets the nodes after each joint move, in canonical order:
    /// the last role varies fastest, because each role's nodes are children of those of the role before it.
    pub(super) fn choices(
        &mut self,
        node: NodeId,
        known: &[KnowledgeId],
        legal: Legal<'_>,
        leaves: &mut Vec<NodeId>,
    ) -> Result<(), TreeError> {
        self.check_moves(known, legal.lists)?;
        leaves.clear();
        leaves.push(node);
        for (role, &moves) in legal.lists.iter().enumerate() {
            let count = self.lists.len(moves);
            if count == 1 {
                continue;
            }
            let above = leaves.len();
            for place in 0..above {
                let first_child = NodeId::new(self.nodes.len());
                self.nodes.resize(self.nodes.len() + count, None);
                leaves.extend((0..count).map(|place| first_child.plus(place)));
                self.nodes[leaves[place].index()] = Some(match self.player_of[role] {
                    None => Node::Chance { menu: self.menu((moves, legal.weights)), first_child },
                    Some(player) => {
                        let information_set = self.information_set(player, known[player], moves);
                        Node::Decision { information_set, first_child }
                    }
                });
            }
            leaves.drain(..above);
        }
        Ok(())
    }

    /// Ends a history.
    pub(super) fn end(&mut self, node: NodeId, goals: &[GoalValue]) {
        let outcome = match self.known_goals.get(goals) {
            Some(&known) => known,
            None => {
                let next = OutcomeId::new(self.known_goals.len());
                self.goals.extend_from_slice(goals);
                self.known_goals.insert(goals.to_vec(), next);
                next
            }
        };
        self.nodes[node.index()] = Some(Node::Terminal { outcome });
    }

    fn information_set(&mut self, player: usize, knowledge: KnowledgeId, moves: ListId) -> InformationSetId {
        if let Some(known) = self.known_sets.get(knowledge.index()).copied().flatten() {
            return known;
        }
        let id = InformationSetId::new(self.sets.len());
        let player = u32::try_from(player).expect("roles were counted when the game was made");
        self.sets.push(SetEntry { player, knowledge, moves: self.lists.range(moves) });
        put(&mut self.known_sets, knowledge.index(), id);
        id
    }

    /// Checks that each player's information set determines its legal moves.
    fn check_moves(&mut self, known: &[KnowledgeId], legal: &[ListId]) -> Result<(), TreeError> {
        for player in 0..self.players.len() {
            // Equal lists are kept once, so their ids tell whether they are equal.
            let moves = legal[self.players[player].index()];
            match self.known_moves.get(known[player].index()).copied().flatten() {
                Some(before) if before != moves => return Err(self.unknown_moves(player, known[player])),
                Some(_) => {}
                None => put(&mut self.known_moves, known[player].index(), moves),
            }
        }
        Ok(())
    }

    fn menu(&mut self, moves: ChanceMenu) -> MenuId {
        let (menus, next) = (&mut self.menus, MenuId::new(self.known_menus.len()));
        *self.known_menus.entry(moves).or_insert_with(|| {
            menus.push(moves);
            next
        })
    }

    /// The position of the weights of a menu.
    pub(super) fn weights(&mut self, weights: Vec<u32>) -> u32 {
        if weights.iter().all(|&weight| weight == 1) {
            return 0;
        }
        let next = u32::try_from(self.weights.len()).expect("a count below 2^32");
        *self.known_weights.entry(weights).or_insert_with_key(|weights| {
            self.weights.push(weights.clone());
            next
        })
    }

    fn unknown_moves(&mut self, player: usize, knowledge: KnowledgeId) -> TreeError {
        let role = self.players[player];
        let finished = std::mem::replace(&mut self.knowledge, KnowledgeBuilder::new(Vec::new())).finish();
        let known = croupier_engine::InformationSet { role, turns: finished.turns(knowledge) };
        TreeError::UnknownMoves {
            role: self.game.roles().name(role).to_owned(),
            information_set: self.game.information_set_text(&known),
        }
    }

    fn too_large(&self) -> TreeError {
        let estimate = estimate_histories(self.game, &mut self.game.scratch());
        TreeError::TooLarge { limit: self.limits.histories_max, estimate: estimate.at_least(self.histories) }
    }

    /// A player's information set after one more turn.
    pub(super) fn learn(
        &mut self,
        before: KnowledgeId,
        own_move: MoveId,
        percepts: &Percepts,
    ) -> KnowledgeId {
        let percepts = self.knowledge.percepts(percepts);
        self.knowledge.extend(before, own_move, percepts)
    }

    /// The finished tree, when every node was evaluated.
    pub(super) fn finish(self, symmetries: Vec<Symmetry>) -> GameTree {
        let nodes = self.nodes.into_iter().map(|node| node.expect("every history was looked at"));
        GameTree {
            players: self.players,
            nodes: nodes.collect(),
            sets: self.sets,
            menus: self
                .menus
                .iter()
                .map(|&(moves, weights)| MenuEntry { moves: self.lists.range(moves), weights })
                .collect(),
            weights: self.weights,
            symmetries,
            moves: self.lists.into_moves(),
            goals: self.goals,
            knowledge: self.knowledge.finish(),
            roots: self.roots,
            histories: self.histories,
        }
    }
}

/// Sets a value at a new index, which may be beyond the end.
fn put<T: Copy>(values: &mut Vec<Option<T>>, place: usize, value: T) {
    if place >= values.len() {
        values.resize(place + 1, None);
    }
    values[place] = Some(value);
}
