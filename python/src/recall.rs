//! How many recent turns an observation has to distinguish, so that it names the information set.

use std::collections::BTreeSet;

use croupier_engine::{Game, InformationSet};
use croupier_training::{Features, Space};

/// The most recent turns that are tried.
const LAST_MOST: usize = 32;

/// The fewest recent turns that `percepts` must distinguish so that no two of these information sets look the same.
///
/// `None` if 32 turns are not enough, or the game has no features: it is no network of gates.
pub(crate) fn smallest_last(game: &Game, known: &[InformationSet]) -> Option<usize> {
    (0..=LAST_MOST).find(|&last| {
        let mut rows = BTreeSet::new();
        Space::new(game, Features::Percepts { last }).is_ok_and(|space| {
            known.iter().all(|known| space.row(known).is_ok_and(|row| rows.insert((known.role, row))))
        })
    })
}
