//! A number below a bound in each lane, exactly uniform.

use super::{super::Plane, random::Generator};

/// Bounds as binary numbers of planes, and the numbers drawn below them.
///
/// Each lane cuts random bits to the width of the largest number allowed and takes the first that is not too
/// large: each try succeeds with a probability above one half. Lanes with one possibility take part in none.
#[derive(Clone, Debug)]
pub(super) struct Draw<const W: usize> {
    /// Lanes with more than one possibility.
    pub(super) open: Plane<W>,
    /// What was drawn: for each bit, lowest first, a plane; zero in lanes that are not open.
    pub(super) number: Vec<Plane<W>>,
    /// The largest number allowed.
    last: Vec<Plane<W>>,
    /// The bits from the highest of the largest number downwards.
    cut: Vec<Plane<W>>,
    width: usize,
}

impl<const W: usize> Draw<W> {
    /// For bounds of at most `width_max` bits.
    pub(super) fn new(width_max: usize) -> Self {
        let zero = vec![Plane::NONE; width_max];
        Self { open: Plane::NONE, number: zero.clone(), last: zero.clone(), cut: zero, width: 0 }
    }

    /// Forgets all bounds.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.open = Plane::NONE;
        for bit in 0..self.width {
            self.last[bit] = Plane::NONE;
        }
        self.width = 0;
    }

    /// Sets the bound in `open` lanes, none of which has one yet; there it is at least two.
    #[inline(always)]
    pub(super) fn add(&mut self, bound: &[Plane<W>], open: Plane<W>) {
        self.open |= open;
        self.width = self.width.max(bound.len());
        let mut borrow = open;
        let last = &mut self.last[..bound.len()];
        for bit in 0..bound.len() {
            last[bit] |= (bound[bit] & open) ^ borrow;
            borrow &= !bound[bit];
        }
    }

    /// Draws.
    #[inline(always)]
    pub(super) fn draw(&mut self, random: &mut Generator<W>) {
        let mut width = self.width;
        while width > 0 && !self.last[width - 1].any() {
            width -= 1;
        }
        for bit in width..self.number.len() {
            self.number[bit] = Plane::NONE;
        }
        let (last, cut, number) = (&self.last[..width], &mut self.cut[..width], &mut self.number[..width]);
        let mut below_highest = Plane::NONE;
        let mut bit = width;
        while bit > 0 {
            bit -= 1;
            below_highest |= last[bit];
            cut[bit] = below_highest;
            number[bit] = Plane::NONE;
        }
        let mut open = self.open;
        while open.any() {
            // Carried planes never begin as constants here: the compiler would take them apart into words.
            number[0] = open.choose(random.plane() & cut[0], number[0]);
            let mut is_larger = number[0] & !last[0];
            for bit in 1..width {
                let drawn = open.choose(random.plane() & cut[bit], number[bit]);
                number[bit] = drawn;
                is_larger = (drawn ^ last[bit]).choose(drawn, is_larger);
            }
            open &= is_larger;
        }
    }
}
