//! Lifetimes and expiries that are probably mistakes.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    finding,
    subject::{Subject, UseKind},
};
use crate::{
    diagnostic::Diagnostic,
    id::PredicateId,
    lifetime::{INFINITY, Lifetime},
    rules::{EXPIRED, Keyword, LASTING, Literal, Program, Term, TimeMarks},
    syntax::{self, TermKind},
};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    if subject.is_real_time {
        check_expiries(subject, diagnostics);
        check_legal(subject, diagnostics);
        check_lifetimes(subject, diagnostics);
    }
}

/// `expired` of a fluent whose lifetime is always infinite.
fn check_expiries(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut ends: BTreeMap<(&str, usize), bool> = BTreeMap::new();
    let mut is_open = false;
    for keyword in [Keyword::Init, Keyword::Next] {
        for used in subject.atoms_of(keyword).filter(|used| used.kind == UseKind::Head) {
            let Some((lifetime, fluent)) = lasting(&used.term.arguments()[0]) else { continue };
            let can_end =
                lifetime.name() != Some(INFINITY) && !carries_its_own(used.clause, lifetime, fluent);
            match fluent.name() {
                Some(name) => *ends.entry((name, fluent.arguments().len())).or_default() |= can_end,
                None => is_open |= can_end,
            }
        }
    }
    for used in subject.atoms_of(Keyword::True).filter(|used| used.kind == UseKind::Body && !is_open) {
        let marked = &used.term.arguments()[0];
        let Some(fluent) = marked.arguments().first().filter(|_| marked.name() == Some(EXPIRED)) else {
            continue;
        };
        let Some(name) = fluent.name() else { continue };
        if ends.get(&(name, fluent.arguments().len())) == Some(&false) {
            let message =
                format!("`{}` never expires: its lifetime is always infinite", subject.shown(fluent));
            let help = "give it a finite lifetime in `init` or `next`";
            diagnostics.push(finding("never-expires", used.term.span, message).with_help(help));
        }
    }
}

/// Lifetime and fluent of a fluent that has both.
fn lasting(term: &syntax::Term) -> Option<(&syntax::Term, &syntax::Term)> {
    match term.arguments() {
        [lifetime, fluent] if term.name() == Some(LASTING) => Some((lifetime, fluent)),
        _ => None,
    }
}

/// Whether a clause only keeps a fluent with the lifetime that it has.
fn carries_its_own(clause: &syntax::Clause, lifetime: &syntax::Term, fluent: &syntax::Term) -> bool {
    let TermKind::Variable(wanted) = &lifetime.kind else { return false };
    clause.body.iter().any(|formula| {
        let syntax::Formula::Atom(atom) = formula else { return false };
        let Some((time, kept)) = atom.arguments().first().and_then(lasting) else { return false };
        let is_same = |name: &String| name == wanted;
        matches!(&time.kind, TermKind::Variable(name) if is_same(name))
            && kept.name() == fluent.name()
            && kept.arguments().len() == fluent.arguments().len()
    })
}

/// `legal` that depends on an expiry.
fn check_legal(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let program = subject.program;
    let Some(legal) = program.keyword(Keyword::Legal) else { return };
    let mut needed: BTreeSet<PredicateId> = BTreeSet::from([legal]);
    let mut open = vec![legal];
    while let Some(predicate) = open.pop() {
        for edge in subject.graph.edges.iter().filter(|edge| edge.head == predicate) {
            if needed.insert(edge.body) {
                open.push(edge.body);
            }
        }
    }
    let marks = TimeMarks::of(program);
    for rule in program.rules.iter().filter(|rule| needed.contains(&rule.head.predicate)) {
        for atom in rule.body.iter().filter_map(Literal::atom).filter(|atom| marks.is_expiry(atom)) {
            let name = program.name(rule.head.predicate);
            let message = match rule.head.predicate == legal {
                true => {
                    "`legal` uses `expired`, but nothing has just expired when a move is judged".to_owned()
                }
                false => format!(
                    "`legal` depends on `{name}`, which uses `expired`; nothing has just expired when a move is judged"
                ),
            };
            let help = "define a fluent for it with `next`, and use that fluent";
            diagnostics.push(finding("expired-in-legal", atom.span, message).with_help(help));
        }
    }
}

/// Lifetimes of heads that come from relations whose values are not lifetimes.
fn check_lifetimes(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let program = subject.program;
    let marks = TimeMarks::of(program);
    for rule in &program.rules {
        let Some(Term::Variable(variable)) = marks.lifetime(&rule.head) else { continue };
        let time = Term::Variable(*variable);
        let is_a_lifetime = |literal: &Literal| match literal {
            Literal::Positive(atom) => marks.lifetime(atom) == Some(&time),
            _ => false,
        };
        if rule.body.iter().any(is_a_lifetime) {
            continue;
        }
        let bound = rule.body.iter().find_map(|literal| match literal {
            Literal::Positive(atom) => {
                let place = atom.arguments.iter().position(|term| *term == time)?;
                Some((atom, values(program, atom.predicate, place)?))
            }
            _ => None,
        });
        let Some((atom, values)) = bound else { continue };
        let Some(wrong) = values.iter().find(|value| value.parse::<Lifetime>().is_err()) else { continue };
        let message = format!(
            "the lifetime {} can be `{wrong}`, which is not a lifetime",
            subject.shown_name(rule, &rule.variables[*variable])
        );
        let found = finding("variable-lifetime", rule.head.span, message)
            .with_note(atom.span, "its values come from here");
        diagnostics.push(found.with_help("bind it to numbers, or to the lifetime of a `true`"));
    }
}

/// The constants at a position of a relation that only facts define.
fn values(program: &Program, predicate: PredicateId, place: usize) -> Option<Vec<&str>> {
    if program.as_keyword(predicate).is_some() {
        return None;
    }
    let rules = program.rules.iter().filter(|rule| rule.head.predicate == predicate);
    rules
        .map(|rule| match rule.head.arguments.get(place) {
            Some(Term::Constant(symbol)) => Some(program.symbols.name(*symbol)),
            _ => None,
        })
        .collect()
}
