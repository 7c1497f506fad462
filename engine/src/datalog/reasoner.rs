//! The compiled program: what is computed once, what for each state, what for each joint move.

use std::sync::Arc;

use super::{
    callee::Callee,
    layout::Layout,
    machine::{Allowance, Stopped},
    plan::RelationId,
    stage::SccPlans,
    terms::Vocabulary,
};
use crate::{
    diagnostic::RulePlace,
    id::{RuleId, TermId},
    limits::LimitError,
};

/// A program compiled for evaluation. Immutable; each thread evaluates it through a [`Session`](super::Session).
#[derive(Debug)]
pub struct Reasoner {
    pub(super) stages: Vec<SccPlans>,
    /// The components that are computed when a plan calls them.
    pub(super) callees: Arc<[Callee]>,
    pub(super) layout: Layout,
    pub(super) answers: [Option<RelationId>; 5],
    pub(super) roles: Vec<TermId>,
    pub(super) initial: Vec<TermId>,
    /// The rule that first gave each row of `goal`, if goals are the same in every state; otherwise empty.
    pub(super) goal_rules: Vec<RuleId>,
    pub(super) vocabulary: Arc<Vocabulary>,
    /// What may be spent on one state, and again on one joint move.
    pub(super) allowance: Allowance,
    /// The location of each rule in the text.
    pub(super) places: Arc<[RulePlace]>,
}

/// Numbers about a compiled program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ReasonerStatistics {
    /// Relations kept.
    pub relations: usize,
    /// Rows of relations that hold in every state.
    pub static_rows: usize,
    /// Plans, semi-naive variants included, that run for each state or joint move.
    pub plans: usize,
}

impl Reasoner {
    /// The same reasoner with a vocabulary of its own.
    pub(crate) fn fork(&self) -> Self {
        Self {
            stages: self.stages.clone(),
            callees: Arc::clone(&self.callees),
            layout: self.layout.clone(),
            answers: self.answers,
            roles: self.roles.clone(),
            initial: self.initial.clone(),
            goal_rules: self.goal_rules.clone(),
            vocabulary: Arc::new(self.vocabulary.fork()),
            allowance: self.allowance,
            places: Arc::clone(&self.places),
        }
    }

    /// The limit that was exceeded, with the rule that exceeded it.
    pub(super) fn limit(&self, stopped: Stopped) -> LimitError {
        stopped.limit.by(self.places[stopped.rule.index()].clone())
    }

    /// The location of a rule in the text.
    pub(crate) fn place(&self, rule: RuleId) -> &RulePlace {
        &self.places[rule.index()]
    }

    /// The roles in the order of the rules.
    #[must_use]
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The fluents that are true in the initial state.
    #[must_use]
    pub fn initial(&self) -> &[TermId] {
        &self.initial
    }

    /// The terms that the game has met.
    #[must_use]
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// Size figures of the compiled program.
    #[must_use]
    pub fn statistics(&self) -> ReasonerStatistics {
        ReasonerStatistics {
            relations: self.layout.relations.len(),
            static_rows: self.layout.relations.iter().map(|relation| relation.len() as usize).sum(),
            plans: self.stages.iter().map(|stage| stage.once.len() + stage.rounds.len()).sum::<usize>()
                + self.callees.iter().map(|callee| callee.plans().count()).sum::<usize>(),
        }
    }
}
