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

/// The added rule has no location in the text.
const NOWHERE: Span = Span { start: 0, end: 0 };

fn variable(name: &str) -> Term {
    Term { span: NOWHERE, kind: TermKind::Variable(name.to_owned()) }
}

fn compound(name: &str, arguments: Vec<Term>) -> Term {
    Term { span: NOWHERE, kind: TermKind::Compound(name.to_owned(), arguments) }
}
