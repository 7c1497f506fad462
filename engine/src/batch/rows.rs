//! States as rows of bits, one after the other, and lanes as planes: from the one to the other.
//!
//! A row has a bit for each base: bit `b % 64` of its word `b / 64`. Rows are what is copied, compared and hashed;
//! planes are what is computed with.
//!
//! # Sources
//! Transposing a square of bits by halves: H. S. Warren, "Hacker's Delight", 2nd edition, section 7-3.

use super::{
    Lanes, Plane,
    evaluation::read,
    vector::{Kernel, dispatch},
};

/// A square of bits for each word of a plane.
type Squares<const W: usize> = [[u64; W]; 64];

impl<const W: usize> Lanes<W> {
    /// How many words a state has as a row.
    #[must_use]
    pub fn row_words(&self) -> usize {
        self.tape.bases_count().div_ceil(64)
    }

    /// Puts the row of number `sources[l]` into lane `l`; lanes without a source get a state in which nothing is
    /// true.
    ///
    /// # Panics
    /// If there is no such row, or there are more sources than lanes.
    pub fn load_rows(&mut self, rows: &[u64], sources: &[u32]) {
        assert!(sources.len() <= Plane::<W>::LANES, "a lane for each source");
        let bases = self.tape.bases_count();
        let first = self.tape.base_slot(0);
        let slots = &mut self.slots.as_planes_mut()[first..first + bases];
        dispatch(Loading { slots, words: bases.div_ceil(64), rows, sources });
    }

    /// Appends the next states of some lanes as rows, after [`Phase::Next`](crate::propnet::Phase::Next), in
    /// ascending order of the lanes.
    pub fn append_next_rows(&self, lanes: Plane<W>, rows: &mut Vec<u64>) {
        dispatch(Appending { lanes: self, wanted: lanes, rows });
    }
}

/// Putting rows into lanes.
struct Loading<'l, const W: usize> {
    slots: &'l mut [[u64; W]],
    words: usize,
    rows: &'l [u64],
    sources: &'l [u32],
}

impl<const W: usize> Kernel for Loading<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let mut squares: Squares<W> = [[0; W]; 64];
        for (word, slots) in self.slots.chunks_mut(64).enumerate() {
            for (lane, &source) in self.sources.iter().enumerate() {
                squares[lane % 64][lane / 64] = self.rows[source as usize * self.words + word];
            }
            for lane in self.sources.len()..Plane::<W>::LANES {
                squares[lane % 64][lane / 64] = 0;
            }
            transpose(&mut squares);
            slots.copy_from_slice(&squares[..slots.len()]);
        }
    }
}

/// Taking next states out of lanes.
struct Appending<'l, const W: usize> {
    lanes: &'l Lanes<W>,
    wanted: Plane<W>,
    rows: &'l mut Vec<u64>,
}

impl<const W: usize> Kernel for Appending<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        let slots = self.lanes.slots.as_planes();
        let words = self.lanes.row_words();
        let first = self.rows.len();
        self.rows.resize(first + words * self.wanted.count() as usize, 0);
        let rows = &mut self.rows[first..];
        for (word, next) in self.lanes.tape.next().chunks(64).enumerate() {
            let mut squares: Squares<W> = [[0; W]; 64];
            for (plane, &operand) in squares.iter_mut().zip(next) {
                *plane = read(slots, operand).0;
            }
            transpose(&mut squares);
            for (row, lane) in rows.chunks_exact_mut(words).zip(self.wanted.lanes()) {
                row[word] = squares[lane % 64][lane / 64];
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
