//! Undefined relations, unused relations, and rules that can never apply.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    finding,
    fluents::fluent_of,
    keywords::is_knows,
    near::Near,
    subject::{Subject, Use, UseKind},
};
use crate::{
    diagnostic::Diagnostic,
    id::PredicateId,
    rules::{Keyword, Literal, Rule},
    syntax::print_term,
};

pub(super) fn check(subject: &Subject<'_>, near: &mut Near, diagnostics: &mut Vec<Diagnostic>) {
    let facts = Facts::of(subject);
    check_undefined(subject, &facts, near, diagnostics);
    check_unused(subject, &facts, near, diagnostics);
    check_impossible(subject, &facts, diagnostics);
}

/// What is known about each predicate.
struct Facts {
    /// In how many clauses it is concluded.
    clauses: Vec<u32>,
    is_asked: Vec<bool>,
    is_needed: Vec<bool>,
}

impl Facts {
    fn of(subject: &Subject<'_>) -> Self {
        let program = subject.program;
        let count = program.predicates.len();
        let mut facts =
            Self { clauses: vec![0; count], is_asked: vec![false; count], is_needed: vec![false; count] };
        for used in subject.atoms() {
            let Some(predicate) = subject.predicate(used) else { continue };
            match used.kind {
                UseKind::Head => facts.clauses[predicate.index()] += 1,
                _ => facts.is_asked[predicate.index()] = true,
            }
        }
        let mut needs = vec![Vec::new(); count];
        for edge in &subject.graph.edges {
            needs[edge.head.index()].push(edge.body);
        }
        let mut open: Vec<PredicateId> =
            program.predicate_ids().filter(|&predicate| subject.keyword(predicate).is_some()).collect();
        while let Some(predicate) = open.pop() {
            if !std::mem::replace(&mut facts.is_needed[predicate.index()], true) {
                open.append(&mut needs[predicate.index()]);
            }
        }
        facts
    }
}

impl Facts {
    fn is_concluded(&self, predicate: PredicateId) -> bool {
        self.clauses[predicate.index()] > 0
    }
}

/// Fluents and moves by name and number of arguments: what is no relation, and is easily written as one.
struct Language<'a> {
    fluents: BTreeSet<(&'a str, usize)>,
    moves: BTreeSet<(&'a str, usize)>,
}

/// What other languages write for `<=`.
const ARROWS: [&str; 8] = ["=", "=>", "<-", "->", "<==", "==>", ":-", "if"];

impl<'a> Language<'a> {
    fn of(subject: &Subject<'a>) -> Self {
        let named = |keywords: &[Keyword]| {
            let atoms = keywords.iter().flat_map(|&keyword| subject.atoms_of(keyword));
            let last = atoms.filter_map(|used| used.term.arguments().last()).map(fluent_of);
            last.filter_map(|term| Some((term.name()?, term.arguments().len()))).collect()
        };
        Self {
            fluents: named(&[Keyword::Init, Keyword::True, Keyword::Next, Keyword::Base]),
            moves: named(&[Keyword::Legal, Keyword::Does, Keyword::Input]),
        }
    }

    /// What to write where a condition asks for a fluent or move as if it were a relation.
    fn help_in_body(&self, used: &Use<'_>) -> Option<String> {
        let (name, arity) = (used.name(), used.term.arguments().len());
        let printed = print_term(used.term);
        if self.fluents.contains(&(name, arity)) {
            return Some(format!("`{name}` is a fluent, part of the state: write (true {printed})"));
        }
        let is_move = self.moves.contains(&(name, arity));
        is_move.then(|| format!("`{name}` is a move: write (does ROLE {printed})"))
    }

    /// The same where a clause concludes it.
    fn help_in_head(&self, used: &Use<'_>) -> Option<String> {
        let (name, arity) = (used.name(), used.term.arguments().len());
        if ARROWS.contains(&name) {
            return Some("a rule begins with `<=`: write (<= HEAD CONDITION ...)".to_owned());
        }
        let printed = print_term(used.term);
        let word = if used.clause.body.is_empty() { "init" } else { "next" };
        if self.fluents.contains(&(name, arity)) {
            return Some(format!("`{name}` is a fluent, part of the state: write ({word} {printed})"));
        }
        let is_move = self.moves.contains(&(name, arity));
        is_move.then(|| format!("`{name}` is a move: write (legal ROLE {printed})"))
    }
}

/// The names that an unknown one may have been meant to be, by number of arguments.
fn candidates<'a>(
    subject: &Subject<'a>,
    is_wanted: impl Fn(PredicateId) -> bool,
) -> BTreeMap<usize, Vec<&'a str>> {
    let mut candidates: BTreeMap<usize, Vec<&str>> = BTreeMap::new();
    for keyword in Keyword::ALL {
        candidates.entry(keyword.arity()).or_default().push(keyword.name());
    }
    for predicate in subject.program.predicate_ids().filter(|&predicate| is_wanted(predicate)) {
        let arity = subject.program.predicates[predicate.index()].arity;
        candidates.entry(arity).or_default().push(subject.program.name(predicate));
    }
    candidates
}

fn check_undefined(subject: &Subject<'_>, facts: &Facts, near: &mut Near, diagnostics: &mut Vec<Diagnostic>) {
    let mut is_told = vec![false; facts.is_asked.len()];
    let known = candidates(subject, |predicate| facts.is_concluded(predicate));
    let language = Language::of(subject);
    for used in subject.atoms().filter(|used| used.kind == UseKind::Body) {
        let Some(predicate) = subject.predicate(used) else { continue };
        let index = predicate.index();
        let name = used.name();
        if facts.is_concluded(predicate)
            || subject.word(used.symbol).is_some()
            || is_knows(subject, used)
            || std::mem::replace(&mut is_told[index], true)
        {
            continue;
        }
        let shown = subject.shown(used.term);
        let message = format!("no rule or fact defines `{shown}`, so this never holds");
        let known = known.get(&used.term.arguments().len());
        let of_language = language.help_in_body(used);
        let help = of_language.or_else(|| near.help(name, known.into_iter().flatten().copied()));
        let help =
            help.unwrap_or_else(|| format!("add a rule or fact for `{shown}`, or delete the condition"));
        diagnostics
            .push(finding("undefined-relation", subject.name_span(used.term), message).with_help(help));
    }
}

fn check_unused(subject: &Subject<'_>, facts: &Facts, near: &mut Near, diagnostics: &mut Vec<Diagnostic>) {
    let mut is_told = vec![false; facts.is_asked.len()];
    let known = candidates(subject, |other| facts.is_asked[other.index()] && !facts.is_concluded(other));
    let language = Language::of(subject);
    for used in subject.atoms().filter(|used| used.kind == UseKind::Head) {
        let Some(predicate) = subject.predicate(used) else { continue };
        let index = predicate.index();
        let name = used.name();
        if facts.is_needed[index]
            || subject.word(used.symbol).is_some()
            || std::mem::replace(&mut is_told[index], true)
        {
            continue;
        }
        let span = subject.name_span(used.term);
        let shown = subject.shown(used.term);
        if facts.is_asked[index] {
            let message = format!("`{shown}` is used, but not by anything that the game needs");
            let help = "delete its rules, or use it in a rule that the game needs";
            diagnostics.push(finding("unreachable-relation", span, message).with_help(help));
            continue;
        }
        // What is concluded again and again is no slip of the pen.
        let known = known.get(&used.term.arguments().len()).filter(|_| facts.clauses[index] == 1);
        let help = language
            .help_in_head(used)
            .or_else(|| near.help(name, known.into_iter().flatten().copied()))
            .unwrap_or_else(|| "delete it, or use it where it was intended".to_owned());
        let message = format!("`{shown}` is never used");
        diagnostics.push(finding("unused-relation", span, message).with_help(help));
    }
}

/// Rules with a condition that can never hold, because nothing else makes it true.
fn check_impossible(subject: &Subject<'_>, facts: &Facts, diagnostics: &mut Vec<Diagnostic>) {
    let is_possible = possible(subject);
    // The rule of full sight stands nowhere.
    for rule in subject.program.rules.iter().filter(|rule| rule.span.end > 0) {
        let blocking = positives(rule).find(|(predicate, _)| {
            let is_undefined = !facts.is_concluded(*predicate) && subject.keyword(*predicate).is_none();
            !is_possible[predicate.index()] && !is_undefined
        });
        let Some((predicate, span)) = blocking else { continue };
        let name = subject.program.name(predicate);
        let message = format!("this rule can never apply: `{name}` never holds");
        diagnostics.push(
            finding("impossible-rule", rule.head.span, message)
                .with_note(span, "this condition")
                .with_help(format!("see the findings about the rules for `{name}`")),
        );
    }
}

/// For each predicate, whether some instance could be derived if every negation and comparison held.
fn possible(subject: &Subject<'_>) -> Vec<bool> {
    let program = subject.program;
    let mut is_possible = vec![false; program.predicates.len()];
    let mut unmet: Vec<usize> = program.rules.iter().map(|rule| positives(rule).count()).collect();
    let mut waiting = vec![Vec::new(); program.predicates.len()];
    let mut open = Vec::new();
    for (index, rule) in program.rules.iter().enumerate() {
        for (predicate, _) in positives(rule) {
            waiting[predicate.index()].push(index);
        }
        if unmet[index] == 0 {
            open.push(rule.head.predicate);
        }
    }
    // What the state and the moves are made of comes from `init`, `next` and `legal`.
    let follows = |predicate: PredicateId| match subject.keyword(predicate) {
        Some(Keyword::Init | Keyword::Next) => program.keyword(Keyword::True),
        Some(Keyword::Legal) => program.keyword(Keyword::Does),
        _ => None,
    };
    while let Some(predicate) = open.pop() {
        if std::mem::replace(&mut is_possible[predicate.index()], true) {
            continue;
        }
        open.extend(follows(predicate));
        for &rule in &waiting[predicate.index()] {
            unmet[rule] -= 1;
            if unmet[rule] == 0 {
                open.push(program.rules[rule].head.predicate);
            }
        }
    }
    is_possible
}

fn positives(rule: &Rule) -> impl Iterator<Item = (PredicateId, crate::Span)> + '_ {
    rule.body.iter().filter_map(|literal| match literal {
        Literal::Positive(atom) => Some((atom.predicate, atom.span)),
        Literal::Negative(_) | Literal::Distinct(..) | Literal::Same(..) => None,
    })
}
