//! One real-time match between its events, without a clock and without a socket: decides what is stored before what is told.

use croupier_engine::RoleId;
use croupier_referee::realtime::{Notice, RealTimeEffect, RealTimeEvent, RealTimeMatch};

use crate::outbox::{Gathering, Lines, Outbox};

/// A real-time match whose record is stored line by line, and that tells nobody anything before.
#[derive(Debug)]
pub struct RealTimeActor {
    machine: RealTimeMatch,
    outbox: Outbox<(RoleId, Notice)>,
}

impl RealTimeActor {
    /// A match that has not begun.
    #[must_use]
    pub fn new(machine: RealTimeMatch) -> Self {
        Self::go_on_with(machine, Vec::new(), 0)
    }

    /// A match as [`resume_real_time`](croupier_referee::realtime::resume_real_time) returned it, of whose record this many lines
    /// are stored.
    #[must_use]
    pub fn go_on_with(machine: RealTimeMatch, effects: Vec<RealTimeEffect>, lines: u64) -> Self {
        let mut actor = Self { machine, outbox: Outbox::behind(lines, Gathering::Everything) };
        actor.take_in(effects);
        actor
    }

    /// The match.
    #[must_use]
    pub fn machine(&self) -> &RealTimeMatch {
        &self.machine
    }

    /// Processes an event; [`advance`](Self::advance) says what follows from it.
    pub fn step(&mut self, event: RealTimeEvent) {
        let effects = self.machine.step(event);
        self.take_in(effects);
    }

    /// What may be told now, and the next lines to store; [`stored`](Self::stored) says that they are durable.
    pub fn advance(&mut self) -> (Vec<(RoleId, Notice)>, Option<Lines>) {
        self.outbox.advance()
    }

    /// The lines that were given out are durable.
    pub fn stored(&mut self) {
        self.outbox.stored();
    }

    /// Whether the match is over, and everything is stored and told.
    #[must_use]
    pub fn is_done(&self) -> bool {
        self.machine.end().is_some() && self.outbox.is_done()
    }

    /// States are for nobody; the end is asked of the match.
    fn take_in(&mut self, effects: Vec<RealTimeEffect>) {
        for effect in effects {
            match effect {
                RealTimeEffect::Append(line) => self.outbox.append(line),
                RealTimeEffect::Send { role, message } => self.outbox.follow((role, message)),
                RealTimeEffect::Signal(_) | RealTimeEffect::Finish { .. } => {}
            }
        }
    }
}
