//! How many recent turns an observation has to distinguish, so that it names the information set.

use std::collections::BTreeSet;

use croupier_engine::InformationSet;
use croupier_training::{Features, Space};
use pyo3::prelude::*;

use crate::{
    evaluation::{untreed, whole_tree},
    game::PyGame,
    lanes::failed,
    work::interruptible,
};

/// The most recent turns that are tried.
const LAST_MOST: usize = 32;

/// The fewest recent turns that `percepts` must distinguish so that no two information sets with a choice look the same.
///
/// Parameters
/// ----------
/// game : Game
/// histories_max : int, default 5000000
///     Most histories that the game may have; each takes some 50 bytes.
///
/// Returns
/// -------
/// int or None
///     None if 32 turns are not enough.
///
/// Raises
/// ------
/// CroupierError
///     If the game cannot be enumerated, or has no network of gates.
#[pyfunction]
#[pyo3(signature = (game, *, histories_max = 5_000_000))]
pub(crate) fn smallest_last(py: Python<'_>, game: &PyGame, histories_max: u64) -> PyResult<Option<usize>> {
    let game = &game.data.game;
    let known = interruptible(py, |stop| {
        let tree = whole_tree(game, histories_max, stop)?;
        Ok(tree.information_sets().map(|id| tree.information_set(id)).collect::<Vec<InformationSet>>())
    })?;
    let known = known.map_err(|error| untreed(&error))?;
    py.detach(|| {
        for last in 0..=LAST_MOST {
            let space = Space::new(game, Features::Percepts { last })?;
            let mut rows = BTreeSet::new();
            let mut all_differ = true;
            for known in &known {
                all_differ = rows.insert((known.role, space.row(known)?));
                if !all_differ {
                    break;
                }
            }
            if all_differ {
                return Ok(Some(last));
            }
        }
        Ok(None)
    })
    .map_err(|error| failed(&error))
}
