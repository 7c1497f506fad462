//! The information sets of a role as sets of states: two histories with the same own moves and percepts are in the same one.
//!
//! # Sources
//! The construction of knowledge by subsets: J. Reif, "The complexity of two-player games of incomplete information", Journal of
//! Computer and System Sciences 29, 1984.

use std::ops::Range;

use croupier_engine::JointMove;
use rustc_hash::FxHashMap;

use crate::graph::{StateGraph, StateKind};

/// What an own move and percepts lead to from an information set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SetEdge {
    /// What the role did and was told: a label of the graph.
    pub(crate) label: u32,
    pub(crate) target: u32,
}

/// All information sets of a role; those with the same states are one, since the same can follow.
#[derive(Debug)]
pub(crate) struct SetGraph {
    /// The place of the role among players.
    pub(crate) player: usize,
    members: Vec<u32>,
    starts: Vec<usize>,
    edges: Vec<SetEdge>,
    edge_starts: Vec<usize>,
    /// The set from which each was met first, and by which label.
    before: Vec<Option<SetEdge>>,
    /// After how many turns each was met first.
    depths: Vec<u32>,
    /// Whether every way to a set has as many turns.
    is_layered: bool,
}

impl SetGraph {
    /// The information sets of a player in a complete graph; `None` if they have more members than that, or `is_over` says so.
    pub(crate) fn explore(
        graph: &StateGraph,
        player: usize,
        members_max: usize,
        is_over: &dyn Fn() -> bool,
    ) -> Option<Self> {
        let mut sets = Self {
            player,
            members: vec![0],
            starts: vec![0, 1],
            edges: Vec::new(),
            edge_starts: vec![0],
            before: vec![None],
            depths: vec![0],
            is_layered: true,
        };
        let mut known: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        known.insert(Box::from([0_u32]), 0);
        let mut following: Vec<(u32, u32)> = Vec::new();
        let mut set = 0;
        while set < sets.len() {
            if sets.members.len() > members_max || (set % 64 == 0 && is_over()) {
                return None;
            }
            following.clear();
            for &state in sets.members(set) {
                let edges = graph.edges(state as usize);
                following.extend(edges.map(|edge| {
                    (graph.label(edge, player), u32::try_from(graph.target(edge)).expect("below 2^32"))
                }));
            }
            following.sort_unstable();
            following.dedup();
            for part in following.chunk_by(|one, other| one.0 == other.0) {
                let states: Box<[u32]> = part.iter().map(|&(_, state)| state).collect();
                let next = sets.depths[set] + 1;
                let target =
                    *known.entry(states).or_insert_with_key(|states| sets.add(states, set, part[0].0));
                sets.is_layered &= sets.depths[target as usize] == next;
                sets.edges.push(SetEdge { label: part[0].0, target });
            }
            sets.edge_starts.push(sets.edges.len());
            set += 1;
        }
        Some(sets)
    }

    fn add(&mut self, states: &[u32], set: usize, label: u32) -> u32 {
        let number = u32::try_from(self.len()).expect("sets are below 2^32");
        self.members.extend_from_slice(states);
        self.starts.push(self.members.len());
        let set_number = u32::try_from(set).expect("sets are below 2^32");
        self.before.push(Some(SetEdge { label, target: set_number }));
        self.depths.push(self.depths[set] + 1);
        number
    }

    pub(crate) fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// The states that the role cannot tell apart, ascending.
    pub(crate) fn members(&self, set: usize) -> &[u32] {
        &self.members[self.starts[set]..self.starts[set + 1]]
    }

    /// Those of them in which the match goes on.
    pub(crate) fn running<'s>(
        &'s self,
        graph: &'s StateGraph,
        set: usize,
    ) -> impl Iterator<Item = usize> + 's {
        let members = self.members(set).iter().map(|&state| state as usize);
        members.filter(|&state| graph.kind(state) == StateKind::Running)
    }

    pub(crate) fn edges_of(&self, set: usize) -> Range<usize> {
        self.edge_starts[set]..self.edge_starts[set + 1]
    }

    pub(crate) fn edges(&self, set: usize) -> &[SetEdge] {
        &self.edges[self.edges_of(set)]
    }

    /// After how many turns a set is met first.
    pub(crate) fn depth(&self, set: usize) -> u32 {
        self.depths[set]
    }

    /// Whether every way to a set has as many turns as any other.
    pub(crate) fn is_layered(&self) -> bool {
        self.is_layered
    }

    /// Joint moves to a state of a set, with which the role does and is told what leads to the set.
    pub(crate) fn moves_to(&self, graph: &StateGraph, set: usize, state: usize) -> Vec<JointMove> {
        let (mut set, mut state, mut moves) = (set, state, Vec::new());
        while let Some(SetEdge { label, target: earlier }) = self.before[set] {
            let leads =
                |&edge: &usize| graph.label(edge, self.player) == label && graph.target(edge) == state;
            let mut members = self.members(earlier as usize).iter().map(|&member| member as usize);
            let step = members.find_map(|from| Some((from, graph.edges(from).find(leads)?)));
            let (from, edge) = step.expect("each member of a set follows on one of the set before");
            moves.push(graph.joint_move(from, edge));
            (set, state) = (earlier as usize, from);
        }
        moves.reverse();
        moves
    }
}
