//! Whether every match ends, and within what time.
//!
//! A match without an end goes around a ring of nodes for ever, and takes for ever, since every update but those of chance comes a
//! microsecond or more after the last. So it cannot stay where one lifetime runs all the time: that would end.

use croupier_engine::FluentId;

use super::{
    rings::{Ring, rings},
    timed_graph::{TimedEdge, TimedGraph, TimedKind},
};

/// What follows for the ends of all matches from a graph that has all of them.
#[derive(Debug)]
pub(super) enum TimedEnds {
    /// All of them come within so many microseconds.
    Within(u64),
    /// Matches may stay in these rings for ever.
    Rings(Vec<Ring>),
}

/// The longest times that are left.
struct Bounds<'g> {
    graph: &'g TimedGraph,
    ring_of: Vec<usize>,
    /// By node, until the end of the match.
    until_end: Vec<u64>,
    /// By node, for what expires: from when it does, or is not kept, until the end of the match.
    until_end_without: Vec<Vec<(FluentId, u64)>>,
}

/// Looks at all nodes. Where a node is a state in which nothing happens unless somebody moves, there may be more time than is said.
pub(super) fn timed_ends(graph: &TimedGraph) -> TimedEnds {
    let (all, ring_of) = rings(graph, &|_| true);
    let count = graph.nodes.len();
    let (until_end, until_end_without) = (vec![0; count], vec![Vec::new(); count]);
    let mut bounds = Bounds { graph, ring_of, until_end, until_end_without };
    let mut endless = Vec::new();
    for ring in all {
        if !ring.is_round {
            bounds.bound_alone(ring.nodes[0]);
        } else if !bounds.bound_ring(&ring.nodes) {
            endless.push(ring);
        }
    }
    match endless.is_empty() {
        true => TimedEnds::Within(bounds.until_end.first().copied().unwrap_or(0)),
        false => TimedEnds::Rings(endless),
    }
}

/// The fluents that expire in a node, each with the longest time that it holds without an update.
fn ending(graph: &TimedGraph, node: usize) -> Vec<(FluentId, u64)> {
    let mut found: Vec<(FluentId, u64)> = Vec::new();
    for clock in &graph.nodes[node].clocks {
        match found.iter_mut().find(|(fluent, _)| *fluent == clock.fluent) {
            Some((_, longest)) => *longest = clock.longest.min(*longest),
            None => found.push((clock.fluent, clock.longest)),
        }
    }
    found
}

/// Whether a lifetime that runs before an update runs on after it.
pub(super) fn keeps(edge: &TimedEdge, fluent: FluentId) -> bool {
    edge.kept.contains(&fluent)
}

impl Bounds<'_> {
    /// From an update in which a fluent was kept or not until the end of the match.
    fn without(&self, edge: &TimedEdge, fluent: FluentId) -> u64 {
        let known = self.until_end_without[edge.to].iter().find(|(other, _)| *other == fluent);
        match known.filter(|_| keeps(edge, fluent)) {
            Some(&(_, time)) => time,
            None => self.until_end[edge.to],
        }
    }

    fn edges(&self, node: usize) -> impl Iterator<Item = &TimedEdge> {
        self.graph.edges_of(node).map(|number| &self.graph.edges[number])
    }

    fn bound_alone(&mut self, node: usize) {
        let ending = ending(self.graph, node);
        if self.graph.nodes[node].kind == TimedKind::Terminal {
            self.until_end_without[node] = ending.into_iter().map(|(fluent, _)| (fluent, 0)).collect();
            return;
        }
        let by_edges =
            self.edges(node).map(|edge| edge.longest.unwrap_or(0).saturating_add(self.until_end[edge.to]));
        let by_edges = by_edges.max().unwrap_or(0);
        let without = |fluent| self.edges(node).map(|edge| self.without(edge, fluent)).max().unwrap_or(0);
        let without: Vec<(FluentId, u64)> =
            ending.iter().map(|&(fluent, _)| (fluent, without(fluent))).collect();
        let by_lifetimes =
            ending.iter().zip(&without).map(|((_, longest), (_, after))| longest.saturating_add(*after));
        self.until_end[node] = by_lifetimes.fold(by_edges, u64::min);
        self.until_end_without[node] = without;
    }

    /// Bounds the time that is spent in a ring; false if no lifetime runs all the time.
    fn bound_ring(&mut self, nodes: &[usize]) -> bool {
        let ring = self.ring_of[nodes[0]];
        let inner = |edge: &&TimedEdge| self.ring_of[edge.to] == ring;
        let runs_on = |&(fluent, _): &(FluentId, u64)| {
            nodes.iter().all(|&node| {
                self.graph.nodes[node].clocks.iter().any(|clock| clock.fluent == fluent)
                    && self.edges(node).filter(inner).all(|edge| keeps(edge, fluent))
            })
        };
        let running: Vec<FluentId> =
            ending(self.graph, nodes[0]).into_iter().filter(runs_on).map(|(fluent, _)| fluent).collect();
        if running.is_empty() {
            return false;
        }
        let exits = || nodes.iter().flat_map(|&node| self.edges(node)).filter(|edge| !inner(edge));
        let without = |fluent| exits().map(|edge| self.without(edge, fluent)).max().unwrap_or(0);
        let without: Vec<(FluentId, u64)> = running.iter().map(|&fluent| (fluent, without(fluent))).collect();
        let bound = |node: usize| {
            let ending = ending(self.graph, node);
            let longest = |fluent| ending.iter().find(|(other, _)| *other == fluent).map_or(0, |(_, us)| *us);
            without.iter().map(|&(fluent, after)| longest(fluent).saturating_add(after)).min().unwrap_or(0)
        };
        let times: Vec<u64> = nodes.iter().map(|&node| bound(node)).collect();
        let leaving = exits().map(|edge| self.until_end[edge.to]);
        let most = times.iter().copied().chain(leaving).max().unwrap_or(0);
        for (&node, time) in nodes.iter().zip(times) {
            self.until_end[node] = time;
            let other = |&(fluent, _): &(FluentId, u64)| {
                let known = without.iter().find(|(known, _)| *known == fluent);
                known.copied().unwrap_or((fluent, most))
            };
            self.until_end_without[node] = ending(self.graph, node).iter().map(other).collect();
        }
        true
    }
}
