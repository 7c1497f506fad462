//! Particles from whole histories that were found by other means.

use croupier_engine::{Game, GameError, JointMove, RoleId, game::GameNetwork};

use crate::{
    particle::{
        generation::relative_weights,
        lanes::{
            model::ModelledRoles,
            population::{Offspring, Population},
        },
    },
    search::{FoundHistories, Path},
};

/// One population for each turn of the histories found and the one before, with a particle for each of them; `None` if there are
/// none, or the tape does not have some state or move of them. The weights are proportional to the probabilities of the whole paths.
pub(super) fn lineage(
    game: &Game,
    network: &GameNetwork,
    beginning: Population,
    found: &FoundHistories,
    model: &mut ModelledRoles,
) -> Result<Option<Vec<Population>>, GameError> {
    let mut scratch = game.scratch();
    let mut kept = Vec::new();
    for (path, weight) in found.paths.iter().zip(relative_weights(&found.paths)) {
        let (known, preferred) = model.trace(path, &mut scratch)?;
        // What some policy never does is no survivor.
        if preferred > 0.0 {
            kept.push(KeptHistory { path, known, weight: weight * preferred });
        }
    }
    Ok(populations(network, beginning, &kept, found.is_exhausted))
}

/// A history that becomes a particle.
struct KeptHistory<'f> {
    path: &'f Path,
    /// By turn, what the modelled roles know.
    known: Vec<Vec<u32>>,
    weight: f64,
}

fn populations(
    network: &GameNetwork,
    beginning: Population,
    kept: &[KeptHistory<'_>],
    is_exhausted: bool,
) -> Option<Vec<Population>> {
    let turns = kept.first()?.path.steps.len();
    let mut populations = vec![beginning];
    for turn in 0..turns {
        let weights = kept.iter().map(|kept| kept.weight).collect();
        let mut offspring = Offspring { weights, ..Offspring::default() };
        for (particle, KeptHistory { path, known, .. }) in (0..).zip(kept) {
            let (joint_move, state) = &path.steps[turn];
            offspring.rows.extend(network.row(state)?);
            offspring.parents.push(if turn == 0 { 0 } else { particle });
            offspring.moves.extend(numbers(network, joint_move)?);
            offspring.known.extend_from_slice(&known[turn + 1]);
        }
        let next = populations[turn].following(offspring, is_exhausted && turn + 1 == turns)?;
        populations.push(next);
    }
    Some(populations)
}

/// The numbers of the moves of all roles.
fn numbers(network: &GameNetwork, joint_move: &JointMove) -> Option<Vec<u32>> {
    let number = |role: RoleId| u32::try_from(network.move_number(role, joint_move.of(role))?).ok();
    network.tape().roles().map(number).collect()
}
