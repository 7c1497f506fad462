//! A driver in real time: a thread for each seat, deadlines by the clock.

use std::{
    sync::{
        Arc,
        mpsc::{self, Receiver, RecvTimeoutError, Sender},
    },
    thread,
    time::{Duration, Instant},
};

use croupier_engine::{ByPlayer, RoleId};
use croupier_referee::{Effect, Event, Header, MatchState, Message, Played, Reply, Request, Secrets};

use crate::{clock, connection::CONNECT_IN_ALL_MAX};

/// How long a player may take to answer STOP or ABORT; nothing depends on what it says.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long a reply that came before the deadline may take from one thread to another.
const HANDOVER: Duration = Duration::from_millis(5);

/// Who or what chooses the moves of one role, in real time.
pub trait TimedSeat: Send {
    /// Whether [`connect`](Self::connect) does anything.
    fn connects(&self) -> bool {
        false
    }

    /// Gets ready to receive `message`. The clock of the match stands still meanwhile, for all roles.
    fn connect(&mut self, _message: &Message) {}

    /// Answers a message. What is said to STOP and ABORT is not read.
    ///
    /// Whoever comes back after `deadline` is late; the match has gone on.
    fn receive(&mut self, message: &Message, deadline: Instant) -> TimedReply;
}

/// What a seat says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TimedReply {
    /// A reply, or the lack of one.
    Reply(Reply),
    /// The match is to be aborted, as when a person leaves.
    Leave,
}

/// What a seat's thread is asked to do.
enum Order {
    Connect(Arc<Message>),
    Receive { message: Arc<Message>, to: Option<Request>, deadline: Instant },
}

/// What comes back from it.
enum Report {
    Connected,
    Replied { role: RoleId, to: Option<Request>, reply: TimedReply, at: Instant },
}

/// Plays a match to its end by the clock.
///
/// All messages of a turn are written at about the same time, in the order of the rules, as soon as every player
/// that has to be connected to is connected or has failed to be. A reply is late when it comes more than its clock and
/// [`GRACE_MS`](croupier_referee::header::GRACE_MS) after that; the move is then substituted and the match goes on.
/// `observe` is shown every message before its receiver.
///
/// It returns when the last thread of a seat has come back: a seat that ignores its deadline holds up the end.
///
/// # Panics
/// If a seat panics.
pub fn run_timed_match<S: TimedSeat + ?Sized>(
    header: &Arc<Header>,
    secrets: Secrets,
    seats: &mut ByPlayer<Box<S>>,
    mut observe: impl FnMut(RoleId, &Message),
) -> Played {
    let mut state = MatchState::new(Arc::clone(header), secrets);
    thread::scope(|scope| {
        let (report, reports) = mpsc::channel();
        let mut orders: Vec<(RoleId, bool, Sender<Order>)> = Vec::new();
        for (role, seat) in seats.iter_mut() {
            let (order, ordered) = mpsc::channel();
            orders.push((role, seat.connects(), order));
            let report = report.clone();
            scope.spawn(move || serve(role, &mut **seat, &ordered, &report));
        }
        drop(report);
        let mut table = Table { orders, reports, clock: MatchClock::start(), early: Vec::new() };
        let mut record = Vec::new();
        let mut timer: Option<(Request, u64)> = None;
        let mut effects = state.step(0, Event::Begin);
        loop {
            let mut messages: Vec<(RoleId, Arc<Message>)> = Vec::new();
            let mut outcome = None;
            for effect in effects {
                match effect {
                    Effect::Append(line) => record.extend_from_slice((line + "\n").as_bytes()),
                    Effect::Send { role, message } => {
                        observe(role, &message);
                        messages.push((role, Arc::new(message)));
                    }
                    Effect::ArmTimer { of, at_ms } => timer = Some((of, at_ms)),
                    Effect::Finish { outcome: ended } => outcome = Some(ended),
                }
            }
            if !messages.is_empty() {
                table.send(&messages, timer.filter(|_| outcome.is_none()));
            }
            if let Some(outcome) = outcome {
                return Played { record, outcome };
            }
            effects = table.next(&mut state, timer);
        }
    })
}

/// The work of a seat's thread, until nobody has orders for it.
fn serve<S: TimedSeat + ?Sized>(
    role: RoleId,
    seat: &mut S,
    orders: &Receiver<Order>,
    report: &Sender<Report>,
) {
    for order in orders {
        let made = match order {
            Order::Connect(message) => {
                seat.connect(&message);
                Report::Connected
            }
            Order::Receive { message, to, deadline } => {
                let reply = seat.receive(&message, deadline);
                Report::Replied { role, to, reply, at: clock::now() }
            }
        };
        // Nobody listens any more when the match is over.
        let _ = report.send(made);
    }
}

/// The seats as the driver sees them.
struct Table {
    /// By role, whether it is connected to, and where its orders go.
    orders: Vec<(RoleId, bool, Sender<Order>)>,
    reports: Receiver<Report>,
    clock: MatchClock,
    /// Replies to earlier requests that came while others were connected to.
    early: Vec<Report>,
}

impl Table {
    /// Connects to all receivers that need it and then sends them their messages.
    fn send(&mut self, messages: &[(RoleId, Arc<Message>)], timer: Option<(Request, u64)>) {
        let begun = clock::now();
        let mut connecting = 0;
        for (role, message) in messages {
            if let Some((_, true, orders)) = self.orders.iter().find(|(of, _, _)| of == role) {
                connecting += usize::from(orders.send(Order::Connect(Arc::clone(message))).is_ok());
            }
        }
        // Every seat keeps to its budget; the bound is for those that are not of this package.
        let latest = begun + CONNECT_IN_ALL_MAX + Duration::from_secs(1);
        while connecting > 0 {
            match self.reports.recv_timeout(latest.saturating_duration_since(clock::now())) {
                Ok(Report::Connected) => connecting -= 1,
                Ok(reply) => self.early.push(reply),
                Err(_) => break,
            }
        }
        self.clock.leave_out(begun.elapsed());
        let (to, deadline) = match timer {
            Some((of, at_ms)) => (Some(of), self.clock.instant(at_ms)),
            None => (None, clock::now() + FAREWELL),
        };
        for (role, message) in messages {
            if let Some((_, _, orders)) = self.orders.iter().find(|(of, _, _)| of == role) {
                let message = Arc::clone(message);
                // A thread that is gone panicked, which the end of the scope tells.
                let _ = orders.send(Order::Receive { message, to, deadline });
            }
        }
    }

    /// Waits for what happens next, and gives it to the match.
    fn next(&mut self, state: &mut MatchState, timer: Option<(Request, u64)>) -> Vec<Effect> {
        let (of, at_ms) = timer.expect("a match that has not ended waits for someone");
        let latest = self.clock.instant(at_ms) + HANDOVER;
        let report = match self.early.pop() {
            Some(report) => Ok(report),
            None => self.reports.recv_timeout(latest.saturating_duration_since(clock::now())),
        };
        match report {
            Ok(Report::Connected) => Vec::new(),
            Ok(Report::Replied { reply: TimedReply::Leave, at, .. }) => {
                state.step(self.clock.ms(at), Event::Abort)
            }
            Ok(Report::Replied { role, to: Some(to), reply: TimedReply::Reply(reply), at }) => {
                state.step(self.clock.ms(at), Event::Reply { role, to, reply })
            }
            Ok(Report::Replied { to: None, .. }) => Vec::new(),
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                state.step(at_ms, Event::Deadline { of })
            }
        }
    }
}

/// The clock of a match: milliseconds since it began, without the time that connections took.
struct MatchClock {
    begun: Instant,
    left_out: Duration,
}

impl MatchClock {
    fn start() -> Self {
        Self { begun: clock::now(), left_out: Duration::ZERO }
    }

    fn leave_out(&mut self, time: Duration) {
        self.left_out += time;
    }

    fn ms(&self, at: Instant) -> u64 {
        let elapsed = at.saturating_duration_since(self.begun).saturating_sub(self.left_out);
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    fn instant(&self, at_ms: u64) -> Instant {
        self.begun + self.left_out + Duration::from_millis(at_ms)
    }
}
