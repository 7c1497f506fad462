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
    let mut values: Vec<u32> = rows.map(|row| row[column]).collect();
    values.sort_unstable();
    values.dedup();
    values.len() as f64
}

/// The number of a relation as an id.
pub(super) fn relation_id(number: usize) -> RelationId {
    RelationId::try_from(number).expect("limits keep relations few")
}
