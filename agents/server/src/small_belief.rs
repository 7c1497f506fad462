//! A role's belief with few particles: enough for guesses.

use std::sync::Arc;

use croupier_belief::{Detail, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet};

const OPTIONS: ParticleOptions = ParticleOptions {
    detail: Detail::States,
    particles: 50,
    complete_max: 0,
    enumerated_max: 512,
    rejuvenations_max: 2,
    search_joint_moves_max: 20_000,
    turns_kept: 16,
};

/// The belief of a role that did and was told `known`; `None` if nothing is consistent with that within the limits.
pub(crate) fn small_belief(
    game: &Arc<Game>,
    known: &InformationSet,
    seed: [u8; 32],
) -> Option<ParticleBelief> {
    let mut belief = ParticleBelief::new(Arc::clone(game), known.role, OPTIONS, seed).ok()?;
    belief.follow(known).ok()?;
    Some(belief)
}
