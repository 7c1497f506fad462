//! Particles from whole histories that were found by other means.

use croupier_engine::{Game, GameError, JointMove, RoleId, game::GameNetwork};

use crate::{
    particle::{
        generation::relative_weights,
        lanes::{
            model::Model,
            population::{Offspring, Population},
        },
    },
    search::Found,
};

/// One population for each turn of the histories found and the one before, with a particle for each of them; `None` if the tape does
/// not have some state or move of them. The weights are proportional to the probabilities of the whole paths.
pub(super) fn lineage(
    game: &Game,
    network: &GameNetwork,
    beginning: Population,
    found: &Found,
    model: &mut Model,
) -> Result<Option<Vec<Population>>, GameError> {
    let mut scratch = game.scratch();
    let mut weights = relative_weights(&found.paths);
    let mut known = Vec::new();
    for (path, weight) in found.paths.iter().zip(&mut weights) {
        let (path, preferred) = model.trace(path, &mut scratch)?;
        *weight *= preferred;
        known.push(path);
    }
    Ok(populations(network, beginning, found, &weights, &known))
}

fn populations(
    network: &GameNetwork,
    beginning: Population,
    found: &Found,
    weights: &[f64],
    known: &[Vec<Vec<u32>>],
) -> Option<Vec<Population>> {
    let turns = found.paths.first().map_or(0, |path| path.steps.len());
    let mut populations = vec![beginning];
    for turn in 0..turns {
        let mut offspring = Offspring { weights: weights.to_vec(), ..Offspring::default() };
        for (particle, path) in (0..).zip(&found.paths) {
            let (joint_move, state) = &path.steps[turn];
            offspring.rows.extend(network.row(state)?);
            offspring.parents.push(if turn == 0 { 0 } else { particle });
            offspring.moves.extend(numbers(network, joint_move)?);
            offspring.known.extend_from_slice(&known[particle as usize][turn + 1]);
        }
        let next = populations[turn].following(offspring, found.is_exhausted && turn + 1 == turns)?;
        populations.push(next);
    }
    Some(populations)
}

/// The numbers of the moves of all roles.
fn numbers(network: &GameNetwork, joint_move: &JointMove) -> Option<Vec<u32>> {
    let number = |role: RoleId| u32::try_from(network.move_number(role, joint_move.of(role))?).ok();
    network.tape().roles().map(number).collect()
}
