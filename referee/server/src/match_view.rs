//! A match as anybody may see it.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::{
    cadence::Cadence,
    handle::MatchHandle,
    outcome::MatchOutcome,
    setup::{Spectators, StoredSetup},
    store::StoredMatch,
};

/// A match as anybody may see it.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct MatchView {
    id: String,
    /// The name of the game, if it has one here.
    game: Option<String>,
    /// The players, by role.
    players: BTreeMap<String, String>,
    /// `waiting`, `running`, or how it ended: `terminal`, `turn_limit`, `game_error`, `aborted`, `void`.
    status: String,
    /// How many turns were played.
    turns: Option<u64>,
    /// How it ended.
    #[schema(value_type = Option<MatchOutcome>)]
    outcome: Option<Value>,
    /// SHA-256 that binds the server to the seed.
    commitment: Option<String>,
    spectators: Option<Spectators>,
    cadence: Option<Cadence>,
    /// Whether it changes the ratings of its players.
    rated: bool,
    created_ms: i64,
}

impl MatchView {
    /// A match, and how far it is if it runs here.
    pub(crate) fn of(stored: &StoredMatch, live: Option<&MatchHandle>) -> Self {
        let setup = StoredSetup::read(&stored.setup).ok();
        let progress = live.map(|handle| handle.progress.borrow().clone());
        let mut outcome = stored.outcome.as_deref().and_then(|text| serde_json::from_str::<Value>(text).ok());
        if let Some(Value::Object(outcome)) = outcome.as_mut().filter(|_| stored.shared.deal) {
            outcome.remove("goals");
        }
        let turns = progress.as_ref().map(|progress| u64::from(progress.turns));
        let status = progress.as_ref().map_or(stored.status.as_str(), |progress| progress.status);
        Self {
            id: stored.id.clone(),
            players: setup.as_ref().map(StoredSetup::public_descriptions).unwrap_or_default(),
            status: status.to_owned(),
            turns: turns.or_else(|| outcome.as_ref().and_then(|outcome| outcome["turns"].as_u64())),
            outcome,
            rated: stored.is_rated,
            created_ms: stored.created_ms,
            commitment: setup.as_ref().map(|setup| setup.commitment.clone()),
            spectators: setup.as_ref().map(|setup| setup.spectators),
            cadence: setup.as_ref().map(|setup| setup.cadence),
            game: setup.and_then(|setup| setup.game),
        }
    }

    /// Adds the names of players who have taken open seats.
    pub(crate) fn name_players(&mut self, names: BTreeMap<String, Option<String>>) {
        self.players.extend(names.into_iter().filter_map(|(role, name)| Some((role, name?))));
    }
}
