//! Random games whose rules only set lifetimes and keep them: few of the others become networks.
//!
//! Each is a program of the generator in which nothing is asked of a lifetime but that its fluent holds, or holds for ever,
//! and what a head takes over is taken from one condition.

use croupier_engine::{
    Limits,
    stages::syntax::{Clause, Formula, Syntax, Term, TermKind, print_description, read},
};

use super::program;

/// What stands where a rule of the program had a time outside of lifetimes.
const TIME: &str = "1";

/// The game of a seed, in prefix syntax.
#[must_use]
pub fn clockwork(seed: u64) -> String {
    let mut description = read(&program(seed), Syntax::Prefix, &Limits::STANDARD).description;
    for clause in &mut description.clauses {
        tame(clause);
    }
    print_description(&description)
}

fn tame(clause: &mut Clause) {
    let mut times = Vec::new();
    clause.body.iter().for_each(|formula| collect_times(formula, &mut times));
    let kept = lifetime_of(&clause.head).and_then(variable).map(str::to_owned);
    // A lifetime that comes from elsewhere is set, not kept.
    if !clause
        .body
        .iter()
        .any(|formula| matches!(formula, Formula::Atom(atom) if is_lifetime(atom, kept.as_deref())))
    {
        times.retain(|name| Some(name) != kept.as_ref());
    }
    let mut tamer = Tamer { times, kept, fresh: 0 };
    if let TermKind::Compound(_, arguments) = &mut clause.head.kind {
        let first = usize::from(tamer.kept.is_some());
        arguments[first..].iter_mut().for_each(|argument| tamer.term(argument));
    }
    let mut has_kept = false;
    for formula in &mut clause.body {
        has_kept = tamer.formula(formula, has_kept);
    }
}

/// The lifetime of an atom of `init`, `true` or `next`.
fn lifetime_of(atom: &Term) -> Option<&Term> {
    let is_timed = ["init", "true", "next"].into_iter().any(|word| atom.name() == Some(word));
    atom.arguments().first().filter(|_| is_timed && atom.arguments().len() == 2)
}

/// Whether an atom has this variable as its lifetime.
fn is_lifetime(atom: &Term, name: Option<&str>) -> bool {
    name.is_some() && lifetime_of(atom).and_then(variable) == name
}

fn variable(term: &Term) -> Option<&str> {
    match &term.kind {
        TermKind::Variable(name) => Some(name),
        _ => None,
    }
}

/// The variables that are lifetimes in conditions.
fn collect_times(formula: &Formula, times: &mut Vec<String>) {
    match formula {
        Formula::Atom(atom) => times.extend(lifetime_of(atom).and_then(variable).map(str::to_owned)),
        Formula::Distinct(..) => {}
        Formula::Not(_, inner) => collect_times(inner, times),
        Formula::And(_, parts) | Formula::Or(_, parts) => {
            parts.iter().for_each(|part| collect_times(part, times));
        }
    }
}

struct Tamer {
    times: Vec<String>,
    /// The lifetime of the head, if it is a variable.
    kept: Option<String>,
    /// Variables that were made.
    fresh: usize,
}

impl Tamer {
    /// Changes a condition; whether the head's lifetime is bound when it holds.
    fn formula(&mut self, formula: &mut Formula, has_kept: bool) -> bool {
        match formula {
            Formula::Atom(atom) => self.atom(atom, has_kept),
            Formula::Distinct(_, left, right) => {
                self.term(left);
                self.term(right);
                has_kept
            }
            Formula::Not(_, inner) => {
                self.negated(inner);
                has_kept
            }
            Formula::And(_, parts) => {
                parts.iter_mut().fold(has_kept, |has_kept, part| self.formula(part, has_kept))
            }
            Formula::Or(_, parts) => {
                let bound: Vec<bool> = parts.iter_mut().map(|part| self.formula(part, has_kept)).collect();
                bound.into_iter().all(|has_kept| has_kept)
            }
        }
    }

    fn atom(&mut self, atom: &mut Term, has_kept: bool) -> bool {
        let lifetime = lifetime_of(atom).cloned();
        let TermKind::Compound(_, arguments) = &mut atom.kind else { return has_kept };
        let Some(lifetime) = lifetime else {
            arguments.iter_mut().for_each(|argument| self.term(argument));
            return has_kept;
        };
        self.term(&mut arguments[1]);
        if lifetime.name() == Some("infinity") {
            return has_kept;
        }
        if !has_kept && variable(&lifetime).is_some_and(|name| Some(name) == self.kept.as_deref()) {
            return true;
        }
        self.fresh += 1;
        arguments[0].kind = TermKind::Variable(format!("clock{}", self.fresh));
        has_kept
    }

    /// Under `not`: what holds for ever.
    fn negated(&mut self, formula: &mut Formula) {
        match formula {
            Formula::Atom(atom) => {
                let is_timed = lifetime_of(atom).is_some();
                let TermKind::Compound(_, arguments) = &mut atom.kind else { return };
                arguments.iter_mut().for_each(|argument| self.term(argument));
                if is_timed {
                    arguments[0].kind = TermKind::Constant("infinity".to_owned());
                }
            }
            Formula::Distinct(_, left, right) => {
                self.term(left);
                self.term(right);
            }
            Formula::Not(_, inner) => self.negated(inner),
            Formula::And(_, parts) | Formula::Or(_, parts) => {
                parts.iter_mut().for_each(|part| self.negated(part));
            }
        }
    }

    /// A time that stands elsewhere is a constant.
    fn term(&self, term: &mut Term) {
        match &mut term.kind {
            TermKind::Variable(name) if self.times.contains(name) => {
                term.kind = TermKind::Constant(TIME.to_owned());
            }
            TermKind::Variable(_) | TermKind::Constant(_) => {}
            TermKind::Compound(_, arguments) => arguments.iter_mut().for_each(|argument| self.term(argument)),
        }
    }
}
