//! Rows found by some of their columns.

use super::addresses::{Addresses, Admission};

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// Chains of rows that agree in some columns, newest first.
///
/// While the columns have few different values, each combination of them has a chain of its own;
/// with more, those of equal hash share one.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub(super) columns: Vec<usize>,
    /// `None` if there are too many different values.
    addresses: Option<Addresses>,
    heads: Vec<u32>,
    next: Vec<u32>,
}

impl Index {
    pub(super) fn new(columns: Vec<usize>) -> Self {
        let addresses = Some(Addresses::new(columns.len()));
        Self { columns, addresses, heads: Vec::new(), next: Vec::new() }
    }

    /// The number of rows indexed so far.
    #[inline(always)]
    pub(super) fn len(&self) -> usize {
        self.next.len()
    }

    /// Whether a chain holds rows with one key only.
    #[inline(always)]
    pub(super) fn is_perfect(&self) -> bool {
        self.addresses.is_some()
    }

    /// The newest row in the chain of a slot, or [`NONE`].
    #[inline(always)]
    pub(super) fn head(&self, slot: usize) -> u32 {
        self.heads.get(slot).copied().unwrap_or(NONE)
    }

    /// The next older row in the chain of `row`, or [`NONE`].
    #[inline(always)]
    pub(super) fn following(&self, row: u32) -> u32 {
        self.next[row as usize]
    }

    /// The start of the chain of a key; the slot need not exist.
    #[inline(always)]
    pub(super) fn slot(&self, key: impl Iterator<Item = u32>) -> usize {
        match &self.addresses {
            Some(addresses) => addresses.of(key) as usize,
            // The length is a power of two, or zero, when no slot exists anyway.
            None => (hash(key) >> 32) as usize & self.heads.len().wrapping_sub(1),
        }
    }

    /// Indexes the rows that are not indexed yet, of all `rows` of a relation.
    pub(super) fn extend(&mut self, rows: &[u32], arity: usize) {
        let len = rows.len() / arity;
        if self.addresses.is_none() && self.heads.len() < len {
            self.restart(hashed_slots(len));
        }
        while self.len() < len {
            let values = &rows[self.len() * arity..][..arity];
            let slot = self.slot(self.columns.iter().map(|&column| values[column]));
            if !self.link(slot) {
                self.admit(values, len);
            }
        }
    }

    /// Adds the first row that is not indexed yet to the chain of a slot, if there is such a slot
    /// and there are not so many rows that chains grow long.
    #[inline(always)]
    pub(super) fn link(&mut self, slot: usize) -> bool {
        if self.addresses.is_none() && self.next.len() >= self.heads.len() {
            return false;
        }
        let Some(head) = self.heads.get_mut(slot) else { return false };
        let row = u32::try_from(self.next.len()).expect("fuel keeps rows below 2^32");
        self.next.push(*head);
        *head = row;
        true
    }

    /// Makes a slot for a row with a new value.
    #[cold]
    fn admit(&mut self, values: &[u32], len: usize) {
        let Some(addresses) = &mut self.addresses else { return };
        match addresses.admit(self.columns.iter().map(|&column| values[column])) {
            Admission::Kept if self.heads.len() == addresses.len() => {}
            Admission::Kept | Admission::Moved => {
                let slots = addresses.len();
                self.restart(slots);
            }
            Admission::Refused => {
                self.addresses = None;
                self.restart(hashed_slots(len));
            }
        }
    }

    /// Removes all rows, which will be indexed again, and makes room for this many chains.
    fn restart(&mut self, slots: usize) {
        self.next.clear();
        self.heads = vec![NONE; slots];
    }

    /// Forgets all rows, but not which values they had.
    pub(super) fn clear(&mut self, rows: &[u32], arity: usize) {
        if self.next.len() * 32 < self.heads.len() {
            // Few rows in a large table: undo them one by one.
            for values in rows.chunks_exact(arity).take(self.next.len()) {
                let slot = self.slot(self.columns.iter().map(|&column| values[column]));
                self.heads[slot] = NONE;
            }
        } else {
            self.heads.fill(NONE);
        }
        self.next.clear();
    }
}

/// Twice as many slots as rows, so that most chains have one row.
fn hashed_slots(len: usize) -> usize {
    (len * 2).next_power_of_two().max(16)
}

/// A sum of products, whose terms the processor computes side by side.
#[inline(always)]
fn hash(values: impl Iterator<Item = u32>) -> u64 {
    let odd = std::iter::successors(Some(0x9e37_79b9_7f4a_7c15_u64), |factor| {
        Some(factor.wrapping_mul(0xd134_2543_de82_ef95))
    });
    values.zip(odd).fold(0, |hash, (value, factor)| hash.wrapping_add(u64::from(value).wrapping_mul(factor)))
}
