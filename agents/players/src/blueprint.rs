//! The player that goes by a blueprint: a strategy for a game that is too large for a table.

use std::{borrow::Cow, fmt, sync::Arc};

use croupier_belief::{ByGame, Coverage, Names, NamesByGame};
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_solvers::{BLUEPRINT_MAGIC, Blueprint, BlueprintEntry, BlueprintError, MoveTree};

use crate::{Budget, Decision, Player, PlayerError, RandomPlayer, sight::Sight};

/// The bytes of a [`Blueprint`], and the games it was read for. A clone shares them.
#[derive(Clone, Debug)]
pub struct BlueprintFile {
    bytes: Arc<Cow<'static, [u8]>>,
    names: NamesByGame,
    read: ByGame<Arc<Strategy>>,
}

/// A blueprint and the tree of moves that it is about.
#[derive(Debug)]
pub(crate) struct Strategy {
    names: Names,
    tree: MoveTree,
    blueprint: Blueprint,
}

impl Strategy {
    /// The strategy in an information set of the game; `None` if there is no entry.
    pub(crate) fn of(&self, game: &Game, known: &InformationSet) -> Option<BlueprintEntry> {
        let written = self.names.written_set(game, known)?;
        let mut entry = self.blueprint.entry(&self.tree, &written)?;
        for (played, _) in &mut entry.strategy {
            *played = self.names.own_move(game, *played)?;
        }
        entry.strategy.sort_by_cached_key(|&(played, _)| game.move_text(played));
        Some(entry)
    }
}

impl BlueprintFile {
    /// Turns of the players' moves of a game with a blueprint, at most.
    pub const NODES_MAX: usize = 1_000_000;

    /// Bytes that begin as a blueprint; whether they are one of a game is seen when a player is made.
    ///
    /// # Errors
    /// The bytes, if they do not begin as one.
    pub fn new(bytes: Cow<'static, [u8]>) -> Result<Self, Cow<'static, [u8]>> {
        match bytes.starts_with(BLUEPRINT_MAGIC) {
            true => {
                Ok(Self { bytes: Arc::new(bytes), names: NamesByGame::default(), read: ByGame::default() })
            }
            false => Err(bytes),
        }
    }

    /// The content of the file.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// How many deals it was learnt from; 0 if it does not say.
    #[must_use]
    pub fn deals(&self) -> u64 {
        Blueprint::deals_of(&self.bytes)
    }

    /// Whether it is a blueprint of this game, perhaps by other names.
    #[must_use]
    pub fn is_of(&self, game: &Arc<Game>) -> bool {
        self.names(game).is_ok()
    }

    /// The names by which the file knows the game.
    ///
    /// # Errors
    /// [`PlayerError::Blueprint`] if it is not a blueprint for the game.
    pub fn names(&self, game: &Arc<Game>) -> Result<Names, PlayerError> {
        match Blueprint::check(&self.bytes, game).map_err(|error| unfit(&error))? {
            None => Ok(Names::OWN),
            Some(rules) => self.names.of(game, &rules).ok_or_else(|| unfit(&BlueprintError::Rules)),
        }
    }

    /// The strategy for a game.
    pub(crate) fn strategy(&self, game: &Arc<Game>) -> Result<Arc<Strategy>, PlayerError> {
        game.network().ok_or_else(|| unfit(&"the game is no network"))?;
        self.read.get_or_try(game, || {
            let names = self.names(game)?;
            let tree = MoveTree::new(names.written(game), Self::NODES_MAX).map_err(|error| unfit(&error))?;
            let blueprint = Blueprint::from_bytes(&self.bytes, &tree).map_err(|error| unfit(&error))?;
            Ok(Arc::new(Strategy { names, tree, blueprint }))
        })
    }
}

fn unfit(problem: &dyn fmt::Display) -> PlayerError {
    PlayerError::Blueprint { problem: problem.to_string() }
}

/// Files are the same if their bytes are.
impl PartialEq for BlueprintFile {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

/// Plays the mixed strategy of a [`Blueprint`], and uniformly where it has no entry.
#[derive(Debug)]
pub struct BlueprintPlayer {
    sight: Sight,
    strategy: Arc<Strategy>,
    coverage: Coverage,
}

impl BlueprintPlayer {
    /// A player of `role` whose draws depend only on `seed` and the turn.
    ///
    /// # Errors
    /// [`PlayerError::RandomRole`], or [`PlayerError::Blueprint`] if the file is not a blueprint for the game.
    pub fn new(
        game: Arc<Game>,
        role: RoleId,
        file: &BlueprintFile,
        seed: [u8; 32],
    ) -> Result<Self, PlayerError> {
        let strategy = file.strategy(&game)?;
        let sight = Sight::new(game, role, RandomPlayer::PARTICLES, seed)?;
        Ok(Self { sight, strategy, coverage: Coverage::default() })
    }
}

impl Player for BlueprintPlayer {
    fn role(&self) -> RoleId {
        self.sight.role
    }

    fn choose(&mut self, known: &InformationSet, _budget: &mut Budget<'_>) -> Result<Decision, PlayerError> {
        let mut rng = self.sight.rng(known);
        if let Some(BlueprintEntry { strategy, is_computed }) = self.strategy.of(&self.sight.game, known) {
            let (moves, probabilities): (Vec<_>, _) = strategy.into_iter().unzip();
            if moves.len() > 1 {
                self.coverage.note(is_computed, || self.sight.game.information_set_text(known));
            }
            return Ok(Decision::drawn(moves, probabilities, &mut rng));
        }
        let moves = self.sight.choice(known)?.moves;
        if moves.len() > 1 {
            self.coverage.note(false, || self.sight.game.information_set_text(known));
        }
        Ok(Decision::drawn_uniformly(moves, &mut rng))
    }

    fn coverage(&self) -> Option<Coverage> {
        Some(self.coverage.clone())
    }
}
