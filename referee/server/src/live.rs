//! One match while it runs: a task with its clock, its seats and its part of the store.

use std::{
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_engine::{ByPlayer, RoleId, Scratch};
use croupier_referee::{
    Event, Failure, Header, MatchState, Message, Moment, Outcome, OwnHistory, Reply, Request, Seed, Standing,
    message,
};
use futures_util::future::join_all;
use serde_json::json;
use tokio::sync::mpsc;

use crate::{
    actor::{Instruction, MatchActor},
    audience::{Audience, Progress},
    board::{Board, Boards},
    cadence::Pace,
    call::Receiver,
    clock::{self, MatchClock},
    context::ServerContext,
    dispatch::{Dispatch, Outgoing},
    faults::crash_point,
    frame::frame,
    handle::{Command, MatchHandle, Timing},
    interruptions::End,
    known::KnownToSeats,
    metrics::metrics,
    outbox::Lines,
    outcome::MatchOutcome,
    pledge::Pledge,
    problem::ProblemCode,
    receipt::{Owed, Receipt},
    seat::Seat,
    setup::StoredSetup,
    store::{StoreError, Tenure},
    storing::{Conclusion, StoredMatch, goals, until},
};

/// Queue capacity; senders wait when it is full.
const COMMANDS_MAX: usize = 64;

/// A match as its task has it.
pub(crate) struct Live {
    stored: StoredMatch,
    header: Arc<Header>,
    pledge: Pledge,
    actor: MatchActor,
    scratch: Option<Scratch>,
    seats: ByPlayer<Seat>,
    seed: Seed,
    boards: ByPlayer<Board>,
    clock: MatchClock,
    /// The request that is waited for, and until when.
    wake: Option<(Request, Instant)>,
    /// The players that have to connect before the match begins, and until when they may.
    missing: Vec<RoleId>,
    join_by: Instant,
    /// The instructions to carry out first.
    instructions: Vec<Instruction>,
    commands: mpsc::Receiver<Command>,
    own: mpsc::WeakSender<Command>,
    dispatch: Dispatch,
    /// Replies that do not count before the clock is over, or before everybody was told what they reply to.
    kept: Vec<Command>,
    /// By role, the last request that its board shows.
    asked: ByPlayer<Option<Request>>,
    /// When the last reply of a turn, or its deadline, came.
    heard: Option<Instant>,
    /// Milliseconds that its agents may think, where that is shorter than the clock.
    agent_clock_ms: Option<u64>,
    /// The agent whose board has its frames, for those who watch a match of a session in which no guest plays.
    followed: Option<RoleId>,
}

/// What a match that is to run is made of.
pub(crate) struct Making {
    pub(crate) setup: StoredSetup,
    pub(crate) header: Arc<Header>,
    pub(crate) pledge: Pledge,
    pub(crate) actor: MatchActor,
    pub(crate) seats: ByPlayer<Seat>,
    pub(crate) seed: Seed,
    /// Which referee of the match this is, counted from 1.
    pub(crate) epoch: u64,
    /// For how long the match is this server's.
    pub(crate) tenure: Tenure,
    /// The instructions to carry out first, if the match has begun; otherwise it waits for players that connect.
    pub(crate) instructions: Option<Vec<Instruction>>,
    /// All that players were told, if the end of the match is in its record already.
    pub(crate) ended: Option<ByPlayer<Vec<Message>>>,
}

impl Live {
    /// A match and its handle; it does nothing before [`run`](Self::run).
    pub(crate) fn new(making: Making, context: Arc<ServerContext>) -> (Self, MatchHandle) {
        let Making { setup, header, pledge, actor, seats, seed, epoch, tenure, instructions, ended } = making;
        let tokens = setup.tokens(header.roles());
        let waits = instructions.is_none() && tokens.iter().any(|(_, token)| token.is_some());
        let pace = Pace::new(setup.cadence, context.step_us(header.game_digest()));
        let (commands, received) = mpsc::channel(COMMANDS_MAX);
        let first = Progress {
            status: if waits { "waiting" } else { "running" },
            turns: turns_played(actor.state()),
        };
        let audience = Audience::new(setup.spectators, setup.shares_deal, first);
        let boards = ByPlayer::from_fn(header.roles(), |role| match &ended {
            Some(ended) => shown_all(&header, &pledge, &ended[role]),
            None => shown(&header, &pledge, actor.state(), role),
        });
        let asked = ByPlayer::from_fn(header.roles(), |_| shown_last(actor.state()));
        let is_pull = |role: &RoleId| matches!(seats[*role], Seat::Pull);
        let has_guest = seats.iter().any(|(_, seat)| matches!(seat, Seat::Pull));
        let followed =
            setup.session.as_ref().filter(|_| !has_guest).and_then(|_| header.roles().players().next());
        let missing = if waits { header.roles().players().filter(is_pull).collect() } else { Vec::new() };
        let handle = MatchHandle {
            roles: header.roles().clone(),
            tenure: tenure.clone(),
            timing: Timing::Turns,
            game_time: tokio::sync::watch::channel(None).1,
            boards: boards.clone(),
            moved: moved(&header, actor.state()),
            tokens,
            known: Some(Arc::new(KnownToSeats::new(&header, &context))),
            shares_deal: setup.shares_deal,
            nonces: header.setup().nonces,
            commands: commands.clone(),
            progress: audience.progress(),
            events: audience.events(),
        };
        let live = Self {
            seats,
            seed,
            clock: MatchClock::at(actor.state().now_ms()),
            stored: StoredMatch::new(context, header.match_id().to_owned(), epoch, tenure, audience),
            header,
            pledge,
            actor,
            scratch: None,
            boards,
            wake: None,
            missing,
            join_by: clock::after(Duration::from_secs(setup.join_s)),
            instructions: instructions.unwrap_or_default(),
            commands: received,
            own: commands.downgrade(),
            dispatch: Dispatch::new(pace),
            kept: Vec::new(),
            asked,
            heard: None,
            agent_clock_ms: setup.session.as_ref().map(|hand| hand.agent_clock_ms),
            followed,
        };
        (live, handle)
    }

    /// Runs the match to its end or until the server stops.
    pub(crate) async fn run(mut self) -> End {
        let boards = Boards::new(self.boards.clone());
        let mut instructions = std::mem::take(&mut self.instructions);
        if instructions.is_empty() && self.missing.is_empty() {
            instructions = self.step(Event::Begin);
        }
        let end = self.run_to_end(instructions).await.unwrap_or_else(End::Unstored);
        if matches!(end, End::Over) {
            boards.close();
        }
        end
    }

    async fn run_to_end(&mut self, mut instructions: Vec<Instruction>) -> Result<End, StoreError> {
        loop {
            let outcome = std::mem::take(&mut instructions)
                .into_iter()
                .find_map(|instruction| self.perform(instruction));
            self.tell_in_time()?;
            if let Some(outcome) = outcome {
                if let release @ Some(_) = self.dispatch.release() {
                    until(release).await;
                    self.tell()?;
                }
                self.conclude(&outcome).await?;
                return Ok(End::Over);
            }
            if let Some(scratch) = self.scratch.take() {
                self.stored.context.library.scratches.take_back(self.header.game(), scratch);
            }
            let wake = self.wake.map(|(_, at)| at).or((!self.missing.is_empty()).then_some(self.join_by));
            let (kept_until, release) = (self.kept_until(), self.dispatch.release());
            let watched = self.stored.audience.due();
            instructions = tokio::select! {
                command = self.commands.recv() => match command {
                    None | Some(Command::Leave) => return Ok(End::Left),
                    Some(command) => self.obey(command),
                },
                stored = self.stored.stored() => {
                    self.dispatch.push(Outgoing::Lines(stored?));
                    let instructions = self.actor.stored(self.clock.ms());
                    self.dispatch.give_receipts(self.actor.durable());
                    instructions
                }
                () = until(release) => {
                    self.tell()?;
                    Vec::new()
                }
                () = until(watched) => {
                    self.stored.audience.show_due(clock::now());
                    Vec::new()
                }
                () = until(kept_until) => self.count_kept(),
                () = until(wake) => self.be_late(),
            };
        }
    }

    fn step(&mut self, event: Event) -> Vec<Instruction> {
        let scratch = self
            .scratch
            .get_or_insert_with(|| self.stored.context.library.scratches.lend(self.header.game()));
        self.actor.step(self.clock.ms(), event, scratch)
    }

    /// Until when replies are kept that are there; for as long as messages wait for their time, there is no telling.
    fn kept_until(&self) -> Option<Instant> {
        let is_any = !self.kept.is_empty() && self.dispatch.release().is_none();
        is_any.then(|| self.clock_end().unwrap_or_else(clock::now))
    }

    /// The end of the clock that replies count at, if they do not count at once.
    fn clock_end(&self) -> Option<Instant> {
        let (request, _) = self.actor.state().request()?;
        self.dispatch.clock_end(request.clock_ms(self.header.clocks()))
    }

    /// Whatever the replies were kept for is over: they count, in the order of the roles.
    fn count_kept(&mut self) -> Vec<Instruction> {
        let counted = self.clock_end().unwrap_or_else(clock::now);
        self.dispatch.follow_from(counted);
        let mut kept = std::mem::take(&mut self.kept);
        kept.sort_by_key(Command::role);
        kept.into_iter().flat_map(|command| self.count(command)).collect()
    }

    fn obey(&mut self, command: Command) -> Vec<Instruction> {
        if let Command::Reply { role, to, reply, .. } | Command::Thought { role, to, reply, .. } = &command
            && self.standing(*role, *to, reply) == Standing::Awaited
        {
            metrics().heard(reply);
            self.heard = Some(clock::now());
            // Messages that wait for their time are not overtaken: how soon the referee was ready shows in nothing.
            if self.dispatch.release().is_some() || self.clock_end().is_some_and(|end| clock::now() < end) {
                self.kept.push(command);
                return Vec::new();
            }
        }
        self.dispatch.follow_from(clock::now());
        self.count(command)
    }

    /// What a reply means now; nobody replies to what it was not told.
    fn standing(&self, role: RoleId, to: Request, reply: &Reply) -> Standing {
        let is_told = !matches!(self.seats[role], Seat::Pull) || self.asked[role] >= Some(to);
        if is_told { self.actor.state().standing(role, to, reply) } else { Standing::Early }
    }

    /// Takes a reply of a player that connects, who gets a receipt once it is durable.
    fn take(&mut self, role: RoleId, to: Request, reply: Reply, owed: Owed) -> Vec<Instruction> {
        let written = self.actor.written();
        match self.standing(role, to, &reply) {
            Standing::Early => owed.refuse(ProblemCode::Early),
            Standing::Late => owed.refuse(ProblemCode::Late),
            Standing::Repeated => self.dispatch.owe(written, owed, self.actor.durable()),
            Standing::Awaited => {
                let is_late = self.actor.state().is_late(self.clock.ms());
                let instructions = self.step(Event::Reply { role, to, reply });
                // Its line is the next one, whatever follows from it.
                if is_late {
                    owed.refuse(ProblemCode::Late);
                } else {
                    self.dispatch.owe(written + 1, owed, self.actor.durable());
                }
                return instructions;
            }
        }
        Vec::new()
    }

    fn count(&mut self, command: Command) -> Vec<Instruction> {
        match command {
            Command::Reply { role, to, reply, owed: Some(owed) } => self.take(role, to, reply, owed),
            Command::Reply { role, reply: Reply::Failed(failure), .. } if self.is_absent(failure) => {
                self.step(Event::Void { role, failure })
            }
            Command::Reply { role, to, reply, owed: None } => self.step(Event::Reply { role, to, reply }),
            Command::Thought { role, to, reply, seated } => {
                if let Seat::Agent { seated: place, .. } = &mut self.seats[role] {
                    *place = seated;
                }
                self.step(Event::Reply { role, to, reply })
            }
            Command::Joined { role } => {
                let waited = !self.missing.is_empty();
                self.missing.retain(|missing| *missing != role);
                if waited && self.missing.is_empty() { self.step(Event::Begin) } else { Vec::new() }
            }
            Command::Abort => self.step(Event::Abort),
            // Nobody moves unasked in a game in turns.
            Command::Leave | Command::Ready { .. } | Command::Revealed { .. } | Command::Moved { .. } => {
                Vec::new()
            }
        }
    }

    /// Whether a failure means that the match cannot begin.
    fn is_absent(&self, failure: Failure) -> bool {
        let is_starting = self.actor.state().request().is_some_and(|(request, _)| request == Request::Start);
        is_starting && failure.is_absence()
    }

    /// A time is over: that of a request, or that in which players had to connect.
    fn be_late(&mut self) -> Vec<Instruction> {
        self.dispatch.follow_from(self.wake.map_or_else(clock::now, |(_, at)| at));
        match self.wake.take() {
            Some((of, at)) => {
                self.heard = Some(at);
                self.step(Event::Deadline { of })
            }
            None => {
                self.missing.clear();
                self.step(Event::Abort)
            }
        }
    }

    /// Does something; how the match ended, if it has.
    fn perform(&mut self, instruction: Instruction) -> Option<Outcome> {
        crash_point();
        match instruction {
            Instruction::Store { first, lines } => {
                self.stored.store(Lines { first, lines });
                None
            }
            Instruction::Send { role, message } => {
                self.send(role, message);
                None
            }
            Instruction::Wake { of, at_ms } => {
                self.wake = Some((of, self.clock.instant(at_ms)));
                None
            }
            Instruction::Finish { outcome } => Some(outcome),
        }
    }

    /// Sends the stored messages when they are due.
    fn tell_in_time(&mut self) -> Result<(), StoreError> {
        if self.dispatch.is_due() { self.tell() } else { Ok(()) }
    }

    /// Sends everyone their stored messages, all at once; nobody anything, if another server may have the match.
    fn tell(&mut self) -> Result<(), StoreError> {
        self.stored.demand_tenure()?;
        let (outgoing, has_messages) = self.dispatch.take();
        let is_playing = matches!(self.actor.state().request(), Some((Request::Play { .. }, _)));
        if has_messages && let Some(heard) = self.heard.take().filter(|_| is_playing) {
            metrics().played_on(heard.elapsed());
        }
        let mut calls = Vec::new();
        for outgoing in outgoing {
            match outgoing {
                Outgoing::Frame { role, frame, asks } => {
                    self.asked[role] = asks.or(self.asked[role]);
                    self.boards[role].show(frame, asks.is_none());
                }
                Outgoing::Receipt(owed) => owed.give(Receipt::Kept),
                Outgoing::Exchange(call) => calls.push(call),
                Outgoing::Lines(lines) => self.stored.audience.see(&lines, clock::now()),
            }
        }
        #[cfg(feature = "mutants")]
        calls.sort_by_key(|call| crate::leaks::place(call.role));
        if !calls.is_empty() {
            tokio::spawn(join_all(calls.into_iter().map(|call| call.exchange)));
        }
        Ok(())
    }

    fn send(&mut self, role: RoleId, message: Message) {
        #[cfg(feature = "mutants")]
        let message = crate::leaks::message(message);
        #[cfg(feature = "mutants")]
        crate::leaks::keep_legal(role, self.actor.state());
        let request = Request::of(&message);
        let clock_ms =
            request.map_or(self.header.clocks().play_ms, |request| request.clock_ms(self.header.clocks()));
        let is_agent = matches!(self.seats[role], Seat::Agent { .. });
        let agent_clock_ms = self.agent_clock_ms.filter(|_| is_agent);
        let clock_ms = agent_clock_ms.map_or(clock_ms, |agent_clock_ms| agent_clock_ms.min(clock_ms));
        // The padding delay extends the deadline.
        let wait = Duration::from_micros(self.dispatch.pace.step_us());
        let deadline = self.clock.instant(self.clock.ms() + clock_ms) + wait;
        let Some(replies) = self.own.upgrade() else { return };
        let (context, header, seed) = (&self.stored.context, &self.header, &self.seed);
        let receiver = Receiver { context, header, role, deadline, seed, replies };
        if self.followed == Some(role) {
            let frame = frame(&self.header, &self.pledge, &message);
            self.dispatch.push(Outgoing::Frame { role, frame, asks: request });
        }
        let outgoing = match &mut self.seats[role] {
            Seat::Pull => {
                let frame = frame(&self.header, &self.pledge, &message);
                Some(Outgoing::Frame { role, frame, asks: request })
            }
            Seat::Push { address, form } => receiver.push(&message, address, *form).map(Outgoing::Exchange),
            Seat::Agent { agent, seated } => {
                let known = self.actor.state().own_history(role).cloned();
                receiver.think(message, agent, seated.take(), known).map(Outgoing::Exchange)
            }
        };
        outgoing.into_iter().for_each(|outgoing| self.dispatch.push(outgoing));
    }

    async fn conclude(&mut self, outcome: &Outcome) -> Result<(), StoreError> {
        let (id, pace) = (self.header.match_id(), &self.dispatch.pace);
        self.stored.demand_tenure()?;
        self.stored.context.note_turns(self.header.game_digest(), pace.took_us());
        tracing::debug!(%id, overruns = pace.overruns(), step_us = pace.step_us(), "a match is over");
        let withheld = if let Outcome::Withheld { by } = outcome { by.as_slice() } else { &[] };
        let (status, steps) = (outcome.status(), outcome.turns());
        let conducts = self.actor.state().conducts();
        metrics().ended(status, conducts.iter().map(|(_, conduct)| conduct));
        let conduct =
            conducts.iter().map(|(role, conduct)| (self.header.role_name(role).to_owned(), conduct.into()));
        let shown = json!(MatchOutcome {
            at_us: None,
            conduct: conduct.collect(),
            goals: goals(self.header.roles(), outcome.goals(), withheld),
            status: status.to_owned(),
            turns: steps.into(),
        });
        self.stored.finish(Conclusion { status, steps, shown }).await
    }
}

/// The board of a seat with everything that it was told so far, in the same words.
fn shown(header: &Header, pledge: &Pledge, state: &MatchState, role: RoleId) -> Board {
    let board = Board::new();
    let (Some((request, _)), Some(own)) = (state.request(), state.own_history(role)) else { return board };
    let mut seen = OwnHistory::initial(role);
    board.show(frame(header, pledge, &message(header, &seen, Moment::Start)), false);
    if let Some(reveal) = state.reveal_message(role) {
        board.show(frame(header, pledge, &reveal), false);
    }
    if !matches!(request, Request::Play { .. }) {
        return board;
    }
    board.show(frame(header, pledge, &message(header, &seen, Moment::Play)), false);
    for turn in &own.turns {
        seen.turns.push(turn.clone());
        board.show(frame(header, pledge, &message(header, &seen, Moment::Play)), false);
    }
    board
}

/// The board of a seat of a match whose end is in its record.
fn shown_all(header: &Header, pledge: &Pledge, messages: &[Message]) -> Board {
    let board = Board::new();
    for message in messages {
        board.show(frame(header, pledge, message), Request::of(message).is_none());
    }
    board
}

/// The last request that the boards of a match show when its task begins: of one that has ended, whatever there was.
fn shown_last(state: &MatchState) -> Option<Request> {
    let ended = state.outcome().map(|_| Request::Play { turn: u32::MAX });
    state.request().map(|(request, _)| request).or(ended)
}

/// By role, the turn for which it has moved while others have not.
fn moved(header: &Header, state: &MatchState) -> ByPlayer<Option<u32>> {
    let awaited = state.awaited();
    ByPlayer::from_fn(header.roles(), |role| match state.request() {
        Some((Request::Play { turn }, _)) if !awaited.contains(&role) => Some(turn),
        _ => None,
    })
}

/// How many turns were played of a match, which may be one that goes on.
fn turns_played(state: &MatchState) -> u32 {
    match state.request() {
        Some((Request::Play { turn }, _)) => turn,
        Some((Request::Start | Request::Reveal, _)) | None => 0,
    }
}
