//! A driver in real time: a thread for each seat, deadlines by the clock.

use std::{
    sync::{Arc, mpsc},
    thread,
    time::Duration,
};

use croupier_engine::{ByPlayer, RoleId};
use croupier_referee::{
    Conduct, Effect, Event, Failure, Header, MatchState, Message, Outcome, Played, Reply, Request, Secrets,
    match_state::read_ready,
};

use crate::{
    clock,
    patience::Patience,
    table::{Happening, Table, serve},
};

/// Who or what chooses the moves of one role, in real time.
pub trait TimedSeat: Send {
    /// Whether [`connect`](Self::connect) does anything.
    fn connects(&self) -> bool {
        false
    }

    /// Gets ready to receive `message`. The clock of the match stands still meanwhile, for all roles.
    ///
    /// # Errors
    /// If the player cannot be reached; [`receive`](Self::receive) then says so again.
    fn connect(&mut self, _message: &Message, _patience: &Patience) -> Result<(), Failure> {
        Ok(())
    }

    /// Answers a message. What is said to STOP and ABORT is not read.
    ///
    /// Whoever comes back when patience is over is late; the match has gone on.
    fn receive(&mut self, message: &Message, patience: &Patience) -> TimedReply;
}

/// What a seat says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimedReply {
    /// A reply, or the lack of one.
    Reply(Reply),
    /// The match is to be aborted, as when a person leaves.
    Leave,
}

/// What becomes of a match when a player cannot be reached at its beginning, goes away at once, or stays busy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The match is void: it does not begin.
    Void,
    /// It is played all the same, with moves of the referee for whoever is absent.
    Played,
}

/// How a match is driven.
#[derive(Clone, Copy)]
pub struct Manner<'m> {
    /// What becomes of it without one of its players.
    pub absence: Absence,
    /// How long a player may answer START by `busy` and is asked again, before it counts as absent. The clock of the match
    /// stands still meanwhile.
    pub busy_max: Duration,
    /// Whether the match is to be aborted; asked many times a second.
    pub is_interrupted: &'m (dyn Fn() -> bool + Sync),
}

impl Manner<'_> {
    /// Everybody has to be there, within half a minute; nobody interrupts.
    pub const STANDARD: Self =
        Self { absence: Absence::Void, busy_max: Duration::from_secs(30), is_interrupted: &|| false };
}

/// What whoever watches a match is shown.
#[derive(Clone, Copy, Debug)]
pub enum Observed<'m> {
    /// This message goes to that role.
    Message(RoleId, &'m Message),
    /// That player is busy with another match, and will be asked again.
    Busy(RoleId),
    /// A move was played for that role, which has answered like this so far.
    Substituted(RoleId, &'m Conduct),
}

/// Plays a match to its end by the clock.
///
/// All messages of a turn are written at about the same time, in the order of the rules, as soon as every player
/// that has to be connected to is connected or has failed to be. A reply is late when it comes more than its clock and
/// [`GRACE_MS`](croupier_referee::header::GRACE_MS) after that; the move is then substituted and the match goes on.
///
/// Nobody is told anything before every player is connected to. A player that cannot be reached then, or goes away
/// instead of answering START, is absent; one that answers `busy` is asked again until [`Manner::busy_max`] is over.
///
/// It returns when the last thread of a seat has come back: a seat that ignores its patience holds up the end.
///
/// # Panics
/// If a seat panics.
pub fn run_timed_match<S: TimedSeat + ?Sized>(
    header: &Arc<Header>,
    secrets: Secrets,
    seats: &mut ByPlayer<Box<S>>,
    manner: &Manner<'_>,
    mut observe: impl FnMut(Observed<'_>),
) -> Played {
    let state = MatchState::new(Arc::clone(header), secrets);
    thread::scope(|scope| {
        let (report, reports) = mpsc::channel();
        let mut orders = Vec::new();
        for (role, seat) in seats.iter_mut() {
            let (order, ordered) = mpsc::channel();
            orders.push((role, seat.connects(), order));
            let report = report.clone();
            scope.spawn(move || serve(role, &mut **seat, &ordered, &report));
        }
        drop(report);
        let table = Table::new(orders, reports, *manner);
        let substituted = ByPlayer::from_fn(header.roles(), |_| 0);
        Drive { state, table, record: Vec::new(), timer: None, substituted }.run(&mut observe)
    })
}

/// A match on its way.
struct Drive<'m> {
    state: MatchState,
    table: Table<'m>,
    record: Vec<u8>,
    timer: Option<(Request, u64)>,
    /// How many moves were played for each role when somebody was last shown.
    substituted: ByPlayer<u64>,
}

impl Drive<'_> {
    fn run(mut self, observe: &mut dyn FnMut(Observed<'_>)) -> Played {
        let mut effects = self.state.step(0, Event::Begin);
        loop {
            let (messages, outcome) = self.perform(effects);
            if let Some(outcome) = outcome {
                self.show_substituted(observe);
                self.table.part(&messages, observe);
                let conducts = self.state.conducts().clone();
                return Played { record: self.record, outcome, conducts };
            }
            self.show_substituted(observe);
            let happening = match self.table.send(&messages, self.timer, observe) {
                Some(happening) => happening,
                None => self.table.wait(self.timer, observe),
            };
            effects = self.take_in(happening, observe);
        }
    }

    /// Does what the match wants done, but for its messages.
    fn perform(&mut self, effects: Vec<Effect>) -> (Vec<(RoleId, Arc<Message>)>, Option<Outcome>) {
        let mut messages = Vec::new();
        let mut outcome = None;
        for effect in effects {
            match effect {
                Effect::Append(line) => self.record.extend_from_slice((line + "\n").as_bytes()),
                Effect::Send { role, message } => messages.push((role, Arc::new(message))),
                Effect::ArmTimer { of, at_ms } => self.timer = Some((of, at_ms)),
                Effect::Finish { outcome: ended } => outcome = Some(ended),
            }
        }
        (messages, outcome)
    }

    fn take_in(&mut self, happening: Happening, observe: &mut dyn FnMut(Observed<'_>)) -> Vec<Effect> {
        let now_ms = self.table.clock.ms(clock::now());
        match happening {
            Happening::Nothing => Vec::new(),
            Happening::Replied { role, to, reply, at } => {
                let starts = to == Request::Start && self.state.awaited().contains(&role);
                if starts
                    && let Some(failure) = read_ready(reply.clone(), self.state.header().game().limits())
                    && let Some(happening) = self.table.not_ready(role, failure, at, observe)
                {
                    return self.take_in(happening, observe);
                }
                self.state.step(self.table.clock.ms(at), Event::Reply { role, to, reply })
            }
            Happening::Absent { role, failure } => self.state.step(now_ms, Event::Void { role, failure }),
            Happening::Deadline { of, at_ms } => self.state.step(at_ms, Event::Deadline { of }),
            Happening::Left => self.state.step(now_ms, Event::Abort),
        }
    }

    /// Shows for whom moves were played since this was last called.
    fn show_substituted(&mut self, observe: &mut dyn FnMut(Observed<'_>)) {
        for (role, conduct) in self.state.conducts().iter() {
            if conduct.substituted() > self.substituted[role] {
                self.substituted[role] = conduct.substituted();
                observe(Observed::Substituted(role, conduct));
            }
        }
    }
}
