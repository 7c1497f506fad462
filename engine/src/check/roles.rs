//! The roles: ground facts, at least one of them a player, each with moves, goals and percepts, and
//! no other names in positions of roles.

use std::collections::{BTreeMap, BTreeSet};

use super::{
    finding,
    near::Near,
    subject::{Subject, UseKind},
};
use crate::{
    diagnostic::{Diagnostic, Span},
    rules::Keyword,
    syntax::{Term, TermKind, print_term},
};

pub(super) fn check(subject: &Subject<'_>, near: &mut Near, diagnostics: &mut Vec<Diagnostic>) {
    let roles = Roles::of(subject, diagnostics);
    if roles.spans.keys().all(|name| name == "random") {
        let help = "declare each player, such as (role alice)";
        diagnostics.push(finding("no-role", Span::new(0, 0), "the game has no player").with_help(help));
    }
    if let Some(&span) = roles.spans.get("random").filter(|_| subject.has_full_sight) {
        let message = "no rule defines `sees`, so every role sees every move, including those of `random`";
        let help = "add rules for `sees` if some moves are hidden";
        diagnostics.push(finding("random-without-sees", span, message).with_help(help));
    }
    if roles.is_whole {
        check_strangers(subject, &roles, near, diagnostics);
        check_provisions(subject, &roles, diagnostics);
    }
}

/// The declared roles by canonical print, and where.
struct Roles {
    spans: BTreeMap<String, Span>,
    /// Whether every declaration could be understood.
    is_whole: bool,
}

impl Roles {
    fn of(subject: &Subject<'_>, diagnostics: &mut Vec<Diagnostic>) -> Self {
        let mut roles = Self { spans: BTreeMap::new(), is_whole: true };
        for used in subject.atoms_of(Keyword::Role).filter(|used| used.kind == UseKind::Head) {
            let role = &used.term.arguments()[0];
            let span = used.clause.span;
            if !used.clause.body.is_empty() || !role.is_ground() {
                let message = "roles are fixed: `role` must be a fact without variables";
                let help = "write one fact for each role, such as (role alice)";
                diagnostics.push(finding("role-not-fact", span, message).with_help(help));
                roles.is_whole = false;
                continue;
            }
            let name = print_term(role);
            if let Some(&first) = roles.spans.get(&name) {
                let message = format!("the role {name} is declared twice");
                diagnostics
                    .push(finding("repeated-role", span, message).with_note(first, "first declared here"));
                continue;
            }
            if matches!(role.kind, TermKind::Compound(..)) {
                let message = format!("the role {name} is not one word");
                let help = "use a constant as the role's name: other programs expect that";
                diagnostics.push(finding("compound-role", role.span, message).with_help(help));
            }
            roles.spans.insert(name, span);
        }
        roles
    }
}

/// The relations whose first argument is a role.
const OF_ROLES: [Keyword; 7] = [
    Keyword::Role,
    Keyword::Legal,
    Keyword::Does,
    Keyword::Goal,
    Keyword::Sees,
    Keyword::Input,
    Keyword::Percept,
];

fn check_strangers(subject: &Subject<'_>, roles: &Roles, near: &mut Near, diagnostics: &mut Vec<Diagnostic>) {
    for keyword in OF_ROLES {
        for used in subject.atoms_of(keyword) {
            let named = &used.term.arguments()[0];
            if !named.is_ground() {
                continue;
            }
            let name = print_term(named);
            if roles.spans.contains_key(&name) {
                continue;
            }
            let help = if name == "random" {
                "declare (role random)".to_owned()
            } else {
                let known = roles.spans.keys().map(String::as_str);
                near.help(&name, known).unwrap_or_else(|| format!("declare (role {name})"))
            };
            let effect = match used.kind {
                UseKind::Head => "is ignored",
                _ => "never holds",
            };
            let message = format!("{name} is not a role, so this `{}` {effect}", keyword.name());
            diagnostics.push(finding("not-a-role", named.span, message).with_help(help));
        }
    }
}

/// What each role needs: moves, and for players a goal and, if there are percepts, one of them.
fn check_provisions(subject: &Subject<'_>, roles: &Roles, diagnostics: &mut Vec<Diagnostic>) {
    let needs = [
        (Keyword::Legal, "role-without-moves", "no rule gives it a legal move"),
        (Keyword::Goal, "role-without-goal", "no rule gives it a goal"),
        (Keyword::Sees, "role-without-percepts", "no rule lets it see anything"),
    ];
    for (keyword, code, what) in needs {
        // A text that has none at all is told so once.
        if !subject.atoms_of(keyword).any(|used| used.kind == UseKind::Head) {
            continue;
        }
        let heads = subject.atoms_of(keyword).filter(|used| used.kind == UseKind::Head);
        let heads: Vec<&Term> = heads.map(|used| &used.term.arguments()[0]).collect();
        if heads.iter().any(|term| !term.is_ground()) {
            continue;
        }
        let named: BTreeSet<String> = heads.into_iter().map(print_term).collect();
        for (name, &span) in &roles.spans {
            if name == "random" && keyword != Keyword::Legal {
                continue;
            }
            if !named.contains(name) {
                let message = format!("{name} is a role, and {what}");
                let help = match keyword {
                    Keyword::Legal => format!("add a rule such as (<= (legal {name} noop) ...)"),
                    Keyword::Goal => format!("add a rule such as (<= (goal {name} 50) ...)"),
                    _ => "add rules for `sees` if it should be told anything".to_owned(),
                };
                diagnostics.push(finding(code, span, message).with_help(help));
            }
        }
    }
}
