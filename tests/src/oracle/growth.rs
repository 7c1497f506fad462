//! The same semantics one rule at a time: what is known grows with the program.
//!
//! A random program is made by adding a relation, looking what holds of it at once, and going on from there.
//! So what the whole program has to say at its first turn is known before any engine has read it.
//!
//! # Sources
//! Deopt adds rules one by one to a growing database, and lets what each of them gives be the answer that the whole
//! program is judged by (Finding Cross-Rule Optimization Bugs in Datalog Engines, OOPSLA 2024).

use croupier_engine::stages::syntax::{self, Clause};

use super::{
    Consequence, KEYWORDS, OracleError, View, consequence,
    model::{Effort, Model, extend},
    rule::rules_of,
    term::Names,
    view,
};

/// What holds so far: facts, the initial state, and all relations that were added.
#[derive(Debug)]
pub struct Growth {
    names: Names,
    model: Model,
    effort: u64,
}

/// A moment to which a [`Growth`] can be taken back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moment(Model);

impl Growth {
    /// Nothing holds. `effort` bounds how many atoms each addition may look at.
    #[must_use]
    pub fn new(effort: u64) -> Self {
        let mut names = Names::default();
        for keyword in KEYWORDS {
            names.add(keyword);
        }
        Self { names, model: Model::default(), effort }
    }

    /// Adds what follows from clauses and from what holds. They may depend on each other, but not on their own
    /// negation; nothing that was added before may depend on what they conclude.
    ///
    /// # Errors
    /// [`OracleError::Unsafe`], [`OracleError::EffortSpent`]; what holds then is part of it.
    pub fn add(&mut self, clauses: &[Clause]) -> Result<(), OracleError> {
        let mut rules = Vec::new();
        for clause in clauses {
            rules.extend(rules_of(clause, &mut self.names)?);
        }
        extend(&mut self.model, &rules, &Effort::new(self.effort))
    }

    /// What holds now.
    #[must_use]
    pub fn now(&self) -> Moment {
        Moment(self.model.clone())
    }

    /// Forgets what was added since.
    pub fn take_back(&mut self, to: &Moment) {
        self.model.clone_from(&to.0);
    }

    /// The arguments for which a relation holds, in an order that follows from what was added.
    #[must_use]
    pub fn rows(&self, name: &str, arity: usize) -> Vec<Vec<syntax::Term>> {
        let Some(name) = self.names.find(name) else { return Vec::new() };
        let rows = self.model.atoms((name, arity));
        rows.map(|row| row.iter().map(|term| self.names.written(term)).collect()).collect()
    }

    /// Legal moves, goals and whether the match is over.
    #[must_use]
    pub fn view(&self, roles: &[String]) -> View {
        view(&self.names, &self.model, roles)
    }

    /// What all roles are told, and the next state.
    #[must_use]
    pub fn consequence(&self, roles: &[String]) -> Consequence {
        consequence(&self.names, &self.model, roles)
    }
}
