//! Rows of bits, numbered in the order in which they come.

use std::hash::Hasher as _;

use croupier_engine::stages::bits::ones;
use rustc_hash::{FxHashMap, FxHasher};

/// Ends a chain of rows with the same hash.
const NONE: u32 = u32::MAX;

/// Rows of the same length, each kept once.
#[derive(Debug)]
pub(crate) struct RowInterner {
    words: usize,
    rows: Vec<u64>,
    len: usize,
    /// The last row with each hash.
    heads: FxHashMap<u64, u32>,
    /// Of each row, the one before it with the same hash.
    chain: Vec<u32>,
}

impl RowInterner {
    /// For rows of so many words.
    pub(crate) fn new(words: usize) -> Self {
        Self { words, rows: Vec::new(), len: 0, heads: FxHashMap::default(), chain: Vec::new() }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// So many rows, one after the other.
    pub(crate) fn rows(&self, first: usize, count: usize) -> &[u64] {
        &self.rows[first * self.words..][..count * self.words]
    }

    /// The number of a row, a new one if it has none.
    ///
    /// # Panics
    /// If there are 2^32 rows.
    pub(crate) fn intern(&mut self, row: &[u64]) -> u32 {
        let new = u32::try_from(self.len).ok().filter(|&new| new != NONE).expect("rows are below 2^32");
        let head = self.heads.entry(hash_of(row)).or_insert(NONE);
        let mut known = *head;
        while known != NONE {
            if &self.rows[known as usize * self.words..][..self.words] == row {
                return known;
            }
            known = self.chain[known as usize];
        }
        self.chain.push(*head);
        *head = new;
        self.rows.extend_from_slice(row);
        self.len += 1;
        new
    }
}

/// A hash of a row.
pub(crate) fn hash_of(row: &[u64]) -> u64 {
    let mut hasher = FxHasher::default();
    row.iter().for_each(|&word| hasher.write_u64(word));
    hasher.finish()
}

/// A row of so many bits.
pub(crate) fn row_of(bits: usize, is_true: impl Fn(usize) -> bool) -> Vec<u64> {
    let mut row = vec![0; bits.div_ceil(64)];
    for bit in 0..bits {
        row[bit / 64] |= u64::from(is_true(bit)) << (bit % 64);
    }
    row
}

/// Whether the bit of a base is set in a row.
pub(crate) fn is_set(row: &[u64], base: usize) -> bool {
    row[base / 64] >> (base % 64) & 1 == 1
}

/// The numbers whose bits are set.
pub(crate) fn bits(row: &[u64]) -> impl Iterator<Item = u32> + '_ {
    ones(row).map(|number| u32::try_from(number).expect("moves are below 2^32"))
}
