//! A number for each pair of private states of two players.

use std::ops::Range;

use rustc_hash::FxHashMap;

/// A number for each pair of private states of two players.
///
/// Of hands without a card in common each pair is as likely: where nearly all numbers are the same, only the others are kept.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PairNumbers {
    rows: usize,
    columns: usize,
    kept: KeptNumbers,
}

#[derive(Clone, Debug, PartialEq)]
enum KeptNumbers {
    /// Row by row, and column by column.
    All([Vec<f32>; 2]),
    /// What nearly all are, and the others.
    Others(f32, [Exceptions; 2]),
}

/// Numbers that are not as nearly all others, line by line.
#[derive(Clone, Debug, PartialEq, Default)]
struct Exceptions {
    /// By line, where its numbers begin; and where the last ends.
    begins: Vec<u32>,
    /// The place of each in its line, ascending.
    places: Vec<u32>,
    /// By how much each is greater.
    excess: Vec<f32>,
}

/// The share of numbers that may differ from nearly all others: adding one of these up takes as long as eight of all, in one go.
const OTHERS_MAX: f32 = 0.12;

/// Numbers that tell what nearly all are.
const LOOKED_AT: usize = 64;

impl PairNumbers {
    /// From all numbers, row by row.
    pub(crate) fn of(rows: usize, columns: usize, numbers: Vec<f32>) -> Self {
        let usual = usual(&numbers);
        let others = numbers.iter().filter(|&&number| number != usual).count();
        let kept = if others as f32 <= OTHERS_MAX * numbers.len() as f32 {
            let by_row = Exceptions::of(rows, columns, |row, column| numbers[row * columns + column] - usual);
            let by_column = by_row.turned(columns);
            KeptNumbers::Others(usual, [by_row, by_column])
        } else {
            let mut by_column = vec![0.0; numbers.len()];
            for (row, numbers) in numbers.chunks_exact(columns.max(1)).enumerate() {
                numbers
                    .iter()
                    .enumerate()
                    .for_each(|(column, &number)| by_column[column * rows + row] = number);
            }
            KeptNumbers::All([numbers, by_column])
        };
        Self { rows, columns, kept }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.rows * self.columns
    }

    /// Private states of the second player.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The private states of both players, if these are the first.
    pub(crate) fn sets(&self, [one, other]: [usize; 2]) -> [Range<usize>; 2] {
        [one..one + self.rows, other..other + self.columns]
    }

    /// All numbers of a row.
    pub(crate) fn write_row(&self, row: usize, numbers: &mut [f32]) {
        match &self.kept {
            KeptNumbers::All([by_row, _]) => {
                numbers.copy_from_slice(&by_row[row * self.columns..(row + 1) * self.columns])
            }
            KeptNumbers::Others(usual, [by_row, _]) => {
                numbers.fill(*usual);
                by_row.line(row).for_each(|(column, excess)| numbers[column] += excess);
            }
        }
    }

    /// Those of some rows and columns, each times the same factor.
    pub(crate) fn part(&self, rows: &[usize], columns: &[usize], factor: f32) -> Self {
        let (mut found, mut row_of) =
            (Vec::with_capacity(rows.len() * columns.len()), vec![0.0; self.columns]);
        for &row in rows {
            self.write_row(row, &mut row_of);
            found.extend(columns.iter().map(|&column| factor * row_of[column]));
        }
        Self::of(rows.len(), columns.len(), found)
    }

    /// Adds to a number for each row the numbers of its pairs, times those of the columns and a factor.
    pub(crate) fn add_to_rows(&self, columns: &[f64], factor: f64, rows: &mut [f64]) {
        match &self.kept {
            KeptNumbers::All([_, by_column]) => add_products(by_column, columns, factor, rows),
            KeptNumbers::Others(usual, [by_row, _]) => by_row.add_products(*usual, columns, factor, rows),
        }
    }

    /// Adds to a number for each column the numbers of its pairs, times those of the rows and a factor.
    pub(crate) fn add_to_columns(&self, rows: &[f64], factor: f64, columns: &mut [f64]) {
        match &self.kept {
            KeptNumbers::All([by_row, _]) => add_products(by_row, rows, factor, columns),
            KeptNumbers::Others(usual, [_, by_column]) => {
                by_column.add_products(*usual, rows, factor, columns)
            }
        }
    }
}

/// The most frequent of some numbers here and there.
fn usual(numbers: &[f32]) -> f32 {
    let step = (numbers.len() / LOOKED_AT).max(1);
    let mut counts: FxHashMap<u32, usize> = FxHashMap::default();
    for number in numbers.iter().step_by(step) {
        *counts.entry(number.to_bits()).or_default() += 1;
    }
    let most = counts.into_iter().max_by_key(|&(bits, count)| (count, bits));
    most.map_or(0.0, |(bits, _)| f32::from_bits(bits))
}

impl Exceptions {
    fn of(lines: usize, places: usize, excess: impl Fn(usize, usize) -> f32) -> Self {
        let mut found = Self { begins: vec![0], ..Self::default() };
        for line in 0..lines {
            for place in 0..places {
                let excess = excess(line, place);
                if excess != 0.0 {
                    found.places.push(place as u32);
                    found.excess.push(excess);
                }
            }
            found.begins.push(found.places.len() as u32);
        }
        found
    }

    /// The same with lines for places, of which there are so many.
    fn turned(&self, places: usize) -> Self {
        let mut lines: Vec<Vec<(u32, f32)>> = vec![Vec::new(); places];
        for line in 0..self.begins.len() - 1 {
            self.line(line).for_each(|(place, excess)| lines[place].push((line as u32, excess)));
        }
        let mut found = Self { begins: vec![0], ..Self::default() };
        for line in lines {
            for (place, excess) in line {
                found.places.push(place);
                found.excess.push(excess);
            }
            found.begins.push(found.places.len() as u32);
        }
        found
    }

    /// The places of a line and by how much their numbers are greater.
    fn line(&self, line: usize) -> impl Iterator<Item = (usize, f32)> + '_ {
        let here = self.begins[line] as usize..self.begins[line + 1] as usize;
        self.places[here.clone()]
            .iter()
            .zip(&self.excess[here])
            .map(|(&place, &excess)| (place as usize, excess))
    }

    fn add_products(&self, usual: f32, factors: &[f64], factor: f64, to: &mut [f64]) {
        let all = f64::from(usual) * factors.iter().sum::<f64>();
        for (line, to) in to.iter_mut().enumerate() {
            let here = self.begins[line] as usize..self.begins[line + 1] as usize;
            let (places, excess) = (&self.places[here.clone()], &self.excess[here]);
            let mut sum = 0.0;
            for number in 0..places.len() {
                sum += f64::from(excess[number]) * factors[places[number] as usize];
            }
            *to += factor * (all + sum);
        }
    }
}

/// Adds vectors of numbers, one after the other, each times its own factor and one for all.
fn add_products(vectors: &[f32], factors: &[f64], factor: f64, to: &mut [f64]) {
    let mut sums = vec![0.0_f32; to.len()];
    for (&own, vector) in factors.iter().zip(vectors.chunks_exact(to.len().max(1))) {
        if own != 0.0 {
            add_product(vector, own as f32, &mut sums);
        }
    }
    to.iter_mut().zip(sums).for_each(|(to, sum)| *to += factor * f64::from(sum));
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

    /// Numbers for each pair, most of which are the same or few.
    fn numbers(rows: usize, columns: usize, is_usual: bool) -> Vec<f32> {
        let number = |place: usize| {
            if is_usual && place % 17 != 3 { 2.0 } else { (place * 7 % 11) as f32 }
        };
        (0..rows * columns).map(number).collect()
    }

    #[test]
    fn sums_over_pairs_are_those_of_all_pairs_one_by_one_however_they_are_kept() {
        let (rows, columns) = (15, 19);
        for is_usual in [false, true] {
            let all = numbers(rows, columns, is_usual);
            let pairs = PairNumbers::of(rows, columns, all.clone());
            assert_eq!(matches!(pairs.kept, KeptNumbers::Others(..)), is_usual);
            let of = |count: usize| (0..count).map(|place| (place % 4) as f64).collect::<Vec<f64>>();
            let (of_rows, of_columns) = (of(rows), of(columns));
            let (mut to_rows, mut to_columns) = (vec![1.0; rows], vec![1.0; columns]);
            pairs.add_to_rows(&of_columns, 0.5, &mut to_rows);
            pairs.add_to_columns(&of_rows, 2.0, &mut to_columns);
            let at = |row: usize, column: usize| f64::from(all[row * columns + column]);
            for (row, found) in to_rows.into_iter().enumerate() {
                let sum: f64 = (0..columns).map(|column| at(row, column) * of_columns[column]).sum();
                assert!((found - 1.0 - 0.5 * sum).abs() < 1e-4, "{found} and {sum}");
            }
            for (column, found) in to_columns.into_iter().enumerate() {
                let sum: f64 = (0..rows).map(|row| at(row, column) * of_rows[row]).sum();
                assert!((found - 1.0 - 2.0 * sum).abs() < 1e-4, "{found} and {sum}");
            }
            let part = pairs.part(&[1, 4], &[0, 2, 18], 3.0);
            let mut row = vec![0.0; 3];
            part.write_row(1, &mut row);
            assert_eq!(row, [0, 2, 18].map(|column| 3.0 * all[4 * columns + column]));
        }
    }
}
