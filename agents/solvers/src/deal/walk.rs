//! Iterations on deals: CFR with sampled chance, on lanes.
//!
//! A block plays hundreds of deals down the whole tree of moves at once. With chance sampling every move of every player is
//! examined in every deal; with external sampling the opponents' moves are sampled too, so each lane follows one of them.

use croupier_engine::draw::{unit_interval, weighted_place};
use rand_chacha::ChaCha8Rng;

use super::{
    abstraction::{Abstraction, KnownBuckets, deal},
    clock::Clock,
    ends::{Ends, LaneValues},
    machine::{DealTape, LANES},
    move_tree::MoveTree,
    rollout::Roller,
};

/// How deals are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DealSampling {
    /// Only chance is sampled.
    ///
    /// # Sources
    /// M. Zinkevich, M. Johanson, M. Bowling, C. Piccione: Regret Minimization in Games with Incomplete Information, NIPS 2007,
    /// section 4.
    Chance,
    /// One move of chance and of each opponent is sampled.
    ///
    /// # Sources
    /// M. Lanctot, K. Waugh, M. Zinkevich, M. Bowling: Monte Carlo Sampling for Regret Minimization in Extensive Games, NIPS 2009,
    /// section 3.3.
    External,
}

/// Numbers for each move of each bucket of each information set.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AbstractTables {
    pub(super) regrets: Vec<f32>,
    pub(super) averages: Vec<f32>,
}

/// The position of the entries of an information set.
#[derive(Debug)]
pub(super) struct TableLayout {
    /// By information set, the position of the moves of its first bucket.
    pub(super) first: Vec<usize>,
    /// By information set, its round in the abstraction.
    pub(super) rounds: Vec<usize>,
    pub(super) len: usize,
}

/// A deal in each lane.
#[derive(Debug)]
pub(super) struct DealtLanes {
    ends: Ends,
    /// By round, the bucket of each lane.
    buckets: Vec<Vec<u32>>,
}

/// One thread's working memory.
#[derive(Debug)]
pub(super) struct WalkBlock {
    machine: DealTape,
    roller: Roller,
    known: KnownBuckets,
    pub(super) changes: AbstractTables,
}

/// What stays as it is while blocks are at work.
#[derive(Clone, Copy)]
pub(super) struct WalkInputs<'g> {
    pub(super) tree: &'g MoveTree,
    pub(super) abstraction: &'g Abstraction,
    pub(super) layout: &'g TableLayout,
    pub(super) tables: &'g AbstractTables,
}

/// The results of a walk in one information set.
struct InformationSetValues<'v> {
    /// The value of each move for the player.
    moves: &'v [LaneValues],
    /// The value of the strategy for the player.
    worth: &'v LaneValues,
    /// How likely it plays each move, and comes there.
    strategy: &'v [LaneValues],
    reach: &'v LaneValues,
    /// How likely the others come there.
    others: &'v LaneValues,
}

impl TableLayout {
    pub(super) fn new(tree: &MoveTree, abstraction: &Abstraction) -> Self {
        let (mut first, mut rounds, mut len) = (Vec::new(), Vec::new(), 0);
        for set in &tree.sets {
            let round = abstraction.round(set.player, set.chances);
            first.push(len);
            rounds.push(round);
            len += abstraction.buckets[round].centroids.len() * set.moves.len();
        }
        Self { first, rounds, len }
    }
}

impl AbstractTables {
    pub(super) fn new(len: usize) -> Self {
        Self { regrets: vec![0.0; len], averages: vec![0.0; len] }
    }

    pub(super) fn clear(&mut self) {
        self.regrets.fill(0.0);
        self.averages.fill(0.0);
    }
}

impl DealtLanes {
    /// The memory that it takes, in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.ends.bytes() + self.buckets.len() * LANES * size_of::<u32>()
    }
}

impl WalkBlock {
    pub(super) fn new(tree: &MoveTree, layout: &TableLayout) -> Self {
        Self {
            machine: DealTape::new(&tree.network, tree.random),
            roller: Roller::new(tree),
            known: KnownBuckets::default(),
            changes: AbstractTables::new(layout.len),
        }
    }

    /// Draws a deal for each lane, and finds the buckets of its hands and the value of every end; `None` if time was up before.
    pub(super) fn deal(
        &mut self,
        tree: &MoveTree,
        abstraction: &Abstraction,
        rng: &mut ChaCha8Rng,
        clock: &Clock<'_>,
    ) -> Option<DealtLanes> {
        let deals = deal(tree, &mut self.machine, rng);
        let Self { known, roller, .. } = self;
        let find = |player: usize, hand: &[u32]| abstraction.bucket(tree, roller, player, hand);
        let buckets = known.of_lanes(tree, &abstraction.rounds, &deals, clock, find)?;
        let ends = Ends::new(tree, &mut self.machine, &deals, clock)?;
        Some(DealtLanes { ends, buckets })
    }

    /// Plays the deal of each lane, and adds what regrets and averages change by; what it adds means nothing if time is up before
    /// it returns.
    pub(super) fn play(
        &mut self,
        inputs: WalkInputs<'_>,
        dealt: &DealtLanes,
        sampling: DealSampling,
        rng: &mut ChaCha8Rng,
        clock: &Clock<'_>,
    ) {
        let tree = inputs.tree;
        let mut walk = DealWalk { inputs, dealt, changes: &mut self.changes, rng, clock, walker: 0 };
        match sampling {
            DealSampling::Chance => {
                let reach = vec![vec![1.0; LANES]; tree.players.len()];
                walk.all(0, &reach);
            }
            DealSampling::External => {
                let lanes: Vec<usize> = (0..LANES).collect();
                for walker in 0..tree.players.len() {
                    walk.walker = walker;
                    walk.sampled(0, &lanes);
                }
            }
        }
    }
}

/// One way down the tree of moves.
struct DealWalk<'w, 'c> {
    inputs: WalkInputs<'w>,
    dealt: &'w DealtLanes,
    changes: &'w mut AbstractTables,
    rng: &'w mut ChaCha8Rng,
    clock: &'w Clock<'c>,
    /// With external sampling, who takes in regrets.
    walker: usize,
}

impl DealWalk<'_, '_> {
    /// Whether the walk turns back at a node: at an end, or because time is up.
    fn turns_back(&self, place: usize) -> bool {
        self.clock.is_over() || self.inputs.tree.nodes[place].children.is_empty()
    }

    /// What a node at which the walk turns back is worth to a player: nothing if it is no end.
    fn worth(&self, place: usize, player: usize) -> LaneValues {
        match self.inputs.tree.nodes[place].children.is_empty() {
            true => self.dealt.ends.values(place, player).clone(),
            false => vec![0.0; LANES],
        }
    }

    /// The strategy of an information set: for each move a number for each lane.
    fn strategy(&self, set: usize) -> Vec<LaneValues> {
        let WalkInputs { tree, layout, tables, abstraction } = self.inputs;
        let (first, round, moves) = (layout.first[set], layout.rounds[set], tree.sets[set].moves.len());
        let count = abstraction.buckets[round].centroids.len();
        let mut by_bucket = vec![0.0_f32; count * moves];
        for bucket in 0..count {
            let range = bucket * moves..(bucket + 1) * moves;
            let regrets = &tables.regrets[first + range.start..first + range.end];
            follow(regrets, &mut by_bucket[range]);
        }
        let places = &self.dealt.buckets[round];
        let of_move = |place: usize| places.iter().map(|&b| by_bucket[b as usize * moves + place]).collect();
        (0..moves).map(of_move).collect()
    }

    /// Examines every move of every player: the value of the node for each, under their strategies.
    fn all(&mut self, place: usize, reach: &[LaneValues]) -> Vec<LaneValues> {
        let tree = self.inputs.tree;
        let node = &tree.nodes[place];
        if self.turns_back(place) {
            return (0..tree.players.len()).map(|player| self.worth(place, player)).collect();
        }
        if node.choosers.is_empty() {
            return self.all(node.children[0] as usize, reach);
        }
        let strategies: Vec<Vec<LaneValues>> =
            node.choosers.iter().map(|&(_, set)| self.strategy(set as usize)).collect();
        let mut worth = vec![vec![0.0; LANES]; tree.players.len()];
        // By player with a choice and its move, what the move is worth to it.
        let mut moves: Vec<Vec<LaneValues>> =
            strategies.iter().map(|strategy| vec![vec![0.0; LANES]; strategy.len()]).collect();
        for (child, &next) in node.children.iter().enumerate() {
            let digits = tree.digits(node, child);
            let mut after = reach.to_vec();
            for ((&(player, _), strategy), &digit) in node.choosers.iter().zip(&strategies).zip(&digits) {
                scale(&mut after[player], &strategy[digit]);
            }
            let below = self.all(next as usize, &after);
            for (own, &digit) in digits.iter().enumerate() {
                let mut weight = vec![1.0; LANES];
                let others = (0..digits.len()).filter(|&other| other != own);
                others.for_each(|other| scale(&mut weight, &strategies[other][digits[other]]));
                add(&mut moves[own][digit], &weight, &below[node.choosers[own].0]);
                if own == 0 {
                    scale(&mut weight, &strategies[0][digit]);
                    worth.iter_mut().zip(&below).for_each(|(worth, below)| add(worth, &weight, below));
                }
            }
        }
        for (own, &(player, set)) in node.choosers.iter().enumerate() {
            let mut others = vec![1.0; LANES];
            let rest = (0..reach.len()).filter(|&other| other != player);
            rest.for_each(|other| scale(&mut others, &reach[other]));
            let found = InformationSetValues {
                moves: &moves[own],
                worth: &worth[player],
                strategy: &strategies[own],
                reach: &reach[player],
                others: &others,
            };
            self.learn(set as usize, &found);
        }
        worth
    }

    /// Adds regrets, weighted by the others' reach, and averages, weighted by the own one.
    fn learn(&mut self, set: usize, found: &InformationSetValues<'_>) {
        let layout = self.inputs.layout;
        let (first, places) = (layout.first[set], &self.dealt.buckets[layout.rounds[set]]);
        let AbstractTables { regrets, averages } = &mut self.changes;
        for lane in 0..LANES {
            let start = first + places[lane] as usize * found.moves.len();
            for (place, (values, strategy)) in found.moves.iter().zip(found.strategy).enumerate() {
                regrets[start + place] += found.others[lane] * (values[lane] - found.worth[lane]);
                averages[start + place] += found.reach[lane] * strategy[lane];
            }
        }
    }

    /// Examines every move of the walker, and one of every other player in each lane: the value of the node for the
    /// walker in those lanes.
    fn sampled(&mut self, place: usize, lanes: &[usize]) -> LaneValues {
        let tree = self.inputs.tree;
        let node = &tree.nodes[place];
        if self.turns_back(place) {
            return self.worth(place, self.walker);
        }
        if node.choosers.is_empty() {
            return self.sampled(node.children[0] as usize, lanes);
        }
        let strategies: Vec<Vec<LaneValues>> =
            node.choosers.iter().map(|&(_, set)| self.strategy(set as usize)).collect();
        let own = node.choosers.iter().position(|&(player, _)| player == self.walker);
        let drawn: Vec<Vec<usize>> = (0..strategies.len())
            .map(
                |chooser| {
                    if Some(chooser) == own { Vec::new() } else { self.draw(&strategies[chooser], lanes) }
                },
            )
            .collect();
        let mut worth = vec![0.0; LANES];
        let mut moves = vec![vec![0.0; LANES]; own.map_or(0, |own| strategies[own].len())];
        for (child, &next) in node.children.iter().enumerate() {
            let digits = tree.digits(node, child);
            let is_drawn = |&(position, _): &(usize, &usize)| {
                let fits =
                    |chooser: usize| Some(chooser) == own || drawn[chooser][position] == digits[chooser];
                (0..digits.len()).all(fits)
            };
            let here: Vec<usize> = lanes.iter().enumerate().filter(is_drawn).map(|(_, &lane)| lane).collect();
            if here.is_empty() {
                continue;
            }
            let below = self.sampled(next as usize, &here);
            for &lane in &here {
                let weight = own.map_or(1.0, |own| strategies[own][digits[own]][lane]);
                worth[lane] += weight * below[lane];
                if let Some(own) = own {
                    moves[digits[own]][lane] = below[lane];
                }
            }
        }
        for (&(player, set), strategy) in node.choosers.iter().zip(&strategies) {
            if player == self.walker {
                self.learn_regrets(set as usize, &moves, &worth, lanes);
            } else if player == (self.walker + 1) % tree.players.len() {
                self.learn_averages(set as usize, strategy, lanes);
            }
        }
        worth
    }

    /// Adds the walker's regrets.
    fn learn_regrets(&mut self, set: usize, moves: &[LaneValues], worth: &LaneValues, lanes: &[usize]) {
        let layout = self.inputs.layout;
        let (first, places) = (layout.first[set], &self.dealt.buckets[layout.rounds[set]]);
        for &lane in lanes {
            let start = first + places[lane] as usize * moves.len();
            for (place, values) in moves.iter().enumerate() {
                self.changes.regrets[start + place] += values[lane] - worth[lane];
            }
        }
    }

    /// Adds what another player plays, weighted by how often walks come there.
    fn learn_averages(&mut self, set: usize, strategy: &[LaneValues], lanes: &[usize]) {
        let layout = self.inputs.layout;
        let (first, places) = (layout.first[set], &self.dealt.buckets[layout.rounds[set]]);
        for &lane in lanes {
            let start = first + places[lane] as usize * strategy.len();
            for (place, strategy) in strategy.iter().enumerate() {
                self.changes.averages[start + place] += strategy[lane];
            }
        }
    }

    /// A move for each of some lanes, each as likely as the strategy says.
    fn draw(&mut self, strategy: &[LaneValues], lanes: &[usize]) -> Vec<usize> {
        let draw = |&lane: &usize| {
            let point = unit_interval(self.rng) as f32;
            let weights = strategy.iter().map(|values| values[lane]);
            weighted_place(point, weights).expect("probabilities have the sum one")
        };
        lanes.iter().map(draw).collect()
    }
}

/// Moves in proportion to their regrets as far as those are positive; uniform where none is.
fn follow(regrets: &[f32], strategy: &mut [f32]) {
    let sum: f32 = regrets.iter().map(|regret| regret.max(0.0)).sum();
    if sum > 0.0 {
        strategy.iter_mut().zip(regrets).for_each(|(strategy, regret)| *strategy = regret.max(0.0) / sum);
    } else {
        strategy.fill(1.0 / regrets.len() as f32);
    }
}

pub(super) fn scale(values: &mut [f32], factors: &[f32]) {
    values.iter_mut().zip(factors).for_each(|(value, factor)| *value *= factor);
}

pub(super) fn add(sums: &mut [f32], weights: &[f32], values: &[f32]) {
    for ((sum, weight), value) in sums.iter_mut().zip(weights).zip(values) {
        *sum += weight * value;
    }
}
