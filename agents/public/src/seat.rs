//! A seat that searches: what it does in an information set follows from a network and from what became public.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, MoveId, Percepts};

use crate::{
    LookAhead, PublicError, PublicSearch, PublicSpace, ValueNetwork, dealt_tree::NextBoard,
    leaves::ValuedSearch, searching::Searching, standing::PlayerStanding,
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
        let player = self.searching.player(known.role).ok_or(PublicError::Unknown)?;
        self.path.retain(|(standing, ValuedSearch { search, .. })| {
            let at = deepest(search, &told);
            // Of a turn in which chance dealt, a search has one board.
            standing.player() == player
                && told.starts_with(search.tree().state(0).told())
                && (at > 0 || !search.tree().has_no_choice())
        });
        if self.path.is_empty() {
            let first = self.searching.first()?;
            self.go_on(network, PlayerStanding::first(player, first), &told)?;
        }
        loop {
            let (standing, ValuedSearch { search, .. }) = &self.path[self.path.len() - 1];
            let at = deepest(search, &told);
            let tree = search.tree();
            if !tree.is_horizon(at) {
                let turns = tree.state(at).told().len();
                if turns < told.len() {
                    return Err(PublicError::Impossible { turn: turns + 1 });
                }
                let found = self.searching.place_of(tree.state(at), player, known);
                let (own, moves) = found.ok_or(PublicError::Impossible { turn: turns })?;
                return in_order(&search.strategy(at)[player][own], &moves, legal);
            }
            let next = standing.after(search, at);
            self.go_on(network, next, &told)?;
        }
    }

    /// Makes the search of a standing, on the way to what was public.
    fn go_on(
        &mut self,
        network: &mut dyn ValueNetwork,
        standing: PlayerStanding,
        told: &[Percepts],
    ) -> Result<(), PublicError> {
        let mut searched = [standing.search(&mut self.searching, NextBoard::Told(told))?];
        let iterations = self.searching.ahead.iterations;
        self.searching.advance(&mut searched, &[iterations], network)?;
        let [searched] = searched;
        self.path.push((standing, searched));
        Ok(())
    }
}

/// What is done with these moves, in the order of the legal ones.
fn in_order(strategy: &[f64], moves: &[MoveId], legal: &[MoveId]) -> Result<Vec<f64>, PublicError> {
    let of = |wanted: &MoveId| moves.iter().position(|known| known == wanted);
    let places: Option<Vec<usize>> = legal.iter().map(of).collect();
    let places = places.filter(|places| places.len() == moves.len()).ok_or(PublicError::Unknown)?;
    Ok(places.into_iter().map(|place| strategy[place]).collect())
}

/// The public state of a tree that is as far as possible on the way to what was public.
fn deepest(search: &PublicSearch, told: &[Percepts]) -> usize {
    let tree = search.tree();
    let on_the_way = |&at: &usize| told.starts_with(tree.state(at).told());
    // They follow each other: the deepest is the last.
    tree.decided().rev().find(on_the_way).unwrap_or(0)
}
