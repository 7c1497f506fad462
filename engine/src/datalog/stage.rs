//! A strongly connected component of the dependency graph as plans, and how they are run.

use super::{
    machine::{Memory, Stopped},
    phase::RelationPhase,
    plan::{Plan, PlanStep, RelationId},
    relation::NONE,
};
use crate::id::RuleId;

/// One strongly connected component of the dependency graph, compiled.
#[derive(Clone, Debug)]
pub(super) struct SccPlans {
    pub(super) phase: RelationPhase,
    /// The questions it is needed for, as bits.
    pub(super) questions: u8,
    /// Plans that run once.
    pub(super) once: Vec<Plan>,
    /// Plans that run until nothing new comes, each with a delta.
    pub(super) rounds: Vec<Plan>,
    /// The relations that it fills.
    pub(super) heads: Vec<RelationId>,
}

impl SccPlans {
    /// Whether some plan calls relations that are computed on demand.
    pub(super) fn has_calls(&self) -> bool {
        let steps = self.once.iter().chain(&self.rounds).flat_map(|plan| &plan.steps);
        steps.into_iter().any(|step| matches!(step, PlanStep::Call { .. }))
    }
}

/// The register files of all plans of some stages, in order.
#[derive(Debug)]
pub(super) struct Registers {
    pub(super) once: Vec<Vec<Vec<u32>>>,
    pub(super) rounds: Vec<Vec<Vec<u32>>>,
}

impl Registers {
    pub(super) fn of(stages: &[SccPlans]) -> Self {
        let files = |plans: &[Plan]| plans.iter().map(|plan| plan.registers.clone()).collect();
        Self {
            once: stages.iter().map(|stage| files(&stage.once)).collect(),
            rounds: stages.iter().map(|stage| files(&stage.rounds)).collect(),
        }
    }
}

/// Evaluates the stage of `goal`, noting which rule first gave each row; a recursive one is not told apart.
pub(super) fn run_goals(
    stage: &SccPlans,
    number: usize,
    memory: &mut Memory,
    registers: &mut Registers,
    goal_rules: &mut Vec<RuleId>,
) -> Result<(), Stopped> {
    if !stage.rounds.is_empty() {
        return run_stage(stage, number, memory, registers);
    }
    for (plan, file) in stage.once.iter().zip(&mut registers.once[number]) {
        memory.run(plan, file)?;
        let len = memory.relations[plan.head as usize].len() as usize;
        goal_rules.resize(len.max(goal_rules.len()), plan.rule);
    }
    Ok(())
}

/// Evaluates one stage to its fixpoint. Its relations are empty before.
pub(super) fn run_stage(
    stage: &SccPlans,
    number: usize,
    memory: &mut Memory,
    registers: &mut Registers,
) -> Result<(), Stopped> {
    for (plan, file) in stage.once.iter().zip(&mut registers.once[number]) {
        memory.run(plan, file)?;
    }
    if stage.rounds.is_empty() {
        return Ok(());
    }
    loop {
        let mut is_growing = false;
        for &head in &stage.heads {
            let relation = &mut memory.relations[head as usize];
            relation.delta_start = if relation.visible_end == NONE { 0 } else { relation.visible_end };
            relation.visible_end = relation.len();
            is_growing |= relation.delta_start < relation.visible_end;
        }
        if !is_growing {
            break;
        }
        for (plan, file) in stage.rounds.iter().zip(&mut registers.rounds[number]) {
            memory.run(plan, file)?;
        }
    }
    for &head in &stage.heads {
        let relation = &mut memory.relations[head as usize];
        (relation.delta_start, relation.visible_end) = (0, NONE);
    }
    Ok(())
}
