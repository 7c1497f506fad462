//! Matches that go around, for ever or until the time has come for something, with their instants.

use croupier_engine::FluentId;

use super::{
    confirmed::states_along,
    endings::keeps,
    question::{RunEnd, TimedRun},
    rings::{Ring, rings},
    schedule::run_along,
    timed_graph::{GraphStyle, TimedEdge, TimedGraph},
};

/// Nodes of a ring from which a way around is tried, and how often it is gone.
const BEGINNINGS_MAX: usize = 30;
const ROUNDS_MAX: usize = 5;

/// Nodes from which a way around of chance is tried.
const CHANCES_MAX: usize = 100;

/// Ways around that are put into a way, and how long that may become.
const AROUNDS_MAX: usize = 6;
const LONGER_MAX: usize = 3_000;

/// A match along a way that first goes around somewhere until the time has come, where lifetimes are taken for unknown: a rally until the clock
/// runs out. `None` if none was found.
pub(super) fn longer_run(graph: &TimedGraph, way: &[usize]) -> Option<TimedRun> {
    if graph.style != GraphStyle::Regions {
        return None;
    }
    let arounds = (0..way.len()).rev().filter_map(|place| {
        let begin = graph.edges[way[place]].from;
        Some((place, graph.shortest(begin, &|_| true, &|edge| edge.to == begin)?))
    });
    arounds.take(AROUNDS_MAX).find_map(|(place, around)| {
        let counts = (0..u32::BITS).map(|power| 1_usize << power);
        let counts = counts.take_while(|count| way.len() + count * around.len() <= LONGER_MAX);
        counts.into_iter().find_map(|count| {
            let mut longer = way[..place].to_vec();
            (0..count).for_each(|_| longer.extend(&around));
            longer.extend(&way[place..]);
            run_along(graph, &longer)
        })
    })
}

/// A match that comes into a ring and stays there: after some rounds a state comes again. `None` if none was found.
pub(super) fn endless_run(graph: &TimedGraph, ring: &Ring) -> Option<TimedRun> {
    let mut is_inside = vec![false; graph.nodes.len()];
    ring.nodes.iter().for_each(|&node| is_inside[node] = true);
    let is_allowed = |edge: &TimedEdge| is_inside[edge.from] && is_inside[edge.to];
    let mut beginnings = ring.nodes.clone();
    // Nodes are numbered in the order in which they were met.
    beginnings.sort_unstable();
    beginnings.truncate(BEGINNINGS_MAX);
    beginnings.into_iter().find_map(|begin| {
        let direct = graph.shortest(begin, &is_allowed, &|edge| edge.to == begin);
        let around = direct.and_then(|around| rounds(graph, begin, &around));
        around.or_else(|| rounds(graph, begin, &tour(graph, &ring.nodes, begin, &is_allowed)?))
    })
}

/// A way around on which every lifetime ends, or is set again, or does not run at some time.
fn tour(
    graph: &TimedGraph,
    nodes: &[usize],
    begin: usize,
    is_allowed: &dyn Fn(&TimedEdge) -> bool,
) -> Option<Vec<usize>> {
    let runs =
        |node: usize, fluent: FluentId| graph.nodes[node].clocks.iter().any(|clock| clock.fluent == fluent);
    let breaks = |edge: &TimedEdge, fluent| !runs(edge.from, fluent) || !keeps(edge, fluent);
    let clocks = nodes.iter().flat_map(|&node| &graph.nodes[node].clocks);
    let mut fluents: Vec<FluentId> = clocks.map(|clock| clock.fluent).collect();
    fluents.sort_unstable();
    fluents.dedup();
    let (mut way, mut last): (Vec<usize>, usize) = (Vec::new(), begin);
    for fluent in fluents {
        if way.iter().any(|&edge| breaks(&graph.edges[edge], fluent)) {
            continue;
        }
        let more = graph.shortest(last, is_allowed, &|edge| breaks(edge, fluent))?;
        last = graph.edges[*more.last()?].to;
        way.extend(more);
    }
    if last != begin || way.is_empty() {
        way.extend(graph.shortest(last, is_allowed, &|edge| edge.to == begin)?);
    }
    Some(way)
}

/// The match that goes around so often that a state comes again.
fn rounds(graph: &TimedGraph, begin: usize, around: &[usize]) -> Option<TimedRun> {
    let first = graph.way_to(begin).len();
    if graph.style == GraphStyle::States {
        let run = run_along(graph, &[&graph.way_to(begin), around].concat())?;
        return Some(TimedRun { end: RunEnd::Returns(first), ..run });
    }
    for count in 1..=ROUNDS_MAX {
        let mut way = graph.way_to(begin);
        (0..count).for_each(|_| way.extend(around));
        let run = run_along(graph, &way)?;
        let states = states_along(&graph.game, &run)?;
        let last = states.last()?;
        let starts = (0..count).map(|round| first + round * around.len());
        if let Some(start) = starts.rev().find(|&start| states[start].facts().eq(last.facts())) {
            return Some(TimedRun { end: RunEnd::Returns(start), ..run });
        }
    }
    None
}

/// A match in which chance moves for ever at one instant, and whether there may be one.
pub(super) fn endless_chance(graph: &TimedGraph) -> (Option<TimedRun>, bool) {
    let is_chance = |edge: &TimedEdge| graph.is_chance(edge);
    let (all, _) = rings(graph, &is_chance);
    let begins = begins(&all);
    let endless = begins.iter().take(CHANCES_MAX).find_map(|&begin| {
        let way = graph.shortest(begin, &is_chance, &|edge| edge.to == begin)?;
        rounds(graph, begin, &way)
    });
    (endless, !begins.is_empty())
}

/// The nodes from which a way leads around, the nearest first.
fn begins(all: &[Ring]) -> Vec<usize> {
    let mut nodes: Vec<usize> =
        all.iter().filter(|ring| ring.is_round).flat_map(|ring| ring.nodes.iter().copied()).collect();
    nodes.sort_unstable();
    nodes
}
