//! A player's information sets in a graph of states, each with the player's strategy there.

use std::{
    hash::{Hash, Hasher},
    ops::Range,
};

use croupier_engine::{InformationSet, MoveId, RoleId};
use rustc_hash::FxHasher;

use super::graph::{MenuId, StateGraph, StepId};
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
pub(super) struct SetStep {
    /// The step; the highest bit says that it is the last one from there.
    step: u32,
    to: SetId,
}

impl SetStep {
    /// A step that others from there may follow.
    pub(super) fn new(step: StepId, to: SetId) -> Self {
        Self { step: step.0, to }
    }

    /// Makes it the last one from there.
    pub(super) fn mark_last(&mut self) {
        self.step |= LAST;
    }
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
/// not avoid them itself: a tree whose branches are steps. If those that are alike are one, branches grow together.
///
/// Later information sets have lower numbers; that before the first turn has the highest.
#[derive(Debug)]
pub(super) struct SetTree {
    nodes: Vec<InformationSetNode>,
    steps: Vec<SetStep>,
    /// The first is that of a single move, which needs no other.
    probabilities: Vec<f64>,
}

/// No step.
const NO_STEPS: u32 = u32::MAX;

const LAST: u32 = 1 << 31;

impl SetId {
    /// No information set: one that needs no strategy, or that the player avoids.
    pub(super) const NONE: Self = Self(u32::MAX);
}

impl SetTree {
    /// Without information sets.
    pub(super) fn new() -> Self {
        Self { nodes: Vec::new(), steps: Vec::new(), probabilities: vec![1.0] }
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

    /// Adds an information set without a choice, and with nothing after it.
    pub(super) fn add_bare(&mut self) {
        self.nodes.push(InformationSetNode::BARE);
    }

    /// How many information sets there are, or moves in them if those are more.
    pub(super) fn size(&self) -> usize {
        self.nodes.len().max(self.probabilities.len())
    }

    /// Adds an information set.
    pub(super) fn add(&mut self, menu: MenuId, shares: &[f64], steps: &[SetStep]) -> SetId {
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

    /// The number that depends on everything that tells an information set from others.
    pub(super) fn hash(&self, graph: &StateGraph, set: SetId) -> u64 {
        let node = &self.nodes[set.0 as usize];
        hash(node.menu, self.strategy(set, graph.moves(node.menu).len()), self.steps(node.steps))
    }

    /// Whether an information set has these moves, probabilities and steps.
    pub(super) fn is(&self, set: SetId, menu: MenuId, shares: &[f64], steps: &[SetStep]) -> bool {
        let node = &self.nodes[set.0 as usize];
        node.menu == menu && self.strategy(set, shares.len()) == shares && self.steps(node.steps) == steps
    }
}

/// A number that depends on everything that tells an information set from others.
pub(super) fn hash(menu: MenuId, shares: &[f64], steps: &[SetStep]) -> u64 {
    let mut hasher = FxHasher::default();
    menu.hash(&mut hasher);
    shares.iter().for_each(|share| hasher.write_u64(share.to_bits()));
    steps.hash(&mut hasher);
    hasher.finish()
}

/// Which of some moves a step begins with.
#[inline]
fn place(graph: &StateGraph, moves: &[MoveId], step: u32) -> usize {
    let (played, _) = graph.experience(StepId(step & !LAST));
    moves.iter().position(|own| own == played).expect("a step begins with a legal move")
}
