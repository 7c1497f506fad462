//! Checked rules to a reasoner: planned once by what the rules promise, and again by what play shows.

use std::sync::Arc;

use super::{
    LimitError, builder::Builder, machine::Allowance, question::Question, reasoner::Reasoner, stage::Phase,
    terms::Vocabulary, trial::measure,
};
use crate::{check::CheckedRules, limits::Limits, rules::Keyword};

/// Fuel for each state of the trial lines by which the sizes of relations are measured.
const TRIAL_FUEL: u64 = 100_000;

impl Reasoner {
    /// Compiles checked rules, and computes what holds in every state.
    ///
    /// # Errors
    /// [`LimitError`] if that takes more fuel or terms than allowed.
    pub fn new(rules: &CheckedRules, limits: &Limits) -> Result<Self, LimitError> {
        let program = rules.program();
        let vocabulary = Arc::new(Vocabulary::new(program.symbols.clone(), *limits)?);
        let allowance = Allowance { fuel: limits.fuel, rows: limits.rows };
        let mut builder = Builder::new(rules, vocabulary.reader(), allowance);
        builder.compile(Phase::Static)?;
        let initial = builder.column(Keyword::Init, 0);
        let roles = builder.role_terms();
        builder.estimate_fluents(&initial);
        builder.compile(Phase::State)?;
        builder.compile(Phase::Joint)?;
        let mut reasoner = Self {
            answers: Question::ALL.map(|question| builder.relation_of(question.keyword())),
            stages: std::mem::take(&mut builder.stages),
            layout: builder.layout.clone(),
            roles,
            initial,
            goal_rules: std::mem::take(&mut builder.goal_rules),
            vocabulary,
            allowance: Allowance { fuel: allowance.fuel.min(TRIAL_FUEL), ..allowance },
        };
        if let Some(sizes) = measure(&reasoner, limits.turns) {
            builder.recompile(sizes)?;
            reasoner.stages = builder.stages;
            reasoner.layout = builder.layout;
        }
        reasoner.allowance = allowance;
        Ok(reasoner)
    }
}
