//! Matches of a search against itself, and what a value network learns from them.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, draw::unit_interval};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    LookAhead, PublicBelief, PublicError, PublicSearch, PublicSpace, ValueNetwork, discount::iteration_at,
    leaves::advance_all, searching::Searching, standing::PlayerStanding,
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
                searches.push(self.searching.search(belief, None)?);
            }
            let ahead = self.searching.ahead;
            let drawn: Vec<u32> =
                going.iter().map(|_| iteration_at(unit_interval(&mut self.rng), ahead.iterations)).collect();
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

    /// One of the leaves, drawn by the current strategies, or, for the share that explores, each as likely; `None` where the match ends.
    fn following(&mut self, search: &PublicSearch) -> Option<PublicBelief> {
        let tree = search.tree();
        let (mut leaves, mut over) = search.leaf_probabilities();
        if unit_interval(&mut self.rng) < self.searching.ahead.exploration {
            leaves.iter_mut().for_each(|(_, probability)| *probability = 1.0);
            over = 0.0;
        }
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
        let (mut values, mut weights) = (vec![0.0; outputs], vec![0.0; outputs]);
        let found = search.root_values().concat();
        let most = found.iter().map(|(_, weight)| *weight).fold(0.0, f64::max);
        for (&place, (value, weight)) in places.iter().flatten().zip(found) {
            if let Some(value) = value {
                values[place] = space.scaled(value) as f32;
                weights[place] = (weight / most) as f32;
            }
        }
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
    /// As [`play`](Self::play).
    pub fn strategies(&mut self, network: &mut dyn ValueNetwork) -> Result<Vec<FoundStrategy>, PublicError> {
        let (mut found, space) = (Vec::new(), Arc::clone(self.searching.space()));
        let first = self.searching.first()?;
        let players = 0..first.node().players().len();
        let mut waiting: Vec<PlayerStanding> =
            players.map(|player| PlayerStanding::first(player, first.clone())).collect();
        while !waiting.is_empty() {
            let roots = waiting.split_off(waiting.len().saturating_sub(Self::AT_ONCE));
            let mut searches = Vec::new();
            for standing in &roots {
                searches.push(standing.search(&mut self.searching)?);
            }
            let all = vec![self.searching.ahead.iterations; searches.len()];
            advance_all(&mut searches, &all, &space, network)?;
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
    for at in 0..tree.nodes_count() {
        if tree.is_leaf(at) {
            following.push(standing.after(search, at));
            continue;
        }
        let strategies = search.strategy(at).swap_remove(player);
        for (state, probabilities) in tree.node(at).private(player).iter().zip(strategies) {
            if state.has_choice() {
                let (known, legal) = (state.known.clone(), state.legal.clone());
                found.push(FoundStrategy { known, legal, probabilities });
            }
        }
    }
}
