//! Outcome sampling: one match for each player.

use std::ops::Range;

use super::Sampler;
use crate::tree::Node;

/// How often the player tries any move, each as likely, instead of its strategy; as in the paper's experiments.
const EXPLORATION: f64 = 0.6;

/// Memory of the matches, kept between them.
///
/// # Sources
/// M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling, NIPS 2009, section 3.2. Averages are weighted by the inverse of the
/// probability of the sample, so that every iteration has the same weight in expectation.
#[derive(Debug, Default)]
pub(crate) struct OutcomeSampling {
    steps: Vec<SampledChoice>,
    /// For each step and each move, the probability under the strategy.
    strategies: Vec<f64>,
    strategy: Vec<f64>,
    mixed: Vec<f64>,
}

/// A choice of the player in the sampled match.
#[derive(Clone, Debug)]
struct SampledChoice {
    sequences: Range<usize>,
    chosen: usize,
    /// Where its moves begin in the list.
    start: usize,
    /// How likely the player comes there by its strategy, by its samples, and all samples lead there.
    reach: f64,
    own_samples: f64,
    samples: f64,
    /// The probability of the sample's choices.
    sampled: f64,
}

impl OutcomeSampling {
    /// A match for the player.
    pub(super) fn walk(&mut self, sampler: &mut Sampler<'_>) {
        let value = self.play(sampler);
        self.learn(sampler, value);
    }

    /// Plays a match, and returns its value for the player.
    fn play(&mut self, sampler: &mut Sampler<'_>) -> f64 {
        let mut node = sampler.tree.root();
        let (mut reach, mut own_samples, mut samples) = (1.0, 1.0, 1.0);
        self.steps.clear();
        self.strategies.clear();
        loop {
            match sampler.tree.node(node) {
                Node::Terminal { outcome } => return sampler.worth(outcome),
                Node::Chance { menu, first_child } => {
                    let (next, [chances, all]) = sampler.chance(menu, first_child);
                    node = next;
                    samples = samples * chances / all;
                }
                Node::Decision { information_set, first_child } => {
                    let sequences = sampler.form.set(information_set).sequences();
                    sampler.strategy(sequences.clone(), &mut self.strategy);
                    if sampler.tree.player(information_set) != sampler.player {
                        let chosen = sampler.draw(&self.strategy);
                        samples *= self.strategy[chosen];
                        node = first_child.plus(chosen);
                        continue;
                    }
                    let tried = EXPLORATION / sequences.len() as f64;
                    self.mixed.clear();
                    self.mixed.extend(self.strategy.iter().map(|p| tried + (1.0 - EXPLORATION) * p));
                    let chosen = sampler.draw(&self.mixed);
                    let (sampled, start) = (self.mixed[chosen], self.strategies.len());
                    self.strategies.extend_from_slice(&self.strategy);
                    self.steps.push(SampledChoice {
                        sequences,
                        chosen,
                        start,
                        reach,
                        own_samples,
                        samples,
                        sampled,
                    });
                    reach *= self.strategy[chosen];
                    own_samples *= sampled;
                    samples *= sampled;
                    node = first_child.plus(chosen);
                }
            }
        }
    }

    /// Backs up the value of a match, from its end to its start.
    fn learn(&mut self, sampler: &mut Sampler<'_>, mut value: f64) {
        for step in self.steps.iter().rev() {
            let strategy = &self.strategies[step.start..][..step.sequences.len()];
            // The estimate of a move that was not made is zero; that of the one that was made is right on average.
            let made = value / step.sampled;
            let expected = strategy[step.chosen] * made;
            for (place, sequence) in step.sequences.clone().enumerate() {
                let estimate = if place == step.chosen { made } else { 0.0 };
                // The others' probabilities are those of the samples, and cancel.
                sampler.changes.regrets.push((sequence, (estimate - expected) / step.own_samples));
                sampler.changes.averages.push((sequence, step.reach / step.samples * strategy[place]));
            }
            value = expected;
        }
    }
}
