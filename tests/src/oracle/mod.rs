//! A second interpreter of GDL-II, naive and obvious, to judge the engine by.
//!
//! It takes what the parser read and computes models as the definitions say: rules in disjunctive
//! normal form, strata by counting negations, and in each stratum every substitution tried until
//! nothing new comes out. Rules without strata are given their well-founded model, if that leaves nothing
//! undecided. All it gives back is sets of canonical prints.
//!
//! # Sources
//! N. Love et al., General Game Playing: Game Description Language Specification (2006), Definitions
//! 10 to 14, 19 and 20; for `random` and `sees`, M. Thielscher, AAAI 2010.

mod growth;
mod model;
pub mod realtime;
mod rule;
mod strata;
mod term;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{
    Limits,
    stages::syntax::{self, Description},
};
use thiserror::Error;

pub use growth::{Growth, Moment};
use model::{Arguments, Effort, Model, extend, extend_alternating};
use rule::{Predicate, Rule, rules_of};
use strata::{dependencies, dependents, strata};
use term::{Names, Term};

/// Canonical prints of terms: the fluents of a state, the moves or percepts of a role, goal values.
pub type Terms = BTreeSet<String>;

/// The relations of the language.
const KEYWORDS: [&str; 9] = ["role", "init", "true", "does", "next", "legal", "goal", "terminal", "sees"];

/// Why the oracle has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum OracleError {
    /// A variable of the head or of a negative literal is in no positive literal.
    #[error("unsafe: {0}")]
    Unsafe(String),
    /// Something depends on its own negation, and so neither holds nor fails.
    #[error("an atom depends on its own negation")]
    Undefined,
    /// `legal`, `goal` or `terminal` depends on `does`.
    #[error("{0} depends on does")]
    DependsOnDoes(&'static str),
    /// A term with a name that the rules do not mention, or, in real time, no ground term.
    #[error("not a ground term of these rules: {0}")]
    UnknownTerm(String),
    /// In real time, a fluent lasts for what is neither a positive number with at most six decimals nor `infinity`.
    #[error("{lifetime} is no lifetime: {fluent}")]
    Lifetime {
        /// The fluent.
        fluent: String,
        /// What stands where its lifetime belongs.
        lifetime: String,
    },
    /// The oracle was told to look at fewer atoms than this takes.
    #[error("the effort allowed to the oracle is spent")]
    EffortSpent,
}

/// What holds in one state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct View {
    /// The legal moves of every role.
    pub legal: BTreeMap<String, Terms>,
    /// Every goal value of every role.
    pub goals: BTreeMap<String, Terms>,
    /// Whether the match is over.
    pub is_terminal: bool,
}

/// What a joint move leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Consequence {
    /// What every role is told, `random` included.
    pub sees: BTreeMap<String, Terms>,
    /// The fluents that are true afterwards.
    pub successor: Terms,
}

/// The rules of one game, and a bound on the work done for them.
#[derive(Debug)]
pub struct Oracle {
    names: Names,
    /// What holds in every state.
    fixed: Model,
    /// Rules that depend on `true` and not on `does`.
    of_state: Layer,
    /// Rules that depend on `does`.
    of_joint_move: Layer,
    /// Names of the roles in the order of the text.
    roles: Vec<String>,
    effort: Effort,
}

/// All that holds in one state.
#[derive(Debug)]
pub struct Situation<'o> {
    oracle: &'o Oracle,
    model: Model,
}

/// Rules that are computed together.
#[derive(Debug)]
enum Layer {
    /// By stratum.
    Stratified(Vec<Vec<Rule>>),
    /// No strata exist.
    Unstratified(Vec<Rule>),
}

impl Layer {
    fn new(rules: Vec<Rule>) -> Self {
        let Some(stratum_of) = strata(&rules) else { return Self::Unstratified(rules) };
        let mut by_stratum = vec![Vec::new(); stratum_of.values().max().map_or(0, |highest| highest + 1)];
        for rule in rules {
            by_stratum[stratum_of[&rule.head.predicate]].push(rule);
        }
        Self::Stratified(by_stratum)
    }

    fn extend(&self, model: &mut Model, effort: &Effort) -> Result<(), OracleError> {
        match self {
            Self::Stratified(strata) => strata.iter().try_for_each(|rules| extend(model, rules, effort)),
            Self::Unstratified(rules) => extend_alternating(model, rules, effort),
        }
    }
}

impl Oracle {
    /// The rules of a game. `effort` bounds how many atoms may be looked at, over the whole life of the oracle.
    ///
    /// # Errors
    /// [`OracleError`] where the rules have no meaning, or computing what holds in every state takes too long.
    pub fn new(description: &Description, effort: u64) -> Result<Self, OracleError> {
        let mut names = Names::default();
        for keyword in KEYWORDS {
            names.add(keyword);
        }
        let mut rules = Vec::new();
        for clause in &description.clauses {
            rules.extend(rules_of(clause, &mut names)?);
        }
        let key = |word, arity| predicate(&names, word, arity);
        let outputs = ["role", "init", "next"].map(|word| key(word, 1)).into_iter();
        let outputs =
            outputs.chain(["legal", "goal", "sees"].map(|word| key(word, 2))).chain([key("terminal", 0)]);
        let needed = dependencies(&rules, &outputs.collect::<Vec<_>>());
        let by_joint_move = dependents(&rules, &[key("does", 2)]);
        let by_state = dependents(&rules, &[key("true", 1)]);
        for (word, arity) in [("legal", 2), ("goal", 2), ("terminal", 0)] {
            if by_joint_move.contains(&key(word, arity)) {
                return Err(OracleError::DependsOnDoes(word));
            }
        }
        let (mut fixed_rules, mut of_state, mut of_joint_move) = (Vec::new(), Vec::new(), Vec::new());
        for rule in rules {
            let head = rule.head.predicate;
            match () {
                () if !needed.contains(&head) => {}
                () if by_joint_move.contains(&head) => of_joint_move.push(rule),
                () if by_state.contains(&head) => of_state.push(rule),
                () => fixed_rules.push(rule),
            }
        }
        let effort = Effort::new(effort);
        let mut fixed = Model::default();
        Layer::new(fixed_rules).extend(&mut fixed, &effort)?;
        let (of_state, of_joint_move) = (Layer::new(of_state), Layer::new(of_joint_move));
        let roles = roles_of(description);
        Ok(Self { names, fixed, of_state, of_joint_move, roles, effort })
    }

    /// The roles, `random` included, in the order of the text.
    #[must_use]
    pub fn roles(&self) -> &[String] {
        &self.roles
    }

    /// How many atoms may still be looked at.
    #[must_use]
    pub fn effort_left(&self) -> u64 {
        self.effort.left()
    }

    /// The fluents that are true when a match begins.
    ///
    /// # Errors
    /// [`OracleError::EffortSpent`].
    pub fn initial_state(&self) -> Result<Terms, OracleError> {
        let model = self.model_of(&Terms::new())?;
        Ok(column(&self.names, &model, "init"))
    }

    /// Legal moves, goals and whether the match is over.
    ///
    /// # Errors
    /// [`OracleError::EffortSpent`], [`OracleError::UnknownTerm`].
    pub fn view(&self, state: &Terms) -> Result<View, OracleError> {
        Ok(self.situation(state)?.view())
    }

    /// What all roles are told, and the next state.
    ///
    /// # Errors
    /// [`OracleError::EffortSpent`], [`OracleError::UnknownTerm`].
    pub fn consequence(
        &self,
        state: &Terms,
        joint_move: &BTreeMap<String, String>,
    ) -> Result<Consequence, OracleError> {
        self.situation(state)?.consequence(joint_move)
    }

    /// All that holds in a state, to be asked several questions.
    ///
    /// # Errors
    /// [`OracleError::EffortSpent`], [`OracleError::UnknownTerm`].
    pub fn situation(&self, state: &Terms) -> Result<Situation<'_>, OracleError> {
        Ok(Situation { oracle: self, model: self.model_of(state)? })
    }

    /// The model of the rules that do not depend on `does`.
    fn model_of(&self, state: &Terms) -> Result<Model, OracleError> {
        let mut model = self.fixed.clone();
        let holds = predicate(&self.names, "true", 1);
        for fluent in state {
            model.insert(holds, Arguments::from([self.term(fluent)?]));
        }
        self.of_state.extend(&mut model, &self.effort)?;
        Ok(model)
    }

    fn term(&self, text: &str) -> Result<Term, OracleError> {
        let unknown = || OracleError::UnknownTerm(text.to_owned());
        let term = syntax::read_ground_term(text, &Limits::STANDARD).map_err(|_| unknown())?;
        self.names.ground(&term).ok_or_else(unknown)
    }
}

impl Situation<'_> {
    /// Legal moves, goals and whether the match is over.
    #[must_use]
    pub fn view(&self) -> View {
        view(&self.oracle.names, &self.model, &self.oracle.roles)
    }

    /// What all roles are told, and the next state.
    ///
    /// # Errors
    /// [`OracleError::EffortSpent`], [`OracleError::UnknownTerm`].
    pub fn consequence(&self, joint_move: &BTreeMap<String, String>) -> Result<Consequence, OracleError> {
        let oracle = self.oracle;
        let mut model = self.model.clone();
        let does = predicate(&oracle.names, "does", 2);
        for (role, played) in joint_move {
            model.insert(does, Arguments::from([oracle.term(role)?, oracle.term(played)?]));
        }
        oracle.of_joint_move.extend(&mut model, &oracle.effort)?;
        Ok(consequence(&oracle.names, &model, &oracle.roles))
    }
}

fn view(names: &Names, model: &Model, roles: &[String]) -> View {
    View {
        legal: by_role(names, model, roles, "legal"),
        goals: by_role(names, model, roles, "goal"),
        is_terminal: model.atoms(predicate(names, "terminal", 0)).next().is_some(),
    }
}

fn consequence(names: &Names, model: &Model, roles: &[String]) -> Consequence {
    Consequence { sees: by_role(names, model, roles, "sees"), successor: column(names, model, "next") }
}

/// The arguments of a relation that has one.
fn column(names: &Names, model: &Model, word: &str) -> Terms {
    model.atoms(predicate(names, word, 1)).map(|arguments| names.print(&arguments[0])).collect()
}

/// The second arguments of a relation, by the first; every role is there, and nobody else.
fn by_role(names: &Names, model: &Model, roles: &[String], word: &str) -> BTreeMap<String, Terms> {
    let mut terms: BTreeMap<_, _> = roles.iter().map(|role| (role.clone(), Terms::new())).collect();
    for arguments in model.atoms(predicate(names, word, 2)) {
        if let Some(of_role) = terms.get_mut(&names.print(&arguments[0])) {
            of_role.insert(names.print(&arguments[1]));
        }
    }
    terms
}

fn predicate(names: &Names, word: &str, arity: usize) -> Predicate {
    (names.find(word).expect("every keyword was added first"), arity)
}

fn roles_of(description: &Description) -> Vec<String> {
    let mut roles = Vec::new();
    for clause in &description.clauses {
        if clause.head.name() == Some("role") && clause.head.arguments().len() == 1 && clause.body.is_empty()
        {
            let role = syntax::print_term(&clause.head.arguments()[0]);
            if !roles.contains(&role) {
                roles.push(role);
            }
        }
    }
    roles
}
