//! The states that a search with full sight has met, each once, and how the moves in them have done.

use std::hash::Hasher;

use croupier_engine::{Game, RoleId, Roles, draw::draw_index};
use rand_core::Rng;
use rustc_hash::{FxHashMap, FxHasher};

use super::proofs::{Bounds, Proofs};
use crate::bandit::{Bandit, Span, natural_logarithm};

/// A node by its place in its [`Graph`].
pub(super) type NodeId = u32;

/// No node.
const NOWHERE: NodeId = NodeId::MAX;

/// States with the moves that are legal in them, linked by the joint moves that were tried.
///
/// A state is a row of words, and occurs once however it is reached: what is found out about it by one way counts for all. Moves
/// are numbers, which the caller assigns.
///
/// # Sources
/// Statistics belong to the moves of a node and are changed only along the way that a descent took: UCT1 of B. Childs, J. Brodeur
/// and L. Kocsis, "Transpositions and Move Groups in Monte Carlo Tree Search", CIG 2008, section III.
#[derive(Debug)]
pub(super) struct Graph {
    roles: Roles,
    /// Words of a row.
    words: usize,
    /// By node, its state.
    rows: Vec<u64>,
    nodes: Vec<StateNode>,
    /// By node in which something can be played, for each role its arms.
    options: Vec<RoleArms>,
    arms: Vec<Arm>,
    /// By node in which nothing can be played, the value for each role.
    ends: Vec<f64>,
    /// By the hash of a row, the last node with that hash.
    ids: FxHashMap<u64, NodeId>,
    /// Where joint moves lead to if several roles have a choice.
    joints: FxHashMap<(NodeId, Vec<u32>), NodeId>,
    spans: Vec<Span>,
    proofs: Proofs,
    /// The factor before `ln n / n_j` under the root where one player chooses and chance never does. UCB1 explores because results vary, and
    /// the mean of several playouts varies so many times less than one; but results also get better as a search sees further, so
    /// the factor falls with the root of the playouts only.
    exploration: f64,
}

#[derive(Clone, Copy, Debug)]
struct StateNode {
    /// An earlier node whose row has the same hash.
    twin: NodeId,
    /// Where its options or its values begin.
    first: u32,
    decider: Decider,
    /// How often a move was chosen here.
    tries: u32,
    bounds: Bounds,
}

/// Who has a choice in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Decider {
    /// Nothing can be played.
    Over,
    /// At most this role.
    One(RoleId),
    Several,
}

/// The arms of one role in one node.
#[derive(Clone, Copy, Debug)]
struct RoleArms {
    first: u32,
    count: u32,
}

/// One move of a role in one node.
#[derive(Clone, Copy, Debug)]
struct Arm {
    played: u32,
    /// Where it leads to, if its role is the only one with a choice.
    child: NodeId,
    /// Completed tries.
    visits: u32,
    /// Pending tries.
    pending: u16,
    /// Whether it is proved that another move is at least as good.
    is_closed: bool,
    /// The sum of the results of the visits.
    total: f64,
}

/// Where a search begins.
#[derive(Clone, Debug)]
pub(super) struct Root {
    pub(super) node: NodeId,
    /// The role that searches.
    pub(super) role: RoleId,
    /// The arms that it tries.
    pub(super) arms: Vec<u32>,
}

/// One way down.
#[derive(Clone, Debug, Default)]
pub(super) struct Path {
    /// The nodes in which something was chosen.
    nodes: Vec<NodeId>,
    /// The arms that players with a choice tried, with the places of their nodes in the path and their roles.
    tries: Vec<(u32, RoleId)>,
    /// For each role its arm in the last node.
    last: Vec<u32>,
}

/// Where a descent ended.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum End {
    /// At a value for each role that is known.
    Known(Vec<f64>),
    /// Before a state that is not in the graph yet.
    New,
}

/// What was found about one move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MoveStatistics {
    pub(super) visits: u32,
    /// The mean of the visits, or the value if it is proved.
    pub(super) mean: Option<f64>,
    /// What the move is sure to give at least.
    pub(super) least: f64,
    /// Whether it is proved that another move is at least as good.
    pub(super) is_closed: bool,
}

impl Graph {
    /// Arms of a graph, at most: a hundred megabytes. Beyond these a search does not go deeper.
    const ARMS_MAX: usize = 1 << 22;

    /// Words of all rows, at most.
    const ROW_WORDS_MAX: usize = 1 << 24;

    /// A graph without states; rows have this many words, and each result that is noted is the mean of so many playouts.
    pub(super) fn new(roles: &Roles, words: usize, proofs: Proofs, playouts: usize) -> Self {
        Self {
            roles: roles.clone(),
            words,
            rows: Vec::new(),
            nodes: Vec::new(),
            options: Vec::new(),
            arms: Vec::new(),
            ends: Vec::new(),
            ids: FxHashMap::default(),
            joints: FxHashMap::default(),
            spans: vec![Span::EMPTY; roles.len()],
            proofs,
            exploration: match roles.random() {
                // What a move comes to is found out by many visits, however sure each of them is.
                Some(_) => Bandit::EXPLORATION,
                None => Bandit::EXPLORATION / (playouts as f64).sqrt(),
            },
        }
    }

    /// Another one for the same game, without states and without the memory of this one.
    pub(super) fn anew(&self, game: &Game) -> Self {
        Self { exploration: self.exploration, ..Self::new(&self.roles, self.words, Proofs::new(game), 1) }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.rows.clear();
        self.nodes.clear();
        self.options.clear();
        self.arms.clear();
        self.ends.clear();
        self.ids.clear();
        self.joints.clear();
        self.spans.fill(Span::EMPTY);
        self.proofs.clear();
    }

    /// Whether there is room for another node.
    pub(super) fn has_room(&self) -> bool {
        self.arms.len() < Self::ARMS_MAX && self.rows.len() < Self::ROW_WORDS_MAX
    }

    /// Whether less than half of the room is left.
    pub(super) fn is_half_full(&self) -> bool {
        self.arms.len() > Self::ARMS_MAX / 2 || self.rows.len() > Self::ROW_WORDS_MAX / 2
    }

    /// The state of each node, with its value for each role if that is known.
    #[cfg(test)]
    pub(super) fn proved(&self) -> impl Iterator<Item = (&[u64], Option<Vec<f64>>)> {
        (0..number(self.nodes.len())).map(|node| (self.row(node), self.known(node)))
    }

    /// The states, a row for each node.
    pub(super) fn rows(&self) -> &[u64] {
        &self.rows
    }

    /// The state of a node.
    pub(super) fn row(&self, node: NodeId) -> &[u64] {
        &self.rows[node as usize * self.words..][..self.words]
    }

    /// The node of a state, if it is known.
    pub(super) fn find(&self, row: &[u64]) -> Option<NodeId> {
        let mut at = self.ids.get(&hash(row)).copied()?;
        while self.row(at) != row {
            at = self.nodes[at as usize].twin;
            if at == NOWHERE {
                return None;
            }
        }
        Some(at)
    }

    /// Adds a state in which each role has these legal moves, at least one.
    pub(super) fn add<'l>(&mut self, row: &[u64], legal: impl Iterator<Item = &'l [u32]>) -> NodeId {
        let first = number(self.options.len());
        // Where nobody has a choice, any role is as good as another.
        let mut decider = Decider::One(self.roles.all().next().expect("a game has roles"));
        let mut is_decided = false;
        for (role, moves) in self.roles.all().zip(legal) {
            self.options.push(RoleArms { first: number(self.arms.len()), count: number(moves.len()) });
            self.arms.extend(moves.iter().map(|&played| Arm::new(played)));
            if moves.len() > 1 {
                decider = if is_decided { Decider::Several } else { Decider::One(role) };
                is_decided = true;
            }
        }
        self.push(row, StateNode { twin: NOWHERE, first, decider, tries: 0, bounds: self.proofs.open() })
    }

    /// Adds a state in which nothing can be played, with its value for each role.
    pub(super) fn add_end(&mut self, row: &[u64], values: &[f64]) -> NodeId {
        let first = number(self.ends.len());
        self.ends.extend_from_slice(values);
        if self.proofs.note_end(values) {
            self.forget_proofs();
        }
        let bounds = self.proofs.of_end(values);
        self.push(row, StateNode { twin: NOWHERE, first, decider: Decider::Over, tries: 0, bounds })
    }

    fn push(&mut self, row: &[u64], node: StateNode) -> NodeId {
        let id = number(self.nodes.len());
        self.rows.extend_from_slice(row);
        let twin = self.ids.insert(hash(row), id).unwrap_or(NOWHERE);
        self.nodes.push(StateNode { twin, ..node });
        id
    }

    /// The root at a node: `role` tries these of its moves, all of them legal.
    pub(super) fn root(&self, node: NodeId, role: RoleId, moves: &[u32]) -> Root {
        let RoleArms { first, count } = self.options_of(node, role);
        let arm =
            |played: &u32| (first..first + count).find(|&arm| self.arms[arm as usize].played == *played);
        Root { node, role, arms: moves.iter().filter_map(arm).collect() }
    }

    /// Descends to the first state that is not in the graph, or to a known value.
    pub(super) fn descend(&mut self, root: &Root, rng: &mut impl Rng, path: &mut Path) -> End {
        path.nodes.clear();
        path.tries.clear();
        let mut at = root.node;
        loop {
            if let Some(values) = self.known(at) {
                return End::Known(values);
            }
            self.choose(at, root, rng, path);
            path.nodes.push(at);
            match self.child(at, &path.last) {
                Some(child) => at = child,
                None => return End::New,
            }
        }
    }

    /// The value of a node for each role if it is known.
    fn known(&self, at: NodeId) -> Option<Vec<f64>> {
        let node = self.nodes[at as usize];
        if node.decider == Decider::Over {
            return Some(self.ends[node.first as usize..][..self.roles.len()].to_vec());
        }
        self.proofs.values(node.bounds)
    }

    /// Selects an arm for each role.
    fn choose(&mut self, at: NodeId, root: &Root, rng: &mut impl Rng, path: &mut Path) {
        path.last.clear();
        let node = &mut self.nodes[at as usize];
        node.tries += 1;
        let (tries, first) = (node.tries, node.first as usize);
        let exploration = match node.decider {
            Decider::Several => Bandit::EXPLORATION,
            Decider::One(_) | Decider::Over => self.exploration,
        };
        for role in self.roles.all() {
            let RoleArms { first, count } = self.options[first + role.index()];
            let is_root = at == root.node && role == root.role;
            let arm = if count == 1 {
                first
            } else if self.roles.random() == Some(role) {
                first + number(draw_index(count as usize, rng))
            } else {
                let span = self.spans[role.index()];
                let arm = if is_root {
                    self.best(root.arms.iter().copied(), tries, exploration, span, rng)
                } else {
                    self.best(first..first + count, tries, exploration, span, rng)
                };
                self.arms[arm as usize].pending += 1;
                path.tries.push((arm, role));
                arm
            };
            path.last.push(arm);
        }
    }

    /// An arm that was not tried yet, each equally likely, otherwise the one with the greatest upper confidence bound, the first of
    /// equals.
    fn best(
        &self,
        arms: impl Iterator<Item = u32> + Clone,
        tries: u32,
        exploration: f64,
        span: Span,
        rng: &mut impl Rng,
    ) -> u32 {
        let open = || arms.clone().filter(|&arm| !self.arms[arm as usize].is_closed);
        let untried = || open().filter(|&arm| self.arms[arm as usize].tries() == 0);
        let count = untried().count();
        if count > 0 {
            return untried().nth(draw_index(count, rng)).expect("untried moves were counted");
        }
        let log = exploration * natural_logarithm(tries);
        let mut best = (NOWHERE, f64::NEG_INFINITY);
        for place in open() {
            let arm = &self.arms[place as usize];
            let bound = arm.scaled_mean(span) + (log / f64::from(arm.tries())).sqrt();
            if bound > best.1 {
                best = (place, bound);
            }
        }
        best.0
    }

    /// Where a joint move leads to, if that is known.
    fn child(&self, at: NodeId, picks: &[u32]) -> Option<NodeId> {
        match self.nodes[at as usize].decider {
            Decider::One(role) => Some(self.arms[picks[role.index()] as usize].child),
            _ => self.joints.get(&(at, picks.to_vec())).copied(),
        }
        .filter(|&child| child != NOWHERE)
    }

    /// Where the descent came last, and the number of each role's move there.
    pub(super) fn last<'p>(&'p self, path: &'p Path) -> (NodeId, impl Iterator<Item = u32> + 'p) {
        let parent = *path.nodes.last().expect("a new state comes after a known one");
        (parent, path.last.iter().map(|&arm| self.arms[arm as usize].played))
    }

    /// Links the state to which a descent led.
    pub(super) fn link(&mut self, path: &Path, child: NodeId) {
        let Some(&at) = path.nodes.last() else { return };
        match self.nodes[at as usize].decider {
            Decider::One(role) => self.arms[path.last[role.index()] as usize].child = child,
            _ => {
                self.joints.insert((at, path.last.clone()), child);
            }
        }
    }

    /// Backs up the value of a descent for each role, and what was proved at its end.
    pub(super) fn note(&mut self, path: &Path, values: &[f64], root: &Root) {
        for (span, &value) in self.spans.iter_mut().zip(values) {
            span.note(value);
        }
        for &(arm, role) in &path.tries {
            let arm = &mut self.arms[arm as usize];
            arm.pending -= 1;
            arm.visits += 1;
            arm.total += values[role.index()];
        }
        if !self.proofs.is_possible() {
            return;
        }
        for &node in path.nodes.iter().rev() {
            if !self.prove(node, root) {
                break;
            }
        }
    }

    /// Derives the bounds of a node from those of its children; whether they became narrower.
    fn prove(&mut self, at: NodeId, root: &Root) -> bool {
        let node = self.nodes[at as usize];
        let Decider::One(role) = node.decider else { return false };
        let RoleArms { first, count } = self.options_of(at, role);
        let arms = first..first + count;
        let is_tried = |arm: &u32| at != root.node || root.role != role || root.arms.contains(arm);
        let children = arms.clone().filter(is_tried).map(|arm| self.bounds_of(arm));
        let bounds = self.proofs.of_choice(role, children).within(node.bounds);
        self.nodes[at as usize].bounds = bounds;
        for arm in arms {
            let is_closed = self.proofs.is_no_better(role, self.bounds_of(arm), bounds);
            self.arms[arm as usize].is_closed |= is_closed;
        }
        bounds != node.bounds
    }

    fn bounds_of(&self, arm: u32) -> Bounds {
        match self.arms[arm as usize].child {
            NOWHERE => self.proofs.open(),
            child => self.nodes[child as usize].bounds,
        }
    }

    /// Takes back all that was derived from ends.
    fn forget_proofs(&mut self) {
        let open = self.proofs.open();
        self.nodes.iter_mut().for_each(|node| node.bounds = open);
        self.arms.iter_mut().for_each(|arm| arm.is_closed = false);
    }

    fn options_of(&self, at: NodeId, role: RoleId) -> RoleArms {
        self.options[self.nodes[at as usize].first as usize + role.index()]
    }

    /// Whether it is proved what to play.
    pub(super) fn is_decided(&self, root: &Root) -> bool {
        if !self.proofs.is_possible() {
            return false;
        }
        let bounds = self.nodes[root.node as usize].bounds;
        if bounds.is_exact() {
            return true;
        }
        let mut open = root.arms.iter().filter(|&&arm| !self.arms[arm as usize].is_closed);
        let (Some(&one), None) = (open.next(), open.next()) else { return false };
        let least = |bounds| self.proofs.goals(root.role, bounds).0;
        root.arms.len() > 1 && least(self.bounds_of(one)) >= least(bounds)
    }

    /// What was found about each move of the root.
    pub(super) fn found(&self, root: &Root) -> impl Iterator<Item = MoveStatistics> {
        root.arms.iter().map(|&place| {
            let arm = self.arms[place as usize];
            let (least, exact) = self.proofs.goals(root.role, self.bounds_of(place));
            let mean = (arm.visits > 0).then(|| arm.total / f64::from(arm.visits));
            MoveStatistics { visits: arm.visits, mean: exact.or(mean), least, is_closed: arm.is_closed }
        })
    }
}

impl Arm {
    const fn new(played: u32) -> Self {
        Self { played, child: NOWHERE, visits: 0, pending: 0, is_closed: false, total: 0.0 }
    }

    fn tries(&self) -> u32 {
        self.visits + u32::from(self.pending)
    }

    fn scaled_mean(&self, span: Span) -> f64 {
        if self.visits == 0 { 0.0 } else { span.share_or_least(self.total / f64::from(self.visits)) }
    }
}

fn hash(row: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

fn number(place: usize) -> u32 {
    u32::try_from(place).expect("the size of a graph is bounded")
}
