//! Fluents, moves and percepts by name: used but never defined, defined but never used, defined
//! but not declared.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    finding,
    near::Near,
    subject::{Subject, UseKind},
};
use crate::{
    diagnostic::{Diagnostic, Span},
    rules::{EXPIRED, Keyword, LASTING},
    syntax::Term,
};

pub(super) fn check(subject: &Subject<'_>, near: &mut Near, diagnostics: &mut Vec<Diagnostic>) {
    let init_and_next = Terms::of(subject, &[Keyword::Init, Keyword::Next], UseKind::Head);
    let read = Terms::of(subject, &[Keyword::True], UseKind::Body);
    let legal = Terms::of(subject, &[Keyword::Legal], UseKind::Head);
    let played = Terms::of(subject, &[Keyword::Does], UseKind::Body);
    let told = Terms::of(subject, &[Keyword::Sees], UseKind::Head);
    let relations = relations(subject);
    report(subject, &read, &init_and_next, diagnostics, |(name, shown), known| {
        let message = format!("no `init` or `next` makes the fluent `{shown}` true");
        let is_relation = relations.contains(&(name, UseKind::Head));
        let of_relation = is_relation.then(|| {
            format!("`{shown}` is concluded as a relation: ask for it without `true`, or conclude it inside (next ...)")
        });
        let help = of_relation.or_else(|| near.help(name, known));
        let help = help.unwrap_or_else(|| "add a rule for `init` or `next`".to_owned());
        finding("undefined-fluent", Span::new(0, 0), message).with_help(help)
    });
    report(subject, &played, &legal, diagnostics, |(name, shown), known| {
        let message = format!("the move `{shown}` is never legal");
        let help = near.help(name, known).unwrap_or_else(|| "add a rule for `legal`".to_owned());
        finding("undefined-move", Span::new(0, 0), message).with_help(help)
    });
    // A fluent that some condition names without its `true` is told of there.
    let is_asked_bare =
        |name| relations.contains(&(name, UseKind::Body)) && !relations.contains(&(name, UseKind::Head));
    let unasked = init_and_next.without(is_asked_bare);
    report(subject, &unasked, &read, diagnostics, |(_, shown), _| {
        let message = format!("no rule uses the fluent `{shown}`");
        let help = "delete it, unless it is there for people to read".to_owned();
        finding("unused-fluent", Span::new(0, 0), message).with_help(help)
    });
    let declarations = [
        ("undeclared-fluent", "fluent", Keyword::Base, &init_and_next),
        ("undeclared-move", "move", Keyword::Input, &legal),
        ("undeclared-percept", "percept", Keyword::Percept, &told),
    ];
    for (code, what, keyword, made) in declarations {
        let declared = Terms::of(subject, &[keyword], UseKind::Head);
        if declared.named.is_empty() && !declared.is_open {
            continue;
        }
        let word = keyword.name();
        report(subject, made, &declared, diagnostics, |(name, shown), known| {
            let message = format!("`{word}` does not declare the {what} `{shown}`");
            let help = near.help(name, known).unwrap_or_else(|| format!("add a rule for `{word}`"));
            finding(code, Span::new(0, 0), message).with_help(help)
        });
    }
}

/// The names of relations, and whether they are concluded or asked for.
fn relations<'a>(subject: &Subject<'a>) -> BTreeSet<(&'a str, UseKind)> {
    subject.atoms().filter_map(|used| Some((used.term.name()?, used.kind))).collect()
}

/// The last arguments of some atoms by name and arity, each with its first occurrence.
struct Terms<'a> {
    named: BTreeMap<(&'a str, usize), &'a Term>,
    /// Whether it is a variable, which can be anything.
    is_open: bool,
}

impl<'a> Terms<'a> {
    fn of(subject: &Subject<'a>, keywords: &[Keyword], kind: UseKind) -> Self {
        let mut terms = Self { named: BTreeMap::new(), is_open: false };
        for &keyword in keywords {
            for used in subject.atoms_of(keyword).filter(|used| used.kind == kind) {
                let Some(last) = used.term.arguments().last().map(fluent_of) else { continue };
                match last.name() {
                    Some(name) => {
                        terms.named.entry((name, last.arguments().len())).or_insert(last);
                    }
                    None => terms.is_open = true,
                }
            }
        }
        terms
    }

    /// The same without some names.
    fn without(&self, is_out: impl Fn(&'a str) -> bool) -> Self {
        let kept = self.named.iter().filter(|((name, _), _)| !is_out(name));
        Self { named: kept.map(|(&key, &term)| (key, term)).collect(), is_open: self.is_open }
    }
}

/// The fluent that a term is when its lifetime is taken away.
pub(super) fn fluent_of(term: &Term) -> &Term {
    match term.name() {
        Some(LASTING | EXPIRED) => term.arguments().last().unwrap_or(term),
        _ => term,
    }
}

/// Reports, with its folded and its written name and its location, each term whose name is not among the `known` ones.
fn report<'a>(
    subject: &Subject<'a>,
    terms: &Terms<'a>,
    known: &Terms<'a>,
    diagnostics: &mut Vec<Diagnostic>,
    mut finding_of: impl FnMut((&str, &str), Vec<&'a str>) -> Diagnostic,
) {
    if known.is_open {
        return;
    }
    for (&(name, arity), term) in &terms.named {
        if !known.named.contains_key(&(name, arity)) {
            let names = known.named.keys().map(|(name, _)| *name).collect();
            let mut found = finding_of((name, subject.shown(term)), names);
            found.span = subject.name_span(term);
            diagnostics.push(found);
        }
    }
}
