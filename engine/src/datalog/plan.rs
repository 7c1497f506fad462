//! How one rule is evaluated: a loop nest over indexed relations, as data.

use crate::id::{RuleId, SymbolId};

/// A position in the register file of a plan; constants have registers too.
pub(super) type Register = u16;

/// A relation of the reasoner's layout.
pub(super) type RelationId = u32;

/// What a step does with one value of the row or term that it examines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    /// Keep it in a register that no earlier step has filled.
    Bind(Register),
    /// Go on only if it equals a register.
    Check(Register),
}

/// Which rows of a relation a step sees.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Rows {
    /// All that are visible.
    Total,
    /// Those that the last round added.
    Delta,
}

/// One step of a plan. *Generators* (scan, probe) may succeed several times, the others once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum PlanStep {
    /// Each row of a relation.
    Scan { relation: RelationId, rows: Rows, actions: Vec<(usize, Action)> },
    /// Each row of a relation whose indexed columns equal the key.
    Probe {
        relation: RelationId,
        index: usize,
        key: Vec<Register>,
        rows: Rows,
        actions: Vec<(usize, Action)>,
    },
    /// The row is there.
    Present { relation: RelationId, index: usize, key: Vec<Register> },
    /// The row is not there.
    Absent { relation: RelationId, index: usize, key: Vec<Register> },
    /// The registers differ.
    Distinct(Register, Register),
    /// The registers are equal.
    Same(Register, Register),
    /// The term in a register is this function, applied to values treated so.
    Match { term: Register, symbol: SymbolId, arity: usize, actions: Vec<(usize, Action)> },
    /// A register is set to the term of this function and arguments, or [`NONE`](super::relation::NONE)
    /// if there is no such term yet.
    Find { symbol: SymbolId, arguments: Vec<Register>, into: Register },
    /// A register becomes the term of this function and arguments.
    Build { symbol: SymbolId, arguments: Vec<Register>, into: Register },
    /// The rows of a relation that is computed on demand are there, as far as they have this key.
    Call { callee: usize, entry: usize, key: Vec<Register> },
}

impl PlanStep {
    pub(super) fn is_generator(&self) -> bool {
        matches!(self, Self::Scan { .. } | Self::Probe { .. })
    }
}

/// A compiled rule, or one semi-naive variant of it.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    /// The rule it evaluates.
    pub(super) rule: RuleId,
    /// The relation of the conclusions.
    pub(super) head: RelationId,
    /// The index of the head that detects duplicates.
    pub(super) head_index: usize,
    /// One register for each argument of the head.
    pub(super) emit: Vec<Register>,
    /// In order; the body first, then what builds the head.
    pub(super) steps: Vec<PlanStep>,
    /// For each step the nearest generator before it; and finally, for the conclusion, the last
    /// generator on which it depends: the generators after that can only repeat the same conclusion.
    pub(super) back: Vec<Option<usize>>,
    /// Initial values: constants in their registers, anything elsewhere.
    pub(super) registers: Vec<u32>,
}
