//! What each keyword may not depend on, directly or not (Def. 20).

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::Keyword::{self, Base, Does, Goal, Init, Input, Legal, Next, Percept, Terminal, True},
};

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
                let mut found = finding(code, first.span, format!("`{dependent}` depends on `{source}`"));
                for step in &chain[1..] {
                    let (head, body) = (program.name(step.head), program.name(step.body));
                    found = found.with_note(step.span, format!("`{head}` depends on `{body}` here"));
                }
                diagnostics.push(found);
            }
        }
    }
}
