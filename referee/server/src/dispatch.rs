//! What a match has to say to its players and spectators, and when.

use std::{
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_engine::RoleId;
use croupier_referee::Request;

use crate::{cadence::Pace, call::Call, clock, receipt::Owed};

/// What is told once it is due.
pub(crate) enum Outgoing {
    /// A frame for a seat.
    Frame { role: RoleId, frame: Arc<str>, asks: Option<Request> },
    /// That a reply is kept.
    Receipt(Owed),
    /// A message to a player that is called or runs in this process, and the handling of its reply.
    Exchange(Call),
    /// Stored lines, for spectators.
    Lines(Arc<[String]>),
}

/// What is stored and not told yet: all messages of a turn go out together, when the pace says so, whoever replied first.
pub(crate) struct Dispatch {
    pub(crate) pace: Pace,
    /// What instants of the pace are counted from.
    origin: Instant,
    /// When that happened last from which messages follow.
    caused: Instant,
    /// When the last request went out.
    released: Instant,
    /// In the order of the roles.
    outgoing: Vec<Outgoing>,
    /// When it is told.
    release: Option<Instant>,
    /// Receipts for replies, each with the number of lines that have to be durable for it.
    owed: Vec<(u64, Owed)>,
}

impl Dispatch {
    pub(crate) fn new(pace: Pace) -> Self {
        let now = clock::now();
        let (outgoing, owed) = (Vec::new(), Vec::new());
        Self { pace, origin: now, caused: now, released: now, outgoing, release: None, owed }
    }

    /// Messages follow from what happened at this instant.
    pub(crate) fn follow_from(&mut self, at: Instant) {
        self.caused = at;
    }

    /// When the messages that wait are told, if any do.
    pub(crate) fn release(&self) -> Option<Instant> {
        self.release
    }

    pub(crate) fn push(&mut self, outgoing: Outgoing) {
        self.outgoing.push(outgoing);
    }

    /// Gives a receipt once so many lines are durable.
    pub(crate) fn owe(&mut self, lines: u64, owed: Owed, durable: u64) {
        self.owed.push((lines, owed));
        self.give_receipts(durable);
    }

    /// Receipts go out with the messages that follow from the same lines: they tell no more of what the referee computes.
    pub(crate) fn give_receipts(&mut self, durable: u64) {
        let due = self.owed.extract_if(.., |(lines, _)| *lines <= durable);
        self.outgoing.extend(due.map(|(_, owed)| Outgoing::Receipt(owed)));
    }

    /// Says when what waits is told, and whether that is now. What nobody waits for is told at once.
    pub(crate) fn is_due(&mut self) -> bool {
        let is_message =
            |outgoing: &Outgoing| matches!(outgoing, Outgoing::Frame { .. } | Outgoing::Exchange(_));
        if self.release.is_none() && self.outgoing.iter().any(is_message) {
            let (caused, ready) = (self.micros(self.caused), self.micros(clock::now()));
            let release_us = self.pace.release_us(caused, ready);
            self.release = Some(self.origin + Duration::from_micros(release_us));
        }
        !self.outgoing.is_empty() && self.release.is_none_or(|release| release <= clock::now())
    }

    /// What waits, to be told now; and whether messages are among it.
    pub(crate) fn take(&mut self) -> (Vec<Outgoing>, bool) {
        let has_messages = self.release.take().is_some();
        if has_messages {
            self.released = clock::now();
        }
        (mem::take(&mut self.outgoing), has_messages)
    }

    /// The end of the clock that replies count at, if they do not count at once.
    pub(crate) fn clock_end(&self, clock_ms: u64) -> Option<Instant> {
        let clock_us = clock_ms.saturating_mul(1_000);
        let end_us = self.pace.kept_until_us(self.micros(self.released), clock_us);
        end_us.map(|us| self.origin + Duration::from_micros(us))
    }

    /// Microseconds from the origin to an instant.
    fn micros(&self, at: Instant) -> u64 {
        u64::try_from(at.saturating_duration_since(self.origin).as_micros()).unwrap_or(u64::MAX)
    }
}
