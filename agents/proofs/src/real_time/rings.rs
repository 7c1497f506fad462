//! Ways around: nodes that lead to each other along certain edges.

use petgraph::{algo::kosaraju_scc, graph::DiGraph};

use super::timed_graph::{TimedEdge, TimedGraph};

/// Nodes each of which leads to all others, or a node alone.
#[derive(Debug)]
pub(super) struct Ring {
    pub(super) nodes: Vec<usize>,
    /// Whether there is a way around: of a node alone, an edge to itself.
    pub(super) is_round: bool,
}

/// All nodes by the rings that they are in, each ring after all that it leads to, and for each node the place of its ring.
pub(super) fn rings(graph: &TimedGraph, is_allowed: &dyn Fn(&TimedEdge) -> bool) -> (Vec<Ring>, Vec<usize>) {
    let mut digraph = DiGraph::<(), ()>::with_capacity(graph.nodes.len(), graph.edges.len());
    let ids: Vec<_> = graph.nodes.iter().map(|_| digraph.add_node(())).collect();
    let mut has_self = vec![false; graph.nodes.len()];
    for edge in graph.edges.iter().filter(|edge| is_allowed(edge)) {
        digraph.add_edge(ids[edge.from], ids[edge.to], ());
        has_self[edge.from] |= edge.from == edge.to;
    }
    let mut ring_of = vec![0; graph.nodes.len()];
    let mut found = Vec::new();
    for members in kosaraju_scc(&digraph) {
        let nodes: Vec<usize> = members.into_iter().map(|id| id.index()).collect();
        nodes.iter().for_each(|&node| ring_of[node] = found.len());
        let is_round = nodes.len() > 1 || has_self[nodes[0]];
        found.push(Ring { nodes, is_round });
    }
    (found, ring_of)
}
