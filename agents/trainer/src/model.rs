//! How the others are taken to choose.

use std::sync::Arc;

use croupier_belief::{Opponents, Policy};
use croupier_engine::{Game, RoleId};
use croupier_players::{Approach, KnownStrategy, Model};

/// The words for uniform play.
pub(crate) const UNIFORM: &str = "uniform play";

/// How the others are taken to choose, and the words for it.
#[derive(Clone, Debug)]
pub(crate) struct OthersModel {
    pub(crate) opponents: Opponents,
    pub(crate) words: String,
}

impl OthersModel {
    /// Everybody chooses uniformly.
    pub(crate) fn uniform() -> Self {
        Self { opponents: Opponents::uniform(), words: UNIFORM.to_owned() }
    }

    /// All others of `own` go by a strategy. `slips` says whether they now and then choose uniformly: then nothing that is possible is
    /// ruled out because the strategy never does it.
    pub(crate) fn of_strategy(game: &Game, own: RoleId, strategy: &Arc<KnownStrategy>, slips: bool) -> Self {
        let others = game.roles().players().filter(|&role| role != own);
        let policy = || Arc::clone(strategy) as Arc<dyn Policy>;
        let opponents = others.fold(Opponents::uniform(), |opponents, role| opponents.with(role, policy()));
        let words = match strategy.approach() {
            Approach::Blueprint => "the blueprint",
            Approach::Equilibrium { .. } => "the equilibrium",
            _ => "the solution",
        };
        match slips {
            true => Self {
                opponents: opponents.mixed(Model::UNIFORM_SHARE),
                words: format!("{words} with {:.0} % uniform play", 100.0 * Model::UNIFORM_SHARE),
            },
            false => Self { opponents, words: words.to_owned() },
        }
    }
}
