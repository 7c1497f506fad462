//! A driver in simulated time: a player says what it will do and when, unless it is told something before then.
//!
//! Nothing here waits, so a match of an hour takes a moment, and the same players and seed give the same bytes on any
//! machine.

use std::sync::Arc;

use croupier_engine::{ByPlayer, RoleId, realtime::TimedState};

use super::{
    Notice, RealTimeEffect, RealTimeEnd, RealTimeEvent, RealTimeHeader, RealTimeMatch, ReplayUpdate,
};
use crate::match_state::Secrets;

/// A player's plan, valid until it is told something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Plan {
    /// Nothing.
    Wait,
    /// This move at this instant.
    Move {
        /// The move.
        text: String,
        /// When, in microseconds of game time.
        at_us: u64,
    },
    /// Plan again at this instant.
    Think {
        /// When, in microseconds of game time.
        at_us: u64,
    },
    /// To end the match, as when a person leaves.
    Leave,
}

/// Who or what plays a role of a real-time match.
pub trait RealTimeSeat {
    /// Called when the player is told something or a planned instant is reached; returns a new plan.
    ///
    /// A plan for `now_us` or earlier is delayed by a microsecond: nobody acts at the instant of the event it reacts to.
    fn plan(&mut self, now_us: u64, notice: Option<&Notice>) -> Plan;
}

/// The events of a match, for observers who may see everything.
#[derive(Clone, Copy, Debug)]
pub enum Watched<'m> {
    /// A new state.
    Update {
        /// The instant in microseconds.
        at_us: u64,
        /// Who played what.
        moves: &'m [(String, String)],
        /// The state after it.
        state: &'m TimedState,
    },
    /// A player is told something.
    Notice {
        /// The receiver.
        role: RoleId,
        /// The instant in microseconds.
        at_us: u64,
        /// The notice.
        notice: &'m Notice,
    },
}

/// A real-time match after its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTimePlayed {
    /// The record: lines that end with newlines.
    pub record: Vec<u8>,
    /// How it ended.
    pub end: RealTimeEnd,
}

/// A plan with the number that its move will have.
struct Planned {
    plan: Plan,
    moves_sent: u64,
}

/// Plays a match to its end in simulated time. `watch` is shown every state, and every notice before its receiver.
pub fn run_real_time<S: RealTimeSeat + ?Sized>(
    header: &Arc<RealTimeHeader>,
    secrets: Secrets,
    seats: &mut ByPlayer<Box<S>>,
    mut watch: impl FnMut(Watched<'_>),
) -> RealTimePlayed {
    let mut machine = RealTimeMatch::new(Arc::clone(header), secrets);
    let mut planned = ByPlayer::from_fn(header.roles(), |_| Planned { plan: Plan::Wait, moves_sent: 0 });
    let mut record = Vec::new();
    let mut now_us = 0;
    let mut effects = machine.step(RealTimeEvent::Begin);
    loop {
        let mut is_left = false;
        for effect in effects {
            match effect {
                RealTimeEffect::Append(line) => {
                    record.extend_from_slice(line.as_bytes());
                    record.push(b'\n');
                }
                RealTimeEffect::Send { role, message: notice } => {
                    watch(Watched::Notice { role, at_us: now_us, notice: &notice });
                    planned[role].plan = seats[role].plan(now_us, Some(&notice)).after(now_us);
                    is_left |= planned[role].plan == Plan::Leave;
                }
                RealTimeEffect::Signal(ReplayUpdate { at_us, moves, state }) => {
                    watch(Watched::Update { at_us, moves: &moves, state: &state })
                }
                RealTimeEffect::Finish { outcome: end } => return RealTimePlayed { record, end },
            }
        }
        if is_left {
            effects = machine.step(RealTimeEvent::Abort { at_us: now_us });
            continue;
        }
        let happens = machine.next_us().unwrap_or(now_us);
        now_us = planned.iter().filter_map(|(_, planned)| planned.plan.at_us()).fold(happens, u64::min);
        effects = act(&mut machine, seats, &mut planned, now_us);
    }
}

/// Sends the moves of an instant, calls the players who want to plan, and closes the instant.
fn act<S: RealTimeSeat + ?Sized>(
    machine: &mut RealTimeMatch,
    seats: &mut ByPlayer<Box<S>>,
    planned: &mut ByPlayer<Planned>,
    now_us: u64,
) -> Vec<RealTimeEffect> {
    let roles: Vec<RoleId> = planned.iter().map(|(role, _)| role).collect();
    let mut effects = Vec::new();
    for role in roles {
        if planned[role].plan.at_us() != Some(now_us) {
            continue;
        }
        match std::mem::replace(&mut planned[role].plan, Plan::Wait) {
            Plan::Move { text, at_us } => {
                let id = planned[role].moves_sent;
                planned[role].moves_sent += 1;
                effects.extend(machine.step(RealTimeEvent::Move {
                    role,
                    id,
                    text,
                    at_us,
                    not_before_us: None,
                }));
            }
            Plan::Think { .. } => planned[role].plan = seats[role].plan(now_us, None).after(now_us),
            Plan::Wait | Plan::Leave => {}
        }
    }
    if planned.iter().any(|(_, planned)| planned.plan == Plan::Leave) {
        effects.extend(machine.step(RealTimeEvent::Abort { at_us: now_us }));
    } else {
        effects.extend(machine.step(RealTimeEvent::Close { at_us: now_us }));
    }
    effects
}

impl Plan {
    /// The intended instant, in microseconds; `None` if there is none.
    #[must_use]
    pub fn at_us(&self) -> Option<u64> {
        match self {
            Self::Move { at_us, .. } | Self::Think { at_us } => Some(*at_us),
            Self::Wait | Self::Leave => None,
        }
    }

    /// The plan as it can be carried out after an instant: not before the next microsecond.
    #[must_use]
    pub fn after(self, now_us: u64) -> Self {
        match self {
            Self::Move { text, at_us } => Self::Move { text, at_us: at_us.max(now_us + 1) },
            Self::Think { at_us } => Self::Think { at_us: at_us.max(now_us + 1) },
            Self::Wait | Self::Leave => self,
        }
    }
}
