//! A solver for games in which chance only deals.

use std::sync::Arc;

use croupier_engine::{InformationSet, draw::draw_index};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;

use super::{
    abstraction::Abstraction,
    blueprint::{Blueprint, BlueprintEntry},
    clock::Clock,
    move_tree::MoveTree,
    walk::{AbstractTables, DealSampling, DealtLanes, TableLayout, WalkBlock, WalkInputs},
};

/// CFR on a [`MoveTree`], with information sets grouped into buckets by the results of playouts.
///
/// An iteration plays some thousand deals. Finding the buckets of new deals and the values of all ends takes most of the time of playing
/// them, so one iteration in eight draws new ones, and the others play deals that were drawn before, each as likely. Iteration
/// `t` has the weight `t`, in regrets and averages. The result depends only on the game, the number of buckets, the
/// seed and the number of iterations, and not on threads.
///
/// # Sources
/// Weights: N. Brown, T. Sandholm: Solving Imperfect-Information Games via Discounted Regret Minimization, AAAI 2019.
/// Buckets forget earlier buckets and never moves: K. Waugh et al.: A Practical Use of Imperfect Recall, SARA 2009.
#[derive(Debug)]
pub struct AbstractSolver {
    tree: Arc<MoveTree>,
    abstraction: Abstraction,
    layout: TableLayout,
    sampling: DealSampling,
    seed: [u8; 32],
    tables: AbstractTables,
    iterations: u64,
    blocks: Vec<WalkBlock>,
    /// Deals that were drawn and are played again.
    pool: Vec<Arc<DealtLanes>>,
}

/// The first iterations, which all draw new deals.
const FRESH_FIRST: u64 = 8;

/// One iteration in so many draws new deals after that.
const FRESH_EVERY: u64 = 8;

/// Bytes of deals that are kept, at least eight iterations of them: in hold'em half a million deals; new ones then take the places of the oldest.
const POOL_BYTES: usize = 1 << 29;

/// Blocks of an iteration, which are played at once on all threads.
const BLOCKS: usize = 2;

impl AbstractSolver {
    /// Gathers hands into at most `buckets` buckets for each player and round, or one for each hand where there are few; no iteration is
    /// made yet.
    #[must_use]
    pub fn new(tree: Arc<MoveTree>, buckets: usize, sampling: DealSampling, seed: [u8; 32]) -> Self {
        Self::new_until(tree, buckets, sampling, seed, &mut || false).expect("it is never over")
    }

    /// The same, or `None` as soon as `is_over` returns true; it is called every few milliseconds.
    #[must_use]
    pub fn new_until(
        tree: Arc<MoveTree>,
        buckets: usize,
        sampling: DealSampling,
        seed: [u8; 32],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let abstraction = Abstraction::new(&tree, buckets, seed, is_over)?;
        let layout = TableLayout::new(&tree, &abstraction);
        let tables = AbstractTables::new(layout.len);
        let blocks = (0..BLOCKS).map(|_| WalkBlock::new(&tree, &layout)).collect();
        let pool = Vec::new();
        Some(Self { tree, abstraction, layout, sampling, seed, tables, iterations: 0, blocks, pool })
    }

    /// The tree of the players' moves.
    #[must_use]
    pub fn tree(&self) -> &MoveTree {
        &self.tree
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
        for _ in 0..iterations {
            self.iterate(&Clock::new(None));
        }
    }

    /// Runs one more iteration; if `is_over` returns true before its end, which any thread asks after some tens of microseconds, it
    /// is not made. Returns whether it was made.
    pub fn advance_until(&mut self, is_over: &mut (dyn FnMut() -> bool + Send)) -> bool {
        self.iterate(&Clock::new(Some(is_over)))
    }

    fn iterate(&mut self, clock: &Clock<'_>) -> bool {
        let Self { tree, abstraction, layout, sampling, seed, tables, blocks, pool, .. } = self;
        let iteration = self.iterations + 1;
        let is_fresh = iteration <= FRESH_FIRST || iteration.is_multiple_of(FRESH_EVERY);
        let inputs = WalkInputs { tree, abstraction, layout, tables };
        let play = |(number, block): (usize, &mut WalkBlock)| {
            let mut rng = ChaCha8Rng::from_seed(*seed);
            rng.set_stream(iteration * BLOCKS as u64 + number as u64);
            let dealt = match is_fresh {
                true => Arc::new(block.deal(tree, abstraction, &mut rng, clock)?),
                false => Arc::clone(&pool[draw_index(pool.len(), &mut rng)]),
            };
            block.play(inputs, &dealt, *sampling, &mut rng, clock);
            Some(dealt)
        };
        let dealt: Option<Vec<Arc<DealtLanes>>> = blocks.par_iter_mut().enumerate().map(play).collect();
        let Some(dealt) = dealt.filter(|_| !clock.is_over()) else {
            blocks.iter_mut().for_each(|block| block.changes.clear());
            return false;
        };
        merge(tables, blocks, iteration);
        if is_fresh {
            pool.extend(dealt);
            let mut bytes: usize = pool.iter().map(|dealt| dealt.bytes()).sum();
            while bytes > POOL_BYTES && pool.len() > 8 * BLOCKS {
                bytes -= pool.remove(0).bytes();
            }
        }
        self.iterations = iteration;
        true
    }

    /// The average strategy in an information set so far; `None` if the player has no choice, or no match can reach it.
    #[must_use]
    pub fn entry(&self, known: &InformationSet) -> Option<BlueprintEntry> {
        let (place, bucket) = self.abstraction.placed(&self.tree, known)?;
        let count = self.tree.sets[place as usize].moves.len();
        let start = self.layout.first[place as usize] + bucket as usize * count;
        Some(BlueprintEntry::weighted(&self.tree, place, &self.tables.averages[start..start + count]))
    }

    /// The average strategy.
    #[must_use]
    pub fn blueprint(&self) -> Blueprint {
        let deals = self.iterations * Self::deals_each();
        Blueprint::new(&self.tree, self.abstraction.clone(), &self.layout, &self.tables.averages, deals)
    }
}

/// Takes in what blocks have changed, in their order.
fn merge(tables: &mut AbstractTables, blocks: &mut [WalkBlock], iteration: u64) {
    let t = iteration as f32;
    let kept = (t - 1.0) / t;
    let take = |table: &mut [f32],
                part: fn(&mut AbstractTables) -> &mut Vec<f32>,
                blocks: &mut [WalkBlock],
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
