//! The loss of a strategy against an opponent who knows it and looks one decision ahead.

use croupier_engine::draw::{unit_interval, weighted_place};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rayon::prelude::*;
use rustc_hash::FxHashMap;

use super::{
    abstraction::{KnownBuckets, deal, hand},
    blueprint::Blueprint,
    consistent::{Consistent, DEALS},
    ends::LaneValues,
    machine::{DealTape, Deals, LANES, States},
    move_tree::{MoveNode, MoveSet, MoveTree},
    passive::passive_children,
    rollout::Roller,
    walk::scale,
};

/// A player that knows the strategy of all others, and plays a best response one decision at a time.
///
/// It tracks the probability of every deal that it cannot distinguish from its own, given the strategy's moves. Of its moves it
/// chooses the one with the highest value if the others follow their strategy until the next turn of chance, and from then on
/// nobody bets more than it takes to reach the end. Its winnings are a lower bound for those of a best response.
///
/// Its winnings are counted over all deals that it could not distinguish, weighted by their probability given the moves, instead of
/// only in the actual deal: the same mean with a fraction of the variance.
///
/// # Sources
/// V. Lisý, M. Bowling: Equilibrium Approximation Quality of Current No-Limit Poker Bots, AAAI Workshop on Computer Poker 2017.
/// Counting over all deals: M. Bowling, M. Johanson, N. Burch, D. Szafron: Strategy Evaluation in Extensive Games with Importance
/// Sampling, ICML 2008, section 4.
#[derive(Debug)]
pub struct LocalBestResponse<'b> {
    tree: &'b MoveTree,
    blueprint: &'b Blueprint,
    /// By node, the child that leads to a comparison of hands with the least at stake.
    passive: Vec<usize>,
}

/// The result of one seat in one match.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LocalResult {
    /// The winnings, in goal values.
    pub goal: f64,
    /// Choices that the others made by the strategy.
    pub met: u64,
    /// Those for which the strategy was computed; in the rest each move was equally likely.
    pub known: u64,
}

impl<'b> LocalBestResponse<'b> {
    /// A local best responder to this strategy of all others.
    #[must_use]
    pub fn new(tree: &'b MoveTree, blueprint: &'b Blueprint) -> Self {
        Self { tree, blueprint, passive: passive_children(tree) }
    }

    /// Its results in one seat in each of several matches; the deal of a match is the same in every seat. The
    /// result depends only on the seed and the number of the match; it uses the threads of the calling rayon pool.
    #[must_use]
    pub fn play(&self, seat: usize, matches: std::ops::Range<u64>, seed: [u8; 32]) -> Vec<LocalResult> {
        self.each(matches, seed, |table, rng| table.play(seat, rng))
    }

    /// The strength of one seat's hands in several matches: before each round of choices, the mean value, in goal values, of a match in
    /// which nobody bets more than necessary. The winnings correlate with it as far as they are luck.
    #[must_use]
    pub fn strengths(&self, seat: usize, matches: std::ops::Range<u64>, seed: [u8; 32]) -> Vec<Vec<f64>> {
        self.each(matches, seed, |table, rng| table.strengths(seat, rng))
    }

    fn each<T: Send>(
        &self,
        matches: std::ops::Range<u64>,
        seed: [u8; 32],
        what: impl Fn(&mut MatchRunner<'_>, &mut ChaCha8Rng) -> T + Sync,
    ) -> Vec<T> {
        let one = |table: &mut MatchRunner<'_>, number: u64| {
            let mut rng = ChaCha8Rng::from_seed(seed);
            rng.set_stream(number);
            what(table, &mut rng)
        };
        matches.into_par_iter().map_init(|| MatchRunner::new(self), one).collect()
    }
}

/// Where one match after another is played.
struct MatchRunner<'l> {
    response: &'l LocalBestResponse<'l>,
    machine: DealTape,
    roller: Roller,
    known: KnownBuckets,
}

/// Deals that the player cannot distinguish from its own.
struct ConsistentDeals {
    seat: usize,
    consistent: Consistent,
    /// By player and chance turns, the bucket of each lane with a deal.
    buckets: FxHashMap<(usize, u32), Vec<u32>>,
}

impl ConsistentDeals {
    fn new(seat: usize, consistent: Consistent) -> Self {
        Self { seat, consistent, buckets: FxHashMap::default() }
    }
}

impl<'l> MatchRunner<'l> {
    fn new(response: &'l LocalBestResponse<'l>) -> Self {
        let tree = response.tree;
        Self {
            response,
            machine: DealTape::new(&tree.network, tree.random),
            roller: Roller::new(tree),
            known: KnownBuckets::default(),
        }
    }

    /// The player's winnings in a match.
    fn play(&mut self, seat: usize, rng: &mut ChaCha8Rng) -> LocalResult {
        let tree = self.response.tree;
        let deals = deal(tree, &mut self.machine, rng);
        let mut result = LocalResult::default();
        let path = self.path(seat, &deals, rng, &mut result);
        let truth: Vec<u32> = deals.numbers.iter().map(|turn| turn[0]).collect();
        let told = hand(tree, &deals, seat, tree.chances_count() as u32, 0);
        let machine = &mut self.machine;
        let mut view =
            ConsistentDeals::new(seat, Consistent::new(tree, machine, seat, &told, Some(&truth), rng));
        let (states, weights) = self.follow(&path, &mut view);
        let sum = weights.iter().map(|&weight| f64::from(weight)).sum::<f64>();
        result.goal = self.worth(&states, &weights, seat) / sum;
        result
    }

    /// How strong the player's hand is in a match, round by round.
    fn strengths(&mut self, seat: usize, rng: &mut ChaCha8Rng) -> Vec<f64> {
        let LocalBestResponse { tree, blueprint, .. } = *self.response;
        let deals = deal(tree, &mut self.machine, rng);
        let rounds = blueprint.abstraction.rounds.iter().filter(|(player, _)| *player == seat);
        let strength = |&(_, chances): &(usize, u32)| {
            let told = hand(tree, &deals, seat, chances, 0);
            let feature = self.roller.feature(tree, seat, &told);
            feature.iter().map(|&value| f64::from(value)).sum::<f64>() / feature.len() as f64
        };
        rounds.map(strength).collect()
    }

    /// The moves of a match with the deal of the first lane: the child at each node.
    fn path(
        &mut self,
        seat: usize,
        deals: &Deals,
        rng: &mut ChaCha8Rng,
        result: &mut LocalResult,
    ) -> Vec<usize> {
        let LocalBestResponse { tree, blueprint, .. } = *self.response;
        let (mut path, mut place) = (Vec::new(), 0);
        let mut seen: Option<(u32, ConsistentDeals)> = None;
        while !tree.nodes[place].children.is_empty() {
            let node = &tree.nodes[place];
            let mut child = 0;
            for &(player, set) in &node.choosers {
                let chances = tree.sets[set as usize].chances;
                let told = hand(tree, deals, player, chances, 0);
                let digit = if player == seat {
                    let view = match seen.take() {
                        Some((before, view)) if before == chances => view,
                        _ => ConsistentDeals::new(
                            seat,
                            Consistent::new(tree, &mut self.machine, seat, &told, None, rng),
                        ),
                    };
                    let (_, view) = seen.insert((chances, view));
                    self.best(&path, place, view)
                } else {
                    let Self { known, roller, .. } = self;
                    let find = |hand: &[u32]| blueprint.abstraction.bucket(tree, roller, player, hand);
                    let bucket = known.bucket(player, told, find);
                    result.met += 1;
                    result.known += u64::from(blueprint.is_computed(tree, set, bucket));
                    let probabilities = blueprint.probabilities(tree, set, bucket);
                    let point = unit_interval(rng);
                    weighted_place(point, probabilities.into_iter()).expect("probabilities have the sum one")
                };
                child = child * tree.sets[set as usize].moves.len() + digit;
            }
            path.push(child);
            place = node.children[child] as usize;
        }
        path
    }

    /// The index of the move with the highest value for the player, the first of equals.
    fn best(&mut self, path: &[usize], place: usize, view: &mut ConsistentDeals) -> usize {
        let tree = self.response.tree;
        let node = &tree.nodes[place];
        let (states, weights) = self.follow(path, view);
        let own = node.choosers.iter().position(|&(player, _)| player == view.seat).expect("it has a choice");
        let set = &tree.sets[node.choosers[own].1 as usize];
        let mut worth = vec![0.0; set.moves.len()];
        for child in 0..node.children.len() {
            let digits = tree.digits(node, child);
            let weights = self.weighted(node, &digits, &weights, view);
            let next = self.step(node, child, &states, view);
            worth[digits[own]] +=
                self.ahead(node.children[child] as usize, &next, &weights, set.chances, view);
        }
        let better = |best: usize, place: usize| if worth[place] > worth[best] { place } else { best };
        (0..worth.len()).fold(0, better)
    }

    /// The value of a turn for the player, summed over lanes by their weights: the others follow their strategy until the
    /// next turn of chance, and everything after that is passive.
    fn ahead(
        &mut self,
        place: usize,
        states: &States,
        weights: &LaneValues,
        chances: u32,
        view: &mut ConsistentDeals,
    ) -> f64 {
        let tree = self.response.tree;
        let node = &tree.nodes[place];
        if node.children.is_empty() {
            return self.worth(states, weights, view.seat);
        }
        let passive = self.response.passive[place];
        let is_same_round = |&(_, set): &(usize, u32)| tree.sets[set as usize].chances == chances;
        if !node.choosers.iter().any(is_same_round) {
            let next = self.step(node, passive, states, view);
            return self.ahead(node.children[passive] as usize, &next, weights, chances, view);
        }
        let kept = tree.digits(node, passive);
        let mut worth = 0.0;
        for child in 0..node.children.len() {
            let digits = tree.digits(node, child);
            let is_own = |place: usize| node.choosers[place].0 == view.seat;
            if (0..digits.len()).any(|place| is_own(place) && digits[place] != kept[place]) {
                continue;
            }
            let weights = self.weighted(node, &digits, weights, view);
            if weights.iter().any(|&weight| weight > 0.0) {
                let next = self.step(node, child, states, view);
                worth += self.ahead(node.children[child] as usize, &next, &weights, chances, view);
            }
        }
        worth
    }

    /// The states after a path, and how likely each lane is after it.
    fn follow(&mut self, path: &[usize], view: &mut ConsistentDeals) -> (States, LaneValues) {
        let tree = self.response.tree;
        let (mut states, mut place) = (self.machine.initial(), 0);
        let mut weights = view.consistent.weights.clone();
        for &child in path {
            let node = &tree.nodes[place];
            weights = self.weighted(node, &tree.digits(node, child), &weights, view);
            states = self.step(node, child, &states, view);
            place = node.children[child] as usize;
        }
        (states, weights)
    }

    fn step(&mut self, node: &MoveNode, child: usize, states: &States, view: &ConsistentDeals) -> States {
        self.machine.enter(states);
        self.response.tree.after(&mut self.machine, &view.consistent.deals, node, child)
    }

    /// Weights times how likely the others make their moves.
    fn weighted(
        &mut self,
        node: &MoveNode,
        digits: &[usize],
        weights: &LaneValues,
        view: &mut ConsistentDeals,
    ) -> LaneValues {
        let mut weights = weights.clone();
        for (&(player, set), &digit) in node.choosers.iter().zip(digits) {
            if player != view.seat {
                scale(&mut weights, &self.strategy(player, set, view)[digit]);
            }
        }
        weights
    }

    /// The strategy of another player: for each move a number for each lane.
    fn strategy(&mut self, player: usize, set: u32, view: &mut ConsistentDeals) -> Vec<LaneValues> {
        let LocalBestResponse { tree, blueprint, .. } = *self.response;
        let MoveSet { chances, moves, .. } = &tree.sets[set as usize];
        let Self { known, roller, .. } = self;
        let deals = &view.consistent.deals;
        let buckets = view.buckets.entry((player, *chances)).or_insert_with(|| {
            let hands = (0..DEALS).map(|lane| hand(tree, deals, player, *chances, lane));
            let mut find = |hand: &[u32]| blueprint.abstraction.bucket(tree, roller, player, hand);
            hands.map(|hand| known.bucket(player, hand, &mut find)).collect()
        });
        // Lanes without a deal have no weight, whatever is played there.
        let mut strategy = vec![vec![0.0; LANES]; moves.len()];
        for (lane, &bucket) in buckets.iter().enumerate() {
            let probabilities = blueprint.probabilities(tree, set, bucket);
            strategy.iter_mut().zip(probabilities).for_each(|(values, one)| values[lane] = one as f32);
        }
        strategy
    }

    /// The value of an end for a player, summed over lanes by their weights.
    fn worth(&mut self, states: &States, weights: &LaneValues, player: usize) -> f64 {
        self.machine.enter(states);
        self.machine.count();
        let mut values = vec![0.0; LANES];
        self.machine.goals(self.response.tree.players[player], &mut values);
        let weighted = weights.iter().zip(&values).filter(|(weight, _)| **weight > 0.0);
        weighted.map(|(&weight, &value)| f64::from(weight) * f64::from(value)).sum()
    }
}
