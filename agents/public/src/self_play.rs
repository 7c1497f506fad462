//! Matches of a search against itself, and what a value network learns from them.

use std::sync::Arc;

use croupier_engine::{
    Game, InformationSet, MoveId,
    draw::{unit_interval, weighted_place},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    LookAhead, PublicError, PublicSearch, PublicSpace, ValueNetwork, dealt_tree::NextBoard,
    discount::iteration_at, leaves::ValuedSearch, searching::Searching, standing::PlayerStanding,
    state::SearchRoot,
};

/// What a search has found out about a public belief state.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The public belief state: [`PublicSpace::inputs`] numbers.
    pub row: Vec<f32>,
    /// The values that the search gives: [`PublicSpace::outputs`] numbers.
    pub values: Vec<f32>,
    /// The probability of chance and of the others' moves, the greatest of all private states being 1; 0 where there is no value.
    pub weights: Vec<f32>,
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

/// What is learned from in matches of a search with itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SelfPlaySettings {
    /// The share of searches that begin in any leaf of the one before, each as likely, whatever the strategies.
    pub exploration: f64,
    /// Public beliefs of each search, drawn among all whose values it asks for, that are searched from and learned.
    pub queries: usize,
}

impl SelfPlaySettings {
    /// What a learner does well with.
    pub const STANDARD: Self = Self { exploration: 0.5, queries: 16 };
}

/// Plays matches of a search with itself, as a seat searches, and searches from what these searches ask their leaves.
///
/// The values that a search needs are those of the beliefs that it asks about: its strategies of some iteration, often with zeros, against an
/// opponent who may take its alternative. What matches alone come through is a small and different part of that.
///
/// # Sources
/// N. Brown et al. (2020), algorithm 1; learning from the queries of searches is M. Schmid et al.: Student of Games, Science Advances 9, 2023.
#[derive(Debug)]
pub struct SelfPlay {
    searching: Searching,
    settings: SelfPlaySettings,
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
        settings: SelfPlaySettings,
        seed: [u8; 32],
    ) -> Result<Self, PublicError> {
        let searching = Searching::new(game, space, ahead)?;
        Ok(Self { searching, settings, rng: ChaCha8Rng::from_seed(seed) })
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

    /// Plays so many matches side by side, each as a player drawn for it plays, and gives what searches found out about what was asked in them.
    ///
    /// # Errors
    /// Those of the network, and [`PublicError::TooMany`].
    pub fn play(
        &mut self,
        network: &mut dyn ValueNetwork,
        matches: usize,
    ) -> Result<Vec<Example>, PublicError> {
        let (mut examples, mut asked) = (Vec::new(), Vec::new());
        let first = self.searching.first()?;
        let players = first.players_count();
        let mut going: Vec<PlayerStanding> =
            (0..matches).map(|_| PlayerStanding::first(self.below(players), first.clone())).collect();
        while !going.is_empty() {
            let mut searches = Vec::new();
            for standing in &going {
                searches.push(standing.search(&mut self.searching, NextBoard::Drawn(&mut self.rng))?);
            }
            asked.extend(self.asked(&mut searches, network)?);
            let mut following = Vec::new();
            for (standing, searched) in going.iter().zip(&searches) {
                let search = &searched.search;
                if let Some(root) = standing.plain_root() {
                    examples.push(self.example(root, search, network.is_beyond_shares())?);
                }
                following.extend(self.following(search).map(|leaf| standing.after(search, leaf)));
            }
            going = following;
        }
        for roots in asked.chunks(Self::AT_ONCE) {
            let mut searches = Vec::new();
            for root in roots {
                searches.push(self.searching.search(root, None, NextBoard::Drawn(&mut self.rng))?);
            }
            self.finish(&mut searches, network)?;
            for (root, searched) in roots.iter().zip(&searches) {
                examples.push(self.example(root, &searched.search, network.is_beyond_shares())?);
            }
        }
        Ok(examples)
    }

    /// Makes all iterations of these searches, and gives what some of them asked their leaves.
    fn asked(
        &mut self,
        searches: &mut [ValuedSearch],
        network: &mut dyn ValueNetwork,
    ) -> Result<Vec<SearchRoot>, PublicError> {
        let (iterations, queries) = (self.searching.ahead.iterations, self.settings.queries);
        let mut drawn = Vec::new();
        for _ in &*searches {
            let draws = (0..queries).map(|_| iteration_at(unit_interval(&mut self.rng), iterations));
            let mut draws: Vec<u32> = draws.collect();
            draws.sort_unstable();
            drawn.push(draws);
        }
        let mut asked = Vec::new();
        for query in 0..queries {
            let here: Vec<u32> = drawn.iter().map(|draws| draws[query]).collect();
            self.searching.advance(searches, &here, network)?;
            for ValuedSearch { search, rows, .. } in &*searches {
                let leaves: Vec<usize> = rows.counting(search.asks()).map(|(leaf, _)| leaf).collect();
                if !leaves.is_empty() {
                    let leaf = search.tree().leaves().nth(leaves[self.below(leaves.len())]);
                    let leaf = leaf.expect("a leaf of the tree has rows");
                    asked.push(SearchRoot::of(search.tree().state(leaf).clone(), search.ranges(leaf)));
                }
            }
        }
        self.finish(searches, network)?;
        Ok(asked)
    }

    /// Makes the rest of the iterations of these searches.
    fn finish(
        &mut self,
        searches: &mut [ValuedSearch],
        network: &mut dyn ValueNetwork,
    ) -> Result<(), PublicError> {
        let all = vec![self.searching.ahead.iterations; searches.len()];
        self.searching.advance(searches, &all, network)
    }

    /// A number below this, each as likely.
    fn below(&mut self, count: usize) -> usize {
        ((unit_interval(&mut self.rng) * count as f64) as usize).min(count - 1)
    }

    /// One of the leaves, drawn by the current strategies, or, for the share that explores, each as likely; `None` where the match ends.
    fn following(&mut self, search: &PublicSearch) -> Option<usize> {
        let is_exploring = unit_interval(&mut self.rng) < self.settings.exploration;
        let probability = |at| if is_exploring { 1.0 } else { search.probability(at) };
        let tree = search.tree();
        let leaves = tree.decided().filter(|&at| tree.is_horizon(at));
        let leaves: Vec<(usize, f64)> = leaves.map(|leaf| (leaf, probability(leaf))).collect();
        let all = if is_exploring { leaves.len() as f64 } else { search.probability(0) };
        let point = unit_interval(&mut self.rng) * all;
        let over = all - leaves.iter().map(|(_, probability)| probability).sum::<f64>();
        let weights = leaves.iter().map(|(_, probability)| *probability).chain([over]);
        let place = weighted_place(point, weights)?;
        leaves.get(place).map(|(leaf, _)| *leaf)
    }

    /// What a search found, beyond shares or not.
    fn example(
        &mut self,
        root: &SearchRoot,
        search: &PublicSearch,
        is_beyond_shares: bool,
    ) -> Result<Example, PublicError> {
        let Searching { space, eyes, .. } = &mut self.searching;
        let found = search.root_values().concat();
        let shares = if is_beyond_shares { root.shares() } else { vec![0.0; found.len()] };
        let row = space.row(&root.state, &root.ranges, eyes)?;
        let (places, unit) = (space.places(&root.state, eyes)?, space.unit(&root.state));
        let outputs = space.outputs();
        let (mut values, mut weights) = (vec![0.0_f64; outputs], vec![0.0_f64; outputs]);
        // Private states with the same place are taken together.
        for ((&place, (value, weight)), share) in places.iter().flatten().zip(found).zip(shares) {
            if let Some(value) = value {
                values[place] += weight * (unit.scaled(value) - share);
                weights[place] += weight;
            }
        }
        let most = weights.iter().copied().fold(0.0, f64::max);
        let mean = |(value, weight): (f64, &f64)| if *weight > 0.0 { (value / weight) as f32 } else { 0.0 };
        let values = values.into_iter().zip(&weights).map(mean).collect();
        let weights =
            weights.into_iter().map(|weight| if most > 0.0 { (weight / most) as f32 } else { 0.0 }).collect();
        Ok(Example { row, values, weights })
    }

    /// What the search does in every information set of the game, if each player plays by it from the beginning: it decides for all turns
    /// that it looks ahead, by its average strategies, and is made anew at each of its leaves, where the opponent may take what the search
    /// before found it to be worth there.
    ///
    /// # Sources
    /// M. Moravčík et al.: DeepStack, Science 356, 2017 (continual re-solving).
    ///
    /// # Errors
    /// As [`play`](Self::play), and [`PublicError::NotListed`] if [`PublicSpace::is_listed`] is false.
    pub fn strategies(&mut self, network: &mut dyn ValueNetwork) -> Result<Vec<FoundStrategy>, PublicError> {
        if !self.searching.space.is_listed() {
            return Err(PublicError::NotListed);
        }
        let mut found = Vec::new();
        let first = self.searching.first()?;
        let players = 0..first.players_count();
        let mut waiting: Vec<PlayerStanding> =
            players.map(|player| PlayerStanding::first(player, first.clone())).collect();
        while !waiting.is_empty() {
            let roots = waiting.split_off(waiting.len().saturating_sub(Self::AT_ONCE));
            let mut searches = Vec::new();
            for standing in &roots {
                searches.push(standing.search(&mut self.searching, NextBoard::Drawn(&mut self.rng))?);
            }
            self.finish(&mut searches, network)?;
            for (standing, searched) in roots.iter().zip(&searches) {
                decide(standing, &searched.search, &mut found, &mut waiting);
            }
        }
        found.sort_unstable_by(|one, other| one.known.cmp(&other.known));
        Ok(found)
    }
}

/// What a player does in all information sets of its search, and where it stands in its leaves.
fn decide(
    standing: &PlayerStanding,
    search: &PublicSearch,
    found: &mut Vec<FoundStrategy>,
    following: &mut Vec<PlayerStanding>,
) {
    let (tree, player) = (search.tree(), standing.player());
    for at in tree.decided() {
        if tree.is_horizon(at) {
            following.push(standing.after(search, at));
            continue;
        }
        let strategies = search.strategy(at).swap_remove(player);
        let private = tree.state(at).listed().map(|node| node.private(player)).unwrap_or_default();
        for (state, probabilities) in private.iter().zip(strategies) {
            if state.has_choice() {
                let (known, legal) = (state.known.clone(), state.legal.clone());
                found.push(FoundStrategy { known, legal, probabilities });
            }
        }
    }
}
