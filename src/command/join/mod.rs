//! `croupier join`: a player, or a person at the terminal, in a seat of a match that a server runs.

mod line;
mod real_time;

use std::{io::Write, path::PathBuf, sync::Arc, time::Duration};

use clap::Args;
use croupier_engine::{Game, Options};
use croupier_games::{Entry, GameFacts, catalogue};
use croupier_players::realtime::RealTimeKind;
use croupier_referee::{LastTurn, Message, Reply, SeatReply};
use serde::Deserialize;
use serde_json::{Value, json};

use self::line::{Line, Polled};
use crate::{
    answer::Answer,
    entropy,
    failure::Failure,
    interrupt::Interrupt,
    schema::Schema,
    seat::{Occupant, Person, Place, PlayerSeat, Timing},
    seating::{Sitter, agents_line, sitter},
    terminal::Stream,
};

/// Who plays if nothing is said: in turns, and in real time.
const STANDARD: &str = "belief";
const STANDARD_IN_REAL_TIME: &str = "mc";

/// Take a seat in a match of a server
///
/// The server tells the seat what its rules let it see, and nothing else. A connection that breaks is made again, and a server
/// that starts again is waited for; nothing is lost by either.
#[derive(Args)]
#[command(after_help = help())]
pub(crate) struct Arguments {
    /// The seat, as the server names it: http://HOST:PORT/v1/matches/ID/seats/ROLE, or https://
    #[arg(value_name = "URL")]
    seat: String,
    /// The token of the seat, which was shown when the match was made
    #[arg(long, value_name = "TOKEN")]
    token: String,
    /// Who plays: an agent, or `human` [default: belief, and mc in a real-time game]
    #[arg(long, value_name = "AGENT")]
    player: Option<String>,
    /// An integer or 64 hexadecimal digits for the agent's draws; without it one from the operating system
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// A file of certificates in PEM that the server's has to be signed by; without it, those that this machine trusts
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
    /// Print how the match ended as JSON
    #[arg(long)]
    json: bool,
}

fn help() -> String {
    format!(
        "\
{} Real-time games have agents of their own.

A nonce of the player is mixed into the seed of the match: the server alone cannot choose what is dealt.

Example:
  croupier join http://127.0.0.1:8080/v1/matches/ID/seats/alice --token TOKEN --player ismcts",
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

/// Who plays, whichever kind of game it turns out to be; for each kind, why nobody does.
struct Sitters {
    in_turns: Result<Sitter, Failure>,
    in_real_time: Result<RealTimeKind, Failure>,
}

impl Sitters {
    /// Whoever goes by a name.
    ///
    /// # Errors
    /// If there is nobody of that name for any kind of game.
    fn of(named: Option<&str>) -> Result<Self, Failure> {
        let name = named.unwrap_or(STANDARD);
        let in_turns = sitter(name).map_err(|failure| failure.at_argument("--player", name));
        let name = named.unwrap_or(STANDARD_IN_REAL_TIME);
        let in_real_time = name.parse::<RealTimeKind>().map_err(|error| {
            let failure = Failure::refuse("bad-agent", error.to_string()).at_argument("--player", name);
            failure.help("this is a real-time game, which has agents of its own: see `croupier help agents`")
        });
        match (in_turns, in_real_time) {
            (Err(failure), Err(_)) => Err(failure),
            (in_turns, in_real_time) => Ok(Self { in_turns, in_real_time }),
        }
    }
}

/// Frames as they are read in a match in turns.
fn read(frames: Vec<Value>) -> Result<Vec<Frame>, String> {
    let frame = |frame| serde_json::from_value(frame).map_err(|error: serde_json::Error| error.to_string());
    frames.into_iter().map(frame).collect()
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let sitters = Sitters::of(arguments.player.as_deref())?;
    let seed = entropy::seed(arguments.seed.as_deref())?.agent("join");
    if !arguments.seat.contains("/v1/matches/") || !arguments.seat.contains("/seats/") {
        return Err(Failure::refuse("bad-seat", "the URL of a seat ends in /v1/matches/ID/seats/ROLE")
            .at(&arguments.seat));
    }
    let line = Line::new(arguments, interrupt)?;
    interrupt.hold();
    let Some(first) = line.poll(0)? else { return Ok(Answer::Interrupted) };
    let is_real_time =
        first.frames.first().is_some_and(|frame| frame["type"] == "start" && frame["time"] == "real");
    let left = if is_real_time {
        real_time::play(&line, &first, sitters.in_real_time?, seed, interrupt)?
    } else {
        in_turns(&line, first, &sitters.in_turns?, seed, interrupt)?
    };
    match left {
        Left::Over => end(&line, arguments, out),
        Left::Interrupted => Ok(Answer::Interrupted),
        Left::Early => {
            writeln!(out, "you have left; the match goes on, with moves drawn for you")?;
            Ok(Answer::No)
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

/// Plays a match in turns, whose first frames these are.
fn in_turns(
    line: &Line,
    first: Polled,
    sitter: &Sitter,
    seed: [u8; 32],
    interrupt: &Interrupt,
) -> Result<Left, Failure> {
    let (mut occupant, mut match_id) = (None, String::new());
    let mut polled = Some(first);
    while let Some(Polled { after, frames, over }) = polled {
        let frames: Vec<Frame> = read(frames).map_err(|error| line.refused(&error))?;
        let last = frames.len().saturating_sub(1);
        for (position, frame) in frames.into_iter().enumerate() {
            if let Frame::Start { match_id: id, role, rules, play_clock_ms, .. } = &frame {
                match_id.clone_from(id);
                let clock = Duration::from_millis(*play_clock_ms);
                occupant = Some(seat(sitter, rules, role, seed, Timing::Clock(clock), interrupt)?);
            }
            let message = message(frame, &match_id);
            let Some(occupant) = &mut occupant else { continue };
            if position < last {
                occupant.take_in(&message);
                continue;
            }
            let is_over = matches!(message, Message::Stop { .. } | Message::Abort { .. });
            let reply = occupant.answer(&message, &|| interrupt.is_raised());
            if reply == SeatReply::Leave && !interrupt.is_raised() {
                return Ok(Left::Early);
            }
            match (said(&message, reply)?, is_over) {
                (None, _) | (_, true) => {}
                (Some(frame), false) => line.say(&frame)?,
            }
        }
        if interrupt.is_raised() {
            return Ok(Left::Interrupted);
        }
        if over {
            return Ok(Left::Over);
        }
        polled = line.poll(after)?;
    }
    Ok(Left::Interrupted)
}

/// Whoever sits there, with a game of its own from the rules that it was sent.
fn seat(
    sitter: &Sitter,
    rules: &str,
    role: &str,
    seed: [u8; 32],
    timing: Timing,
    interrupt: &Interrupt,
) -> Result<Occupant, Failure> {
    let unfit = |error: String| Failure::refuse("bad-match", error);
    let compiled = Game::compile(rules, &Options::PLAY).map_err(|error| unfit(error.to_string()))?;
    let game = Arc::new(compiled.game);
    let role = game.roles().find(role).ok_or_else(|| unfit("the rules have no such role".to_owned()))?;
    match sitter {
        Sitter::Player(kind) => PlayerSeat::new(kind, &game, role, seed, timing)
            .map(Occupant::Player)
            .map_err(|error| unfit(error.to_string()).at(&kind.to_string())),
        Sitter::Human => {
            let entry = known(rules);
            let facts = entry.and_then(|entry| entry.facts().ok());
            let facts = Arc::new(facts.unwrap_or_else(|| GameFacts::unknown("a game")));
            let name = entry.map(|entry| entry.name.to_owned());
            let place = Place::new(Stream::Output, interrupt.clone(), name);
            Person::new(&game, role, facts, seed, timing, place)
                .map(|person| Occupant::Person(Box::new(person)))
                .map_err(|error| unfit(error.to_string()))
        }
        Sitter::Remote(..) => {
            Err(Failure::refuse("bad-agent", "a seat is taken by a program of this machine"))
        }
    }
}

/// The game of the catalogue that these are the rules of.
fn known(rules: &str) -> Option<&'static Entry> {
    let words = |text: &str| text.split_ascii_whitespace().map(str::to_lowercase).collect::<String>();
    let is_it = |entry: &&Entry| {
        let text: String =
            entry.rules.lines().map(|line| line.split(';').next().unwrap_or_default()).collect();
        words(&text) == words(rules)
    };
    catalogue().iter().find(is_it)
}

fn message(frame: Frame, match_id: &str) -> Message {
    let match_id = match_id.to_owned();
    let last = |own_move: Option<String>, percepts: Vec<String>| {
        let percepts = percepts.into_iter().map(Arc::from).collect();
        own_move.map(|own_move| LastTurn { own_move: own_move.into(), percepts })
    };
    match frame {
        Frame::Start { match_id, role, rules, start_clock_ms, play_clock_ms } => Message::Start {
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
        Frame::Abort => Message::Abort { match_id },
    }
}

/// What is said to a message; nothing if whoever sits there has nothing to say.
fn said(message: &Message, reply: SeatReply) -> Result<Option<Value>, Failure> {
    let SeatReply::Reply { reply: Reply::Text(text), .. } = reply else { return Ok(None) };
    Ok(match message {
        Message::Start { .. } => {
            Some(json!({ "type": "ready", "nonce": hex::encode(entropy::random_bytes()?) }))
        }
        Message::Play { turn, .. } => Some(json!({ "type": "move", "turn": turn, "move": text })),
        Message::Stop { .. } | Message::Abort { .. } => None,
    })
}

fn end(line: &Line, arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let shown = line.result().unwrap_or_default();
    if arguments.json {
        let shown = if shown.is_object() { shown } else { json!({}) };
        Schema::Join.write(out, shown)?;
    } else {
        let outcome = &shown["outcome"];
        writeln!(out, "the match is over: {}", outcome["status"].as_str().unwrap_or("it was left"))?;
        for (role, goal) in outcome["goals"].as_object().into_iter().flatten() {
            writeln!(out, "  {role} {goal}")?;
        }
    }
    Ok(Answer::Yes)
}
