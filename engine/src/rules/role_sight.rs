//! Full sight for one role, as a rule: what a match adds to a game so that a role may see everything.

use std::collections::BTreeSet;

use crate::{
    diagnostic::Span,
    limits::Limits,
    syntax::{self, Clause, Description, Formula, Syntax, Term, TermKind},
};

/// The function that such percepts have; underscores are added until the rules do not use it.
const FUNCTION: &str = "full_sight";

/// The rules with one more at their end by which `role` sees every move of every role, `random` included:
/// `(<= (sees ROLE (full_sight ?q ?m)) (does ?q ?m))`.
///
/// Since all matches begin in the same state and joint moves decide what follows, the role then knows every state. That
/// holds where percepts are read in the old state; read in the new one alone, no rule can tell moves. Nothing else
/// changes: other percepts, and what others see, stay as they are. Rules in which everybody sees everything already, since
/// they have no `sees`, and rules that have this rule for the role, come back as they are.
///
/// The text itself stays, with its comments; the rule is written in its syntax. The role is not looked for: for a
/// name that is no role the rule says nothing.
#[must_use]
pub fn with_role_sight(text: &str, role: &str, limits: &Limits) -> String {
    let syntax::Reading { syntax, description, .. } = syntax::read(text, Syntax::Auto, limits);
    let is_open = description.clauses.iter().all(|clause| clause.head.name() != Some("sees"));
    if is_open || roles_with_sight(&description).iter().any(|known| known == role) {
        return text.to_owned();
    }
    let mut names = BTreeSet::new();
    for clause in description.clauses.iter().filter(|clause| seer(clause).is_none()) {
        collect_clause(clause, &mut names);
    }
    let mut function = FUNCTION.to_owned();
    while names.contains(&function) {
        function.push('_');
    }
    let clause = clause(role, function);
    let (comment, rule) = match syntax {
        Syntax::Infix => ('%', syntax::print_infix_clause(&clause)),
        Syntax::Prefix | Syntax::Auto => (';', syntax::print_clause(&clause)),
    };
    let break_before = if text.ends_with('\n') { "" } else { "\n" };
    format!("{text}{break_before}\n{comment} Added for a match: full sight for {role}\n\n{rule}\n")
}

/// The roles to which rules give full sight in the way of [`with_role_sight`], in the order of the rules.
#[must_use]
pub fn roles_with_sight(description: &Description) -> Vec<String> {
    let mut roles = Vec::new();
    for role in description.clauses.iter().filter_map(seer) {
        if !roles.contains(&role) {
            roles.push(role);
        }
    }
    roles
}

/// The role to which a clause gives full sight, if it is such a clause.
fn seer(clause: &Clause) -> Option<String> {
    let [role, told] = arguments(&clause.head, "sees")? else { return None };
    let TermKind::Compound(function, [doer, played]) = as_slice(told)? else { return None };
    let [Formula::Atom(body)] = &clause.body[..] else { return None };
    let [who, what] = arguments(body, "does")? else { return None };
    let names = [doer, played, who, what].map(variable_name);
    let is_full = function.trim_end_matches('_') == FUNCTION
        && names.iter().all(Option::is_some)
        && names[0] == names[2]
        && names[1] == names[3]
        && names[0] != names[1];
    let is_ground = !matches!(role.kind, TermKind::Variable(_));
    (is_full && is_ground).then(|| syntax::print_term(role))
}
