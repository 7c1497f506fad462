//! How terms are written in a message: prefix or infix.

use croupier_engine::{
    Limits,
    stages::syntax::{self, Clause, Syntax, Term},
};

/// How terms are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Notation {
    /// `(bet chips 3)`.
    Prefix,
    /// `bet(chips, 3)`.
    Infix,
}

impl Notation {
    /// The notation of a rules text, found by looking at it.
    ///
    /// Prefix text of rules has nothing outside parentheses but propositions without arguments.
    #[must_use]
    pub fn of_rules(rules: &str) -> Self {
        let mut text = rules;
        loop {
            text = text.trim_start();
            match text.as_bytes().first() {
                Some(b';' | b'%') => text = text.find(['\n', '\r']).map_or("", |end| &text[end..]),
                Some(b'(') | None => return Self::Prefix,
                Some(_) => return Self::Infix,
            }
        }
    }

    /// A ground term in canonical prefix text, read from this notation; `None` if `text` is not exactly one.
    #[must_use]
    pub fn read_term(self, text: &str, limits: &Limits) -> Option<String> {
        match self {
            Self::Prefix => syntax::read_ground_term(text, limits).ok().map(|term| syntax::print_term(&term)),
            Self::Infix => read_infix_term(text, limits).map(|term| syntax::print_term(&term)),
        }
    }

    /// A ground term in this notation, from its canonical prefix text.
    ///
    /// Text that is not a term is returned unchanged.
    #[must_use]
    pub fn print_term(self, canonical: &str, limits: &Limits) -> String {
        match self {
            Self::Prefix => canonical.to_owned(),
            Self::Infix => syntax::read_ground_term(canonical, limits).map_or_else(
                |_| canonical.to_owned(),
                |head| on_one_line(&syntax::print_infix_clause(&fact(head))),
            ),
        }
    }
}

fn fact(head: Term) -> Clause {
    Clause { span: head.span, head, body: Vec::new() }
}

fn read_infix_term(text: &str, limits: &Limits) -> Option<Term> {
    let reading = syntax::read(text, Syntax::Infix, limits);
    let mut clauses = reading.description.clauses;
    let clause = clauses.pop().filter(|clause| clauses.is_empty() && clause.body.is_empty())?;
    let is_readable = !croupier_engine::has_errors(&reading.diagnostics);
    Some(clause.head).filter(|head| is_readable && head.is_ground())
}

/// The same text with single spaces for all white space.
pub(super) fn on_one_line(text: &str) -> String {
    text.split_ascii_whitespace().collect::<Vec<&str>>().join(" ")
}
