//! Safety (Def. 18): every variable of the head, of a negative literal and of a comparison occurs
//! in a positive literal of the same rule.

use std::collections::BTreeSet;

use super::{
    effort::Effort,
    finding,
    near::Near,
    subject::{Subject, UseKind},
};
use crate::{
    diagnostic::{Diagnostic, Span},
    rules::{Literal, Rule},
    syntax::{Clause, Formula, Term},
};

pub(super) fn check(
    subject: &Subject<'_>,
    near: &mut Near,
    effort: &Effort<'_>,
    diagnostics: &mut Vec<Diagnostic>,
) {
    // A disjunction makes several rules of one clause: what several leave unbound is said once.
    let mut told: BTreeSet<(Span, &str)> = BTreeSet::new();
    for rule in &subject.program.rules {
        let mut is_bound = vec![false; rule.variables.len()];
        for literal in rule.body.iter().filter(|literal| matches!(literal, Literal::Positive(_))) {
            for term in literal.terms() {
                term.for_each_variable(&mut |variable| is_bound[variable] = true);
            }
        }
        if is_bound.iter().all(|&is_bound| is_bound) {
            continue;
        }
        for (variable, span, place) in unbound(rule, &is_bound) {
            let name = rule.variables[variable].as_str();
            if told.insert((rule.span, name)) {
                if effort.is_over() {
                    return;
                }
                let bound = rule.variables.iter().zip(&is_bound).filter(|(_, is_bound)| **is_bound);
                let bound: Vec<_> = bound.map(|(name, _)| name.as_str()).collect();
                let occurrence = Occurrence { rule, name, span, place, bound };
                diagnostics.push(report(subject, near, &occurrence));
            }
        }
    }
}

/// An unbound variable at its first occurrence.
struct Occurrence<'r> {
    rule: &'r Rule,
    name: &'r str,
    /// The atom or comparison that contains it.
    span: Span,
    place: &'static str,
    /// The variables that something binds.
    bound: Vec<&'r str>,
}

/// Variables of the head, of negative literals and of comparisons that nothing binds.
fn unbound(rule: &Rule, is_bound: &[bool]) -> Vec<(usize, Span, &'static str)> {
    let mut found = Vec::new();
    let mut see = |term: &crate::rules::Term, span, place| {
        term.for_each_variable(&mut |variable| {
            if !is_bound[variable] {
                found.push((variable, span, place));
            }
        });
    };
    for term in &rule.head.arguments {
        see(term, rule.head.span, "in the head");
    }
    for literal in &rule.body {
        let place = match literal {
            Literal::Positive(_) => continue,
            Literal::Negative(_) => "under `not`",
            Literal::Distinct(..) => "in `distinct`",
            Literal::Same(..) => "in a negated `distinct`",
        };
        for term in literal.terms() {
            see(term, literal.span(), place);
        }
    }
    found
}

fn report(subject: &Subject<'_>, near: &mut Near, found: &Occurrence<'_>) -> Diagnostic {
    let Occurrence { rule, name, place, .. } = found;
    let clause = subject.clause_at(rule.span);
    let term = clause.and_then(|clause| place_of(clause, name, found.span));
    let span = term.map_or(found.span, |term| term.span);
    let shown = term.map_or_else(|| format!("?{name}"), |term| subject.shown_variable(term));
    if clause.is_some_and(|clause| clause.body.is_empty()) {
        let message = format!("{shown} is a variable in a fact");
        let help = "write a constant, or a rule whose body defines the range of the variable";
        return finding("variable-in-fact", span, message).with_help(help);
    }
    let is_bound_elsewhere = clause.is_some_and(|clause| occurs_positively(clause, name));
    let message = if is_bound_elsewhere {
        format!("{shown} occurs {place}, but not every alternative of the body binds it")
    } else {
        format!("{shown} occurs {place}, but no positive literal of the body binds it")
    };
    let help = near
        .find(name, found.bound.iter().copied())
        .map(|bound| format!("did you mean {}? One of the two is a slip", subject.shown_name(rule, bound)))
        .or_else(|| constant_of_that_name(subject, clause, name, &shown))
        .unwrap_or_else(|| format!("add a condition that defines the range of {shown}"));
    let diagnostic = finding("unsafe-variable", span, message).with_help(help);
    match rule.body.first().filter(|_| is_bound_elsewhere) {
        Some(first) => diagnostic.with_note(first.span(), "the alternative that starts here does not"),
        None => diagnostic,
    }
}

/// A constant in the body that is called like the variable: perhaps its question mark is missing.
fn constant_of_that_name(
    subject: &Subject<'_>,
    clause: Option<&Clause>,
    name: &str,
    shown: &str,
) -> Option<String> {
    let symbol = subject.program.symbols.get(name)?;
    let start = clause?.span.start;
    let first = subject.uses.partition_point(|used| used.clause.span.start < start);
    let mut of_clause = subject.uses[first..].iter().take_while(|used| used.clause.span.start == start);
    let is_constant = of_clause.any(|used| used.symbol == symbol && used.kind == UseKind::Constant);
    is_constant.then(|| format!("the body has the constant `{name}`: did you mean {shown}?"))
}

/// Whether the variable is in the head, or in the literal at `literal`.
fn place_of<'a>(clause: &'a Clause, name: &str, literal: Span) -> Option<&'a Term> {
    let mut first = None;
    let mut see = |other: &str, term: &'a Term| {
        if first.is_none() && other == name {
            first = Some(term);
        }
    };
    if clause.head.span == literal {
        clause.head.for_each_variable(&mut see);
    } else if let Some(formula) = clause.body.iter().find(|formula| contains(formula.span(), literal)) {
        formula.for_each_variable(&mut |other, term| {
            if contains(literal, term.span) {
                see(other, term);
            }
        });
    } else {
        clause.for_each_variable(&mut see);
    }
    first
}

fn contains(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// Whether the variable occurs in an atom of the body that is not negated, in some alternative.
fn occurs_positively(clause: &Clause, name: &str) -> bool {
    fn seek(formula: &Formula, is_positive: bool, name: &str) -> bool {
        match formula {
            Formula::Atom(atom) => {
                let mut is_there = false;
                atom.for_each_variable(&mut |other, _| is_there |= other == name);
                is_there && is_positive
            }
            Formula::Distinct(..) => false,
            Formula::Not(_, inner) => seek(inner, !is_positive, name),
            Formula::And(_, parts) | Formula::Or(_, parts) => {
                parts.iter().any(|part| seek(part, is_positive, name))
            }
        }
    }
    clause.body.iter().any(|formula| seek(formula, true, name))
}
