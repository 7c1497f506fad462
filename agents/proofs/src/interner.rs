//! Rows of bits, numbered in the order in which they come.

use std::hash::Hasher as _;

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
        let mut hasher = FxHasher::default();
        row.iter().for_each(|&word| hasher.write_u64(word));
        let new = u32::try_from(self.len).ok().filter(|&new| new != NONE).expect("rows are below 2^32");
        let head = self.heads.entry(hasher.finish()).or_insert(NONE);
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
