//! One match while it runs: a task with its clock, its seats and its part of the store.

use std::{future::pending, sync::Arc, time::Instant};

use croupier_engine::{ByPlayer, RoleId, Scratch};
use croupier_players::PlayerKind;
use croupier_referee::{
    Event, Failure, Header, MatchState, Message, Moment, Outcome, OwnHistory, Reply, Request, Seed, message,
    protocol::{WireForm, compose, http_request, reply_to_prefix},
};
use croupier_remote::PlayerAddress;
use serde::Serialize;
use serde_json::{Value, json};
use tokio::{
    sync::{Semaphore, broadcast, mpsc, watch},
    task::spawn_blocking,
    time::sleep_until,
};

use crate::{
    actor::{Duty, MatchActor},
    board::Board,
    clock::{self, MatchClock},
    faults::crash_point,
    frame::frame,
    push::{Reach, exchange},
    rights::TokenDigest,
    seat::Seat,
    store::{Store, StoreError},
    thinker::{Library, Thinker, think},
};

/// Commands that wait for a match; who brings more waits too.
const COMMANDS_MAX: usize = 64;

/// Events that a spectator may be behind before it misses some.
const EVENTS_MAX: usize = 256;

/// What happens to a match from outside.
#[derive(Debug)]
pub(crate) enum Command {
    /// A player replied.
    Reply { role: RoleId, to: Request, reply: Reply },
    /// A player of this server replied, and is free for the next turn.
    Thought { role: RoleId, to: Request, reply: Reply, thinker: Option<Box<Thinker>> },
    /// The player of a seat has connected.
    Joined { role: RoleId },
    /// Somebody ends it.
    Abort,
    /// The server stops: the match stays as it is stored, and goes on when it starts again.
    Leave,
}

/// How far a match is, for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Progress {
    /// `waiting`, `running`, or how it ended.
    pub(crate) status: &'static str,
    /// How many turns were played.
    pub(crate) turns: u32,
    /// What it was worth to each role, if it ended by the rules.
    pub(crate) outcome: Option<Value>,
}

/// What the rest of the server knows of a match that runs.
#[derive(Clone, Debug)]
pub(crate) struct MatchHandle {
    pub(crate) header: Arc<Header>,
    pub(crate) boards: ByPlayer<Board>,
    /// Of seats whose players connect.
    pub(crate) tokens: ByPlayer<Option<TokenDigest>>,
    pub(crate) commands: mpsc::Sender<Command>,
    pub(crate) progress: watch::Receiver<Progress>,
    /// One JSON object an event, for spectators.
    pub(crate) events: broadcast::Sender<Arc<str>>,
}

/// What all matches share.
#[derive(Debug)]
pub(crate) struct House {
    pub(crate) store: Store,
    pub(crate) reach: Reach,
    /// Threads that think.
    pub(crate) threads: Arc<Semaphore>,
    /// The games of those who think.
    pub(crate) library: Library,
}

/// A match as its task has it.
pub(crate) struct Live {
    house: Arc<House>,
    header: Arc<Header>,
    commitment: Arc<str>,
    actor: MatchActor,
    scratch: Option<Box<Scratch>>,
    seats: ByPlayer<Chair>,
    boards: ByPlayer<Board>,
    clock: MatchClock,
    /// The request that is waited for, and until when.
    wake: Option<(Request, Instant)>,
    storing: Option<Storing>,
    /// The players that have to connect before the match begins, and until when they may.
    missing: Vec<RoleId>,
    join_by: Instant,
    /// Whether spectators see moves.
    is_open: bool,
    epoch: u64,
    commands: mpsc::Receiver<Command>,
    own: mpsc::WeakSender<Command>,
    progress: watch::Sender<Progress>,
    events: broadcast::Sender<Arc<str>>,
}

/// Lines on their way to the disk, and what spectators are told once they are there.
struct Storing {
    done: tokio::task::JoinHandle<Result<(), StoreError>>,
    lines: Arc<[String]>,
}

/// A seat, and who thinks in it.
enum Chair {
    Pull,
    Push { address: PlayerAddress, form: WireForm },
    Agent { kind: Box<PlayerKind>, seed: [u8; 32], thinker: Option<Box<Thinker>> },
}

/// What a match is made of.
pub(crate) struct Making {
    pub(crate) header: Arc<Header>,
    pub(crate) commitment: Arc<str>,
    pub(crate) actor: MatchActor,
    pub(crate) seats: ByPlayer<Seat>,
    pub(crate) tokens: ByPlayer<Option<TokenDigest>>,
    pub(crate) seed: Seed,
    /// Whether players have to connect before it begins.
    pub(crate) waits: bool,
    pub(crate) join_by: Instant,
    pub(crate) is_open: bool,
    /// Which referee of the match this is, counted from 1.
    pub(crate) epoch: u64,
}

/// Why the task of a match ended.
#[derive(Debug)]
pub(crate) enum End {
    /// The match is over, and the store knows it.
    Over,
    /// The server stops; what is stored is sound.
    Left,
    /// The store took no more of it; what is stored is sound.
    Unstored(StoreError),
}

impl Live {
    /// A match and its handle; it does nothing before [`run`](Self::run).
    pub(crate) fn new(making: Making, house: Arc<House>) -> (Self, MatchHandle) {
        let Making { header, commitment, actor, seats, tokens, seed, waits, join_by, is_open, epoch } =
            making;
        let (commands, received) = mpsc::channel(COMMANDS_MAX);
        let first = Progress { status: if waits { "waiting" } else { "running" }, turns: 0, outcome: None };
        let (progress, followed) = watch::channel(first);
        let events = broadcast::Sender::new(EVENTS_MAX);
        let boards =
            ByPlayer::from_fn(header.roles(), |role| shown(&header, &commitment, actor.state(), role));
        let is_pull = |role: &RoleId| matches!(seats[*role], Seat::Pull);
        let missing = if waits { header.roles().players().filter(is_pull).collect() } else { Vec::new() };
        let handle = MatchHandle {
            header: Arc::clone(&header),
            boards: boards.clone(),
            tokens,
            commands: commands.clone(),
            progress: followed,
            events: events.clone(),
        };
        let chair = |role: RoleId| match &seats[role] {
            Seat::Pull => Chair::Pull,
            Seat::Push { address, form } => Chair::Push { address: address.clone(), form: *form },
            Seat::Agent { kind } => {
                let seed = seed.agent(header.role_name(role));
                Chair::Agent { kind: kind.clone(), seed, thinker: None }
            }
        };
        let live = Self {
            seats: ByPlayer::from_fn(header.roles(), chair),
            clock: MatchClock::at(actor.state().now_ms()),
            house,
            header,
            commitment,
            actor,
            scratch: None,
            boards,
            wake: None,
            storing: None,
            missing,
            join_by,
            is_open,
            epoch,
            commands: received,
            own: commands.downgrade(),
            progress,
            events,
        };
        (live, handle)
    }

    /// Runs the match, from these duties on, to its end or until the server stops.
    pub(crate) async fn run(mut self, duties: Vec<Duty>) -> End {
        let waits = !self.missing.is_empty();
        let duties = if duties.is_empty() && !waits { self.step(Event::Begin) } else { duties };
        let end = match self.run_to_end(duties).await {
            Ok(end) => end,
            Err(error) => End::Unstored(error),
        };
        self.boards.iter().for_each(|(_, board)| board.close());
        end
    }

    async fn run_to_end(&mut self, mut duties: Vec<Duty>) -> Result<End, StoreError> {
        loop {
            for duty in std::mem::take(&mut duties) {
                if let Some(outcome) = self.perform(duty) {
                    self.conclude(&outcome).await?;
                    return Ok(End::Over);
                }
            }
            self.scratch = None;
            let wake = self.wake.map(|(_, at)| at).or((!self.missing.is_empty()).then_some(self.join_by));
            duties = tokio::select! {
                command = self.commands.recv() => match command {
                    None | Some(Command::Leave) => return Ok(End::Left),
                    Some(command) => self.obey(command),
                },
                stored = stored(&mut self.storing) => {
                    let lines = stored?;
                    self.tell_spectators(&lines);
                    self.actor.stored(self.clock.ms())
                }
                () = until(wake) => self.be_late(),
            };
        }
    }

    fn step(&mut self, event: Event) -> Vec<Duty> {
        let scratch = self.scratch.get_or_insert_with(|| Box::new(self.header.game().scratch()));
        self.actor.step(self.clock.ms(), event, scratch)
    }

    fn obey(&mut self, command: Command) -> Vec<Duty> {
        match command {
            Command::Reply { role, reply: Reply::Failed(failure), .. } if self.is_absent(failure) => {
                self.step(Event::Void { role, failure })
            }
            Command::Reply { role, to, reply } => self.step(Event::Reply { role, to, reply }),
            Command::Thought { role, to, reply, thinker } => {
                if let Chair::Agent { thinker: place, .. } = &mut self.seats[role] {
                    *place = thinker;
                }
                self.step(Event::Reply { role, to, reply })
            }
            Command::Joined { role } => {
                let waited = !self.missing.is_empty();
                self.missing.retain(|missing| *missing != role);
                if waited && self.missing.is_empty() { self.step(Event::Begin) } else { Vec::new() }
            }
            Command::Abort => self.step(Event::Abort),
            Command::Leave => Vec::new(),
        }
    }

    /// Whether a failure means that the match cannot begin.
    fn is_absent(&self, failure: Failure) -> bool {
        let is_starting = self.actor.state().request().is_some_and(|(request, _)| request == Request::Start);
        is_starting && failure.is_absence()
    }

    /// A time is over: that of a request, or that in which players had to connect.
    fn be_late(&mut self) -> Vec<Duty> {
        match self.wake.take() {
            Some((of, _)) => self.step(Event::Deadline { of }),
            None => {
                self.missing.clear();
                self.step(Event::Abort)
            }
        }
    }

    /// Does something; how the match ended, if it has.
    fn perform(&mut self, duty: Duty) -> Option<Outcome> {
        crash_point();
        match duty {
            Duty::Store { first, lines } => {
                let (house, id) = (Arc::clone(&self.house), self.header.match_id().to_owned());
                let lines: Arc<[String]> = lines.into();
                let (written, epoch) = (Arc::clone(&lines), self.epoch);
                let done = tokio::spawn(async move { house.store.append(&id, epoch, first, written).await });
                self.storing = Some(Storing { done, lines });
                None
            }
            Duty::Send { role, message } => {
                self.send(role, message);
                None
            }
            Duty::Wake { of, at_ms } => {
                self.wake = Some((of, self.clock.instant(at_ms)));
                None
            }
            Duty::Finish { outcome } => Some(outcome),
        }
    }

    fn send(&mut self, role: RoleId, message: Message) {
        let request = Request::of(&message);
        let clock_ms =
            request.map_or(self.header.clocks().play_ms, |request| request.clock_ms(self.header.clocks()));
        let deadline = self.clock.instant(self.clock.ms() + clock_ms);
        let Some(own) = self.own.upgrade() else { return };
        match &mut self.seats[role] {
            Chair::Pull => {
                let frame = frame(&self.header, &self.commitment, &message);
                self.boards[role].show(frame, request.is_none());
            }
            Chair::Push { address, form } => {
                let (header, address, form) = (Arc::clone(&self.header), address.clone(), *form);
                let reach = self.house.reach;
                let Ok(body) = compose(&header, &message, form) else { return };
                let bytes = http_request(&body, header.role_name(role), form.headers);
                tokio::spawn(async move {
                    let reply = match exchange(&address, reach, &bytes, deadline).await {
                        Ok(text) => {
                            Reply::Text(reply_to_prefix(&text, form.notation, header.game().limits()))
                        }
                        Err(failure) => Reply::Failed(failure),
                    };
                    if let Some(to) = request {
                        // A match that is over needs no reply.
                        let _ = own.send(Command::Reply { role, to, reply }).await;
                    }
                });
            }
            Chair::Agent { kind, seed, thinker } => {
                let Some(to) = request else { return };
                let (kind, seed) = (kind.clone(), *seed);
                let (thinker, threads) = (thinker.take(), Arc::clone(&self.house.threads));
                let (house, rules) = (Arc::clone(&self.house), Arc::clone(self.header.rules_line()));
                let known = self.actor.state().own_history(role).cloned();
                tokio::spawn(async move {
                    let ready = match (thinker, known) {
                        (Some(thinker), _) => Some(thinker),
                        (None, Some(known)) => {
                            let make = move || {
                                let game = house.library.game(&rules).map_err(|error| error.to_string())?;
                                Thinker::new(&kind, game, &known, seed)
                            };
                            spawn_blocking(make).await.ok().and_then(Result::ok).map(Box::new)
                        }
                        (None, None) => None,
                    };
                    let (thinker, reply) = match ready {
                        Some(thinker) => think(thinker, message, deadline, threads).await,
                        None => (None, Reply::Failed(Failure::PlayerError)),
                    };
                    let _ = own.send(Command::Thought { role, to, reply, thinker }).await;
                });
            }
        }
    }

    /// What everybody may know of lines that are stored.
    fn tell_spectators(&self, lines: &[String]) {
        for line in lines {
            let Ok(line) = serde_json::from_str::<Value>(line) else { continue };
            let event = match line["event"].as_str() {
                Some("genesis") => {
                    self.progress.send_modify(|progress| progress.status = "running");
                    json!({ "event": "begin", "commitment": line["commitment"] })
                }
                Some("turn") => {
                    let turns = line["turn"].as_u64().and_then(|turn| u32::try_from(turn + 1).ok());
                    self.progress.send_modify(|progress| progress.turns = turns.unwrap_or(progress.turns));
                    let mut event = json!({ "event": "turn", "turn": line["turn"] });
                    if self.is_open {
                        event["moves"] = line["moves"].clone();
                    }
                    event
                }
                Some("end") => {
                    json!({ "event": "end", "turns": line["turns"], "status": line["status"], "goals": line["goals"] })
                }
                _ => continue,
            };
            // Nobody may be watching.
            let _ = self.events.send(event.to_string().into());
        }
    }

    /// By role, how many moves it had to make, and how many were played for it by what its replies were instead.
    fn conduct(&self) -> Value {
        let conducts = self.actor.state().conducts().iter().map(|(role, conduct)| {
            let shown = json!({ "moves": conduct.moves, "substituted": conduct.reasons() });
            (self.header.role_name(role).to_owned(), shown)
        });
        Value::Object(conducts.collect())
    }

    async fn conclude(&mut self, outcome: &Outcome) -> Result<(), StoreError> {
        let name = |role: RoleId| self.header.role_name(role).to_owned();
        let goals = outcome.goals().map(|goals| {
            Value::Object(goals.iter().map(|(role, goal)| (name(role), json!(goal.value()))).collect())
        });
        let status = outcome.status();
        let shown = json!({
            "status": status,
            "turns": outcome.turns(),
            "goals": goals,
            "conduct": self.conduct(),
        });
        self.house.store.finish(self.header.match_id(), status, shown.to_string()).await?;
        self.progress.send_modify(|progress| {
            progress.status = status;
            progress.turns = outcome.turns();
            progress.outcome = Some(shown);
        });
        Ok(())
    }
}

/// The board of a seat with everything that it was told so far, in the same words.
fn shown(header: &Header, commitment: &str, state: &MatchState, role: RoleId) -> Board {
    let board = Board::new();
    let (Some((request, _)), Some(own)) = (state.request(), state.own_history(role)) else { return board };
    let mut seen = OwnHistory::initial(role);
    board.show(frame(header, commitment, &message(header, &seen, Moment::Start)), false);
    if request == Request::Start {
        return board;
    }
    board.show(frame(header, commitment, &message(header, &seen, Moment::Play)), false);
    for turn in &own.turns {
        seen.turns.push(turn.clone());
        board.show(frame(header, commitment, &message(header, &seen, Moment::Play)), false);
    }
    board
}

/// The lines that are durable now; never, if none are on their way.
async fn stored(storing: &mut Option<Storing>) -> Result<Arc<[String]>, StoreError> {
    let Some(Storing { done, .. }) = storing else { return pending().await };
    let result = done.await.unwrap_or(Err(StoreError::Closed));
    let lines = storing.take().map_or_else(Arc::default, |storing| storing.lines);
    result.map(|()| lines)
}

async fn until(at: Option<Instant>) {
    match at {
        Some(at) => sleep_until(at.into()).await,
        None => pending().await,
    }
}

/// Now, as the match that is to be joined counts it.
pub(crate) fn join_by(seconds: u64) -> Instant {
    clock::now() + std::time::Duration::from_secs(seconds)
}
