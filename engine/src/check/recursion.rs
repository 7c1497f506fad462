//! The recursion restriction (Def. 15): terms cannot grow around a cycle.

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::{Atom, Edge, Literal, Rule, Term},
};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let (program, graph) = (subject.program, subject.graph);
    // The edges of a rule stand together.
    for edges in graph.edges.chunk_by(|one, other| one.rule == other.rule) {
        let inner: Vec<&Edge> = edges.iter().filter(|edge| edge.is_in_cycle).collect();
        let Some(first) = inner.first() else { continue };
        let rule = &program.rules[first.rule.index()];
        let is_inner = |atom: &Atom| inner.iter().any(|edge| edge.span == atom.span);
        for atom in positives(rule).filter(|atom| is_inner(atom)) {
            let outer: Vec<_> = positives(rule).filter(|atom| !is_inner(atom)).collect();
            for term in atom.arguments.iter().filter(|term| !is_restricted(term, rule, &outer)) {
                diagnostics.push(unbounded(subject, rule, atom, term));
            }
        }
    }
}

fn unbounded(subject: &Subject<'_>, rule: &Rule, atom: &Atom, term: &Term) -> Diagnostic {
    let program = subject.program;
    let (relation, head) = (program.name(atom.predicate), program.name(rule.head.predicate));
    let term = subject.shown_term(rule, term);
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
