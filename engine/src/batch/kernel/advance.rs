//! From states to the next.

use super::{super::Plane, evaluation::read};
use crate::propnet::Tape;

/// Makes the next states the states in some lanes, after [`Phase::Next`](crate::propnet::Phase::Next).
#[inline(always)]
pub(super) fn advance<const W: usize>(tape: &Tape, slots: &mut [[u64; W]], lanes: Plane<W>) {
    let mut slot = tape.base_slot(0);
    for &next in tape.next() {
        slots[slot] = lanes.choose(read(slots, next), Plane(slots[slot])).0;
        slot += 1;
    }
}

/// The same in all lanes except those that are `over`, which restart in the state that `start` gives for each base.
#[inline(always)]
pub(super) fn restart<const W: usize>(tape: &Tape, slots: &mut [[u64; W]], over: Plane<W>, start: &[bool]) {
    let first = tape.base_slot(0);
    let next = &tape.next()[..start.len()];
    for base in 0..start.len() {
        let next = read(slots, next[base]);
        slots[first + base] = if start[base] { next | over } else { next & !over }.0;
    }
}
