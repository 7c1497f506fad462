//! Plans at work: an explicit loop nest, so that neither long bodies nor deep recursion cost stack.

use std::sync::Arc;

use super::{
    callee::{Callee, Calling},
    plan::{Action, Plan, PlanStep, Register, Rows},
    relation::{NONE, Relation},
    terms::Terms,
};
use crate::{id::RuleId, limits::LimitError};

/// The data that plans read and write, and how much they may still examine.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) relations: Vec<Relation>,
    pub(super) terms: Terms,
    /// What may still be spent.
    left: Allowance,
    /// The initial budget.
    allowance: Allowance,
    /// The row each generator is at.
    pub(super) cursors: Vec<u32>,
    /// Why the last step stopped, if it did, and the rule if it is not that of the plan at work.
    stopped: Option<(Option<RuleId>, LimitError)>,
    pub(super) calling: Calling,
}

/// What may still be spent on one state or joint move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    /// Rows that may be examined.
    pub(super) fuel: u64,
    /// Rows to derive.
    pub(super) rows: u64,
}

/// A plan that could not be run to its end.
#[derive(Clone, Debug)]
pub(super) struct Stopped {
    /// The rule of the plan.
    pub(super) rule: RuleId,
    /// The limit that was exceeded, without the rule.
    pub(super) limit: LimitError,
}

/// How the search continues after a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StepOutcome {
    /// To the next step.
    Success,
    /// Back to the nearest generator.
    Failure,
    /// Not at all: a limit is reached.
    Stop,
}

impl Memory {
    /// Memory of plans that call these.
    pub(super) fn new(relations: Vec<Relation>, terms: Terms, callees: Arc<[Callee]>) -> Self {
        let allowance = Allowance { fuel: 0, rows: 0 };
        Self {
            relations,
            terms,
            left: allowance,
            allowance,
            cursors: Vec::new(),
            stopped: None,
            calling: Calling::new(callees),
        }
    }

    /// Lets the following plans spend this much.
    pub(super) fn allow(&mut self, allowance: Allowance) {
        (self.left, self.allowance) = (allowance, allowance);
    }

    /// Rows that may still be examined.
    pub(super) fn fuel(&self) -> u64 {
        self.left.fuel
    }

    /// Evaluates a plan against everything visible, and adds its conclusions.
    ///
    /// # Errors
    /// [`Stopped`] when the allowance is used up or a term cannot be built.
    pub(super) fn run(&mut self, plan: &Plan, registers: &mut [u32]) -> Result<(), Stopped> {
        if self.relations[plan.head as usize].arity() == 0 && self.relations[plan.head as usize].len() > 0 {
            return Ok(());
        }
        if self.cursors.len() < plan.steps.len() {
            self.cursors.resize(plan.steps.len(), NONE);
        }
        let mut position = 0;
        let mut is_entering = true;
        loop {
            let outcome = match plan.steps.get(position) {
                Some(step) => self.advance(step, position, is_entering, registers),
                None => self.conclude(plan, registers),
            };
            let target = match outcome {
                StepOutcome::Success => {
                    position += 1;
                    is_entering = true;
                    continue;
                }
                StepOutcome::Failure => plan.back[position],
                StepOutcome::Stop => {
                    let (called, limit) = self.stopped.take().expect("who stops says why");
                    return Err(Stopped { rule: called.unwrap_or(plan.rule), limit });
                }
            };
            let Some(target) = target else { return Ok(()) };
            position = target;
            is_entering = false;
        }
    }

    /// Adds a conclusion; the search then goes back.
    #[inline]
    fn conclude(&mut self, plan: &Plan, registers: &[u32]) -> StepOutcome {
        let row = values(&plan.emit, registers);
        let is_new = self.relations[plan.head as usize].insert(row, plan.head_index);
        if is_new && !self.count_row(plan.emit.len()) {
            return self.stop_deriving();
        }
        StepOutcome::Failure
    }

    /// Counts a derived row with this many columns; returns whether it was still within the limit.
    #[inline]
    pub(super) fn count_row(&mut self, columns: usize) -> bool {
        self.left.derive(columns)
    }

    #[cold]
    pub(super) fn stop_deriving(&mut self) -> StepOutcome {
        self.stop(LimitError::RowsDerived { limit: self.allowance.rows, rule: None })
    }

    /// Whether a step succeeds, for the first time or once more.
    #[inline]
    fn advance(
        &mut self,
        step: &PlanStep,
        position: usize,
        is_entering: bool,
        registers: &mut [u32],
    ) -> StepOutcome {
        match step {
            PlanStep::Scan { relation, rows, actions } => {
                let relation = &self.relations[*relation as usize];
                let end = relation.len().min(relation.visible_end);
                let mut row = match (is_entering, rows) {
                    (true, Rows::Total) => 0,
                    (true, Rows::Delta) => relation.delta_start,
                    (false, _) => self.cursors[position] + 1,
                };
                while row < end {
                    if !self.left.look() {
                        return self.stop_looking();
                    }
                    if apply(actions, relation.row(row), registers) {
                        self.cursors[position] = row;
                        return StepOutcome::Success;
                    }
                    row += 1;
                }
                StepOutcome::Failure
            }
            PlanStep::Probe { relation, index, key, rows, actions } => {
                let relation = &mut self.relations[*relation as usize];
                let mut row = if is_entering {
                    relation.first(*index, values(key, registers))
                } else {
                    relation.following(*index, values(key, registers), self.cursors[position])
                };
                // Newest first: the first row before the delta ends it.
                let start = if *rows == Rows::Delta { relation.delta_start } else { 0 };
                while row != NONE && row >= start {
                    if !self.left.look() {
                        return self.stop_looking();
                    }
                    if row < relation.visible_end && apply(actions, relation.row(row), registers) {
                        self.cursors[position] = row;
                        return StepOutcome::Success;
                    }
                    row = relation.following(*index, values(key, registers), row);
                }
                StepOutcome::Failure
            }
            test => {
                debug_assert!(is_entering, "only generators are entered again");
                self.test(test, registers)
            }
        }
    }

    /// A step that succeeds at most once.
    #[inline]
    fn test(&mut self, step: &PlanStep, registers: &mut [u32]) -> StepOutcome {
        if !self.left.look() {
            return self.stop_looking();
        }
        let is_success = match step {
            PlanStep::Present { relation, index, key } => self.contains(*relation, *index, key, registers),
            PlanStep::Absent { relation, index, key } => !self.contains(*relation, *index, key, registers),
            PlanStep::Distinct(left, right) => value(registers, *left) != value(registers, *right),
            PlanStep::Same(left, right) => value(registers, *left) == value(registers, *right),
            PlanStep::Match { term, symbol, arity, actions } => {
                let (found, arguments) = self.terms.parts(value(registers, *term));
                found == *symbol && arguments.len() == *arity && apply(actions, arguments, registers)
            }
            PlanStep::Find { symbol, arguments, into } => {
                // No term has a part that is none.
                let term = self.terms.find(*symbol, values(arguments, registers));
                registers[usize::from(*into)] = term.map_or(NONE, crate::id::TermId::raw);
                true
            }
            PlanStep::Build { symbol, arguments, into } => {
                match self.terms.intern(*symbol, values(arguments, registers)) {
                    Ok(term) => registers[usize::from(*into)] = term.raw(),
                    Err(error) => return self.stop(error),
                }
                true
            }
            PlanStep::Call { callee, entry, key } => return self.call(*callee, *entry, key, registers),
            PlanStep::Scan { .. } | PlanStep::Probe { .. } => {
                unreachable!("generators are advanced elsewhere")
            }
        };
        if is_success { StepOutcome::Success } else { StepOutcome::Failure }
    }

    #[inline]
    fn contains(&mut self, relation: u32, index: usize, key: &[Register], registers: &[u32]) -> bool {
        self.relations[relation as usize].contains(values(key, registers), index)
    }

    #[cold]
    fn stop_looking(&mut self) -> StepOutcome {
        self.stop(LimitError::RowsLookedAt { limit: self.allowance.fuel, rule: None })
    }

    /// Ends the plan at work.
    #[cold]
    fn stop(&mut self, limit: LimitError) -> StepOutcome {
        self.stop_within(None, limit)
    }

    /// The same after a called plan has ended: that plan's rule exceeded the limit.
    #[cold]
    pub(super) fn stop_within(&mut self, rule: Option<RuleId>, limit: LimitError) -> StepOutcome {
        self.stopped = Some((rule, limit));
        StepOutcome::Stop
    }
}

#[inline]
fn value(registers: &[u32], register: Register) -> u32 {
    registers[usize::from(register)]
}

#[inline]
pub(super) fn values<'r>(
    of: &'r [Register],
    registers: &'r [u32],
) -> impl ExactSizeIterator<Item = u32> + Clone + 'r {
    of.iter().map(|&register| value(registers, register))
}

/// Binds and checks the values of a row or term; whether all checks held.
#[inline]
fn apply(actions: &[(usize, Action)], values: &[u32], registers: &mut [u32]) -> bool {
    actions.iter().all(|&(column, action)| match action {
        Action::Bind(register) => {
            registers[usize::from(register)] = values[column];
            true
        }
        Action::Check(register) => value(registers, register) == values[column],
    })
}

impl Allowance {
    #[inline]
    fn look(&mut self) -> bool {
        spend(&mut self.fuel, 1)
    }

    /// Counts a row by the memory that it takes: once, and once more for every eight columns.
    #[inline]
    fn derive(&mut self, columns: usize) -> bool {
        spend(&mut self.rows, 1 + columns as u64 / 8)
    }
}

/// Whether there was as much.
#[inline]
fn spend(left: &mut u64, cost: u64) -> bool {
    let (rest, is_short) = left.overflowing_sub(cost);
    *left = if is_short { 0 } else { rest };
    !is_short
}
