//! A seat that searches: what it does in an information set follows from a network and from what became public.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, Percepts};

use crate::{
    LookAhead, PublicError, PublicSearch, PublicSpace, ValueNetwork,
    leaves::{ValuedSearch, advance_all},
    searching::Searching,
    standing::PlayerStanding,
};

/// Plays one match as [`SelfPlay::strategies`](crate::SelfPlay::strategies) does: a search decides for all turns that it looks ahead, and is made
/// anew at its leaves, where the opponent may take what the search before found it to be worth there.
#[derive(Debug)]
pub struct SearchingSeat {
    searching: Searching,
    /// The searches of the match so far, each from a leaf of the one before, all of the player who was asked for last.
    path: Vec<(PlayerStanding, ValuedSearch)>,
}

impl SearchingSeat {
    /// Nothing is searched yet.
    ///
    /// # Errors
    /// As [`PublicEyes::new`](crate::PublicEyes::new).
    pub fn new(game: Arc<Game>, space: Arc<PublicSpace>, ahead: LookAhead) -> Result<Self, PublicError> {
        Ok(Self { searching: Searching::new(game, space, ahead)?, path: Vec::new() })
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
        let first = self.searching.first()?;
        let player = first.node().players().iter().position(|&role| role == known.role);
        let player = player.ok_or(PublicError::Unknown)?;
        self.path.retain(|(standing, searched)| {
            standing.player() == player && told.starts_with(searched.search.tree().node(0).told())
        });
        if self.path.is_empty() {
            self.go_on(network, PlayerStanding::first(player, first))?;
        }
        loop {
            let (standing, ValuedSearch { search, .. }) = &self.path[self.path.len() - 1];
            let at = deepest(search, &told);
            let tree = search.tree();
            if !tree.is_leaf(at) {
                if tree.node(at).told().len() < told.len() {
                    return Err(PublicError::Impossible { turn: tree.node(at).told().len() + 1 });
                }
                return found(search, at, player, known, legal);
            }
            let next = standing.after(search, at);
            self.go_on(network, next)?;
        }
    }

    /// Makes the search of a standing.
    fn go_on(&mut self, network: &mut dyn ValueNetwork, standing: PlayerStanding) -> Result<(), PublicError> {
        let mut searched = [standing.search(&mut self.searching)?];
        advance_all(&mut searched, &[self.searching.ahead.iterations], &self.searching.space, network)?;
        let [searched] = searched;
        self.path.push((standing, searched));
        Ok(())
    }
}

/// What a search does in an information set of one of its public states.
fn found(
    search: &PublicSearch,
    at: usize,
    player: usize,
    known: &InformationSet,
    legal: &[MoveId],
) -> Result<Vec<f64>, PublicError> {
    let node = search.tree().node(at);
    let own = node.private(player).iter().position(|state| state.known == *known);
    let own = own.ok_or(PublicError::Impossible { turn: node.told().len() })?;
    let strategy = &search.strategy(at)[player][own];
    let moves = &node.private(player)[own].legal;
    let of = |wanted: &MoveId| moves.iter().position(|known| known == wanted);
    let places: Option<Vec<usize>> = legal.iter().map(of).collect();
    let places = places.filter(|places| places.len() == moves.len()).ok_or(PublicError::Unknown)?;
    Ok(places.into_iter().map(|place| strategy[place]).collect())
}

/// The public state of a tree that is as far as possible on the way to what was public.
fn deepest(search: &PublicSearch, told: &[Percepts]) -> usize {
    let tree = search.tree();
    let on_the_way = |&at: &usize| told.starts_with(tree.node(at).told());
    // Breadth first: the deepest is the last.
    (0..tree.nodes_count()).rev().find(on_the_way).unwrap_or(0)
}
