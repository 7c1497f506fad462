//! The seats of a match as its driver sees them: orders go out, reports come back.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender},
    },
    time::{Duration, Instant},
};

use croupier_engine::RoleId;
use croupier_referee::{Failure, Message, Reply, Request};

use crate::{
    clock::{self, MatchClock},
    connection::{CONNECT_IN_ALL_MAX, CONNECT_MAX},
    driver_options::{Absence, DriverOptions, Observed},
    patience::{Patience, SLICE},
    timed_seat::{TimedReply, TimedSeat},
};

/// How long a player may take to answer STOP or ABORT; the reply does not matter.
const FAREWELL: Duration = Duration::from_secs(2);

/// How long a reply that came before the deadline may take from one thread to another.
const HANDOVER: Duration = Duration::from_millis(5);

/// The interval at which a busy player is asked again.
const BUSY_PAUSE: Duration = Duration::from_millis(500);

/// An order to a seat's thread.
pub(crate) enum Order {
    /// Get ready to receive this.
    Connect(Arc<Message>, Patience),
    /// Answer this.
    Receive { message: Arc<Message>, to: Request, patience: Patience },
    /// Receive the last message, whose reply is not awaited.
    Part(Arc<Message>),
}

/// An answer of a seat's thread.
pub(crate) enum Report {
    Connected { role: RoleId, result: Result<(), Failure> },
    Replied { role: RoleId, to: Request, reply: TimedReply, at: Instant },
}

/// A condition that the driver has to handle.
pub(crate) enum Happening {
    /// Nothing yet.
    Nothing,
    /// A player answered.
    Replied { role: RoleId, to: Request, reply: Reply, at: Instant },
    /// A player cannot be reached, and the match needs it.
    Absent { role: RoleId, failure: Failure },
    /// The time for a request is over.
    Deadline { of: Request, at_ms: u64 },
    /// The match is to be aborted.
    Left,
}

/// The work of a seat's thread, until there are no more orders.
pub(crate) fn serve<S: TimedSeat + ?Sized>(
    role: RoleId,
    seat: &mut S,
    orders: &Receiver<Order>,
    report: &Sender<Report>,
) {
    for order in orders {
        let made = match order {
            Order::Connect(message, patience) => {
                Report::Connected { role, result: seat.connect(&message, &patience) }
            }
            Order::Receive { message, to, patience } => {
                let reply = seat.receive(&message, &patience);
                Report::Replied { role, to, reply, at: clock::now() }
            }
            Order::Part(message) => {
                let patience = |time| Patience::new(clock::now() + time, &Arc::default());
                if seat.connect(&message, &patience(CONNECT_MAX)).is_ok() {
                    seat.receive(&message, &patience(FAREWELL));
                }
                continue;
            }
        };
        // Nobody listens any more when the match is over.
        let _ = report.send(made);
    }
}

/// The seats as the driver sees them.
pub(crate) struct Table<'m> {
    seats: Vec<SeatThread>,
    reports: Receiver<Report>,
    pub(crate) clock: MatchClock,
    driver_options: DriverOptions<'m>,
    /// Set when pending replies are no longer wanted.
    is_over: Arc<AtomicBool>,
    /// Replies to earlier requests that came while others were connected to.
    early: Vec<Report>,
    /// Since when players have been busy, and when they are asked again.
    busy: Option<(Instant, Instant)>,
}

/// One seat.
struct SeatThread {
    role: RoleId,
    connects: bool,
    orders: Sender<Order>,
    /// The first message, once it was sent.
    started: Option<Arc<Message>>,
    is_busy: bool,
}

impl<'m> Table<'m> {
    pub(crate) fn new(
        seats: Vec<(RoleId, bool, Sender<Order>)>,
        reports: Receiver<Report>,
        driver_options: DriverOptions<'m>,
    ) -> Self {
        let place =
            |(role, connects, orders)| SeatThread { role, connects, orders, started: None, is_busy: false };
        Self {
            seats: seats.into_iter().map(place).collect(),
            reports,
            clock: MatchClock::start(),
            driver_options,
            is_over: Arc::default(),
            early: Vec::new(),
            busy: None,
        }
    }

    /// Connects to all receivers that need it and then sends them their messages. Returns the reason if it did not.
    pub(crate) fn send(
        &mut self,
        messages: &[(RoleId, Arc<Message>)],
        timer: Option<(Request, u64)>,
        observe: &mut dyn FnMut(Observed<'_>),
    ) -> Option<Happening> {
        let (to, at_ms) = timer.filter(|_| !messages.is_empty())?;
        let missing = match self.connect(messages) {
            Ok(missing) => missing,
            Err(left) => return Some(left),
        };
        if to == Request::Start
            && self.driver_options.absence == Absence::Void
            && let Some((role, failure)) = missing
        {
            return Some(Happening::Absent { role, failure });
        }
        for (role, message) in messages {
            observe(Observed::Message(*role, message));
            self.order(*role, message, to, at_ms);
        }
        Some(Happening::Nothing)
    }

    /// Tells everyone who was told of the start that the match is over.
    pub(crate) fn part(
        &mut self,
        messages: &[(RoleId, Arc<Message>)],
        observe: &mut dyn FnMut(Observed<'_>),
    ) {
        self.is_over.store(true, Ordering::Relaxed);
        for (role, message) in messages {
            if let Some(place) =
                self.seats.iter().find(|place| place.role == *role && place.started.is_some())
            {
                observe(Observed::Message(*role, message));
                // A thread that is gone panicked, which the end of the scope tells.
                let _ = place.orders.send(Order::Part(Arc::clone(message)));
            }
        }
    }

    /// Waits for what happens next, or a moment.
    pub(crate) fn wait(
        &mut self,
        timer: Option<(Request, u64)>,
        observe: &mut dyn FnMut(Observed<'_>),
    ) -> Happening {
        let (of, at_ms) = timer.expect("a match that has not ended waits for someone");
        if (self.driver_options.is_interrupted)() {
            return Happening::Left;
        }
        if self.busy.is_some_and(|(_, again)| clock::now() >= again) {
            self.ask_again(at_ms, observe);
        }
        let latest = self.clock.instant(at_ms).map(|at| at + HANDOVER);
        let left = latest.map_or(SLICE, |latest| latest.saturating_duration_since(clock::now()));
        let report = match self.early.pop() {
            Some(report) => Ok(report),
            None => self.reports.recv_timeout(left.min(SLICE)),
        };
        match report {
            Ok(Report::Connected { role, result: Err(failure) })
                if of == Request::Start && self.driver_options.absence == Absence::Void =>
            {
                Happening::Absent { role, failure }
            }
            Ok(Report::Replied { reply: TimedReply::Leave, .. }) => Happening::Left,
            Ok(Report::Replied { role, to, reply: TimedReply::Reply(reply), at }) => {
                Happening::Replied { role, to, reply, at }
            }
            Ok(Report::Connected { .. }) => Happening::Nothing,
            Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {
                let is_late = latest.is_some_and(|latest| clock::now() >= latest);
                if is_late { Happening::Deadline { of, at_ms } } else { Happening::Nothing }
            }
        }
    }

    /// How to handle a player that answered START but is not ready; `None` if the match records it and
    /// continues.
    pub(crate) fn not_ready(
        &mut self,
        role: RoleId,
        failure: Failure,
        at: Instant,
        observe: &mut dyn FnMut(Observed<'_>),
    ) -> Option<Happening> {
        if failure == Failure::Busy {
            let (since, _) = *self.busy.get_or_insert((at, at));
            if at.saturating_duration_since(since) < self.driver_options.busy_max {
                self.clock.stop(at);
                self.busy = Some((since, at + BUSY_PAUSE));
                let place = self.seats.iter_mut().find(|place| place.role == role)?;
                place.is_busy = true;
                observe(Observed::Busy(role));
                return Some(Happening::Nothing);
            }
        }
        (failure.is_absence() && self.driver_options.absence == Absence::Void)
            .then_some(Happening::Absent { role, failure })
    }

    /// Sends START again to busy players.
    fn ask_again(&mut self, at_ms: u64, observe: &mut dyn FnMut(Observed<'_>)) {
        self.clock.resume();
        if let Some((_, again)) = &mut self.busy {
            *again = clock::now() + CONNECT_IN_ALL_MAX;
        }
        let busy = |place: &mut SeatThread| {
            let was_busy = std::mem::take(&mut place.is_busy);
            place.started.clone().filter(|_| was_busy).map(|start| (place.role, start))
        };
        let starts: Vec<(RoleId, Arc<Message>)> = self.seats.iter_mut().filter_map(busy).collect();
        for (role, message) in starts {
            observe(Observed::Message(role, &message));
            let patience = Patience::new(clock::now() + CONNECT_IN_ALL_MAX, &self.is_over);
            if let Some(place) = self.seats.iter().find(|place| place.role == role) {
                let _ = place.orders.send(Order::Connect(Arc::clone(&message), patience));
            }
            self.order(role, &message, Request::Start, at_ms);
        }
    }

    /// Connects to all receivers that need it: the first of them that could not be reached, if any.
    ///
    /// # Errors
    /// If the match is interrupted meanwhile.
    fn connect(
        &mut self,
        messages: &[(RoleId, Arc<Message>)],
    ) -> Result<Option<(RoleId, Failure)>, Happening> {
        let begun = clock::now();
        // Every seat keeps to its budget; the bound is for those that are not of this package.
        let latest = begun + CONNECT_IN_ALL_MAX + Duration::from_secs(1);
        let patience = Patience::new(latest, &self.is_over);
        let mut connecting = 0;
        for (role, message) in messages {
            if let Some(place) = self.seats.iter().find(|place| place.role == *role && place.connects) {
                let order = Order::Connect(Arc::clone(message), patience.clone());
                connecting += usize::from(place.orders.send(order).is_ok());
            }
        }
        let mut missing: Option<(RoleId, Failure)> = None;
        while connecting > 0 && clock::now() < latest {
            if (self.driver_options.is_interrupted)() {
                return Err(Happening::Left);
            }
            match self.reports.recv_timeout(SLICE) {
                Ok(Report::Connected { role, result }) => {
                    connecting -= 1;
                    if let Err(failure) = result {
                        let first = missing.map_or(role, |(first, _)| first.min(role));
                        missing = if first == role { Some((role, failure)) } else { missing };
                    }
                }
                Ok(reply) => self.early.push(reply),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        self.clock.leave_out(begun.elapsed());
        Ok(missing)
    }

    /// Sends a message that is to be answered.
    fn order(&mut self, role: RoleId, message: &Arc<Message>, to: Request, at_ms: u64) {
        let deadline = self.clock.instant(at_ms).unwrap_or_else(clock::now);
        let patience = Patience::new(deadline, &self.is_over);
        if let Some(place) = self.seats.iter_mut().find(|place| place.role == role) {
            if to == Request::Start {
                place.started = Some(Arc::clone(message));
            }
            // A thread that is gone panicked, which the end of the scope tells.
            let _ = place.orders.send(Order::Receive { message: Arc::clone(message), to, patience });
        }
    }
}
