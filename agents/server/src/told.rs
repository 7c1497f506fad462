//! What a message says about the previous turn, in the terms of the game.

use std::sync::Arc;

use croupier_engine::{Game, MoveId, Percepts, RoleId, game::TermError};
use croupier_referee::protocol::Told;
use thiserror::Error;

/// One turn as far as a role was told about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Evidence {
    /// The role's executed move; `None` if the message does not say.
    pub(crate) own_move: Option<MoveId>,
    /// `None` if the message was missed.
    pub(crate) percepts: Option<Percepts>,
}

impl Evidence {
    /// For a turn whose message was missed.
    pub(crate) fn missing() -> Self {
        Self { own_move: None, percepts: None }
    }
}

/// Why a message does not fit the game.
#[derive(Clone, Debug, Error)]
pub(crate) enum ToldError {
    /// Not a term that the game can hold.
    #[error(transparent)]
    Term(#[from] TermError),
    /// A list of moves with another length than the game has roles.
    #[error("the message has {found} moves, but the game has {expected} roles")]
    Moves {
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
}

/// Parses what a role was told about the previous turn.
///
/// In a game whose rules do not define `sees` the list has the moves of all roles, unless it has the percepts of
/// the rule that represents full sight.
///
/// # Errors
/// [`ToldError`].
pub(crate) fn evidence(game: &Arc<Game>, role: RoleId, told: &Told) -> Result<Evidence, ToldError> {
    let mut own_move = told.last_move.as_deref().map(|text| game.move_id(text)).transpose()?;
    let roles = game.roles();
    let are_percepts = !told.terms.is_empty() && told.terms.iter().all(|term| term.starts_with("(did "));
    let is_joint_move = game.has_full_sight() && !are_percepts;
    let percepts = if is_joint_move {
        if told.terms.len() != roles.len() {
            return Err(ToldError::Moves { found: told.terms.len(), expected: roles.len() });
        }
        let moves = roles.all().zip(&told.terms);
        let did: Vec<String> = moves.map(|(of, text)| format!("(did {} {text})", roles.name(of))).collect();
        game.percepts_of(did.iter().map(String::as_str))?
    } else {
        game.percepts_of(told.terms.iter().map(String::as_str))?
    };
    if own_move.is_none() && game.has_full_sight() {
        let opening = format!("(did {} ", roles.name(role));
        let texts = game.percept_terms(&percepts);
        let own = texts.iter().find_map(|text| text.strip_prefix(opening.as_str())?.strip_suffix(')'));
        own_move = own.map(|text| game.move_id(text)).transpose()?;
    }
    Ok(Evidence { own_move, percepts: Some(percepts) })
}
