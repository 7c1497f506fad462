//! `croupier join`: a player, or a person at the terminal, in a seat of a match that a server runs.

mod ending;
mod connection;
mod nonce;
mod pledge;
mod real_time;
mod table;
mod timed_table;

use std::{
    collections::BTreeMap,
    io::{self, IsTerminal as _, Write},
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
        mpsc,
    },
    thread,
    time::Duration,
};

use clap::Args;
use croupier_engine::{Game, Options};
use croupier_games::{Entry, GameFacts, catalogue, real_time_catalogue};
use croupier_referee::{Message, OwnTurn, Reply, SeatReply};
use croupier_seat::{Knowledge, PlayerSeat};
use serde::Deserialize;
use serde_json::{Value, json};

use self::{
    connection::{Polled, SeatConnection},
    ending::Seated,
    nonce::Part,
    pledge::Pledge,
    table::Link,
};
use crate::{
    arguments::{
        entropy,
        key_file::{self, PublicKey},
        seating::{HUMAN, STANDARD, STANDARD_IN_REAL_TIME, SeatSpec, agents_line, spec},
    },
    output::{
        answer::Answer,
        coverage::{StrategyCoverage, player_refusal},
        failure::Failure,
    },
    sessions::{
        clock,
        interrupt::Interrupt,
        realtime::{RealTimeSeatSpec, real_time_spec},
        seat::{Occupant, Person, TerminalSeat, TimedPlayer, Timing},
        terminal::Stream,
    },
};

/// Take a seat in a match of a server
///
/// The server tells the seat what its rules let it see, and nothing else. A connection that breaks is made again, and a server
/// that starts again is waited for; nothing is lost by either.
#[derive(Args)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// The seat, as the server names it: http://HOST:PORT/v1/matches/ID/seats/ROLE, or https://; or the link of a table,
    /// http://HOST:PORT/i/TOKEN, whose matches are played one after the other
    #[arg(value_name = "URL")]
    seat: String,
    /// The token of the seat, which was shown when the match was made; a link needs none
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// What you are called at the table of a link [default: guest]
    #[arg(long, value_name = "NAME")]
    name: Option<String>,
    /// Who plays: an agent, or `human` [default: human at a terminal; else resolve, and mc in a real-time game]
    #[arg(long, value_name = "AGENT")]
    player: Option<String>,
    /// Let the agent compute while others choose: card games that it solves by deals, and games of full sight
    #[arg(long)]
    ponder: bool,
    /// An integer or 64 hexadecimal digits for the agent's draws; without it one from the operating system
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// A file of certificates in PEM that the server's has to be signed by; without it, those that this machine trusts
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// The key that the server's commitment must be signed by: a public key of 64 hexadecimal digits, or a file with it
    /// [default: the one that the server publishes]
    #[arg(long, value_name = "KEY")]
    signed_by: Option<String>,
    /// Print how the match ended as JSON
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    format!(
        "\
{} Real-time games have agents of their own.

At a terminal you play yourself. Whoever leaves can return to the seat by the same command; meanwhile a legal move is drawn \
whenever the clock of a turn is over.

A nonce of the player is mixed into the seed of the match, and committed to before anybody's is revealed: nobody can choose
what is dealt. It follows from --seed, which is to be as secret.

Example:
  croupier join http://127.0.0.1:8080/v1/matches/ID/seats/alice --token TOKEN --player ismcts
  croupier join http://127.0.0.1:8080/i/TOKEN --name Ann",
        agents_line(&[])
    )
}

/// A frame of a seat.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Frame {
    Start {
        #[serde(rename = "match")]
        match_id: String,
        role: String,
        rules: String,
        start_clock_ms: u64,
        play_clock_ms: u64,
        commitment: String,
        signature: String,
        public_key: String,
    },
    /// What everybody has committed to.
    Reveal {
        commitments: BTreeMap<String, String>,
        signature: String,
    },
    Play {
        turn: u32,
        last_move: Option<String>,
        percepts: Vec<String>,
    },
    Stop {
        turn: u32,
        last_move: Option<String>,
        percepts: Vec<String>,
    },
    Abort,
}

/// Who plays, by name, whichever kind of game it turns out to be.
struct JoinedSeats {
    in_turns: String,
    in_real_time: String,
}

/// How long nothing is said of a wait.
const SOON: Duration = Duration::from_millis(1500);

/// How often it is looked whether the player is interrupted.
const SLICE: Duration = Duration::from_millis(50);

impl JoinedSeats {
    /// Whoever goes by a name.
    ///
    /// # Errors
    /// If there is nobody of that name for any kind of game.
    fn of(named: Option<&str>, is_at_terminal: bool) -> Result<Self, Failure> {
        let named = named.or(is_at_terminal.then_some(HUMAN));
        let seats = Self {
            in_turns: named.unwrap_or(STANDARD).to_owned(),
            in_real_time: named.unwrap_or(STANDARD_IN_REAL_TIME).to_owned(),
        };
        match (seats.in_turns(), seats.in_real_time()) {
            (Err(failure), Err(_)) => Err(failure),
            _ => Ok(seats),
        }
    }

    /// Who plays a game in turns.
    ///
    /// # Errors
    /// If nobody of that name does.
    fn in_turns(&self) -> Result<SeatSpec, Failure> {
        spec(&self.in_turns).map_err(|failure| failure.at_argument("--player", &self.in_turns))
    }

    /// Who plays a game in real time.
    ///
    /// # Errors
    /// If nobody of that name does.
    fn in_real_time(&self) -> Result<RealTimeSeatSpec, Failure> {
        let name = &self.in_real_time;
        real_time_spec(name).map_err(|failure| failure.at_argument("--player", name))
    }

    /// Whether somebody at the terminal plays.
    fn has_person(&self) -> bool {
        self.in_real_time().is_ok_and(|spec| spec == RealTimeSeatSpec::Human)
    }
}

/// Frames as they are read in a match in turns.
fn read(frames: Vec<Value>) -> Result<Vec<Frame>, String> {
    let frame = |frame: Value| {
        let unknown = format!("this version does not know its frame {}", frame["type"]);
        serde_json::from_value(frame).map_err(|_| unknown)
    };
    frames.into_iter().map(frame).collect()
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let is_at_terminal = io::stdin().is_terminal() && io::stdout().is_terminal() && !arguments.json;
    let specs = JoinedSeats::of(arguments.player.as_deref(), is_at_terminal)?;
    let seed = entropy::seed(arguments.seed.as_deref())?.agent("join");
    let signer = arguments.signed_by.as_deref().map(key_file::public).transpose()?;
    if let Some(link) = Link::of(&arguments.seat) {
        interrupt.hold();
        return table::run(&link, arguments, specs, seed, interrupt, out);
    }
    let connection = SeatConnection::new(arguments, interrupt)?;
    interrupt.hold();
    let told = if arguments.json { Stream::Nowhere } else { Stream::Errors };
    let first = poll_told(
        &connection,
        0,
        told,
        "waiting for the match to begin: other players have yet to come",
        |_| {},
    )?;
    let Some(first) = first else { return Ok(Answer::Interrupted) };
    let signer = match signer {
        Some(key) => Some(key),
        None => connection.public_key()?,
    };
    let Some(signer) = signer else { return Ok(Answer::Interrupted) };
    let mut seated = Seated::at(first.frames.first());
    let is_real_time = seated.is_real_time;
    let left = if is_real_time {
        real_time::play(&connection, &first, &signer, specs.in_real_time()?, seed, interrupt)?
    } else {
        let spec = specs.in_turns()?;
        seated.is_person = spec.is_human();
        in_turns(&connection, first, &signer, &spec, arguments.ponder, seed)?
    };
    if left == Left::Over {
        return seated.write_end(&connection, arguments.json, out);
    }
    if !arguments.json {
        seated.write_farewell(out)?;
    }
    // Whoever plays leaves alike, by a word or by a key; a program is interrupted.
    Ok(if seated.is_person || left == Left::Early { Answer::No } else { Answer::Interrupted })
}

/// The frames behind the first `seen`, with a word about the wait if it takes long; `None` as soon as the player is interrupted.
///
/// Meanwhile `work` is done on this thread, until what it is given says that it is over.
fn poll_told(
    connection: &SeatConnection,
    seen: usize,
    told: Stream,
    text: &str,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)),
) -> Result<Option<Polled>, Failure> {
    poll_with(connection, move |connection| connection.poll(seen), told, text, work)
}

/// The same for any way to ask.
fn poll_with<T: Send + 'static>(
    connection: &SeatConnection,
    asks: impl FnOnce(&SeatConnection) -> Result<Option<T>, Failure> + Send + 'static,
    told: Stream,
    text: &str,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)),
) -> Result<Option<T>, Failure> {
    let (give, given) = mpsc::channel();
    let asking = connection.clone();
    let has_come = Arc::new(AtomicBool::new(false));
    let comes = Arc::clone(&has_come);
    // A poll takes as long as nothing happens: it is left behind by whoever leaves.
    thread::spawn(move || {
        let polled = asks(&asking);
        comes.store(true, Ordering::Relaxed);
        // Whoever left does not wait for it.
        drop(give.send((asking, polled)));
    });
    let begun = clock::now();
    let mut is_told = false;
    let interrupt = connection.interrupt();
    work(&|| has_come.load(Ordering::Relaxed) || interrupt.is_raised());
    loop {
        match given.recv_timeout(SLICE) {
            Ok((asked, polled)) => {
                connection.follow(asked);
                return polled;
            }
            Err(mpsc::RecvTimeoutError::Timeout) if !connection.is_interrupted() => {}
            Err(_) => return Ok(None),
        }
        if !is_told && begun.elapsed() > SOON {
            is_told = true;
            // Nobody is left to be told if the terminal is gone.
            let _ = writeln!(told.writer(), "{text}");
        }
    }
}

/// Why a player no longer sits there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    /// The match is over.
    Over,
    /// A signal came.
    Interrupted,
    /// A person wanted to.
    Early,
}

/// A seat that is taken in a match in turns.
struct Taken {
    match_id: String,
    game: Arc<Game>,
    occupant: Occupant,
    part: Part,
    pledge: Pledge,
}

/// Plays a match in turns, whose first frames these are.
fn in_turns(
    connection: &SeatConnection,
    first: Polled,
    signer: &PublicKey,
    spec: &SeatSpec,
    ponders: bool,
    seed: [u8; 32],
) -> Result<Left, Failure> {
    let interrupt = connection.interrupt();
    let mut taken: Option<Taken> = None;
    let told = if spec.is_human() { Stream::Output } else { Stream::Nowhere };
    let mut polled = Some(first);
    while let Some(Polled { after, frames, over, .. }) = polled {
        let frames: Vec<Frame> = read(frames).map_err(|error| connection.foreign(&error))?;
        let last = frames.len().saturating_sub(1);
        for (position, frame) in frames.into_iter().enumerate() {
            if let Frame::Start { match_id, role, rules, play_clock_ms, .. } = &frame {
                let pledge = pledge(&frame, signer).map_err(|error| connection.unproven(&error))?;
                let clock = Duration::from_millis(*play_clock_ms);
                let (game, occupant) = seat(spec, rules, role, seed, Timing::Clock(clock), interrupt)?;
                let part = Part::new(seed, match_id, role);
                taken = Some(Taken { match_id: match_id.clone(), game, occupant, part, pledge });
            }
            let Some(Taken { match_id, game, occupant, part, pledge }) = &mut taken else { continue };
            let message = match frame {
                Frame::Reveal { commitments, signature } => {
                    let checked = pledge.check(game.roles(), &commitments, &signature);
                    checked.map_err(|error| connection.unproven(&error))?;
                    if position == last {
                        let said = part.reveal(&commitments);
                        connection.say(&said.map_err(|error| Failure::refuse("bad-match", error))?)?;
                    }
                    continue;
                }
                frame => message(frame, match_id),
            };
            if position < last {
                occupant.take_in(&message);
                continue;
            }
            let is_over = matches!(message, Message::Stop { .. } | Message::Abort { .. });
            let reply = occupant.answer(&message, &|| interrupt.is_raised());
            if reply == SeatReply::Leave && !interrupt.is_raised() {
                return Ok(Left::Early);
            }
            match (said(&message, reply, part), is_over) {
                (None, _) | (_, true) => {}
                (Some(frame), false) => connection.say(&frame)?,
            }
        }
        if interrupt.is_raised() {
            return Ok(Left::Interrupted);
        }
        if over {
            tell_coverage(taken.as_ref().map(|taken| &taken.occupant), spec)?;
            return Ok(Left::Over);
        }
        let ponder = |is_over: &(dyn Fn() -> bool + Sync)| {
            if let Some(taken) = taken.as_mut().filter(|_| ponders) {
                taken.occupant.ponder(is_over);
            }
        };
        polled = poll_told(connection, after, told, "waiting for the others", ponder)?;
    }
    Ok(Left::Interrupted)
}

/// Warns of a strategy in a file that knew little of the match.
///
/// # Errors
/// If it knew nothing, or cannot be played.
fn tell_coverage(occupant: Option<&Occupant>, spec: &SeatSpec) -> Result<(), Failure> {
    let (Some(Occupant::Player(player)), SeatSpec::Player(kind)) = (occupant, spec) else { return Ok(()) };
    let Some(coverage) = player.seat.coverage() else { return Ok(()) };
    let strategy = StrategyCoverage::of(kind, &coverage);
    strategy.warn();
    strategy.check()
}

/// What a `start` binds the server to.
///
/// # Errors
/// If nothing does.
fn pledge(frame: &Frame, signer: &PublicKey) -> Result<Pledge, String> {
    let Frame::Start { commitment, signature, public_key, .. } = frame else {
        return Err("it does not begin with `start`".to_owned());
    };
    Pledge::new([commitment, signature, public_key], signer)
}

/// The game of the rules that a seat was sent, and whoever plays it there.
fn seat(
    spec: &SeatSpec,
    rules: &str,
    role: &str,
    seed: [u8; 32],
    timing: Timing,
    interrupt: &Interrupt,
) -> Result<(Arc<Game>, Occupant), Failure> {
    let unfit = |error: String| Failure::refuse("bad-match", error);
    let compiled = Game::compile(rules, &Options::PLAY).map_err(|error| unfit(error.to_string()))?;
    let game = Arc::new(compiled.game);
    let role = game.roles().find(role).ok_or_else(|| unfit("the rules have no such role".to_owned()))?;
    let occupant = match spec {
        SeatSpec::Player(kind) => PlayerSeat::new(kind, Knowledge::new(Arc::clone(&game), role), seed)
            .map(|seat| Occupant::Player(TimedPlayer::new(seat, timing)))
            .map_err(|error| player_refusal(&error, "bad-match").at(&kind.to_string())),
        SeatSpec::Human => {
            let facts = Arc::new(facts_of(rules));
            let name = known(rules).map(|entry| entry.name.to_owned());
            let place = TerminalSeat::new(Stream::Output, interrupt.clone(), name);
            Person::new(&game, role, facts, seed, timing, place)
                .map(|person| Occupant::Person(Box::new(person)))
                .map_err(|error| unfit(error.to_string()))
        }
        SeatSpec::Remote(..) => {
            Err(Failure::refuse("bad-agent", "a seat is taken by a program of this machine"))
        }
    };
    Ok((game, occupant?))
}

/// What is known of the game with these rules.
fn facts_of(rules: &str) -> GameFacts {
    known(rules).and_then(|entry| entry.facts().ok()).unwrap_or_else(|| GameFacts::unknown("a game"))
}

/// The game of the catalogue that these are the rules of.
fn known(rules: &str) -> Option<&'static Entry> {
    let words = |text: &str| text.split_ascii_whitespace().map(str::to_lowercase).collect::<String>();
    let is_it = |entry: &&Entry| {
        let text: String =
            entry.rules.lines().map(|line| line.split(';').next().unwrap_or_default()).collect();
        words(&text) == words(rules)
    };
    catalogue().iter().chain(real_time_catalogue()).find(is_it)
}

fn message(frame: Frame, match_id: &str) -> Message {
    let match_id = match_id.to_owned();
    let last = |own_move: Option<String>, percepts: Vec<String>| {
        let percepts = percepts.into_iter().map(Arc::from).collect();
        own_move.map(|own_move| OwnTurn { own_move: own_move.into(), percepts })
    };
    match frame {
        Frame::Start { match_id, role, rules, start_clock_ms, play_clock_ms, .. } => Message::Start {
            match_id,
            role,
            rules: rules.into(),
            start_clock_s: start_clock_ms / 1000,
            play_clock_s: play_clock_ms / 1000,
        },
        Frame::Play { turn, last_move, percepts } => {
            Message::Play { match_id, turn, last: last(last_move, percepts) }
        }
        Frame::Stop { turn, last_move, percepts } => {
            Message::Stop { match_id, turn, last: last(last_move, percepts) }
        }
        Frame::Reveal { .. } | Frame::Abort => Message::Abort { match_id },
    }
}

/// What is said to a message; nothing if whoever sits there has nothing to say.
fn said(message: &Message, reply: SeatReply, part: &Part) -> Option<Value> {
    let SeatReply::Reply { reply: Reply::Text(text), .. } = reply else { return None };
    match message {
        Message::Start { .. } => Some(part.ready()),
        Message::Play { turn, .. } => Some(json!({ "type": "move", "turn": turn, "move": text })),
        Message::Reveal { .. } | Message::Stop { .. } | Message::Abort { .. } => None,
    }
}
