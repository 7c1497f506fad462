//! States of a real-time game, or classes of them, and what follows on each.

use std::{collections::VecDeque, sync::Arc};

use croupier_engine::{
    FluentId, MoveId, RoleId,
    realtime::{RealTimeGame, TimedState},
};

/// What can happen in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TimedKind {
    /// It was not looked at.
    Unknown,
    /// The match is over.
    Terminal,
    /// `random` moves at once.
    Chance,
    /// Something expires, unless somebody moves before.
    Running,
    /// Somebody can move, and nothing happens unless somebody does.
    Waiting,
    /// Nothing happens any more.
    Stalled,
    /// The rules give a fluent a lifetime that is none.
    Failed,
}

/// A state, or a class of states with the same fluents.
#[derive(Clone, Debug)]
pub(super) struct TimedNode {
    /// The fluents; in a class, with lifetimes that mean nothing but that they end.
    pub(super) state: TimedState,
    pub(super) kind: TimedKind,
    /// What expires, each with the longest time that can be left; a fluent with several lifetimes is there several times.
    pub(super) clocks: Vec<NodeClock>,
    /// The number of its first edge, and of those that follow on it.
    pub(super) first_edge: usize,
    pub(super) edges_count: usize,
    /// The edge that led to it first; none for the first node.
    pub(super) found_by: Option<usize>,
}

/// A fluent that will expire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NodeClock {
    pub(super) fluent: FluentId,
    pub(super) longest: u64,
}

/// An update.
#[derive(Clone, Debug)]
pub(super) struct TimedEdge {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) moves: Vec<(RoleId, MoveId)>,
    /// The places of the clocks of the node before that end.
    pub(super) ends: Vec<usize>,
    /// Fluents that keep the lifetimes that they have.
    pub(super) kept: Vec<FluentId>,
    /// The longest time before it, in microseconds; between states it is the only one. None if there is none.
    pub(super) longest: Option<u64>,
}

/// How a graph stands to the states of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum GraphStyle {
    /// Each node is a state.
    States,
    /// Each node is a class of states that can be reached.
    Classes,
    /// Each node is a class of states among which some cannot be reached.
    Regions,
}

/// How a game goes on, as far as that was looked at.
#[derive(Debug)]
pub(super) struct TimedGraph {
    pub(super) game: Arc<RealTimeGame>,
    pub(super) style: GraphStyle,
    /// Those that were looked at come first.
    pub(super) nodes: Vec<TimedNode>,
    pub(super) edges: Vec<TimedEdge>,
    /// How many nodes were looked at.
    pub(super) expanded: usize,
    /// Whether nothing was left out.
    pub(super) is_complete: bool,
}

impl TimedGraph {
    pub(super) fn new(game: &Arc<RealTimeGame>, style: GraphStyle) -> Self {
        let (nodes, edges) = (Vec::new(), Vec::new());
        Self { game: Arc::clone(game), style, nodes, edges, expanded: 0, is_complete: false }
    }

    /// The edges of a node, by number.
    pub(super) fn edges_of(&self, node: usize) -> std::ops::Range<usize> {
        let TimedNode { first_edge, edges_count, .. } = self.nodes[node];
        first_edge..first_edge + edges_count
    }

    /// The fluents that end with an edge.
    pub(super) fn expired(&self, edge: &TimedEdge) -> Vec<FluentId> {
        let clocks = &self.nodes[edge.from].clocks;
        let mut fluents: Vec<FluentId> = edge.ends.iter().map(|&place| clocks[place].fluent).collect();
        fluents.sort_unstable();
        fluents.dedup();
        fluents
    }

    /// The edges that lead to a node from the first one: as few as there are.
    pub(super) fn way_to(&self, node: usize) -> Vec<usize> {
        let mut way = Vec::new();
        let mut last = node;
        while let Some(edge) = self.nodes[last].found_by {
            way.push(edge);
            last = self.edges[edge].from;
        }
        way.reverse();
        way
    }

    /// The fewest edges from a node to where a condition holds of the last of them, among certain edges.
    pub(super) fn shortest(
        &self,
        from: usize,
        is_allowed: &dyn Fn(&TimedEdge) -> bool,
        is_wanted: &dyn Fn(&TimedEdge) -> bool,
    ) -> Option<Vec<usize>> {
        let mut before: rustc_hash::FxHashMap<usize, usize> = rustc_hash::FxHashMap::default();
        let mut waiting = VecDeque::from([from]);
        while let Some(node) = waiting.pop_front() {
            for number in self.edges_of(node).filter(|&number| is_allowed(&self.edges[number])) {
                let edge = &self.edges[number];
                if is_wanted(edge) {
                    let (mut way, mut last) = (vec![number], node);
                    while last != from {
                        let edge = before[&last];
                        way.push(edge);
                        last = self.edges[edge].from;
                    }
                    way.reverse();
                    return Some(way);
                }
                if edge.to != from && !before.contains_key(&edge.to) {
                    before.insert(edge.to, number);
                    waiting.push_back(edge.to);
                }
            }
        }
        None
    }

    /// Whether an edge is one of chance, that takes no time.
    pub(super) fn is_chance(&self, edge: &TimedEdge) -> bool {
        self.nodes[edge.from].kind == TimedKind::Chance
    }
}
