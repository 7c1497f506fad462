//! The recursion restriction (Def. 15): terms cannot grow around a cycle.

use super::finding;
use crate::{
    diagnostic::Diagnostic,
    rules::{Atom, DependencyGraph, Literal, Program, Rule, Term},
};

pub(super) fn check(program: &Program, graph: &DependencyGraph, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &program.rules {
        for atom in positives(rule).filter(|atom| graph.share_cycle(rule.head.predicate, atom.predicate)) {
            for term in atom.arguments.iter().filter(|term| !is_restricted(term, rule, graph)) {
                let (relation, head) = (program.name(atom.predicate), program.name(rule.head.predicate));
                let term = program.print_term(term, &rule.variables);
                let message = format!(
                    "`{head}` is recursive through `{relation}`, and {term} is neither ground, nor an argument of \
                     the head, nor bound outside the recursion"
                );
                let help = format!("add a condition outside the recursion that has {term} as an argument");
                diagnostics.push(finding("unbounded-recursion", atom.span, message).with_help(help));
            }
        }
    }
}

fn positives(rule: &Rule) -> impl Iterator<Item = &Atom> {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some(atom),
        Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => None,
    })
}

fn is_restricted(term: &Term, rule: &Rule, graph: &DependencyGraph) -> bool {
    term.is_ground()
        || rule.head.arguments.contains(term)
        || positives(rule).any(|atom| {
            !graph.share_cycle(rule.head.predicate, atom.predicate) && atom.arguments.contains(term)
        })
}
