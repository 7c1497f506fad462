//! How fast this machine combines planes when nothing else is to be done.

use croupier_engine::batch::Playouts;
use pulp::{Arch, Simd, WithSimd};
use serde::Serialize;

use crate::{Outcome, stopwatch::rate};

/// Words of a plane in playouts.
const WORDS: usize = Playouts::LANES / 64;

/// Planes of each of the three arrays: together 12 KiB, which every first-level cache holds.
const PLANES: usize = 64;

/// What the machine can do at most.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Limit {
    /// Bits of a vector that the processor works on.
    pub(crate) vector_bits: usize,
    /// Gates times lanes a second.
    pub(crate) gate_lanes_per_second: f64,
}

/// A plane where a cache line begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
struct Aligned([u64; WORDS]);

/// Three arrays of planes, each in turn computed from the other two.
#[derive(Clone, Debug)]
struct Planes {
    arrays: [[Aligned; PLANES]; 3],
    mask: u64,
}

impl Limit {
    /// Measures for about so long. One gate is what a tape's operation is at best: two planes are read, combined
    /// by `and` and `xor`, and one is written, all in the first-level cache and one after the other.
    ///
    /// # Errors
    /// If the machine computes something else than one word at a time gives.
    pub(crate) fn measure(seconds: f64) -> Outcome<Self> {
        let mut planes = Planes::new();
        let mut last = 0;
        let rounds = rate(seconds, 1000, |rounds| {
            (planes, last) = (Planes::new(), rounds);
            Arch::new().dispatch(Combine { planes: &mut planes, rounds });
        });
        if !planes.is_after(last) {
            return Err(
                "the kernel for the vector limit computed nonsense: this machine cannot be trusted".into()
            );
        }
        Ok(Self {
            vector_bits: Arch::new().dispatch(VectorBits),
            gate_lanes_per_second: rounds * (3 * PLANES * Playouts::LANES) as f64,
        })
    }

    /// The higher of two, since what is measured is never too high.
    pub(crate) fn max(self, other: Self) -> Self {
        if self.gate_lanes_per_second > other.gate_lanes_per_second { self } else { other }
    }
}

impl Planes {
    fn new() -> Self {
        let plane = |array: usize, plane: usize| {
            Aligned(std::array::from_fn(|word| {
                let number = ((array * PLANES + plane) * WORDS + word) as u64;
                number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
            }))
        };
        let arrays = std::array::from_fn(|array| std::array::from_fn(|number| plane(array, number)));
        Self { arrays, mask: 0x5a5a_f00f_3c96_a5c3 }
    }

    /// Whether this is what `rounds` rounds make of new planes, by one word of each plane.
    fn is_after(&self, rounds: u64) -> bool {
        const WORD: usize = WORDS / 2;
        let column = |planes: &Self| planes.arrays.map(|array| array.map(|plane| plane.0[WORD]));
        let [mut a, mut b, mut c] = column(&Self::new());
        let combine = |left: &[u64; PLANES], right: &[u64; PLANES], out: &mut [u64; PLANES]| {
            for plane in 0..PLANES {
                out[plane] = (left[plane] & self.mask) ^ right[(plane + 1) % PLANES];
            }
        };
        for _ in 0..rounds {
            combine(&a, &b, &mut c);
            combine(&b, &c, &mut a);
            combine(&c, &a, &mut b);
        }
        column(self) == [a, b, c]
    }
}

/// Rounds over the planes.
struct Combine<'p> {
    planes: &'p mut Planes,
    rounds: u64,
}

impl WithSimd for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let mask = self.planes.mask;
        let [a, b, c] = &mut self.planes.arrays;
        for _ in 0..self.rounds {
            combine(a, b, c, mask);
            combine(b, c, a, mask);
            combine(c, a, b, mask);
        }
    }
}

/// Writes `(left & mask) ^ right`, with the plane of `right` that comes next, so that nothing repeats soon.
#[inline(always)]
fn combine(left: &[Aligned; PLANES], right: &[Aligned; PLANES], out: &mut [Aligned; PLANES], mask: u64) {
    for plane in 0..PLANES {
        let (left, right) = (&left[plane].0, &right[(plane + 1) % PLANES].0);
        for word in 0..WORDS {
            out[plane].0[word] = (left[word] & mask) ^ right[word];
        }
    }
}

/// Asks for the width of vectors.
struct VectorBits;

impl WithSimd for VectorBits {
    type Output = usize;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> usize {
        S::U64_LANES * 64
    }
}

#[cfg(test)]
mod tests {
    use pulp::Arch;

    use super::{Combine, Planes};

    #[test]
    fn what_was_computed_is_told_from_what_was_not() {
        for rounds in [0, 1, 2, 1000] {
            let mut planes = Planes::new();
            Arch::new().dispatch(Combine { planes: &mut planes, rounds });
            assert!(planes.is_after(rounds), "{rounds} rounds");
            planes.arrays[1][8].0[4] ^= 1;
            assert!(!planes.is_after(rounds), "a wrong bit after {rounds} rounds");
        }
    }
}
