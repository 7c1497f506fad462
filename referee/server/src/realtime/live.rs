//! One real-time match while it runs: a task with its clock, its seats and its part of the store.

use std::{
    mem,
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_engine::{ByPlayer, RoleId};
use croupier_referee::{
    Digest,
    realtime::{Notice, RealTimeEvent, RealTimeHeader, RealTimeOutcome},
};
use serde_json::json;
use tokio::sync::{mpsc, watch};

use super::{
    RealTimeActor, RealTimeTerms,
    agents::{RealTimeAgents, SeatedAgent},
    clock::GameClock,
    frames::frame,
};
use crate::{
    audience::{Audience, Progress},
    board::{Board, Boards},
    clock,
    context::ServerContext,
    faults::crash_point,
    handle::{Command, MatchHandle, Timing},
    interruptions::End,
    metrics::metrics,
    pledge::Pledge,
    problem::{Problem, ProblemCode},
    receipt::Receipt,
    setup::StoredSetup,
    store::{StoreError, Tenure},
    storing::{Conclusion, StoredMatch, goals, until},
};

/// Queue capacity; senders wait when it is full.
const COMMANDS_MAX: usize = 64;

/// Moves of one role per second of the clock that are judged; further ones are ignored, so that nobody can fill the record.
const MOVES_PER_S: u32 = 50;

/// Between two moves of an agent of the server, which makes no more of them.
const MOVE_GAP: Duration = Duration::from_millis(1000 / MOVES_PER_S as u64);

/// A real-time match as its task has it.
pub(super) struct RealTimeLive {
    stored: StoredMatch,
    header: Arc<RealTimeHeader>,
    terms: RealTimeTerms,
    pledge: Pledge,
    actor: RealTimeActor,
    agents: RealTimeAgents,
    stage: Stage,
    boards: ByPlayer<Board>,
    /// What a seat is told before the match starts.
    starts: ByPlayer<Arc<str>>,
    moves: ByPlayer<Quota>,
    start_clock: Duration,
    /// Told when game time begins.
    game_time: watch::Sender<Option<GameClock>>,
    commands: mpsc::Receiver<Command>,
}

/// How far a match is.
#[derive(Debug)]
enum Stage {
    /// Until when these players may connect; and who is ready already, because it was told of the start before the server was
    /// interrupted, with its commitment.
    Joining { missing: Vec<RoleId>, ready: Vec<(RoleId, Option<Digest>)>, until: Instant },
    /// Until when these players may get ready.
    Readying { unready: Vec<RoleId>, until: Instant },
    /// Game time runs.
    Running(GameClock),
}

/// How many moves a role sent in this second.
#[derive(Clone, Copy, Debug)]
struct Quota {
    second: Instant,
    used: u32,
}

/// The parts of a real-time match.
pub(super) struct RealTimeMaking<'s> {
    pub(super) setup: &'s StoredSetup,
    pub(super) terms: RealTimeTerms,
    pub(super) header: Arc<RealTimeHeader>,
    pub(super) actor: RealTimeActor,
    pub(super) agents: Vec<SeatedAgent>,
    pub(super) pledge: Pledge,
    pub(super) epoch: u64,
    pub(super) tenure: Tenure,
    /// What was done of a match that has begun.
    pub(super) past: Option<Past>,
}

/// What was done of a match that goes on.
pub(super) struct Past {
    /// What players were told.
    pub(super) notices: Vec<(RoleId, Notice)>,
    /// What its clock showed, in microseconds of game time.
    pub(super) at_us: u64,
}

impl RealTimeLive {
    /// A match and its handle; it does nothing before [`run`](Self::run).
    pub(super) fn new(making: RealTimeMaking<'_>, context: Arc<ServerContext>) -> (Self, MatchHandle) {
        let RealTimeMaking { setup, terms, header, actor, agents, pledge, epoch, tenure, past } = making;
        let agents = RealTimeAgents::new(agents, Arc::clone(&context.threads), terms.game_us(MOVE_GAP));
        let roles = header.roles();
        let (commands, received) = mpsc::channel(COMMANDS_MAX);
        let status = if past.is_some() { "running" } else { "waiting" };
        let audience = Audience::new(setup.spectators, false, Progress { status, turns: 0 });
        let starts = ByPlayer::from_fn(roles, |role| {
            Arc::from(terms.start(setup, &header, roles.name(role), &pledge).to_json())
        });
        let boards = ByPlayer::from_fn(roles, |_| Board::new());
        let until = clock::after(Duration::from_secs(setup.join_s));
        let mut live = Self {
            stage: Stage::Joining {
                missing: roles.players().filter(|role| !agents.roles().contains(role)).collect(),
                ready: Vec::new(),
                until,
            },
            moves: ByPlayer::from_fn(roles, |_| Quota { second: clock::now(), used: 0 }),
            stored: StoredMatch::new(
                context,
                header.setup().match_id.clone(),
                epoch,
                tenure.clone(),
                audience,
            ),
            terms,
            pledge,
            actor,
            agents,
            boards,
            starts,
            start_clock: Duration::from_millis(setup.start_clock_ms),
            game_time: watch::Sender::new(None),
            commands: received,
            header: Arc::clone(&header),
        };
        if let Some(past) = past {
            live.boards.iter().for_each(|(role, board)| board.add(Arc::clone(&live.starts[role]), false));
            live.tell(past.notices);
            live.stage = match live.actor.machine().awaited() {
                Some(_) => live.readying(),
                None => live.running(past.at_us),
            };
        }
        let handle = MatchHandle {
            roles: roles.clone(),
            tenure,
            timing: Timing::RealTime,
            game_time: live.game_time.subscribe(),
            boards: live.boards.clone(),
            moved: ByPlayer::from_fn(roles, |_| None),
            tokens: setup.tokens(roles),
            known: None,
            shares_deal: false,
            nonces: setup.nonces(),
            commands,
            progress: live.stored.audience.progress(),
            events: live.stored.audience.events(),
        };
        (live, handle)
    }

    /// Runs the match to its end or until the server stops.
    pub(super) async fn run(mut self) -> End {
        let boards = Boards::new(self.boards.clone());
        let end = self.run_to_end().await.unwrap_or_else(End::Unstored);
        if matches!(end, End::Over) {
            boards.close();
        }
        end
    }

    async fn run_to_end(&mut self) -> Result<End, StoreError> {
        self.begin_if_joined();
        loop {
            crash_point();
            let (notices, lines) = self.actor.advance();
            self.tell(notices);
            let now_us = self.now_us();
            self.agents.consider(now_us);
            if let Some(lines) = lines {
                self.stored.store(lines);
            }
            if self.actor.is_done() {
                self.conclude().await?;
                return Ok(End::Over);
            }
            let (wake, watched) = (self.wake(), self.stored.audience.due());
            tokio::select! {
                command = self.commands.recv() => match command {
                    None | Some(Command::Leave) => return Ok(End::Left),
                    Some(command) => self.obey(command),
                },
                stored = self.stored.stored() => {
                    let lines = stored?;
                    self.stored.demand_tenure()?;
                    self.actor.stored();
                    self.stored.audience.see(&lines, clock::now());
                }
                planned = self.agents.planned() => {
                    let now_us = self.now_us();
                    self.agents.take_back(planned, now_us);
                }
                () = until(wake) => self.go_on(),
                () = until(watched) => self.stored.audience.show_due(clock::now()),
            }
        }
    }

    /// When something is to be done next, if nothing comes before.
    fn wake(&self) -> Option<Instant> {
        match &self.stage {
            _ if self.actor.machine().end().is_some() => None,
            Stage::Joining { until, .. } | Stage::Readying { until, .. } => Some(*until),
            Stage::Running(clock) => {
                let next_us = self.actor.machine().next_us().into_iter().chain(self.agents.due_us()).min();
                next_us.map(|at_us| clock.instant(at_us))
            }
        }
    }

    /// What the clock of the match shows, in microseconds of game time.
    fn now_us(&self) -> u64 {
        if let Stage::Running(clock) = &self.stage { clock.now_us() } else { 0 }
    }

    fn obey(&mut self, command: Command) {
        match command {
            Command::Joined { role } => self.join(role),
            Command::Revealed { owed, .. } if matches!(self.stage, Stage::Joining { .. }) => {
                owed.refuse(ProblemCode::Early);
            }
            Command::Ready { role, commitment, owed } => {
                self.ready(role, commitment);
                owed.give(Receipt::Held);
            }
            Command::Revealed { role, nonce, owed } => {
                self.before_game_time(RealTimeEvent::Reveal { role, nonce: Some(nonce) });
                owed.give(Receipt::Held);
            }
            Command::Moved { role, id, text, not_before_us, at, owed } => {
                let Stage::Running(clock) = &self.stage else { return owed.refuse(ProblemCode::Early) };
                let at_us = clock.shown_us(at);
                if !self.moves[role].takes(at) {
                    return owed.refuse(Problem::too_many(Duration::from_secs(1)));
                }
                let event = RealTimeEvent::Move { role, id, text, at_us, not_before_us };
                self.actor.step(event);
                // What keeps it is the frame `received`, once it is judged.
                owed.give(Receipt::Held);
            }
            Command::Abort => {
                self.actor.step(RealTimeEvent::Abort { at_us: self.now_us() });
            }
            // Nobody is asked anything in such a match.
            Command::Reply { .. } | Command::Thought { .. } | Command::Leave => {}
        }
    }

    fn join(&mut self, role: RoleId) {
        let Stage::Joining { missing, .. } = &mut self.stage else { return };
        missing.retain(|other| *other != role);
        self.begin_if_joined();
    }

    /// Tells everybody of the start if all have joined; agents are ready then.
    fn begin_if_joined(&mut self) {
        let ready = match &mut self.stage {
            Stage::Joining { missing, ready, .. } if missing.is_empty() => {
                let ready = mem::take(ready);
                self.boards.iter().for_each(|(role, board)| board.add(Arc::clone(&self.starts[role]), false));
                self.stage = self.readying();
                if self.header.setup().nonces_ms.is_some() {
                    self.actor.step(RealTimeEvent::Begin);
                }
                ready
            }
            Stage::Readying { .. } => Vec::new(),
            Stage::Joining { .. } | Stage::Running(_) => return,
        };
        let agents = self.agents.roles().into_iter().map(|role| (role, None));
        ready.into_iter().chain(agents).for_each(|(role, commitment)| self.ready(role, commitment));
    }

    /// Players get ready, or disclose their nonces, in a start clock from now.
    fn readying(&self) -> Stage {
        let unready = self.header.roles().players().collect();
        Stage::Readying { unready, until: clock::after(self.start_clock) }
    }

    /// Game time runs from now on.
    fn running(&self, at_us: u64) -> Stage {
        let clock = GameClock::at(at_us, self.terms.speed_permille);
        self.game_time.send_replace(Some(clock));
        Stage::Running(clock)
    }

    /// Something before game time, in a match whose players may commit to nonces; game time begins when it is over.
    fn before_game_time(&mut self, event: RealTimeEvent) {
        let Stage::Readying { .. } = self.stage else { return };
        let before = self.actor.machine().awaited();
        self.actor.step(event);
        match self.actor.machine().awaited() {
            Some(awaited) if Some(awaited) == before => {}
            Some(_) => self.stage = self.readying(),
            None if self.actor.machine().end().is_some() => {}
            None => self.stage = self.running(0),
        }
    }

    fn ready(&mut self, role: RoleId, commitment: Option<Digest>) {
        if let Stage::Joining { ready, .. } = &mut self.stage {
            ready.push((role, commitment));
            return self.join(role);
        }
        if self.actor.machine().awaited().is_some() {
            return self.before_game_time(RealTimeEvent::Ready { role, commitment });
        }
        let Stage::Readying { unready, .. } = &mut self.stage else { return };
        unready.retain(|other| *other != role);
        if unready.is_empty() {
            self.begin();
        }
    }

    fn begin(&mut self) {
        self.actor.step(RealTimeEvent::Begin);
        self.stage = self.running(0);
    }

    /// A time is over: that in which players had to connect or get ready, or something is due in the game.
    fn go_on(&mut self) {
        match self.stage {
            Stage::Joining { .. } => self.obey(Command::Abort),
            // Who is not ready plays all the same, from when it is.
            Stage::Readying { .. } if self.actor.machine().awaited().is_some() => {
                self.before_game_time(RealTimeEvent::Late);
            }
            Stage::Readying { .. } => self.begin(),
            Stage::Running(_) => {
                // What arrived before counts before, although it is read now.
                while let Ok(command) = self.commands.try_recv() {
                    match command {
                        Command::Leave => self.commands.close(),
                        command => self.obey(command),
                    }
                }
                let now_us = self.now_us();
                self.agents.act(now_us).into_iter().for_each(|event| self.actor.step(event));
                self.close_until_now();
            }
        }
    }

    /// Processes what is due; game time is paused meanwhile, if that takes longer than a tick.
    fn close_until_now(&mut self) {
        let Stage::Running(clock) = &mut self.stage else { return };
        let begun = clock::now();
        let at_us = clock.shown_us(begun);
        self.actor.step(RealTimeEvent::Close { at_us });
        let lasted = begun.elapsed();
        if clock.game_us(lasted) > self.header.setup().tick_us {
            clock.stand_still(at_us, lasted);
            let lasted_us = u64::try_from(lasted.as_micros()).unwrap_or(u64::MAX);
            self.actor.step(RealTimeEvent::Pause { at_us, lasted_us });
        }
    }

    /// Tells players what follows from stored lines.
    fn tell(&mut self, notices: Vec<(RoleId, Notice)>) {
        for (role, notice) in notices {
            self.agents.tell(role, &notice);
            let frame = frame(&self.header, &self.pledge, &notice);
            self.boards[role].add(frame, matches!(notice, Notice::Stop { .. }));
        }
    }

    async fn conclude(&mut self) -> Result<(), StoreError> {
        let Some(end) = self.actor.machine().end() else { return Ok(()) };
        let withheld = if let RealTimeOutcome::Withheld { by } = &end.outcome { by.as_slice() } else { &[] };
        let (status, steps) = (end.outcome.status(), end.updates);
        let goals = goals(self.header.roles(), end.outcome.goals(), withheld);
        metrics().ended(status, std::iter::empty());
        let shown =
            json!({ "status": status, "turns": steps, "at_us": end.at_us, "goals": goals, "conduct": {} });
        self.stored.finish(Conclusion { status, steps, shown }).await
    }
}

impl Quota {
    /// Whether one more move at an instant is within it.
    fn takes(&mut self, at: Instant) -> bool {
        if at.saturating_duration_since(self.second) >= Duration::from_secs(1) {
            *self = Self { second: at, used: 0 };
        }
        self.used += 1;
        self.used <= MOVES_PER_S
    }
}
