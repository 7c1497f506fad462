//! Descents through trees of information sets or states, and their results.

use std::sync::Arc;

use croupier_engine::{
    ByRole, Game, GameError, JointMove, LimitError, MoveId, RoleId, Scratch, State, draw::draw_index,
};
use rand_core::Rng;

use crate::{
    bandit::{Bandit, SelectionRule, Span},
    positions::{Outlook, Passage, PositionId, Positions},
    starts::Starts,
    tree::{Edge, NodeId, Tree},
};

/// What players in a search can distinguish, and so what the nodes of its trees are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SearchView {
    /// No tree: after the searcher's move everyone plays at random.
    Nothing,
    /// One tree in which everybody sees every move.
    Moves,
    /// A tree in which everybody sees every move for each state that the search begins in.
    MovesFromEach,
    /// One tree of the searcher's moves and percepts.
    Searcher,
    /// A tree for each player of what that one does and is told.
    Everyone,
    /// The same, and for each other player a second tree with a single root: in its nodes what all information sets of that player from
    /// which it may have started came to is pooled.
    Pooled,
}

/// The trees of one decision.
#[derive(Debug)]
pub(crate) struct Search {
    game: Arc<Game>,
    searcher: RoleId,
    view: SearchView,
    /// How the searcher's moves have done now, in all states or in each.
    roots: Vec<Bandit>,
    /// With pools, the trees of all roles and then their pools.
    trees: Vec<Tree>,
    /// By start, the root node in each tree, once it was needed.
    entrances: Vec<Option<Vec<NodeId>>>,
    /// The tree of each role.
    spans: Vec<Span>,
    /// The searcher's moves now, and those of them that are tried: one for all that can be exchanged with it.
    tried: Option<Tried>,
}

#[derive(Debug)]
struct Tried {
    all: Vec<MoveId>,
    some: Vec<MoveId>,
}

/// One way down.
#[derive(Debug)]
pub(crate) struct Descent {
    steps: Vec<DescentStep>,
    /// Where the descent ended.
    pub(crate) end: DescentEnd,
}

/// Where a descent ended.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum DescentEnd {
    /// In a state in which nothing can be played.
    Nowhere,
    /// In a state in which the match is over, with this value for each role.
    Over(Vec<f64>),
    /// In a state from which it is played on at random.
    Leaf(PositionId),
}

/// One choice of a descent.
#[derive(Debug)]
struct DescentStep {
    place: Location,
    /// The tree and node whose statistics are pooled with those of the place.
    pool: Option<(usize, NodeId)>,
    role: RoleId,
    played: MoveId,
}

#[derive(Clone, Copy, Debug)]
enum Location {
    Root(usize),
    Node(usize, NodeId),
}

/// What descents share with the player that makes them.
pub(crate) struct SearchResources<'m, R> {
    pub(crate) starts: &'m Starts,
    pub(crate) positions: &'m mut Positions,
    pub(crate) rng: &'m mut R,
    pub(crate) scratch: &'m mut Scratch,
}

impl Search {
    /// Trees with nothing but roots.
    pub(crate) fn new(game: Arc<Game>, searcher: RoleId, view: SearchView, starts: usize) -> Self {
        let roles = game.roles().len();
        let roots = if view == SearchView::MovesFromEach { starts } else { 1 };
        let trees = match view {
            SearchView::Nothing => 0,
            SearchView::Moves | SearchView::MovesFromEach | SearchView::Searcher => 1,
            SearchView::Everyone => roles,
            SearchView::Pooled => 2 * roles,
        };
        Self {
            game,
            searcher,
            view,
            roots: vec![Bandit::default(); roots],
            trees: (0..trees).map(|_| Tree::new()).collect(),
            entrances: vec![None; starts],
            spans: vec![Span::EMPTY; roles],
            tried: None,
        }
    }

    /// The same in which the searcher tries only some of all its moves now.
    pub(crate) fn trying(self, all: &[MoveId], some: Vec<MoveId>) -> Self {
        Self { tried: Some(Tried { all: all.to_vec(), some }), ..self }
    }

    /// The roles whose percepts a search needs.
    pub(crate) fn listeners(game: &Game, searcher: RoleId, view: SearchView) -> Vec<RoleId> {
        match view {
            SearchView::Nothing | SearchView::Moves | SearchView::MovesFromEach => Vec::new(),
            SearchView::Searcher => vec![searcher],
            SearchView::Everyone | SearchView::Pooled => game.roles().players().collect(),
        }
    }

    /// How often each of the searcher's moves was tried and the sum of the results, for one start if
    /// starts are kept apart.
    pub(crate) fn tries(&self, start: usize, played: MoveId) -> (u32, f64) {
        self.roots[self.root(start)].tries(played)
    }

    /// How often the moves of another role were tried in its information set in a start, a pool's share included; nothing if the role has no
    /// tree of its own, or the start was never drawn.
    pub(crate) fn weights(&self, start: usize, role: RoleId) -> Vec<(MoveId, f64)> {
        let Some(nodes) = self.entrances[start].as_ref().filter(|_| self.is_of_everyone()) else {
            return Vec::new();
        };
        let bandit = |tree: usize| self.trees[tree].found(nodes[tree], role);
        let pool = self.pool_of(role).and_then(bandit);
        bandit(self.tree_of(role)).map(|own| own.weights(pool)).unwrap_or_default()
    }

    /// Descends from a start to the first state with an unvisited node of a player with a choice, or to the end.
    pub(crate) fn descend<R: Rng>(
        &mut self,
        start: usize,
        resources: &mut SearchResources<'_, R>,
    ) -> Result<Descent, GameError> {
        let mut at = resources.positions.id(&resources.starts.get(start).state);
        let mut steps = Vec::new();
        let Outlook::Running(mut legal) = resources.positions.outlook(at, resources.scratch)? else {
            return Ok(Descent { steps, end: DescentEnd::Nowhere });
        };
        let mut nodes = self.enter(start, resources)?;
        for depth in 0..=self.game.limits().turns {
            let root = (depth == 0).then(|| self.root(start));
            let joint_move = self.choose(root, &nodes, &legal, resources.rng, &mut steps);
            let passage = resources.positions.passage(at, &joint_move, resources.scratch)?;
            at = passage.successor;
            let is_within = self.follow(&mut nodes, &joint_move, &passage);
            match resources.positions.outlook(at, resources.scratch)? {
                Outlook::Over => {
                    let goals = resources.positions.goals(at, resources.scratch)?;
                    return Ok(Descent { steps, end: DescentEnd::Over(goals) });
                }
                Outlook::Running(next) => legal = next,
            }
            let is_leaf = !is_within || self.view == SearchView::Nothing || self.is_new(&nodes, &legal);
            self.visit(&nodes);
            if is_leaf {
                return Ok(Descent { steps, end: DescentEnd::Leaf(at) });
            }
        }
        let limit = self.game.limits().turns as u64;
        Err(LimitError::Turns { limit }.into())
    }

    /// Backs up the value of a descent for each role; `None` if it has none.
    pub(crate) fn note(&mut self, descent: &Descent, values: Option<&[f64]>) {
        for (span, &value) in self.spans.iter_mut().zip(values.unwrap_or_default()) {
            span.note(value);
        }
        for step in &descent.steps {
            let value = values.map(|values| values[step.role.index()]);
            self.bandit(step.place, step.role).end(step.played, value);
            if let Some((pool, node)) = step.pool {
                self.trees[pool].bandit(node, step.role).end(step.played, value);
            }
        }
    }

    fn root(&self, start: usize) -> usize {
        start.min(self.roots.len() - 1)
    }

    fn bandit(&mut self, place: Location, role: RoleId) -> &mut Bandit {
        match place {
            Location::Root(root) => &mut self.roots[root],
            Location::Node(tree, node) => self.trees[tree].bandit(node, role),
        }
    }

    /// The tree in which a role chooses.
    fn tree_of(&self, role: RoleId) -> usize {
        if self.is_of_everyone() { role.index() } else { 0 }
    }

    fn is_of_everyone(&self) -> bool {
        matches!(self.view, SearchView::Everyone | SearchView::Pooled)
    }

    /// The tree in which what a role tries is pooled.
    fn pool_of(&self, role: RoleId) -> Option<usize> {
        (self.view == SearchView::Pooled && role != self.searcher).then(|| self.spans.len() + role.index())
    }

    /// Begins a try of a move, and returns its index.
    fn begin(&mut self, step: &DescentStep, moves: &[MoveId], rng: &mut impl Rng) -> usize {
        let span = self.spans[step.role.index()];
        let rule = match (self.view, step.place) {
            // A move that fails every time is tried as often as with all of the exploration, which is so often.
            (SearchView::Pooled, Location::Root(_)) => {
                SelectionRule { span, exploration: Bandit::EXPLORATION / 4.0, tries_min: Bandit::EXPLORATION }
            }
            (SearchView::Pooled, Location::Node(..)) => {
                SelectionRule { span, exploration: Bandit::EXPLORATION / 4.0, tries_min: 0.0 }
            }
            _ => SelectionRule { span, exploration: Bandit::EXPLORATION, tries_min: 0.0 },
        };
        let Self { roots, trees, spans, .. } = self;
        let roles = spans.len().min(trees.len());
        let (trees, pools) = trees.split_at_mut(roles);
        let bandit = match step.place {
            Location::Root(root) => &mut roots[root],
            Location::Node(tree, node) => trees[tree].bandit(node, step.role),
        };
        let pool = step.pool.map(|(pool, node)| pools[pool - roles].bandit(node, step.role));
        bandit.begin(moves, pool, rule, rng)
    }

    /// A move for each role: drawn for `random`, forced if there is no choice, otherwise selected by the statistics; in the
    /// first turn the searcher chooses at `root`.
    fn choose(
        &mut self,
        root: Option<usize>,
        nodes: &[NodeId],
        legal: &ByRole<Vec<MoveId>>,
        rng: &mut impl Rng,
        steps: &mut Vec<DescentStep>,
    ) -> JointMove {
        let (game, tried) = (Arc::clone(&self.game), self.tried.take());
        let chosen = ByRole::from_fn(game.roles(), |role| {
            let moves = &legal[role];
            let root = root.filter(|_| role == self.searcher);
            // Where a state has other moves than the first one had, all of them are tried.
            let tried = tried.as_ref().filter(|tried| root.is_some() && tried.all == *moves);
            let moves = tried.map_or(moves, |tried| &tried.some);
            let place = match (root, nodes.get(self.tree_of(role))) {
                (Some(root), _) => Location::Root(root),
                _ if moves.len() == 1 => return vec![moves[0]],
                (None, Some(&node)) if game.roles().random() != Some(role) => {
                    Location::Node(self.tree_of(role), node)
                }
                _ => return vec![moves[draw_index(moves.len(), rng)]],
            };
            let pool = self.pool_of(role).map(|pool| (pool, nodes[pool]));
            let mut step = DescentStep { place, pool, role, played: moves[0] };
            step.played = moves[self.begin(&step, moves, rng)];
            let played = step.played;
            steps.push(step);
            vec![played]
        });
        self.tried = tried;
        game.joint_moves(&chosen).next().expect("every role has a move here")
    }

    /// The node of each tree at which a start begins.
    fn enter<R: Rng>(
        &mut self,
        start: usize,
        resources: &mut SearchResources<'_, R>,
    ) -> Result<Vec<NodeId>, GameError> {
        if let Some(nodes) = &self.entrances[start] {
            return Ok(nodes.clone());
        }
        let mut nodes = vec![Tree::ROOT; self.trees.len()];
        match self.view {
            SearchView::Nothing | SearchView::Searcher => {}
            SearchView::Moves | SearchView::MovesFromEach => {
                self.step(&mut nodes, 0, Edge::Began(start));
            }
            SearchView::Everyone | SearchView::Pooled => {
                if let Some(history) = &resources.starts.get(start).history {
                    let searcher = self.searcher;
                    let others = self.game.roles().players().filter(|&role| role != searcher);
                    for role in others {
                        let known = resources.positions.known(history, role, resources.scratch)?;
                        self.step(&mut nodes, role.index(), Edge::Knowing(known));
                    }
                }
            }
        }
        self.entrances[start] = Some(nodes.clone());
        Ok(nodes)
    }

    /// Goes along an edge of a tree; true if there was room for it.
    fn step(&mut self, nodes: &mut [NodeId], tree: usize, edge: Edge) -> bool {
        let child = self.trees[tree].child(nodes[tree], edge);
        nodes[tree] = child.unwrap_or(nodes[tree]);
        child.is_some()
    }

    /// Goes to the node that each observer sees the next state as; false if a tree is full.
    fn follow(&mut self, nodes: &mut [NodeId], joint_move: &JointMove, passage: &Passage) -> bool {
        let told = |role: RoleId| Edge::Told(joint_move.of(role), passage.percepts[role.index()].clone());
        match self.view {
            SearchView::Nothing => true,
            SearchView::Moves | SearchView::MovesFromEach => {
                self.step(nodes, 0, Edge::Played(joint_move.clone()))
            }
            SearchView::Searcher => self.step(nodes, 0, told(self.searcher)),
            SearchView::Everyone | SearchView::Pooled => {
                let mut is_within = true;
                for role in Arc::clone(&self.game).roles().players() {
                    is_within &= self.step(nodes, role.index(), told(role));
                    if let Some(pool) = self.pool_of(role) {
                        is_within &= self.step(nodes, pool, told(role));
                    }
                }
                is_within
            }
        }
    }

    /// Whether the current node of some player with a choice is unvisited, or its pool if it has one.
    fn is_new(&self, nodes: &[NodeId], legal: &ByRole<Vec<MoveId>>) -> bool {
        let choosing = self.game.roles().players().filter(|&role| legal[role].len() > 1);
        let tree = |role| self.pool_of(role).unwrap_or_else(|| self.tree_of(role));
        choosing.map(tree).any(|tree| self.trees[tree].is_new(nodes[tree]))
    }

    fn visit(&mut self, nodes: &[NodeId]) {
        for (tree, &node) in self.trees.iter_mut().zip(nodes) {
            tree.visit(node);
        }
    }
}

/// The states of the leaves among some descents.
pub(crate) fn leaves<'p>(descents: &[Descent], positions: &'p Positions) -> Vec<&'p State> {
    let leaf = |descent: &Descent| match descent.end {
        DescentEnd::Leaf(at) => Some(positions.state(at)),
        DescentEnd::Nowhere | DescentEnd::Over(_) => None,
    };
    descents.iter().filter_map(leaf).collect()
}
