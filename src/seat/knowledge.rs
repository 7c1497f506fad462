//! What a seat knows of a match: the game as it was told, and what its role did and saw.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, RoleId, game::TermError};
use croupier_referee::LastTurn;

/// The word that START is answered by.
pub(crate) const READY: &str = "READY";

/// What a seat knows, kept from message to message.
#[derive(Debug)]
pub(crate) struct Knowledge {
    /// The game as the seat was told it.
    pub(crate) game: Arc<Game>,
    /// Everything its role did and saw.
    pub(crate) known: InformationSet,
}

impl Knowledge {
    pub(crate) fn new(game: Arc<Game>, role: RoleId) -> Self {
        Self { game, known: InformationSet::initial(role) }
    }

    /// Takes in the turn before a message.
    ///
    /// # Errors
    /// If the referee wrote something that is no term.
    pub(crate) fn learn(&mut self, last: Option<&LastTurn>) -> Result<(), TermError> {
        if let Some(last) = last {
            let percepts = last.percepts.iter().map(|percept| &**percept);
            self.known.turns.push(self.game.own_turn(&last.own_move, percepts)?);
        }
        Ok(())
    }
}
