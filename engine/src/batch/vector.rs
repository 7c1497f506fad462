//! The only file with unsafe code: the processor's own vectors, and a tape run without checking each slot.
#![expect(
    unsafe_code,
    reason = "vector instructions are chosen at run time; slots are checked once, when a tape is made"
)]

use crate::propnet::{Loop, Op, OpKind, Phase, Run, Segment, Tape};

/// Work that is to be compiled for each kind of vector.
///
/// Whatever `run` calls is compiled with it only as far as it is inlined.
pub(super) trait Kernel {
    /// What the work results in.
    type Output;

    /// Does it. Implementations are `#[inline(always)]`.
    fn run(self) -> Self::Output;
}

/// Runs a kernel with the widest vectors that this processor has. The result does not depend on them.
pub(super) fn dispatch<K: Kernel>(kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if std::arch::is_x86_feature_detected!("avx512f") && std::arch::is_x86_feature_detected!("avx512bw") {
            // SAFETY: the processor has just said that it knows these instructions.
            return unsafe { run_avx512(kernel) };
        }
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has just said that it knows these instructions.
            return unsafe { run_avx2(kernel) };
        }
    }
    // Elsewhere the target's own vectors are used already: NEON belongs to every 64-bit ARM.
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run()
}

/// Computes one phase.
///
/// # Panics
/// If there are fewer slots than the tape needs, or a loop does not settle because it is not monotone.
#[inline(always)]
pub(super) fn evaluate<const W: usize>(tape: &Tape, phase: Phase, slots: &mut [[u64; W]]) {
    assert!(slots.len() >= tape.slots_count(), "a slot for each value of the tape");
    for segment in tape.segments(phase) {
        match segment {
            // SAFETY: the tape's invariant keeps its operations within the slots that were counted above.
            Segment::Run(run) => unsafe { run_ops(tape, run, slots) },
            // SAFETY: as above.
            Segment::Loop(knot) => unsafe { run_loop(tape, knot, slots) },
        }
    }
}

/// Repeats a body from false feedback until no lane changes.
///
/// # Safety
/// As for [`run_ops`].
#[inline(always)]
unsafe fn run_loop<const W: usize>(tape: &Tape, knot: &Loop, slots: &mut [[u64; W]]) {
    for &(slot, _) in &knot.feedback {
        slots[slot as usize] = [0; W];
    }
    // In each round but the last at least one of them becomes true, in each lane that is not settled.
    for _ in 0..=knot.feedback.len() {
        for run in &knot.body {
            // SAFETY: passed on to the caller.
            unsafe { run_ops(tape, run, slots) };
        }
        let mut changed = [0; W];
        for &(slot, next) in &knot.feedback {
            let (mask, next) = (next.mask(), slots[next.slot()]);
            let old = &mut slots[slot as usize];
            for word in 0..W {
                let new = next[word] ^ mask;
                changed[word] |= old[word] ^ new;
                old[word] = new;
            }
        }
        if changed.iter().fold(0, |all, word| all | word) == 0 {
            return;
        }
    }
    panic!("a cycle is monotone, so it settles");
}

/// Runs operations of one kind.
///
/// # Safety
/// Every slot that they name is below `slots.len()`.
#[inline(always)]
unsafe fn run_ops<const W: usize>(tape: &Tape, run: &Run, slots: &mut [[u64; W]]) {
    let ops = &tape.ops()[run.ops.clone()];
    // SAFETY: passed on to the caller.
    unsafe {
        match run.kind {
            OpKind::And => run_kind::<W, AND>(ops, slots),
            OpKind::AndNot => run_kind::<W, AND_NOT>(ops, slots),
            OpKind::Or => run_kind::<W, OR>(ops, slots),
        }
    }
}

/// The kinds of operations as constants.
const AND: u8 = OpKind::And as u8;
const AND_NOT: u8 = OpKind::AndNot as u8;
const OR: u8 = OpKind::Or as u8;

/// Runs operations of the kind `KIND`.
///
/// # Safety
/// As for [`run_ops`].
#[inline(always)]
unsafe fn run_kind<const W: usize, const KIND: u8>(ops: &[Op], slots: &mut [[u64; W]]) {
    for op in ops {
        let (left, right, out) = (op.left as usize, op.right as usize, op.out as usize);
        debug_assert!(left.max(right).max(out) < slots.len());
        // SAFETY: passed on to the caller.
        let (left, right) = unsafe { (*slots.get_unchecked(left), *slots.get_unchecked(right)) };
        // SAFETY: passed on to the caller.
        let out = unsafe { slots.get_unchecked_mut(out) };
        for word in 0..W {
            out[word] = match KIND {
                AND => left[word] & right[word],
                AND_NOT => !left[word] & right[word],
                _ => left[word] | right[word],
            };
        }
    }
}
