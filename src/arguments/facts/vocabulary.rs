//! The names that rules have, and what their terms can look like.

use std::collections::BTreeSet;

use croupier_engine::{
    Limits,
    stages::{
        check::{Shape, Shapes},
        rules::Program,
        syntax::{Clause, Description, Formula, Syntax, Term, TermKind, print_term, read},
    },
};
use croupier_games::Outline;

use super::pattern::Pattern;

/// What a `game.toml` may speak of.
pub(super) struct Vocabulary<'p> {
    pub(super) shapes: Shapes<'p>,
    /// The roles.
    pub(super) roles: BTreeSet<String>,
    /// Terms that the file adds to what is known of a state.
    pub(super) added: Vec<Shape>,
    /// Every name with its number of arguments, in the rules or in the words.
    parts: BTreeSet<(String, usize)>,
}

impl<'p> Vocabulary<'p> {
    pub(super) fn new(description: &Description, program: &'p Program, outline: &Outline) -> Self {
        let mut parts = BTreeSet::new();
        for Clause { head, body, .. } in &description.clauses {
            add_parts(head, &mut parts);
            body.iter().for_each(|formula| add_parts_of(formula, &mut parts));
        }
        for term in outline.words.iter().flat_map(|words| braced(words)) {
            parts.extend(term.name().map(|name| (name.to_owned(), term.arguments().len())));
        }
        let is_role = |clause: &&Clause| clause.head.name() == Some("role");
        let roles = description.clauses.iter().filter(is_role);
        let roles = roles.flat_map(|clause| clause.head.arguments().first()).map(print_term).collect();
        let added = outline.added.iter().filter_map(|text| Pattern::read(text));
        let added = added.filter_map(|pattern| {
            let name = pattern.term.name()?.to_owned();
            Some(Shape { name, arity: pattern.term.arguments().len() })
        });
        Self { shapes: Shapes::of(program), roles, added: added.collect(), parts }
    }

    /// Whether the file itself makes such facts.
    pub(super) fn is_added(&self, term: &Term) -> bool {
        let arity = term.arguments().len();
        self.added.iter().any(|shape| Some(shape.name.as_str()) == term.name() && shape.arity == arity)
    }

    /// The names with so many arguments.
    pub(super) fn names(&self, arity: usize) -> impl Iterator<Item = &str> + Clone {
        self.parts.iter().filter(move |(_, known)| *known == arity).map(|(name, _)| name.as_str())
    }

    /// The first part of a term whose name the rules do not have.
    pub(super) fn unknown_part<'t>(&self, term: &'t Term) -> Option<&'t Term> {
        let named = term.name().map(|name| (name.to_owned(), term.arguments().len()));
        if named.is_some_and(|named| !self.parts.contains(&named)) {
            return Some(term);
        }
        term.arguments().iter().find_map(|argument| self.unknown_part(argument))
    }
}

fn add_parts(term: &Term, parts: &mut BTreeSet<(String, usize)>) {
    if let TermKind::Constant(name) | TermKind::Compound(name, _) = &term.kind {
        parts.insert((name.clone(), term.arguments().len()));
    }
    term.arguments().iter().for_each(|argument| add_parts(argument, parts));
}

fn add_parts_of(formula: &Formula, parts: &mut BTreeSet<(String, usize)>) {
    match formula {
        Formula::Atom(atom) => add_parts(atom, parts),
        Formula::Distinct(_, one, other) => [one, other].into_iter().for_each(|term| add_parts(term, parts)),
        Formula::Not(_, inner) => add_parts_of(inner, parts),
        Formula::And(_, inner) | Formula::Or(_, inner) => {
            inner.iter().for_each(|formula| add_parts_of(formula, parts));
        }
    }
}

/// The terms that words have in braces, such as `{(many ?rank)}`.
fn braced(words: &str) -> Vec<Term> {
    let opened = words.split('{').skip(1).filter_map(|opened| opened.split('}').next());
    let terms = opened.filter(|inside| inside.starts_with('('));
    let clauses = terms.flat_map(|inside| {
        read(inside.trim_end_matches('*'), Syntax::Prefix, &Limits::STANDARD).description.clauses
    });
    clauses.map(|Clause { head, .. }| head).collect()
}
