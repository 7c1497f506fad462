//! How large relations are expected to be: the ground for choosing the order of joins.

use super::plan::RelationId;

/// How many rows a relation is expected to have, and how many distinct values in each column.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Estimate {
    pub(super) rows: f64,
    pub(super) distinct: Vec<f64>,
}

impl Estimate {
    /// The expected matches when these columns are bound.
    pub(super) fn matches(&self, bound: impl Iterator<Item = usize>) -> f64 {
        bound.fold(self.rows, |rows, column| rows / self.distinct[column].max(1.0))
    }
}

/// How many different values a column has.
pub(super) fn distinct_values<'r>(rows: impl Iterator<Item = &'r [u32]>, column: usize) -> f64 {
    // Values are numbers of terms, of which there are few enough for a bit each.
    let mut seen: Vec<u64> = Vec::new();
    let mut count = 0_u32;
    for row in rows {
        let (word, bit) = (row[column] as usize / 64, 1 << (row[column] % 64));
        if word >= seen.len() {
            seen.resize(word + 1, 0);
        }
        count += u32::from(seen[word] & bit == 0);
        seen[word] |= bit;
    }
    f64::from(count)
}

/// The number of a relation as an id.
pub(super) fn relation_id(number: usize) -> RelationId {
    RelationId::try_from(number).expect("limits keep relations few")
}
