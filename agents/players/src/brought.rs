//! Strategies that are brought from packages above this one, such as nets, and the player that goes by one.

use std::{fmt, sync::Arc};

use croupier_belief::{Coverage, Policy};
use croupier_engine::{Game, InformationSet, MoveId, RoleId};

use crate::{Budget, Decision, Player, PlayerError, RandomPlayer, sight::Sight};

/// A file of strategies in a format that this package does not know.
pub trait StrategyFile: fmt::Debug + Send + Sync {
    /// The strategy for a player of a game. With a seed it is what the player does in one match, where that is drawn anew in each: who does
    /// not know the seed meets the mean.
    ///
    /// # Errors
    /// [`PlayerError::Brought`] if it was made for another game.
    fn strategy(
        &self,
        game: &Arc<Game>,
        role: RoleId,
        seed: Option<[u8; 32]>,
    ) -> Result<Arc<dyn BroughtStrategy>, PlayerError>;
}

/// A role's strategy in every information set. As a [`Policy`] it is uniform where it fails.
pub trait BroughtStrategy: Policy {
    /// The probability of each of `legal`, as [`Policy::probabilities`] gives them.
    ///
    /// # Errors
    /// [`PlayerError::Brought`] if it has none.
    fn try_probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PlayerError>;
}

/// A file of strategies with the kind of player and the options that it goes by: what is written alike is equal.
#[derive(Clone, Debug)]
pub struct Brought {
    kind: &'static str,
    written: String,
    source: Arc<dyn StrategyFile>,
}

impl Brought {
    /// The content of a file, by the name of a kind of player, and what is written after it.
    #[must_use]
    pub fn new(kind: &'static str, written: &str, source: Arc<dyn StrategyFile>) -> Self {
        Self { kind, written: written.to_owned(), source }
    }

    /// The name of the kind of player.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        self.kind
    }

    /// What is written after it: a file, perhaps with options.
    #[must_use]
    pub fn written(&self) -> &str {
        &self.written
    }

    /// The strategy for a role of a game.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`]; [`PlayerError::Brought`] if it was made for another game.
    pub fn strategy(&self, game: &Arc<Game>, role: RoleId) -> Result<Arc<dyn BroughtStrategy>, PlayerError> {
        self.of_player(game, role, None)
    }

    fn of_player(
        &self,
        game: &Arc<Game>,
        role: RoleId,
        seed: Option<[u8; 32]>,
    ) -> Result<Arc<dyn BroughtStrategy>, PlayerError> {
        if game.roles().random() == Some(role) {
            return Err(PlayerError::RandomRole);
        }
        self.source.strategy(game, role, seed)
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
        let strategy = brought.of_player(&game, role, Some(seed))?;
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
