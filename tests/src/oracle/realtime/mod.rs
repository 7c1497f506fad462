//! A second interpreter of rtGDL with percepts, naive and obvious: real time as sets of facts.
//!
//! Each question is answered by the model of the rules together with facts, as the definition has it: `true(T, F)` for
//! each fluent with its lifetime, `expired(F)`, `does(R, M)`. Inside the model a time is a constant like any other.
//! Only an update subtracts, in whole microseconds.
//!
//! Where the paper is silent, this is what holds:
//! - `legal` is read in a state with nothing expired. `terminal` and `goal` are read in the state behind an update together
//!   with what expired in it: otherwise the paper's own `terminal :- expired(timer)` would never hold.
//! - `sees` is read in the model that `next` is read in.
//! - `1.0`, `1.00` and `1` are one constant wherever they stand, and so are `007` and `7`.
//! - A lifetime that is neither a positive number with at most six decimals nor `infinity` is an error.
//!
//! # Sources
//! J. Kowalski and A. Kisielewicz, Towards a Real-time Game Description Language, ICAART 2016, Definition 1.

pub mod chicken;
mod numeral;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{
    Limits, Span,
    stages::syntax::{self, Clause, Description, Term, TermKind},
};

use super::{
    KEYWORDS, Layer, OracleError, Terms, View, by_role,
    model::{Effort, Model},
    predicate, roles_of,
    rule::{Rule, rules_of},
    strata::dependents,
    term::Names,
    view,
};
pub use numeral::{Lifetime, canonical_numeral};
use numeral::{canonical_clause, canonical_term};

/// Fluents with their lifetimes. A fluent may be there with several.
pub type State = BTreeSet<(Lifetime, String)>;

/// Atoms that one question may look at.
const EFFORT: u64 = 20_000_000;

/// What an update leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// What every role is told, `random` included.
    pub sees: BTreeMap<String, Terms>,
    /// The state behind the update.
    pub successor: State,
    /// The fluents that expired. One that had another lifetime may be true as well.
    pub expired: Terms,
}

/// The rules of one real-time game.
#[derive(Debug)]
pub struct RealTimeOracle {
    names: Names,
    rules: Vec<Rule>,
    /// Names of the roles in the order of the text.
    roles: Vec<String>,
}

/// What follows from the rules and some facts.
struct Holding {
    names: Names,
    model: Model,
}

impl RealTimeOracle {
    /// The rules of a game, whose `init`, `true` and `next` have two arguments.
    ///
    /// # Errors
    /// [`OracleError::Unsafe`], [`OracleError::DependsOnDoes`].
    pub fn new(description: &Description) -> Result<Self, OracleError> {
        let clauses = description.clauses.iter().map(canonical_clause).collect();
        let description = Description { clauses, comments: Vec::new() };
        let mut names = Names::default();
        for keyword in KEYWORDS {
            names.add(keyword);
        }
        let mut rules = Vec::new();
        for clause in &description.clauses {
            rules.extend(rules_of(clause, &mut names)?);
        }
        let by_moves = dependents(&rules, &[predicate(&names, "does", 2)]);
        for (word, arity) in [("legal", 2), ("goal", 2), ("terminal", 0)] {
            if by_moves.contains(&predicate(&names, word, arity)) {
                return Err(OracleError::DependsOnDoes(word));
            }
        }
        Ok(Self { names, rules, roles: roles_of(&description) })
    }

    /// The same from a text in prefix or infix syntax; what cannot be read is left out.
    ///
    /// # Errors
    /// As [`RealTimeOracle::new`].
    pub fn of(text: &str) -> Result<Self, OracleError> {
        Self::new(&syntax::read(text, syntax::Syntax::Auto, &Limits::STANDARD).description)
    }

    /// The roles, `random` included, in the order of the text.
    #[must_use]
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// The fluents that are true when a match begins.
    ///
    /// # Errors
    /// [`OracleError::Lifetime`], [`OracleError::EffortSpent`], [`OracleError::Undefined`].
    pub fn initial_state(&self) -> Result<State, OracleError> {
        self.holding(Vec::new())?.fluents("init")
    }

    /// Legal moves, goals, and whether the match is over, in a state behind an update in which `expired` expired.
    ///
    /// # Errors
    /// [`OracleError::UnknownTerm`] for what is no ground term, [`OracleError::EffortSpent`], [`OracleError::Undefined`].
    pub fn view(&self, state: &State, expired: &Terms) -> Result<View, OracleError> {
        let facts = facts_of(state)?;
        let quiet = self.holding(facts.clone())?;
        let behind = self.holding([facts, expiries_of(expired)?].concat())?;
        let legal = view(&quiet.names, &quiet.model, &self.roles).legal;
        Ok(View { legal, ..view(&behind.names, &behind.model, &self.roles) })
    }

    /// The least time, in microseconds, after which something expires; none if nothing ever does.
    #[must_use]
    pub fn next_expiry(state: &State) -> Option<u64> {
        state.iter().find_map(|(lifetime, _)| match lifetime {
            Lifetime::Finite(micros) => Some(*micros),
            Lifetime::Infinity => None,
        })
    }

    /// What comes of a state when so many microseconds have passed since the last update and some roles move.
    ///
    /// In a match nothing expires earlier, and something expires or somebody moves. That is not asked for here.
    ///
    /// # Errors
    /// [`OracleError::Lifetime`], [`OracleError::UnknownTerm`] for what is no ground term, [`OracleError::EffortSpent`],
    /// [`OracleError::Undefined`].
    pub fn update(
        &self,
        state: &State,
        elapsed: u64,
        moves: &BTreeMap<String, String>,
    ) -> Result<Consequence, OracleError> {
        let (mut left, mut expired) = (State::new(), Terms::new());
        for (lifetime, fluent) in state {
            match lifetime.after(elapsed) {
                Some(lifetime) => left.insert((lifetime, fluent.clone())),
                None => expired.insert(fluent.clone()),
            };
        }
        let mut facts = [facts_of(&left)?, expiries_of(&expired)?].concat();
        for (role, played) in moves {
            facts.push(atom("does", vec![ground(role)?, ground(played)?]));
        }
        let holding = self.holding(facts)?;
        let sees = by_role(&holding.names, &holding.model, &self.roles, "sees");
        Ok(Consequence { sees, successor: holding.fluents("next")?, expired })
    }

    /// The model of the rules and these facts.
    fn holding(&self, facts: Vec<Term>) -> Result<Holding, OracleError> {
        // Times that the rules do not mention are names as well.
        let (mut names, mut rules) = (self.names.clone(), self.rules.clone());
        for head in facts {
            rules.extend(rules_of(&Clause { span: head.span, head, body: Vec::new() }, &mut names)?);
        }
        let mut model = Model::default();
        Layer::new(rules).extend(&mut model, &Effort::new(EFFORT))?;
        Ok(Holding { names, model })
    }
}

impl Holding {
    /// The fluents that `init` or `next` gives, with their lifetimes.
    fn fluents(&self, word: &str) -> Result<State, OracleError> {
        let pairs = self.model.atoms(predicate(&self.names, word, 2));
        pairs
            .map(|arguments| {
                let (lifetime, fluent) = (self.names.print(&arguments[0]), self.names.print(&arguments[1]));
                match Lifetime::read(&lifetime) {
                    Some(lifetime) => Ok((lifetime, fluent)),
                    None => Err(OracleError::Lifetime { fluent, lifetime }),
                }
            })
            .collect()
    }
}

/// `true(T, F)` for each fluent of a state.
fn facts_of(state: &State) -> Result<Vec<Term>, OracleError> {
    let fact = |(lifetime, fluent): &(Lifetime, String)| {
        Ok(atom("true", vec![ground(&lifetime.to_string())?, ground(fluent)?]))
    };
    state.iter().map(fact).collect()
}

/// `expired(F)` for each fluent.
fn expiries_of(expired: &Terms) -> Result<Vec<Term>, OracleError> {
    expired.iter().map(|fluent| Ok(atom("expired", vec![ground(fluent)?]))).collect()
}

fn atom(word: &str, arguments: Vec<Term>) -> Term {
    Term { span: Span::new(0, 0), kind: TermKind::Compound(word.to_owned(), arguments) }
}

/// A ground term, with canonical numerals.
fn ground(text: &str) -> Result<Term, OracleError> {
    let term = syntax::read_ground_term(text, &Limits::STANDARD);
    term.map(|term| canonical_term(&term)).map_err(|_| OracleError::UnknownTerm(text.to_owned()))
}
