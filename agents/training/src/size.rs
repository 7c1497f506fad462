//! How wide an environment computes, and how much memory it needs, before any of it is allocated.

use croupier_engine::{Game, batch::Plane, game::GameNetwork, stages::propnet::Tape};

use crate::{Features, TrainingError};

/// Words of a plane.
pub(crate) const W: usize = 8;

/// Matches that are played side by side.
pub(crate) const LANES: usize = 64 * W;

/// Bytes of the text that names a feature, about.
const NAME_BYTES: u64 = 64;

/// Bytes that a player's information set takes in a lane, at least.
const KNOWN_BYTES: u64 = 64;

/// Checks that lanes with these features fit in memory.
///
/// An allocation that fails ends the process, and the arrays are many small ones; so the sum of all is asked for once, where a
/// refusal is an error.
///
/// # Errors
/// [`TrainingError::TooLarge`], [`TrainingError::NoNetwork`].
pub(crate) fn check_memory(game: &Game, lanes: usize, features: Features) -> Result<(), TrainingError> {
    let network = game.network().ok_or(TrainingError::NoNetwork)?;
    let bytes = needed(game, network, lanes, features);
    let room = usize::try_from(bytes).ok().filter(|&bytes| Vec::<u8>::new().try_reserve_exact(bytes).is_ok());
    match room {
        Some(_) => Ok(()),
        None => Err(TrainingError::TooLarge { lanes, bytes }),
    }
}

/// Bytes of lanes, names and the caller's arrays, about; the most that can be counted if there are more.
fn needed(game: &Game, network: &GameNetwork, lanes: usize, features: Features) -> u64 {
    let tape: &Tape = network.tape();
    let (mut features_most, mut moves_most, mut features_sum) = (0, 0, 0_u64);
    for role in game.roles().players() {
        let moves = tape.legal(role).len() as u64;
        let events = moves + tape.sees(role).len() as u64;
        let count = match features {
            Features::Percepts { last } => events.saturating_mul((last as u64).saturating_add(1)),
            Features::Turn => events,
            Features::Belief { .. } | Features::State => tape.bases_count() as u64,
        };
        features_most = features_most.max(count);
        moves_most = moves_most.max(moves);
        features_sum = features_sum.saturating_add(count);
    }
    let players = game.roles().players().count() as u64;
    let (lanes, blocks) = (lanes as u64, (lanes as u64).div_ceil(LANES as u64));
    let plane = size_of::<Plane<W>>() as u64;
    let block = (tape.slots_count() as u64).saturating_add(features_sum).saturating_mul(plane);
    let feature = if matches!(features, Features::Belief { .. }) { 4 } else { 1 };
    let row = features_most.saturating_mul(feature).saturating_add(moves_most).saturating_add(KNOWN_BYTES);
    let names = features_sum.saturating_mul(NAME_BYTES);
    let arrays = lanes.saturating_mul(players).saturating_mul(row);
    blocks.saturating_mul(block).saturating_add(arrays).saturating_add(names)
}
