//! A relation: rows of numbers, found by any chosen columns.
//!
//! Rows are only appended, so a range of rows is a generation of semi-naive evaluation. Indexes are
//! built on first use and extended when rows have been added since.

use super::index::Index;

pub(super) use super::index::NONE;

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

    /// The number of the index on these columns, which is created if there is none.
    pub(super) fn index_on(&mut self, columns: &[usize]) -> usize {
        if let Some(found) = self.indexes.iter().position(|index| index.columns == columns) {
            return found;
        }
        self.indexes.push(Index::new(columns.to_vec()));
        self.indexes.len() - 1
    }

    /// The number of the index on all columns, which detects duplicates.
    pub(super) fn full_index(&mut self) -> usize {
        let columns: Vec<usize> = (0..self.arity).collect();
        self.index_on(&columns)
    }

    /// Appends a row that is known to be new.
    #[inline]
    pub(super) fn append(&mut self, row: impl Iterator<Item = u32> + Clone) {
        self.rows.extend(row.clone());
        self.len += 1;
        debug_assert_eq!(self.rows.len(), self.len as usize * self.arity);
        if self.arity == 1 {
            row.for_each(|value| set_bit(&mut self.present, value));
        }
    }

    /// Appends a row if it is not there; `full_index` is [`full_index`](Self::full_index)'s number.
    #[inline(always)]
    pub(super) fn insert(&mut self, row: impl Iterator<Item = u32> + Clone, full_index: usize) -> bool {
        if self.arity < 2 {
            let is_new = !self.contains(row.clone(), full_index);
            if is_new {
                self.append(row);
            }
            return is_new;
        }
        let slot = self.reach(full_index, row.clone());
        let index = &self.indexes[full_index];
        if self.matching(index, row.clone(), index.head(slot)) != NONE {
            return false;
        }
        self.append(row);
        self.indexes[full_index].link(slot);
        true
    }

    /// Whether the row is there.
    #[inline(always)]
    pub(super) fn contains(&mut self, mut row: impl Iterator<Item = u32> + Clone, full_index: usize) -> bool {
        match self.arity {
            0 => self.len > 0,
            1 => row.all(|value| has_bit(&self.present, value)),
            _ => self.first(full_index, row) != NONE,
        }
    }

    /// The newest row whose indexed columns are `key`, or [`NONE`].
    #[inline(always)]
    pub(super) fn first(&mut self, index: usize, key: impl Iterator<Item = u32> + Clone) -> u32 {
        let slot = self.reach(index, key.clone());
        let index = &self.indexes[index];
        self.matching(index, key, index.head(slot))
    }

    /// The slot of a key in an index, after indexing all rows.
    #[inline(always)]
    fn reach(&mut self, index: usize, key: impl Iterator<Item = u32>) -> usize {
        let index = &mut self.indexes[index];
        if index.len() < self.len as usize {
            index.extend(&self.rows, self.arity);
        }
        index.slot(key)
    }

    /// The next older row after `row` with the same key, or [`NONE`].
    #[inline(always)]
    pub(super) fn following(&self, index: usize, key: impl Iterator<Item = u32> + Clone, row: u32) -> u32 {
        let index = &self.indexes[index];
        self.matching(index, key, index.following(row))
    }

    #[inline(always)]
    fn matching(&self, index: &Index, key: impl Iterator<Item = u32> + Clone, row: u32) -> u32 {
        if row == NONE || index.is_perfect() { row } else { self.matching_hashed(index, key, row) }
    }

    #[inline(never)]
    fn matching_hashed(&self, index: &Index, key: impl Iterator<Item = u32> + Clone, mut row: u32) -> u32 {
        while row != NONE {
            let values = self.row(row);
            if index.columns.iter().zip(key.clone()).all(|(&column, value)| values[column] == value) {
                break;
            }
            row = index.following(row);
        }
        row
    }

    /// Forgets all rows and keeps the room they took.
    pub(super) fn clear(&mut self) {
        self.visible_end = NONE;
        self.delta_start = 0;
        if self.len == 0 {
            return;
        }
        for index in &mut self.indexes {
            index.clear(&self.rows, self.arity);
        }
        if self.arity == 1 {
            for &value in &self.rows {
                self.present[value as usize / 64] = 0;
            }
        }
        self.rows.clear();
        self.len = 0;
    }
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
                    prop_assert_eq!(relation.insert([a, b, c].into_iter(), full), model.insert([a, b, c]));
                    let mut found = BTreeSet::new();
                    let mut row = relation.first(by_last, [c, a].into_iter());
                    while row != NONE {
                        found.insert(relation.row(row).to_vec());
                        row = relation.following(by_last, [c, a].into_iter(), row);
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
