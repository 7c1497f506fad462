//! Matches of a search against itself, and what a value network learns from them.

use std::sync::Arc;

use croupier_engine::{
    Game, InformationSet, MoveId, Percepts,
    draw::{draw_index, unit_interval},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use rustc_hash::FxHashMap;

use crate::{
    LookAhead, PublicBelief, PublicError, PublicNode, PublicSearch, PublicSpace, ValueNetwork,
    leaves::advance_all, searching::Searching,
};

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
    searching: Searching,
    rng: ChaCha8Rng,
}

impl SelfPlay {
    /// Searches that decide at once, where many are asked for.
    const AT_ONCE: usize = 64;

    /// Nothing is played yet; all draws follow from the seed.
    ///
    /// # Errors
    /// As [`PublicEyes::new`](crate::PublicEyes::new).
    pub fn new(
        game: Arc<Game>,
        space: Arc<PublicSpace>,
        ahead: LookAhead,
        seed: [u8; 32],
    ) -> Result<Self, PublicError> {
        let searching = Searching::new(game, space, ahead)?;
        Ok(Self { searching, rng: ChaCha8Rng::from_seed(seed) })
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

    /// Plays so many matches side by side, and gives what each of their searches found out.
    ///
    /// # Errors
    /// Those of the network, and [`PublicError::TooMany`].
    pub fn play(
        &mut self,
        network: &mut dyn ValueNetwork,
        matches: usize,
    ) -> Result<Vec<Example>, PublicError> {
        let (mut examples, space) = (Vec::new(), Arc::clone(self.searching.space()));
        let mut going = vec![self.searching.first()?; matches];
        while !going.is_empty() {
            let mut searches = Vec::new();
            for belief in &going {
                searches.push(self.searching.search(belief)?);
            }
            let ahead = self.searching.ahead;
            let drawn: Vec<u32> =
                going.iter().map(|_| ahead.iteration_at(unit_interval(&mut self.rng))).collect();
            advance_all(&mut searches, &drawn, &space, network)?;
            let mut following = Vec::new();
            for searched in &searches {
                following.extend(self.following(&searched.search));
            }
            let all = vec![self.searching.ahead.iterations; searches.len()];
            advance_all(&mut searches, &all, &space, network)?;
            for (belief, searched) in going.iter().zip(&searches) {
                examples.push(self.example(belief, &searched.search)?);
            }
            going = following;
        }
        Ok(examples)
    }

    /// One of the leaves, drawn by the current strategies; `None` where the match ends.
    fn following(&mut self, search: &PublicSearch) -> Option<PublicBelief> {
        let tree = search.tree();
        let explorer = (unit_interval(&mut self.rng) * tree.players_count() as f64) as usize;
        let (leaves, over) = search.leaf_probabilities(explorer, self.searching.ahead.exploration);
        let total: f64 = leaves.iter().map(|(_, probability)| probability).sum::<f64>() + over;
        let mut rest = unit_interval(&mut self.rng) * total;
        for (leaf, probability) in leaves {
            if rest < probability {
                return Some(PublicBelief::of(tree.node(leaf).clone(), search.ranges(leaf)));
            }
            rest -= probability;
        }
        None
    }

    fn example(&mut self, belief: &PublicBelief, search: &PublicSearch) -> Result<Example, PublicError> {
        let Searching { space, eyes, .. } = &mut self.searching;
        let row = space.row(belief.node(), belief.ranges(), eyes)?;
        let places = space.places(belief.node(), eyes)?;
        let outputs = space.outputs();
        let (mut values, mut mask) = (vec![0.0; outputs], vec![0.0; outputs]);
        for (&place, value) in places.iter().flatten().zip(search.root_values().concat()) {
            if let Some(value) = value {
                values[place] = space.scaled(value) as f32;
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
        let (mut means, space) = (StrategyMeans::default(), Arc::clone(self.searching.space()));
        let first = self.searching.first()?;
        let scale = vec![1.0; first.node().players().len()];
        let mut drawn = SpreadDraws::default();
        let mut waiting = vec![ScaledBelief { belief: first, scale }; runs.max(1) as usize];
        while !waiting.is_empty() {
            let roots = waiting.split_off(waiting.len().saturating_sub(Self::AT_ONCE));
            let (mut searches, mut iterations) = (Vec::new(), Vec::new());
            for root in &roots {
                searches.push(self.searching.search(&root.belief)?);
                let ahead = self.searching.ahead;
                iterations.push(match runs {
                    0 => ahead.iterations,
                    _ => ahead.iteration_at(drawn.next(root.belief.node().told(), runs, &mut self.rng)),
                });
            }
            advance_all(&mut searches, &iterations, &space, network)?;
            for (root, searched) in roots.iter().zip(&searches) {
                decide(&searched.search, runs > 0, root, &mut |found| match found {
                    Decided::Choices(node, ranges, chosen) => means.add(node, &ranges, &chosen),
                    Decided::Leaf(scaled) => waiting.push(scaled),
                });
            }
        }
        Ok(means.finish())
    }
}

/// All that a search decides, by the strategies of its next iteration or by its average ones.
fn decide(search: &PublicSearch, is_drawn: bool, root: &ScaledBelief, decided: &mut dyn FnMut(Decided<'_>)) {
    let tree = search.tree();
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
            let belief = PublicBelief::of(node.clone(), reach[at].clone());
            decided(Decided::Leaf(ScaledBelief { belief, scale }));
        } else if node.has_choice() {
            decided(Decided::Choices(node, reach[at].clone(), chosen(at)));
        }
    }
}

/// Numbers from 0 to 1, one for each run and public state, each as likely. Those of a public state are spread evenly: each run has another
/// of as many equal parts, in an order of its own, so that means over the runs vary less (M. D. McKay, R. J. Beckman, W. J. Conover: A
/// Comparison of Three Methods for Selecting Values of Input Variables, Technometrics 21, 1979).
#[derive(Default)]
struct SpreadDraws {
    /// By public state, the parts of the runs to come.
    parts: FxHashMap<Vec<Percepts>, Vec<u32>>,
}

impl SpreadDraws {
    fn next(&mut self, told: &[Percepts], runs: u32, rng: &mut ChaCha8Rng) -> f64 {
        let parts = self.parts.entry(told.to_vec()).or_default();
        if parts.is_empty() {
            *parts = (0..runs).collect();
        }
        let place = draw_index(parts.len(), rng);
        (f64::from(parts.swap_remove(place)) + unit_interval(rng)) / f64::from(runs)
    }
}

/// A public belief, with the greatest probability of each player's own moves, which its ranges leave out.
#[derive(Clone)]
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
    Leaf(ScaledBelief),
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
