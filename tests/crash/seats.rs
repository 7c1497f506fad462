//! Players that connect, by long poll or over a WebSocket, and take the server at its word: what it has acknowledged they never say again.

use std::{
    collections::BTreeMap,
    io::{self, Read as _, Write as _},
    net::TcpStream,
    sync::{
        Arc, Mutex,
        mpsc::{Receiver, Sender, channel},
    },
    thread,
    time::Duration,
};

use croupier_tests::guessing::{guess, real_time_rules, rules};
use serde_json::{Value, json};
use ureq::Agent;

use crate::server::Server;

/// How time passes in a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Turns,
    RealTime,
}

/// Between two guesses of a player in real time, in microseconds: a server takes so many in a second, said twice.
const GUESS_US: u64 = 60_000;

impl Kind {
    pub(crate) const ALL: [Self; 2] = [Self::Turns, Self::RealTime];

    /// A match of the guessing game in which each of two players who connect guesses so many times.
    fn asked(self, guesses: u32, seed: u64) -> Value {
        let mut asked = json!({
            "seats": { "p0": { "kind": "pull" }, "p1": { "kind": "pull" } },
            "start_clock_ms": 60_000,
            "join_s": 60,
            "seed": seed.to_string(),
        });
        match self {
            Self::Turns => {
                asked["rules"] = json!(rules(2, guesses));
                asked["play_clock_ms"] = json!(60_000);
            }
            Self::RealTime => {
                asked["rules"] = json!(real_time_rules(2, guesses));
                asked["tick_us"] = json!(1_000);
            }
        }
        asked
    }

    /// What a player says to guess for the n-th time, from 0.
    fn said(self, player: usize, number: u64) -> Value {
        let own_move = guess(player, u32::try_from(number).unwrap());
        match self {
            Self::Turns => json!({ "type": "move", "turn": number, "move": own_move }),
            Self::RealTime => {
                let not_before_us = (number + 1) * GUESS_US;
                json!({ "type": "move", "id": number, "move": own_move, "not_before_us": not_before_us })
            }
        }
    }
}

/// Between two attempts to reach a server.
const PAUSE: Duration = Duration::from_millis(20);

/// How long a match may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(180);

/// How long a player waits for a server that says nothing.
const SILENCE: Duration = Duration::from_secs(40);

/// Where servers are reached now; the first is asked first.
pub(crate) type Places = Arc<Mutex<Vec<String>>>;

/// How a player connects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    LongPoll,
    WebSocket,
}

/// How each of two players connects.
const WAYS: [Way; 2] = [Way::LongPoll, Way::WebSocket];

/// What a player has heard when its match is over.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) kind: Kind,
    pub(crate) id: String,
    pub(crate) role: String,
    /// What the player shows to be let in.
    pub(crate) token: String,
    /// Every frame, in order, as it was first told.
    pub(crate) frames: Vec<Value>,
    /// The moves that the server acknowledged, by number.
    pub(crate) kept: BTreeMap<u64, String>,
    /// What must not be, in words.
    pub(crate) wrong: Vec<String>,
}

impl Heard {
    fn nothing(kind: Kind, id: String, role: String, token: String) -> Self {
        Self { kind, id, role, token, frames: Vec::new(), kept: BTreeMap::new(), wrong: Vec::new() }
    }
}

/// All players of a test.
pub(crate) struct Seats {
    places: Places,
    heard: (Sender<Heard>, Receiver<Heard>),
}

impl Seats {
    pub(crate) fn new() -> Self {
        Self { places: Places::default(), heard: channel() }
    }

    /// Tells the players where the servers are.
    pub(crate) fn find(&self, servers: &[&Server]) {
        *self.places.lock().unwrap() = servers.iter().map(|server| server.address().to_owned()).collect();
    }

    /// Makes a match of the guessing game and seats a player for each way to connect; its id, unless the server dies.
    pub(crate) fn play(&self, server: &Server, kind: Kind, guesses: u32, seed: u64) -> Option<String> {
        let (status, body) = server.ask("POST", "/v1/matches", Some(&kind.asked(guesses, seed)))?;
        assert!(status == 201 || status >= 500, "{status}: {body}");
        let made: Value = serde_json::from_str(&body).ok()?;
        let id = made["id"].as_str()?.to_owned();
        for player in 0..WAYS.len() {
            let (id, role) = (id.clone(), format!("p{player}"));
            let token = made["tokens"][&role].as_str().unwrap().to_owned();
            self.seat(Heard::nothing(kind, id, role, token), player, guesses);
        }
        Some(id)
    }

    /// Seats the same players in a match once more, who remember nothing.
    pub(crate) fn play_again(&self, heard: &[Heard], guesses: u32) {
        for Heard { kind, id, role, token, .. } in heard {
            let player = role[1..].parse().unwrap();
            let told = Heard::nothing(*kind, id.clone(), role.clone(), token.clone());
            self.seat(told, player, guesses);
        }
    }

    fn seat(&self, told: Heard, player: usize, guesses: u32) {
        let (places, heard) = (Arc::clone(&self.places), self.heard.0.clone());
        let seat = Seat { player, guesses, places, told, is_ready: false, has_ended: false, tries: 0 };
        // Whoever is left behind at the end of a test is not waited for.
        thread::spawn(move || drop(heard.send(seat.play(WAYS[player]))));
    }

    /// What the players of so many matches have heard, in the order in which they were through.
    pub(crate) fn heard(&self, matches: usize) -> impl Iterator<Item = Heard> {
        let next = || self.heard.1.recv_timeout(PATIENCE).expect("every match ends");
        (0..matches * WAYS.len()).map(move |_| next())
    }

    /// What the next player has heard, if one is through.
    pub(crate) fn ended(&self) -> Option<Heard> {
        self.heard.1.try_recv().ok()
    }
}

struct Seat {
    player: usize,
    guesses: u32,
    places: Places,
    told: Heard,
    /// Whether the server has acknowledged that it is ready.
    is_ready: bool,
    /// Whether the server says that there is nothing left to say: it is asked for the end.
    has_ended: bool,
    tries: usize,
}

impl Seat {
    fn play(mut self, way: Way) -> Heard {
        let agent: Agent = Agent::config_builder()
            .timeout_global(Some(SILENCE))
            .http_status_as_error(false)
            .max_redirects(0)
            .max_redirects_will_error(false)
            .build()
            .into();
        while !self.is_over() && self.told.wrong.is_empty() {
            let went_on = match way {
                Way::LongPoll => self.poll(&agent),
                Way::WebSocket => self.converse().ok(),
            };
            if went_on.is_none() {
                self.tries += 1;
                thread::sleep(PAUSE);
            }
        }
        self.told
    }

    fn is_over(&self) -> bool {
        self.told
            .frames
            .last()
            .is_some_and(|frame| ["stop", "abort"].contains(&frame["type"].as_str().unwrap()))
    }

    /// Where it is asked now: after a failure at the next server.
    fn place(&self) -> Option<String> {
        let places = self.places.lock().unwrap();
        let place = places.get(self.tries % places.len().max(1))?;
        Some(place.clone())
    }

    fn path(&self) -> String {
        format!("/v1/matches/{}/seats/{}", self.told.id, self.told.role)
    }

    /// A frame that is told in this place; the same as ever, if it was told before.
    fn hear(&mut self, place: usize, frame: Value) {
        match self.told.frames.get(place) {
            None => {
                // In real time a frame acknowledges a move, and none says more than once what became of it.
                if frame["type"] == "received" {
                    let (number, is_legal) = (frame["id"].as_u64().unwrap(), frame["accepted"] == true);
                    if !is_legal || self.told.kept.contains_key(&number) {
                        self.told.wrong.push(format!("judged like this: {frame}"));
                    }
                    self.trust(Some(number));
                }
                self.told.frames.push(frame);
            }
            Some(told) if *told == frame => {}
            Some(told) => self.told.wrong.push(format!("told {told} and {frame}")),
        }
    }

    /// What is to be said to the last frame, unless it was acknowledged.
    fn owed(&self) -> Option<Value> {
        let last = self.told.frames.last().filter(|_| !self.has_ended)?;
        let number = match last["type"].as_str()? {
            "start" => return (!self.is_ready).then(|| json!({ "type": "ready" })),
            "play" => last["turn"].as_u64()?,
            "clock" | "event" | "received" => self.told.kept.len() as u64,
            _ => return None,
        };
        let is_owed = number < u64::from(self.guesses) && !self.told.kept.contains_key(&number);
        is_owed.then(|| self.told.kind.said(self.player, number))
    }

    /// The server has acknowledged that the player is ready, or a move.
    fn trust(&mut self, number: Option<u64>) {
        match number {
            None => self.is_ready = true,
            Some(number) => {
                let own_move = guess(self.player, u32::try_from(number).unwrap());
                self.told.kept.insert(number, own_move);
            }
        }
    }

    /// Says what it owes, and asks once; `None` if the server did not answer with frames.
    fn poll(&mut self, agent: &Agent) -> Option<()> {
        let url = format!("http://{}{}", self.place()?, self.path());
        let bearer = format!("Bearer {}", self.told.token);
        if let Some(said) = self.owed() {
            let mut response = agent.post(&url).header("Authorization", &bearer).send_json(&said).ok()?;
            match response.status().as_u16() {
                // It is in memory alone: it is said again until something is told of it.
                202 if self.told.kind == Kind::RealTime => {}
                204 => {
                    self.trust(said["turn"].as_u64());
                    return Some(());
                }
                307 | 408 | 429 | 500.. => return None,
                409 if response.body_mut().read_to_string().ok()?.contains("\"over\"") => {
                    self.has_ended = true;
                    return Some(());
                }
                status => {
                    self.told.wrong.push(format!("{said}: {status}"));
                    return Some(());
                }
            }
        }
        let seen = self.told.frames.len();
        let asked = agent.get(format!("{url}?after={seen}")).header("Authorization", &bearer);
        let mut response = asked.call().ok()?;
        match response.status().as_u16() {
            200 => {
                let body: Value = response.body_mut().read_json().ok()?;
                let frames = body["frames"].as_array()?.clone();
                frames.into_iter().zip(seen..).for_each(|(frame, place)| self.hear(place, frame));
                if body["over"] == true && !self.is_over() {
                    self.told.wrong.push(format!("over without an end: {body}"));
                }
            }
            204 => {}
            307 | 408 | 500.. => return None,
            status => self.told.wrong.push(format!("{status} to a poll")),
        }
        Some(())
    }

    /// Hears all frames from the first on a fresh connection, and replies, until the connection breaks or the match is over.
    fn converse(&mut self) -> io::Result<()> {
        let broken = || io::Error::from(io::ErrorKind::BrokenPipe);
        let place = self.place().ok_or_else(broken)?;
        let mut socket = Socket::connect(&place, &format!("{}/ws", self.path()), &self.told.token)?;
        let (mut seen, mut last_said) = (0, Value::Null);
        while !self.is_over() {
            let frame: Value = serde_json::from_str(&socket.read()?)?;
            match frame["type"].as_str() {
                Some("received") if self.told.kind == Kind::Turns => self.trust(frame["turn"].as_u64()),
                // As for long polls: the reply was kept before, and the end is still to come.
                Some("problem") if frame["code"] == "over" => self.has_ended = true,
                // As a 503: what was said last is said again to whoever answers then.
                Some("problem") if frame["code"] == "interrupted" => return Err(broken()),
                Some("problem") => self.told.wrong.push(format!("a problem: {frame}")),
                _ => {
                    self.hear(seen, frame);
                    seen += 1;
                    if seen == self.told.frames.len()
                        && let Some(said) = self.owed()
                        && said != last_said
                    {
                        socket.say(&said)?;
                        last_said = said;
                    }
                }
            }
            if !self.told.wrong.is_empty() {
                return Ok(());
            }
        }
        Ok(())
    }
}

/// A WebSocket without a library: as much of one as the frames of a seat need.
struct Socket(TcpStream);

impl Socket {
    fn connect(place: &str, path: &str, token: &str) -> io::Result<Self> {
        let mut stream = TcpStream::connect(place)?;
        stream.set_read_timeout(Some(SILENCE))?;
        write!(
            stream,
            "GET {path} HTTP/1.1\r\nHost: {place}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\
             Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\
             Authorization: Bearer {token}\r\n\r\n"
        )?;
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            let mut byte = [0];
            stream.read_exact(&mut byte)?;
            head.push(byte[0]);
        }
        let is_open = head.starts_with(b"HTTP/1.1 101");
        if is_open { Ok(Self(stream)) } else { Err(io::ErrorKind::ConnectionRefused.into()) }
    }

    /// The next text; signs of life before it are passed over.
    fn read(&mut self) -> io::Result<String> {
        loop {
            let mut head = [0; 2];
            self.0.read_exact(&mut head)?;
            let length = match head[1] & 0x7f {
                126 => {
                    let mut bytes = [0; 2];
                    self.0.read_exact(&mut bytes)?;
                    usize::from(u16::from_be_bytes(bytes))
                }
                length => usize::from(length),
            };
            let mut payload = vec![0; length];
            self.0.read_exact(&mut payload)?;
            match head[0] & 0x0f {
                1 => return String::from_utf8(payload).map_err(io::Error::other),
                8 => return Err(io::ErrorKind::ConnectionAborted.into()),
                _ => {}
            }
        }
    }

    /// Sends a text of less than 126 bytes, masked by zeros.
    fn say(&mut self, said: &Value) -> io::Result<()> {
        let text = said.to_string();
        let mut frame = vec![0x81, 0x80 | u8::try_from(text.len()).unwrap(), 0, 0, 0, 0];
        frame.extend_from_slice(text.as_bytes());
        self.0.write_all(&frame)
    }
}
