//! Stratification (Def. 8): no relation depends on its own negation.
//!
//! The definition considers only relations. A cycle that disappears if constants are considered too, such as
//! `(<= (goal ?r 0) (not (goal ?r 100)))`, has a unique meaning and is played in the compatible reading.

use super::{dependencies::with_chain, finding};
use crate::{
    diagnostic::Diagnostic,
    rules::{DependencyGraph, Edge, Program},
};

/// The graph used for evaluation: split by constants if only that makes the program stratified.
pub(super) fn graph(program: &Program) -> DependencyGraph {
    let written = DependencyGraph::of(program);
    if !written.has_negative_cycle() {
        return written;
    }
    let split = DependencyGraph::split_by_constants(program);
    if split.has_negative_cycle() { written } else { split }
}

/// Maximum number of findings that show the whole cycle. A cycle of a thousand relations gives a thousand findings, each with a thousand
/// locations; the first ones are enough.
const CHAINS_MAX: usize = 16;

pub(super) fn check(program: &Program, graph: &DependencyGraph, diagnostics: &mut Vec<Diagnostic>) {
    if graph.is_split() {
        let written = DependencyGraph::of(program);
        diagnostics.extend(negative_cycles(&written).map(|edge| by_constants(program, edge)));
        return;
    }
    for (index, edge) in negative_cycles(graph).enumerate() {
        let mut found = cyclic(program, edge);
        if index < CHAINS_MAX && edge.head != edge.body {
            found = with_chain(found, program, &graph.chain(edge.body, edge.head));
        }
        diagnostics.push(found);
    }
}

fn negative_cycles(graph: &DependencyGraph) -> impl Iterator<Item = &Edge> {
    graph.edges.iter().filter(|edge| edge.is_negative && edge.is_in_cycle)
}

fn by_constants(program: &Program, edge: &Edge) -> Diagnostic {
    let (head, body) = (program.name(edge.head), program.name(edge.body));
    let message =
        format!("`{head}` depends on the negation of `{body}`; they differ only in their constants");
    finding("stratified-by-constants", edge.span, message)
        .with_help("define a relation for the condition, and use it in both places")
}

fn cyclic(program: &Program, edge: &Edge) -> Diagnostic {
    let (head, body) = (program.name(edge.head), program.name(edge.body));
    let message = format!("`{head}` depends on the negation of `{body}`, which depends on `{head}`");
    finding("unstratified-negation", edge.span, message)
        .with_help("define one of the two relations without the other")
}
