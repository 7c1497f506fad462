//! Operations of a tape: their inputs, their function and their outputs.

use std::ops::Range;

/// A slot to read, inverted or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Operand(u32);

impl Operand {
    /// Always false: slot 0 is never written.
    pub const FALSE: Self = Self(0);
    /// Always true.
    pub const TRUE: Self = Self(1);

    /// The slot, inverted or as it is.
    pub(super) fn new(slot: u32, is_inverted: bool) -> Self {
        Self(slot << 1 | u32::from(is_inverted))
    }

    /// The value of a slot, not inverted.
    ///
    /// # Panics
    /// If the index is out of range for any tape.
    #[must_use]
    pub fn at(slot: usize) -> Self {
        Self::new(u32::try_from(slot).expect("fewer than 2^31 slots"), false)
    }

    /// The slot of the value.
    #[must_use]
    #[inline(always)]
    pub fn slot(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether the value is the negation of the slot.
    #[must_use]
    #[inline(always)]
    pub fn is_inverted(self) -> bool {
        self.0 & 1 == 1
    }

    /// All ones if it is inverted, otherwise all zeros: combined with a word of the slot by exclusive or.
    #[must_use]
    #[inline(always)]
    pub fn mask(self) -> u64 {
        0_u64.wrapping_sub(u64::from(self.0 & 1))
    }
}

/// The function of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OpKind {
    /// `left & right`.
    And,
    /// `!left & right`.
    AndNot,
    /// `left | right`.
    Or,
}

/// One operation: the slots that it reads and the one that it writes, which may be the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Op {
    /// The slot that is written.
    pub out: u32,
    /// A slot that is read.
    pub left: u32,
    /// The other slot that is read.
    pub right: u32,
}

/// Operations of one kind, one after the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// Their function.
    pub kind: OpKind,
    /// Their range on the tape.
    pub ops: Range<usize>,
}

/// Operations that are repeated until nothing changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loop {
    /// The repeated part.
    pub body: Vec<Run>,
    /// Slots that start as false, and the value of each after the body has run, one after the other.
    pub feedback: Vec<(u32, Operand)>,
}

/// A stretch of the tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment {
    /// Operations that run once.
    Run(Run),
    /// Operations that run until nothing changes.
    Loop(Loop),
}

/// Where to read the outputs of a network.
#[derive(Clone, Debug)]
pub(super) struct Outputs {
    pub(super) terminal: Operand,
    pub(super) legal: Vec<Vec<Operand>>,
    pub(super) goals: Vec<Vec<(u32, Operand)>>,
    pub(super) next: Vec<Operand>,
    pub(super) sees: Vec<Vec<Operand>>,
}
