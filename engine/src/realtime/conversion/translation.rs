//! The game's own rules, word by word, in a text where fluents have lifetimes.

use std::collections::BTreeMap;

use super::{ConversionError, addition::Addition, names::TextNames};
use crate::{
    game::{Game, PerceptReading},
    lifetime::INFINITY,
    rules::{Keyword, is_real_time, ordinary_words},
    syntax::{Clause, Description, Formula, Term, TermKind},
};

/// The translations of a game's keywords.
#[derive(Debug)]
pub(super) struct Translation {
    /// New names for relations.
    relations: BTreeMap<&'static str, String>,
    /// The condition that `next` and `sees` wait for.
    step: String,
    /// The condition under which the game's goals no longer count.
    forfeited: Option<String>,
    /// The function of endless fluents that were added, if there are any.
    kept: Option<String>,
}

impl Translation {
    /// The translation into the names of an addition.
    pub(super) fn new(rules: &Description, names: &TextNames, added: &Addition) -> Self {
        let mut relations = BTreeMap::from([("does", added.name("done")), ("legal", added.name("option"))]);
        // A word of the language in real time, and words that old rules use as relations of their own.
        relations.insert("expired", names.unused("expired_"));
        for word in ordinary_words(&rules.clauses) {
            relations.insert(word.name(), names.unused(&format!("{}_", word.name())));
        }
        Self {
            relations,
            step: added.name("step"),
            forfeited: added.has("forfeited").then(|| added.name("forfeited")),
            kept: added.has("kept").then(|| added.name("kept")),
        }
    }

    /// The rules in real time, followed by the added rules.
    pub(super) fn apply(&self, rules: &Description, added: Addition) -> Description {
        let end = rules.clauses.iter().map(|clause| clause.span.end);
        let end = end.chain(rules.comments.iter().map(|comment| comment.span.end)).max().unwrap_or(0);
        let addition = added.placed_after(end);
        let mut converted = rules.clone();
        for clause in &mut converted.clauses {
            self.clause(clause);
        }
        converted.clauses.extend(addition.clauses);
        converted.comments.extend(addition.comments);
        converted
    }

    fn clause(&self, clause: &mut Clause) {
        let waits = [Keyword::Next, Keyword::Sees].iter().any(|word| is_word(&clause.head, *word));
        let is_goal = is_word(&clause.head, Keyword::Goal);
        self.atom(&mut clause.head);
        clause.body.iter_mut().for_each(|formula| self.formula(formula));
        let place = clause.span;
        let condition =
            |name: &String| Formula::Atom(Term { span: place, kind: TermKind::Constant(name.clone()) });
        if waits {
            clause.body.insert(0, condition(&self.step));
        }
        if let Some(forfeited) = self.forfeited.as_ref().filter(|_| is_goal) {
            clause.body.push(Formula::Not(place, Box::new(condition(forfeited))));
        }
    }

    fn formula(&self, formula: &mut Formula) {
        match formula {
            Formula::Atom(atom) => {
                let fluent = is_word(atom, Keyword::True).then(|| atom.arguments()[0].clone());
                self.atom(atom);
                if let (Some(kept), Some(fluent)) = (&self.kept, fluent.filter(is_variable)) {
                    let span = atom.span;
                    let kept = Term { span, kind: TermKind::Compound(kept.clone(), vec![fluent]) };
                    let is_not_kept = Formula::Not(span, Box::new(Formula::Atom(kept)));
                    *formula = Formula::And(span, vec![Formula::Atom(atom.clone()), is_not_kept]);
                }
            }
            Formula::Distinct(..) => {}
            Formula::Not(_, inner) => self.formula(inner),
            Formula::And(_, parts) | Formula::Or(_, parts) => {
                parts.iter_mut().for_each(|part| self.formula(part));
            }
        }
    }

    fn atom(&self, atom: &mut Term) {
        let is_timed = [Keyword::Init, Keyword::True, Keyword::Next].iter().any(|word| is_word(atom, *word));
        let renamed = atom.name().and_then(|name| self.relations.get(name)).cloned();
        let span = atom.span;
        match &mut atom.kind {
            TermKind::Variable(_) => {}
            TermKind::Constant(name) => *name = renamed.unwrap_or_else(|| std::mem::take(name)),
            TermKind::Compound(name, arguments) => {
                if is_timed {
                    let kind = TermKind::Constant(INFINITY.to_owned());
                    arguments.insert(0, Term { span, kind });
                }
                *name = renamed.unwrap_or_else(|| std::mem::take(name));
            }
        }
    }
}

/// Whether rules say by some clauses what fluents, moves or percepts there can be.
pub(super) fn declares(rules: &Description, word: Keyword) -> bool {
    rules.clauses.iter().any(|clause| is_word(&clause.head, word))
}

/// Rejects rules that no conversion supports.
pub(super) fn check(rules: &Description, names: &TextNames, game: &Game) -> Result<(), ConversionError> {
    if is_real_time(rules) {
        return Err(ConversionError::IsRealTime);
    }
    if game.percept_reading() == PerceptReading::NewState && !game.has_full_sight() {
        return Err(ConversionError::PerceptsOfNewState);
    }
    names.check_numbers()
}

/// Whether an atom is of a word of the language, with the arguments that it takes in turn-based rules.
pub(super) fn is_word(atom: &Term, word: Keyword) -> bool {
    atom.name() == Some(word.name()) && atom.arguments().len() == word.arity()
}

fn is_variable(term: &Term) -> bool {
    matches!(term.kind, TermKind::Variable(_))
}
