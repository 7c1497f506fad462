//! A playout with everything that happens in it, as JSON Lines.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{ByPlayer, Game, GameError, GoalValue, JointMove, RoleId, Scratch, State, Status};
use rand_core::Rng;
use serde::Serialize;

use super::failures::{Failed, Played, endless};
use crate::output::summary::by_name;

/// The version of the lines.
const VERSION: u32 = 1;

/// One turn of a playout. Terms of the rules are in prefix syntax, such as `(deal king)`. Fields are written in this order.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct TraceLine {
    #[cfg_attr(test, schemars(extend("const" = VERSION)))]
    version: u32,
    /// From 0.
    playout: u64,
    /// Turns before.
    step: usize,
    state: Vec<Arc<str>>,
    terminal: bool,
    /// The legal moves of every role.
    legal: BTreeMap<String, Vec<Arc<str>>>,
    /// The goal of each player in this state, if it has one.
    goal: BTreeMap<String, Option<i32>>,
    /// The moves that are made; not in the last line of a playout.
    #[serde(skip_serializing_if = "Option::is_none")]
    joint: Option<BTreeMap<String, Arc<str>>>,
    /// What each player is told of them; not where everybody sees every move.
    #[serde(skip_serializing_if = "Option::is_none")]
    sees: Option<BTreeMap<String, Vec<Arc<str>>>>,
    /// What the rules do wrong in this state: the last line of a playout that failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// Where a playout is.
#[derive(Clone, Copy)]
struct Moment<'s> {
    playout: u64,
    /// Turns before.
    step: usize,
    state: &'s State,
}

/// What comes after a turn.
enum Next {
    State(State),
    Over(ByPlayer<GoalValue>),
}

/// The playout that [`Game::playout`] makes with the same generator, with a line a turn added to `lines`.
///
/// It fails also for the goals of states that are not terminal. The last line is then that of the state in which it fails,
/// with as much as can be said of it.
pub(super) fn playout(
    game: &Game,
    playout: u64,
    rng: &mut impl Rng,
    scratch: &mut Scratch,
    lines: &mut Vec<u8>,
) -> Played {
    let mut state = game.initial_state().clone();
    let mut turns = 0;
    loop {
        match turn(game, Moment { playout, step: turns, state: &state }, rng, scratch, lines) {
            Ok(Next::State(successor)) => (state, turns) = (successor, turns + 1),
            Ok(Next::Over(goals)) => return Ok((goals, turns)),
            Err(error) => {
                write(&failing(game, Moment { playout, step: turns, state: &state }, &error, scratch), lines);
                return Err(Failed { error, playout, turns, state });
            }
        }
    }
}

/// Plays a turn; its line is there if nothing failed.
fn turn(
    game: &Game,
    moment: Moment<'_>,
    rng: &mut impl Rng,
    scratch: &mut Scratch,
    lines: &mut Vec<u8>,
) -> Result<Next, GameError> {
    let Moment { playout, step, state } = moment;
    let joint_move = game.random_joint_move(state, rng, scratch)?;
    if joint_move.is_some() && step == game.limits().turns {
        return Err(endless(game));
    }
    let line = TraceLine {
        version: VERSION,
        playout,
        step,
        state: game.state_terms(state),
        terminal: joint_move.is_none(),
        legal: legal(game, state, scratch)?,
        goal: goals(game, state, scratch)?,
        joint: joint_move.as_ref().map(|joint_move| joint(game, joint_move)),
        sees: match &joint_move {
            Some(joint_move) if !game.has_full_sight() => Some(sees(game, state, joint_move, scratch)?),
            _ => None,
        },
        error: None,
    };
    let next = match joint_move {
        Some(joint_move) => Next::State(game.successor(state, &joint_move, scratch)?),
        None => match game.status(state, scratch)? {
            Status::Terminal { goals } => Next::Over(goals),
            Status::Running { .. } => unreachable!("a state without a joint move is terminal"),
        },
    };
    write(&line, lines);
    Ok(next)
}

fn write(line: &TraceLine, lines: &mut Vec<u8>) {
    serde_json::to_writer(&mut *lines, line).expect("a trace line is plain data, and memory takes it");
    lines.push(b'\n');
}

/// The line of a state in which the rules fail: what cannot be computed is left empty.
fn failing(game: &Game, moment: Moment<'_>, error: &GameError, scratch: &mut Scratch) -> TraceLine {
    let Moment { playout, step, state } = moment;
    TraceLine {
        version: VERSION,
        playout,
        step,
        state: game.state_terms(state),
        terminal: game.is_terminal(state, scratch).unwrap_or_default(),
        legal: legal(game, state, scratch).unwrap_or_default(),
        goal: goals(game, state, scratch).unwrap_or_default(),
        joint: None,
        sees: None,
        error: Some(error.to_string()),
    }
}

fn legal(
    game: &Game,
    state: &State,
    scratch: &mut Scratch,
) -> Result<BTreeMap<String, Vec<Arc<str>>>, GameError> {
    let of_role = |role: RoleId| {
        let moves = game.legal_moves(state, role, scratch)?;
        let texts = moves.into_iter().map(|id| game.move_text(id)).collect();
        Ok((game.roles().name(role).to_owned(), texts))
    };
    game.roles().all().map(of_role).collect()
}

/// The goal of each player, null where there is none that counts.
fn goals(
    game: &Game,
    state: &State,
    scratch: &mut Scratch,
) -> Result<BTreeMap<String, Option<i32>>, GameError> {
    let of_role = |role: RoleId| {
        let goal = match game.goal(state, role, scratch) {
            Err(GameError::GoalOutOfRange { .. } | GameError::SeveralGoals { .. }) => None,
            goal => goal?.map(|goal| goal.value()),
        };
        Ok((game.roles().name(role).to_owned(), goal))
    };
    game.roles().players().map(of_role).collect()
}

fn joint(game: &Game, joint_move: &JointMove) -> BTreeMap<String, Arc<str>> {
    by_name(game.roles(), joint_move.moves().iter().map(|(role, &id)| (role, game.move_text(id))))
}

fn sees(
    game: &Game,
    state: &State,
    joint_move: &JointMove,
    scratch: &mut Scratch,
) -> Result<BTreeMap<String, Vec<Arc<str>>>, GameError> {
    let percepts =
        ByPlayer::try_from_fn(game.roles(), |role| game.percepts(state, joint_move, role, scratch))?;
    Ok(by_name(game.roles(), percepts.iter().map(|(role, percepts)| (role, game.percept_terms(percepts)))))
}

#[cfg(test)]
#[test]
fn the_schema_describes_a_line() {
    crate::output::schema::tests::assert_describes_lines::<TraceLine>(crate::output::schema::Schema::Trace);
}
