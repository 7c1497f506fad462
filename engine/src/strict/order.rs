//! Conditions in an order in which a prover from left to right has bound what a negation or comparison asks about.

use std::collections::BTreeSet;

use crate::syntax::{Formula, Term};

type Variables<'a> = BTreeSet<&'a str>;

/// The conditions, those that need variables right behind the ones that bind them, and otherwise as they were; `None` if
/// no order binds everything before it is needed, the variables of the head included.
pub(super) fn ordered(head: &Term, body: &[Formula]) -> Option<Vec<Formula>> {
    let mut ordered = Vec::with_capacity(body.len());
    let mut bound = Variables::new();
    let mut waiting: Vec<(&Formula, Variables<'_>)> = Vec::new();
    for formula in body {
        let needed = needed_by(formula);
        if !needed.is_subset(&bound) {
            waiting.push((formula, needed));
            continue;
        }
        take(formula, &mut ordered, &mut bound);
        // What waits may bind something itself, if it is a disjunction.
        while let Some(place) = waiting.iter().position(|(_, needed)| needed.is_subset(&bound)) {
            take(waiting.remove(place).0, &mut ordered, &mut bound);
        }
    }
    (waiting.is_empty() && variables_of(head).is_subset(&bound)).then_some(ordered)
}

fn take<'a>(formula: &'a Formula, ordered: &mut Vec<Formula>, bound: &mut Variables<'a>) {
    bound.extend(bound_by(formula));
    ordered.push(formula.clone());
}

/// The variables that must be bound before a condition is asked.
fn needed_by(formula: &Formula) -> Variables<'_> {
    match formula {
        Formula::Atom(_) => Variables::new(),
        Formula::Distinct(_, left, right) => {
            variables_of(left).into_iter().chain(variables_of(right)).collect()
        }
        Formula::Not(_, inner) => {
            let mut all = Variables::new();
            inner.for_each_variable(&mut |name, _| _ = all.insert(name));
            all
        }
        Formula::And(_, parts) | Formula::Or(_, parts) => parts.iter().flat_map(needed_by).collect(),
    }
}

/// The variables that are bound once a condition holds.
fn bound_by(formula: &Formula) -> Variables<'_> {
    match formula {
        Formula::Atom(atom) => variables_of(atom),
        Formula::Distinct(..) | Formula::Not(..) => Variables::new(),
        Formula::And(_, parts) => parts.iter().flat_map(bound_by).collect(),
        Formula::Or(_, parts) => {
            let all = parts.iter().map(bound_by);
            all.reduce(|some, others| some.intersection(&others).copied().collect()).unwrap_or_default()
        }
    }
}

fn variables_of(term: &Term) -> Variables<'_> {
    let mut all = Variables::new();
    term.for_each_variable(&mut |name, _| _ = all.insert(name));
    all
}
