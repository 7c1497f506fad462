//! The roots of a subgame, and the value of what lies beyond it.

use croupier_engine::{GoalValue, InformationSet, State};
use rustc_hash::FxHashMap;

use super::knowledge::{KnowledgeBuilder, KnowledgeId, Origin};

/// A history that a subgame begins with.
#[derive(Clone, Debug)]
pub struct Root<'k> {
    /// The state that it led to.
    pub state: State,
    /// Each player's information set, in the order of the rules; of the same number of turns in all roots.
    pub known: Vec<&'k InformationSet>,
    /// How probable it is, up to a common factor.
    pub weight: f64,
    /// The factor of each player's choices in it, above zero.
    pub reach: Vec<f64>,
}

/// What lies beyond the last turn of a subgame for which there is room.
#[derive(Clone, Copy, Debug)]
pub struct Beyond<'b> {
    /// How probable it is to come there if everybody chooses uniformly, to these states or others.
    pub share: f64,
    /// The states at the edge.
    pub states: &'b [State],
}

/// Evaluates what lies beyond a subgame: for each of several states the goals of all players, in their order; `None` to
/// give up on the subgame.
pub type Horizon<'h> = dyn FnMut(Beyond<'_>) -> Option<Vec<GoalValue>> + 'h;

/// The players' information sets in several roots, without repetitions, and the one of each player in each root.
pub(super) fn origins(roots: &[Root<'_>]) -> (Vec<Origin>, Vec<KnowledgeId>) {
    let (mut origins, mut known) = (Vec::new(), Vec::new());
    let mut places: FxHashMap<&InformationSet, KnowledgeId> = FxHashMap::default();
    for &of_player in roots.iter().flat_map(|root| &root.known) {
        known.push(*places.entry(of_player).or_insert_with(|| {
            origins.push(of_player.turns.clone());
            KnowledgeBuilder::origin(origins.len() - 1)
        }));
    }
    (origins, known)
}
