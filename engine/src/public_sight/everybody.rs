//! Which rules tell all players or none: by conditions on who is told that never change.

use std::collections::BTreeMap;

use crate::syntax::{Clause, Formula, Term, TermKind};

use super::is_of;

/// Rules that follow each other to show that a condition holds: more than any game needs.
const DEPTH_MAX: usize = 8;

/// The players of a game, and what holds for each of them in every state.
pub(super) struct Everybody<'c> {
    clauses: &'c [Clause],
    players: Vec<&'c str>,
}

impl<'c> Everybody<'c> {
    /// `None` if roles are not listed one by one.
    pub(super) fn of(clauses: &'c [Clause]) -> Option<Self> {
        let roles = clauses.iter().filter(|clause| is_of(clause, "role", 1));
        let names: Option<Vec<&str>> = roles
            .map(|clause| match (&clause.head.arguments()[0].kind, clause.body.as_slice()) {
                (TermKind::Constant(name), []) => Some(name.as_str()),
                _ => None,
            })
            .collect();
        let players: Vec<&str> = names?.into_iter().filter(|&name| name != "random").collect();
        Some(Self { clauses, players })
    }

    /// For a rule that tells all players or none, its conditions but for those that say who is told.
    pub(super) fn conditions<'f>(&self, clause: &'f Clause) -> Option<Vec<&'f Formula>> {
        let [who, percept] = clause.head.arguments() else { return None };
        let who = match &who.kind {
            TermKind::Variable(name) => name,
            // The only player is everybody.
            TermKind::Constant(name) if self.players == [name.as_str()] => {
                return Some(clause.body.iter().collect());
            }
            _ => return None,
        };
        if count(percept, who) > 0 {
            return None;
        }
        let (told, others): (Vec<&Formula>, Vec<&Formula>) =
            clause.body.iter().partition(|formula| mentions(formula, who));
        let is_for_all = told.iter().all(|formula| {
            self.players.iter().all(|player| self.holds(formula, who, clause, player, DEPTH_MAX))
        });
        // Without a condition on it, the variable stands for nobody.
        (is_for_all && !told.is_empty()).then_some(others)
    }

    /// Whether a condition that mentions the variable `who` of a clause holds in every state if that is `player`, for some values of its
    /// other variables, which occur in it alone.
    fn holds(&self, formula: &Formula, who: &str, clause: &Clause, player: &str, depth: usize) -> bool {
        match formula {
            Formula::Distinct(_, left, right) => {
                let is_other = |term: &Term| matches!(&term.kind, TermKind::Constant(name) if name != player);
                is_variable(left, who) && is_other(right) || is_variable(right, who) && is_other(left)
            }
            Formula::Atom(atom) => {
                let mut uses: BTreeMap<&str, usize> = BTreeMap::new();
                clause.for_each_variable(&mut |name, _| *uses.entry(name).or_default() += 1);
                let own = atom.arguments();
                let is_free = |term: &Term| match &term.kind {
                    TermKind::Variable(name) => name == who || uses.get(name.as_str()) == Some(&1),
                    TermKind::Constant(_) | TermKind::Compound(..) => false,
                };
                let places: Vec<usize> = (0..own.len()).filter(|&at| is_variable(&own[at], who)).collect();
                match places.as_slice() {
                    [place] if own.iter().all(is_free) => {
                        self.is_in(PlaceOf { atom, place: *place }, player, depth)
                    }
                    _ => false,
                }
            }
            Formula::Not(..) | Formula::And(..) | Formula::Or(..) => false,
        }
    }

    /// Whether a relation has a row in every state with the player in this place.
    fn is_in(&self, of: PlaceOf<'_>, player: &str, depth: usize) -> bool {
        let Some(name) = of.atom.name() else { return false };
        if depth == 0 || matches!(name, "true" | "does" | "legal" | "next" | "sees" | "goal" | "init") {
            return false;
        }
        let arity = of.atom.arguments().len();
        self.clauses.iter().filter(|clause| is_of(clause, name, arity)).any(|clause| {
            match &clause.head.arguments()[of.place].kind {
                TermKind::Constant(own) => own == player && clause.body.is_empty(),
                TermKind::Variable(own) => {
                    let is_bound = !clause.body.is_empty();
                    is_bound
                        && clause.head.arguments().len() == 1
                        && clause
                            .body
                            .iter()
                            .all(|formula| self.holds(formula, own, clause, player, depth - 1))
                }
                TermKind::Compound(..) => false,
            }
        })
    }
}

/// A place among the arguments of an atom.
#[derive(Clone, Copy)]
struct PlaceOf<'t> {
    atom: &'t Term,
    place: usize,
}

fn is_variable(term: &Term, name: &str) -> bool {
    matches!(&term.kind, TermKind::Variable(own) if own == name)
}

fn count(term: &Term, variable: &str) -> usize {
    let mut count = 0;
    term.for_each_variable(&mut |name, _| count += usize::from(name == variable));
    count
}

fn mentions(formula: &Formula, variable: &str) -> bool {
    let mut is_there = false;
    formula.for_each_variable(&mut |name, _| is_there |= name == variable);
    is_there
}
