//! The cheapest way to pair everybody off.

use std::{collections::BTreeSet, convert::Infallible};

use petgraph::graph::{EdgeReference, NodeIndex, UnGraph};
use rustworkx_core::max_weight_matching::max_weight_matching;

/// The pairs, the smaller number first and in ascending order, of a matching that leaves out as few of `0..count` as
/// possible and costs as little as such a one can.
///
/// Takes O(count^3) steps. The same edges give the same pairs in every process.
///
/// # Sources
/// J. Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965; Z. Galil, "Efficient algorithms for finding
/// maximum matching in graphs", ACM Computing Surveys, 1986: the algorithm of `rustworkx-core`.
pub(crate) fn cheapest_matching(count: usize, edges: &[(usize, usize, i128)]) -> BTreeSet<(usize, usize)> {
    let dearest = edges.iter().map(|(_, _, cost)| *cost).max().unwrap_or(0);
    let mut graph: UnGraph<(), i128> = UnGraph::with_capacity(count, edges.len());
    for _ in 0..count {
        graph.add_node(());
    }
    for (one, other, cost) in edges {
        graph.add_edge(NodeIndex::new(*one), NodeIndex::new(*other), dearest - cost);
    }
    let weight = |edge: EdgeReference<'_, i128>| Ok::<_, Infallible>(*edge.weight());
    let Ok(pairs) = max_weight_matching(&graph, true, weight, false);
    pairs.into_iter().map(|(one, other)| (one.min(other), one.max(other))).collect()
}
