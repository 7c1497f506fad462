//! How a match of a session ended, from its record alone: whatever the server was told before it died does not count.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{ByRole, Game, State};
use croupier_games::StackPattern;
use croupier_referee::{
    Digest, read_records,
    record::{Entry, TurnLine},
};
use croupier_session::MatchOver;

use crate::outcome::MatchOutcome;

/// What the next match of a session begins with: what the last state of a match in turns says that everybody has.
pub(super) struct LeftBehind {
    pub(super) game: Arc<Game>,
    pub(super) pattern: StackPattern,
}

/// How a match of a session ended.
///
/// Its record was written by the referee and is taken as it is: who verifies a session checks it.
pub(super) fn match_over(
    index: u64,
    outcome: &MatchOutcome,
    record: &str,
    left: Option<&LeftBehind>,
) -> MatchOver {
    let goals = outcome.goals.as_ref().filter(|_| outcome.status == "terminal");
    let last = left.and_then(|LeftBehind { game, pattern }| {
        let state = last_state(record, game)?;
        let fluents = game.state_terms(&state);
        let read = fluents.iter().filter(|fluent| pattern.read(fluent).is_some());
        Some(read.map(ToString::to_string).collect())
    });
    let by_role = |goals: &BTreeMap<String, i32>| {
        goals.iter().map(|(role, goal)| (role.clone(), i64::from(*goal))).collect()
    };
    MatchOver {
        index,
        goals: goals.map(by_role),
        last: last.unwrap_or_default(),
        record: (!record.is_empty()).then(|| Digest::of(record.as_bytes())),
    }
}

/// The last state of a match: its moves are played again.
fn last_state(record: &str, game: &Game) -> Option<State> {
    let records = read_records(record.as_bytes()).ok()?;
    let (mut scratch, mut state) = (game.scratch(), game.initial_state().clone());
    for line in records.first()?.lines() {
        let Entry::Own(TurnLine::Turn { moves, .. }) = &line.entry else { continue };
        let ids = ByRole::try_from_fn(game.roles(), |role| {
            let text = moves.get(game.roles().name(role)).map_or("", String::as_str);
            game.find_move(&state, role, text, &mut scratch)
        });
        let joint_move = game.joint_move(&state, ids.ok()?, &mut scratch).ok()?;
        state = game.turn(&state, &joint_move, &mut scratch).ok()?.successor;
    }
    Some(state)
}
