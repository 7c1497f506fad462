//! Which candidates to follow, by an estimate of where all turns lead.
//!
//! # Sources
//! Particles chosen by what is known of later turns, and weighted for it: P. Guarniero, A. Johansen and A. Lee, "The Iterated Auxiliary
//! Particle Filter", JASA 112, 2017, where the functions `psi` are fitted; here a product of odds stands for them. The share that is chosen
//! without it, so that no weight grows without bound: T. Hesterberg, "Weighted Average Importance Sampling and Defensive Mixture
//! Distributions", Technometrics 37(2), 1995.

use std::sync::Arc;

use croupier_engine::{InformationSet, game::GameNetwork, stages::bits::ones};
use rand_core::Rng;

use crate::{
    Guide,
    particle::lanes::{
        machine::Surveyed,
        picks::{Group, Pick, select},
    },
};

/// What is estimated of the state after some turns: by base the probability, or nothing.
pub(super) type StateEstimate = Vec<Option<f64>>;

/// What is estimated of the state after all turns.
#[derive(Clone, Debug)]
pub(super) struct Guidance {
    guide: Arc<dyn Guide>,
    network: Arc<GameNetwork>,
    known: InformationSet,
    after_all: StateEstimate,
}

/// Candidates that are looked at for each that is followed.
pub(super) const SURVEYED_EACH: usize = 4;

/// The share of all that is followed regardless of the estimate.
const REGARDLESS: f64 = 0.2;

/// Maximum factor, as a natural logarithm, by which one base makes a candidate more or less likely.
const LOG_ODDS_MAX: f64 = 3.0;

/// Estimates are taken to be no more certain than this.
const CERTAIN: f64 = 1e-3;

impl Guidance {
    pub(super) fn new(guide: Arc<dyn Guide>, network: Arc<GameNetwork>, known: InformationSet) -> Self {
        let after_all = estimate(&*guide, &network, &known);
        Self { guide, network, known, after_all }
    }

    /// What is estimated by who knows no more than the first so many turns.
    fn after(&self, turns: usize) -> StateEstimate {
        let known = InformationSet { role: self.known.role, turns: self.known.turns[..turns].to_vec() };
        estimate(&*self.guide, &self.network, &known)
    }

    /// At most about `wanted` of the candidates: those that lead where it is estimated are likelier to be among them, and count for less.
    ///
    /// They lead to the states after so many turns.
    pub(super) fn chosen(
        &self,
        surveyed: &Surveyed,
        turns: usize,
        wanted: usize,
        rng: &mut impl Rng,
    ) -> Vec<Pick> {
        choose(surveyed, &self.odds(turns), wanted, rng)
    }

    /// By base, how much more likely it makes a candidate after which it is true, as a logarithm.
    fn odds(&self, turns: usize) -> Vec<f64> {
        let now = self.after(turns);
        self.after_all.iter().zip(now).map(|(then, now)| log_odds(*then, now)).collect()
    }
}

fn choose(surveyed: &Surveyed, odds: &[f64], wanted: usize, rng: &mut impl Rng) -> Vec<Pick> {
    let times = times(surveyed, odds);
    let group = |(parent, (pick, times)): (u32, (&Pick, &f64))| Group {
        parent,
        first: 0,
        count: 1.0,
        weight: pick.weight * times,
    };
    let groups: Vec<Group> = (0..).zip(surveyed.picks.iter().zip(&times)).map(group).collect();
    let chosen = select(&groups, wanted, rng).into_iter().map(|pick| {
        let place = pick.parent as usize;
        Pick { weight: pick.weight / times[place], ..surveyed.picks[place] }
    });
    chosen.collect()
}

/// How many times as likely as by its weight each candidate is to be followed; positive.
fn times(surveyed: &Surveyed, odds: &[f64]) -> Vec<f64> {
    let sums: Vec<f64> =
        surveyed.each_row().map(|row| ones(row).map(|base| odds[base]).sum::<f64>()).collect();
    let most = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let times: Vec<f64> = sums.iter().map(|sum| libm::exp(sum - most)).collect();
    let weighed = || times.iter().zip(&surveyed.picks);
    let mean = weighed().map(|(times, pick)| times * pick.weight).sum::<f64>()
        / weighed().map(|(_, pick)| pick.weight).sum::<f64>();
    times.iter().map(|times| REGARDLESS + (1.0 - REGARDLESS) * times / mean).collect()
}

fn estimate(guide: &dyn Guide, network: &GameNetwork, known: &InformationSet) -> StateEstimate {
    let mut estimate = vec![None; network.fluents().len()];
    for (fluent, probability) in guide.probabilities(known) {
        if let (Some(base), true) = (network.base(fluent), probability.is_finite()) {
            estimate[base] = Some(probability);
        }
    }
    estimate
}

/// How much more likely a base makes a candidate after which it is true, as a logarithm: its odds after all turns, compared with those now.
fn log_odds(then: Option<f64>, now: Option<f64>) -> f64 {
    let (Some(then), Some(now)) = (then, now) else { return 0.0 };
    let odds = |probability: f64| {
        let probability = probability.clamp(CERTAIN, 1.0 - CERTAIN);
        probability / (1.0 - probability)
    };
    libm::log(odds(then) / odds(now)).clamp(-LOG_ODDS_MAX, LOG_ODDS_MAX)
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    use super::{choose, log_odds, times};
    use crate::particle::lanes::{machine::Surveyed, picks::Pick};

    /// Forty candidates with bases of their own bits and weights from one to four.
    fn surveyed() -> Surveyed {
        let pick = |index: u32| Pick { parent: index, index: 7, weight: f64::from(1 + index % 4) };
        Surveyed::new((0..40).map(pick).collect(), 1, (0..40).collect())
    }

    #[test]
    fn every_candidate_has_its_own_weight_on_the_average_whatever_is_estimated() {
        for (likely, now) in [(0.9, 0.5), (0.02, 0.5), (1.0, 0.0), (0.5, 0.5)] {
            let after_all = [Some(likely), Some(1.0 - likely), None, Some(likely), Some(0.5), None];
            let odds = after_all.map(|then| log_odds(then, Some(now)));
            let (surveyed, mut sums) = (surveyed(), [0.0; 40]);
            let draws = 20_000;
            for seed in 0..draws {
                let chosen = choose(&surveyed, &odds, 10, &mut ChaCha8Rng::seed_from_u64(seed));
                assert!((9..=11).contains(&chosen.len()), "{} of 10", chosen.len());
                chosen.iter().for_each(|pick| sums[pick.parent as usize] += pick.weight / draws as f64);
            }
            for (sum, pick) in sums.iter().zip(&surveyed.picks) {
                // A weight that is kept one time in forty comes five hundred times, give or take a tenth of that.
                assert!((sum / pick.weight - 1.0).abs() < 0.25, "{sum} for {}, {likely}", pick.weight);
            }
        }
    }

    #[test]
    fn what_is_likelier_in_the_end_is_followed_more_often() {
        let odds = [Some(0.9), None, None, None, None, None].map(|then| log_odds(then, Some(0.5)));
        let times = times(&surveyed(), &odds);
        // Odds of nine to one instead of even, except for the fifth that is followed regardless.
        assert!(times[1] > 4.0 * times[0] && times[1] < 9.0 * times[0], "{times:?}");
        assert!((times[3] - times[1]).abs() < 1e-12, "nothing is estimated of the second base");
    }
}
