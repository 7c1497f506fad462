//! One name, one number of arguments.

use super::{
    finding,
    subject::{ReservedWord, Subject, Use, UseKind},
};
use crate::diagnostic::Diagnostic;

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let relations = subject.uses.iter().filter(|used| used.kind.is_relation());
    let functions = subject.uses.iter().filter(|used| used.kind == UseKind::Function);
    check_uses(subject, relations, "relation", diagnostics);
    check_uses(subject, functions, "function", diagnostics);
}

/// Reports the first use of each arity of a name but the first.
fn check_uses<'u, 'a: 'u>(
    subject: &Subject<'_>,
    uses: impl Iterator<Item = &'u Use<'a>>,
    what: &str,
    diagnostics: &mut Vec<Diagnostic>,
) {
    let mut seen: Vec<Vec<&Use<'_>>> = vec![Vec::new(); subject.program.symbols.len()];
    for used in uses {
        let known = &mut seen[used.symbol.index()];
        let arity = used.term.arguments().len();
        if known.iter().any(|other| other.term.arguments().len() == arity) {
            continue;
        }
        known.push(used);
        let first = known[0];
        let name = subject.program.symbols.name(used.symbol);
        // A keyword with the wrong number of arguments is a finding of its own.
        let is_keyword = matches!(subject.word(used.symbol), Some(ReservedWord::Keyword(_)));
        if known.len() > 1 && !(what == "relation" && is_keyword) {
            let first_arity = first.term.arguments().len();
            let message =
                format!("the {what} `{name}` has {} here but {first_arity} elsewhere", arguments(arity));
            let found = finding("several-arities", used.term.span, message);
            diagnostics.push(found.with_note(first.term.span, "the first use"));
        }
    }
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}
