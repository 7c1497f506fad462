//! Runs played again with the reasoner, which shares nothing with classes of states.

use croupier_engine::{
    FluentId,
    realtime::{RealTimeError, RealTimeGame, TimedState},
};

use super::question::{RunEnd, TimedRun};

/// The states of a match at the start and after each update; `None` if it breaks the rules.
pub(super) fn states_along(game: &RealTimeGame, run: &TimedRun) -> Option<Vec<TimedState>> {
    let mut scratch = game.lifted_scratch();
    let mut states = vec![game.initial_state().clone()];
    let mut now = 0;
    for (number, event) in run.events.iter().enumerate() {
        let state = states.last().expect("the first");
        if game.is_terminal(state, &mut scratch).ok()? {
            return None;
        }
        let legal = game.legal_moves(state, &mut scratch).ok()?;
        let are_legal = event.moves.iter().all(|(role, played)| legal[*role].contains(played));
        let random = game.roles().random().filter(|&random| !legal[random].is_empty());
        let time = event.at_us.checked_sub(now)?;
        let is_in_time = match random {
            Some(random) => time == 0 && event.moves.len() == 1 && event.moves[0].0 == random,
            None => time > 0 && !(event.moves.is_empty() && event.expired.is_empty()),
        };
        if !are_legal || !is_in_time {
            return None;
        }
        let is_last = number + 1 == run.events.len();
        match game.update(state, time, &event.moves, &mut scratch) {
            Ok(update) => states.push(update.successor),
            Err(RealTimeError::Lifetime { .. }) if is_last && run.end == RunEnd::Fails => {
                return Some(states);
            }
            Err(_) => return None,
        }
        if !states.last()?.expired().eq(event.expired.iter().copied()) {
            return None;
        }
        now = event.at_us;
    }
    (run.end != RunEnd::Fails).then_some(states)
}

/// Whether a match can be played as it says, and ends as it says.
pub(super) fn is_confirmed(game: &RealTimeGame, run: &TimedRun) -> bool {
    let Some(states) = states_along(game, run) else { return false };
    let last = states.last().expect("the first");
    match run.end {
        RunEnd::Update | RunEnd::Fails => true,
        RunEnd::Returns(update) => {
            let before = states.get(update).filter(|_| update + 1 < states.len());
            before.is_some_and(|before| before.facts().eq(last.facts()))
        }
        RunEnd::Repeats(update) => {
            let between = run.events.get(update..).unwrap_or_default();
            !between.is_empty()
                && between.iter().all(|event| event.expired.is_empty())
                && holding(&states[update]) == holding(last)
        }
        RunEnd::Waits => {
            let mut scratch = game.lifted_scratch();
            let is_over = game.is_terminal(last, &mut scratch);
            let legal = game.legal_moves(last, &mut scratch);
            let chance_moves = |random| legal.as_ref().is_ok_and(|legal| !legal[random].is_empty());
            last.next_expiry().is_none()
                && is_over == Ok(false)
                && legal.is_ok()
                && !game.roles().random().is_some_and(chance_moves)
        }
    }
}

/// What holds in a state, and which of it for ever.
pub(super) fn holding(state: &TimedState) -> Vec<(FluentId, bool)> {
    let mut facts: Vec<(FluentId, bool)> =
        state.facts().map(|(fluent, lifetime)| (fluent, lifetime.micros().is_none())).collect();
    facts.dedup();
    facts
}
