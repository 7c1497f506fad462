//! What all players of a match are told alike, by the rules: what somebody who only watches may be told while it is played.
//!
//! A percept is *public* if the rules tell it to every player or to none, whatever the state and the moves are. That is read off the
//! rules, not off a match: two players who happen to roll the same number are each told so, and do not know it of each other. A rule
//! tells everybody if who is told occurs in it in nothing but conditions that never change and that hold for every player, as in
//! `(<= (sees ?p (board ?c)) (does random (deal ?c)) (player ?p))`. A percept that any other rule might tell too is not public.
//!
//! So what is public of a match is a function of what each single player was told, the same function for all of them
//! ([`PublicSight::told`]), and a player who watches besides learns nothing, not even what the others know.
//!
//! What follows from it for the table is worked out as for a player: [`PublicSight::rules`] are the rules with one more role, the
//! *watcher*, who has no choice and is told what is public. Its information set is made of public percepts alone.
//!
//! ```
//! use croupier_engine::{Limits, PublicSight};
//!
//! let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?;
//! let sight = PublicSight::of(kuhn.rules, &Limits::STANDARD)?;
//! assert_eq!(sight.told(&["(did alice bet)", "(hole king)"]), ["(did alice bet)"]);
//! assert!(sight.rules().contains("(role watcher)"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod everybody;
mod watched_rules;

#[cfg(test)]
mod tests;

use thiserror::Error;

use crate::{
    Limits, has_errors,
    syntax::{Clause, Description, Formula, Syntax, Term, TermKind, read, read_ground_term},
};

use everybody::Everybody;
use watched_rules::WatchedRules;

/// Why rules have no public sight of their own.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum SightError {
    /// No rule says who sees what: everybody sees every move.
    #[error("the rules hide nothing: everybody sees every move")]
    NothingIsHidden,
    /// What is public cannot be read off: nothing must be taken to be.
    #[error("what is public cannot be read off these rules")]
    NotUnderstood,
}

/// What all players are told alike.
#[derive(Clone, Debug)]
pub struct PublicSight {
    /// With one more role.
    rules: String,
    /// The same, in which players are told what they are told.
    told_rules: String,
    watcher: String,
    /// The percepts that all players are told or none, as patterns. No rule that may tell one player alone makes any that fits.
    public: Vec<Term>,
    limits: Limits,
}

impl PublicSight {
    /// What is public in a game of these rules.
    ///
    /// # Errors
    /// [`SightError`] if there is nothing to tell apart, or the rules are not understood.
    pub fn of(rules: &str, limits: &Limits) -> Result<Self, SightError> {
        let reading = read(rules, Syntax::Auto, limits);
        if has_errors(&reading.diagnostics) {
            return Err(SightError::NotUnderstood);
        }
        Self::of_description(&reading.description, limits)
    }

    /// The same of rules that were read.
    ///
    /// # Errors
    /// As [`PublicSight::of`].
    pub fn of_description(description: &Description, limits: &Limits) -> Result<Self, SightError> {
        let clauses = &description.clauses;
        let (told, others): (Vec<&Clause>, Vec<&Clause>) =
            clauses.iter().partition(|clause| clause.head.name() == Some("sees"));
        if told.is_empty() {
            return Err(SightError::NothingIsHidden);
        }
        let everybody = Everybody::of(clauses).ok_or(SightError::NotUnderstood)?;
        let (mut public, mut private) = (Vec::new(), Vec::new());
        for clause in told {
            let [_, percept] = clause.head.arguments() else { return Err(SightError::NotUnderstood) };
            let percept = percept.clone();
            match everybody.conditions(clause) {
                Some(conditions) => public.push(PublicRule { percept, conditions }),
                None => private.push(percept),
            }
        }
        // What somebody may be told alone is not public, even where all are told.
        public.retain(|rule| !private.iter().any(|other| may_be_same(other, &rule.percept)));
        let watched = WatchedRules::of(clauses);
        let everything: Vec<&Clause> = clauses.iter().collect();
        let rules = watched.with_watcher(&others, &public).zip(watched.with_watcher(&everything, &public));
        let ((rules, watcher), (told_rules, _)) = rules.ok_or(SightError::NotUnderstood)?;
        let public = public.into_iter().map(|rule| rule.percept).collect();
        Ok(Self { rules, told_rules, watcher, public, limits: *limits })
    }

    /// The rules with the watcher as one more role, after all others. Goals are left out: they are of no use to it.
    #[must_use]
    pub fn rules(&self) -> &str {
        &self.rules
    }

    /// The same rules, in which players are told what they are told: for who must know what each of them may know.
    #[must_use]
    pub fn rules_with_players(&self) -> &str {
        &self.told_rules
    }

    /// The name of the role of those who watch.
    #[must_use]
    pub fn watcher(&self) -> &str {
        &self.watcher
    }

    /// Of the percepts of any player, those that all players have been told: the same, whoever's percepts they are.
    #[must_use]
    pub fn told<'p>(&self, percepts: &[&'p str]) -> Vec<&'p str> {
        let is_public = |percept: &&&'p str| {
            let term = read_ground_term(percept, &self.limits);
            term.is_ok_and(|term| self.public.iter().any(|pattern| may_be_same(pattern, &term)))
        };
        percepts.iter().filter(is_public).copied().collect()
    }
}

/// A rule that tells all players or none.
struct PublicRule<'c> {
    percept: Term,
    /// Its conditions but for those on who is told.
    conditions: Vec<&'c Formula>,
}

/// Whether the head of a clause has this name and number of arguments.
fn is_of(clause: &Clause, name: &str, arity: usize) -> bool {
    clause.head.name() == Some(name) && clause.head.arguments().len() == arity
}

/// Whether two patterns may stand for the same term. A variable may stand for anything, each time for something else.
fn may_be_same(left: &Term, right: &Term) -> bool {
    match (&left.kind, &right.kind) {
        (TermKind::Variable(_), _) | (_, TermKind::Variable(_)) => true,
        _ => {
            left.name() == right.name()
                && left.arguments().len() == right.arguments().len()
                && left
                    .arguments()
                    .iter()
                    .zip(right.arguments())
                    .all(|(left, right)| may_be_same(left, right))
        }
    }
}
