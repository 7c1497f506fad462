//! Deals in lanes, as they look in two abstractions: that of a fixed strategy, and the finer one of whoever responds to it.

use rand_chacha::ChaCha8Rng;

use super::{
    abstraction::{Abstraction, KnownBuckets, deal},
    clock::Clock,
    ends::Ends,
    machine::DealTape,
    move_tree::MoveTree,
    rollout::Roller,
};

/// The two abstractions; both have the rounds of the tree.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair<'p> {
    /// Of the strategy that is fixed.
    pub(super) fixed: &'p Abstraction,
    /// Of the player that responds.
    pub(super) fine: &'p Abstraction,
}

/// The bucket of a hand in each of two abstractions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PairedBucket {
    pub(super) fixed: u32,
    pub(super) fine: u32,
}

/// A deal in each lane.
#[derive(Debug)]
pub(super) struct PairedLanes {
    /// By round, the buckets of each lane.
    pub(super) buckets: Vec<Vec<PairedBucket>>,
    pub(super) ends: Ends,
}

/// What draws deals: one thread's working memory.
#[derive(Debug)]
pub(super) struct Dealer {
    machine: DealTape,
    roller: Roller,
    known: KnownBuckets<PairedBucket>,
}

impl Pair<'_> {
    /// The buckets of a hand. A hand has one feature, which takes nearly all of the time to compute.
    fn of(self, tree: &MoveTree, roller: &mut Roller, player: usize, hand: &[u32]) -> PairedBucket {
        let round = self.fixed.round(player, u32::try_from(hand.len()).expect("few turns"));
        let feature = roller.feature(tree, player, hand);
        let [fixed, fine] = [self.fixed, self.fine].map(|one| one.buckets[round].of(&feature));
        PairedBucket { fixed, fine }
    }
}

impl Dealer {
    pub(super) fn new(tree: &MoveTree) -> Self {
        let machine = DealTape::new(&tree.network, tree.random);
        Self { machine, roller: Roller::new(tree), known: KnownBuckets::default() }
    }

    /// Draws a deal for each lane; `None` if time was up before.
    pub(super) fn deal(
        &mut self,
        tree: &MoveTree,
        pair: Pair<'_>,
        rng: &mut ChaCha8Rng,
        clock: &Clock<'_>,
    ) -> Option<PairedLanes> {
        let deals = deal(tree, &mut self.machine, rng);
        let Self { known, roller, .. } = self;
        let find = |player: usize, hand: &[u32]| pair.of(tree, roller, player, hand);
        let buckets = known.of_lanes(tree, &pair.fixed.rounds, &deals, clock, find)?;
        let ends = Ends::new(tree, &mut self.machine, &deals, clock)?;
        Some(PairedLanes { buckets, ends })
    }
}
