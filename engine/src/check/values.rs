//! Constants that can never stand where a condition has them: a phase that no rule enters, a card that no fact has.
//!
//! [`Places`] knows for each position at least the values that can hold there, so that what is said here is certain. Names
//! of relations, fluents, moves and roles have findings of their own.

use std::collections::BTreeSet;

use super::{
    finding,
    fluents::fluent_of,
    near::Near,
    places::{Inner, Places},
    subject::Subject,
};
use crate::{
    diagnostic::Diagnostic,
    id::PredicateId,
    rules::Keyword,
    syntax::{Formula, Term, TermKind, print_term},
};

pub(super) fn check(subject: &Subject<'_>, near: &mut Near, diagnostics: &mut Vec<Diagnostic>) {
    let mut is_concluded = vec![false; subject.program.predicates.len()];
    for rule in &subject.program.rules {
        is_concluded[rule.head.predicate.index()] = true;
    }
    // What nothing defines was probably meant to be another relation, with values that are not known.
    let is_unknown = |predicate: PredicateId| !is_concluded[predicate.index()];
    let mut values = Values {
        subject,
        near,
        places: Places::with_unknown(subject.program, is_unknown),
        told: BTreeSet::new(),
        diagnostics,
    };
    for clause in subject.clauses {
        clause.body.iter().for_each(|formula| values.formula(formula, false));
    }
}

struct Values<'a, 'c> {
    subject: &'c Subject<'a>,
    near: &'c mut Near,
    places: Places,
    /// What was told already: a place, and what cannot stand there.
    told: BTreeSet<(usize, String)>,
    diagnostics: &'c mut Vec<Diagnostic>,
}

impl<'a> Values<'a, '_> {
    fn formula(&mut self, formula: &'a Formula, is_negated: bool) {
        match formula {
            Formula::Atom(atom) => self.atom(atom, is_negated),
            Formula::Distinct(..) => {}
            Formula::Not(_, inner) => self.formula(inner, !is_negated),
            Formula::And(_, parts) | Formula::Or(_, parts) => {
                parts.iter().for_each(|part| self.formula(part, is_negated));
            }
        }
    }

    fn atom(&mut self, atom: &'a Term, is_negated: bool) {
        let Some(predicate) = self.subject.predicate_of(atom) else { return };
        let keyword = self.subject.keyword(predicate);
        for (index, argument) in atom.arguments().iter().enumerate() {
            let is_whole = match keyword {
                // Roles, and words that no condition should have, are findings of their own.
                Some(Keyword::Does | Keyword::Legal) if index == 1 => true,
                Some(Keyword::True) => true,
                Some(Keyword::Goal) if index == 1 => false,
                Some(_) => continue,
                None => false,
            };
            let argument = if keyword == Some(Keyword::True) { fluent_of(argument) } else { argument };
            let place = self.places.of_argument(predicate, index);
            let found = if is_whole { self.misfit_in(place, argument) } else { self.misfit(place, argument) };
            if let Some((place, part)) = found {
                let owner = if is_whole { argument } else { atom };
                self.report(owner, place, part, is_negated);
            }
        }
    }

    /// The first part of a term that cannot stand where it does, and where that is.
    fn misfit(&self, place: usize, term: &'a Term) -> Option<(usize, &'a Term)> {
        if self.places.is_empty(place) {
            return None;
        }
        match &term.kind {
            TermKind::Variable(_) => None,
            TermKind::Constant(name) => {
                let symbol = self.subject.program.symbols.get(name)?;
                let is_possible = self.places.constants(place)?.contains(&symbol);
                (!is_possible).then_some((place, term))
            }
            TermKind::Compound(name, arguments) => {
                let symbol = self.subject.program.symbols.get(name)?;
                match self.places.inner(place, symbol, arguments.len()) {
                    Inner::Anything => None,
                    Inner::Nothing => Some((place, term)),
                    Inner::Places(_) => self.misfit_in(place, term),
                }
            }
        }
    }

    /// The same of the arguments of a term alone.
    fn misfit_in(&self, place: usize, term: &'a Term) -> Option<(usize, &'a Term)> {
        let symbol = self.subject.program.symbols.get(term.name()?)?;
        let Inner::Places(inner) = self.places.inner(place, symbol, term.arguments().len()) else {
            return None;
        };
        inner.into_iter().zip(term.arguments()).find_map(|(place, argument)| self.misfit(place, argument))
    }

    fn report(&mut self, owner: &'a Term, place: usize, part: &'a Term, is_negated: bool) {
        let shown = match part.arguments() {
            [] => self.subject.shown(part).to_owned(),
            _ => print_term(part),
        };
        if !self.told.insert((place, shown.clone())) {
            return;
        }
        let effect = if is_negated { "always" } else { "never" };
        let owner = self.subject.shown(owner);
        let message = format!("`{owner}` never has `{shown}` here, so this condition {effect} holds");
        let possible = self.possible(place);
        let near = match part.arguments() {
            [] => self.near.help(part.name().unwrap_or_default(), possible.iter().map(String::as_str)),
            _ => None,
        };
        let help = near.unwrap_or_else(|| listed(&possible));
        self.diagnostics.push(finding("impossible-value", part.span, message).with_help(help));
    }

    /// What can stand in a place, in order.
    fn possible(&self, place: usize) -> Vec<String> {
        let symbols = &self.subject.program.symbols;
        let constants = self.places.constants(place).into_iter().flatten();
        let constants = constants.map(|&symbol| symbols.name(symbol).to_owned());
        let functions = self.places.functions(place);
        let functions = functions.map(|((symbol, _), _)| format!("({} ...)", symbols.name(symbol)));
        let mut possible: Vec<String> = constants.chain(functions).collect();
        possible.sort();
        possible.dedup();
        possible
    }
}

/// More values than these are counted and not shown.
const SHOWN_MAX: usize = 8;

fn listed(possible: &[String]) -> String {
    let shown: Vec<String> = possible.iter().take(SHOWN_MAX).map(|value| format!("`{value}`")).collect();
    let more = match possible.len().saturating_sub(SHOWN_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("it has {}{more}", shown.join(", "))
}
