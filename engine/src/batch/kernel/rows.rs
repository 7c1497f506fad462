//! Squares of bits turned over, from rows to planes and back.
//!
//! # Sources
//! Transposing a square of bits by halves: H. S. Warren, "Hacker's Delight", 2nd edition, section 7-3.

use super::{super::Plane, evaluation::read};
use crate::propnet::{Operand, Tape};

/// A square of bits for each word of a plane.
type Squares<const W: usize> = [[u64; W]; 64];

/// Puts the row with index `sources[l]` into lane `l`, and a state in which nothing is true into the remaining lanes.
///
/// # Panics
/// If there is no such row, or there are more sources than lanes.
#[inline(always)]
pub(super) fn load<const W: usize>(tape: &Tape, slots: &mut [[u64; W]], rows: &[u64], sources: &[u32]) {
    let (first, bases) = (tape.base_slot(0), tape.bases_count());
    let words = bases.div_ceil(64);
    let mut squares: Squares<W> = [[0; W]; 64];
    for word in 0..words {
        for lane in 0..sources.len() {
            squares[lane % 64][lane / 64] = rows[sources[lane] as usize * words + word];
        }
        for lane in sources.len()..Plane::<W>::LANES {
            squares[lane % 64][lane / 64] = 0;
        }
        transpose(&mut squares);
        let begin = word * 64;
        let slots = &mut slots[first + begin..first + bases.min(begin + 64)];
        for place in 0..slots.len() {
            slots[place] = squares[place];
        }
    }
}

/// Writes what operands are in some lanes as rows, with a bit for each operand, in ascending order of the lanes.
///
/// # Panics
/// If there is not room for all of them.
#[inline(always)]
pub(super) fn store<const W: usize>(
    operands: &[Operand],
    slots: &[[u64; W]],
    wanted: Plane<W>,
    rows: &mut [u64],
) {
    let words = operands.len().div_ceil(64);
    for word in 0..words {
        let begin = word * 64;
        let mut squares: Squares<W> = [[0; W]; 64];
        let here = &operands[begin..operands.len().min(begin + 64)];
        for place in 0..here.len() {
            squares[place] = read(slots, here[place]).0;
        }
        transpose(&mut squares);
        let mut row = word;
        for index in 0..W {
            let mut rest = wanted.0[index];
            while rest != 0 {
                rows[row] = squares[rest.trailing_zeros() as usize][index];
                rest &= rest - 1;
                row += words;
            }
        }
    }
}

/// Exchanges rows and columns in all squares at once: bit `i` of line `j` becomes bit `j` of line `i`.
#[inline(always)]
fn transpose<const W: usize>(squares: &mut Squares<W>) {
    let mut half = 32;
    let mut mask = 0xffff_ffff_u64;
    while half > 0 {
        for pair in 0..32 {
            // The lines whose bit `half` is not set.
            let line = (pair & !(half - 1)) << 1 | pair & (half - 1);
            let (mut low, mut high) = (squares[line], squares[line + half]);
            for word in 0..W {
                let swapped = (low[word] >> half ^ high[word]) & mask;
                high[word] ^= swapped;
                low[word] ^= swapped << half;
            }
            (squares[line], squares[line + half]) = (low, high);
        }
        half /= 2;
        mask ^= mask << half;
    }
}
