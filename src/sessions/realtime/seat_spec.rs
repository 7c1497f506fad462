//! The arguments `--seat ROLE=AGENT` of a real-time game.

use std::fmt;

use croupier_engine::{ByPlayer, Roles};
use croupier_players::{KindError, realtime::RealTimeKind};

use crate::{
    arguments::seating::{HUMAN, kinds_help, named_specs},
    output::failure::Failure,
};

/// Who sits in one role of a real-time match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RealTimeSeatSpec {
    /// A program.
    Player(RealTimeKind),
    /// Somebody at the terminal.
    Human,
}

/// Who sits in a role that no `--seat` names.
const STANDARD: RealTimeKind =
    RealTimeKind::Search { has_tree: false, iterations: 500, particles: 16, every_us: 1_000_000 };

impl fmt::Display for RealTimeSeatSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Player(kind) => kind.fmt(f),
            Self::Human => f.write_str(HUMAN),
        }
    }
}

/// Every agent of real-time games, with what it does.
pub(crate) fn real_time_agents_help() -> String {
    format!("Agents of real-time games (mc is usual):\n{}", kinds_help(RealTimeKind::HELP))
}

/// Whoever is called this: a person at the terminal, or a program.
///
/// # Errors
/// If there is no such program.
pub(crate) fn real_time_spec(agent: &str) -> Result<RealTimeSeatSpec, Failure> {
    if agent == HUMAN {
        Ok(RealTimeSeatSpec::Human)
    } else {
        real_time_player(agent).map(RealTimeSeatSpec::Player)
    }
}

/// Who sits in each role.
///
/// # Errors
/// If a seat is not `ROLE=AGENT`, its role is not a player's or is named twice, or there is no such agent.
pub(crate) fn real_time_seating(
    roles: &Roles,
    seats: &[String],
) -> Result<ByPlayer<RealTimeSeatSpec>, Failure> {
    let named = named_specs(roles, seats, real_time_spec)?;
    Ok(ByPlayer::from_fn(roles, |role| named[role].unwrap_or(RealTimeSeatSpec::Player(STANDARD))))
}

/// An agent of real-time games.
///
/// # Errors
/// If there is no such agent.
pub(crate) fn real_time_player(agent: &str) -> Result<RealTimeKind, Failure> {
    agent.parse().map_err(|error: KindError| {
        Failure::refuse("bad-agent", error.to_string())
            .help("this is a real-time game, which has agents of its own: see `croupier help agents`")
    })
}

/// Refuses options that only matches with turns have, each with its value if it was given.
///
/// # Errors
/// If one was given.
pub(crate) fn refuse_turns(
    options: impl IntoIterator<Item = (&'static str, Option<String>)>,
) -> Result<(), Failure> {
    match options.into_iter().find_map(|(option, value)| Some((option, value?))) {
        None => Ok(()),
        Some((option, value)) => Err(Failure::refuse("no-turns", "nobody takes turns in this game")
            .at_argument(option, &value)
            .help("leave the option out")),
    }
}
