//! The goals of a state, one by one, where the lanes find more than one rule for a goal.

use croupier_engine::{Game, RoleId, State};

/// The distinct goals that the rules give a role in a state, as printed.
pub(crate) fn goals_of(game: &Game, state: &State, role: RoleId) -> Vec<String> {
    let mut values = game.goal_values(state, role, &mut game.scratch()).unwrap_or_default();
    values.dedup();
    values
}

/// Whether every player has exactly one goal in a state, which is a whole number.
pub(crate) fn are_sound(game: &Game, state: &State) -> bool {
    game.roles().players().all(|role| match &goals_of(game, state, role)[..] {
        [only] => only.parse::<i32>().is_ok(),
        _ => false,
    })
}
