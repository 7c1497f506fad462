//! Checked rules to a reasoner: planned once by what the rules promise, and again by what play shows.

use std::{collections::BTreeMap, sync::Arc};

use super::{
    builder::Builder,
    layout::Holding,
    machine::Allowance,
    on_demand::on_demand,
    question::Question,
    reasoner::Reasoner,
    stage::Phase,
    terms::Vocabulary,
    trial::{Lines, Trial, measure},
};
use crate::{
    check::CheckedRules,
    diagnostic::{RulePlace, Span},
    id::PredicateId,
    limits::{LimitError, Limits},
    rules::{DependencyGraph, Keyword, Program, Rule, Wanted},
};

/// Fuel for each state of the trial lines by which the sizes of relations are measured.
const TRIAL_FUEL: u64 = 100_000;

/// The same for the first state, where that is not enough for it.
const FIRST_FUEL: u64 = 2_000_000;

/// From so many rows in a state on it is tried whether a relation is better computed on demand.
const HEAVY_ROWS: f64 = 1_000.0;

/// How often rules are compiled again, each time with more relations computed on demand.
const ATTEMPTS_MAX: usize = 5;

impl Reasoner {
    /// Compiles checked rules, and computes what holds in every state.
    ///
    /// Relations that are large in a state are computed on demand where trial lines show that this is less work.
    ///
    /// # Errors
    /// [`LimitError`] if that takes more fuel or terms than allowed.
    pub fn new(rules: &CheckedRules, limits: &Limits) -> Result<Self, LimitError> {
        let (program, graph) = (rules.program(), rules.graph());
        let (mut best, trial) = Self::compile(program, graph, limits)?;
        let mut wanted = Wanted::new();
        let mut added = best.heavy(program, graph, &trial);
        let mut least = if added.is_empty() { 0.0 } else { best.on_trial().rows_per_state() };
        for _ in 0..ATTEMPTS_MAX {
            let known = wanted.len();
            wanted.append(&mut added);
            if wanted.len() == known {
                break;
            }
            let Some((changed, changed_graph)) = on_demand(program, graph, &wanted) else { break };
            // Asking takes room too: what exceeds the limits only then is no error of the rules.
            let Ok((mut reasoner, trial)) = Self::compile(&changed, &changed_graph, limits) else { break };
            added = reasoner.heavy(program, graph, &trial);
            let work = reasoner.on_trial().rows_per_state();
            if work < least {
                (best, least) = (reasoner, work);
            }
        }
        Ok(best)
    }

    pub(super) fn compile(
        program: &Program,
        graph: &DependencyGraph,
        limits: &Limits,
    ) -> Result<(Self, Trial), LimitError> {
        let vocabulary = Arc::new(Vocabulary::new(program.symbols.clone(), *limits)?);
        let allowance = Allowance { fuel: limits.fuel, rows: limits.rows };
        let mut builder = Builder::new(program, graph, vocabulary.reader(), allowance);
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
            allowance,
            places: places(program).into(),
        };
        let trial = reasoner.on_trial();
        if trial.is_telling() {
            builder.recompile(trial.sizes.clone())?;
            reasoner.stages = builder.stages;
            reasoner.layout = builder.layout;
        }
        Ok((reasoner, trial))
    }

    /// A few lines of play; of the first state alone where already that takes more than states may.
    fn on_trial(&mut self) -> Trial {
        let trial = self.on_trial_within(TRIAL_FUEL, Lines::FEW);
        if trial.is_telling() { trial } else { self.on_trial_within(FIRST_FUEL, Lines::FIRST_STATE) }
    }

    fn on_trial_within(&mut self, fuel: u64, lines: Lines) -> Trial {
        let allowance = self.allowance;
        self.allowance.fuel = allowance.fuel.min(fuel);
        let trial = measure(self, lines);
        self.allowance = allowance;
        trial
    }

    /// The relations of `program` that are large in a state, and those that ask for them: how many rows each
    /// has, or at least must be feared to have.
    fn heavy(&self, program: &Program, graph: &DependencyGraph, trial: &Trial) -> Wanted {
        let is_open = |predicate: PredicateId| {
            let relation = self.layout.get(Holding::Derived(predicate));
            program.as_keyword(predicate).is_none()
                && relation.is_some_and(|relation| self.layout.relations[relation as usize].len() == 0)
        };
        let rows = |predicate: PredicateId| {
            let relation = self.layout.get(Holding::Derived(predicate))?;
            Some(trial.sizes[relation as usize].as_ref()?.rows)
        };
        let is_heavy = |&predicate: &PredicateId| rows(predicate).is_some_and(|rows| rows >= HEAVY_ROWS);
        let heavy: Vec<PredicateId> =
            program.predicate_ids().filter(is_heavy).filter(|&predicate| is_open(predicate)).collect();
        let most = heavy.iter().filter_map(|&predicate| rows(predicate)).fold(0.0, f64::max);
        let is_asking = graph.dependents(&heavy);
        let asking = program.predicate_ids().filter(|predicate| is_asking[predicate.index()]);
        let asking = asking.filter(|&predicate| is_open(predicate));
        asking.map(|predicate| (predicate, rows(predicate).unwrap_or(most + 1.0) as usize)).collect()
    }
}

/// Where each rule stands in the text. What a rule asks for stands where that rule does, which comes before it.
pub(super) fn places(program: &Program) -> Vec<RulePlace> {
    let mut written: BTreeMap<Span, PredicateId> = BTreeMap::new();
    let place = |rule: &Rule| {
        let head = *written.entry(rule.span).or_insert(rule.head.predicate);
        RulePlace { relation: program.name(head).into(), span: rule.span }
    };
    program.rules.iter().map(place).collect()
}
