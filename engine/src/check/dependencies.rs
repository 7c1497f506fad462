//! Forbidden dependencies of keywords, direct or indirect (Def. 20).

use super::{finding, subject::Subject};
use crate::{
    diagnostic::Diagnostic,
    rules::{
        Edge,
        Keyword::{self, Base, Does, Goal, Init, Input, Legal, Next, Percept, Terminal, True},
        Literal, Program, TimeMarks,
    },
};

/// Longer chains of relations are not useful to a reader.
const STEPS_SHOWN_MAX: usize = 20;

/// What keywords must not depend on.
struct Ban {
    code: &'static str,
    dependents: &'static [Keyword],
    sources: &'static [Keyword],
    help: &'static str,
}

const BANS: [Ban; 3] = [
    Ban {
        code: "depends-on-state",
        dependents: &[Init],
        sources: &[True, Does, Next, Legal, Goal, Terminal],
        help: "the first state comes from nothing: use facts that hold in every state",
    },
    Ban {
        code: "declaration-depends-on-state",
        dependents: &[Base, Input, Percept],
        sources: &[True, Does],
        help: "declare everything that can be, from facts that hold in every state",
    },
    Ban {
        code: "depends-on-does",
        dependents: &[Legal, Goal, Terminal],
        sources: &[Does],
        help: "moves are known to rules for `next` and `sees` alone: keep what was played, (<= (next FLUENT) (does ROLE MOVE)), \
               and ask for (true FLUENT)",
    },
];

pub(super) fn check(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) {
    let (program, graph) = (subject.program, subject.graph);
    for Ban { code, dependents, sources, help } in BANS {
        for dependent in dependents.iter().filter_map(|&keyword| program.keyword(keyword)) {
            for source in sources.iter().filter_map(|&keyword| program.keyword(keyword)) {
                let chain = graph.chain(dependent, source);
                let Some(first) = chain.first() else { continue };
                let dependent = program.name(dependent);
                let source = chain.last().map_or(program.name(source), |edge| word(program, edge));
                let found = finding(code, first.span, format!("`{dependent}` depends on `{source}`"));
                let found = found.with_help(help);
                diagnostics.push(with_chain(found, program, &chain[1..]));
            }
        }
    }
}

/// The condition of a rule along an edge, in the words of the text.
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
