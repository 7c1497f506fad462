//! Solved games as players read them.

use std::collections::BTreeMap;

use croupier_belief::{PolicyError, PolicyTable};
use croupier_engine::{Game, GameError};
use croupier_solvers::{GameTree, Policy, SequenceForm};
use thiserror::Error;

/// Why a policy cannot be a table.
#[derive(Clone, Debug, PartialEq, Error)]
pub enum PolicyTableError {
    /// The game has no room for more terms.
    #[error(transparent)]
    Game(#[from] GameError),
    /// The probabilities of an information set are not a distribution.
    #[error(transparent)]
    Table(#[from] PolicyError),
}

/// A policy of a tree as a table, with an entry for every information set that an entry of a reduced tree represents.
///
/// # Errors
/// [`PolicyTableError`].
pub fn policy_table(
    game: &Game,
    tree: &GameTree,
    form: &SequenceForm,
    policy: &Policy,
) -> Result<PolicyTable, PolicyTableError> {
    let mut table = PolicyTable::of_game(game);
    for id in tree.information_sets() {
        let moves = tree.moves(id).iter().zip(policy.of(form, id));
        let moves: BTreeMap<String, f64> =
            moves.map(|(&played, &probability)| (game.move_text(played).to_string(), probability)).collect();
        for known in tree.images(game, id)? {
            table.insert(game.information_set_text(&known), moves.clone())?;
        }
    }
    Ok(table)
}
