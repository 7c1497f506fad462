//! Stratification (Def. 12): no relation depends on its own negation.

use super::finding;
use crate::{
    diagnostic::Diagnostic,
    rules::{DependencyGraph, Program},
};

pub(super) fn check(program: &Program, graph: &DependencyGraph, diagnostics: &mut Vec<Diagnostic>) {
    for edge in graph.edges.iter().filter(|edge| edge.is_negative && graph.share_cycle(edge.head, edge.body))
    {
        let (head, body) = (program.name(edge.head), program.name(edge.body));
        let message = format!("`{head}` depends on the negation of `{body}`, which depends on `{head}`");
        let mut found = finding("unstratified-negation", edge.span, message);
        if edge.head != edge.body {
            for step in graph.chain(edge.body, edge.head) {
                let (head, body) = (program.name(step.head), program.name(step.body));
                found = found.with_note(step.span, format!("`{head}` depends on `{body}` here"));
            }
        }
        diagnostics.push(found.with_help("define one of the relations without the other"));
    }
}
