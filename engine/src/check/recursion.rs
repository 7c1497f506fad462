//! The recursion restriction (Def. 15): terms cannot grow around a cycle.

use super::{effort::Effort, finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::{Atom, Edge, Literal, Rule, Term, TimeMarks},
};

pub(super) fn check(subject: &Subject<'_>, effort: &Effort<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let (program, graph) = (subject.program, subject.graph);
    let marks = TimeMarks::of(program);
    // The edges of a rule stand together.
    for edges in graph.edges.chunk_by(|one, other| one.rule == other.rule) {
        let inner: Vec<&Edge> = edges.iter().filter(|edge| edge.is_in_cycle).collect();
        let Some(first) = inner.first() else { continue };
        let rule = &program.rules[first.rule.index()];
        let is_inner = |atom: &Atom| inner.iter().any(|edge| edge.span == atom.span);
        let outer: Vec<_> = positives(rule).filter(|atom| !is_inner(atom)).collect();
        for atom in positives(rule).filter(|atom| is_inner(atom)) {
            if effort.is_over() {
                return;
            }
            let is_free = |term: &&Term| !is_restricted(term, rule, &outer, marks);
            diagnostics.extend(
                arguments(atom, marks).filter(is_free).map(|term| unbounded(subject, rule, atom, term)),
            );
        }
    }
}

fn unbounded(subject: &Subject<'_>, rule: &Rule, atom: &Atom, term: &Term) -> Diagnostic {
    let program = subject.program;
    let (relation, head) = (program.name(atom.predicate), program.name(rule.head.predicate));
    let term = subject.shown_term(rule, term);
    let message = format!(
        "`{head}` is recursive through `{relation}`, but {term} is neither ground, nor an argument of the head, nor \
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

/// The arguments as they were written, lifetimes among them.
fn arguments(atom: &Atom, marks: TimeMarks) -> impl Iterator<Item = &Term> {
    atom.arguments.iter().flat_map(move |argument| {
        let (lifetime, fluent) = marks.parts(argument);
        lifetime.into_iter().chain([fluent])
    })
}

fn is_restricted(term: &Term, rule: &Rule, outer: &[&Atom], marks: TimeMarks) -> bool {
    let has = |atom: &Atom| arguments(atom, marks).any(|argument| argument == term);
    term.is_ground() || has(&rule.head) || outer.iter().any(|atom| has(atom))
}
