//! Iterations on a sample of the game: Monte Carlo CFR.
//!
//! Sampling walks through the tree itself, with a separate random stream for each sample. The samples of one iteration
//! are drawn on all threads, and their updates are then applied to the tables in order; with one sample this is the
//! algorithm of the literature.

mod external;
mod outcome;

use std::num::NonZeroU32;

use croupier_engine::draw::{draw_index, unit_interval, weighted_place};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

use crate::{
    form::SequenceForm,
    full::match_regrets,
    tables::Tables,
    tree::{GameTree, MenuId, NodeId, OutcomeId},
};

use external::ExternalSampling;
use outcome::OutcomeSampling;

/// The source of a sampling run's draws: it alone distinguishes one run from another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Samples {
    /// The seed of the draws.
    pub seed: [u8; 32],
    /// How many each player draws in an iteration. They are drawn at once, on all threads, with the strategies that there
    /// were before: a step of the mean of more samples, and a better one.
    pub per_iteration: NonZeroU32,
}

impl Samples {
    /// One sample of each player in an iteration, as in the literature.
    #[must_use]
    pub fn single(seed: [u8; 32]) -> Self {
        Self { seed, per_iteration: NonZeroU32::MIN }
    }

    /// The draws of one sample of one iteration: a stream of its own, so that work can be taken up anywhere.
    fn stream(self, iteration: u64, sample: u64) -> ChaCha8Rng {
        let mut rng = ChaCha8Rng::from_seed(self.seed);
        rng.set_stream((iteration - 1) * u64::from(self.per_iteration.get()) + sample + 1);
        rng
    }
}

/// Samples that one thread draws at once. Results do not depend on it: what samples change is added up in their order.
const BLOCK: usize = 16;

/// Iterations of Monte Carlo CFR, and their memory.
#[derive(Debug)]
pub(crate) struct SampledIterations {
    samples: Samples,
    blocks: Vec<SampleBlock>,
}

/// Samples that are drawn one after the other.
#[derive(Debug)]
struct SampleBlock {
    walk: SamplingScheme,
    rngs: Vec<ChaCha8Rng>,
    changes: Changes,
}

/// How a sample is drawn.
#[derive(Debug)]
enum SamplingScheme {
    External(ExternalSampling),
    Outcome(OutcomeSampling),
}

/// What samples add to the tables, by sequence, in the order in which they add it.
#[derive(Debug, Default)]
struct Changes {
    regrets: Vec<(usize, f64)>,
    averages: Vec<(usize, f64)>,
}

impl Changes {
    fn apply(&mut self, tables: &mut Tables) {
        for (sequence, regret) in self.regrets.drain(..) {
            tables.regrets[sequence] += regret;
        }
        for (sequence, average) in self.averages.drain(..) {
            tables.averages[sequence] += average;
        }
    }
}

impl SampledIterations {
    /// External sampling.
    pub(crate) fn external(samples: Samples) -> Self {
        Self::new(samples, || SamplingScheme::External(ExternalSampling::default()))
    }

    /// Outcome sampling.
    pub(crate) fn outcome(samples: Samples) -> Self {
        Self::new(samples, || SamplingScheme::Outcome(OutcomeSampling::default()))
    }

    fn new(samples: Samples, walk: fn() -> SamplingScheme) -> Self {
        let blocks = (samples.per_iteration.get() as usize).div_ceil(BLOCK);
        let block = || SampleBlock { walk: walk(), rngs: Vec::new(), changes: Changes::default() };
        Self { samples, blocks: std::iter::repeat_with(block).take(blocks).collect() }
    }

    /// One iteration: samples for each player, the players one after the other.
    pub(crate) fn iterate(
        &mut self,
        tree: &GameTree,
        form: &SequenceForm,
        iteration: u64,
        tables: &mut Tables,
    ) {
        let samples = self.samples;
        let count = u64::from(samples.per_iteration.get());
        for (number, block) in self.blocks.iter_mut().enumerate() {
            let first = (number * BLOCK) as u64;
            block.rngs.clear();
            let streams = first..count.min(first + BLOCK as u64);
            block.rngs.extend(streams.map(|sample| samples.stream(iteration, sample)));
        }
        for player in 0..form.players.len() {
            let draw = |block: &mut SampleBlock| block.draw(tree, form, tables, player);
            match &mut self.blocks[..] {
                [block] => draw(block),
                blocks => blocks.par_iter_mut().for_each(draw),
            }
            for block in &mut self.blocks {
                block.changes.apply(tables);
            }
        }
    }
}

impl SampleBlock {
    /// The samples of one player.
    fn draw(&mut self, tree: &GameTree, form: &SequenceForm, tables: &Tables, player: usize) {
        let Self { walk, rngs, changes } = self;
        for rng in rngs {
            let mut sampler = Sampler { tree, form, tables, changes, rng, player };
            match walk {
                SamplingScheme::External(external) => external.walk(&mut sampler),
                SamplingScheme::Outcome(outcome) => outcome.walk(&mut sampler),
            }
        }
    }
}

/// One sample of one player.
struct Sampler<'s> {
    tree: &'s GameTree,
    form: &'s SequenceForm,
    tables: &'s Tables,
    changes: &'s mut Changes,
    rng: &'s mut ChaCha8Rng,
    /// Who takes in regrets: a position among the players.
    player: usize,
}

impl Sampler<'_> {
    /// The value of the end of a match for the player, relative to the middle of its goals.
    fn worth(&self, outcome: OutcomeId) -> f64 {
        f64::from(self.tree.goals(outcome)[self.player].value()) - self.form.players[self.player].middle
    }

    /// A move of chance: the node after it, and its chances.
    fn chance(&mut self, menu: MenuId, first_child: NodeId) -> (NodeId, [f64; 2]) {
        let weights = self.tree.chance_weights(menu);
        let place = match weights.iter().sum::<u32>() {
            0 => draw_index(self.tree.menu(menu).len(), self.rng),
            sum => {
                let mut rest = draw_index(sum as usize, self.rng);
                let is_reached = |&weight: &u32| match rest.checked_sub(weight as usize) {
                    Some(left) => {
                        rest = left;
                        false
                    }
                    None => true,
                };
                weights.iter().position(is_reached).expect("the rest is below the sum")
            }
        };
        (first_child.plus(place), self.tree.chances(menu, place))
    }

    /// Writes the strategy given by the regrets into `strategy`.
    fn strategy(&self, sequences: std::ops::Range<usize>, strategy: &mut Vec<f64>) {
        strategy.clear();
        strategy.resize(sequences.len(), 0.0);
        match_regrets(&self.tables.regrets[sequences], strategy);
    }

    /// A position, each as likely as it says.
    fn draw(&mut self, probabilities: &[f64]) -> usize {
        let point = unit_interval(self.rng);
        weighted_place(point, probabilities.iter().copied()).expect("probabilities have the sum one")
    }
}
