//! Which private states of different players occur together, and how likely.

use std::{ops::Range, sync::Arc};

use crate::tree::TreeHistory;

/// The private states of all players in a public state, as far as they occur together: how likely chance makes them.
#[derive(Clone, Debug)]
pub(crate) enum Together {
    /// History by history.
    Histories(Vec<TreeHistory>),
    /// A number for each pair of private states of two players, whose first are these.
    Pairs([usize; 2], Arc<PairNumbers>),
}

/// A number for each pair of private states of two players.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairNumbers {
    rows: usize,
    columns: usize,
    /// Those of the first player are rows.
    by_row: Vec<f32>,
    /// The same, column by column.
    by_column: Vec<f32>,
}

impl Together {
    /// Adds, for each player, the probability of chance and of the others' moves to that of its private states; `found` has those from the
    /// number `first` on.
    pub(crate) fn add_counterfactual(&self, first: usize, reach: &[f64], found: &mut [f64]) {
        match self {
            Self::Histories(histories) => {
                for history in histories {
                    for (player, &set) in history.sets.iter().enumerate() {
                        found[set as usize - first] += history.others(player, reach) * history.chance;
                    }
                }
            }
            Self::Pairs(begin, pairs) => {
                let [one, other] = pairs.sets(*begin);
                let of = |sets: Range<usize>| sets.start - first..sets.end - first;
                pairs.add_to_rows(&reach[other.clone()], &mut found[of(one.clone())]);
                pairs.add_to_columns(&reach[one], &mut found[of(other)]);
            }
        }
    }

    /// How likely the players' moves and chance lead here.
    pub(crate) fn probability(&self, reach: &[f64]) -> f64 {
        match self {
            Self::Histories(histories) => {
                let weight = |history: &TreeHistory| {
                    history.sets.iter().map(|&set| reach[set as usize]).product::<f64>() * history.chance
                };
                histories.iter().map(weight).sum()
            }
            Self::Pairs(begin, pairs) => {
                let [one, other] = pairs.sets(*begin);
                let mut found = vec![0.0; one.len()];
                pairs.add_to_rows(&reach[other], &mut found);
                found.iter().zip(&reach[one]).map(|(others, own)| others * own).sum()
            }
        }
    }
}

impl PairNumbers {
    /// From a number for each pair.
    pub(crate) fn of(rows: usize, columns: usize, number: impl Fn(usize, usize) -> f32) -> Self {
        let number = &number;
        let by_row = (0..rows).flat_map(|row| (0..columns).map(move |column| number(row, column))).collect();
        let by_column = (0..columns).flat_map(|column| (0..rows).map(move |row| number(row, column)));
        Self { rows, columns, by_row, by_column: by_column.collect() }
    }

    pub(crate) fn at(&self, row: usize, column: usize) -> f32 {
        self.by_row[row * self.columns + column]
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.by_row.len()
    }

    /// The private states of both players, if these are the first.
    pub(crate) fn sets(&self, [one, other]: [usize; 2]) -> [Range<usize>; 2] {
        [one..one + self.rows, other..other + self.columns]
    }

    /// Adds to a number for each row the numbers of its pairs, times those of the columns.
    pub(crate) fn add_to_rows(&self, columns: &[f64], rows: &mut [f64]) {
        add_products(&self.by_column, columns, rows);
    }

    /// Adds to a number for each column the numbers of its pairs, times those of the rows.
    pub(crate) fn add_to_columns(&self, rows: &[f64], columns: &mut [f64]) {
        add_products(&self.by_row, rows, columns);
    }
}

/// Adds vectors of numbers, one after the other, each times its factor.
fn add_products(vectors: &[f32], factors: &[f64], to: &mut [f64]) {
    let mut sums = vec![0.0_f32; to.len()];
    for (&factor, vector) in factors.iter().zip(vectors.chunks_exact(to.len().max(1))) {
        if factor != 0.0 {
            add_product(vector, factor as f32, &mut sums);
        }
    }
    to.iter_mut().zip(sums).for_each(|(to, sum)| *to += f64::from(sum));
}

/// Adds a vector of numbers, each times the same factor.
#[inline]
fn add_product(vector: &[f32], factor: f32, sums: &mut [f32]) {
    // Places instead of iterators: these a compiler makes into vectors in every profile.
    let count = sums.len().min(vector.len());
    let (vector, sums) = (&vector[..count], &mut sums[..count]);
    for place in 0..count {
        sums[place] += factor * vector[place];
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_over_pairs_are_those_of_all_pairs_one_by_one() {
        let (rows, columns) = (5, 19);
        let number = |row: usize, column: usize| ((row * 7 + column * 3) % 11) as f32;
        let pairs = PairNumbers::of(rows, columns, number);
        let of = |count: usize| (0..count).map(|place| (place % 4) as f64).collect::<Vec<f64>>();
        let reach = [of(rows), of(columns)].concat();
        let together = Together::Pairs([0, rows], Arc::new(pairs));
        let mut found = vec![0.0; rows + columns];
        together.add_counterfactual(0, &reach, &mut found);
        let mut slow = vec![0.0; rows + columns];
        let mut total = 0.0;
        for row in 0..rows {
            for column in 0..columns {
                let number = f64::from(number(row, column));
                slow[row] += number * reach[rows + column];
                slow[rows + column] += number * reach[row];
                total += number * reach[row] * reach[rows + column];
            }
        }
        assert_eq!((found, together.probability(&reach)), (slow, total));
    }
}
