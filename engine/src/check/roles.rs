//! The roles: ground facts, at least one of them a player.

use super::finding;
use crate::{
    diagnostic::{Diagnostic, Span},
    rules::{Keyword, Program},
};

pub(super) fn check(program: &Program, has_full_sight: bool, diagnostics: &mut Vec<Diagnostic>) {
    let predicate = program.keyword(Keyword::Role);
    let mut names: Vec<(String, Span)> = Vec::new();
    let mut random = None;
    for rule in program.rules.iter().filter(|rule| Some(rule.head.predicate) == predicate) {
        if !rule.body.is_empty() || !rule.head.arguments[0].is_ground() {
            let message = "roles are fixed: `role` is a ground fact";
            diagnostics.push(finding("role-not-fact", rule.span, message));
            continue;
        }
        let name = program.print_term(&rule.head.arguments[0], &[]);
        if let Some((_, first)) = names.iter().find(|(known, _)| *known == name) {
            let message = format!("the role {name} is declared twice");
            diagnostics.push(finding("repeated-role", rule.span, message).with_note(*first, "first here"));
        } else if name == "random" {
            random = Some(rule.span);
            names.push((name, rule.span));
        } else {
            names.push((name, rule.span));
        }
    }
    if names.iter().all(|(name, _)| name == "random") {
        let help = "declare each player, such as (role alice)";
        diagnostics.push(finding("no-role", Span::new(0, 0), "the game has no player").with_help(help));
    }
    if let Some(span) = random.filter(|_| has_full_sight) {
        let message = "no rule concludes `sees`, so every role sees every move, those of `random` included";
        let help = "add rules for `sees` if something is hidden";
        diagnostics.push(finding("random-without-sees", span, message).with_help(help));
    }
}
