//! A player's information sets in a graph of states, each with the player's strategy there.

use std::{
    hash::{Hash, Hasher},
    ops::Range,
};

use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use hashbrown::HashTable;
use rustc_hash::FxHasher;

use super::{
    Count, WalkError, WalkProgress,
    graph::{EdgeId, MenuId, StateGraph, StateId, StepId},
    strategy::StrategyFunction,
};
use crate::lanes::position;

/// An information set of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct SetId(pub(super) u32);

/// An information set, as it is kept.
#[derive(Clone, Copy, Debug)]
struct InformationSetNode {
    /// The place of the first step from here, if there is one.
    steps: u32,
    /// The place of the first probability.
    row: u32,
    /// The legal moves.
    menu: MenuId,
}

/// A step from an information set to a later one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct SetStep {
    /// The step; the highest bit says that it is the last one from there.
    step: u32,
    to: SetId,
}

impl InformationSetNode {
    /// Without a choice, and with nothing after it.
    const BARE: Self = Self { steps: NO_STEPS, row: 0, menu: MenuId(0) };

    /// Whether there is neither a choice nor anything after it.
    fn is_bare(&self) -> bool {
        self.row == 0 && self.steps == NO_STEPS
    }
}

/// A player's information sets from which it can get to a choice before the match is settled, as far as the player does
/// not avoid them itself: a tree whose branches are steps. [Alike](Self::alike), branches grow together.
///
/// Later information sets have lower numbers; that before the first turn has the highest.
#[derive(Debug)]
pub(super) struct SetTree {
    nodes: Vec<InformationSetNode>,
    steps: Vec<SetStep>,
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
    /// Information sets by what they are, if those that are alike are one.
    alike: Option<HashTable<SetId>>,
    asked: &'g StrategyFunction<'s>,
    known: InformationSet,
    /// How many information sets have been asked about.
    count: u64,
    /// Is told now and then what was done, and says whether to go on.
    progress: &'g Count<'g>,
    /// The share of the work of which it was not told yet.
    done: f64,
    /// By state the step by which it was last found, so that few are found twice.
    found: Vec<StepId>,
    /// Lists that are no longer used.
    idle: Vec<Vec<(StepId, StateId)>>,
    /// Probabilities of the information sets on the way here: those of the last are last.
    shares: Vec<f64>,
    /// Their steps so far.
    steps: Vec<SetStep>,
}

/// No step.
const NO_STEPS: u32 = u32::MAX;

const LAST: u32 = 1 << 31;

/// Most information sets of a player, and moves in them: five gigabytes with regrets and averages.
const SETS_MAX: usize = 1 << 27;

impl SetId {
    /// No information set: one that needs no strategy, or that the player avoids.
    pub(super) const NONE: Self = Self(u32::MAX);
}

impl SetTree {
    /// The information sets of a player, `player` among the players, with the strategy that `asked` tells.
    ///
    /// # Errors
    /// If the player cannot know its legal moves, the strategy fails, or `progress` stops it.
    pub(super) fn new(
        game: &Game,
        graph: &StateGraph,
        player: usize,
        asked: &StrategyFunction<'_>,
        progress: &Count<'_>,
    ) -> Result<Self, WalkError> {
        Growth::new(game, graph, player, asked, progress).tree()
    }

    /// The same, where information sets are one from which the player goes on alike whatever happens: with the same moves, as
    /// probable, and after the same steps information sets that are one too. Histories that differ only in such information sets
    /// of the others have the same future. Networks that forget in which order things happened have many.
    ///
    /// # Errors
    /// As [`SetTree::new`].
    pub(super) fn alike(
        game: &Game,
        graph: &StateGraph,
        player: usize,
        asked: &StrategyFunction<'_>,
        progress: &Count<'_>,
    ) -> Result<Self, WalkError> {
        Growth { alike: Some(HashTable::new()), ..Growth::new(game, graph, player, asked, progress) }.tree()
    }

    /// The information set before the first turn.
    pub(super) fn initial(&self) -> SetId {
        SetId(position(self.nodes.len() - 1))
    }

    /// The information set after a step, if it is in the tree.
    #[inline]
    pub(super) fn after(&self, before: SetId, step: StepId) -> SetId {
        if before == SetId::NONE {
            return SetId::NONE;
        }
        let mut place = self.nodes[before.0 as usize].steps;
        while place != NO_STEPS {
            let SetStep { step: found, to } = self.steps[place as usize];
            if found & !LAST == step.0 {
                return to;
            }
            place = if found & LAST == 0 { place + 1 } else { NO_STEPS };
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
        self.nodes.len() * size_of::<InformationSetNode>()
            + self.steps.len() * size_of::<SetStep>()
            + self.probabilities.len() * size_of::<f64>()
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
        let mut reach = vec![0.0_f32; self.nodes.len()];
        reach[self.initial().0 as usize] = 1.0;
        for (set, node) in self.nodes.iter().enumerate().rev() {
            if node.is_bare() {
                continue;
            }
            let (before, first, moves) = (reach[set], node.row as usize, graph.moves(node.menu));
            if first > 0 {
                let row = first..first + moves.len();
                visit(row.clone(), &self.probabilities[row], f64::from(before));
            }
            for &SetStep { step, to } in self.steps(node.steps) {
                let place = place(graph, moves, step);
                reach[to.0 as usize] = before * self.probabilities[first + place] as f32;
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
        let mut waiting = vec![(0, self.initial(), 0, 1.0)];
        while let Some((step, set, depth, reach)) = waiting.pop() {
            let node = &self.nodes[set.0 as usize];
            if depth > 0 {
                known.turns.truncate(depth - 1);
                known.turns.push(graph.experience(StepId(step & !LAST)).clone());
            }
            if node.is_bare() {
                continue;
            }
            let moves = graph.moves(node.menu);
            let strategy = self.strategy(set, moves.len());
            if node.row > 0 {
                visit(&known, moves, strategy)?;
            }
            for &SetStep { step, to } in self.steps(node.steps) {
                let after = reach * strategy[place(graph, moves, step)];
                if after >= reach_min {
                    waiting.push((step, to, depth + 1, after));
                }
            }
        }
        Ok(())
    }

    /// The steps from `first` to the last from the same information set.
    fn steps(&self, first: u32) -> &[SetStep] {
        if first == NO_STEPS {
            return &[];
        }
        let steps = &self.steps[first as usize..];
        let last = steps.iter().position(|step| step.step & LAST > 0).expect("one is the last");
        &steps[..=last]
    }

    /// Adds an information set.
    fn add(&mut self, menu: MenuId, shares: &[f64], steps: &[SetStep]) -> SetId {
        let node = InformationSetNode {
            steps: if steps.is_empty() { NO_STEPS } else { position(self.steps.len()) },
            row: if shares.len() == 1 { 0 } else { position(self.probabilities.len()) },
            menu,
        };
        if shares.len() > 1 {
            self.probabilities.extend_from_slice(shares);
        }
        self.steps.extend_from_slice(steps);
        self.nodes.push(node);
        SetId(position(self.nodes.len() - 1))
    }

    /// Whether an information set has these moves, probabilities and steps.
    fn is(&self, set: SetId, menu: MenuId, shares: &[f64], steps: &[SetStep]) -> bool {
        let node = &self.nodes[set.0 as usize];
        node.menu == menu && self.strategy(set, shares.len()) == shares && self.steps(node.steps) == steps
    }
}

/// Which of some moves a step begins with.
#[inline]
fn place(graph: &StateGraph, moves: &[MoveId], step: u32) -> usize {
    let (played, _) = graph.experience(StepId(step & !LAST));
    moves.iter().position(|own| own == played).expect("a step begins with a legal move")
}

/// A number that depends on everything that tells an information set from others.
fn hash(menu: MenuId, shares: &[f64], steps: &[SetStep]) -> u64 {
    let mut hasher = FxHasher::default();
    menu.hash(&mut hasher);
    shares.iter().for_each(|share| hasher.write_u64(share.to_bits()));
    steps.hash(&mut hasher);
    hasher.finish()
}

impl<'g, 's> Growth<'g, 's> {
    fn new(
        game: &'g Game,
        graph: &'g StateGraph,
        player: usize,
        asked: &'g StrategyFunction<'s>,
        progress: &'g Count<'g>,
    ) -> Self {
        let role = graph.players[player];
        Self {
            game,
            graph,
            role,
            player,
            tree: SetTree { nodes: Vec::new(), steps: Vec::new(), probabilities: vec![1.0] },
            alike: None,
            asked,
            known: InformationSet::initial(role),
            count: 0,
            progress,
            done: 0.0,
            found: vec![StepId(u32::MAX); graph.len()],
            idle: Vec::new(),
            shares: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Everything.
    fn tree(mut self) -> Result<SetTree, WalkError> {
        if self.graph.place(StateId::INITIAL).is_quiet(self.player) {
            self.tree.nodes.push(InformationSetNode::BARE);
        } else {
            self.grow(&[(StepId(0), StateId::INITIAL)], 1.0)?;
            self.tell()?;
        }
        Ok(self.tree)
    }

    /// Tells of the progress.
    fn tell(&mut self) -> Result<(), WalkError> {
        (self.progress)(WalkProgress { asked: std::mem::take(&mut self.done), ..WalkProgress::default() })
    }

    /// The information set that some states are in, added with everything after it: a share of the work.
    fn grow(&mut self, states: &[(StepId, StateId)], share: f64) -> Result<SetId, WalkError> {
        self.count += 1;
        if self.count.is_multiple_of(1 << 16) {
            self.tell()?;
        }
        if self.tree.nodes.len().max(self.tree.probabilities.len()) > SETS_MAX {
            return Err(WalkError::TooManySets { limit: SETS_MAX });
        }
        let menu = self.graph.choice(states[0].1, self.role).menu;
        if states.iter().any(|&(_, state)| self.graph.choice(state, self.role).menu != menu) {
            let role = self.game.roles().name(self.role).to_owned();
            return Err(WalkError::UnknownMoves { role });
        }
        let (own, first) = (self.shares.len(), self.steps.len());
        self.ask(menu)?;
        let mut after = self.idle.pop().unwrap_or_default();
        for &(_, state) in states {
            self.follow(state, own, &mut after);
        }
        for &(_, state) in &after {
            self.found[state.index()] = StepId(u32::MAX);
        }
        after.sort_unstable();
        after.dedup();
        let groups = || after.chunk_by(|left, right| left.0 == right.0);
        let share = share / groups().count().max(1) as f64;
        if after.is_empty() {
            self.done += share;
        }
        for group in groups() {
            let step = group[0].0;
            self.known.turns.push(self.graph.experience(step).clone());
            let to = self.grow(group, share)?;
            self.known.turns.pop();
            self.steps.push(SetStep { step: step.0, to });
        }
        after.clear();
        self.idle.push(after);
        if let Some(last) = self.steps[first..].last_mut() {
            last.step |= LAST;
        }
        let set = self.add(menu, own, first);
        self.shares.truncate(own);
        self.steps.truncate(first);
        Ok(set)
    }

    /// The information set with these moves, and the probabilities and steps from these places on.
    fn add(&mut self, menu: MenuId, shares: usize, steps: usize) -> SetId {
        let (shares, steps) = (&self.shares[shares..], &self.steps[steps..]);
        let Some(alike) = &mut self.alike else { return self.tree.add(menu, shares, steps) };
        let hash_of = |tree: &SetTree, set: SetId| {
            let node = &tree.nodes[set.0 as usize];
            let moves = self.graph.moves(node.menu).len();
            hash(node.menu, tree.strategy(set, moves), tree.steps(node.steps))
        };
        let key = hash(menu, shares, steps);
        if let Some(&set) = alike.find(key, |&set| self.tree.is(set, menu, shares, steps)) {
            return set;
        }
        let set = self.tree.add(menu, shares, steps);
        alike.insert_unique(key, set, |&set| hash_of(&self.tree, set));
        set
    }

    /// Adds the probabilities of some moves in the information set that is known now.
    fn ask(&mut self, menu: MenuId) -> Result<(), WalkError> {
        let moves = self.graph.moves(menu);
        // Nobody who has one move needs to be asked.
        if moves.len() == 1 {
            self.shares.push(1.0);
            return Ok(());
        }
        let probabilities = (self.asked)(&self.known, moves).map_err(WalkError::Strategy)?;
        assert_eq!(probabilities.len(), moves.len(), "a probability for each move");
        self.shares.extend(probabilities);
        Ok(())
    }

    /// Adds the states after one, with the player's steps to them; its probabilities begin at `own`.
    fn follow(&mut self, state: StateId, own: usize, after: &mut Vec<(StepId, StateId)>) {
        let choice = self.graph.choice(state, self.role);
        let edges = self.graph.edges(state);
        let first = edges.start;
        for edge in edges {
            let place = (edge - first) / choice.stride as usize % choice.count as usize;
            let next = self.graph.nexts[edge];
            if self.shares[own + place] <= 0.0 || self.graph.place(next).is_quiet(self.player) {
                continue;
            }
            let step = self.graph.step(EdgeId(position(edge)), self.player);
            if self.found[next.index()] != step {
                self.found[next.index()] = step;
                after.push((step, next));
            }
        }
    }
}
