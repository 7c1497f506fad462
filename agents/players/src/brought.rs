//! Strategies that are brought from packages above this one, such as nets, and the player that goes by one.

use std::{fmt, sync::Arc};

use croupier_belief::Policy;
use croupier_engine::{Game, InformationSet, MoveId, RoleId};

use crate::{Budget, Decision, Player, PlayerError, RandomPlayer, sight::Sight};

/// A file of strategies whose format this package does not know.
pub trait StrategyFile: fmt::Debug + Send + Sync {
    /// What it plays as a role of a game.
    ///
    /// # Errors
    /// [`PlayerError::Brought`] if it was made for another game.
    fn strategy(&self, game: &Game, role: RoleId) -> Result<Arc<dyn BroughtStrategy>, PlayerError>;
}

/// What a role plays in every information set. As a [`Policy`] it is uniform where it fails.
pub trait BroughtStrategy: Policy {
    /// The probability of each of `legal`, as [`Policy::probabilities`] gives them.
    ///
    /// # Errors
    /// [`PlayerError::Brought`] where it has none.
    fn try_probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PlayerError>;
}

/// A file of strategies with the name that it goes by: files of one name are equal.
#[derive(Clone, Debug)]
pub struct Brought {
    file: String,
    source: Arc<dyn StrategyFile>,
}

impl Brought {
    /// What was read from a file of this name.
    #[must_use]
    pub fn new(file: &str, source: Arc<dyn StrategyFile>) -> Self {
        Self { file: file.to_owned(), source }
    }

    /// The name that it goes by.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// What it plays as a role of a game.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`]; [`PlayerError::Brought`] if it was made for another game.
    pub fn strategy(&self, game: &Game, role: RoleId) -> Result<Arc<dyn BroughtStrategy>, PlayerError> {
        if game.roles().random() == Some(role) {
            return Err(PlayerError::RandomRole);
        }
        self.source.strategy(game, role)
    }
}

impl PartialEq for Brought {
    fn eq(&self, other: &Self) -> bool {
        self.file == other.file
    }
}

/// Plays by a [`BroughtStrategy`]; what is legal it knows from a small belief.
#[derive(Debug)]
pub struct BroughtPlayer {
    sight: Sight,
    strategy: Arc<dyn BroughtStrategy>,
}

impl BroughtPlayer {
    /// A player of `role`, whose draws depend on `seed` and the turn alone.
    ///
    /// # Errors
    /// As [`Brought::strategy`].
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        brought: &Brought,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        let strategy = brought.strategy(&game, role)?;
        Ok(Self { sight: Sight::new(game, role, RandomPlayer::PARTICLES, seed)?, strategy })
    }
}

impl Player for BroughtPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let moves = self.sight.choice(known)?.moves;
        let probabilities = self.strategy.try_probabilities(known, &moves)?;
        Ok(Decision::drawn(moves, probabilities, &mut self.sight.rng(known)))
    }
}
