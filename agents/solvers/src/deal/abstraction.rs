//! Which hands are played alike.

use croupier_engine::InformationSet;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    buckets::Buckets,
    clock::Clock,
    machine::{DealTape, Deals, LANES},
    move_tree::{CommonPercepts, MoveTree},
    rollout::{DealtHand, Roller},
};

/// Information sets grouped into buckets by the results of playouts; what was seen of moves is never abstracted.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Abstraction {
    /// Players and chance turns with choices, ascending.
    pub(super) rounds: Vec<(usize, u32)>,
    /// One for each round.
    pub(super) buckets: Vec<Buckets>,
}

/// Where an information set is in the abstraction.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct AbstractSet {
    pub(super) set: u32,
    pub(super) hand: DealtHand,
}

/// Hands examined for each bucket.
const HANDS_EACH: usize = 40;

/// Hands examined between two looks at the clock: some milliseconds.
const HANDS_BETWEEN: usize = 64;

/// Where each hand is met so often among those examined, none is grouped with another: there are few.
const MET_EACH: usize = 8;

/// Minimum number of hands examined.
const HANDS_MIN: usize = 2_000;

impl Abstraction {
    /// At most `count` buckets for each player and number of chance turns, or one for each hand where there are few; `None` as soon as `is_over` returns true.
    pub(super) fn new(
        tree: &MoveTree,
        count: usize,
        seed: [u8; 32],
        is_over: &mut dyn FnMut() -> bool,
    ) -> Option<Self> {
        let rounds = tree.rounds();
        let mut rng = ChaCha8Rng::from_seed(seed);
        let mut machine = DealTape::new(&tree.network, tree.random);
        let wanted = (count * HANDS_EACH).max(HANDS_MIN);
        let mut hands: Vec<Vec<DealtHand>> = vec![Vec::new(); rounds.len()];
        while hands[0].len() < wanted {
            if is_over() {
                return None;
            }
            let deals = deal(tree, &mut machine, &mut rng);
            for (&(player, chances), hands) in rounds.iter().zip(&mut hands) {
                let form = |lane| tree.likeness.form(player, &hand(tree, &deals, player, chances, lane));
                hands.extend((0..super::LANES).map(form));
            }
        }
        let mut buckets = Vec::with_capacity(rounds.len());
        for (&(player, _), mut hands) in rounds.iter().zip(hands) {
            let examined = hands.len();
            hands.sort_unstable();
            hands.dedup();
            let is_few = hands.len() * MET_EACH <= examined;
            let feature = |roller: &mut Roller, hand: &DealtHand| roller.feature(tree, player, hand);
            let mut features: Vec<Vec<f32>> = Vec::with_capacity(hands.len());
            for some in hands.chunks(HANDS_BETWEEN) {
                if is_over() {
                    return None;
                }
                features.par_extend(some.par_iter().map_init(|| Roller::new(tree), feature));
            }
            buckets.push(Buckets::new(&features, if is_few { features.len() } else { count }, seed));
        }
        Some(Self { rounds, buckets })
    }

    /// The place of a round among all.
    pub(super) fn round(&self, player: usize, chances: u32) -> usize {
        self.rounds.binary_search(&(player, chances)).expect("a round of the tree")
    }

    /// The information set but for the deal, and the bucket in it; `None` if nobody has a choice there, or no match can reach it.
    pub(super) fn placed(&self, tree: &MoveTree, known: &InformationSet) -> Option<(u32, u32)> {
        let AbstractSet { set, hand } = place(tree, known)?;
        let player = tree.sets[set as usize].player;
        Some((set, self.bucket(tree, &mut Roller::new(tree), player, &hand)))
    }

    /// The bucket of a hand.
    pub(super) fn bucket(&self, tree: &MoveTree, roller: &mut Roller, player: usize, hand: &[u32]) -> u32 {
        let round = self.round(player, u32::try_from(hand.len()).expect("few turns"));
        self.buckets[round].of(&roller.feature(tree, player, hand))
    }
}

/// Draws a deal for each lane, down the quiet line.
pub(super) fn deal(tree: &MoveTree, machine: &mut DealTape, rng: &mut ChaCha8Rng) -> Deals {
    deal_by(tree, machine, |machine, _| machine.deal(rng))
}

/// Deals the draws of each chance turn, by lane, along the quiet line.
pub(super) fn deal_by(
    tree: &MoveTree,
    machine: &mut DealTape,
    mut draw: impl FnMut(&DealTape, usize) -> Vec<u32>,
) -> Deals {
    let (mut states, mut place, mut deals) = (machine.initial(), 0, Deals::default());
    for &child in &tree.quiet {
        let node = &tree.nodes[place];
        machine.enter(&states);
        if let Some(turn) = node.chance {
            deals.push(draw(machine, turn as usize));
        }
        states = tree.after(machine, &deals, node, child);
        place = node.children[child] as usize;
    }
    deals
}

/// What a player was dealt in a lane in the first chance turns.
pub(super) fn hand(tree: &MoveTree, deals: &Deals, player: usize, chances: u32, lane: usize) -> DealtHand {
    let told = |turn: usize| tree.hints[turn][player].of[&deals.numbers[turn][lane]];
    (0..chances as usize).map(told).collect()
}

/// The position of an information set; `None` if nobody has a choice there, or no match can reach it.
pub(super) fn place(tree: &MoveTree, known: &InformationSet) -> Option<AbstractSet> {
    let player = tree.players.iter().position(|&role| role == known.role)?;
    let (mut at, mut hand) = (0, DealtHand::new());
    for (own, percepts) in &known.turns {
        let number = u32::try_from(tree.network.move_number(known.role, *own)?).ok()?;
        let told = tree.network.percept_numbers(known.role, percepts)?;
        let steps = &tree.steps[player];
        if let Some(&next) = steps.get(&(at, number, CommonPercepts::Percepts(told.clone()))) {
            at = next;
            continue;
        }
        at = *steps.get(&(at, number, CommonPercepts::Dealt))?;
        let hints = tree.hints.get(hand.len())?;
        hand.push(u32::try_from(hints[player].told.iter().position(|known| *known == told)?).ok()?);
    }
    let set = *tree.known_sets[player].get(&at)?;
    Some(AbstractSet { set, hand })
}

/// Buckets of frequent hands, computed once: by player and hand.
#[derive(Debug)]
pub(super) struct KnownBuckets<B = u32> {
    buckets: FxHashMap<(usize, DealtHand), B>,
}

/// Hands that are kept.
const KNOWN_MAX: usize = 100_000;

impl<B> Default for KnownBuckets<B> {
    fn default() -> Self {
        Self { buckets: FxHashMap::default() }
    }
}

impl<B: Copy> KnownBuckets<B> {
    /// The bucket of a hand, which `find` computes.
    pub(super) fn bucket(&mut self, player: usize, hand: DealtHand, find: impl FnOnce(&[u32]) -> B) -> B {
        let key = (player, hand);
        if let Some(&bucket) = self.buckets.get(&key) {
            return bucket;
        }
        let bucket = find(&key.1);
        // Early hands come first, and they are the ones that come again.
        if self.buckets.len() < KNOWN_MAX {
            self.buckets.insert(key, bucket);
        }
        bucket
    }

    /// By round, the buckets of each lane, which `find` computes for a player and a hand; `None` if time was up before.
    pub(super) fn of_lanes(
        &mut self,
        tree: &MoveTree,
        rounds: &[(usize, u32)],
        deals: &Deals,
        clock: &Clock<'_>,
        mut find: impl FnMut(usize, &[u32]) -> B,
    ) -> Option<Vec<Vec<B>>> {
        let mut of_round = |&(player, chances): &(usize, u32)| {
            let bucket = |lane| {
                let is_over = clock.is_over();
                let hand = || tree.likeness.form(player, &hand(tree, deals, player, chances, lane));
                (!is_over).then(|| self.bucket(player, hand(), |hand| find(player, hand)))
            };
            (0..LANES).map(bucket).collect()
        };
        rounds.iter().map(&mut of_round).collect()
    }
}
