//! A program whose large relations are computed only for values that some rule asks for.

use crate::{
    id::PredicateId,
    rules::{Atom, Demands, DependencyGraph, Literal, Program, Wanted},
};

/// `program` with the wanted relations computed on demand; its own rules keep their numbers.
/// `None` where nobody knows beforehand what to ask for, or where asking would depend on its own answer denied.
pub(super) fn on_demand(
    program: &Program,
    graph: &DependencyGraph,
    wanted: &Wanted,
) -> Option<(Program, DependencyGraph)> {
    let demands = Demands::of(program, wanted);
    if demands.is_empty() {
        return None;
    }
    // What rests on no wanted relation is known before anything is asked for, and so may be denied.
    let asked: Vec<PredicateId> = wanted.keys().copied().collect();
    let is_resting = graph.dependents(&asked);
    let is_exact = |atom: &Atom| !is_resting[atom.predicate.index()];
    let mut changed = program.clone();
    for id in program.rule_ids() {
        let rule = &program.rules[id.index()];
        if let Some(condition) = demands.condition(&mut changed, &rule.head) {
            changed.rules[id.index()].body.push(Literal::Positive(condition));
        }
        let mut questions = demands.questions(&mut changed, rule, is_exact);
        questions.retain(|question| !question.body.iter().any(|literal| is_same(literal, &question.head)));
        changed.rules.append(&mut questions);
    }
    let graph = DependencyGraph::of(&changed);
    (!graph.has_negative_cycle()).then_some((changed, graph))
}

/// Whether a literal says what a head says: such a rule concludes nothing.
fn is_same(literal: &Literal, head: &Atom) -> bool {
    matches!(literal, Literal::Positive(atom)
        if atom.predicate == head.predicate && atom.arguments == head.arguments)
}

#[cfg(test)]
mod tests;
