//! A real-time player in a seat of a server: it hears, plans, and sends its moves as much earlier as the way takes.
//!
//! In a seat of a match it is a program among programs: it says that it is ready, takes part in the seed, and names its moves. At a table
//! (`timed_table.rs`) the server does that for it.

use std::{
    collections::BTreeMap,
    sync::{Arc, mpsc},
    thread,
    time::{Duration, Instant},
};

use croupier_engine::{Limits, Options, Roles, realtime::RealTimeGame};
use croupier_referee::realtime::{
    Notice, Plan, RealTimeSeat,
    client::Lag,
    wire::{Opening, RealTimeMessage, RealTimeSaid},
};
use serde_json::{Value, json};

use super::{
    Left,
    connection::{Polled, SeatConnection},
    facts_of,
    nonce::Part,
    pledge::Pledge,
};
use crate::{
    arguments::key_file::PublicKey,
    output::failure::Failure,
    sessions::{
        clock,
        interrupt::Interrupt,
        realtime::{RealTimeOccupant, RealTimeSeatSpec},
    },
};

/// Samples of the way that count: those of the last moves, and of the last notices.
const SAMPLES: usize = 64;

/// How often it is looked whether the player is interrupted.
const SLICE: Duration = Duration::from_millis(100);

/// How often it is looked whether a person typed, and the time is shown anew.
const TYPED_SLICE: Duration = Duration::from_millis(20);

/// How long after its instant a move without an acknowledgement is sent again.
const AGAIN: Duration = Duration::from_secs(3);

/// What comes from the server.
pub(super) enum FromServer {
    Frame(String, Instant),
    /// What game time was at the server, in microseconds, when it answered.
    Time(u64, Instant),
    Over,
    Failed(Failure),
}

/// A move that was sent and not acknowledged yet, in microseconds of game time on the own clock.
struct Sent {
    frame: Value,
    at_us: u64,
    again_us: u64,
    is_again: bool,
}

/// When the player said that it is ready, and how long it took to be heard; in microseconds of game time on the own clock.
struct ReadyRequest {
    at_us: u64,
    round_trip_us: u64,
}

/// How a player and the server speak to each other.
pub(super) enum Protocol {
    /// In a seat of a match, with a part in its seed.
    Seat { part: Part, pledge: Pledge },
    /// At a table, in this match of its session: a move is named after what the guest has read.
    Table { hand: u64 },
}

/// A player at its seat.
pub(super) struct Player {
    role: String,
    roles: Roles,
    protocol: Protocol,
    occupant: RealTimeOccupant,
    plan: Plan,
    /// What the own clock counts from, and milliseconds of game time in a second of it.
    begun: Instant,
    speed_permille: u32,
    /// From the own clock to the referee, and from there back: when notices came, and of which instant they were.
    up: Lag,
    down: Lag,
    /// Until a move is acknowledged.
    ready: Option<ReadyRequest>,
    /// When it says once more that it is ready, until it is told something after that: a server that starts again has forgotten it.
    ready_again_us: Option<u64>,
    /// The latest instant that the player acted at.
    now_us: u64,
    sent: BTreeMap<u64, Sent>,
    moves_sent: u64,
    /// How many frames were read, the rules included.
    frames: usize,
    /// How the match ended, once that was told.
    stopped: Option<ToldEnd>,
    to_server: mpsc::Sender<Value>,
}

/// The end of a match, as a player is told it.
pub(super) struct ToldEnd {
    pub(super) at_us: u64,
    /// What everybody got, if the match ended by the rules.
    pub(super) goals: Option<BTreeMap<String, i32>>,
}

/// Plays until the match is over.
///
/// # Errors
/// If what the server sends makes no sense, or the player fails.
pub(super) fn play(
    connection: &SeatConnection,
    first: &Polled,
    signer: &PublicKey,
    spec: RealTimeSeatSpec,
    seed: [u8; 32],
    interrupt: &Interrupt,
) -> Result<Left, Failure> {
    let (to_server, said) = mpsc::channel();
    let start = Start::read(&first.frames[0])?;
    let pledge = start.pledge(signer).map_err(|error| connection.unproven(&error))?;
    let part = Part::new(seed, &start.match_id, &start.role);
    let ready = part.ready();
    let protocol = Protocol::Seat { part, pledge };
    let mut player = Player::new(start, protocol, spec, seed, interrupt, to_server)?;
    let asked = clock::now();
    connection.say(&ready)?;
    player.ready =
        Some(ReadyRequest { at_us: player.own_us(asked), round_trip_us: player.game_us(asked.elapsed()) });
    player.ready_again_us = Some(player.own_us(asked).saturating_add(player.game_us(AGAIN)));
    let (hears, sends) = (connection.clone(), connection.clone());
    let heard = listen(first, move |after| hears.poll(after));
    speak(said, move |frame| sends.say(frame));
    player.play(connection, &heard, interrupt)
}

/// Sends what a player says, on a thread of its own.
pub(super) fn speak(
    said: mpsc::Receiver<Value>,
    say: impl Fn(&Value) -> Result<(), Failure> + Send + 'static,
) {
    thread::spawn(move || {
        for frame in said {
            if say(&frame).is_err() {
                return;
            }
        }
    });
}

/// Listens on a thread of its own: a poll takes as long as nothing happens. It is left behind at the end.
pub(super) fn listen(
    first: &Polled,
    poll: impl Fn(usize) -> Result<Option<Polled>, Failure> + Send + 'static,
) -> mpsc::Receiver<FromServer> {
    let (hear, heard) = mpsc::channel();
    let rest = first.frames.get(1..).unwrap_or_default().to_vec();
    let first = Polled { after: first.after, frames: rest, over: first.over, now_us: first.now_us };
    let mut polled = Ok(Some(first));
    thread::spawn(move || {
        loop {
            let (after, over) = match polled {
                Err(failure) => return drop(hear.send(FromServer::Failed(failure))),
                Ok(None) => return,
                Ok(Some(Polled { after, frames, over, now_us })) => {
                    let at = clock::now();
                    let shown = now_us.map(|now_us| FromServer::Time(now_us, at));
                    let told = frames.iter().map(|frame| FromServer::Frame(frame.to_string(), at));
                    for heard in shown.into_iter().chain(told) {
                        if hear.send(heard).is_err() {
                            return;
                        }
                    }
                    (after, over)
                }
            };
            if over {
                return drop(hear.send(FromServer::Over));
            }
            polled = poll(after);
        }
    });
    heard
}

/// The first frame of a seat: what is played, and as whom.
pub(super) struct Start {
    match_id: String,
    role: String,
    rules: String,
    opening: Opening,
}

impl Start {
    /// Reads it.
    ///
    /// # Errors
    /// If it is another frame.
    pub(super) fn read(frame: &Value) -> Result<Self, Failure> {
        let unfit = |error: String| Failure::refuse("bad-match", error);
        let read = RealTimeMessage::read_json(frame.to_string().as_bytes(), &Limits::STANDARD);
        match read.map_err(|error| unfit(error.to_string()))? {
            RealTimeMessage::Start { match_id, role, rules, opening, .. } => {
                Ok(Self { match_id, role, rules, opening })
            }
            _ => Err(unfit("the server begins with something else than the rules".to_owned())),
        }
    }

    /// What it binds the server to.
    ///
    /// # Errors
    /// If nothing does.
    fn pledge(&self, signer: &PublicKey) -> Result<Pledge, String> {
        let (Some(commitment), Some([signature, public_key])) =
            (&self.opening.commitment, &self.opening.signed)
        else {
            return Err("its `start` has no signed commitment".to_owned());
        };
        Pledge::new([commitment, signature, public_key], signer)
    }
}

fn as_value(said: &RealTimeSaid) -> Value {
    serde_json::from_str(&said.to_json()).expect("what is written as JSON is JSON")
}

impl Player {
    /// Whoever sits there, with a game of its own from the rules that it was sent.
    ///
    /// # Errors
    /// If there is no such game or role, or the terminal does not give its keys.
    pub(super) fn new(
        start: Start,
        protocol: Protocol,
        spec: RealTimeSeatSpec,
        seed: [u8; 32],
        interrupt: &Interrupt,
        to_server: mpsc::Sender<Value>,
    ) -> Result<Self, Failure> {
        let unfit = |error: String| Failure::refuse("bad-match", error);
        let Start { role, rules, opening, .. } = start;
        let compiled =
            RealTimeGame::compile(&rules, &Options::PLAY).map_err(|error| unfit(error.to_string()))?;
        let game = Arc::new(compiled.game);
        let roles = game.roles().clone();
        let place = roles.find(&role).ok_or_else(|| unfit("the rules have no such role".to_owned()))?;
        let facts = Arc::new(facts_of(&rules));
        let occupant = RealTimeOccupant::new(spec, game, &facts, place, seed, interrupt)?;
        // At a table nothing is known of the way before the first move: what was told is taken to have come at once.
        let at_once = ReadyRequest { at_us: 0, round_trip_us: 0 };
        Ok(Self {
            role,
            roles,
            protocol,
            occupant,
            plan: Plan::Wait,
            begun: clock::now(),
            speed_permille: opening.speed_permille,
            up: Lag::new(SAMPLES),
            down: Lag::new(SAMPLES),
            ready: Some(at_once),
            ready_again_us: None,
            now_us: 0,
            sent: BTreeMap::new(),
            moves_sent: 0,
            frames: 1,
            stopped: None,
            to_server,
        })
    }

    /// Plays until the match is over.
    ///
    /// # Errors
    /// If what the server sends makes no sense, or the player fails.
    pub(super) fn play(
        &mut self,
        connection: &SeatConnection,
        heard: &mpsc::Receiver<FromServer>,
        interrupt: &Interrupt,
    ) -> Result<Left, Failure> {
        let mut is_over = false;
        while !is_over {
            if interrupt.is_raised() {
                return Ok(Left::Interrupted);
            }
            let mut next = match heard.recv_timeout(self.patience()) {
                Ok(next) => Some(next),
                Err(mpsc::RecvTimeoutError::Timeout) => None,
                Err(mpsc::RecvTimeoutError::Disconnected) => return Ok(Left::Interrupted),
            };
            // All that is there is heard before the player plans.
            while let Some(news) = next {
                match news {
                    FromServer::Frame(text, at) => self.hear(connection, &text, at)?,
                    FromServer::Time(now_us, at) => self.down.take(self.own_us(at), now_us),
                    FromServer::Over => is_over = true,
                    FromServer::Failed(failure) => return Err(failure),
                }
                next = heard.try_recv().ok();
            }
            if !is_over {
                self.act();
            }
            if self.plan == Plan::Leave && !interrupt.is_raised() {
                return Ok(Left::Early);
            }
            if let Some(error) = self.occupant.error() {
                return Err(Failure::refuse("agent-failed", format!("{}: {error}", self.role)));
            }
        }
        Ok(Left::Over)
    }

    /// How many frames were read, and how the match ended.
    pub(super) fn into_end(self) -> (usize, Option<ToldEnd>) {
        (self.frames, self.stopped)
    }

    /// When to send a move that is meant for an instant, on the own clock. The server holds one that comes early for a program; at a
    /// table every move counts when it comes.
    fn send_us(&self, meant_us: u64) -> u64 {
        match self.protocol {
            Protocol::Seat { .. } => self.up.send_held_us(meant_us),
            Protocol::Table { .. } => self.up.send_us(meant_us),
        }
    }

    /// Microseconds of game time in which the own clock runs for that long.
    fn game_us(&self, run: Duration) -> u64 {
        u64::try_from(run.as_micros() * u128::from(self.speed_permille) / 1000).unwrap_or(u64::MAX)
    }

    /// The own clock, in microseconds of game time.
    fn own_us(&self, at: Instant) -> u64 {
        self.game_us(at.saturating_duration_since(self.begun))
    }

    /// The game time up to which everything is known, if the way back is as quick as it was.
    fn known_us(&self, own_us: u64) -> u64 {
        let ahead_us = self.down.greatest_us().unwrap_or(0);
        own_us.saturating_add_signed(ahead_us).max(self.now_us)
    }

    /// How long nothing has to be done.
    fn patience(&self) -> Duration {
        let own_us = self.own_us(clock::now());
        let due_us = match &self.plan {
            Plan::Move { at_us, .. } => self.send_us(*at_us).saturating_sub(own_us),
            Plan::Think { at_us } => at_us.saturating_sub(self.known_us(own_us)),
            Plan::Wait | Plan::Leave => u64::MAX,
        };
        let clock_us = u128::from(due_us) * 1000 / u128::from(self.speed_permille);
        let slice = if self.occupant.is_person() { TYPED_SLICE } else { SLICE };
        Duration::from_micros(u64::try_from(clock_us).unwrap_or(u64::MAX)).min(slice)
    }

    fn hear(&mut self, connection: &SeatConnection, text: &str, at: Instant) -> Result<(), Failure> {
        let read = RealTimeMessage::read_json(text.as_bytes(), &Limits::STANDARD);
        let message = read.map_err(|error| Failure::refuse("bad-frame", error.to_string()))?;
        self.frames += 1;
        if let RealTimeMessage::Reveal { commitments, signature } = &message {
            self.ready_again_us = None;
            let Protocol::Seat { part, pledge } = &self.protocol else { return Ok(()) };
            let signature = signature.as_deref().unwrap_or_default();
            let checked = pledge.check(&self.roles, commitments, signature);
            checked.map_err(|error| connection.unproven(&error))?;
            let said = part.reveal(commitments);
            // If the connection is gone, so is the match; who was here before has revealed already.
            let _ = self.to_server.send(said.map_err(|error| Failure::refuse("bad-match", error))?);
            return Ok(());
        }
        if let RealTimeMessage::Stop { at_us, goals } = &message {
            self.stopped = Some(ToldEnd { at_us: *at_us, goals: goals.clone() });
        }
        let Some(notice) = message.notice(&self.role) else { return Ok(()) };
        self.ready_again_us = None;
        let own_us = self.own_us(at);
        let of_us = match &notice {
            Notice::Start | Notice::Reveal { .. } => 0,
            Notice::Event { at_us, .. } | Notice::Received { at_us, .. } | Notice::Stop { at_us, .. } => {
                *at_us
            }
        };
        self.down.take(own_us, of_us);
        if let Some(ready) = &self.ready {
            // A poll, which asks and waits, is back in less than two round trips, and game time begins after the player is
            // ready: a move takes no longer than this says. Whoever comes back hears of the beginning late, and of more at once.
            let by_poll_us = own_us.saturating_sub(ready.round_trip_us.saturating_mul(2));
            let least_us = if notice == Notice::Start { ready.at_us } else { 0 };
            self.up.take(by_poll_us.max(least_us), of_us);
        }
        if let Notice::Received { id, arrived_us, .. } = &notice
            && let Some(sent) = self.acknowledged(*id)
            && !sent.is_again
        {
            // The first that is known replaces what was guessed.
            if self.ready.take().is_some() {
                self.up = Lag::new(SAMPLES);
            }
            self.up.take(sent.at_us, *arrived_us);
        }
        self.now_us = self.known_us(own_us).max(of_us);
        let plan = self.occupant.plan(self.now_us, Some(&notice)).after(self.now_us);
        // What a person typed is sent, whatever is told meanwhile.
        let is_typed = self.occupant.is_person() && matches!(self.plan, Plan::Move { .. });
        if !is_typed || plan == Plan::Leave {
            self.plan = plan;
        }
        Ok(())
    }

    /// Thinks if it is time, sends the move for which it is, and again those that seem lost.
    fn act(&mut self) {
        let own_us = self.own_us(clock::now());
        let now_us = self.known_us(own_us);
        let is_due = match self.plan {
            Plan::Think { at_us } => at_us <= now_us,
            Plan::Wait => self.occupant.is_person(),
            Plan::Move { .. } | Plan::Leave => false,
        };
        if is_due {
            self.now_us = now_us;
            self.plan = self.occupant.plan(now_us, None).after(now_us);
        }
        // Thinking may have taken some time.
        let own_us = self.own_us(clock::now());
        let again_after_us = self.game_us(AGAIN);
        if self.ready_again_us.is_some_and(|again_us| again_us <= own_us) {
            self.ready_again_us = Some(own_us.saturating_add(again_after_us));
            if let Protocol::Seat { part, .. } = &self.protocol {
                self.say(part.ready());
            }
        }
        if let Plan::Move { at_us, .. } = self.plan
            && self.send_us(at_us) <= own_us
            && let Plan::Move { text, at_us } = std::mem::replace(&mut self.plan, Plan::Wait)
        {
            self.send(text, at_us, now_us, own_us);
        }
        let lost = self.sent.values_mut().filter(|sent| sent.again_us <= own_us);
        let mut again = Vec::new();
        for sent in lost {
            sent.again_us = own_us.saturating_add(again_after_us);
            sent.is_again = true;
            again.push(sent.frame.clone());
        }
        again.into_iter().for_each(|frame| self.say(frame));
    }

    /// Sends a move that is meant for an instant. One that seems lost is sent again; at a table the connection does that.
    fn send(&mut self, text: String, at_us: u64, now_us: u64, own_us: u64) {
        let id = self.moves_sent;
        self.moves_sent += 1;
        let (frame, again_us) = match &self.protocol {
            Protocol::Seat { .. } => {
                let not_before_us = (at_us > now_us.saturating_add(1)).then_some(at_us);
                let wait_us = at_us.saturating_sub(now_us);
                let again_us = own_us.saturating_add(wait_us).saturating_add(self.game_us(AGAIN));
                (as_value(&RealTimeSaid::Move { id, text, not_before_us }), again_us)
            }
            Protocol::Table { hand } => {
                (json!({ "hand": hand, "turn": self.frames, "move": text }), u64::MAX)
            }
        };
        self.say(frame.clone());
        self.sent.insert(id, Sent { frame, at_us: own_us, again_us, is_again: false });
    }

    /// The move that is acknowledged under a name. At a table the server names moves, and judges them in the order in which they were sent.
    fn acknowledged(&mut self, id: u64) -> Option<Sent> {
        match self.protocol {
            Protocol::Seat { .. } => self.sent.remove(&id),
            Protocol::Table { .. } => self.sent.pop_first().map(|(_, sent)| sent),
        }
    }

    fn say(&self, frame: Value) {
        // Whoever sends has given up on the server; then so does whoever listens.
        let _ = self.to_server.send(frame);
    }
}
