//! A net: a network, and the game that it was made for.

use std::sync::Arc;

use croupier_belief::{ByGame, NamesByGame};
use croupier_engine::{Game, RoleId};
use croupier_players::{Brought, BroughtStrategy, PlayerError, PlayerKind, StrategyFile};
use croupier_training::Space;

use crate::{
    Names, NetError, NetStrategy,
    graph::Ends,
    names::SpaceError,
    network::{self, NeuralNetwork},
    onnx::ModelProto,
    renamed::{by_any_names, named},
    rows::PlayerRows,
};

/// The content of a net file.
///
/// A game is compared with the names in the file when a player takes a seat, once for each game.
#[derive(Debug)]
pub struct Net {
    names: Names,
    by_game: NamesByGame,
    network: Arc<NeuralNetwork>,
    /// Games with these names, the oldest first.
    spaces: ByGame<Arc<Space>>,
}

/// The key of the metadata that holds the names.
const KEY: &str = "croupier";

/// What a network that reads what a player knows calls its rows.
const ENDS: Ends = Ends { input: "observation", output: "logits" };

/// The names in the metadata of a file.
///
/// # Errors
/// [`NetError::NoNames`].
pub(crate) fn names_text(file: &ModelProto) -> Result<&str, NetError> {
    let entry = file.metadata_props.iter().find(|entry| entry.key == KEY);
    entry.map(|entry| &*entry.value).ok_or(NetError::NoNames)
}

/// A network that reads what a player knows, and the names of its numbers.
///
/// # Errors
/// [`NetError`] if the content is no such network.
pub(crate) fn named_network(bytes: &[u8]) -> Result<(Names, NeuralNetwork), NetError> {
    let file = network::read(bytes)?;
    let names = Names::read(names_text(&file)?)?;
    let network = NeuralNetwork::new(&file, ENDS, names.inputs_count(), names.outputs_count())?;
    Ok((names, network))
}

impl Net {
    /// Reads the bytes of a file.
    ///
    /// ```
    /// use croupier_nets::{Net, NetError};
    ///
    /// let error = Net::read(b"a text").expect_err("no net");
    /// assert!(matches!(error, NetError::NotOnnx { .. }));
    /// ```
    ///
    /// # Errors
    /// [`NetError`] if the content is not a net.
    pub fn read(bytes: &[u8]) -> Result<Self, NetError> {
        let (names, network) = named_network(bytes)?;
        if names.fluents.is_some() {
            return Err(NetError::Beliefs);
        }
        let (by_game, network) = (NamesByGame::default(), Arc::new(network));
        Ok(Self { names, by_game, network, spaces: ByGame::default() })
    }

    /// The players that go by it.
    #[must_use]
    pub fn into_kind(self, file: &str) -> PlayerKind {
        PlayerKind::Brought(Brought::new("net", file, Arc::new(self)))
    }

    /// The game that it was made for.
    #[must_use]
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// The space of a game, if its names are those of the file.
    fn space(&self, game: &Arc<Game>) -> Result<Arc<Space>, SpaceError> {
        self.spaces.get_or_try(game, || self.names.space(game).map(Arc::new))
    }

    /// The strategy for a role of a game with the names of the file.
    fn own(&self, game: &Arc<Game>, role: RoleId) -> Result<NetStrategy, PlayerError> {
        let space = self.space(game).map_err(|error| PlayerError::Brought { problem: error.to_string() })?;
        let rows = PlayerRows::of(space, role).ok_or(PlayerError::RandomRole)?;
        Ok(NetStrategy::new(Arc::clone(&self.network), rows))
    }
}

impl StrategyFile for Net {
    fn strategy(
        &self,
        game: &Arc<Game>,
        role: RoleId,
        _seed: Option<[u8; 32]>,
    ) -> Result<Arc<dyn BroughtStrategy>, PlayerError> {
        let names = || self.by_game.of(game, self.names.rules.as_ref()?);
        by_any_names(names, |names| {
            let written = self.own(names.written(game), names.written_role(role))?;
            Ok(named(game, names, Arc::new(written)))
        })
    }
}
