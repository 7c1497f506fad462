//! Public belief states of which there are too many histories: a sample of them, by weighted particles.

use std::sync::Arc;

use croupier_belief::{Basis, Detail, Opponents, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, History, Percepts, game::Looker};

use crate::{
    PublicBelief, PublicError, PublicEyes, PublicNode,
    growing::Continuation,
    watched::{TermTranslation, WatchedGame},
};

/// A sample of the histories in which the same was public, by weighted particles.
///
/// Nobody's percepts but the public ones are used: the particles are those of the belief of a player who has no choice and is told what
/// is public ([`PublicSight::rules_with_players`](croupier_engine::PublicSight::rules_with_players)), and who knows by which policies
/// everybody chooses. What each player knows in the history of a particle is one of its private states. So private states are found, and
/// not enumerated: those of small weight may be missing. The range over those that are found is exact up to a common factor, since it
/// follows from the player's own policy; how likely they are is estimated.
///
/// Where all histories are particles, the public belief state is whole, and says so ([`PublicSample::basis`]).
#[derive(Debug)]
pub struct PublicSample {
    game: Arc<Game>,
    watched: WatchedGame,
    opponents: Opponents,
    particles: ParticleBelief,
    there: TermTranslation,
    told: Vec<Percepts>,
}

impl PublicSample {
    /// Before the first move, when everybody is known to choose by these policies, uniformly without one.
    ///
    /// Draws depend only on `seed`, the turn and what is public.
    ///
    /// # Errors
    /// [`PublicError::Sight`] if what is public cannot be read off the rules, or they hide nothing, so that there is nothing to sample.
    ///
    /// # Complexity
    /// That of compiling the rules.
    pub fn new(
        game: Arc<Game>,
        opponents: &Opponents,
        options: ParticleOptions,
        seed: [u8; 32],
    ) -> Result<Self, PublicError> {
        let watched = WatchedGame::of(&game)?;
        let policies = watched.opponents(&game, opponents);
        let options = ParticleOptions { detail: Detail::Histories, ..options };
        let own = Arc::clone(&watched.game);
        let particles = ParticleBelief::with_opponents(own, watched.watcher, &policies, options, seed);
        let particles = particles.map_err(PublicError::Sample)?;
        let there = TermTranslation::new(Arc::clone(&game), Arc::clone(&watched.game));
        Ok(Self { game, watched, opponents: opponents.clone(), particles, there, told: Vec::new() })
    }

    /// Adds a turn in which this became public.
    ///
    /// # Errors
    /// [`PublicError::Impossible`] if it certainly cannot, [`PublicError::Sample`] if no history was found in which it does. The sample is
    /// then unchanged.
    pub fn advance(&mut self, told: &Percepts) -> Result<(), PublicError> {
        let turn = self.told.len() + 1;
        let there = self.there.told(told).ok_or(PublicError::Impossible { turn })?;
        self.particles.advance(self.watched.noop, &there).map_err(|error| match error {
            croupier_belief::BeliefError::Inconsistent { .. } => PublicError::Impossible { turn },
            other => PublicError::Sample(other),
        })?;
        self.told.push(told.clone());
        Ok(())
    }

    /// What the sample is: how many particles, and how many equally heavy ones would be as good; or all histories.
    #[must_use]
    pub fn basis(&self) -> Basis {
        let count = self.particles.particles_count();
        match self.particles.is_complete() {
            true => Basis::Histories(count as u64),
            false => Basis::Particles { count, effective: self.particles.effective_sample_size() },
        }
    }

    /// The public belief state as far as it was found: a [`PublicNode`] of the histories of the particles, and the ranges over the private
    /// states in them.
    ///
    /// # Errors
    /// [`PublicError::UnknownMoves`] if a player cannot know its legal moves, [`PublicError::Game`] if the rules fail.
    ///
    /// # Complexity
    /// A turn of the game for each particle and turn.
    pub fn belief(&self, eyes: &mut PublicEyes, looker: &mut Looker) -> Result<PublicBelief, PublicError> {
        let histories = self.particles.histories();
        let mut back = TermTranslation::new(Arc::clone(&self.watched.game), Arc::clone(&self.game));
        let mut node = PublicNode::initial(&self.game, looker)?;
        let mut ranges: Vec<Vec<f64>> = node.players().iter().map(|_| vec![1.0]).collect();
        // By particle, its history among those of the public state.
        let mut places = vec![0; histories.len()];
        for turn in 0..self.told.len() {
            let played = |(particle, (history, _)): (usize, &(History, f64))| {
                let moves = back.moves_of(&history.joint_moves[turn])?;
                let only = moves.map(|role| vec![moves[role]]);
                let joint_move = self.game.joint_moves(&only).next()?;
                Some(Continuation { history: places[particle], joint_move, chance: 1.0 })
            };
            let played: Option<Vec<Continuation>> = histories.iter().enumerate().map(played).collect();
            let chosen = PublicBelief::of(node.clone(), ranges.clone()).chosen(&mut &self.opponents)?;
            let played = played.ok_or(PublicError::Impossible { turn: turn + 1 })?;
            (node, places) = node.along(&played, eyes, looker)?;
            ranges = node.ranges_after(&ranges, &chosen);
        }
        let mut weights = vec![0.0; node.histories().len()];
        for (&place, (_, weight)) in places.iter().zip(&histories) {
            weights[place] += weight;
        }
        // What is left of a weight without the players' own moves: their ranges have these.
        for (weight, history) in weights.iter_mut().zip(node.histories()) {
            let reach = history.private.iter().zip(&ranges).map(|(&set, range)| range[set as usize]);
            let reach: f64 = reach.product();
            *weight = if reach > 0.0 { *weight / reach } else { 0.0 };
        }
        let is_sampled = !self.particles.is_complete();
        Ok(PublicBelief::of(node.weighted(&weights, is_sampled), ranges))
    }
}
