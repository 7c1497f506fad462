//! Full sight for one role, as a rule: the addition to a game's rules that lets a role see everything.

use std::collections::BTreeSet;

use super::full_sight::is_open;
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
/// Since all matches start in the same state and joint moves determine what follows, the role then knows every state. This
/// holds if percepts are evaluated in the old state; if they are evaluated only in the new one, no rule can reveal moves. Nothing else
/// changes: other percepts, and those of other roles, stay the same. Rules in which everyone already sees everything, because
/// they have no `sees`, and rules that already have this rule for the role, are returned unchanged.
///
/// The text is kept, with its comments; the rule is written in its syntax. It is not checked that the role exists: for an
/// unknown name the rule has no effect.
#[must_use]
pub fn with_role_sight(text: &str, role: &str, limits: &Limits) -> String {
    let syntax::Reading { syntax, description, .. } = syntax::read(text, Syntax::Auto, limits);
    if is_open(&description) || roles_with_sight(&description).iter().any(|known| known == role) {
        return text.to_owned();
    }
    let used = names(description.clauses.iter().filter(|clause| seer(clause).is_none()));
    let mut function = FUNCTION.to_owned();
    while used.contains(&*function) {
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
    let [role, told] = pair(&clause.head, "sees")?;
    let [Formula::Atom(body)] = &clause.body[..] else { return None };
    let [doer, played] = pair(told, told.name()?)?;
    let [who, what] = pair(body, "does")?.map(variable);
    let is_full = told.name()?.trim_end_matches('_') == FUNCTION
        && who.is_some()
        && what.is_some()
        && who != what
        && [variable(doer), variable(played)] == [who, what];
    (is_full && role.is_ground()).then(|| syntax::print_term(role))
}

fn clause(role: &str, function: String) -> Clause {
    let [doer, played] = ["q", "m"].map(|name| term(TermKind::Variable(name.to_owned())));
    let told = term(TermKind::Compound(function, vec![doer.clone(), played.clone()]));
    let role = term(TermKind::Constant(role.to_owned()));
    Clause {
        span: NOWHERE,
        head: term(TermKind::Compound("sees".to_owned(), vec![role, told])),
        body: vec![Formula::Atom(term(TermKind::Compound("does".to_owned(), vec![doer, played])))],
    }
}

/// The added rule has no location until its text is parsed.
const NOWHERE: Span = Span { start: 0, end: 0 };

fn term(kind: TermKind) -> Term {
    Term { span: NOWHERE, kind }
}

/// The two arguments of an atom of this name.
fn pair<'t>(atom: &'t Term, name: &str) -> Option<[&'t Term; 2]> {
    match &atom.kind {
        TermKind::Compound(found, arguments) if found == name => match &arguments[..] {
            [first, second] => Some([first, second]),
            _ => None,
        },
        _ => None,
    }
}

fn variable(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Variable(name) => Some(name),
        TermKind::Constant(_) | TermKind::Compound(..) => None,
    }
}

/// The functions and constants that occur in clauses.
fn names<'c>(clauses: impl Iterator<Item = &'c Clause>) -> BTreeSet<&'c str> {
    let mut names = BTreeSet::new();
    for clause in clauses {
        clause.for_each_term(&mut |term| names.extend(term.name()));
    }
    names
}

#[cfg(test)]
mod tests {
    use super::{roles_with_sight, with_role_sight};
    use crate::{
        limits::Limits,
        syntax::{Syntax, read},
    };

    const CARDS: &str = "(role alice) (role bob) ; two\n(<= (sees alice ?c) (does random (deal ?c)))";

    fn roles(text: &str) -> Vec<String> {
        roles_with_sight(&read(text, Syntax::Auto, &Limits::STANDARD).description)
    }

    fn added(text: &str, role: &str) -> String {
        let whole = with_role_sight(text, role, &Limits::STANDARD);
        whole.strip_prefix(text).expect("the text stays").to_owned()
    }

    #[test]
    fn a_rule_is_added_in_the_syntax_of_the_text() {
        let prefix = "\n\n; Added for a match: full sight for bob\n\n\
                      (<= (sees bob (full_sight ?q ?m))\n    (does ?q ?m))\n";
        assert_eq!(added(CARDS, "bob"), prefix);
        let infix = "role(alice)\nsees(alice, C) :- does(random, deal(C))\n";
        let whole = with_role_sight(infix, "bob", &Limits::STANDARD);
        assert!(whole.contains("% Added for a match: full sight for bob"), "{whole}");
        assert_eq!(roles(&whole), ["bob"]);
    }

    #[test]
    fn a_role_is_given_sight_once_and_others_after_it() {
        let bob = with_role_sight(CARDS, "bob", &Limits::STANDARD);
        assert_eq!(roles(CARDS), [""; 0]);
        assert_eq!(roles(&bob), ["bob"]);
        assert_eq!(added(&bob, "bob"), "");
        let both = with_role_sight(&bob, "alice", &Limits::STANDARD);
        assert_eq!(roles(&both), ["bob", "alice"]);
        assert!(both.ends_with("(<= (sees alice (full_sight ?q ?m))\n    (does ?q ?m))\n"), "{both}");
    }

    #[test]
    fn what_is_open_to_all_stays_as_it_is() {
        assert_eq!(added("(role x) (role o) (legal x go)", "x"), "");
    }

    #[test]
    fn percepts_of_the_rules_are_never_taken_for_those_of_the_rule() {
        let text = format!("{CARDS} (<= (sees bob (full_sight bob go)) (not (true (full_sight_))))");
        assert!(added(&text, "bob").contains("(full_sight__ ?q ?m)"));
        for other in [
            "(<= (sees bob (full_sight ?q ?q)) (does ?q ?q))",
            "(<= (sees bob (full_sight ?q ?m)) (does ?q ?m) (true on))",
            "(<= (sees ?r (full_sight ?q ?m)) (does ?q ?m))",
            "(<= (sees bob (full_sight ?m ?q)) (does ?q ?m))",
            "(<= (sees bob (full_sight ?q ?m)) (not (does ?q ?m)))",
        ] {
            assert_eq!(roles(other), [""; 0], "{other}");
        }
    }
}
