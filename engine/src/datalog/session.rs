//! One thread's evaluation of a reasoner.

use std::sync::Arc;

use super::{
    estimate::{Estimate, distinct_values, relation_id},
    layout::Holding,
    machine::Memory,
    phase::RelationPhase,
    plan::RelationId,
    question::Question,
    reasoner::Reasoner,
    relation::Relation,
    stage::{Registers, run_goals, run_stage},
    terms::Terms,
};
use crate::{
    id::{FluentId, RoleId, RuleId, TermId},
    limits::LimitError,
};

/// One thread's evaluation of one reasoner: a state, possibly a joint move, and their consequences.
#[derive(Debug)]
pub struct Session {
    memory: Memory,
    registers: Registers,
    is_done: Vec<bool>,
    /// Where fluents and moves go: by fluent, and by term for moves.
    fluent_routes: Vec<Option<RelationId>>,
    any_fluent: Option<RelationId>,
    any_move: Option<RelationId>,
    inputs_state: Vec<RelationId>,
    inputs_joint: Vec<RelationId>,
    /// The rule that first gave each row of `goal`.
    goal_rules: Vec<RuleId>,
    rows_looked_at: u64,
    /// The stage that was computed last.
    last: Option<usize>,
}

impl Session {
    /// A session with nothing loaded.
    #[must_use]
    pub fn new(reasoner: &Reasoner) -> Self {
        let layout = &reasoner.layout;
        let inputs = |wanted: fn(&Holding) -> bool| {
            let relations = layout.holdings.iter().enumerate().filter(|(_, holding)| wanted(holding));
            relations.map(|(id, _)| relation_id(id)).collect()
        };
        Self {
            memory: Memory::new(
                layout.relations.clone(),
                reasoner.vocabulary().reader(),
                Arc::clone(&reasoner.callees),
            ),
            registers: Registers::of(&reasoner.stages),
            is_done: vec![false; reasoner.stages.len()],
            fluent_routes: Vec::new(),
            any_fluent: layout.get(Holding::AnyFluent),
            any_move: layout.get(Holding::AnyMove),
            inputs_state: inputs(|holding| matches!(holding, Holding::Fluent(..) | Holding::AnyFluent)),
            inputs_joint: inputs(|holding| matches!(holding, Holding::Move(..) | Holding::AnyMove)),
            goal_rules: reasoner.goal_rules.clone(),
            rows_looked_at: 0,
            last: None,
        }
    }

    /// The terms that this session knows.
    pub fn terms(&mut self) -> &mut Terms {
        &mut self.memory.terms
    }

    /// Forgets everything and makes these fluents true.
    pub fn load_state(&mut self, reasoner: &Reasoner, fluents: impl Iterator<Item = FluentId>) {
        self.clear(reasoner, RelationPhase::State);
        self.memory.allow(reasoner.allowance);
        for fluent in fluents {
            if fluent.index() >= self.fluent_routes.len() {
                self.route_fluents(reasoner);
            }
            let term = self.memory.terms.fluent_term(fluent);
            if let Some(relation) = self.fluent_routes[fluent.index()] {
                let (_, arguments) = self.memory.terms.parts(term.raw());
                self.memory.relations[relation as usize].append(arguments.iter().copied());
            }
            if let Some(relation) = self.any_fluent {
                self.memory.relations[relation as usize].append(std::iter::once(term.raw()));
            }
        }
    }

    fn route_fluents(&mut self, reasoner: &Reasoner) {
        self.memory.terms.catch_up();
        for index in self.fluent_routes.len()..self.memory.terms.fluents_count() {
            let fluent = FluentId::new(index).expect("fluents were counted when interned");
            let (symbol, arguments) = self.memory.terms.parts(self.memory.terms.fluent_term(fluent).raw());
            self.fluent_routes.push(reasoner.layout.get(Holding::Fluent(symbol, arguments.len())));
        }
    }

    /// Forgets the joint move there was, and lets each role do this.
    pub fn load_joint(&mut self, reasoner: &Reasoner, moves: impl Iterator<Item = (RoleId, TermId)>) {
        self.clear(reasoner, RelationPhase::Joint);
        self.memory.allow(reasoner.allowance);
        let mut row = Vec::new();
        for (role, played) in moves {
            if !self.memory.terms.knows(played) {
                self.memory.terms.catch_up();
            }
            let role = reasoner.roles()[role.index()].raw();
            let (symbol, arguments) = self.memory.terms.parts(played.raw());
            if let Some(relation) = reasoner.layout.get(Holding::Move(symbol, arguments.len())) {
                row.clear();
                row.push(role);
                row.extend_from_slice(arguments);
                self.memory.relations[relation as usize].append(row.iter().copied());
            }
            if let Some(relation) = self.any_move {
                self.memory.relations[relation as usize].append([role, played.raw()].into_iter());
            }
        }
    }

    /// Forgets what depends on a phase or a later one.
    fn clear(&mut self, reasoner: &Reasoner, from: RelationPhase) {
        if from == RelationPhase::State {
            self.goal_rules.clone_from(&reasoner.goal_rules);
            for &relation in &self.inputs_state {
                self.memory.relations[relation as usize].clear();
            }
        }
        for &relation in &self.inputs_joint {
            self.memory.relations[relation as usize].clear();
        }
        self.memory.forget_calls(|callee| from == RelationPhase::State || callee.phase >= from);
        for (stage, is_done) in reasoner.stages.iter().zip(&mut self.is_done) {
            if *is_done && stage.phase >= from {
                *is_done = false;
                for &head in &stage.heads {
                    self.memory.relations[head as usize].clear();
                }
            }
        }
    }

    /// Computes whatever a question needs and is not computed yet.
    ///
    /// # Errors
    /// [`LimitError`]; afterwards another state must be loaded before further questions.
    pub fn derive(&mut self, reasoner: &Reasoner, question: Question) -> Result<(), LimitError> {
        let fuel = self.memory.fuel();
        let result = self.run_stages(reasoner, question);
        self.rows_looked_at += fuel - self.memory.fuel();
        result
    }

    /// Rows examined since the session was created: a measure of work that is the same in every process.
    #[must_use]
    pub fn rows_looked_at(&self) -> u64 {
        self.rows_looked_at
    }

    fn run_stages(&mut self, reasoner: &Reasoner, question: Question) -> Result<(), LimitError> {
        for (number, stage) in reasoner.stages.iter().enumerate() {
            if self.is_done[number] || stage.questions & question.bit() == 0 {
                continue;
            }
            self.is_done[number] = true;
            self.last = Some(number);
            let result = if reasoner.answers[Question::Goal as usize]
                .is_some_and(|goal| stage.heads.contains(&goal))
            {
                run_goals(stage, number, &mut self.memory, &mut self.registers, &mut self.goal_rules)
            } else {
                run_stage(stage, number, &mut self.memory, &mut self.registers)
            };
            result.map_err(|stopped| reasoner.limit(stopped))?;
        }
        Ok(())
    }

    /// The rows that answer a question, after [`derive`](Self::derive).
    pub fn answers(&self, reasoner: &Reasoner, question: Question) -> impl Iterator<Item = &[u32]> {
        let relation: Option<&Relation> =
            reasoner.answers[question as usize].map(|id| &self.memory.relations[id as usize]);
        relation.into_iter().flat_map(Relation::rows)
    }

    /// The relations that were computed last: if a limit was exceeded, they took too much.
    pub(super) fn last_heads(&self, reasoner: &Reasoner) -> Vec<RelationId> {
        self.last.map_or_else(Vec::new, |number| reasoner.stages[number].heads.clone())
    }

    /// The size of every relation as it is now; of none that holds in every state, which is known.
    pub(super) fn sizes(&self, reasoner: &Reasoner) -> impl Iterator<Item = Option<Estimate>> {
        let relations = self.memory.relations.iter().zip(&reasoner.layout.relations);
        relations.map(|(relation, before)| {
            (before.len() == 0).then(|| Estimate {
                rows: f64::from(relation.len()),
                distinct: (0..relation.arity())
                    .map(|column| distinct_values(relation.rows(), column))
                    .collect(),
            })
        })
    }

    /// The rule that first gave the `row`-th answer to [`Question::Goal`].
    #[must_use]
    pub fn goal_rule(&self, row: usize) -> Option<RuleId> {
        self.goal_rules.get(row).copied()
    }
}
