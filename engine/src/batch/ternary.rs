//! A tape run where some of what goes in is not known: what may come out.
//!
//! # Sources
//! Ternary simulation with two rails: C.-J. H. Seger and R. E. Bryant, "Formal verification by symbolic evaluation of
//! partially-ordered trajectories", Formal Methods in System Design 6, 1995.

use std::sync::Arc;

use super::{
    Plane,
    plane::Slots,
    vector::{Kernel, dispatch},
};
use crate::propnet::{Op, OpKind, Operand, Phase, Run, Segment, Tape};

/// What may be, in each lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Possible<const W: usize> {
    /// The lanes in which it may be true.
    pub may_hold: Plane<W>,
    /// The lanes in which it may be false.
    pub may_fail: Plane<W>,
}

impl<const W: usize> Possible<W> {
    /// Nothing is known in any lane.
    pub const UNKNOWN: Self = Self { may_hold: Plane::ALL, may_fail: Plane::ALL };

    /// True in these lanes and false elsewhere.
    #[must_use]
    pub fn known(holds: Plane<W>) -> Self {
        Self { may_hold: holds, may_fail: !holds }
    }
}

/// Lanes in which a base or a move is true, false or unknown.
///
/// What comes out is a bound: whatever the unknown inputs are, an answer that may not hold does not hold. The
/// opposite is not promised, since what the unknown inputs have to do with each other is not followed.
#[derive(Clone, Debug)]
pub struct TernaryLanes<const W: usize> {
    tape: Arc<Tape>,
    may_hold: Slots<W>,
    may_fail: Slots<W>,
}

impl<const W: usize> TernaryLanes<W> {
    /// Lanes in which every base and move is false.
    #[must_use]
    pub fn new(tape: Arc<Tape>) -> Self {
        let may_hold = Slots::new(tape.slots_count());
        let mut may_fail = Slots::new(tape.slots_count());
        may_fail.as_planes_mut()[..tape.slots_count()].fill(Plane::ALL.0);
        Self { tape, may_hold, may_fail }
    }

    /// Sets what is known of a base.
    ///
    /// # Panics
    /// If there is no such base.
    pub fn set_base(&mut self, base: usize, value: Possible<W>) {
        assert!(base < self.tape.bases_count(), "a base that is there");
        self.set(self.tape.base_slot(base), value);
    }

    /// Sets what is known of whether a role makes a move.
    ///
    /// # Panics
    /// If there is no such role or move.
    pub fn set_move(&mut self, role: usize, number: usize, value: Possible<W>) {
        assert!(number < self.tape.moves_count(role), "a move that is there");
        self.set(self.tape.move_slot(role, number), value);
    }

    /// Computes a phase in all lanes; those that it stands on must have been computed.
    pub fn evaluate(&mut self, phase: Phase) {
        let Self { tape, may_hold, may_fail } = self;
        let rails = Rails { may_hold: may_hold.as_planes_mut(), may_fail: may_fail.as_planes_mut() };
        dispatch(Evaluation { tape, phase, rails });
    }

    /// Whether a role's move may be legal, after [`Phase::State`].
    ///
    /// # Panics
    /// If there is no such role or move.
    #[must_use]
    pub fn legal(&self, role: usize, number: usize) -> Possible<W> {
        self.read(self.tape.legal(role)[number])
    }

    /// Whether a role may be told a percept, after [`Phase::Sees`].
    ///
    /// # Panics
    /// If there is no such role or percept.
    #[must_use]
    pub fn sees(&self, role: usize, percept: usize) -> Possible<W> {
        self.read(self.tape.sees(role)[percept])
    }

    fn set(&mut self, slot: usize, value: Possible<W>) {
        self.may_hold.as_planes_mut()[slot] = value.may_hold.0;
        self.may_fail.as_planes_mut()[slot] = value.may_fail.0;
    }

    fn read(&self, operand: Operand) -> Possible<W> {
        let slot = operand.slot();
        let (hold, fail) = (Plane(self.may_hold.as_planes()[slot]), Plane(self.may_fail.as_planes()[slot]));
        let (may_hold, may_fail) = if operand.is_inverted() { (fail, hold) } else { (hold, fail) };
        Possible { may_hold, may_fail }
    }
}

/// Both rails of all slots.
struct Rails<'l, const W: usize> {
    may_hold: &'l mut [[u64; W]],
    may_fail: &'l mut [[u64; W]],
}

struct Evaluation<'l, const W: usize> {
    tape: &'l Tape,
    phase: Phase,
    rails: Rails<'l, W>,
}

impl<const W: usize> Kernel for Evaluation<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let Self { tape, phase, mut rails } = self;
        for segment in tape.segments(phase) {
            match segment {
                Segment::Run(run) => rails.run(tape, run),
                Segment::Loop(knot) => {
                    for &(slot, _) in &knot.feedback {
                        rails.may_hold[slot as usize] = [0; W];
                        rails.may_fail[slot as usize] = [u64::MAX; W];
                    }
                    // Each round but the last changes a rail of some feedback in each lane that is not settled.
                    for _ in 0..=2 * knot.feedback.len() {
                        knot.body.iter().for_each(|run| rails.run(tape, run));
                        if !rails.feed_back(&knot.feedback) {
                            break;
                        }
                    }
                }
            }
        }
    }
}

impl<const W: usize> Rails<'_, W> {
    #[inline(always)]
    fn run(&mut self, tape: &Tape, run: &Run) {
        let ops = &tape.ops()[run.ops.clone()];
        match run.kind {
            OpKind::And => self.run_kind::<AND>(ops),
            OpKind::AndNot => self.run_kind::<AND_NOT>(ops),
            OpKind::Or => self.run_kind::<OR>(ops),
        }
    }

    #[inline(always)]
    fn run_kind<const KIND: u8>(&mut self, ops: &[Op]) {
        for op in ops {
            let (left, right, out) = (op.left as usize, op.right as usize, op.out as usize);
            let left = (self.may_hold[left], self.may_fail[left]);
            let right = (self.may_hold[right], self.may_fail[right]);
            for word in 0..W {
                let (hold, fail) = match KIND {
                    AND => (left.0[word] & right.0[word], left.1[word] | right.1[word]),
                    AND_NOT => (left.1[word] & right.0[word], left.0[word] | right.1[word]),
                    _ => (left.0[word] | right.0[word], left.1[word] & right.1[word]),
                };
                self.may_hold[out][word] = hold;
                self.may_fail[out][word] = fail;
            }
        }
    }

    /// Gives feedback its next values; whether any of them is another.
    #[inline(always)]
    fn feed_back(&mut self, feedback: &[(u32, Operand)]) -> bool {
        let mut changed = 0;
        for &(slot, next) in feedback {
            let (from, to) = (next.slot(), slot as usize);
            let (mut hold, mut fail) = (self.may_hold[from], self.may_fail[from]);
            if next.is_inverted() {
                std::mem::swap(&mut hold, &mut fail);
            }
            for word in 0..W {
                changed |= hold[word] ^ self.may_hold[to][word] | fail[word] ^ self.may_fail[to][word];
            }
            (self.may_hold[to], self.may_fail[to]) = (hold, fail);
        }
        changed != 0
    }
}

/// The kinds of operations as constants.
const AND: u8 = OpKind::And as u8;
const AND_NOT: u8 = OpKind::AndNot as u8;
const OR: u8 = OpKind::Or as u8;
