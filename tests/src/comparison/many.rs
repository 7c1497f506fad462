//! Many positions and joint moves looked at at once, against the same ones looked at one by one.

use croupier_engine::{
    Game, GameError, JointMove, RoleId, State, Turn,
    game::{Branch, Looker, ToldBranch, ToldQuestion},
};

use super::{Difference, Mismatch, Walks, fine, same};

/// Joint moves that are compared in each state.
const JOINT_MOVES: usize = 4;

/// States that are looked at at least, some of them more than once: fewer would be looked at one by one anyway.
const STATES_MIN: usize = 20;

/// Compares every state along the walks, and some joint moves in each.
///
/// # Errors
/// The first difference.
pub(super) fn compare(game: &Game, walks: &Walks) -> Result<(), Difference> {
    let mut states = Vec::new();
    for (place, position) in walks.positions() {
        let state = fine("state_of", game.state_of(position.state.iter().map(String::as_str)));
        states.push(state.map_err(|mismatch| Difference::new("looker", Some(place), mismatch))?);
    }
    let states: Vec<&State> = states.iter().cycle().take(states.len().max(STATES_MIN)).collect();
    compare_states(game, &states).map_err(|mismatch| Difference::new("looker", None, mismatch))
}

fn compare_states(game: &Game, states: &[&State]) -> Result<(), Mismatch> {
    let (mut looker, mut scratch) = (Looker::new(game), game.scratch());
    let statuses: Vec<_> = states.iter().map(|state| game.status(state, &mut scratch)).collect();
    same("status of each", &statuses, &looker.statuses(game, states))?;
    let playable: Vec<_> = states.iter().map(|state| game.playable_moves(state, &mut scratch)).collect();
    same("playable moves of each", &playable, &looker.playable_moves(game, states))?;
    let joint_moves: Vec<(usize, JointMove)> = playable
        .iter()
        .enumerate()
        .filter_map(|(state, legal)| Some((state, legal.as_ref().ok()?.as_ref()?)))
        .flat_map(|(state, legal)| {
            game.joint_moves(legal).take(JOINT_MOVES).map(move |joint_move| (state, joint_move))
        })
        .collect();
    let branches: Vec<Branch<'_>> =
        joint_moves.iter().map(|(state, joint_move)| Branch { state: *state, joint_move }).collect();
    let turn = |branch: &Branch<'_>| game.turn(states[branch.state], branch.joint_move, &mut scratch);
    let turns: Result<Vec<_>, GameError> = branches.iter().map(turn).collect();
    same("turn of each", &turns, &looker.turns(game, states, &branches))?;
    let Ok(turns) = turns else { return Ok(()) };
    let Some(first) = turns.first() else { return Ok(()) };
    for (role, percepts) in first.percepts.iter() {
        let others: Vec<RoleId> = game.roles().players().filter(|&other| other != role).collect();
        let told = |turn: &Turn| ToldBranch {
            successor: turn.successor.clone(),
            percepts: others.iter().map(|&other| turn.percepts[other].clone()).collect(),
        };
        let agreeing = turns.iter().map(|turn| (turn.percepts[role] == *percepts).then(|| told(turn)));
        let asked = ToldQuestion { role, percepts, others: &others };
        let found = looker.successors_told(game, states, &branches, asked);
        same("successors where a role is told the same", &Ok(agreeing.collect()), &found)?;
    }
    Ok(())
}
