//! What each keyword may not depend on, directly or not (Def. 20).

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::{
        Edge,
        Keyword::{self, Base, Does, Goal, Init, Input, Legal, Next, Percept, Terminal, True},
        Literal, Program, TimeMarks,
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
                let dependent = program.name(dependent);
                let source = chain.last().map_or(program.name(source), |edge| word(program, edge));
                let found = finding(code, first.span, format!("`{dependent}` depends on `{source}`"));
                diagnostics.push(with_chain(found, program, &chain[1..]));
            }
        }
    }
}

/// What a rule asks for along an edge, in the words of the text.
fn word<'p>(program: &'p Program, edge: &Edge) -> &'p str {
    let rule = program.rules.get(edge.rule.index());
    let mut atoms = rule.into_iter().flat_map(|rule| rule.body.iter().filter_map(Literal::atom));
    let asked = atoms.find(|atom| atom.predicate == edge.body && atom.span == edge.span);
    asked.map_or(program.name(edge.body), |atom| TimeMarks::of(program).word(program, atom))
}

/// The finding with the steps of a chain; of a long one those at which it begins, and how many follow.
pub(super) fn with_chain(mut found: Diagnostic, program: &Program, chain: &[Edge]) -> Diagnostic {
    for (index, step) in chain.iter().take(STEPS_SHOWN_MAX).enumerate() {
        let (head, body) = (program.name(step.head), word(program, step));
        let mut note = format!("`{head}` depends on `{body}` here");
        if index + 1 == STEPS_SHOWN_MAX && chain.len() > STEPS_SHOWN_MAX {
            note.push_str(&format!(", and so on for {} more steps", chain.len() - STEPS_SHOWN_MAX));
        }
        found = found.with_note(step.span, note);
    }
    found
}
