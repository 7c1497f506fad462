//! Relations by names that every system tells apart.
//!
//! One name is one relation, so another number of arguments makes another name; a word of the language that the text uses as a
//! relation of its own gets a name of its own; and a word that only heads may have, and that bodies ask for, is defined by
//! a relation that both ask for.

use std::collections::{BTreeMap, BTreeSet};

use super::{names::FreshNames, rule::applied};
use crate::{
    check::CheckedRules,
    diagnostic::Span,
    rules::{Keyword, ordinary_words},
    syntax::{Clause, Formula, Term, TermKind},
};

/// Words that may only stand in heads (Def. 20; Thielscher, AAAI 2010, for `sees`).
const FOR_HEADS: [Keyword; 6] =
    [Keyword::Init, Keyword::Next, Keyword::Sees, Keyword::Base, Keyword::Input, Keyword::Percept];

/// A relation of a text: a name with a number of arguments.
type Relation = (String, usize);

pub(super) fn renamed(
    mut clauses: Vec<Clause>,
    checked: &CheckedRules,
    names: &mut FreshNames,
) -> Vec<Clause> {
    let (concluded, asked) = relations_of(&clauses);
    let asks_for = |keyword: Keyword| asked.contains(&(keyword.name().to_owned(), keyword.arity()));
    let is_unfit =
        |keyword: Keyword| Keyword::DECLARATIONS.contains(&keyword) && depends_on_state(checked, keyword);
    let mut new_names = of_arities(&clauses, names);
    let split: Vec<Keyword> = FOR_HEADS.into_iter().filter(|&keyword| asks_for(keyword)).collect();
    for &keyword in &split {
        let relation = (keyword.name().to_owned(), keyword.arity());
        new_names.insert(relation, names.fresh(&format!("{}_holds", keyword.name())));
    }
    let dropped: Vec<Keyword> = Keyword::DECLARATIONS
        .into_iter()
        .filter(|&keyword| is_unfit(keyword) && !asks_for(keyword))
        .collect();
    clauses.retain(|clause| !dropped.iter().any(|&keyword| keyword.is_of(&clause.head)));
    for clause in &mut clauses {
        rename(&mut clause.head, &new_names);
        clause.body.iter_mut().for_each(|formula| rename_in(formula, &new_names));
    }
    for keyword in split.into_iter().filter(|&keyword| !is_unfit(keyword)) {
        let relation = (keyword.name().to_owned(), keyword.arity());
        if concluded.contains(&relation) {
            clauses.push(bridge(keyword, &new_names[&relation]));
        }
    }
    clauses
}

/// The relations that heads and bodies have.
fn relations_of(clauses: &[Clause]) -> (BTreeSet<Relation>, BTreeSet<Relation>) {
    let relation = |atom: &Term| (atom.name().unwrap_or_default().to_owned(), atom.arguments().len());
    let concluded = clauses.iter().map(|clause| relation(&clause.head)).collect();
    let mut asked = BTreeSet::new();
    for formula in clauses.iter().flat_map(|clause| &clause.body) {
        formula.for_each_atom(&mut |atom| _ = asked.insert(relation(atom)));
    }
    (concluded, asked)
}

/// New names for words of the language that are relations of the text's own, and for all but the first number of
/// arguments of a name.
fn of_arities(clauses: &[Clause], names: &mut FreshNames) -> BTreeMap<Relation, String> {
    let ordinary: Vec<&str> = ordinary_words(clauses).into_iter().map(Keyword::name).collect();
    let mut first: BTreeMap<String, usize> = BTreeMap::new();
    let mut new_names = BTreeMap::new();
    let mut visit = |atom: &Term| {
        let (name, arity) = (atom.name().unwrap_or_default(), atom.arguments().len());
        let is_ordinary = ordinary.contains(&name);
        let is_keyword = !is_ordinary && Keyword::ALL.into_iter().any(|keyword| keyword.name() == name);
        let is_first = *first.entry(name.to_owned()).or_insert(arity) == arity;
        let relation = (name.to_owned(), arity);
        if !is_keyword && (is_ordinary || !is_first) && !new_names.contains_key(&relation) {
            new_names.insert(relation, names.fresh(&format!("{name}_{arity}")));
        }
    };
    for clause in clauses {
        visit(&clause.head);
        clause.body.iter().for_each(|formula| formula.for_each_atom(&mut visit));
    }
    new_names
}

/// Whether what is declared depends on the state or on moves, which no declaration may (Def. 20).
fn depends_on_state(checked: &CheckedRules, keyword: Keyword) -> bool {
    let program = checked.program();
    let Some(declared) = program.keyword(keyword) else { return false };
    let sources = [Keyword::True, Keyword::Does].into_iter().filter_map(|source| program.keyword(source));
    let dependents = checked.graph().dependents(&sources.collect::<Vec<_>>());
    dependents[declared.index()]
}

fn rename(atom: &mut Term, new_names: &BTreeMap<Relation, String>) {
    let relation = (atom.name().unwrap_or_default().to_owned(), atom.arguments().len());
    let Some(new_name) = new_names.get(&relation) else { return };
    match &mut atom.kind {
        TermKind::Constant(name) | TermKind::Compound(name, _) => name.clone_from(new_name),
        TermKind::Variable(_) => {}
    }
}

fn rename_in(formula: &mut Formula, new_names: &BTreeMap<Relation, String>) {
    match formula {
        Formula::Atom(atom) => rename(atom, new_names),
        Formula::Distinct(..) => {}
        Formula::Not(_, inner) => rename_in(inner, new_names),
        Formula::And(_, parts) | Formula::Or(_, parts) => {
            parts.iter_mut().for_each(|part| rename_in(part, new_names));
        }
    }
}

/// The rule by which a keyword holds where its relation does.
fn bridge(keyword: Keyword, relation: &str) -> Clause {
    // The end of the text, behind all comments.
    let span = Span { start: u32::MAX, end: u32::MAX };
    let variables = ["x", "y"].into_iter().take(keyword.arity());
    let variables: Vec<Term> =
        variables.map(|name| Term { span, kind: TermKind::Variable(name.to_owned()) }).collect();
    let body = vec![Formula::Atom(applied(relation, variables.clone(), span))];
    Clause { span, head: applied(keyword.name(), variables, span), body }
}
