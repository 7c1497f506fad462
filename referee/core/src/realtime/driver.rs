//! Driving a match: a player says what it will do and when, unless it is told something before then.
//!
//! Nothing here waits. In simulated time, where every instant is reached as soon as it is due, a match of an hour takes a moment,
//! and the same players and seed give the same bytes on any machine.

use std::{mem, sync::Arc};

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

/// Plays a match to its end in simulated time. `watch` is shown every state, and every notice before its receiver.
pub fn run_real_time<S: RealTimeSeat + ?Sized>(
    header: &Arc<RealTimeHeader>,
    secrets: Secrets,
    seats: &mut ByPlayer<Box<S>>,
    mut watch: impl FnMut(Watched<'_>),
) -> RealTimePlayed {
    let mut driver = RealTimeDriver::begin(header, secrets, seats, &mut watch);
    loop {
        let Some(due_us) = driver.due_us() else { return driver.played() };
        driver.reach(due_us);
    }
}

/// A match that is driven in any time, simulated or by a clock: whoever has it says which instant is reached.
pub struct RealTimeDriver<'d, S: ?Sized> {
    machine: RealTimeMatch,
    seats: &'d mut ByPlayer<Box<S>>,
    planned: ByPlayer<NumberedPlan>,
    watch: &'d mut dyn FnMut(Watched<'_>),
    now_us: u64,
    record: Vec<u8>,
    end: Option<RealTimeEnd>,
}

/// A plan with the number that its move will have.
struct NumberedPlan {
    plan: Plan,
    moves_sent: u64,
}

impl<'d, S: RealTimeSeat + ?Sized> RealTimeDriver<'d, S> {
    /// A match that has begun, at instant 0.
    pub fn begin(
        header: &Arc<RealTimeHeader>,
        secrets: Secrets,
        seats: &'d mut ByPlayer<Box<S>>,
        watch: &'d mut dyn FnMut(Watched<'_>),
    ) -> Self {
        let mut driver = Self {
            machine: RealTimeMatch::new(Arc::clone(header), secrets),
            seats,
            planned: ByPlayer::from_fn(header.roles(), |_| NumberedPlan { plan: Plan::Wait, moves_sent: 0 }),
            watch,
            now_us: 0,
            record: Vec::new(),
            end: None,
        };
        driver.step(RealTimeEvent::Begin);
        driver
    }

    /// The next instant at which somebody acts or something expires, in microseconds; `None` when the match is over.
    #[must_use]
    pub fn due_us(&self) -> Option<u64> {
        if self.end.is_some() {
            return None;
        }
        let happens = self.machine.next_us().unwrap_or(self.now_us);
        Some(self.planned.iter().filter_map(|(_, planned)| planned.plan.at_us()).fold(happens, u64::min))
    }

    /// Reaches an instant that is not after the one that is [due](Self::due_us): sends its moves, calls the players who want to
    /// plan, and closes it.
    pub fn reach(&mut self, now_us: u64) {
        self.now_us = now_us;
        let roles: Vec<RoleId> = self.planned.iter().map(|(role, _)| role).collect();
        for role in roles {
            if self.planned[role].plan.at_us() != Some(now_us) {
                continue;
            }
            match mem::replace(&mut self.planned[role].plan, Plan::Wait) {
                Plan::Move { text, at_us } => {
                    let id = self.planned[role].moves_sent;
                    self.planned[role].moves_sent += 1;
                    self.step(RealTimeEvent::Move { role, id, text, at_us, not_before_us: None });
                }
                Plan::Think { .. } => self.ask(role, None),
                Plan::Wait | Plan::Leave => {}
            }
        }
        let leaves = self.planned.iter().any(|(_, planned)| planned.plan == Plan::Leave);
        if leaves { self.leave() } else { self.step(RealTimeEvent::Close { at_us: now_us }) }
    }

    /// Asks a player for another plan at the instant that was reached.
    pub fn ask(&mut self, role: RoleId, notice: Option<&Notice>) {
        self.planned[role].plan = self.seats[role].plan(self.now_us, notice).after(self.now_us);
    }

    /// Ends the match at the instant that was reached.
    pub fn leave(&mut self) {
        self.step(RealTimeEvent::Abort { at_us: self.now_us });
    }

    /// The match.
    ///
    /// # Panics
    /// If it is not over.
    #[must_use]
    pub fn played(self) -> RealTimePlayed {
        RealTimePlayed { record: self.record, end: self.end.expect("a match that is over") }
    }

    fn step(&mut self, event: RealTimeEvent) {
        let mut is_left = false;
        for effect in self.machine.step(event) {
            match effect {
                RealTimeEffect::Append(line) => {
                    self.record.extend_from_slice(line.as_bytes());
                    self.record.push(b'\n');
                }
                RealTimeEffect::Send { role, message: notice } => {
                    (self.watch)(Watched::Notice { role, at_us: self.now_us, notice: &notice });
                    self.ask(role, Some(&notice));
                    is_left |= self.planned[role].plan == Plan::Leave;
                }
                RealTimeEffect::Signal(ReplayUpdate { at_us, moves, state }) => {
                    (self.watch)(Watched::Update { at_us, moves: &moves, state: &state });
                }
                RealTimeEffect::Finish { outcome: end } => self.end = Some(end),
            }
        }
        if is_left && self.end.is_none() {
            self.leave();
        }
    }
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
