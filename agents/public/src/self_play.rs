//! Matches of a search against itself, and what a value network learns from them.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, draw::unit_interval, game::Looker};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use crate::{
    NetworkLeaves, PublicBelief, PublicError, PublicEyes, PublicNode, PublicSearch, PublicSpace, PublicTree,
    TreeDepth, ValueNetwork,
};

/// How a search looks ahead.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LookAhead {
    /// How far, and how large a tree may be.
    pub depth: TreeDepth,
    /// Iterations of each search.
    pub iterations: u32,
    /// In matches with itself, the share of uniform play in the moves of one player of each search.
    pub exploration: f64,
}

/// What a search has found out about a public belief state.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The public belief state: [`PublicSpace::inputs`] numbers.
    pub row: Vec<f32>,
    /// The values that the search gives: [`PublicSpace::outputs`] numbers.
    pub values: Vec<f32>,
    /// 1 where there is a value.
    pub mask: Vec<f32>,
}

/// The strategy of a player in an information set, as searches found it.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundStrategy {
    /// All that it did and was told.
    pub known: InformationSet,
    /// Its legal moves in canonical order.
    pub legal: Vec<MoveId>,
    /// How likely each of them is.
    pub probabilities: Vec<f64>,
}

/// Plays matches of a search with itself, each search deciding for all players at once.
///
/// # Sources
/// N. Brown et al. (2020), algorithm 1.
#[derive(Debug)]
pub struct SelfPlay {
    game: Arc<Game>,
    eyes: PublicEyes,
    looker: Looker,
    space: Arc<PublicSpace>,
    ahead: LookAhead,
    rng: ChaCha8Rng,
}

impl SelfPlay {
    /// Nothing is played yet; all draws follow from the seed.
    ///
    /// # Errors
    /// As [`PublicEyes::new`].
    pub fn new(
        game: Arc<Game>,
        space: Arc<PublicSpace>,
        ahead: LookAhead,
        seed: [u8; 32],
    ) -> Result<Self, PublicError> {
        let (eyes, looker) = (PublicEyes::new(Arc::clone(&game))?, Looker::new(&game));
        Ok(Self { game, eyes, looker, space, ahead, rng: ChaCha8Rng::from_seed(seed) })
    }

    /// How far its draws have come.
    #[must_use]
    pub fn position(&self) -> u128 {
        self.rng.get_word_pos()
    }

    /// Goes on with the draws from a position.
    pub fn go_to(&mut self, position: u128) {
        self.rng.set_word_pos(position);
    }

    /// Plays one match, and gives what each of its searches found out.
    ///
    /// # Errors
    /// Those of the network, and [`PublicError::TooMany`].
    pub fn play(&mut self, network: &mut dyn ValueNetwork) -> Result<Vec<Example>, PublicError> {
        let (mut examples, space) = (Vec::new(), Arc::clone(&self.space));
        let mut next = Some(PublicBelief::initial(&self.game, &mut self.looker)?);
        while let Some(belief) = next {
            let ranges = belief.ranges().to_vec();
            let tree = self.tree(belief.node().clone())?;
            let mut search = PublicSearch::new(&tree, &ranges);
            let drawn = (unit_interval(&mut self.rng) * f64::from(self.ahead.iterations)) as u32;
            let mut leaves = NetworkLeaves::new(&space, network, &tree, &mut self.eyes)?;
            search.advance(drawn, &mut leaves)?;
            next = self.following(&tree, &search)?;
            search.advance(self.ahead.iterations - drawn, &mut leaves)?;
            examples.push(self.example(&belief, &search)?);
        }
        Ok(examples)
    }

    fn tree(&mut self, root: PublicNode) -> Result<PublicTree, PublicError> {
        PublicTree::new(root, self.ahead.depth, &mut self.eyes, &mut self.looker)
    }

    /// One of the leaves, drawn by the current strategies; `None` where the match ends.
    fn following(
        &mut self,
        tree: &PublicTree,
        search: &PublicSearch<'_>,
    ) -> Result<Option<PublicBelief>, PublicError> {
        let explorer = (unit_interval(&mut self.rng) * tree.players_count() as f64) as usize;
        let (leaves, over) = search.leaf_probabilities(explorer, self.ahead.exploration);
        let total: f64 = leaves.iter().map(|(_, probability)| probability).sum::<f64>() + over;
        let mut rest = unit_interval(&mut self.rng) * total;
        for (leaf, probability) in leaves {
            if rest < probability {
                let belief = PublicBelief::of(tree.node(leaf).clone(), search.ranges(leaf));
                return Ok(Some(belief));
            }
            rest -= probability;
        }
        Ok(None)
    }

    fn example(&mut self, belief: &PublicBelief, search: &PublicSearch<'_>) -> Result<Example, PublicError> {
        let row = self.space.row(belief.node(), belief.ranges(), &mut self.eyes)?;
        let places = self.space.places(belief.node(), &mut self.eyes)?;
        let outputs = self.space.outputs();
        let (mut values, mut mask) = (vec![0.0; outputs], vec![0.0; outputs]);
        for (&place, value) in places.iter().flatten().zip(search.root_values().concat()) {
            if let Some(value) = value {
                values[place] = self.space.scaled(value) as f32;
                mask[place] = 1.0;
            }
        }
        Ok(Example { row, values, mask })
    }

    /// What the search does in every information set of the game, if it is played by it from the beginning: it decides for all turns that it
    /// looks ahead, and is made anew at each of its leaves, with the ranges that its strategies lead to.
    ///
    /// With `runs` of zero its average strategies are played. They need not fit together: each is best against the ranges that it was
    /// made for. Otherwise that many times each search plays the strategies of one iteration, drawn in proportion to its number, and the
    /// mean of these is what somebody who draws anew in each match plays.
    ///
    /// # Sources
    /// N. Brown et al. (2020), section 6.
    ///
    /// # Errors
    /// As [`play`](Self::play).
    pub fn strategies(
        &mut self,
        network: &mut dyn ValueNetwork,
        runs: u32,
    ) -> Result<Vec<FoundStrategy>, PublicError> {
        let mut means = StrategyMeans::default();
        for _ in 0..runs.max(1) {
            let first = PublicBelief::initial(&self.game, &mut self.looker)?;
            let scale = vec![1.0; first.node().players().len()];
            let mut waiting = vec![(first, scale)];
            while let Some((belief, scale)) = waiting.pop() {
                self.decide(network, runs > 0, ScaledBelief { belief, scale }, &mut |found| match found {
                    Decided::Choices(node, ranges, chosen) => means.add(node, &ranges, &chosen),
                    Decided::Leaf(belief, scale) => waiting.push((belief, scale)),
                })?;
            }
        }
        Ok(means.finish())
    }

    /// One search, and all that it decides.
    fn decide(
        &mut self,
        network: &mut dyn ValueNetwork,
        is_drawn: bool,
        root: ScaledBelief,
        decided: &mut dyn FnMut(Decided<'_>),
    ) -> Result<(), PublicError> {
        let space = Arc::clone(&self.space);
        let tree = self.tree(root.belief.node().clone())?;
        let mut search = PublicSearch::new(&tree, root.belief.ranges());
        let all = self.ahead.iterations;
        let share = if is_drawn { unit_interval(&mut self.rng).sqrt() } else { 1.0 };
        let iterations = ((f64::from(all) * share).ceil() as u32).clamp(1, all);
        let mut leaves = NetworkLeaves::new(&space, network, &tree, &mut self.eyes)?;
        search.advance(iterations, &mut leaves)?;
        let chosen = |at: usize| if is_drawn { search.current(at) } else { search.strategy(at) };
        // By node, the probability of each player's own moves since the match began.
        let mut reach: Vec<Vec<Vec<f64>>> = vec![root.reach()];
        for at in 0..tree.nodes_count() {
            let node = tree.node(at);
            if at > 0 {
                let parent = tree.parent(at);
                reach.push(node.ranges_after(&reach[parent], &chosen(parent)));
            }
            if tree.is_leaf(at) {
                let most = |range: &Vec<f64>| range.iter().copied().fold(0.0, f64::max);
                let scale = reach[at].iter().map(most).collect();
                decided(Decided::Leaf(PublicBelief::of(node.clone(), reach[at].clone()), scale));
            } else if node.has_choice() {
                decided(Decided::Choices(node, reach[at].clone(), chosen(at)));
            }
        }
        Ok(())
    }
}

/// A public belief, with the greatest probability of each player's own moves, which its ranges leave out.
struct ScaledBelief {
    belief: PublicBelief,
    scale: Vec<f64>,
}

impl ScaledBelief {
    fn reach(&self) -> Vec<Vec<f64>> {
        let of_player = |(range, scale): (&Vec<f64>, &f64)| range.iter().map(|reach| reach * scale).collect();
        self.belief.ranges().iter().zip(&self.scale).map(of_player).collect()
    }
}

/// What a search has decided.
enum Decided<'n> {
    /// Of a public state with choices: by player and private state, its reach; and the probability of each move.
    Choices(&'n PublicNode, Vec<Vec<f64>>, Vec<Vec<Vec<f64>>>),
    /// Where another search goes on, with the scale of its ranges.
    Leaf(PublicBelief, Vec<f64>),
}

/// Means of strategies, weighted by how likely they are to come there.
#[derive(Default)]
struct StrategyMeans(FxHashMap<InformationSet, StrategySum>);

/// The legal moves of an information set, and the sums of their weighted probabilities.
struct StrategySum {
    legal: Vec<MoveId>,
    sums: Vec<f64>,
}

impl StrategyMeans {
    /// Where nobody comes there is a strategy all the same.
    const LEAST: f64 = 1e-12;

    fn add(&mut self, node: &PublicNode, reach: &[Vec<f64>], chosen: &[Vec<Vec<f64>>]) {
        for (player, (reach, chosen)) in reach.iter().zip(chosen).enumerate() {
            for ((state, &reach), chosen) in node.private(player).iter().zip(reach).zip(chosen) {
                if !state.has_choice() {
                    continue;
                }
                let nothing =
                    || StrategySum { legal: state.legal.clone(), sums: vec![0.0; state.legal.len()] };
                let StrategySum { sums, .. } = self.0.entry(state.known.clone()).or_insert_with(nothing);
                let weight = reach.max(Self::LEAST);
                sums.iter_mut().zip(chosen).for_each(|(sum, probability)| *sum += weight * probability);
            }
        }
    }

    fn finish(self) -> Vec<FoundStrategy> {
        let mean = |(known, StrategySum { legal, sums })| {
            let total: f64 = sums.iter().sum();
            FoundStrategy { known, legal, probabilities: sums.into_iter().map(|sum| sum / total).collect() }
        };
        let mut found: Vec<FoundStrategy> = self.0.into_iter().map(mean).collect();
        found.sort_unstable_by(|one, other| one.known.cmp(&other.known));
        found
    }
}
