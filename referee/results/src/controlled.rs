//! Means that luck was taken out of.

use crate::{Mean, student_quantile};

/// The share of a measure that the measures before it leave unexplained, below which it adds nothing.
const NEW_SHARE: f64 = 1e-9;

impl Mean {
    /// The mean of observations that go with measures of luck, with its 95 % interval: as far as observations follow the
    /// measures, by least squares, the luck of these observations is replaced by that of all, `more` being measures without
    /// observations. Without measures, or with few observations, it is [`Mean::of`].
    ///
    /// # Sources
    /// Double sampling for regression: W. Cochran, "Sampling Techniques", 3rd edition, 1977, section 12.6.
    ///
    /// # Panics
    /// If the observations do not all have the same number of measures.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn controlled(values: &[f64], luck: &[Vec<f64>], more: &[Vec<f64>]) -> Option<Self> {
        let plain = Self::of(values)?;
        let (n, measures) = (values.len(), luck.first().map_or(0, Vec::len));
        if measures == 0 || n < 10 * (measures + 1) {
            return Some(plain);
        }
        let all = (n + more.len()) as f64;
        let all_mean = column_means(luck.iter().chain(more), measures, all);
        let Regressed { moved, left, shared, freedom } = Regressed::new(values, luck, &all_mean);
        let error = (left / freedom / n as f64 + shared / (n as f64 - 1.0) / all).sqrt();
        Some(Self { mean: plain.mean + moved, margin: Some(student_quantile(freedom) * error) })
    }

    /// The mean of observations that go with measures of luck which are zero on average, with its 95 % interval: as far as
    /// observations follow the measures, by least squares, luck is taken off. Without measures, or with few observations, it is
    /// [`Mean::of`].
    ///
    /// # Sources
    /// Control variates: A. Owen, "Monte Carlo Theory, Methods and Examples", 2013, section 8.9. That the slope is
    /// estimated from the same observations shifts the mean by less than its error, the less the more there are.
    ///
    /// # Panics
    /// If an observation does not have this number of measures.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn without_luck(values: &[f64], luck: &[Vec<f64>]) -> Option<Self> {
        let plain = Self::of(values)?;
        let (n, measures) = (values.len(), luck.first().map_or(0, Vec::len));
        if measures == 0 || n < 10 * (measures + 1) {
            return Some(plain);
        }
        let Regressed { moved, left, freedom, .. } = Regressed::new(values, luck, &vec![0.0; measures]);
        let error = (left / freedom / n as f64).sqrt();
        Some(Self { mean: plain.mean + moved, margin: Some(student_quantile(freedom) * error) })
    }
}

/// Values as a linear function of measures.
struct Regressed {
    /// By how much the mean changes if the measures had another mean.
    moved: f64,
    /// The sums of squares that the measures leave and explain.
    left: f64,
    shared: f64,
    freedom: f64,
}

impl Regressed {
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn new(values: &[f64], luck: &[Vec<f64>], mean_wanted: &[f64]) -> Self {
        let (n, measures) = (values.len(), mean_wanted.len());
        let own_mean = column_means(luck.iter(), measures, n as f64);
        let centred: Vec<Vec<f64>> = luck
            .iter()
            .map(|row| row.iter().zip(&own_mean).map(|(one, mean)| one - mean).collect())
            .collect();
        let slope = least_squares(&centred, values);
        let explained = |row: &[f64]| row.iter().zip(&slope).map(|(one, slope)| one * slope).sum::<f64>();
        let mean = values.iter().sum::<f64>() / n as f64;
        let (mut left, mut shared) = (0.0, 0.0);
        for (row, value) in centred.iter().zip(values) {
            left += (value - mean - explained(row)).powi(2);
            shared += explained(row).powi(2);
        }
        let moved: Vec<f64> = mean_wanted.iter().zip(&own_mean).map(|(all, own)| all - own).collect();
        Self { moved: explained(&moved), left, shared, freedom: (n - measures - 1) as f64 }
    }
}

/// The mean of each column of some rows.
fn column_means<'r>(rows: impl Iterator<Item = &'r Vec<f64>>, columns: usize, count: f64) -> Vec<f64> {
    let mut sums = vec![0.0; columns];
    rows.for_each(|row| sums.iter_mut().zip(row).for_each(|(sum, one)| *sum += one));
    sums.iter().map(|sum| sum / count).collect()
}

/// The linear function of centred rows that comes nearest to the values: by the normal equations and Cholesky's method, in
/// which a measure that follows from those before it has no slope.
fn least_squares(rows: &[Vec<f64>], values: &[f64]) -> Vec<f64> {
    let measures = rows[0].len();
    let product = |i: usize, j: usize| rows.iter().map(|row| row[i] * row[j]).sum::<f64>();
    let mut factor = vec![vec![0.0; measures]; measures];
    for i in 0..measures {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| factor[i][k] * factor[j][k]).sum();
            let rest = product(i, j) - known;
            factor[i][j] = match () {
                () if i == j && rest > NEW_SHARE * product(i, i) => rest.sqrt(),
                () if i != j && factor[j][j] > 0.0 => rest / factor[j][j],
                () => 0.0,
            };
        }
    }
    let mut slope: Vec<f64> =
        (0..measures).map(|i| rows.iter().zip(values).map(|(row, value)| row[i] * value).sum()).collect();
    let part = |known: f64, value: f64, pivot: f64| if pivot > 0.0 { (value - known) / pivot } else { 0.0 };
    for i in 0..measures {
        let known = (0..i).map(|k| factor[i][k] * slope[k]).sum();
        slope[i] = part(known, slope[i], factor[i][i]);
    }
    for i in (0..measures).rev() {
        let known = (i + 1..measures).map(|k| factor[k][i] * slope[k]).sum();
        slope[i] = part(known, slope[i], factor[i][i]);
    }
    slope
}

#[cfg(test)]
mod tests {
    use crate::Mean;

    /// Numbers in 0..1 that look random: multiples of the golden ratio and of the square root of two.
    fn numbers(count: u32, step: f64) -> Vec<f64> {
        (0..count).map(|number| (f64::from(number) * step).fract()).collect()
    }

    #[test]
    fn what_follows_luck_exactly_has_the_mean_of_all_luck() {
        let luck: Vec<Vec<f64>> = numbers(100, 0.618_034).into_iter().map(|one| vec![one]).collect();
        let more: Vec<Vec<f64>> = numbers(900, 0.414_214).into_iter().map(|one| vec![one + 1.0]).collect();
        let values: Vec<f64> = luck.iter().map(|one| 3.0 + 2.0 * one[0]).collect();
        let found = Mean::controlled(&values, &luck, &more).expect("a mean");
        let all = luck.iter().chain(&more).map(|one| one[0]).sum::<f64>() / 1000.0;
        assert!((found.mean - (3.0 + 2.0 * all)).abs() < 1e-9, "{found:?}");
        // What is left is the spread of the luck itself: about 2 x 0.29 / sqrt(1000), 1.98 times.
        let margin = found.margin.expect("an interval");
        assert!((margin - 0.036).abs() < 0.002, "{margin}");
    }

    #[test]
    fn what_does_not_follow_luck_keeps_its_mean_nearly() {
        let luck: Vec<Vec<f64>> =
            numbers(400, 0.618_034).into_iter().map(|one| vec![one, 2.0 * one]).collect();
        let values = numbers(400, 0.414_214);
        let plain = Mean::of(&values).expect("a mean");
        let found = Mean::controlled(&values, &luck, &luck).expect("a mean");
        assert!((found.mean - plain.mean).abs() < 0.01, "{found:?} {plain:?}");
        let (one, other) = (found.margin.expect("an interval"), plain.margin.expect("an interval"));
        assert!((one / other - 1.0).abs() < 0.02, "{one} {other}");
    }

    #[test]
    fn luck_that_is_zero_on_average_is_taken_off() {
        // Of these the mean of the luck is about 0.5, which no player has to thank for.
        let luck: Vec<Vec<f64>> = numbers(400, 0.618_034).into_iter().map(|one| vec![one]).collect();
        let rest = numbers(400, 0.414_214);
        let values: Vec<f64> = luck.iter().zip(&rest).map(|(one, rest)| 3.0 * one[0] + rest).collect();
        let found = Mean::without_luck(&values, &luck).expect("a mean");
        // The rest is spread evenly over 0..1, with a standard deviation of 0.289.
        assert!((found.mean - 0.5).abs() < 0.05, "{found:?}");
        let margin = found.margin.expect("an interval");
        assert!((margin - 1.966 * 0.289 / 20.0).abs() < 0.002, "{margin}");
    }

    #[test]
    fn few_observations_have_their_own_mean() {
        let values = [1.0, 2.0, 4.0];
        let luck = [vec![1.0], vec![2.0], vec![3.0]];
        assert_eq!(Mean::controlled(&values, &luck, &luck), Mean::of(&values));
        assert_eq!(Mean::controlled(&[], &[], &[]), None);
        assert_eq!(Mean::without_luck(&values, &luck), Mean::of(&values));
    }
}
