//! A driver in real time: a thread for each seat, deadlines by the clock.

use std::{
    sync::{Arc, mpsc},
    thread,
};

use croupier_engine::{ByPlayer, RoleId};
use croupier_referee::{
    Effect, Event, Header, MatchState, Message, Outcome, Played, Request, Secrets, Timer,
    match_state::read_ready,
};

use crate::{
    clock,
    driver_options::{DriverOptions, Observed},
    table::{Happening, Table, serve},
    timed_seat::TimedSeat,
};

/// Plays a match to its end by the clock.
///
/// All messages of a turn are written at about the same time, in the order of the rules, as soon as every player
/// that needs a connection is connected or has failed to connect. A reply is late if it arrives more than its clock and
/// [`GRACE_MS`](croupier_referee::header::GRACE_MS) after that; the move is then substituted and the match continues.
///
/// Nobody is told anything before every player is connected. A player that cannot be reached then, or disconnects
/// instead of answering START, is absent; a player that answers `busy` is asked again until [`DriverOptions::busy_max`] is over.
///
/// It returns when the last thread of a seat has come back: a seat that ignores its patience holds up the end.
///
/// # Panics
/// If a seat panics.
///
/// ```
/// use std::sync::Arc;
/// use croupier_engine::ByPlayer;
/// use croupier_referee::{Message, Reply, Timer};
/// use croupier_remote::{DriverOptions, Patience, TimedReply, TimedSeat, run_timed_match};
///
/// # use croupier_referee::{Clocks, Header, MatchSetup, Nonces, Secrets, Seed, Substitution};
/// # use croupier_engine::{Strictness, game::PerceptReading};
/// # let rules = "(role ann) (role ben) (init begun) (legal ann left) (legal ann right) (legal ben wait)
/// #     (<= (next (went ?side)) (does ann ?side)) (<= (sees ben moved) (true begun)) (<= terminal (not (true begun)))
/// #     (<= (goal ann 100) (true (went left))) (<= (goal ann 0) (not (true (went left)))) (goal ben 50)";
/// # let setup = MatchSetup {
/// #     match_id: "friday.1".to_owned(),
/// #     series: None,
/// #     session: None,
/// #     rules: rules.to_owned(),
/// #     game_name: None,
/// #     players: ["ann", "ben"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
/// #     clocks: Clocks::of(10_000, 5_000),
/// #     percepts: PerceptReading::OldState,
/// #     strictness: Strictness::Compatible,
/// #     substitution: Substitution::Drawn,
/// #     turns_max: 100,
/// #     nonces: Nonces::Clear,
/// # };
/// # let header = Arc::new(Header::compile(setup)?);
/// struct Says(&'static str);
/// impl TimedSeat for Says {
///     fn receive(&mut self, message: &Message, _: &Patience) -> TimedReply {
///         let is_play = matches!(message, Message::Play { .. });
///         TimedReply::Reply(Reply::Text(if is_play { self.0 } else { "READY" }.to_owned()))
///     }
/// }
/// let says = |role| Box::new(Says(if header.role_name(role) == "ann" { "left" } else { "wait" }));
/// let mut seats = ByPlayer::from_fn(header.roles(), says);
/// let secrets = Secrets::from_seed(Seed::from_text("42")?);
/// let played = run_timed_match(&header, secrets, &mut seats, &DriverOptions::STANDARD, |_| ());
/// assert_eq!(played.outcome.goals().map(|goals| goals.iter().map(|(_, goal)| goal.value()).collect()), Some(vec![100, 50]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn run_timed_match<S: TimedSeat + ?Sized>(
    header: &Arc<Header>,
    secrets: Secrets,
    seats: &mut ByPlayer<Box<S>>,
    driver_options: &DriverOptions<'_>,
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
        let table = Table::new(orders, reports, *driver_options);
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
    /// The number of moves played for each role when the observer was last called.
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
                let (conducts, last) = (self.state.conducts().clone(), self.state.last_state().cloned());
                return Played { record: self.record, outcome, conducts, last };
            }
            self.show_substituted(observe);
            let happening = match self.table.send(&messages, self.timer, observe) {
                Some(happening) => happening,
                None => self.table.wait(self.timer, observe),
            };
            effects = self.take_in(happening, observe);
        }
    }

    /// Carries out the match's effects, except its messages.
    fn perform(&mut self, effects: Vec<Effect>) -> (Vec<(RoleId, Arc<Message>)>, Option<Outcome>) {
        let mut messages = Vec::new();
        let mut outcome = None;
        for effect in effects {
            match effect {
                Effect::Append(line) => self.record.extend_from_slice((line + "\n").as_bytes()),
                Effect::Send { role, message } => messages.push((role, Arc::new(message))),
                Effect::Signal(Timer { of, at_ms }) => self.timer = Some((of, at_ms)),
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
