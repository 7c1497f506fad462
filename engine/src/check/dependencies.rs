//! What each keyword may not depend on, directly or not (Def. 20).

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::{
        Edge,
        Keyword::{self, Base, Does, Goal, Init, Input, Legal, Next, Percept, Terminal, True},
        Program,
    },
};

/// Nobody follows a chain of a thousand relations by eye.
const STEPS_SHOWN_MAX: usize = 20;

/// A code, the keywords that it is about, and what they must not depend on.
const RULES: [(&str, &[Keyword], &[Keyword]); 3] = [
    ("depends-on-state", &[Init], &[True, Does, Next, Legal, Goal, Terminal]),
    ("declaration-depends-on-state", &[Base, Input, Percept], &[True, Does]),
    ("depends-on-does", &[Legal, Goal, Terminal], &[Does]),
];

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let (program, graph) = (subject.program, subject.graph);
    for (code, dependents, sources) in RULES {
        for dependent in dependents.iter().filter_map(|&keyword| program.keyword(keyword)) {
            for source in sources.iter().filter_map(|&keyword| program.keyword(keyword)) {
                let chain = graph.chain(dependent, source);
                let Some(first) = chain.first() else { continue };
                let (dependent, source) = (program.name(dependent), program.name(source));
                let found = finding(code, first.span, format!("`{dependent}` depends on `{source}`"));
                diagnostics.push(with_chain(found, program, &chain[1..]));
            }
        }
    }
}

/// The finding with the steps of a chain; of a long one those at which it begins, and how many follow.
pub(super) fn with_chain(mut found: Diagnostic, program: &Program, chain: &[Edge]) -> Diagnostic {
    for (index, step) in chain.iter().take(STEPS_SHOWN_MAX).enumerate() {
        let (head, body) = (program.name(step.head), program.name(step.body));
        let mut note = format!("`{head}` depends on `{body}` here");
        if index + 1 == STEPS_SHOWN_MAX && chain.len() > STEPS_SHOWN_MAX {
            note.push_str(&format!(", and so on for {} more steps", chain.len() - STEPS_SHOWN_MAX));
        }
        found = found.with_note(step.span, note);
    }
    found
}
