//! How a real-time match ended, as data.

use std::collections::BTreeMap;

use croupier_engine::Roles;
use croupier_games::GameFacts;
use croupier_referee::realtime::RealTimeEnd;
use serde::Serialize;

use crate::output::summary;

/// How a match ended.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct EndReport {
    /// When it ended, in microseconds of game time.
    at_us: u64,
    updates: u32,
    status: &'static str,
    /// What each player got, in goal values; null if there is no result.
    goals: Option<BTreeMap<String, i32>>,
    /// What each player got, in the game's `unit`; null if there is no result, or the game has no unit.
    payoffs: Option<BTreeMap<String, f64>>,
}

impl EndReport {
    pub(crate) fn new(end: &RealTimeEnd, roles: &Roles, facts: &GameFacts) -> Self {
        let (status, goals) = (end.outcome.status(), end.outcome.goals());
        let payoffs = summary::payoffs(roles, facts, goals);
        Self { at_us: end.at_us, updates: end.updates, status, goals: summary::goals(roles, goals), payoffs }
    }
}
