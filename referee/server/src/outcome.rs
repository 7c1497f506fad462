//! How a match ended, as it is stored and shown.

use std::collections::BTreeMap;

use croupier_referee::Conduct;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// How a match ended. The fields are in alphabetical order, as the store has always had them.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub(crate) struct MatchOutcome {
    /// In a real-time match, after how many microseconds of game time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) at_us: Option<u64>,
    /// By role, how its player replied; nothing in a real-time match.
    pub(crate) conduct: BTreeMap<String, RoleConduct>,
    /// By role, if there are goals; absent before all matches on the same deal are over.
    pub(crate) goals: Option<BTreeMap<String, i32>>,
    /// `terminal`, `turn_limit`, `game_error`, `withheld`, `aborted` or `void`.
    pub(crate) status: String,
    /// How many turns were played, or updates of a real-time match computed.
    pub(crate) turns: u64,
}

/// How the player of a role replied.
#[derive(Clone, Debug, Default, Serialize, Deserialize, ToSchema)]
pub(crate) struct RoleConduct {
    /// How many moves it had to make.
    moves: u64,
    /// How many were played for it, by what its replies were instead.
    pub(crate) substituted: BTreeMap<String, u64>,
}

impl From<&Conduct> for RoleConduct {
    fn from(conduct: &Conduct) -> Self {
        let reasons = conduct.reasons().into_iter();
        let substituted = reasons.map(|(reason, times)| (reason.to_owned(), times)).collect();
        Self { moves: conduct.moves, substituted }
    }
}

impl MatchOutcome {
    /// The outcome in the store; an empty one if that is none.
    pub(crate) fn read(stored: &str) -> Self {
        serde_json::from_str(stored).unwrap_or_default()
    }
}
