//! The matches of a session: each is made once, played by the tasks of all matches, and read when it is over.

use std::{sync::Arc, time::Duration};

use croupier_engine::RoleId;
use croupier_referee::{Digest, Header};
use croupier_session::{MatchGame, MatchOrder, MatchOver, SeatHolder};
use tokio::{
    sync::{mpsc, watch},
    task::{JoinHandle, spawn_blocking},
    time::sleep,
};

use super::{
    books::SessionBooks,
    ending::{LeftBehind, match_over},
    handle::{Call, GuestSeat, ToMove},
    sitting::Sitting,
    timed_sitting::{LEAD_MAX, STAND_IN_IN_TIME, TimedSitting},
    view::{HandLine, SeatPlace},
};
use crate::{
    context::ServerContext,
    handle::MatchHandle,
    outcome::MatchOutcome,
    problem::{Problem, ProblemCode, Result},
    referee::{PlannedMatch, Referee},
    seat::SeatSetup,
    setup::{MatchRequest, SessionHand, StoredSetup},
    store::{MatchAt, OwnHand},
};

/// The time to get ready: everybody is ready at once.
const START_CLOCK_MS: u64 = 10_000;

/// The time to connect to a real-time match: whoever sits for a guest does at once.
const JOIN_S: u64 = 60;

/// How much longer than clock and time bank the clock of a match is: whoever sits for a guest always answers before.
const MARGIN_MS: u64 = 30_000;

/// How often a match that is interrupted is looked for.
const PAUSE: Duration = Duration::from_millis(50);

/// A match that is to be played.
pub(super) struct Dealing<'s> {
    pub(super) referee: &'s Arc<Referee>,
    pub(super) books: &'s SessionBooks,
    pub(super) epoch: u64,
    pub(super) order: MatchOrder,
}

/// A match that is being played, or is over already.
pub(super) struct Dealt {
    pub(super) line: HandLine,
    /// Nothing, if it was over before this server saw it.
    pub(super) handle: Option<MatchHandle>,
    pub(super) guests: Vec<DealtGuest>,
    pub(super) over: JoinHandle<Result<MatchOver>>,
}

/// A guest of a match that is being played, for whom nobody sits yet.
pub(super) struct DealtGuest {
    pub(super) place: SeatPlace,
    role: RoleId,
    handle: MatchHandle,
    /// Who plays for it when it goes away in the middle of the match; in real time nobody does.
    stand_in: Option<StandIn>,
}

/// Who plays for a guest while it is away.
struct StandIn {
    context: Arc<ServerContext>,
    header: Arc<Header>,
    agent: Arc<str>,
    seed: [u8; 32],
}

impl Dealing<'_> {
    /// Makes the match, unless it is there, and finds it.
    ///
    /// # Errors
    /// [`Problem`] if it cannot be made, or not now.
    pub(super) async fn deal(self) -> Result<Dealt> {
        let (session, index) = (&self.books.origin().id, self.order.index);
        let at = match self.referee.store().match_at(session, index).await? {
            Some(at) => at,
            None => self.make().await?,
        };
        let whole = self.referee.store().whole(&at.id).await?.ok_or_else(Problem::lost)?;
        let setup = StoredSetup::read(&whole.setup)?;
        // A match in real time leaves nothing behind but goals, and nobody plays for who goes away in the middle of it.
        let header = match setup.real_time {
            Some(_) => None,
            None => Some(self.referee.header(&at.id, whole.rules, &setup).await?),
        };
        let handle = match at.outcome {
            Some(_) => None,
            None => self.find(&at.id).await?,
        };
        let guests = handle.iter().flat_map(|handle| self.guests(handle, header.as_ref(), &setup)).collect();
        let places = self.order.seats.iter().map(|seat| (seat.role.clone(), seat.seat.0));
        let line = HandLine { index, match_id: at.id.clone(), roles: places.collect() };
        let family = self.books.origin().setup.terms.session.family.as_ref();
        let left = header.zip(family).map(|(header, family)| LeftBehind {
            game: Arc::clone(header.game()),
            pattern: family.read.clone(),
        });
        let over = watch_end(Arc::clone(self.referee), at.id, index, left);
        Ok(Dealt { line, handle, guests, over: tokio::spawn(over) })
    }

    /// The match while it runs here; nothing, if it is over.
    async fn find(&self, id: &str) -> Result<Option<MatchHandle>> {
        if let Some(handle) = self.referee.find(id) {
            return Ok(Some(handle));
        }
        match self.referee.store().find(id).await? {
            Some(stored) if stored.outcome.is_some() => Ok(None),
            _ => Err(Problem::full("the match of a session resumes in a moment")),
        }
    }

    async fn make(&self) -> Result<MatchAt> {
        let (rules, family) = self.rules().await?;
        let plan = self.plan(rules);
        if let Some(family) = family {
            self.referee.context.know_as(family, Digest::of(plan.rules.as_bytes()));
        }
        let id = self.order.match_id.clone();
        if self.books.origin().setup.is_real_time() {
            self.referee.create_real_time(plan).await?;
            return Ok(MatchAt { id, outcome: None });
        }
        let (new, making) = self.referee.prepare(plan).await?;
        let digest = making.header.game_digest();
        self.referee.store().create(new).await?;
        self.referee.start(making);
        if let Some(family) = family {
            self.referee.context.remember_as(family, digest);
        }
        Ok(MatchAt { id, outcome: None })
    }

    /// The rules of the match, and what its timing is measured under, if every match has rules of its own.
    async fn rules(&self) -> Result<(String, Option<Digest>)> {
        let MatchGame::Member(member) = &self.order.game else {
            let stored = self.referee.store().session(&self.books.origin().id).await?;
            return Ok((stored.ok_or_else(Problem::lost)?.rules, None));
        };
        let unfit = |error: String| ProblemCode::BadSession.because(error);
        let rules = member.rules().map_err(|error| unfit(error.to_string()))?;
        let family = &self.books.origin().setup.terms.session.family;
        let fixed = family.as_ref().map(|family| &family.parameters);
        let family = format!("{} {fixed:?} {}", member.family, self.order.seats.len());
        Ok((rules, Some(Digest::of(family.as_bytes()))))
    }

    fn plan(&self, rules: String) -> PlannedMatch {
        let (origin, order) = (self.books.origin(), &self.order);
        let setup = &origin.setup;
        let stand_in = self.stand_in();
        let seats = order.seats.iter().map(|seat| {
            let setup = match &seat.holder {
                SeatHolder::Person { .. } if seat.is_away => SeatSetup::Agent { agent: stand_in.clone() },
                SeatHolder::Person { .. } => SeatSetup::Pull,
                SeatHolder::Agent { agent, .. } => SeatSetup::Agent { agent: agent.clone() },
            };
            (seat.role.clone(), setup)
        });
        let hand = SessionHand {
            session: origin.id.clone(),
            index: order.index,
            before: order.before().to_string(),
            places: order.seats.iter().map(|seat| (seat.role.clone(), seat.seat.0)).collect(),
            players: order.players().into_iter().collect(),
            agent_clock_ms: setup.agent_clock_ms,
        };
        let request = MatchRequest {
            game: setup.game.clone(),
            seats: seats.collect(),
            start_clock_ms: START_CLOCK_MS,
            join_s: if setup.is_real_time() { JOIN_S } else { 0 },
            play_clock_ms: setup.play_clock_ms + setup.bank_ms + MARGIN_MS,
            spectators: Some(setup.match_spectators()),
            speed_permille: setup.speed_permille,
            time_max_us: setup.speed_permille.map(game_time_max_us),
            rated: Some(false),
            ..MatchRequest::default()
        };
        PlannedMatch {
            id: Some(order.match_id.clone()),
            creator: format!("session {}", origin.id),
            session: Some(OwnHand { hand, epoch: self.epoch }),
            shares_deal: true,
            ..PlannedMatch::of(request, rules, order.seed.clone())
        }
    }

    /// The agent that plays for whoever is away: the one that the session names, if this server has it.
    fn stand_in(&self) -> String {
        let named = self.books.state().stand_in();
        if self.books.origin().setup.is_real_time() {
            let is_known = self.referee.agents().real_time_name(named).is_ok();
            return if is_known { named } else { STAND_IN_IN_TIME }.to_owned();
        }
        let is_known = |agent: &&str| self.referee.agents().full_name(agent).is_ok();
        [named, "fold", "first-legal"].into_iter().find(is_known).unwrap_or("random").to_owned()
    }

    /// The guests in the match: of those who are away from its beginning, an agent has the seat.
    fn guests(
        &self,
        handle: &MatchHandle,
        header: Option<&Arc<Header>>,
        setup: &StoredSetup,
    ) -> Vec<DealtGuest> {
        let guests =
            self.order.seats.iter().filter(|seat| setup.seats.get(&seat.role) == Some(&SeatSetup::Pull));
        let dealt = guests.filter_map(|seat| {
            Some(DealtGuest {
                place: seat.seat.0,
                role: handle.roles.find(&seat.role)?,
                handle: handle.clone(),
                stand_in: header.map(|header| StandIn {
                    context: Arc::clone(&self.referee.context),
                    header: Arc::clone(header),
                    agent: self.stand_in().into(),
                    seed: self.order.seed.agent(&seat.role),
                }),
            })
        });
        dealt.collect()
    }
}

/// Who sits for a guest, as the task of the session has it.
pub(super) struct Sat {
    is_played_for: watch::Sender<bool>,
    /// Whether the guest has asked for anything in a match in real time.
    has_looked: Option<watch::Receiver<bool>>,
    task: JoinHandle<Duration>,
}

impl Sat {
    /// Tells whether the guest is away, or about to go.
    pub(super) fn is_played_for(&self, is_played_for: bool) {
        self.is_played_for.send_if_modified(|known| std::mem::replace(known, is_played_for) != is_played_for);
    }

    /// Whether nobody was there: the guest of a match in real time neither looked at it nor moved. Who only moves seldom is there.
    pub(super) fn was_absent(&self) -> bool {
        self.has_looked.as_ref().is_some_and(|has_looked| !*has_looked.borrow())
    }

    /// Ends it at once.
    pub(super) fn stop(&self) {
        self.task.abort();
    }

    /// What is left of the time bank when it has ended.
    pub(super) async fn left(self) -> Duration {
        self.task.await.unwrap_or_default()
    }
}

impl DealtGuest {
    /// Sits for the guest until the match is over.
    pub(super) fn sit(
        self,
        books: &SessionBooks,
        bank: Duration,
        calls: mpsc::WeakSender<Call>,
    ) -> (Sat, GuestSeat) {
        let is_played_for = watch::Sender::new(books.is_played_for(self.place));
        let replied = watch::Sender::new(self.handle.moved[self.role]);
        let to_move = watch::Sender::new(ToMove::default());
        let has_looked = watch::Sender::new(false);
        let looked = has_looked.subscribe();
        let seat =
            GuestSeat { role: self.role, to_move: to_move.subscribe(), replied: replied.clone(), has_looked };
        let Some(StandIn { context, header, agent, seed }) = self.stand_in else {
            let lead = LEAD_MAX.min(Duration::from_millis(books.origin().setup.break_ms));
            let sitting = TimedSitting { handle: self.handle, role: self.role, lead, bank, to_move };
            let has_looked = Some(looked);
            return (Sat { is_played_for, has_looked, task: tokio::spawn(sitting.sit()) }, seat);
        };
        let sitting = Sitting {
            context,
            header,
            handle: self.handle,
            place: self.place,
            role: self.role,
            stand_in: agent,
            seed,
            clock: Duration::from_millis(books.origin().setup.play_clock_ms),
            bank,
            is_played_for: is_played_for.subscribe(),
            replied: replied.subscribe(),
            to_move,
            calls,
            insight: None,
        };
        let task = tokio::spawn(sitting.sit());
        (Sat { is_played_for, has_looked: None, task }, seat)
    }
}

/// The longest that a match in real time lasts, in microseconds of game time: an hour of the clock, so that a table whose guests have gone
/// is not held up for ever.
fn game_time_max_us(speed_permille: u32) -> u64 {
    3_600_000 * u64::from(speed_permille)
}

/// Waits until a match is over, and reads how it ended.
///
/// # Errors
/// [`Problem`] if its task was interrupted: then whoever waits looks for it again.
async fn watch_end(
    referee: Arc<Referee>,
    id: String,
    index: u64,
    left: Option<LeftBehind>,
) -> Result<MatchOver> {
    let outcome = loop {
        if let Some(handle) = referee.find(&id) {
            let mut progress = handle.progress.clone();
            drop(handle);
            let is_over = |status: &str| !matches!(status, "waiting" | "running");
            // Without a task there is nothing to wait for: the store knows.
            drop(progress.wait_for(|progress| is_over(progress.status)).await);
        }
        let stored = referee.store().find(&id).await?.ok_or_else(Problem::lost)?;
        match stored.outcome {
            Some(outcome) => break outcome,
            None if referee.find(&id).is_some() => {}
            None => {
                sleep(PAUSE).await;
                // Who sat for the guests followed the task that is gone.
                return Err(Problem::full("the match of a session was interrupted"));
            }
        }
    };
    let record = referee.store().record(&id).await?;
    let read = move || match_over(index, &MatchOutcome::read(&outcome), &record, left.as_ref());
    spawn_blocking(read).await.map_err(|_| Problem::lost())
}
