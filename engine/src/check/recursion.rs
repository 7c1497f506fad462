//! The recursion restriction (Def. 15): terms cannot grow around a cycle.

use super::finding;
use crate::{
    diagnostic::Diagnostic,
    id::RuleId,
    rules::{Atom, DependencyGraph, Literal, Program, Rule, Term},
};

pub(super) fn check(program: &Program, graph: &DependencyGraph, diagnostics: &mut Vec<Diagnostic>) {
    for id in recursive_rules(graph) {
        let rule = &program.rules[id.index()];
        let inner: Vec<_> =
            graph.edges_of(rule.head.predicate).filter(|edge| edge.rule == id && edge.is_in_cycle).collect();
        let is_inner = |atom: &Atom| inner.iter().any(|edge| edge.span == atom.span);
        for atom in positives(rule).filter(|atom| is_inner(atom)) {
            let outer: Vec<_> = positives(rule).filter(|atom| !is_inner(atom)).collect();
            for term in atom.arguments.iter().filter(|term| !is_restricted(term, rule, &outer)) {
                diagnostics.push(unbounded(program, rule, atom, term));
            }
        }
    }
}

/// The rules with an atom in the body that depends on the head, each once.
fn recursive_rules(graph: &DependencyGraph) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> =
        graph.edges.iter().filter(|edge| edge.is_in_cycle).map(|edge| edge.rule).collect();
    rules.dedup();
    rules
}

fn unbounded(program: &Program, rule: &Rule, atom: &Atom, term: &Term) -> Diagnostic {
    let (relation, head) = (program.name(atom.predicate), program.name(rule.head.predicate));
    let term = program.print_term(term, &rule.variables);
    let message = format!(
        "`{head}` is recursive through `{relation}`, and {term} is neither ground, nor an argument of the head, nor \
         bound outside the recursion"
    );
    let help = format!("add a condition outside the recursion that has {term} as an argument");
    finding("unbounded-recursion", atom.span, message).with_help(help)
}

fn positives(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => None,
    })
}

fn is_restricted(term: &Term, rule: &Rule, outer: &[&Atom]) -> bool {
    term.is_ground()
        || rule.head.arguments.contains(term)
        || outer.iter().any(|atom| atom.arguments.contains(term))
}
