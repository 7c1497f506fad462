//! How many turns each lane has made.

use super::super::Plane;

/// A counter in each lane, up to a limit.
#[derive(Clone, Debug)]
pub(in crate::batch) struct Age<const W: usize> {
    limit: u64,
    /// Turns since the lane began, lowest bit first; planes above the last are zero everywhere.
    turns: Vec<Plane<W>>,
}

impl<const W: usize> Age<W> {
    /// All lanes are at their start.
    pub(in crate::batch) fn new(limit: u64) -> Self {
        Self { limit, turns: Vec::new() }
    }

    /// Adds one turn, except in lanes in `over`, which restart.
    #[inline(always)]
    pub(super) fn grow(&mut self, over: Plane<W>) {
        let mut carry = Plane::ALL;
        for turns in &mut self.turns {
            let old = *turns;
            *turns = (old ^ carry) & !over;
            carry &= old;
        }
        carry &= !over;
        if carry.any() {
            self.turns.push(carry);
        }
    }

    /// The lanes that have reached the turn limit.
    #[inline(always)]
    pub(super) fn reached(&self) -> Plane<W> {
        let bits = u64::BITS - self.limit.leading_zeros();
        if self.turns.len() < bits as usize {
            return Plane::NONE;
        }
        let mut same = Plane::ALL;
        let mut limit = self.limit;
        for &turns in &self.turns {
            same &= if limit & 1 == 1 { turns } else { !turns };
            limit >>= 1;
        }
        same
    }
}
