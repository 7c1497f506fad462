//! Whether one role at a time has a choice, found by play.

use rand_core::Rng;

use crate::{
    game::{Game, GameError},
    id::RoleId,
};

/// A state in which several roles have a choice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SharedTurn {
    /// Joint moves before it in the playout that met it.
    pub turns: usize,
    /// The roles that have more than one legal move, `random` included.
    pub roles: Vec<RoleId>,
}

/// The first state of random playouts in which more than one role has more than one legal move.
///
/// A playout ends at a terminal state, or after the turns that the game's limits allow. None found is no proof.
///
/// # Errors
/// [`GameError::NoLegalMove`], [`GameError::Limit`].
pub fn find_shared_turn(
    game: &Game,
    playouts: usize,
    rng: &mut impl Rng,
) -> Result<Option<SharedTurn>, GameError> {
    let mut scratch = game.scratch();
    for _ in 0..playouts {
        let mut state = game.initial_state().clone();
        for turns in 0..game.limits().turns {
            let Some(legal) = game.playable_moves(&state, &mut scratch)? else { break };
            let choosing = legal.iter().filter(|(_, moves)| moves.len() > 1);
            let roles: Vec<RoleId> = choosing.map(|(role, _)| role).collect();
            if roles.len() > 1 {
                return Ok(Some(SharedTurn { turns, roles }));
            }
            let Some(joint_move) = game.random_joint_move(&state, rng, &mut scratch)? else { break };
            state = game.successor(&state, &joint_move, &mut scratch)?;
        }
    }
    Ok(None)
}
