//! A session while it runs: a task that takes one call after the other, stores what follows, and only then does and shows it.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_session::{MatchOver, SeatHolder, SeatNumber, SessionEffect, SessionEvent};
use tokio::{
    sync::{mpsc, watch},
    task::JoinHandle,
};

use super::{
    books::SessionBooks,
    command::SessionCommand,
    dealing::{Dealing, Sat},
    handle::{Call, CommandAnswer, CommandRequest, Joining, PlayedHand, SessionHandle, SessionSecrets},
    journal::JournalEntry,
    talk::Talk,
    view::{ChatLine, HandLine, SeatPlace, SessionView},
};
use crate::{
    clock,
    faults::crash_point,
    interruptions::End,
    problem::{Problem, ProblemCode, Result},
    referee::Referee,
    rights::TokenDigest,
    store::{NewEntries, StoreError, Tenure},
    storing::until,
};

/// Calls that wait; whoever brings more waits too.
const CALLS_MAX: usize = 64;

/// How long an invitation opens something, in milliseconds: a week.
pub(super) const INVITATION_MS: i64 = 7 * 24 * 3_600_000;

/// How often the time bank of a guest is as full again as in the beginning: after so many matches.
const REFILLS: u32 = 5;

/// What a session that is to run is made of.
pub(crate) struct SessionMaking {
    pub(crate) books: SessionBooks,
    pub(crate) epoch: u64,
    pub(crate) tenure: Tenure,
}

/// The match that is being played, as the task has it.
struct Running {
    line: HandLine,
    over: JoinHandle<Result<MatchOver>>,
    /// Who sits for the guests.
    guests: BTreeMap<SeatPlace, Sat>,
}

/// A session as its task has it.
pub(crate) struct LiveSession {
    referee: Arc<Referee>,
    books: SessionBooks,
    epoch: u64,
    tenure: Tenure,
    calls: mpsc::Receiver<Call>,
    own: mpsc::WeakSender<Call>,
    view: watch::Sender<Arc<SessionView>>,
    secrets: watch::Sender<Arc<SessionSecrets>>,
    hand: watch::Sender<Option<PlayedHand>>,
    chat: watch::Sender<Arc<[ChatLine]>>,
    running: Option<Running>,
    /// When the next match begins, at the earliest.
    deals_at: Instant,
    banks: BTreeMap<SeatPlace, Duration>,
    talk: Talk,
}

impl LiveSession {
    /// A session and its handle; it does nothing before [`run`](Self::run).
    pub(crate) fn new(referee: Arc<Referee>, making: SessionMaking) -> (Self, SessionHandle) {
        let SessionMaking { books, epoch, tenure } = making;
        let (calls, received) = mpsc::channel(CALLS_MAX);
        let view = watch::Sender::new(Arc::new(books.view(None)));
        let secrets = watch::Sender::new(Arc::new(SessionSecrets::of(&books)));
        let (hand, chat) = (watch::Sender::new(None), watch::Sender::new(Arc::default()));
        let handle = SessionHandle {
            id: books.origin().id.as_str().into(),
            table: books.origin().setup.table.as_str().into(),
            facts: Arc::clone(&books.origin().facts),
            tenure: tenure.clone(),
            view: view.subscribe(),
            secrets: secrets.subscribe(),
            hand: hand.subscribe(),
            chat: chat.subscribe(),
            calls: calls.clone(),
        };
        let live = Self {
            referee,
            books,
            epoch,
            tenure,
            calls: received,
            own: calls.downgrade(),
            view,
            secrets,
            hand,
            chat,
            running: None,
            deals_at: clock::now(),
            banks: BTreeMap::new(),
            talk: Talk::default(),
        };
        (live, handle)
    }

    /// Runs the session to its end or until the server stops.
    pub(crate) async fn run(mut self) -> End {
        let end = self.run_to_end().await.unwrap_or_else(End::Unstored);
        if let Some(running) = self.running.take() {
            running.over.abort();
            running.guests.values().for_each(Sat::stop);
        }
        end
    }

    async fn run_to_end(&mut self) -> Result<End, StoreError> {
        if self.epoch > 1 && !self.books.is_over() {
            drop(self.event(SessionEvent::Interrupted).await?);
        }
        loop {
            if self.books.is_over() {
                return Ok(End::Over);
            }
            let is_due = self.running.is_none() && self.books.state().running().is_some();
            let deals_at = is_due.then_some(self.deals_at);
            let wakes_at = self.wakes_at();
            tokio::select! {
                call = self.calls.recv() => match call {
                    None | Some(Call::Leave) => return Ok(End::Left),
                    Some(call) => self.obey(call).await?,
                },
                over = ended(&mut self.running) => self.take_result(over).await?,
                () = until(deals_at) => self.deal().await?,
                () = until(wakes_at) => drop(self.happen(Vec::new()).await?),
            }
        }
    }

    /// When time alone changes something.
    fn wakes_at(&self) -> Option<Instant> {
        let wakes_ms = i64::try_from(self.books.state().wakes_ms()?).ok()?;
        let wait_ms = u64::try_from(wakes_ms.saturating_sub(clock::unix_ms())).unwrap_or_default();
        Some(clock::after(Duration::from_millis(wait_ms.max(10))))
    }

    async fn obey(&mut self, call: Call) -> Result<(), StoreError> {
        match call {
            Call::Command { command, request, done } => {
                let answer = self.command(command, request).await?;
                // Whoever has gone asks again.
                let _ = done.send(answer);
            }
            Call::Join(joining, done) => {
                let answer = self.join(joining).await?;
                let _ = done.send(answer);
            }
            Call::Missed(place) => {
                // Who has left meanwhile, or is away already, misses nothing.
                drop(self.event(SessionEvent::SatOut { seat: SeatNumber(place) }).await?);
            }
            Call::Leave => {}
        }
        Ok(())
    }

    /// Carries out a request; a repeated one is answered as it was.
    async fn command(
        &mut self,
        command: SessionCommand,
        request: Option<CommandRequest>,
    ) -> Result<Result<CommandAnswer>, StoreError> {
        if let Some(request) = &request
            && let Some((digest, done)) = self.books.answer(&request.name)
        {
            let is_same = *digest == request.digest;
            return Ok(if is_same { Ok(done.clone()) } else { Err(ProblemCode::OtherRequest.into()) });
        }
        if let SessionCommand::Say { place, text } = &command {
            return Ok(self.say(*place, text));
        }
        let (entries, done) = match self.entries_of(&command) {
            Ok(planned) => planned,
            Err(problem) => return Ok(Err(problem)),
        };
        let answered = request.map(|CommandRequest { name, digest }| JournalEntry::Answered {
            request: name,
            digest,
            done: done.clone(),
        });
        Ok(self.happen(entries.into_iter().chain(answered).collect()).await?.map(|()| done))
    }

    /// What a command writes in the journal, and its answer.
    fn entries_of(&self, command: &SessionCommand) -> Result<(Vec<JournalEntry>, CommandAnswer)> {
        let seat = |place: &SeatPlace| SeatNumber(*place);
        let what = match command {
            SessionCommand::Start => SessionEvent::Started,
            SessionCommand::Pause => SessionEvent::Paused,
            SessionCommand::Resume => SessionEvent::Resumed,
            SessionCommand::End => SessionEvent::Ended,
            SessionCommand::SeatAgent { place, agent } => {
                SessionEvent::SeatTaken { seat: seat(place), holder: self.agent(agent)? }
            }
            SessionCommand::Kick { place } => SessionEvent::Kicked { seat: seat(place) },
            SessionCommand::Renew { place } => SessionEvent::LinkAsked { seat: seat(place) },
            SessionCommand::HandOn { place } => SessionEvent::HostHanded { seat: seat(place) },
            SessionCommand::SitOut { place } => SessionEvent::SatOut { seat: seat(place) },
            SessionCommand::ComeBack { place } => SessionEvent::CameBack { seat: seat(place) },
            SessionCommand::Rebuy { place } => SessionEvent::Rebought { seat: seat(place) },
            SessionCommand::Leave { place } => SessionEvent::SeatLeft { seat: seat(place) },
            SessionCommand::Invite { place } => return self.invite_again(*place),
            SessionCommand::Revoke { place } if self.books.invitations().contains_key(place) => {
                return Ok((vec![JournalEntry::Revoked { place: *place }], CommandAnswer::default()));
            }
            SessionCommand::Revoke { .. } => {
                return Err(ProblemCode::NotNow.because("there is no open invitation to that seat"));
            }
            SessionCommand::Rematch => {
                return Err(ProblemCode::NotNow.because("a rematch follows a session that is over"));
            }
            SessionCommand::Say { .. } => return Talk::refuse(),
        };
        Ok((vec![JournalEntry::Happened { what }], CommandAnswer::default()))
    }

    /// An agent that exists, under a name that nobody has here.
    fn agent(&self, agent: &str) -> Result<SeatHolder> {
        let is_real_time = self.books.origin().setup.is_real_time();
        self.referee.session_agent(agent, is_real_time, |name| {
            let seats = self.books.state().seats().iter();
            seats.filter_map(|seat| seat.holder.as_ref()).any(|holder| holder.name() == name)
        })
    }

    /// Another invitation to a seat that has one, or could have one.
    fn invite_again(&self, place: SeatPlace) -> Result<(Vec<JournalEntry>, CommandAnswer)> {
        let earlier = self.books.invitations().get(&place);
        let seat = self.books.state().seat(SeatNumber(place));
        if earlier.is_none() && seat.is_none_or(|seat| seat.holder.is_some()) {
            let detail = "there is no such free seat; `renew` makes a new link for whoever sits in one";
            return Err(ProblemCode::NotNow.because(detail));
        }
        let number = self.books.next_invitation();
        let renews_from = earlier.and_then(|earlier| earlier.renews_from);
        let (entry, token) = self.invitation(place, number, renews_from);
        Ok((vec![entry], CommandAnswer { token: Some(token), session: None }))
    }

    fn invitation(&self, place: SeatPlace, number: u64, renews_from: Option<u64>) -> (JournalEntry, String) {
        let token = self.referee.invitation_token(&self.books.origin().id, number);
        let digest = TokenDigest::of(&token).to_hex();
        let until_ms = clock::unix_ms() + INVITATION_MS;
        (JournalEntry::Invited { place, number, token: digest, until_ms, renews_from }, token)
    }

    /// Gives the seat of an invitation to whoever shows it first.
    async fn join(&mut self, joining: Joining) -> Result<Result<CommandAnswer>, StoreError> {
        let Joining { place, invitation, key, name } = joining;
        let open = self.books.invitations().get(&place).filter(|open| open.token.is(&invitation)).cloned();
        let Some(open) = open.filter(|open| open.until_ms > clock::unix_ms()) else {
            return Ok(Err(ProblemCode::LinkUsed.into()));
        };
        let taken = SessionEvent::SeatTaken { seat: SeatNumber(place), holder: SeatHolder::Person { name } };
        let keyed = JournalEntry::Keyed { place, key: key.to_hex() };
        let entries = match open.renews_from {
            Some(_) => vec![keyed],
            // The key first: whoever sits down may be dealt in at once.
            None => vec![keyed, JournalEntry::Happened { what: taken }],
        };
        Ok(self.happen(entries).await?.map(|()| CommandAnswer::default()))
    }

    fn say(&mut self, place: Option<SeatPlace>, text: &str) -> Result<CommandAnswer> {
        if !self.books.origin().setup.has_chat {
            return Talk::refuse();
        }
        let holder = place.and_then(|place| self.books.state().seat(SeatNumber(place))?.holder.as_ref());
        let name = holder.map_or("host", SeatHolder::name).to_owned();
        let lines = self.talk.say(place, &name, text, clock::now())?;
        self.chat.send_replace(lines);
        Ok(CommandAnswer::default())
    }

    async fn event(&mut self, what: SessionEvent) -> Result<Result<()>, StoreError> {
        self.happen(vec![JournalEntry::Happened { what }]).await
    }

    /// Takes entries in: all of them, or, if one of them cannot happen now, none. What follows is done and shown when they are durable.
    async fn happen(&mut self, entries: Vec<JournalEntry>) -> Result<Result<()>, StoreError> {
        let (books, entries) = match self.written(entries) {
            Ok(written) => written,
            Err(problem) => return Ok(Err(problem)),
        };
        self.store(&books, entries).await?;
        self.books = books;
        self.publish();
        Ok(Ok(()))
    }

    /// The books with these entries, and with those that follow from them: the time, and invitations to seats that are free now.
    fn written(&self, entries: Vec<JournalEntry>) -> Result<(SessionBooks, Vec<JournalEntry>)> {
        let mut books = self.books.clone();
        let tick = JournalEntry::Happened { what: SessionEvent::Tick { now_ms: self.now_ms() } };
        // What passed while nobody ran the session is no time of play.
        let is_back = |entry: &JournalEntry| {
            matches!(entry, JournalEntry::Happened { what: SessionEvent::Interrupted })
        };
        let (mut written, entries): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_back);
        written.push(tick);
        written.extend(entries);
        let mut renewed = Vec::new();
        for entry in &written {
            let effects =
                books.take(entry).map_err(|refusal| ProblemCode::NotNow.because(refusal.to_string()))?;
            renewed.extend(effects.iter().filter_map(|effect| match effect {
                SessionEffect::NewLink(seat) => Some(seat.0),
                _ => None,
            }));
        }
        let renewed = renewed.into_iter().map(|place| (place, Some(books.renewal_from(place))));
        let due: Vec<(SeatPlace, Option<u64>)> =
            renewed.chain(books.uninvited().into_iter().map(|place| (place, None))).collect();
        for (place, renews_from) in due {
            let (entry, _) = self.invitation(place, books.next_invitation(), renews_from);
            // An invitation is never refused.
            drop(books.take(&entry));
            written.push(entry);
        }
        Ok((books, written))
    }

    /// The time of the session, which never goes back.
    fn now_ms(&self) -> u64 {
        let now_ms = u64::try_from(clock::unix_ms()).unwrap_or_default();
        now_ms.max(self.books.clock_ms())
    }

    async fn store(&self, books: &SessionBooks, entries: Vec<JournalEntry>) -> Result<(), StoreError> {
        if !self.tenure.is_held() {
            return Err(StoreError::Lapsed);
        }
        crash_point();
        let new = NewEntries {
            id: books.origin().id.clone(),
            epoch: self.epoch,
            first: self.books.entries(),
            keys: entries.iter().filter_map(JournalEntry::made).collect(),
            entries: entries.iter().map(JournalEntry::line).collect(),
            is_over: books.is_over(),
        };
        self.referee.store().append_session(new).await?;
        crash_point();
        Ok(())
    }

    fn publish(&self) {
        if let Some(running) = &self.running {
            for (place, sat) in &running.guests {
                sat.is_played_for(self.books.is_played_for(*place));
            }
        }
        self.secrets.send_replace(Arc::new(SessionSecrets::of(&self.books)));
        let line = self.running.as_ref().map(|running| running.line.clone());
        self.view.send_replace(Arc::new(self.books.view(line)));
    }

    /// Begins the match that is ordered, or takes up the one that was begun.
    async fn deal(&mut self) -> Result<(), StoreError> {
        let Some(order) = self.books.state().running().cloned() else { return Ok(()) };
        let index = order.index;
        let dealing = Dealing { referee: &self.referee, books: &self.books, epoch: self.epoch, order };
        let dealt = match dealing.deal().await {
            Ok(dealt) => dealt,
            Err(problem) if problem.is_temporary() => {
                tracing::warn!(%problem, "the next match of a session waits");
                self.deals_at = clock::after(Duration::from_millis(200));
                return Ok(());
            }
            Err(problem) => {
                tracing::error!(%problem, "a match of a session cannot be played");
                let over = MatchOver { index, goals: None, last: Vec::new(), record: None };
                return self.event(SessionEvent::MatchOver(over)).await.map(drop);
            }
        };
        let mut guests = BTreeMap::new();
        let mut seats = BTreeMap::new();
        for guest in dealt.guests {
            let place = guest.place;
            let bank = self.banks.get(&place).copied().unwrap_or(self.full_bank());
            let (sat, seat) = guest.sit(&self.books, bank, self.own.clone());
            guests.insert(place, sat);
            seats.insert(place, seat);
        }
        let line = dealt.line.clone();
        self.running = Some(Running { line: dealt.line, over: dealt.over, guests });
        if let Some(handle) = dealt.handle {
            let id = line.match_id;
            self.hand.send_replace(Some(PlayedHand { index: line.index, id, handle, guests: seats }));
        }
        self.publish();
        Ok(())
    }

    fn full_bank(&self) -> Duration {
        Duration::from_millis(self.books.origin().setup.bank_ms)
    }

    /// Takes in how the match ended that was played.
    async fn take_result(&mut self, over: Result<MatchOver>) -> Result<(), StoreError> {
        let Some(running) = self.running.take() else { return Ok(()) };
        let over = match over {
            Ok(over) => over,
            Err(problem) => {
                // The match goes on, perhaps under another task: it is looked for again.
                tracing::warn!(%problem, "a match of a session is looked for again");
                running.guests.values().for_each(Sat::stop);
                self.deals_at = clock::after(Duration::from_millis(200));
                return Ok(());
            }
        };
        let has_guests = !running.guests.is_empty();
        let absent = running.guests.iter().filter(|(_, sat)| sat.was_absent());
        let absent: Vec<SeatPlace> = absent.map(|(place, _)| *place).collect();
        for (place, sat) in running.guests {
            let left = sat.left().await;
            let full = self.full_bank();
            self.banks.insert(place, full.min(left + full / REFILLS));
        }
        let pause_ms = if has_guests { self.books.origin().setup.break_ms } else { 0 };
        self.deals_at = clock::after(Duration::from_millis(pause_ms));
        for place in absent {
            // Before the match is over, so that the next one is dealt without them. Who is away already is refused.
            drop(self.event(SessionEvent::SatOut { seat: SeatNumber(place) }).await?);
        }
        self.event(SessionEvent::MatchOver(over)).await.map(drop)
    }
}

/// The end of the match that is being played; never, if none is.
async fn ended(running: &mut Option<Running>) -> Result<MatchOver> {
    match running {
        None => std::future::pending().await,
        Some(running) => (&mut running.over).await.unwrap_or_else(|_| Err(Problem::stopping())),
    }
}
