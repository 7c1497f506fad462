//! The player that always plays the first move.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, RoleId};

use crate::{Budget, Decision, Player, PlayerError, RandomPlayer, sight::Sight};

/// Plays the first of its legal moves in canonical order.
///
/// Like [`RandomPlayer`] it has a small belief, which is only used to find the legal moves.
#[derive(Debug)]
pub struct FirstLegalPlayer {
    sight: Sight,
}

impl FirstLegalPlayer {
    /// A player of `role`. The seed is for the belief; it does not change a move in a game where legal
    /// moves are known.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`].
    pub fn new(game: Arc<Game>, role: RoleId, seed: [u8; 32]) -> Result<Self, PlayerError> {
        Ok(Self { sight: Sight::new(game, role, RandomPlayer::PARTICLES, seed)? })
    }
}

impl Player for FirstLegalPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        Ok(Decision::pure(self.sight.choice(known)?.moves, 0))
    }
}
