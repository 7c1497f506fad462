//! The relations of the language in their places (Def. 20), with their arities.

use super::finding;
use crate::{
    diagnostic::{Diagnostic, Span},
    rules::{DependencyGraph, Keyword, Literal, Program},
};

/// Words that are no relations.
const OPERATORS: [&str; 5] = ["<=", "not", "and", "or", "distinct"];

pub(super) fn check(program: &Program, graph: &DependencyGraph, diagnostics: &mut Vec<Diagnostic>) {
    check_arities(program, diagnostics);
    check_heads(program, diagnostics);
    check_bodies(program, diagnostics);
    check_dependencies(program, graph, diagnostics);
    check_presence(program, diagnostics);
}

fn check_arities(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let heads = program.rules.iter().map(|rule| &rule.head);
    let bodies = program.rules.iter().flat_map(|rule| rule.body.iter().filter_map(Literal::atom));
    for atom in heads.chain(bodies) {
        let name = program.name(atom.predicate);
        let keyword = Keyword::ALL.into_iter().find(|keyword| keyword.name() == name);
        let arity = atom.arguments.len();
        if let Some(keyword) = keyword.filter(|keyword| keyword.arity() != arity) {
            let message = format!("`{name}` takes {} arguments, not {arity}", keyword.arity());
            diagnostics.push(finding("keyword-arity", atom.span, message));
        }
    }
}

fn check_heads(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    for rule in &program.rules {
        let name = program.name(rule.head.predicate);
        let message = match program.as_keyword(rule.head.predicate) {
            Some(Keyword::True) => "`true` says what the state is; rules conclude `next` or `init`",
            Some(Keyword::Does) => "`does` says what was played; rules conclude `legal`",
            _ if OPERATORS.contains(&name) => "an operator cannot be concluded",
            _ => continue,
        };
        diagnostics.push(finding("keyword-in-head", rule.head.span, message));
    }
}

fn check_bodies(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    let only_in_heads =
        [Keyword::Init, Keyword::Next, Keyword::Sees, Keyword::Base, Keyword::Input, Keyword::Percept];
    for atom in program.rules.iter().flat_map(|rule| rule.body.iter().filter_map(Literal::atom)) {
        if let Some(keyword) = program.as_keyword(atom.predicate).filter(|word| only_in_heads.contains(word))
        {
            let message = format!("`{}` belongs in heads only", keyword.name());
            let help = "give the condition a name of its own and use it in both places";
            diagnostics.push(finding("keyword-in-body", atom.span, message).with_help(help));
        }
    }
}

/// What each keyword may not depend on, directly or not.
fn check_dependencies(program: &Program, graph: &DependencyGraph, diagnostics: &mut Vec<Diagnostic>) {
    use Keyword::{Base, Does, Goal, Init, Input, Legal, Next, Percept, Terminal, True};
    let rules: [(&'static str, &[Keyword], &[Keyword]); 3] = [
        ("depends-on-state", &[Init], &[True, Does, Next, Legal, Goal, Terminal]),
        ("declaration-depends-on-state", &[Base, Input, Percept], &[True, Does]),
        ("depends-on-does", &[Legal, Goal, Terminal], &[Does]),
    ];
    for (code, dependents, sources) in rules {
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

fn check_presence(program: &Program, diagnostics: &mut Vec<Diagnostic>) {
    for keyword in [Keyword::Legal, Keyword::Goal, Keyword::Terminal] {
        let predicate = program.keyword(keyword);
        if !program.rules.iter().any(|rule| Some(rule.head.predicate) == predicate) {
            let message = format!("no rule concludes `{}`", keyword.name());
            diagnostics.push(finding("missing-keyword", Span::new(0, 0), message));
        }
    }
}
