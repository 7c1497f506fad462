//! The compiled program: what is computed once, what for each state, what for each joint move.

use std::sync::Arc;

use super::{
    LimitError,
    builder::Builder,
    estimate,
    layout::Layout,
    machine::Allowance,
    plan::RelationId,
    stage::{Phase, Stage},
    terms::Vocabulary,
};
use crate::{check::CheckedRules, id::TermId, limits::Limits, rules::Keyword};

/// A question that a state, or a state and a joint move, can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Question {
    /// Is the match over?
    Terminal,
    /// What may be played?
    Legal,
    /// What is it worth?
    Goal,
    /// What is true next?
    Next,
    /// Who is told what?
    Sees,
}

impl Question {
    pub(super) const ALL: [Self; 5] = [Self::Terminal, Self::Legal, Self::Goal, Self::Next, Self::Sees];

    pub(super) fn keyword(self) -> Keyword {
        match self {
            Self::Terminal => Keyword::Terminal,
            Self::Legal => Keyword::Legal,
            Self::Goal => Keyword::Goal,
            Self::Next => Keyword::Next,
            Self::Sees => Keyword::Sees,
        }
    }

    pub(super) fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// A program compiled for evaluation. Immutable; each thread asks it through a [`Session`](super::Session).
#[derive(Debug)]
pub struct Reasoner {
    pub(super) stages: Vec<Stage>,
    pub(super) layout: Layout,
    pub(super) answers: [Option<RelationId>; 5],
    roles: Vec<TermId>,
    initial: Vec<TermId>,
    vocabulary: Arc<Vocabulary>,
    /// What may be spent on one state, and again on one joint move.
    pub(super) allowance: Allowance,
}

/// Fuel for each state of the trial lines by which the sizes of relations are measured.
const TRIAL_FUEL: u64 = 100_000;

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
            vocabulary,
            allowance: Allowance { fuel: allowance.fuel.min(TRIAL_FUEL), ..allowance },
        };
        if let Some(sizes) = estimate::measure(&reasoner) {
            builder.recompile(sizes)?;
            reasoner.stages = builder.stages;
            reasoner.layout = builder.layout;
        }
        reasoner.allowance = allowance;
        Ok(reasoner)
    }

    /// The roles in the order of the rules.
    #[must_use]
    pub fn roles(&self) -> &[TermId] {
        &self.roles
    }

    /// The fluents that are true at the beginning.
    #[must_use]
    pub fn initial(&self) -> &[TermId] {
        &self.initial
    }

    /// The terms that the game has met.
    #[must_use]
    pub fn vocabulary(&self) -> &Arc<Vocabulary> {
        &self.vocabulary
    }

    /// Numbers about what was compiled.
    #[must_use]
    pub fn statistics(&self) -> ReasonerStatistics {
        ReasonerStatistics {
            relations: self.layout.relations.len(),
            static_rows: self.layout.relations.iter().map(|relation| relation.len() as usize).sum(),
            plans: self.stages.iter().map(|stage| stage.once.len() + stage.rounds.len()).sum(),
        }
    }
}
