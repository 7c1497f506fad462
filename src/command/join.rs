//! `croupier join`: a player, or a person at the terminal, in a seat of a match that a server runs.

use std::{cell::RefCell, io::Write, path::PathBuf, sync::Arc, thread, time::Duration};

use clap::Args;
use croupier_engine::{Game, Options};
use croupier_games::{GameFacts, catalogue};
use croupier_referee::{LastTurn, Message, Reply, SeatReply};
use serde::Deserialize;
use serde_json::{Value, json};
use ureq::{
    Agent, Body, RequestBuilder,
    http::Response,
    tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem},
};

use crate::{
    answer::Answer,
    entropy,
    failure::Failure,
    file::read_file,
    interrupt::Interrupt,
    seat::{Occupant, Person, PlayerSeat, Timing},
    seating::{Sitter, agents_line, sitter},
};

/// Longest time for one request: a poll of the server waits half of it.
const REQUEST_MAX: Duration = Duration::from_secs(60);

/// Between two attempts to reach a server that is starting again.
const PAUSE: Duration = Duration::from_millis(500);

/// Longest pause that a server can ask for.
const PAUSE_MAX: Duration = Duration::from_secs(10);

/// Longest file with the certificates of an authority, in bytes.
const CA_BYTES_MAX: usize = 1 << 20;

/// How often in a row a server is sought before the player gives up: for half a minute.
const ATTEMPTS_MAX: u32 = 60;

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
    /// Who plays: an agent, or `human`
    #[arg(long, value_name = "AGENT", default_value = "belief")]
    player: String,
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
{}
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

/// What a poll gives.
#[derive(Debug, Deserialize)]
struct Polled {
    after: usize,
    frames: Vec<Frame>,
    over: bool,
}

/// The server, as a seat sees it.
struct Line<'a> {
    agent: Agent,
    arguments: &'a Arguments,
    interrupt: &'a Interrupt,
    /// Where the seat is now: a match may go on at another server of the same store.
    place: RefCell<String>,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let at = |failure: Failure| failure.at_argument("--player", &arguments.player);
    let sitter = sitter(&arguments.player).map_err(at)?;
    let seed = entropy::seed(arguments.seed.as_deref())?.agent("join");
    if !arguments.seat.contains("/v1/matches/") || !arguments.seat.contains("/seats/") {
        return Err(Failure::refuse("bad-seat", "the URL of a seat ends in /v1/matches/ID/seats/ROLE")
            .at(&arguments.seat));
    }
    let place = RefCell::new(arguments.seat.clone());
    let line = Line { agent: agent(arguments)?, arguments, interrupt, place };
    interrupt.hold();
    let mut occupant = None;
    let (mut seen, mut match_id) = (0, String::new());
    loop {
        let Some(Polled { after, frames, over }) = line.poll(seen)? else { return Ok(Answer::Interrupted) };
        seen = after;
        let last = frames.len().saturating_sub(1);
        for (position, frame) in frames.into_iter().enumerate() {
            if let Frame::Start { match_id: id, role, rules, play_clock_ms, .. } = &frame {
                match_id.clone_from(id);
                let clock = Duration::from_millis(*play_clock_ms);
                occupant = Some(seat(&sitter, rules, role, seed, Timing::Clock(clock))?);
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
                writeln!(out, "you have left; the match goes on, with moves drawn for you")?;
                return Ok(Answer::No);
            }
            match (said(&message, reply)?, is_over) {
                (None, _) | (_, true) => {}
                (Some(frame), false) => line.say(&frame)?,
            }
        }
        if interrupt.is_raised() {
            return Ok(Answer::Interrupted);
        }
        if over {
            return end(&line, arguments, out);
        }
    }
}

/// What asks the server; it trusts the authority that the arguments name, or those of the machine.
fn agent(arguments: &Arguments) -> Result<Agent, Failure> {
    let roots = match &arguments.ca {
        None => RootCerts::PlatformVerifier,
        Some(path) => {
            let bytes = read_file(path, CA_BYTES_MAX)?;
            let read: Result<Vec<PemItem<'static>>, _> = parse_pem(&bytes).collect();
            let items = read.unwrap_or_default().into_iter();
            let certificates: Vec<Certificate<'static>> = items
                .filter_map(|item| match item {
                    PemItem::Certificate(certificate) => Some(certificate),
                    _ => None,
                })
                .collect();
            if certificates.is_empty() {
                return Err(Failure::refuse("bad-ca", "there is no certificate in PEM in the file")
                    .at_argument("--ca", &path.display().to_string())
                    .help("--ca names the certificate of the authority that signed the server's"));
            }
            RootCerts::new_with_certs(&certificates)
        }
    };
    let tls = TlsConfig::builder().provider(TlsProvider::Rustls).root_certs(roots).build();
    let config = Agent::config_builder()
        .timeout_global(Some(REQUEST_MAX))
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false);
    Ok(config.tls_config(tls).build().into())
}

/// Whether a connection fails however often it is made: the server shows a certificate that cannot be trusted.
fn is_untrusted(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Tls(_) | ureq::Error::Rustls(_) => true,
        ureq::Error::Io(error) => error.get_ref().is_some_and(|inner| inner.is::<rustls::Error>()),
        _ => false,
    }
}

/// How long a server that does not answer just now wants to be left alone.
fn pause(response: &ureq::http::Response<ureq::Body>) -> Option<Duration> {
    if response.status() != 503 && response.status() != 429 {
        return None;
    }
    let seconds = response.headers().get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
    Some(Duration::from_secs(seconds.unwrap_or(1)).clamp(PAUSE, PAUSE_MAX))
}

/// Whoever sits there, with a game of its own from the rules that it was sent.
fn seat(
    sitter: &Sitter,
    rules: &str,
    role: &str,
    seed: [u8; 32],
    timing: Timing,
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
            Person::new(&game, role, Arc::new(facts(rules)), seed, timing, Box::new(std::io::stdout()))
                .map(|person| Occupant::Person(Box::new(person)))
                .map_err(|error| unfit(error.to_string()))
        }
        Sitter::Remote(..) => {
            Err(Failure::refuse("bad-agent", "a seat is taken by a program of this machine"))
        }
    }
}

/// The words of the game, if it is one of the catalogue.
fn facts(rules: &str) -> GameFacts {
    let words = |text: &str| text.split_ascii_whitespace().map(str::to_lowercase).collect::<String>();
    let is_it = |entry: &&croupier_games::Entry| {
        let text: String =
            entry.rules.lines().map(|line| line.split(';').next().unwrap_or_default()).collect();
        words(&text) == words(rules)
    };
    let known = catalogue().iter().find(is_it).and_then(|entry| entry.facts().ok());
    known.unwrap_or_else(|| GameFacts::unknown("a game"))
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

impl Line<'_> {
    /// The frames behind the first `seen`, as soon as there are any; `None` if the player is interrupted.
    fn poll(&self, seen: usize) -> Result<Option<Polled>, Failure> {
        while let Some(mut response) =
            self.ask(&|seat| self.signed(self.agent.get(format!("{seat}?after={seen}"))).call())?
        {
            if response.status() == 204 {
                continue;
            }
            if response.status() == 200 {
                let polled = response.body_mut().read_json();
                return polled.map(Some).map_err(|error| self.refused(&error.to_string()));
            }
            let problem: Value = response.body_mut().read_json().unwrap_or_default();
            // A match that ended between two polls.
            if problem["code"] == "over" && seen > 0 {
                return Ok(Some(Polled { after: seen, frames: Vec::new(), over: true }));
            }
            return Err(self.problem(&problem));
        }
        Ok(None)
    }

    fn say(&self, frame: &Value) -> Result<(), Failure> {
        match self.ask(&|seat| self.signed(self.agent.post(seat)).send_json(frame))? {
            // What came too late changes nothing: the next frame says what was played.
            Some(response) if ![204, 409].contains(&response.status().as_u16()) => {
                let mut response = response;
                Err(self.problem(&response.body_mut().read_json().unwrap_or_default()))
            }
            _ => Ok(()),
        }
    }

    /// The answer of whichever server has the seat: one that stops or dies is waited for, and one that sends the player on to
    /// another of the same store is left for that. `None` if the player is interrupted.
    fn ask(
        &self,
        ask: &dyn Fn(&str) -> Result<Response<Body>, ureq::Error>,
    ) -> Result<Option<Response<Body>>, Failure> {
        let mut attempts = 0;
        while !self.interrupt.is_raised() {
            let place = self.place.borrow().clone();
            let mut wait = PAUSE;
            let trouble = match ask(&place) {
                Ok(response) if response.status() == 307 => {
                    let elsewhere = response.headers().get("Location").and_then(|place| place.to_str().ok());
                    let elsewhere = elsewhere.unwrap_or_default().split('?').next().unwrap_or_default();
                    self.place.replace(elsewhere.to_owned());
                    "the servers send the player to each other in a circle".to_owned()
                }
                Ok(response) if pause(&response).is_none() => return Ok(Some(response)),
                Ok(mut response) => {
                    self.place.replace(self.arguments.seat.clone());
                    wait = pause(&response).unwrap_or(PAUSE);
                    let problem: Value = response.body_mut().read_json().unwrap_or_default();
                    problem["detail"].as_str().unwrap_or("the server is not ready").to_owned()
                }
                Err(error) if is_untrusted(&error) => return Err(self.untrusted(&error)),
                Err(error) => {
                    self.place.replace(self.arguments.seat.clone());
                    error.to_string()
                }
            };
            attempts += 1;
            if attempts > ATTEMPTS_MAX {
                return Err(self.refused(&trouble));
            }
            if place == *self.place.borrow() || attempts > 1 {
                thread::sleep(wait);
            }
        }
        Ok(None)
    }

    fn signed<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        request.header("Authorization", format!("Bearer {}", self.arguments.token))
    }

    /// A refusal of the server.
    fn problem(&self, problem: &Value) -> Failure {
        self.refused(problem["detail"].as_str().unwrap_or("the server refuses"))
    }

    fn untrusted(&self, error: &ureq::Error) -> Failure {
        Failure::refuse("untrusted", format!("the server shows a certificate that is not trusted: {error}"))
            .at(&self.arguments.seat)
            .help("--ca names the certificate of the authority that signed it")
    }

    fn refused(&self, why: &str) -> Failure {
        Failure::refuse("no-seat", why)
            .at(&self.arguments.seat)
            .help("is the server running, and is this the token of the seat?")
    }

    /// The match, as the server shows it to everybody.
    fn result(&self) -> Option<Value> {
        let place = self.place.borrow().clone();
        let url = place.split("/seats/").next()?;
        for _ in 0..20 {
            let shown: Value = self.agent.get(url).call().ok()?.body_mut().read_json().ok()?;
            if !shown["outcome"].is_null() {
                return Some(shown);
            }
            thread::sleep(PAUSE / 5);
        }
        None
    }
}

fn end(line: &Line<'_>, arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let shown = line.result().unwrap_or_default();
    if arguments.json {
        writeln!(out, "{shown}")?;
    } else {
        let outcome = &shown["outcome"];
        writeln!(out, "the match is over: {}", outcome["status"].as_str().unwrap_or("it was left"))?;
        for (role, goal) in outcome["goals"].as_object().into_iter().flatten() {
            writeln!(out, "  {role} {goal}")?;
        }
    }
    Ok(Answer::Yes)
}
