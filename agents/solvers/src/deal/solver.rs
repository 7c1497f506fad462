//! A solver for games in which chance only deals.

use std::sync::Arc;

use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

use super::{
    abstraction::Abstraction,
    blueprint::Blueprint,
    move_tree::MoveTree,
    walk::{AbstractTables, Block, DealSampling, Ground, Layout},
};

/// CFR on a [`MoveTree`], with information sets grouped into buckets by the results of playouts.
///
/// An iteration plays some thousand deals. Iteration `t` has the weight `t`, in regrets and averages. The result depends only on
/// the game, the number of buckets, the seed and the number of iterations, and not on threads.
///
/// # Sources
/// Weights: N. Brown, T. Sandholm: Solving Imperfect-Information Games via Discounted Regret Minimization, AAAI 2019.
/// Buckets forget earlier buckets and never moves: K. Waugh et al.: A Practical Use of Imperfect Recall, SARA 2009.
#[derive(Debug)]
pub struct AbstractSolver {
    tree: Arc<MoveTree>,
    abstraction: Abstraction,
    layout: Layout,
    sampling: DealSampling,
    seed: [u8; 32],
    tables: AbstractTables,
    iterations: u64,
    blocks: Vec<Block>,
}

/// Blocks of an iteration, which are played at once on all threads.
const BLOCKS: usize = 2;

impl AbstractSolver {
    /// Gathers hands into at most `buckets` buckets for each player and round; no iteration is made yet.
    #[must_use]
    pub fn new(tree: Arc<MoveTree>, buckets: usize, sampling: DealSampling, seed: [u8; 32]) -> Self {
        let abstraction = Abstraction::new(&tree, buckets, seed);
        let layout = Layout::new(&tree, &abstraction);
        let tables = AbstractTables::new(layout.len);
        let blocks = (0..BLOCKS).map(|_| Block::new(&tree, &layout)).collect();
        Self { tree, abstraction, layout, sampling, seed, tables, iterations: 0, blocks }
    }

    /// How many iterations have been made.
    #[must_use]
    pub fn iterations(&self) -> u64 {
        self.iterations
    }

    /// Deals that an iteration plays.
    #[must_use]
    pub fn deals_each() -> u64 {
        (BLOCKS * super::LANES) as u64
    }

    /// How many buckets all information sets have together.
    #[must_use]
    pub fn buckets_count(&self) -> usize {
        let of_set = |round: &usize| self.abstraction.buckets[*round].centroids.len();
        self.layout.rounds.iter().map(of_set).sum()
    }

    /// Runs this many more iterations, on the threads of the calling rayon pool.
    pub fn advance(&mut self, iterations: u64) {
        let Self { tree, abstraction, layout, sampling, seed, tables, blocks, .. } = self;
        for iteration in self.iterations + 1..=self.iterations + iterations {
            let ground = Ground { tree, abstraction, layout, tables };
            blocks.par_iter_mut().enumerate().for_each(|(number, block)| {
                let mut rng = ChaCha8Rng::from_seed(*seed);
                rng.set_stream(iteration * BLOCKS as u64 + number as u64);
                block.play(ground, *sampling, &mut rng);
            });
            merge(tables, blocks, iteration);
        }
        self.iterations += iterations;
    }

    /// The average strategy.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        Blueprint::new(&self.tree, self.abstraction.clone(), &self.layout, &self.tables.averages)
    }
}

/// Takes in what blocks have changed, in their order.
fn merge(tables: &mut AbstractTables, blocks: &mut [Block], iteration: u64) {
    let t = iteration as f32;
    let kept = (t - 1.0) / t;
    let take = |table: &mut [f32],
                part: fn(&mut AbstractTables) -> &mut Vec<f32>,
                blocks: &mut [Block],
                kept: f32,
                weight: f32| {
        table.par_iter_mut().for_each(|value| *value *= kept);
        for block in blocks {
            let changes = part(&mut block.changes);
            table.par_iter_mut().zip(changes.par_iter_mut()).for_each(|(value, change)| {
                *value += weight * *change;
                *change = 0.0;
            });
        }
    };
    take(&mut tables.regrets, |changes| &mut changes.regrets, blocks, kept, 1.0);
    take(&mut tables.averages, |changes| &mut changes.averages, blocks, kept, 1.0);
}
