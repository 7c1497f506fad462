//! Upper and lower case: names that differ only in case are the same, which is not always intended.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    finding,
    subject::{Subject, Use, UseKind},
};
use crate::diagnostic::{Diagnostic, Span};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let has_capitals = subject.text.is_some_and(|text| text.bytes().any(|byte| byte.is_ascii_uppercase()));
    if has_capitals {
        check_names(subject, diagnostics);
        check_variables(subject, diagnostics);
        check_capital_constants(subject, diagnostics);
    }
}

fn check_names(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut first: Vec<Option<(&str, &Use<'_>)>> = vec![None; subject.program.symbols.len()];
    let mut is_told = vec![false; subject.program.symbols.len()];
    for used in &subject.uses {
        let Some(spelled) = subject.spelling(used.term) else { continue };
        let index = used.symbol.index();
        let (known, at) = *first[index].get_or_insert((spelled, used));
        if known != spelled && !is_told[index] {
            is_told[index] = true;
            let message = format!("`{spelled}` is the same name as `{known}`: names are not case-sensitive");
            let found = finding("case-clash", subject.name_span(used.term), message);
            let found = found.with_note(subject.name_span(at.term), "the first spelling");
            diagnostics.push(found.with_help("use one spelling, or rename one of them"));
        }
    }
}

fn check_variables(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut spellings: BTreeMap<&str, (&str, Span)> = BTreeMap::new();
    let mut told: BTreeSet<&str> = BTreeSet::new();
    for clause in subject.clauses {
        spellings.clear();
        told.clear();
        clause.for_each_variable(&mut |name, term| {
            let Some(spelled) = subject.spelling(term) else { return };
            let (known, at) = *spellings.entry(name).or_insert((spelled, term.span));
            if known != spelled && told.insert(name) {
                let message =
                    format!("?{spelled} and ?{known} are the same variable: names are not case-sensitive");
                let found = finding("variable-case", term.span, message).with_note(at, "the first spelling");
                diagnostics.push(found.with_help("use one spelling, or rename one of them"));
            }
        });
    }
}

/// `(<= (p X) (q X))`: in prefix syntax X is a constant, whatever Prolog says.
fn check_capital_constants(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let mut rest = subject.uses.as_slice();
    // Constants of facts are constants wherever they are.
    let mut is_known = vec![false; subject.program.symbols.len()];
    for used in rest.iter().filter(|used| used.kind == UseKind::Constant && used.clause.body.is_empty()) {
        is_known[used.symbol.index()] = true;
    }
    while let Some(first) = rest.first() {
        let clause = first.clause;
        let len = rest.iter().take_while(|used| used.clause.span == clause.span).count();
        let (of_clause, others) = rest.split_at(len);
        rest = others;
        if !clause.body.is_empty() && subject.is_prefix(clause) {
            check_clause(subject, of_clause, &is_known, diagnostics);
        }
    }
}

/// A capitalised constant twice in one rule, in a text whose relations are not capitalised.
fn check_clause(
    subject: &Subject<'_>,
    uses: &[Use<'_>],
    is_known: &[bool],
    diagnostics: &mut Vec<Diagnostic>,
) {
    let is_capital = |used: &Use<'_>| {
        subject
            .spelling(used.term)
            .is_some_and(|spelled| spelled.starts_with(|c: char| c.is_ascii_uppercase()))
    };
    if uses.iter().any(|used| used.kind.is_relation() && is_capital(used)) {
        return;
    }
    let suspects = |used: &&Use<'_>| {
        used.kind == UseKind::Constant && !is_known[used.symbol.index()] && is_capital(used)
    };
    let mut told = BTreeSet::new();
    for used in uses.iter().filter(suspects) {
        let is_repeated = uses.iter().filter(|other| other.symbol == used.symbol).count() > 1;
        if is_repeated && told.insert(used.symbol) {
            let spelled = subject.spelling(used.term).unwrap_or_default();
            let message = format!("`{spelled}` is a constant: variables start with a question mark");
            let help = format!("write ?{} if you mean a variable", used.name());
            diagnostics.push(finding("capital-constant", used.term.span, message).with_help(help));
        }
    }
}
