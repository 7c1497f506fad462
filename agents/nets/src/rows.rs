//! What a network reads of what one player knows.

use std::sync::Arc;

use croupier_engine::{InformationSet, RoleId};
use croupier_training::{PlayerSpace, Space, TrainingError};

/// Rows of one player: the player, one-hot, then its features.
#[derive(Clone, Debug)]
pub(crate) struct PlayerRows {
    space: Arc<Space>,
    /// Its place among the players.
    player: usize,
}

impl PlayerRows {
    /// Those of a role; `None` for chance.
    pub(crate) fn of(space: Arc<Space>, role: RoleId) -> Option<Self> {
        let player = space.players.iter().position(|player| player.role == role)?;
        Some(Self { space, player })
    }

    pub(crate) fn player(&self) -> &PlayerSpace {
        &self.space.players[self.player]
    }

    /// The row of an information set.
    ///
    /// # Errors
    /// [`TrainingError`] if what was told does not fit the features.
    pub(crate) fn row(&self, known: &InformationSet) -> Result<Vec<f32>, TrainingError> {
        let players = (0..self.space.players.len()).map(|player| f32::from(u8::from(player == self.player)));
        let row = self.space.row(known)?;
        Ok(players.chain(row.into_iter().map(f32::from)).collect())
    }
}
