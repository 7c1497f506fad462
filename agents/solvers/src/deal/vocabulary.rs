//! The names behind the indices of a game.

use croupier_engine::{Game, game::GameNetwork};
use sha2::{Digest, Sha256};

/// How many moves and percepts each role has, ascending: the same for games that differ only in names.
pub(super) fn shape(network: &GameNetwork) -> Vec<(usize, usize)> {
    let of_role = |role| (network.moves(role).len(), network.percepts(role).len());
    let mut shape: Vec<(usize, usize)> = network.tape().roles().map(of_role).collect();
    shape.sort_unstable();
    shape
}

/// A digest of the names of roles, moves and percepts in their order: numbers of these mean the same in games with the same.
pub(super) fn vocabulary(game: &Game, network: &GameNetwork) -> String {
    let mut digest = Sha256::new();
    let mut take = |kind: &str, name: &str| digest.update(format!("{kind} {name}\n"));
    for role in network.tape().roles() {
        take("role", game.roles().name(role));
        network.moves(role).iter().for_each(|&played| take("move", &game.move_text(played)));
        network.percepts(role).iter().for_each(|&told| take("percept", &game.percept_text(told)));
    }
    hex::encode(digest.finalize())
}
