//! A tape run over two planes for each slot: where it may be true, and where it may be false.

use crate::propnet::{Op, OpKind, Operand, Phase, Run, Segment, Tape};

/// Both rails of all slots.
#[derive(Debug)]
pub(in crate::batch) struct Rails<'l, const W: usize> {
    pub(in crate::batch) may_hold: &'l mut [[u64; W]],
    pub(in crate::batch) may_fail: &'l mut [[u64; W]],
}

/// Computes one phase.
///
/// # Panics
/// If there are fewer slots than the tape needs.
#[inline(always)]
pub(super) fn evaluate<const W: usize>(tape: &Tape, phase: Phase, mut rails: Rails<'_, W>) {
    for segment in tape.segments(phase) {
        // A run is a loop without feedback: it settles in the first round.
        let (runs, feedback): (&[Run], &[(u32, Operand)]) = match segment {
            Segment::Run(run) => (std::slice::from_ref(run), &[]),
            Segment::Loop(knot) => (&knot.body, &knot.feedback),
        };
        for &(slot, _) in feedback {
            rails.may_hold[slot as usize] = [0; W];
            rails.may_fail[slot as usize] = [u64::MAX; W];
        }
        // Each round but the last changes a rail of some feedback in each lane that is not settled.
        for _ in 0..=2 * feedback.len() {
            for run in runs {
                rails.run(tape, run);
            }
            if !rails.feed_back(feedback) {
                break;
            }
        }
    }
}

impl<const W: usize> Rails<'_, W> {
    #[inline(always)]
    fn run(&mut self, tape: &Tape, run: &Run) {
        let ops = &tape.ops()[run.ops.start..run.ops.end];
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
            let (hold, fail) = (&mut self.may_hold[out], &mut self.may_fail[out]);
            for word in 0..W {
                (hold[word], fail[word]) = match KIND {
                    AND => (left.0[word] & right.0[word], left.1[word] | right.1[word]),
                    AND_NOT => (left.1[word] & right.0[word], left.0[word] | right.1[word]),
                    _ => (left.0[word] | right.0[word], left.1[word] & right.1[word]),
                };
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
                (hold, fail) = (fail, hold);
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
