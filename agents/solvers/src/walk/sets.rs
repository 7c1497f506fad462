//! A player's information sets in a graph of states, each with the player's strategy there.

use std::ops::Range;

use croupier_engine::{Game, InformationSet, MoveId, RoleId};

use super::{
    WalkError,
    graph::{EdgeId, MenuId, StateGraph, StateId, StepId},
    strategy::StrategyFunction,
};

/// An information set of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(pub(super) u32);

/// An information set, as it is kept: 16 bytes, and eight for each move where there are several.
#[derive(Clone, Copy, Debug)]
struct InformationSetNode {
    /// The last step on the way here; the highest bit says that this is the last child of its parent.
    step: u32,
    /// The first child; the others follow it.
    child: SetId,
    /// The place of the first probability.
    row: u32,
    /// The legal moves, in a node that was grown.
    menu: MenuId,
}

impl InformationSetNode {
    /// After a step; its strategy and what follows are added later.
    fn new(step: u32) -> Self {
        Self { step, child: SetId::NONE, row: 0, menu: MenuId(0) }
    }

    /// Whether there is neither a choice nor anything after it.
    fn is_bare(&self) -> bool {
        self.row == 0 && self.child == SetId::NONE
    }
}

/// A player's information sets from which it can get to a choice before the match is settled, as far as the player does
/// not avoid them itself: a tree whose branches are steps.
#[derive(Debug)]
pub(super) struct SetTree {
    nodes: Vec<InformationSetNode>,
    /// The first is that of a single move, which needs no other.
    probabilities: Vec<f64>,
}

/// A tree that grows, depth first.
struct Growth<'g, 's> {
    game: &'g Game,
    graph: &'g StateGraph,
    role: RoleId,
    player: usize,
    tree: SetTree,
    asked: &'g mut StrategyFunction<'s>,
    known: InformationSet,
    /// Told now and then that the work goes on; says whether to go on.
    go_on: &'g mut dyn FnMut() -> Result<(), WalkError>,
    /// By state the step by which it was last found, so that few are found twice.
    found: Vec<StepId>,
    /// Lists that are no longer used.
    idle: Vec<Vec<(StepId, StateId)>>,
}

const LAST: u32 = 1 << 31;

/// Most information sets of a player, and moves in them: five gigabytes with regrets and averages.
const SETS_MAX: usize = 1 << 27;

impl SetId {
    /// No information set: one that needs no strategy, or that the player avoids.
    pub(super) const NONE: Self = Self(u32::MAX);
    /// The information set before the first turn.
    pub(super) const INITIAL: Self = Self(0);
}

impl SetTree {
    /// The information sets of a player, `player` among the players, with the strategy that `asked` tells.
    ///
    /// # Errors
    /// If the player cannot know its legal moves, the strategy fails, or `go_on` stops it.
    pub(super) fn new(
        game: &Game,
        graph: &StateGraph,
        player: usize,
        asked: &mut StrategyFunction<'_>,
        go_on: &mut dyn FnMut() -> Result<(), WalkError>,
    ) -> Result<Self, WalkError> {
        let role = graph.players[player];
        let mut growth = Growth {
            game,
            graph,
            role,
            player,
            tree: Self { nodes: vec![InformationSetNode::new(LAST)], probabilities: vec![1.0] },
            asked,
            known: InformationSet::initial(role),
            go_on,
            found: vec![StepId(u32::MAX); graph.len()],
            idle: Vec::new(),
        };
        if !graph.place(StateId::INITIAL).is_quiet(player) {
            growth.grow(SetId::INITIAL, &[(StepId(0), StateId::INITIAL)])?;
        }
        Ok(growth.tree)
    }

    /// The information set after a step, if it is in the tree.
    #[inline]
    pub(super) fn after(&self, before: SetId, step: StepId) -> SetId {
        if before == SetId::NONE {
            return SetId::NONE;
        }
        let mut child = self.nodes[before.0 as usize].child;
        while child != SetId::NONE {
            let found = self.nodes[child.0 as usize].step;
            if found & !LAST == step.0 {
                return child;
            }
            child = if found & LAST == 0 { SetId(child.0 + 1) } else { SetId::NONE };
        }
        SetId::NONE
    }

    /// How probable the player makes each of its moves, of which there are `count`.
    #[inline]
    pub(super) fn strategy(&self, set: SetId, count: usize) -> &[f64] {
        &self.probabilities[self.row(set, count)]
    }

    /// The places of the probabilities of its moves, of which there are `count`.
    #[inline]
    pub(super) fn row(&self, set: SetId, count: usize) -> Range<usize> {
        let first = self.nodes[set.0 as usize].row as usize;
        first..first + count
    }

    /// How many probabilities there are.
    pub(super) fn places(&self) -> usize {
        self.probabilities.len()
    }

    /// How many information sets there are in which the player has several moves.
    pub(super) fn choices(&self) -> usize {
        self.nodes.iter().filter(|node| node.row > 0).count()
    }

    /// Its memory, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<InformationSetNode>() + self.probabilities.len() * size_of::<f64>()
    }

    /// Changes the strategy: `choose` is told the places of each information set's probabilities, and gets these.
    pub(super) fn change(&mut self, graph: &StateGraph, mut choose: impl FnMut(Range<usize>, &mut [f64])) {
        for node in self.nodes.iter().filter(|node| node.row > 0) {
            let row = node.row as usize..node.row as usize + graph.moves(node.menu).len();
            choose(row.clone(), &mut self.probabilities[row]);
        }
    }

    /// Calls `visit` with the places of each information set's probabilities, with these, and with how probable the player makes
    /// it to get there if nobody else prevents it.
    pub(super) fn reached(&self, graph: &StateGraph, mut visit: impl FnMut(Range<usize>, &[f64], f64)) {
        // Nodes have higher numbers than their parents.
        let mut reach = vec![1.0_f32; self.nodes.len()];
        for (set, node) in self.nodes.iter().enumerate() {
            if node.is_bare() {
                continue;
            }
            let (before, first, moves) = (reach[set], node.row as usize, graph.moves(node.menu));
            if first > 0 {
                let row = first..first + moves.len();
                visit(row.clone(), &self.probabilities[row], f64::from(before));
            }
            for child in self.children(node) {
                let place = self.place(graph, moves, child);
                reach[child.0 as usize] = before * self.probabilities[first + place] as f32;
            }
        }
    }

    /// Calls `visit` with each information set in which the player has several moves and gets to with at least the probability
    /// `reach_min` if nobody else prevents it, with the moves and their probabilities.
    ///
    /// # Errors
    /// Those of `visit`.
    pub(super) fn each<E>(
        &self,
        graph: &StateGraph,
        role: RoleId,
        reach_min: f64,
        mut visit: impl FnMut(&InformationSet, &[MoveId], &[f64]) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut known = InformationSet::initial(role);
        let mut waiting = vec![(SetId::INITIAL, 0, 1.0)];
        while let Some((set, depth, reach)) = waiting.pop() {
            let node = &self.nodes[set.0 as usize];
            if depth > 0 {
                known.turns.truncate(depth - 1);
                known.turns.push(graph.experience(StepId(node.step & !LAST)).clone());
            }
            if node.is_bare() {
                continue;
            }
            let moves = graph.moves(node.menu);
            let strategy = self.strategy(set, moves.len());
            if node.row > 0 {
                visit(&known, moves, strategy)?;
            }
            for child in self.children(node) {
                let after = reach * strategy[self.place(graph, moves, child)];
                if after >= reach_min {
                    waiting.push((child, depth + 1, after));
                }
            }
        }
        Ok(())
    }

    /// The information sets after a turn.
    fn children(&self, node: &InformationSetNode) -> impl Iterator<Item = SetId> + use<'_> {
        let first = (node.child != SetId::NONE).then_some(node.child);
        let next =
            |child: &SetId| (self.nodes[child.0 as usize].step & LAST == 0).then_some(SetId(child.0 + 1));
        std::iter::successors(first, next)
    }

    /// Which of the moves of its parent leads to an information set.
    #[inline]
    fn place(&self, graph: &StateGraph, moves: &[MoveId], child: SetId) -> usize {
        let (played, _) = graph.experience(StepId(self.nodes[child.0 as usize].step & !LAST));
        moves.iter().position(|own| own == played).expect("a step begins with a legal move")
    }
}

impl Growth<'_, '_> {
    /// Adds the strategy of an information set that some states are in, and everything after it.
    fn grow(&mut self, set: SetId, states: &[(StepId, StateId)]) -> Result<(), WalkError> {
        if set.0.is_multiple_of(1 << 16) {
            (self.go_on)()?;
        }
        if self.tree.nodes.len().max(self.tree.probabilities.len()) > SETS_MAX {
            return Err(WalkError::TooManySets { limit: SETS_MAX });
        }
        let menu = self.graph.choice(states[0].1, self.role).menu;
        if states.iter().any(|&(_, state)| self.graph.choice(state, self.role).menu != menu) {
            let role = self.game.roles().name(self.role).to_owned();
            return Err(WalkError::UnknownMoves { role });
        }
        let row = self.ask(menu)?;
        let node = &mut self.tree.nodes[set.0 as usize];
        (node.row, node.menu) = (row, menu);
        let mut after = self.idle.pop().unwrap_or_default();
        for &(_, state) in states {
            self.follow(state, row as usize, &mut after);
        }
        for &(_, state) in &after {
            self.found[state.index()] = StepId(u32::MAX);
        }
        after.sort_unstable();
        after.dedup();
        if !after.is_empty() {
            let mut child = SetId(u32::try_from(self.tree.nodes.len()).expect("a count below 2^32"));
            self.tree.nodes[set.0 as usize].child = child;
            let groups = || after.chunk_by(|left, right| left.0 == right.0);
            self.tree.nodes.extend(groups().map(|group| InformationSetNode::new(group[0].0.0)));
            self.tree.nodes.last_mut().expect("at least one").step |= LAST;
            for group in groups() {
                self.known.turns.push(self.graph.experience(group[0].0).clone());
                self.grow(child, group)?;
                self.known.turns.pop();
                child.0 += 1;
            }
        }
        after.clear();
        self.idle.push(after);
        Ok(())
    }

    /// The place of the strategy for some moves in the information set that is known now.
    fn ask(&mut self, menu: MenuId) -> Result<u32, WalkError> {
        let moves = self.graph.moves(menu);
        // Nobody who has one move needs to be asked.
        if moves.len() == 1 {
            return Ok(0);
        }
        let probabilities = (self.asked)(&self.known, moves).map_err(WalkError::Strategy)?;
        assert_eq!(probabilities.len(), moves.len(), "a probability for each move");
        let row = u32::try_from(self.tree.probabilities.len()).expect("a count below 2^32");
        self.tree.probabilities.extend(probabilities);
        Ok(row)
    }

    /// Adds the states after one, with the player's steps to them.
    fn follow(&mut self, state: StateId, row: usize, after: &mut Vec<(StepId, StateId)>) {
        let own = self.graph.choice(state, self.role);
        let edges = self.graph.edges(state);
        let first = edges.start;
        for edge in edges {
            let place = (edge - first) / own.stride as usize % own.count as usize;
            let next = self.graph.nexts[edge];
            if self.tree.probabilities[row + place] <= 0.0 || self.graph.place(next).is_quiet(self.player) {
                continue;
            }
            let edge = EdgeId(u32::try_from(edge).expect("joint moves have small numbers"));
            let step = self.graph.step(edge, self.player);
            if self.found[next.index()] != step {
                self.found[next.index()] = step;
                after.push((step, next));
            }
        }
    }
}
