//! Infinitely many updates in finite time: moves of chance without end at one instant, or moves of players that nothing slows down.

use croupier_engine::{FluentId, realtime::seconds};
use petgraph::{algo::kosaraju_scc, graph::DiGraph};
use rustc_hash::FxHashMap;

use super::{
    confirmed::{holding, is_confirmed},
    loops::endless_chance,
    question::{RunEnd, TimedAnswer, TimedGrounds, TimedQuestion, TimedRun},
    rings::rings,
    schedule::run_along,
    timed_graph::{TimedEdge, TimedGraph, TimedKind},
    view::{TimedView, updates},
};
use crate::answer::RuleVerdict;

/// Nodes from which a way to the same fluents is looked for, and how many of these get instants.
const NODES_TRIED: usize = 5_000;
const RUNS_MAX: usize = 50;

/// What is about updates at one instant, and what about updates between two expiries.
pub(super) const AT_ONCE: &str = "one instant";
pub(super) const BETWEEN: &str = "between expiries";

/// Both answers.
pub(super) fn zeno_answers(view: &TimedView<'_>) -> Vec<TimedAnswer> {
    vec![at_once(view), between(view)]
}

fn at_once(view: &TimedView<'_>) -> TimedAnswer {
    let graph = view.graph;
    let answer = |verdict, grounds, text| {
        TimedAnswer::new(TimedQuestion::NonZeno, verdict, grounds, text).about(AT_ONCE.to_owned())
    };
    match endless_chance(graph) {
        (Some(run), _) => {
            let at = run.events.last().map_or(0, |event| event.at_us);
            let text = format!("chance can move for ever at one instant, {} s", seconds(at));
            answer(RuleVerdict::Refuted, TimedGrounds::Runs, text).shown_by(vec![run])
        }
        (None, false) if graph.is_complete => {
            let text = match longest(graph, &|edge| graph.is_chance(edge)) {
                0 => "time passes between any two updates".to_owned(),
                1 => "at most 1 move of chance at one instant".to_owned(),
                most => format!("at most {most} moves of chance at one instant"),
            };
            answer(RuleVerdict::Proved, view.all(), text)
        }
        (None, _) => {
            let text = "no match was found in which chance moves for ever at one instant".to_owned();
            answer(RuleVerdict::Open, view.searched(), text)
        }
    }
}

fn between(view: &TimedView<'_>) -> TimedAnswer {
    let graph = view.graph;
    let answer = |verdict, grounds, text| {
        TimedAnswer::new(TimedQuestion::NonZeno, verdict, grounds, text).about(BETWEEN.to_owned())
    };
    let found = repeating(graph);
    if let Some(run) = found.runs.into_iter().find(|run| is_confirmed(&graph.game, run)) {
        let first = if let RunEnd::Repeats(first) = run.end { first } else { 0 };
        let (names, count) = (view.movers(&run.events[first..]), run.events.len() - first);
        let begin = if first == 0 { "at the start".to_owned() } else { format!("after {}", updates(first)) };
        let text = format!(
            "what holds {begin} holds again after {} of {names}, and nothing expires between",
            if count == 1 { "another".to_owned() } else { format!("{count} more") }
        );
        return answer(RuleVerdict::Refuted, TimedGrounds::Runs, text).shown_by(vec![run]);
    }
    if found.is_none && graph.is_complete {
        let text = match longest(graph, &is_quiet) {
            0 => "no update comes between two expiries".to_owned(),
            most => format!("at most {} between two expiries", updates(most)),
        };
        return answer(RuleVerdict::Proved, view.all(), text);
    }
    let text = "no match was found in which the same holds again and nothing expires between".to_owned();
    answer(RuleVerdict::Open, view.searched(), text)
}

fn is_quiet(edge: &TimedEdge) -> bool {
    edge.ends.is_empty()
}

/// Ways along which nothing expires from what holds to what holds.
struct Repeating {
    runs: Vec<TimedRun>,
    /// Whether there is certainly no other.
    is_none: bool,
}

/// Looks for ways along which nothing expires from a node to one with the same fluents.
fn repeating(graph: &TimedGraph) -> Repeating {
    let mut numbers: FxHashMap<Vec<(FluentId, bool)>, usize> = FxHashMap::default();
    let nodes = graph.nodes.iter();
    let holding_of: Vec<usize> = nodes
        .map(|node| {
            let next = numbers.len();
            *numbers.entry(holding(&node.state)).or_insert(next)
        })
        .collect();
    // Where no way leads around among fluents, none does among nodes.
    let mut digraph = DiGraph::<(), ()>::new();
    let ids: Vec<_> = (0..numbers.len()).map(|_| digraph.add_node(())).collect();
    let mut is_round = vec![false; numbers.len()];
    for edge in graph.edges.iter().filter(|edge| is_quiet(edge)) {
        let [from, to] = [edge.from, edge.to].map(|node| holding_of[node]);
        digraph.add_edge(ids[from], ids[to], ());
        is_round[from] |= from == to;
    }
    for members in kosaraju_scc(&digraph).into_iter().filter(|members| members.len() > 1) {
        members.into_iter().for_each(|id| is_round[id.index()] = true);
    }
    let mut begins: Vec<usize> = (0..graph.expanded).filter(|&node| is_round[holding_of[node]]).collect();
    let are_all_tried = begins.len() <= NODES_TRIED;
    begins.truncate(NODES_TRIED);
    let mut found = Repeating { runs: Vec::new(), is_none: are_all_tried };
    for begin in begins {
        let is_again = |edge: &TimedEdge| {
            holding_of[edge.to] == holding_of[begin] && graph.nodes[edge.to].kind != TimedKind::Terminal
        };
        let Some(way) = graph.shortest(begin, &is_quiet, &is_again) else { continue };
        found.is_none = false;
        let first = graph.way_to(begin);
        let end = RunEnd::Repeats(first.len());
        found.runs.extend(run_along(graph, &[first, way].concat()).map(|run| TimedRun { end, ..run }));
        if found.runs.len() >= RUNS_MAX {
            break;
        }
    }
    found
}

/// The most edges of a kind in a row; 0 if a way leads around along them.
fn longest(graph: &TimedGraph, is_allowed: &dyn Fn(&TimedEdge) -> bool) -> usize {
    let mut longest = vec![0_usize; graph.nodes.len()];
    let (all, _) = rings(graph, is_allowed);
    for ring in &all {
        let node = ring.nodes[0];
        let edges = graph.edges_of(node).map(|number| &graph.edges[number]).filter(|edge| is_allowed(edge));
        longest[node] = edges.map(|edge| longest[edge.to] + 1).max().unwrap_or(0);
    }
    longest.into_iter().max().unwrap_or(0)
}
