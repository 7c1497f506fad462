//! The only place that turns a game without `sees` into a game in which everyone sees everything.

use super::{Keyword, ordinary_words};
use crate::{
    diagnostic::Span,
    syntax::{Clause, Description, Formula, Term, TermKind},
};

/// The description itself, or, if no clause concludes the `sees` of the language, the description with
/// `(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))` added; and whether it was added.
#[must_use]
pub fn with_full_sight(mut description: Description) -> (Description, bool) {
    let is_full = is_open(&description);
    if is_full {
        let [reader, doer, played] = ["r", "q", "m"].map(variable);
        let did = compound("did", vec![doer.clone(), played.clone()]);
        description.clauses.push(Clause {
            span: NOWHERE,
            head: compound("sees", vec![reader.clone(), did]),
            body: vec![
                Formula::Atom(compound("role", vec![reader])),
                Formula::Atom(compound("does", vec![doer, played])),
            ],
        });
    }
    (description, is_full)
}

/// Whether no rule says who sees what: no clause defines `sees`, unless as an ordinary relation.
pub(super) fn is_open(description: &Description) -> bool {
    description.clauses.iter().all(|clause| clause.head.name() != Some(Keyword::Sees.name()))
        || ordinary_words(&description.clauses).contains(&Keyword::Sees)
}

/// Whether everybody sees every move by one rule and nothing else: that of [`with_full_sight`], added or written out, perhaps with
/// another word for `did`. Rules that show as much in another way are not recognised.
#[must_use]
pub fn shows_every_move(description: &Description) -> bool {
    let clauses = &description.clauses;
    let mut sees = clauses.iter().filter(|clause| clause.head.name() == Some(Keyword::Sees.name()));
    let (Some(clause), None) = (sees.next(), sees.next()) else { return false };
    !ordinary_words(clauses).contains(&Keyword::Sees) && tells_all(clause)
}

/// Whether a clause is `(<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))`, but for names and order.
fn tells_all(clause: &Clause) -> bool {
    let (Some([reader, told]), [Formula::Atom(one), Formula::Atom(other)]) =
        (two_arguments(&clause.head, Keyword::Sees.name()), clause.body.as_slice())
    else {
        return false;
    };
    let TermKind::Compound(_, told) = &told.kind else { return false };
    let is_role = |atom: &Term| {
        let TermKind::Compound(name, of) = &atom.kind else { return false };
        name == Keyword::Role.name() && name_of(&of[0]).is_some() && name_of(&of[0]) == name_of(reader)
    };
    let is_told = |atom: &Term| {
        let Some([doer, played]) = two_arguments(atom, Keyword::Does.name()) else { return false };
        let [Some(doer), Some(played)] = [doer, played].map(name_of) else { return false };
        let told: Vec<Option<&str>> = told.iter().map(name_of).collect();
        let is_new = doer != played && name_of(reader) != Some(doer) && name_of(reader) != Some(played);
        is_new && (told == [Some(doer), Some(played)] || told == [Some(played), Some(doer)])
    };
    is_role(one) && is_told(other) || is_role(other) && is_told(one)
}

/// The two arguments of a relation of this name.
fn two_arguments<'t>(atom: &'t Term, name: &str) -> Option<&'t [Term; 2]> {
    match &atom.kind {
        TermKind::Compound(known, arguments) if known == name => arguments.as_slice().try_into().ok(),
        _ => None,
    }
}

/// The name of a variable.
fn name_of(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Variable(name) => Some(name),
        _ => None,
    }
}

/// The added rule has no location in the text.
const NOWHERE: Span = Span { start: 0, end: 0 };

fn variable(name: &str) -> Term {
    Term { span: NOWHERE, kind: TermKind::Variable(name.to_owned()) }
}

fn compound(name: &str, arguments: Vec<Term>) -> Term {
    Term { span: NOWHERE, kind: TermKind::Compound(name.to_owned(), arguments) }
}
