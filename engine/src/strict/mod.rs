//! Rules in strict GDL: what the compatible reading supplies is written out, so that every other system reads them as we do.
//!
//! A clause that the specification (LG-2006-01) allows, and that a prover from left to right reads like the specification,
//! stays as it is written. Another is replaced by its rules in normal form (`rule.rs`): negations of formulas are
//! resolved, missing conditions are there, a variable that occurs only under `not` is in a relation of its own. Relations whose
//! names only we can tell apart get new names (`relations.rs`). Terms never change, since moves, percepts and fluents are made of them.

mod names;
mod order;
mod relations;
mod rule;

use std::collections::{BTreeMap, BTreeSet};

use crate::{
    check::CheckedRules,
    id::PredicateId,
    rules::{Keyword, Program, Rule},
    syntax::{Clause, Description, Formula},
};

use names::FreshNames;

/// The rules of `written` in strict GDL, where `checked` is what [`check`](crate::check::check) makes of them: the same moves,
/// percepts, fluents and goals in every match.
///
/// Comments stay. Real-time rules are returned as they are written, since the specification has no lifetimes. Some rules have no strict
/// form, such as rules whose terms may grow without bound or a goal above 100: [`check_text`](crate::check::check_text) on
/// the printed result tells.
///
/// # Complexity
/// Linear in the rules in normal form, but for the order of conditions, which is quadratic in the conditions of one rule.
///
/// ```
/// use croupier_engine::{Limits, Strictness, stages::{check, strict::strict_form, syntax}};
///
/// let rules = "(role ann) (succ 1 2) (<= (last ?x) (succ ?y ?x) (not (succ ?x ?_))) (<= (legal ann (go ?x)) (last ?x))
///     (<= terminal (true over)) (next over) (goal ann 50)";
/// let (checked, _) = check::check_text(rules, Strictness::Compatible, &Limits::STANDARD);
/// let checked = checked.ok_or("rules of a game")?;
/// let strict = strict_form(&checked.written().description, &checked);
/// let text = syntax::print_description(&strict);
/// assert!(text.contains("(not (some_succ ?x))"), "{text}");
/// assert!(check::check_text(&text, Strictness::Strict, &Limits::STANDARD).0.is_some());
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn strict_form(written: &Description, checked: &CheckedRules) -> Description {
    if checked.is_real_time() {
        return written.clone();
    }
    let mut names = FreshNames::of(written);
    let clauses = Rewriting::new(checked.program(), &mut names).clauses(written);
    let clauses = relations::renamed(clauses, checked, &mut names);
    Description { clauses, comments: written.comments.clone() }
}

/// Clauses in place of those that only we read so.
struct Rewriting<'p> {
    program: &'p Program,
    /// The rules by the clause that they come from.
    rules: BTreeMap<crate::Span, Vec<&'p Rule>>,
    /// The rules of relations that the text does not have.
    added: BTreeMap<PredicateId, Vec<&'p Rule>>,
    /// What those relations are called.
    words: BTreeMap<PredicateId, String>,
}

impl<'p> Rewriting<'p> {
    fn new(program: &'p Program, names: &mut FreshNames) -> Self {
        let mut rules: BTreeMap<_, Vec<_>> = BTreeMap::new();
        let mut added: BTreeMap<_, Vec<_>> = BTreeMap::new();
        for rule in &program.rules {
            let head = rule.head.predicate;
            if is_added(program, head) {
                added.entry(head).or_default().push(rule);
            } else {
                rules.entry(rule.span).or_default().push(rule);
            }
        }
        let word = |(&predicate, rules): (&PredicateId, &Vec<&Rule>)| {
            (predicate, names.fresh(&added_word(program, rules)))
        };
        let words = added.iter().map(word).collect();
        Self { program, rules, added, words }
    }

    fn clauses(&self, written: &Description) -> Vec<Clause> {
        let mut clauses = Vec::with_capacity(written.clauses.len());
        let mut defined = BTreeSet::new();
        for clause in &written.clauses {
            // A clause without rules can never hold, or is a faulty declaration that the game is played without.
            let Some(rules) = self.rules.get(&clause.span) else { continue };
            if let Some(ordered) = kept(clause) {
                clauses.push(ordered);
                continue;
            }
            let parts = rules.iter().filter_map(|rule| rule::clause(self.program, &self.words, rule));
            clauses.extend(parts.map(|part| Clause { span: clause.span, ..part }));
            let asked = rules.iter().flat_map(|rule| &rule.body).filter_map(|literal| literal.atom());
            for predicate in asked.map(|atom| atom.predicate).filter(|asked| self.added.contains_key(asked)) {
                if defined.insert(predicate) {
                    let added = self.added[&predicate].iter();
                    let parts = added.filter_map(|rule| rule::clause(self.program, &self.words, rule));
                    clauses.extend(parts.map(|part| Clause { span: clause.span, ..part }));
                }
            }
        }
        clauses
    }
}

/// The clause with its conditions in an order in which each negation follows what binds its variables, if the specification
/// allows it but for that order.
fn kept(clause: &Clause) -> Option<Clause> {
    if !clause.body.iter().all(is_strict) {
        return None;
    }
    let body = order::ordered(&clause.head, &clause.body)?;
    Some(Clause { body, ..clause.clone() })
}

/// Whether the specification has such a condition (Def. 18): no `and`, nothing but an atom under `not`, no empty `or`.
fn is_strict(formula: &Formula) -> bool {
    match formula {
        Formula::Atom(_) | Formula::Distinct(..) => true,
        Formula::Not(_, inner) => matches!(**inner, Formula::Atom(_)),
        Formula::Or(_, parts) => !parts.is_empty() && parts.iter().all(is_strict),
        Formula::And(..) => false,
    }
}

/// Whether the check added a relation: no name of a text has a blank in it.
fn is_added(program: &Program, predicate: PredicateId) -> bool {
    program.name(predicate).contains(' ')
}

/// A word for an added relation: `some_p` if it says that there is some `p`, `among` for a set of values.
fn added_word(program: &Program, rules: &[&Rule]) -> String {
    let Some(asked) = rules.iter().flat_map(|rule| &rule.body).find_map(|literal| literal.atom()) else {
        return "among".to_owned();
    };
    let word = match program.as_keyword(asked.predicate) {
        Some(Keyword::True | Keyword::Does | Keyword::Legal) => asked.arguments.last().and_then(|term| {
            let symbol = term.name()?;
            Some(program.symbols.name(symbol))
        }),
        _ => None,
    };
    format!("some_{}", word.unwrap_or_else(|| program.name(asked.predicate)))
}

#[cfg(test)]
mod tests;
