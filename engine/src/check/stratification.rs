//! Stratification (Def. 12): no relation depends on its own negation.
//!
//! The definition goes by relations. A cycle that is none as soon as constants are looked at, such as
//! `(<= (goal ?r 0) (not (goal ?r 100)))`, has one meaning and is played in the compatible reading.

use super::finding;
use crate::{
    diagnostic::Diagnostic,
    rules::{DependencyGraph, Edge, Program},
};

/// The graph to evaluate by: split by constants where that alone makes the program stratified.
pub(super) fn graph(program: &Program) -> DependencyGraph {
    let written = DependencyGraph::of(program);
    if !written.has_negative_cycle() {
        return written;
    }
    let split = DependencyGraph::split_by_constants(program);
    if split.has_negative_cycle() { written } else { split }
}

pub(super) fn check(program: &Program, graph: &DependencyGraph, diagnostics: &mut Vec<Diagnostic>) {
    let find = |graph: &DependencyGraph, finding: fn(&Program, &DependencyGraph, &Edge) -> Diagnostic| {
        let cyclic = graph.edges.iter().filter(|edge| edge.is_negative && edge.is_in_cycle);
        cyclic.map(|edge| finding(program, graph, edge)).collect::<Vec<_>>()
    };
    diagnostics.extend(if graph.is_split() {
        find(&DependencyGraph::of(program), by_constants)
    } else {
        find(graph, cyclic)
    });
}

fn by_constants(program: &Program, _: &DependencyGraph, edge: &Edge) -> Diagnostic {
    let (head, body) = (program.name(edge.head), program.name(edge.body));
    let message =
        format!("`{head}` depends on the negation of `{body}`; only their constants tell them apart");
    finding("stratified-by-constants", edge.span, message)
        .with_help("give the condition a name of its own, and use it in both places")
}

fn cyclic(program: &Program, graph: &DependencyGraph, edge: &Edge) -> Diagnostic {
    let (head, body) = (program.name(edge.head), program.name(edge.body));
    let message = format!("`{head}` depends on the negation of `{body}`, which depends on `{head}`");
    let mut found = finding("unstratified-negation", edge.span, message);
    if edge.head != edge.body {
        for step in graph.chain(edge.body, edge.head) {
            let (head, body) = (program.name(step.head), program.name(step.body));
            found = found.with_note(step.span, format!("`{head}` depends on `{body}` here"));
        }
    }
    found.with_help("define one of the relations without the other")
}
