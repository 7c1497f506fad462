//! What a role did and was told, from text to an information set.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, RoleId, game::TermError};
use croupier_referee::{Message, OwnHistory};

/// What a role knows of a match: the game as it was told it, and what it did and was told.
#[derive(Clone, Debug)]
pub struct Knowledge {
    game: Arc<Game>,
    known: InformationSet,
}

impl Knowledge {
    /// What `role` knows before the first move.
    #[must_use]
    pub fn new(game: Arc<Game>, role: RoleId) -> Self {
        Self { game, known: InformationSet::initial(role) }
    }

    /// What a role knows that did and was told `own`.
    ///
    /// # Errors
    /// [`TermError`] if a move or percept is no term.
    pub fn of(game: Arc<Game>, own: &OwnHistory) -> Result<Self, TermError> {
        let mut knowledge = Self::new(game, own.role);
        for turn in &own.turns {
            knowledge.learn(&turn.own_move, turn.percepts.iter().map(|percept| &**percept))?;
        }
        Ok(knowledge)
    }

    /// The role's own game.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// Everything that the role did and was told.
    #[must_use]
    pub fn known(&self) -> &InformationSet {
        &self.known
    }

    /// Takes in a turn: the executed move of the role, and its percepts.
    ///
    /// # Errors
    /// [`TermError`] if one of these is no term; then nothing is taken in.
    pub fn learn<'p>(
        &mut self,
        own_move: &str,
        percepts: impl IntoIterator<Item = &'p str>,
    ) -> Result<(), TermError> {
        self.known.turns.push(self.game.own_turn(own_move, percepts)?);
        Ok(())
    }

    /// Takes in the turn before a message, if the message tells of one that is not known yet; whether it does.
    ///
    /// # Errors
    /// As [`learn`](Self::learn).
    pub fn take_in(&mut self, message: &Message) -> Result<bool, TermError> {
        let (Message::Play { turn, last: Some(last), .. } | Message::Stop { turn, last: Some(last), .. }) =
            message
        else {
            return Ok(false);
        };
        if *turn as usize <= self.known.turns.len() {
            return Ok(false);
        }
        self.learn(&last.own_move, last.percepts.iter().map(|percept| &**percept))?;
        Ok(true)
    }
}
