//! Compiles checked rules to a reasoner: planned once by estimates from the rules, and again by measurements in play.

use std::sync::Arc;

use super::{
    builder::{OnDemand, ReasonerBuilder},
    machine::Allowance,
    overrun::Overrun,
    phase::RelationPhase,
    question::Question,
    reasoner::Reasoner,
    terms::Vocabulary,
    trial::{Trial, TrialLimits, measure},
};
use crate::{
    limits::Limits,
    rules::{DependencyGraph, Keyword, Program},
};

/// Fuel for each state of the trial lines by which the sizes of relations are measured.
const TRIAL_FUEL: u64 = 100_000;

/// The same for the initial state, if that limit is not enough for it.
const FIRST_FUEL: u64 = 2_000_000;

impl Reasoner {
    /// A reasoner that computes some components on demand, and its measurements. What holds in every
    /// state may take `share`, everything else `limits`.
    pub(super) fn compile(
        program: &Program,
        graph: &DependencyGraph,
        limits: &Limits,
        share: &Limits,
        on_demand: &OnDemand,
    ) -> Result<(Self, Trial), Overrun> {
        let vocabulary = Arc::new(Vocabulary::new(program.symbols.clone(), *share)?);
        let first = Allowance { fuel: share.fuel, rows: share.rows };
        let mut builder = ReasonerBuilder::new(program, graph, vocabulary.reader(), first, on_demand);
        builder.compile(RelationPhase::Static)?;
        vocabulary.bound(*limits);
        let initial = builder.column(Keyword::Init, 0);
        let roles = builder.role_terms();
        builder.estimate_fluents(&initial);
        builder.compile(RelationPhase::State)?;
        builder.compile(RelationPhase::Joint)?;
        let mut reasoner = Self {
            answers: Question::ALL.map(|question| builder.relation_of(question.keyword())),
            stages: std::mem::take(&mut builder.stages),
            callees: Arc::from(builder.callees.clone()),
            layout: builder.layout.clone(),
            roles,
            initial,
            goal_rules: std::mem::take(&mut builder.goal_rules),
            vocabulary,
            allowance: Allowance { fuel: limits.fuel, rows: limits.rows },
            places: program.places().into(),
        };
        let trial =
            reasoner.on_trial(if on_demand.sccs.is_empty() { TrialLimits::FEW } else { TrialLimits::SHORT });
        if trial.is_telling() {
            builder.recompile(trial.sizes.clone())?;
            reasoner.stages = builder.stages;
            reasoner.callees = Arc::from(builder.callees);
            reasoner.layout = builder.layout;
        }
        Ok((reasoner, trial))
    }

    /// A few short sample matches; only the initial state if that already exceeds the limits for a state.
    pub(super) fn on_trial(&mut self, lines: TrialLimits) -> Trial {
        let trial = self.on_trial_within(TRIAL_FUEL, lines);
        if trial.is_telling() { trial } else { self.on_trial_within(FIRST_FUEL, TrialLimits::FIRST_STATE) }
    }

    fn on_trial_within(&mut self, fuel: u64, lines: TrialLimits) -> Trial {
        let allowance = self.allowance;
        self.allowance.fuel = allowance.fuel.min(fuel);
        let trial = measure(self, lines);
        self.allowance = allowance;
        trial
    }
}
