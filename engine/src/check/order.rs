//! Negations that come before the conditions that bind their variables.
//!
//! The specification reads a body as a set: `(not (q ?x)) (r ?x)` is "some x of r that is not in q" (LG-2006-01,
//! Def. 18). A prover that goes from left to right, as Prolog does, meets `(not (q ?x))` with a free variable and
//! reads "no x at all is in q", so that its matches go another way.

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::{Atom, Literal, Rule, TimeMarks},
};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &subject.program.rules {
        let binds = |literal: &Literal, variable| match literal {
            Literal::Positive(atom) => has(atom, variable),
            Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => false,
        };
        for (place, literal) in rule.body.iter().enumerate() {
            let Literal::Negative(atom) = literal else { continue };
            let (before, after) = rule.body.split_at(place);
            let is_late = |&variable: &usize| {
                has(atom, variable) && !before.iter().any(|literal| binds(literal, variable))
            };
            let Some(variable) = (0..rule.variables.len()).find(is_late) else { continue };
            // What nothing binds at all is a finding of its own.
            let later = after.iter().find(|literal| binds(literal, variable) && is_written(rule, literal));
            let Some(binder) = later else { continue };
            diagnostics.push(report(subject, rule, atom, variable, binder));
        }
    }
}

/// Whether the text has the condition: an added condition has the location of the atom for which it was added.
fn is_written(rule: &Rule, condition: &Literal) -> bool {
    let spans = rule.body.iter().map(Literal::span).chain([rule.head.span]);
    spans.filter(|&span| span == condition.span()).count() == 1
}

fn has(atom: &Atom, wanted: usize) -> bool {
    let mut is_there = false;
    for term in &atom.arguments {
        term.for_each_variable(&mut |variable| is_there |= variable == wanted);
    }
    is_there
}

fn report(subject: &Subject<'_>, rule: &Rule, atom: &Atom, variable: usize, binder: &Literal) -> Diagnostic {
    let program = subject.program;
    let (head, relation) = (program.name(rule.head.predicate), TimeMarks::of(program).word(program, atom));
    let shown = subject.shown_name(rule, &rule.variables[variable]);
    let message = format!(
        "in a rule for `{head}`, `{relation}` is negated before {shown} is bound: the specification reads \"for \
         some {shown}\", left-to-right provers read \"for no {shown}\""
    );
    finding("negation-before-binding", atom.span, message)
        .with_note(binder.span(), "the variable is bound here")
        .with_help("move the negation after the condition that binds the variable")
}
