//! Selects which of many weighted candidates to keep, and their new weights.
//!
//! # Sources
//! P. Fearnhead and P. Clifford, "On-line inference for hidden Markov models via particle filters", Journal of the
//! Royal Statistical Society B 65(4), 2003, section 3.2: the resampling of discrete candidates with the least
//! expected squared error of all weights. The sampling below the threshold is systematic (G. Kitagawa, Journal of
//! Computational and Graphical Statistics 5(1), 1996), over candidates in random order: if all particles have as many
//! candidates as the distance between points, points in the order of the cards would select the same card for every particle.

use croupier_engine::draw::{draw, shuffle, unit_interval};
use rand_core::Rng;

/// Candidates of one particle that weigh the same.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Group {
    /// The particle.
    pub(super) parent: u32,
    /// The index of the first candidate.
    pub(super) first: u64,
    /// How many there are; a whole number.
    pub(super) count: f64,
    /// The weight of each of them.
    pub(super) weight: f64,
}

/// A candidate that was kept.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Pick {
    /// The particle that it is a candidate of.
    pub(super) parent: u32,
    /// The index of its candidate.
    pub(super) index: u64,
    /// Its new weight.
    pub(super) weight: f64,
}

/// How many candidates there are.
pub(super) fn count(groups: &[Group]) -> f64 {
    groups.iter().filter(|group| group.weight > 0.0).map(|group| group.count).sum()
}

/// All candidates if there are at most `wanted`; otherwise a sample of about this size (to within one).
///
/// The expected weight of every candidate is its own, and 0 for those that are not kept. No candidate comes twice. They
/// come in ascending order of particle and index, if groups do.
///
/// # Complexity
/// Linear in groups, n log n in picks, and a few passes over the groups for the threshold.
pub(super) fn select(groups: &[Group], wanted: usize, rng: &mut impl Rng) -> Vec<Pick> {
    if count(groups) <= wanted as f64 {
        return picks(groups, 0.0, 0.0, |_| 0);
    }
    let mut groups = groups.to_vec();
    shuffle(&mut groups, rng);
    let offset = unit_interval(rng);
    let mut picks =
        picks(&groups, threshold(&groups, wanted as f64), offset, |count| draw(count, || rng.next_u64()));
    picks.sort_unstable_by_key(|pick| (pick.parent, pick.index));
    picks
}

/// The candidates that weigh no less than `threshold`, and of the others those that systematic sampling keeps.
///
/// Candidates below the threshold are laid end to end on a line, each as long as its probability of being kept; the point
/// `offset` and every point a whole number further keeps the candidate in which it falls. `first` says which of the candidates of a group
/// starts the line.
fn picks(groups: &[Group], threshold: f64, offset: f64, mut first: impl FnMut(u64) -> u64) -> Vec<Pick> {
    let mut picks = Vec::new();
    let (mut end, mut point) = (0.0, offset);
    for group in groups.iter().filter(|group| group.weight > 0.0 && group.count > 0.0) {
        let count = whole(group.count);
        if group.weight >= threshold {
            picks.extend((0..count).map(|index| pick(group, index, group.weight)));
            continue;
        }
        let length = group.weight / threshold;
        let begin = end;
        end += group.count * length;
        if point >= end {
            continue;
        }
        let (first, mut next) = (first(count), 0);
        while point < end {
            let place = whole((point - begin) / length).max(next).min(count - 1);
            picks.push(pick(group, (first + place) % count, threshold));
            next = place + 1;
            point += 1.0;
        }
    }
    picks
}

fn pick(group: &Group, index: u64, weight: f64) -> Pick {
    Pick { parent: group.parent, index: group.first + index, weight }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, or a place within one")]
fn whole(number: f64) -> u64 {
    number as u64
}

/// The weight `c` for which the sum of `min(1, weight / c)` over all candidates is `wanted`, which is less than
/// their number.
fn threshold(groups: &[Group], wanted: f64) -> f64 {
    let mut threshold = f64::INFINITY;
    loop {
        // Heavy candidates are kept for certain; the others share what is left. Each round lowers the threshold or
        // leaves it, so that heavy ones stay heavy.
        let (mut light, mut places) = (0.0, wanted);
        for group in groups {
            if group.weight >= threshold {
                places -= group.count;
            } else {
                light += group.count * group.weight;
            }
        }
        let next = light / places;
        if places < 0.5 || next >= threshold {
            return threshold;
        }
        threshold = next;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::{Group, Pick, count, picks, select, threshold};

    fn groups(parts: &[(f64, u32)]) -> Vec<Group> {
        let group = |(parent, &(weight, count)): (u32, &(f64, u32))| Group {
            parent,
            first: 10,
            count: f64::from(count),
            weight,
        };
        (0..).zip(parts).map(group).collect()
    }

    #[test]
    fn few_candidates_are_all_kept_as_they_are() {
        let mut rng = ChaCha8Rng::seed_from_u64(7);
        let picks = select(&groups(&[(0.5, 2), (0.0, 3), (0.1, 1)]), 3, &mut rng);
        let pick = |parent, index, weight| Pick { parent, index, weight };
        assert_eq!(picks, [pick(0, 10, 0.5), pick(0, 11, 0.5), pick(2, 10, 0.1)]);
    }

    /// Every particle has 49 candidates and keeps one of them: points at a distance of 49 in the order of the candidates
    /// kept the same one in all particles.
    #[test]
    fn particles_with_as_many_candidates_do_not_all_keep_the_same_one() {
        let groups = groups(&vec![(1.0 / 49.0, 49); 200]);
        let mut kept = [0; 49];
        for seed in 0..20 {
            let picks = select(&groups, 200, &mut ChaCha8Rng::seed_from_u64(seed));
            assert_eq!(picks.len(), 200);
            let mut here = [0; 49];
            for pick in picks {
                kept[(pick.index - 10) as usize] += 1;
                here[(pick.index - 10) as usize] += 1;
            }
            assert!(here.iter().all(|&count| count < 20), "of one seed: {here:?}");
        }
        // About 82 each, with a standard deviation of 9.
        assert!(kept.iter().all(|&count| (40..130).contains(&count)), "{kept:?}");
    }

    /// The same for particles of one candidate each, of which every tenth was kept.
    #[test]
    fn particles_are_not_kept_at_equal_distances() {
        let groups = groups(&vec![(1.0, 1); 1_000]);
        let picks = select(&groups, 100, &mut ChaCha8Rng::seed_from_u64(3));
        let mut last_digits = [0; 10];
        for pick in &picks {
            last_digits[(pick.parent % 10) as usize] += 1;
        }
        assert!(picks.windows(2).all(|pair| pair[0].parent < pair[1].parent));
        assert!(last_digits.iter().all(|&count| count < 30), "{last_digits:?}");
    }

    proptest! {
        #[test]
        fn every_candidate_has_its_own_weight_on_the_average(
            parts in prop::collection::vec((0.0_f64..1.0, 0_u32..6), 1..12), wanted in 2_usize..20,
        ) {
            let groups = groups(&parts);
            let total: f64 = groups.iter().map(|group| group.count * group.weight).sum();
            prop_assume!(total > 0.1);
            let is_all = count(&groups) <= wanted as f64;
            let mut sums = vec![[0.0; 6]; groups.len()];
            let offsets = 2_000;
            let threshold = if is_all { 0.0 } else { threshold(&groups, wanted as f64) };
            for step in 0..offsets {
                let picks = picks(&groups, threshold, (f64::from(step) + 0.5) / f64::from(offsets), |_| 0);
                prop_assert!(is_all || (picks.len() as f64 - wanted as f64).abs() <= 1.0);
                let key = |pick: &Pick| (pick.parent, pick.index);
                prop_assert!(picks.windows(2).all(|pair| key(&pair[0]) < key(&pair[1])));
                for pick in picks {
                    sums[pick.parent as usize][(pick.index - 10) as usize] += pick.weight / f64::from(offsets);
                }
            }
            for (group, sums) in groups.iter().zip(sums) {
                for (index, sum) in sums.into_iter().enumerate() {
                    let expected = if (index as f64) < group.count { group.weight } else { 0.0 };
                    // Two offsets at most count wrongly, each with no more than the threshold.
                    prop_assert!((sum - expected).abs() < 2.0 * total / f64::from(offsets), "{sum} for {expected}");
                }
            }
        }
    }
}
