//! Plans at work: an explicit loop nest, so that neither long bodies nor deep recursion cost stack.

use super::{
    LimitError,
    plan::{Action, Plan, Register, Rows, Step},
    relation::{NONE, Relation},
    terms::Terms,
};

/// What plans read and write, and how much of it they may still look at.
#[derive(Debug)]
pub(super) struct Memory {
    pub(super) relations: Vec<Relation>,
    pub(super) terms: Terms,
    allowance: Allowance,
    /// The row each generator is at.
    cursors: Vec<u32>,
    /// A key or row being put together.
    buffer: Box<[u32; BUFFER]>,
}

/// What may still be spent on one state or joint move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Allowance {
    /// Rows to look at.
    pub(super) fuel: u64,
    /// Rows to derive.
    pub(super) rows: u64,
}

/// Longest row: the largest arity, and a role before it.
const BUFFER: usize = 256;

impl Memory {
    pub(super) fn new(relations: Vec<Relation>, terms: Terms) -> Self {
        Self {
            relations,
            terms,
            allowance: Allowance { fuel: 0, rows: 0 },
            cursors: Vec::new(),
            buffer: Box::new([0; BUFFER]),
        }
    }

    /// Lets the following plans spend this much.
    pub(super) fn allow(&mut self, allowance: Allowance) {
        self.allowance = allowance;
    }

    /// Rows that may still be looked at.
    pub(super) fn fuel(&self) -> u64 {
        self.allowance.fuel
    }

    /// Evaluates a plan against everything visible, and adds its conclusions.
    ///
    /// # Errors
    /// [`LimitError`] when the fuel is used up or a term cannot be built.
    pub(super) fn run(&mut self, plan: &Plan, registers: &mut [u32]) -> Result<(), LimitError> {
        if self.relations[plan.head as usize].arity() == 0 && self.relations[plan.head as usize].len() > 0 {
            return Ok(());
        }
        if self.cursors.len() < plan.steps.len() {
            self.cursors.resize(plan.steps.len(), NONE);
        }
        let mut position = 0;
        let mut is_entering = true;
        loop {
            let Some(step) = plan.steps.get(position) else {
                self.conclude(plan, registers)?;
                let Some(resume) = plan.resume else { return Ok(()) };
                position = resume;
                is_entering = false;
                continue;
            };
            if self.advance(step, position, is_entering, registers)? {
                position += 1;
                is_entering = true;
            } else {
                let Some(back) = plan.back[position] else { return Ok(()) };
                position = back;
                is_entering = false;
            }
        }
    }

    fn conclude(&mut self, plan: &Plan, registers: &[u32]) -> Result<(), LimitError> {
        let row = gather(&mut self.buffer, &plan.emit, registers);
        if self.relations[plan.head as usize].insert(row, plan.head_index) {
            self.allowance.derive(plan.emit.len())?;
        }
        Ok(())
    }

    /// Whether a step succeeds, for the first time or once more.
    #[inline]
    fn advance(
        &mut self,
        step: &Step,
        position: usize,
        is_entering: bool,
        registers: &mut [u32],
    ) -> Result<bool, LimitError> {
        match step {
            Step::Scan { relation, rows, actions } => {
                let relation = &self.relations[*relation as usize];
                let end = relation.len().min(relation.visible_end);
                let mut row = match (is_entering, rows) {
                    (true, Rows::Total) => 0,
                    (true, Rows::Delta) => relation.delta_start,
                    (false, _) => self.cursors[position] + 1,
                };
                while row < end {
                    self.allowance.look()?;
                    if apply(actions, relation.row(row), registers) {
                        self.cursors[position] = row;
                        return Ok(true);
                    }
                    row += 1;
                }
                Ok(false)
            }
            Step::Probe { relation, index, key, rows, actions } => {
                let key = gather(&mut self.buffer, key, registers);
                let relation = &mut self.relations[*relation as usize];
                let mut row = if is_entering {
                    relation.first(*index, key)
                } else {
                    relation.following(*index, key, self.cursors[position])
                };
                // Newest first: the first row before the delta ends it.
                let start = if *rows == Rows::Delta { relation.delta_start } else { 0 };
                while row != NONE && row >= start {
                    self.allowance.look()?;
                    if row < relation.visible_end && apply(actions, relation.row(row), registers) {
                        self.cursors[position] = row;
                        return Ok(true);
                    }
                    row = relation.following(*index, key, row);
                }
                Ok(false)
            }
            test => self.test(test, is_entering, registers),
        }
    }

    /// A step that succeeds at most once.
    #[inline]
    fn test(&mut self, step: &Step, is_entering: bool, registers: &mut [u32]) -> Result<bool, LimitError> {
        debug_assert!(is_entering, "only generators are entered again");
        self.allowance.look()?;
        match step {
            Step::Present { relation, index, key } => Ok(self.contains(*relation, *index, key, registers)),
            Step::Absent { relation, index, key } => Ok(!self.contains(*relation, *index, key, registers)),
            Step::Distinct(left, right) => Ok(value(registers, *left) != value(registers, *right)),
            Step::Same(left, right) => Ok(value(registers, *left) == value(registers, *right)),
            Step::Match { term, symbol, arity, actions } => {
                let (found, arguments) = self.terms.parts(value(registers, *term));
                Ok(found == *symbol && arguments.len() == *arity && apply(actions, arguments, registers))
            }
            Step::Find { symbol, arguments, into } => {
                let arguments = gather(&mut self.buffer, arguments, registers);
                let is_whole = !arguments.contains(&NONE);
                let term = if is_whole { self.terms.find(*symbol, arguments) } else { None };
                registers[usize::from(*into)] = term.map_or(NONE, crate::id::TermId::raw);
                Ok(true)
            }
            Step::Build { symbol, arguments, into } => {
                let arguments = gather(&mut self.buffer, arguments, registers);
                registers[usize::from(*into)] = self.terms.intern(*symbol, arguments)?.raw();
                Ok(true)
            }
            Step::Scan { .. } | Step::Probe { .. } => unreachable!("generators are advanced elsewhere"),
        }
    }

    #[inline]
    fn contains(&mut self, relation: u32, index: usize, key: &[Register], registers: &[u32]) -> bool {
        let key = gather(&mut self.buffer, key, registers);
        self.relations[relation as usize].contains(key, index)
    }
}

#[inline]
fn value(registers: &[u32], register: Register) -> u32 {
    registers[usize::from(register)]
}

#[inline]
fn gather<'b>(buffer: &'b mut [u32; BUFFER], from: &[Register], registers: &[u32]) -> &'b [u32] {
    for (slot, &register) in buffer.iter_mut().zip(from) {
        *slot = value(registers, register);
    }
    &buffer[..from.len()]
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
    fn look(&mut self) -> Result<(), LimitError> {
        self.fuel = self.fuel.checked_sub(1).ok_or(LimitError { what: ROWS_LOOKED_AT, limit: 0 })?;
        Ok(())
    }

    /// Counts a row by the memory that it takes: once, and once more for every eight columns.
    #[inline]
    fn derive(&mut self, columns: usize) -> Result<(), LimitError> {
        let cost = 1 + columns as u64 / 8;
        self.rows = self.rows.checked_sub(cost).ok_or(LimitError { what: ROWS_DERIVED, limit: 0 })?;
        Ok(())
    }

    /// An error that names the bound: who spends does not know how much there was.
    pub(super) fn name(self, error: LimitError) -> LimitError {
        match error.what {
            ROWS_LOOKED_AT => LimitError { limit: self.fuel, ..error },
            ROWS_DERIVED => LimitError { limit: self.rows, ..error },
            _ => error,
        }
    }
}

const ROWS_LOOKED_AT: &str = "rows looked at";
const ROWS_DERIVED: &str = "rows derived";
