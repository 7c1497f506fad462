//! A seat that searches: what it does in an information set follows from a seed, a network, and what became public.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, Percepts, draw::unit_interval};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    LookAhead, PublicBelief, PublicError, PublicSearch, PublicSpace, ValueNetwork,
    leaves::{ValuedSearch, advance_all},
    searching::Searching,
};

/// Plays one match as [`SelfPlay`](crate::SelfPlay) does: a search decides for all turns that it looks ahead, and is made anew at its leaves, with
/// the ranges that its strategies lead to.
///
/// With a seed, each search plays the strategies of one iteration, drawn in proportion to its number; who knows everything but the seed meets
/// the mean of these. Without one, average strategies are played, which need not fit together.
///
/// # Sources
/// N. Brown et al. (2020), section 6.
#[derive(Debug)]
pub struct SearchingSeat {
    searching: Searching,
    seed: Option<[u8; 32]>,
    /// The searches of the match so far, each from a leaf of the one before.
    path: Vec<ValuedSearch>,
}

impl SearchingSeat {
    /// Nothing is searched yet.
    ///
    /// # Errors
    /// As [`PublicEyes::new`](crate::PublicEyes::new).
    pub fn new(
        game: Arc<Game>,
        space: Arc<PublicSpace>,
        ahead: LookAhead,
        seed: Option<[u8; 32]>,
    ) -> Result<Self, PublicError> {
        Ok(Self { searching: Searching::new(game, space, ahead)?, seed, path: Vec::new() })
    }

    /// The probability of each of the legal moves of an information set, of whichever player.
    ///
    /// # Errors
    /// [`PublicError::Impossible`] if no match comes there; those of the network, and [`PublicError::TooMany`].
    pub fn probabilities(
        &mut self,
        network: &mut dyn ValueNetwork,
        known: &InformationSet,
        legal: &[MoveId],
    ) -> Result<Vec<f64>, PublicError> {
        let eyes = &mut self.searching.eyes;
        let told: Vec<Percepts> = known.turns.iter().map(|(_, told)| eyes.public(told)).collect();
        self.path.retain(|searched| told.starts_with(searched.search.tree().node(0).told()));
        if self.path.is_empty() {
            let first = self.searching.first()?;
            self.go_on(network, &first)?;
        }
        loop {
            let search = &self.path[self.path.len() - 1].search;
            let at = deepest(search, &told);
            let tree = search.tree();
            if !tree.is_leaf(at) {
                if tree.node(at).told().len() < told.len() {
                    return Err(PublicError::Impossible { turn: tree.node(at).told().len() + 1 });
                }
                return self.found(at, known, legal);
            }
            let ranges = if self.seed.is_some() { search.ranges(at) } else { search.average_ranges(at) };
            let next = PublicBelief::of(tree.node(at).clone(), ranges);
            self.go_on(network, &next)?;
        }
    }

    /// Makes a search from a public belief.
    fn go_on(&mut self, network: &mut dyn ValueNetwork, belief: &PublicBelief) -> Result<(), PublicError> {
        let mut searched = [self.searching.search(belief)?];
        let ahead = self.searching.ahead;
        let iterations = match self.seed {
            Some(seed) => {
                let mut rng = ChaCha8Rng::from_seed(seed);
                rng.set_stream(belief.node().told().len() as u64);
                ahead.iteration_at(unit_interval(&mut rng))
            }
            None => ahead.iterations,
        };
        advance_all(&mut searched, &[iterations], &self.searching.space, network)?;
        self.path.extend(searched);
        Ok(())
    }

    /// What the last search does in an information set of one of its public states.
    fn found(&self, at: usize, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PublicError> {
        let search = &self.path[self.path.len() - 1].search;
        let node = search.tree().node(at);
        let impossible = PublicError::Impossible { turn: node.told().len() };
        let player = node.players().iter().position(|&role| role == known.role);
        let player = player.ok_or(PublicError::Unknown)?;
        let own = node.private(player).iter().position(|state| state.known == *known);
        let own = own.ok_or(impossible)?;
        let strategies = if self.seed.is_some() { search.current(at) } else { search.strategy(at) };
        let moves = &node.private(player)[own].legal;
        let of = |wanted: &MoveId| moves.iter().position(|known| known == wanted);
        let places: Option<Vec<usize>> = legal.iter().map(of).collect();
        let places = places.filter(|places| places.len() == moves.len()).ok_or(PublicError::Unknown)?;
        Ok(places.into_iter().map(|place| strategies[player][own][place]).collect())
    }
}

/// The public state of a tree that is as far as possible on the way to what was public.
fn deepest(search: &PublicSearch, told: &[Percepts]) -> usize {
    let tree = search.tree();
    let on_the_way = |&at: &usize| told.starts_with(tree.node(at).told());
    // Breadth first: the deepest is the last.
    (0..tree.nodes_count()).rev().find(on_the_way).unwrap_or(0)
}
