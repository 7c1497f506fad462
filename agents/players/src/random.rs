//! The player that plays anything.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, RoleId};

use crate::{Budget, Decision, Player, PlayerError, sight::Sight};

/// Plays each legal move with the same probability, whatever it was told.
///
/// It has a belief too, of [`RandomPlayer::PARTICLES`] particles, which is only used to find the legal moves.
#[derive(Debug)]
pub struct RandomPlayer {
    sight: Sight,
}

impl RandomPlayer {
    /// Particles of its belief: one would be enough where legal moves are known, but would be lost at nearly
    /// every surprise and have to be found again.
    pub const PARTICLES: usize = 8;

    /// A player of `role` whose draws depend only on `seed` and the turn.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(game: Arc<Game>, role: RoleId, seed: [u8; 32]) -> Result<Self, PlayerError> {
        Ok(Self { sight: Sight::new(game, role, Self::PARTICLES, seed)? })
    }
}

impl Player for RandomPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let moves = self.sight.choice(known)?.moves;
        Ok(Decision::drawn_uniformly(moves, &mut self.sight.rng(known)))
    }
}
