//! Strategies that are brought from packages above this one, such as nets, and the player that goes by one.

use std::{fmt, sync::Arc};

use croupier_belief::{Coverage, Policy};
use croupier_engine::{Game, InformationSet, MoveId, RoleId};

use crate::{Budget, Decision, Player, PlayerError, RandomPlayer, sight::Sight};

/// A file of strategies in a format that this package does not know.
pub trait StrategyFile: fmt::Debug + Send + Sync {
    /// The strategy for a role of a game.
    ///
    /// # Errors
    /// [`PlayerError::Brought`] if it was made for another game.
    fn strategy(&self, game: &Arc<Game>, role: RoleId) -> Result<Arc<dyn BroughtStrategy>, PlayerError>;
}

/// A role's strategy in every information set. As a [`Policy`] it is uniform where it fails.
pub trait BroughtStrategy: Policy {
    /// The probability of each of `legal`, as [`Policy::probabilities`] gives them.
    ///
    /// # Errors
    /// [`PlayerError::Brought`] if it has none.
    fn try_probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PlayerError>;
}

/// A file of strategies with the name that it goes by: files of one name are equal.
#[derive(Clone, Debug)]
pub struct Brought {
    file: String,
    source: Arc<dyn StrategyFile>,
}

impl Brought {
    /// The content of a file with this name.
    #[must_use]
    pub fn new(file: &str, source: Arc<dyn StrategyFile>) -> Self {
        Self { file: file.to_owned(), source }
    }

    /// The name that it goes by.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The strategy for a role of a game.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`]; [`PlayerError::Brought`] if it was made for another game.
    pub fn strategy(&self, game: &Arc<Game>, role: RoleId) -> Result<Arc<dyn BroughtStrategy>, PlayerError> {
        if game.roles().random() == Some(role) {
            return Err(PlayerError::RandomRole);
        }
        self.source.strategy(game, role)
    }
}

/// Plays by a [`BroughtStrategy`]; a small belief gives the legal moves.
#[derive(Debug)]
pub struct BroughtPlayer {
    sight: Sight,
    strategy: Arc<dyn BroughtStrategy>,
    coverage: Coverage,
}

impl BroughtPlayer {
    /// A player of `role` whose draws depend only on `seed` and the turn.
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
        let sight = Sight::new(game, role, RandomPlayer::PARTICLES, seed)?;
        Ok(Self { sight, strategy, coverage: Coverage::default() })
    }
}

impl Player for BroughtPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(self.coverage.clone())
    }

    fn strategy(
        &mut self,
        known: &InformationSet,
        moves: &[MoveId],
    ) -> Result<Option<Vec<f64>>, PlayerError> {
        let probabilities = self.strategy.try_probabilities(known, moves);
        if moves.len() > 1 {
            self.coverage.note(probabilities.is_ok(), || self.sight.game.information_set_text(known));
        }
        if let Err(error) = &probabilities {
            self.coverage.fault.get_or_insert_with(|| error.to_string());
        }
        Ok(Some(probabilities?))
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let moves = self.sight.choice(known)?.moves;
        let probabilities = self.strategy(known, &moves)?.expect("a strategy from a file is known");
        Ok(Decision::drawn(moves, probabilities, &mut self.sight.rng(known)))
    }
}
