//! Hands that are played alike: k-means over their features.

use croupier_engine::draw::{draw_index, unit_interval, weighted_place};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

/// The buckets of one player after some number of chance turns.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Buckets {
    /// The mean feature of each.
    pub(super) centroids: Vec<Vec<f32>>,
}

/// Maximum number of rounds of k-means; most of the improvement comes in the first ten.
const ROUNDS_MAX: usize = 25;

impl Buckets {
    /// At most `count` buckets for these features; if there are no more different features than that, each gets its own.
    ///
    /// # Sources
    /// S. Lloyd: Least squares quantization in PCM, IEEE Trans. Inf. Theory 28(2), 1982; first centroids as in D. Arthur and
    /// S. Vassilvitskii: k-means++, SODA 2007.
    pub(super) fn new(features: &[Vec<f32>], count: usize, seed: [u8; 32]) -> Self {
        let mut different: Vec<&Vec<f32>> = features.iter().collect();
        let order = |one: &&Vec<f32>, other: &&Vec<f32>| {
            let differing = one.iter().zip(other.iter()).map(|(a, b)| a.total_cmp(b));
            differing.fold(std::cmp::Ordering::Equal, std::cmp::Ordering::then)
        };
        different.sort_by(order);
        different.dedup();
        if different.len() <= count {
            return Self { centroids: different.into_iter().cloned().collect() };
        }
        let mut buckets = Self { centroids: first_centroids(features, count, seed) };
        for _ in 0..ROUNDS_MAX {
            if !buckets.improve(features) {
                break;
            }
        }
        buckets
    }

    /// The bucket of a feature: the one with the nearest centroid, the first of equals.
    pub(super) fn of(&self, feature: &[f32]) -> u32 {
        let mut best = (f32::INFINITY, 0);
        for (bucket, centroid) in (0..).zip(&self.centroids) {
            let distance = distance(feature, centroid);
            if distance < best.0 {
                best = (distance, bucket);
            }
        }
        best.1
    }

    /// One round; whether some feature changed its bucket.
    fn improve(&mut self, features: &[Vec<f32>]) -> bool {
        let places: Vec<u32> = features.par_iter().map(|feature| self.of(feature)).collect();
        let mut sums = vec![vec![0.0_f64; features[0].len()]; self.centroids.len()];
        let mut counts = vec![0_u32; self.centroids.len()];
        for (feature, &place) in features.iter().zip(&places) {
            counts[place as usize] += 1;
            sums[place as usize].iter_mut().zip(feature).for_each(|(sum, value)| *sum += f64::from(*value));
        }
        let mut is_changed = false;
        for ((centroid, sum), count) in self.centroids.iter_mut().zip(sums).zip(counts) {
            // A bucket that nothing falls into stays where it is.
            for (old, sum) in centroid.iter_mut().zip(sum).take_while(|_| count > 0) {
                let new = (sum / f64::from(count)) as f32;
                is_changed |= *old != new;
                *old = new;
            }
        }
        is_changed
    }
}

fn first_centroids(features: &[Vec<f32>], count: usize, seed: [u8; 32]) -> Vec<Vec<f32>> {
    let mut rng = ChaCha8Rng::from_seed(seed);
    let mut centroids = vec![features[draw_index(features.len(), &mut rng)].clone()];
    let mut distances = vec![f32::INFINITY; features.len()];
    while centroids.len() < count {
        let last = &centroids[centroids.len() - 1];
        let nearer = |(known, feature): (&mut f32, &Vec<f32>)| *known = known.min(distance(feature, last));
        distances.par_iter_mut().zip(features).for_each(nearer);
        let total: f64 = distances.iter().map(|&distance| f64::from(distance)).sum();
        let point = unit_interval(&mut rng) * total;
        let reached = weighted_place(point, distances.iter().map(|&distance| f64::from(distance)));
        centroids.push(features[reached.expect("some feature is no centroid yet")].clone());
    }
    centroids
}

/// The squared distance.
fn distance(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(a, b)| (a - b) * (a - b)).sum()
}

#[cfg(test)]
mod tests {
    use super::Buckets;

    #[test]
    fn few_features_have_a_bucket_each() {
        let features = [[1.0, 2.0], [3.0, 4.0], [1.0, 2.0]].map(Vec::from);
        let buckets = Buckets::new(&features, 5, [0; 32]);
        assert_eq!(buckets.centroids, [[1.0, 2.0], [3.0, 4.0]]);
        assert_eq!([&features[0], &features[1], &features[2]].map(|feature| buckets.of(feature)), [0, 1, 0]);
    }

    #[test]
    fn features_that_stand_together_come_into_one_bucket() {
        let features: Vec<Vec<f32>> =
            (0..300_u16).map(|n| vec![f32::from(n % 3) * 100.0 + f32::from(n / 3) * 0.01]).collect();
        let buckets = Buckets::new(&features, 3, [1; 32]);
        for feature in &features {
            let centroid = buckets.centroids[buckets.of(feature) as usize][0];
            assert!((centroid - feature[0]).abs() < 1.0, "{feature:?}: {buckets:?}");
        }
    }
}
