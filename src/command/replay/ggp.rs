//! A finished match as the JSON that ggp.org and the programs of its time read.
//!
//! Source: class `Match` of ggp-base, which reads and writes it. It has no percepts; ours are a field of their own.

use std::collections::BTreeMap;

use croupier_referee::{
    Outcome, Record, Replay,
    event::ReplyStatus,
    record::{Entry, TurnLine},
};
use serde_json::{Value, json};

use crate::output::failure::Failure;

/// The match as one object.
///
/// Records know how long everything took, and not when: the match begins at time 0. Nobody counts what it is worth
/// to `random`, which gets 0.
///
/// # Errors
/// If the match is not over: the format shows states, which is nobody's business before.
pub(super) fn as_json(record: &Record, replayed: &Replay) -> Result<Value, Failure> {
    let header = replayed.header();
    let (game, setup) = (header.game(), header.setup());
    let Some(outcome) = replayed.outcome() else {
        return Err(Failure::refuse("unfinished", "the match is not over")
            .help("the format shows every state: it is for finished matches"));
    };
    let roles: Vec<&str> = game.roles().all().map(|role| game.roles().name(role)).collect();
    let state_list = |state| format!("( {} )", game.state_terms(state).join(" "));
    let first = std::iter::once(state_list(game.initial_state()));
    let states: Vec<String> =
        first.chain(replayed.turns().iter().map(|turn| state_list(&turn.successor))).collect();
    let moves: Vec<Vec<_>> = replayed
        .turns()
        .iter()
        .map(|turn| turn.joint_move.moves().iter().map(|(_, &id)| game.move_text(id)).collect())
        .collect();
    let percepts: Vec<Vec<_>> = replayed
        .turns()
        .iter()
        .map(|turn| turn.percepts.iter().map(|(_, seen)| game.percept_terms(seen)).collect())
        .collect();
    let goals = outcome.goals();
    let goal = |role| goals.and_then(|goals| goals.get(role)).map_or(0, |goal| goal.value());
    let clock_s = |ms: u64| ms.div_ceil(1000);
    let Timeline { state_times, errors } = course(record, &roles);
    let players = game.roles().all().map(|role| header.players().get(role).map_or("random", String::as_str));
    Ok(json!({
        "matchId": header.match_id(),
        "randomToken": &record.genesis().commitment.to_string()[..32],
        "startTime": 0,
        "gameMetaURL": setup.game_name.as_deref().unwrap_or_default(),
        "isCompleted": matches!(outcome, Outcome::Terminal { .. }),
        "isAborted": !matches!(outcome, Outcome::Terminal { .. }),
        "states": states,
        "moves": moves,
        "percepts": percepts,
        "stateTimes": state_times,
        "errors": errors,
        "goalValues": goals.map_or_else(Vec::new, |_| game.roles().all().map(goal).collect::<Vec<_>>()),
        "previewClock": -1,
        "startClock": clock_s(setup.clocks.start_ms),
        "playClock": clock_s(setup.clocks.play_ms),
        "playerNamesFromHost": players.collect::<Vec<_>>(),
        "scrambled": false,
    }))
}

/// How a match went on.
struct Timeline {
    /// When each state was reached, in milliseconds.
    state_times: Vec<u64>,
    /// What went wrong for each role, when the match began and in each turn.
    errors: Vec<Vec<String>>,
}

fn course(record: &Record, roles: &[&str]) -> Timeline {
    let (mut longest_ms, mut now_ms) = (0, 0);
    let mut failed: BTreeMap<&str, String> = BTreeMap::new();
    let (mut state_times, mut errors) = (vec![0], Vec::new());
    let mut is_started = false;
    let mut close = |failed: &mut BTreeMap<&str, String>| {
        let of_role = |role: &&str| failed.get(role).cloned().unwrap_or_default();
        errors.push(roles.iter().map(of_role).collect());
        failed.clear();
    };
    for line in record.lines() {
        if line.entry.step().is_some() && !is_started {
            is_started = true;
            now_ms += std::mem::take(&mut longest_ms);
            state_times[0] = now_ms;
            close(&mut failed);
        }
        match &line.entry {
            Entry::Ready { role, failure, elapsed_ms, .. } => {
                longest_ms = longest_ms.max(elapsed_ms.unwrap_or(0));
                failed
                    .extend(failure.map(|failure| (role.as_str(), word(ReplyStatus::Failed(failure), None))));
            }
            Entry::Own(TurnLine::Reply { role, status, own_move, elapsed_ms, .. }) => {
                longest_ms = longest_ms.max(*elapsed_ms);
                if *status != ReplyStatus::Legal {
                    failed.insert(role, word(*status, own_move.as_deref()));
                }
            }
            Entry::Own(TurnLine::Turn { .. }) => {
                now_ms += std::mem::take(&mut longest_ms);
                state_times.push(now_ms);
                close(&mut failed);
            }
            _ => {}
        }
    }
    Timeline { state_times, errors }
}

/// The words of ggp-base: `TO` for too late, `CE` for no connection, `IL` and the reply for what is not legal.
fn word(status: ReplyStatus, own_move: Option<&str>) -> String {
    use croupier_referee::Failure::{
        Busy, Closed, ConnectError, Interrupted, Malformed, PlayerError, Timeout, TooLarge,
    };
    match status {
        ReplyStatus::Legal => String::new(),
        ReplyStatus::Failed(Timeout) => "TO".to_owned(),
        ReplyStatus::Failed(ConnectError | Closed | PlayerError | Interrupted) => "CE".to_owned(),
        ReplyStatus::Failed(TooLarge | Malformed | Busy) | ReplyStatus::Illegal => {
            format!("IL {}", own_move.unwrap_or_default()).trim_end().to_owned()
        }
    }
}
