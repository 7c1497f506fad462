//! Particles from whole histories that were found by other means.

use croupier_engine::{Game, JointMove, RoleId};

use crate::{
    particle::{
        generation::relative_weights,
        lanes::population::{Offspring, Population},
    },
    search::Path,
};

/// One population for each turn of `paths` and the one before, with a particle for each path; `None` if the tape does
/// not have some state or move of them. The weights are proportional to the probabilities of the whole paths.
pub(super) fn lineage(game: &Game, beginning: Population, paths: &[Path]) -> Option<Vec<Population>> {
    let weights = relative_weights(paths);
    let turns = paths.first().map_or(0, |path| path.steps.len());
    let mut populations = vec![beginning];
    for turn in 0..turns {
        let mut offspring = Offspring { weights: weights.clone(), ..Offspring::default() };
        for (particle, path) in (0..).zip(paths) {
            let (joint_move, state) = &path.steps[turn];
            offspring.rows.extend(game.tape_row(state)?);
            offspring.parents.push(if turn == 0 { 0 } else { particle });
            offspring.moves.extend(numbers(game, joint_move)?);
        }
        let next = populations[turn].following(offspring, false)?;
        populations.push(next);
    }
    Some(populations)
}

/// The numbers of the moves of all roles.
fn numbers(game: &Game, joint_move: &JointMove) -> Option<Vec<u32>> {
    let number = |role: RoleId| u32::try_from(game.tape_move(role, joint_move.of(role))?).ok();
    game.roles().all().map(number).collect()
}
