//! The effective size of a weighted population, and its resampling to equal weights.

use croupier_engine::draw::unit_interval;
use rand_core::Rng;

/// The square of the sum of the weights over the sum of their squares; 0 if all are zero.
///
/// For equal weights it is how many there are, for one weight among zeros it is 1.
pub(super) fn effective_sample_size(weights: impl IntoIterator<Item = f64>) -> f64 {
    let (mut sum, mut squares) = (0.0, 0.0);
    for weight in weights {
        sum += weight;
        squares += weight * weight;
    }
    if squares > 0.0 { sum * sum / squares } else { 0.0 }
}

/// `count` indices in ascending order, each as often as its share of the weights requires, rounded up or
/// down, and exactly that often on average. Not all weights may be zero.
///
/// One number is drawn: the points `(j + u) / count` are looked up in the running sum of the weights.
pub(super) fn systematic(weights: &[f64], count: usize, rng: &mut impl Rng) -> impl Iterator<Item = usize> {
    let total: f64 = weights.iter().sum();
    let offset = unit_interval(rng);
    let last = weights.iter().rposition(|&weight| weight > 0.0).expect("a positive weight");
    let mut index = 0;
    let mut sum = weights[0];
    (0..count).map(move |point| {
        let target = (point as f64 + offset) / count as f64 * total;
        while sum <= target && index < last {
            index += 1;
            sum += weights[index];
        }
        index
    })
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::{effective_sample_size, systematic};

    #[test]
    fn effective_size_runs_from_one_to_all() {
        assert_eq!(effective_sample_size([0.0; 4]), 0.0);
        assert_eq!(effective_sample_size([0.0, 3.0, 0.0]), 1.0);
        assert_eq!(effective_sample_size([2.0; 5]), 5.0);
    }

    #[test]
    fn an_index_comes_as_often_as_its_weight_says() {
        let weights = [0.0, 0.5, 0.0, 1.5, 0.25, 0.0];
        for seed in 0..50 {
            let mut rng = ChaCha8Rng::from_seed([seed; 32]);
            let mut counts = [0_usize; 6];
            for index in systematic(&weights, 90, &mut rng) {
                counts[index] += 1;
            }
            assert_eq!(counts, [0, 20, 0, 60, 10, 0], "seed {seed}");
        }
    }
}
