//! Names in unusual places: words of the language as terms, numbers as relations, one name for a
//! relation and a function, characters that other systems read as quotes.

use std::collections::BTreeSet;

use super::{
    finding,
    subject::{ReservedWord, Subject, Use, UseKind, is_operator},
};
use crate::{
    diagnostic::{Diagnostic, Span},
    id::SymbolId,
    syntax::{Formula, print_formula},
};

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    check_bare_operators(subject, diagnostics);
    let heads = subject.uses.iter().filter(|used| used.kind == UseKind::Head);
    let concluded: BTreeSet<SymbolId> = heads.map(|used| used.symbol).collect();
    let mut seen = vec![FirstUses::default(); subject.program.symbols.len()];
    for used in &subject.uses {
        let seen = &mut seen[used.symbol.index()];
        let is_concluded = concluded.contains(&used.symbol);
        check_first_use(subject, used, seen, is_concluded, diagnostics);
        let first = match used.kind {
            UseKind::Head | UseKind::Body => &mut seen.relation,
            UseKind::Function => &mut seen.function,
            UseKind::Constant => &mut seen.constant,
        };
        first.get_or_insert(used.term.span);
    }
}

/// The first use of a name in each kind of position.
#[derive(Clone, Default)]
struct FirstUses {
    relation: Option<Span>,
    function: Option<Span>,
    constant: Option<Span>,
}

/// What is said once of a name, at the first use that shows it. A relation that nothing concludes and that is also a
/// function is most often a fluent without its `true`, and a finding of its own.
fn check_first_use(
    subject: &Subject<'_>,
    used: &Use<'_>,
    seen: &FirstUses,
    is_concluded: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (name, span) = (used.name(), used.term.span);
    if seen.relation.is_none() && seen.function.is_none() && seen.constant.is_none() {
        check_characters(name, span, subject, diagnostics);
    }
    let word = subject.word(used.symbol);
    let is_keyword = matches!(word, Some(ReservedWord::Keyword(_)));
    let is_operator = word == Some(ReservedWord::Operator);
    match used.kind {
        UseKind::Head | UseKind::Body => {
            if seen.relation.is_none() {
                check_relation(subject, used, seen, is_concluded, diagnostics);
            }
        }
        UseKind::Function if is_operator => {
            let message = format!("`{name}` connects conditions and cannot occur inside a term");
            let help = format!("move `{name}` outside the term, as in (not (true FLUENT))");
            diagnostics.push(finding("operator-as-term", span, message).with_help(help));
        }
        UseKind::Function if seen.function.is_none() => {
            if is_keyword {
                let message = format!("`{name}` is a keyword; here it is read as a function");
                let is_fact = used.clause.body.is_empty();
                let help = match name {
                    "true" | "does" if is_fact => {
                        "a rule begins with `<=`, and conditions follow its head: (<= HEAD CONDITION ...)"
                    }
                    _ => "rename the function",
                };
                diagnostics.push(finding("keyword-as-function", span, message).with_help(help));
            } else if let Some(relation) = seen.relation.filter(|_| is_concluded) {
                report_shared_name(name, span, "function", "relation", relation, diagnostics);
            }
        }
        UseKind::Constant if is_operator => {
            let message = format!("`{name}` connects conditions and cannot be a constant");
            let help = "close the parenthesis before it, or rename the constant";
            diagnostics.push(finding("operator-as-term", span, message).with_help(help));
        }
        UseKind::Constant if is_keyword && seen.constant.is_none() => {
            let message = format!("`{name}` is a keyword; here it is read as a constant");
            diagnostics.push(finding("keyword-as-constant", span, message).with_help("rename the constant"));
        }
        UseKind::Function | UseKind::Constant => {}
    }
}

fn check_relation(
    subject: &Subject<'_>,
    used: &Use<'_>,
    seen: &FirstUses,
    is_concluded: bool,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let (name, span) = (used.name(), used.term.span);
    if name.parse::<i128>().is_ok() {
        let message = format!("the number {name} is used as a relation");
        let help = "write the relation's name before it, or delete a parenthesis";
        diagnostics
            .push(finding("number-as-relation", subject.name_span(used.term), message).with_help(help));
    }
    if let Some(function) = seen.function.filter(|_| is_concluded && subject.word(used.symbol).is_none()) {
        report_shared_name(name, span, "relation", "function", function, diagnostics);
    }
}

fn report_shared_name(
    name: &str,
    span: Span,
    here: &str,
    there: &str,
    first: Span,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let message = format!("`{name}` is a {here} here but a {there} elsewhere");
    let found = finding("shared-name", span, message).with_note(first, format!("the {there}"));
    diagnostics.push(
        found.with_help("if a condition ended up inside a term, move it out; otherwise rename one of them"),
    );
}

/// Characters that other systems give a meaning: quotes, block comments.
fn check_characters(name: &str, span: Span, subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let Some(found) =
        name.chars().find(|c| matches!(c, '|' | '"' | '#' | '\'' | '`' | '\\') || !c.is_ascii())
    else {
        return;
    };
    let name = name.escape_debug();
    let message = if found.is_ascii() {
        format!("`{found}` is part of the name `{name}`: GDL has no quotes and no block comments")
    } else {
        format!("the name `{name}` has a character outside ASCII")
    };
    let place = subject.uses.iter().find(|used| used.term.span == span);
    let span = place.map_or(span, |used| subject.name_span(used.term));
    diagnostics.push(
        finding("unusual-characters", span, message)
            .with_help("use letters, digits and underscores; comments start with `;`"),
    );
}

/// `not open` where `(not open)` was meant.
fn check_bare_operators(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    for clause in subject.clauses {
        bare_operators(&clause.body, diagnostics);
    }
}

fn bare_operators(formulas: &[Formula], diagnostics: &mut Vec<Diagnostic>) {
    for (index, formula) in formulas.iter().enumerate() {
        match formula {
            Formula::Atom(atom) => {
                let Some(name) = atom.name().filter(|name| is_operator(name)) else { continue };
                let following = formulas.get(index + 1);
                let span = following.map_or(atom.span, |next| atom.span.to(next.span()));
                let help = match (name, following) {
                    ("not", Some(next)) => format!("write (not {})", print_formula(next)),
                    ("and", _) => "delete it: a body is already a conjunction".to_owned(),
                    ("or", _) => "write (or FORMULA FORMULA)".to_owned(),
                    ("distinct", _) => "write (distinct TERM TERM)".to_owned(),
                    _ => format!("write ({name} FORMULA)"),
                };
                let message = format!("`{name}` needs parentheses around it and its arguments");
                diagnostics.push(finding("bare-operator", span, message).with_help(help));
            }
            Formula::Distinct(..) => {}
            Formula::Not(_, inner) => bare_operators(std::slice::from_ref(&**inner), diagnostics),
            Formula::And(_, parts) | Formula::Or(_, parts) => bare_operators(parts, diagnostics),
        }
    }
}
