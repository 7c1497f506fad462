//! A relation: rows of numbers, found by any chosen columns.
//!
//! Rows are only appended, so a range of rows is a generation of semi-naive evaluation. Indexes are
//! built when first asked and extended when rows have come since.

/// No row.
pub(super) const NONE: u32 = u32::MAX;

/// Rows of one arity, distinct where [`insert`](Relation::insert) is used.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    arity: usize,
    rows: Vec<u32>,
    len: u32,
    /// Rows from here on are not yet visible: the *new* ones of a round.
    pub(super) visible_end: u32,
    /// Visible rows from here on are the *delta* of a round.
    pub(super) delta_start: u32,
    indexes: Vec<Index>,
    /// For arity 1: which values there are.
    present: Vec<u64>,
}

/// Chains of rows with equal hash of some columns, newest first.
#[derive(Clone, Debug)]
struct Index {
    columns: Vec<usize>,
    heads: Vec<u32>,
    next: Vec<u32>,
}

impl Relation {
    pub(super) fn new(arity: usize) -> Self {
        Self {
            arity,
            rows: Vec::new(),
            len: 0,
            visible_end: NONE,
            delta_start: 0,
            indexes: Vec::new(),
            present: Vec::new(),
        }
    }

    pub(super) fn arity(&self) -> usize {
        self.arity
    }

    pub(super) fn len(&self) -> u32 {
        self.len
    }

    #[inline]
    pub(super) fn row(&self, row: u32) -> &[u32] {
        &self.rows[row as usize * self.arity..][..self.arity]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &[u32]> {
        (0..self.len).map(|row| self.row(row))
    }

    /// The number of the index on these columns, made if there is none.
    pub(super) fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.columns == columns) {
            return found;
        }
        self.indexes.push(Index { columns: columns.to_vec(), heads: Vec::new(), next: Vec::new() });
        self.indexes.len() - 1
    }

    /// The number of the index on all columns, which tells duplicates.
    pub(super) fn full_index(&mut self) -> usize {
        let columns: Vec<usize> = (0..self.arity).collect();
        self.index_on(&columns)
    }

    /// Appends a row that is known to be new.
    pub(super) fn append(&mut self, row: &[u32]) {
        debug_assert_eq!(row.len(), self.arity);
        self.rows.extend_from_slice(row);
        self.len += 1;
        if let [value] = row {
            set_bit(&mut self.present, *value);
        }
    }

    /// Appends a row if it is not there; `full_index` is [`full_index`](Self::full_index)'s number.
    #[inline]
    pub(super) fn insert(&mut self, row: &[u32], full_index: usize) -> bool {
        if self.contains(row, full_index) {
            return false;
        }
        self.append(row);
        true
    }

    /// Whether the row is there.
    #[inline]
    pub(super) fn contains(&mut self, row: &[u32], full_index: usize) -> bool {
        match row {
            [] => self.len > 0,
            [value] => has_bit(&self.present, *value),
            _ => self.first(full_index, row) != NONE,
        }
    }

    /// The newest row whose indexed columns are `key`, or [`NONE`].
    #[inline]
    pub(super) fn first(&mut self, index: usize, key: &[u32]) -> u32 {
        let extended = self.indexes[index].next.len();
        if extended < self.len as usize {
            self.extend_index(index);
        }
        let index = &self.indexes[index];
        let Some(&head) = index.heads.get(index.slot(hash(key.iter().copied()))) else { return NONE };
        self.matching(index, key, head)
    }

    /// The next older row after `row` with the same key, or [`NONE`].
    #[inline]
    pub(super) fn following(&self, index: usize, key: &[u32], row: u32) -> u32 {
        let index = &self.indexes[index];
        self.matching(index, key, index.next[row as usize])
    }

    #[inline]
    fn matching(&self, index: &Index, key: &[u32], mut row: u32) -> u32 {
        while row != NONE {
            let values = self.row(row);
            if index.columns.iter().zip(key).all(|(&column, &value)| values[column] == value) {
                break;
            }
            row = index.next[row as usize];
        }
        row
    }

    #[cold]
    fn grow_index(&mut self, number: usize) {
        let index = &mut self.indexes[number];
        index.heads = vec![NONE; (self.len as usize * 2).next_power_of_two().max(16)];
        index.next.clear();
    }

    fn extend_index(&mut self, number: usize) {
        if self.indexes[number].heads.len() < self.len as usize {
            self.grow_index(number);
        }
        let arity = self.arity;
        let index = &mut self.indexes[number];
        for row in index.next.len()..self.len as usize {
            let values = &self.rows[row * arity..][..arity];
            let slot = index.slot(hash(index.columns.iter().map(|&column| values[column])));
            index.next.push(index.heads[slot]);
            index.heads[slot] = u32::try_from(row).expect("fuel keeps rows below 2^32");
        }
    }

    /// Forgets all rows and keeps the room they took.
    pub(super) fn clear(&mut self) {
        self.visible_end = NONE;
        self.delta_start = 0;
        if self.len == 0 {
            return;
        }
        for number in 0..self.indexes.len() {
            self.clear_index(number);
        }
        if self.arity == 1 {
            for &value in &self.rows {
                self.present[value as usize / 64] = 0;
            }
        }
        self.rows.clear();
        self.len = 0;
    }

    fn clear_index(&mut self, number: usize) {
        let arity = self.arity;
        let index = &mut self.indexes[number];
        if index.next.len() * 8 < index.heads.len() {
            // Few rows in a large table: undo them one by one.
            for row in 0..index.next.len() {
                let values = &self.rows[row * arity..][..arity];
                let slot = index.slot(hash(index.columns.iter().map(|&column| values[column])));
                index.heads[slot] = NONE;
            }
        } else {
            index.heads.fill(NONE);
        }
        index.next.clear();
    }
}

impl Index {
    #[inline]
    fn slot(&self, hash: u64) -> usize {
        // The length is a power of two, or zero, when no slot exists anyway.
        (hash >> 32) as usize & self.heads.len().wrapping_sub(1)
    }
}

/// A sum of products, whose terms the processor computes side by side.
#[inline]
fn hash(values: impl Iterator<Item = u32>) -> u64 {
    let odd = std::iter::successors(Some(0x9e37_79b9_7f4a_7c15_u64), |factor| {
        Some(factor.wrapping_mul(0xd134_2543_de82_ef95))
    });
    values.zip(odd).fold(0, |hash, (value, factor)| hash.wrapping_add(u64::from(value).wrapping_mul(factor)))
}

fn set_bit(words: &mut Vec<u64>, bit: u32) {
    let word = bit as usize / 64;
    if word >= words.len() {
        words.resize(word + 1, 0);
    }
    words[word] |= 1 << (bit % 64);
}

#[inline]
fn has_bit(words: &[u64], bit: u32) -> bool {
    words.get(bit as usize / 64).is_some_and(|word| word >> (bit % 64) & 1 == 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_relation_is_a_set_and_its_indexes_find_every_row(
            generations in prop::collection::vec(prop::collection::vec((0_u32..6, 0_u32..6, 0_u32..6), 0..40), 1..4),
        ) {
            let mut relation = Relation::new(3);
            let full = relation.full_index();
            let by_last = relation.index_on(&[2, 0]);
            for generation in generations {
                let mut model = BTreeSet::new();
                for (a, b, c) in generation {
                    prop_assert_eq!(relation.insert(&[a, b, c], full), model.insert([a, b, c]));
                    let mut found = BTreeSet::new();
                    let mut row = relation.first(by_last, &[c, a]);
                    while row != NONE {
                        found.insert(relation.row(row).to_vec());
                        row = relation.following(by_last, &[c, a], row);
                    }
                    let expected: BTreeSet<Vec<u32>> =
                        model.iter().filter(|row| row[2] == c && row[0] == a).map(|row| row.to_vec()).collect();
                    prop_assert_eq!(found, expected);
                }
                prop_assert_eq!(relation.rows().count(), model.len());
                relation.clear();
            }
        }
    }
}
