//! What a role did and was told, from text to an information set.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet, RoleId, game::TermError};
use croupier_referee::{Message, OwnHistory, OwnTurn};

/// What a role knows of a match.
#[derive(Clone, Debug)]
pub struct Knowledge {
    /// The game as the role was told it, which is not the referee's.
    pub game: Arc<Game>,
    /// Everything that the role did and was told, in the terms of this game.
    pub known: InformationSet,
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
        let known = information_set(&game, own)?;
        Ok(Self { game, known })
    }

    /// Takes in the turn before a message, if the message tells of one that is not known yet; whether it does.
    ///
    /// # Errors
    /// [`TermError`] if the move or a percept is no term; then nothing is taken in.
    pub fn take_in(&mut self, message: &Message) -> Result<bool, TermError> {
        let (Message::Play { turn, last: Some(last), .. } | Message::Stop { turn, last: Some(last), .. }) =
            message
        else {
            return Ok(false);
        };
        let is_new = *turn as usize > self.known.turns.len();
        if is_new {
            let (own_move, percepts) = texts(last);
            self.known.turns.push(self.game.own_turn(own_move, percepts)?);
        }
        Ok(is_new)
    }
}

/// The information set of a role that did and was told `own`, in the terms of `game`.
///
/// # Errors
/// [`TermError`] if a move or percept is no term.
pub fn information_set(game: &Game, own: &OwnHistory) -> Result<InformationSet, TermError> {
    information_set_of_turns(game, own.role, own.turns.iter().map(texts))
}

/// The same of turns from elsewhere: of each the executed move, and the percepts.
///
/// # Errors
/// [`TermError`] if a move or percept is no term.
pub fn information_set_of_turns<'t, P: IntoIterator<Item = &'t str>>(
    game: &Game,
    role: RoleId,
    turns: impl IntoIterator<Item = (&'t str, P)>,
) -> Result<InformationSet, TermError> {
    let mut known = InformationSet::initial(role);
    for (own_move, percepts) in turns {
        known.turns.push(game.own_turn(own_move, percepts)?);
    }
    Ok(known)
}

/// The move and the percepts of a turn.
fn texts(turn: &OwnTurn) -> (&str, impl Iterator<Item = &str>) {
    (&turn.own_move, turn.percepts.iter().map(|percept| &**percept))
}
