//! The way to a server: requests that are signed, made again when a connection breaks, and sent on where a match goes on.

use std::{
    cell::{Cell, RefCell},
    thread,
    time::Duration,
};

use serde::Deserialize;
use serde_json::{Value, json};
use ureq::{
    Agent, Body, RequestBuilder,
    http::Response,
    tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem},
};

use super::{
    Arguments,
    table::{ReadSoFar, TablePolled},
};
use crate::{
    arguments::{
        file::read_file,
        key_file::{self, PublicKey},
    },
    output::failure::Failure,
    sessions::interrupt::Interrupt,
};

/// Longest time for one request: a poll of the server waits half of it.
const REQUEST_MAX: Duration = Duration::from_secs(60);

/// Longest time for a connection.
const CONNECT_MAX: Duration = Duration::from_secs(5);

/// How often in a row a server is sought that has never answered: it may be starting.
const FIRST_ATTEMPTS_MAX: u32 = 4;

/// Between two attempts to reach a server that is starting again.
const PAUSE: Duration = Duration::from_millis(500);

/// Longest pause that a server can ask for.
const PAUSE_MAX: Duration = Duration::from_secs(10);

/// Longest file with the certificates of an authority, in bytes.
const CA_BYTES_MAX: usize = 1 << 20;

/// Longest record that is read, in bytes.
const RECORD_BYTES_MAX: u64 = 256 << 20;

/// How often in a row a server is sought before the player gives up: for half a minute.
const ATTEMPTS_MAX: u32 = 60;

/// What a poll gives.
#[derive(Debug, Deserialize)]
pub(super) struct Polled {
    pub(super) after: usize,
    pub(super) frames: Vec<Value>,
    pub(super) over: bool,
    /// What game time is, in microseconds, where the server says it.
    pub(super) now_us: Option<u64>,
}

/// The way to a seat at a server.
#[derive(Clone)]
pub(super) struct SeatConnection {
    agent: Agent,
    /// The seat, as the server names it.
    seat: String,
    token: String,
    interrupt: Interrupt,
    /// Where the seat is now: a match may go on at another server of the same store.
    place: RefCell<String>,
    /// Whether a server has answered.
    is_met: Cell<bool>,
}

impl SeatConnection {
    /// A connection to the seat that the arguments name.
    ///
    /// # Errors
    /// If there are no certificates where they say.
    pub(super) fn new(arguments: &Arguments, interrupt: &Interrupt) -> Result<Self, Failure> {
        let seat = seat_url(&arguments.seat)?;
        let token = arguments.token.clone().ok_or_else(|| {
            Failure::refuse("wrong-token", "a seat of a match is taken with its token")
                .at(&arguments.seat)
                .help("--token is shown when the match is made, or the seat claimed")
        })?;
        Self::at(arguments, seat, token, interrupt)
    }

    /// A connection to a seat.
    ///
    /// # Errors
    /// If there are no certificates where the arguments say.
    pub(super) fn at(
        arguments: &Arguments,
        seat: String,
        token: String,
        interrupt: &Interrupt,
    ) -> Result<Self, Failure> {
        let (place, is_met) = (RefCell::new(seat.clone()), Cell::new(false));
        Ok(Self { agent: agent(arguments)?, seat, token, interrupt: interrupt.clone(), place, is_met })
    }

    /// What a link is exchanged for.
    ///
    /// # Errors
    /// If nobody answers, or it opens nothing.
    pub(super) fn exchange(
        arguments: &Arguments,
        server: &str,
        token: &str,
        name: &str,
    ) -> Result<Value, Failure> {
        let asked = agent(arguments)?.post(format!("{server}/v1/invitations/{token}"));
        let mut response = asked.send_json(json!({ "name": name })).map_err(|error| {
            Failure::refuse("unreachable", format!("no server answers there: {}", reason(&error))).at(server)
        })?;
        let answer: Value = response.body_mut().read_json().unwrap_or_default();
        if response.status() == 200 {
            return Ok(answer);
        }
        let detail = answer["detail"].as_str().unwrap_or("what answers there knows no links");
        Err(Failure::refuse("no-seat", detail).at(&arguments.seat))
    }

    /// What is new at a table; inside, `None` if the session is over, and outside, if the player is interrupted.
    pub(super) fn poll_table(&self, read: ReadSoFar) -> Result<Option<Option<TablePolled>>, Failure> {
        let ReadSoFar { hand, after, moving } = read;
        let moving = moving.map_or_else(String::new, |turn| format!("&moving={turn}"));
        let query = format!("?hand={hand}&after={after}{moving}");
        while let Some(mut response) =
            self.ask(&|seat| self.signed(self.agent.get(format!("{seat}{query}"))).call())?
        {
            if response.status() == 204 {
                continue;
            }
            if response.status() == 200 {
                let polled = response.body_mut().read_json();
                return polled
                    .map(|polled| Some(Some(polled)))
                    .map_err(|_| self.foreign("its answer has no frames"));
            }
            let problem: Value = response.body_mut().read_json().unwrap_or_default();
            return if problem["code"] == "over" { Ok(Some(None)) } else { Err(self.problem(&problem)) };
        }
        Ok(None)
    }

    /// Every frame of the seat in a match of the session that is over; none if the server does not say.
    pub(super) fn earlier_frames(&self, hand: u64) -> Vec<Value> {
        let asked = self.ask(&|seat| self.signed(self.agent.get(format!("{seat}/hands/{hand}"))).call());
        let answer = asked.ok().flatten().and_then(|mut answer| answer.body_mut().read_json::<Value>().ok());
        answer.and_then(|told| told["frames"].as_array().cloned()).unwrap_or_default()
    }

    /// A session, as it is shown to whoever has a key of it; `None` if the player is interrupted.
    pub(super) fn session_view(&self, session: &str) -> Result<Option<Value>, Failure> {
        let asked = self.ask(&|_| self.signed(self.agent.get(session)).call())?;
        Ok(asked.and_then(|mut response| response.body_mut().read_json().ok()))
    }

    /// The frames behind the first `seen`, as soon as there are any; `None` if the player is interrupted.
    pub(super) fn poll(&self, seen: usize) -> Result<Option<Polled>, Failure> {
        while let Some(mut response) =
            self.ask(&|seat| self.signed(self.agent.get(format!("{seat}?after={seen}"))).call())?
        {
            if response.status() == 204 {
                continue;
            }
            if response.status() == 200 {
                let polled = response.body_mut().read_json();
                return polled.map(Some).map_err(|_| self.foreign("its answer has no frames"));
            }
            let problem: Value = response.body_mut().read_json().unwrap_or_default();
            if !problem["code"].is_string() {
                return Err(self.foreign(&format!("it answers with HTTP status {}", response.status())));
            }
            // A match that ended between two polls.
            if problem["code"] == "over" && seen > 0 {
                return Ok(Some(Polled { after: seen, frames: Vec::new(), over: true, now_us: None }));
            }
            return Err(self.problem(&problem));
        }
        Ok(None)
    }

    /// Says something.
    ///
    /// # Errors
    /// If the server refuses it, or no longer answers.
    pub(super) fn say(&self, frame: &Value) -> Result<(), Failure> {
        // What came too late changes nothing: the next frame says what was played.
        self.say_expecting(frame, &[202, 204, 409])
    }

    /// Says a move in real time: that it was not legal when it came is told by a frame too.
    ///
    /// # Errors
    /// If the server refuses it otherwise, or no longer answers.
    pub(super) fn say_in_time(&self, frame: &Value) -> Result<(), Failure> {
        self.say_expecting(frame, &[202, 204, 409, 422])
    }

    /// Says something; other answers than these are refusals.
    fn say_expecting(&self, frame: &Value, answers: &[u16]) -> Result<(), Failure> {
        match self.ask(&|seat| self.signed(self.agent.post(seat)).send_json(frame))? {
            Some(response) if !answers.contains(&response.status().as_u16()) => {
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
            let answer = ask(&place);
            self.is_met.set(self.is_met.get() || answer.is_ok());
            let trouble = match answer {
                Ok(response) if response.status() == 307 => {
                    let elsewhere = response.headers().get("Location").and_then(|place| place.to_str().ok());
                    let elsewhere = elsewhere.unwrap_or_default().split('?').next().unwrap_or_default();
                    self.place.replace(elsewhere.to_owned());
                    "the servers send the player to each other in a circle".to_owned()
                }
                Ok(response) if pause(&response).is_none() => return Ok(Some(response)),
                Ok(mut response) => {
                    self.place.replace(self.seat.clone());
                    wait = pause(&response).unwrap_or(PAUSE);
                    let problem: Value = response.body_mut().read_json().unwrap_or_default();
                    problem["detail"].as_str().unwrap_or("the server is not ready").to_owned()
                }
                Err(error) if is_untrusted(&error) => return Err(self.untrusted(&error)),
                Err(error)
                    if !self.is_met.get() && (attempts + 1 >= FIRST_ATTEMPTS_MAX || is_final(&error)) =>
                {
                    return Err(self.unreachable(&error));
                }
                Err(error) => {
                    self.place.replace(self.seat.clone());
                    error.to_string()
                }
            };
            attempts += 1;
            if attempts > ATTEMPTS_MAX {
                return Err(self.lost(&trouble));
            }
            if place == *self.place.borrow() || attempts > 1 {
                thread::sleep(wait);
            }
        }
        Ok(None)
    }

    /// The key that the server publishes, with which it signs; `None` if the player is interrupted.
    pub(super) fn public_key(&self) -> Result<Option<PublicKey>, Failure> {
        let server = |seat: &str| seat.split("/v1/matches/").next().unwrap_or_default().to_owned();
        let asked = self.ask(&|seat| self.agent.get(format!("{}/v1/key", server(seat))).call())?;
        let Some(mut response) = asked else { return Ok(None) };
        let shown: Value = response.body_mut().read_json().unwrap_or_default();
        let key = shown["public_key"].as_str().and_then(key_file::published);
        key.map(Some).ok_or_else(|| self.foreign("its /v1/key is no public key"))
    }

    /// Goes on where another way to the same seat has come to.
    pub(super) fn follow(&self, other: Self) {
        self.is_met.set(other.is_met.get());
        self.place.replace(other.place.into_inner());
    }

    /// What tells that the player is interrupted.
    pub(super) fn interrupt(&self) -> &Interrupt {
        &self.interrupt
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.interrupt.is_raised()
    }

    fn signed<B>(&self, request: RequestBuilder<B>) -> RequestBuilder<B> {
        request.header("Authorization", format!("Bearer {}", self.token))
    }

    /// A refusal of the server.
    fn problem(&self, problem: &Value) -> Failure {
        let detail = problem["detail"].as_str().unwrap_or("the server refuses");
        let (code, help) = match problem["code"].as_str() {
            Some("unauthorized" | "forbidden") => (
                "wrong-token",
                "a token is of one seat in one match: it was shown when the match was made, or the seat claimed",
            ),
            Some("not-found") => ("no-seat", "GET /v1/matches/ID on the server shows a match with its roles"),
            Some("over") => ("no-seat", "GET /v1/matches/ID on the server shows how it ended"),
            _ => ("no-seat", "the server's /docs/ describes what it takes"),
        };
        Failure::refuse(code, detail).at(&self.seat).help(help)
    }

    /// Nobody answers there.
    fn unreachable(&self, error: &ureq::Error) -> Failure {
        Failure::refuse("unreachable", format!("no server answers there: {}", reason(error)))
            .at(&self.seat)
            .help("is the server running, and is this its address? `croupier serve` prints it when it starts")
    }

    /// A server that was there does not come back.
    fn lost(&self, trouble: &str) -> Failure {
        Failure::refuse("lost-server", format!("the server no longer answers: {trouble}"))
            .at(&self.seat)
            .help("the match goes on when the server is started again; the same command returns to the seat")
    }

    /// What answers is not the referee.
    pub(super) fn foreign(&self, what: &str) -> Failure {
        Failure::refuse(
            "no-referee",
            format!("what answers there is no referee of croupier, or of another version: {what}"),
        )
        .at(&self.seat)
        .help("the URL of a seat is that of the server, then /v1/matches/ID/seats/ROLE")
    }

    /// What the server should have signed proves nothing.
    pub(super) fn unproven(&self, what: &str) -> Failure {
        Failure::refuse("unproven", format!("nothing binds the server to its deal: {what}"))
            .at(&self.seat)
            .help("do not play there: the server could choose the cards, and you could not prove it")
    }

    fn untrusted(&self, error: &ureq::Error) -> Failure {
        Failure::refuse("untrusted", format!("the server shows a certificate that is not trusted: {error}"))
            .at(&self.seat)
            .help("--ca names the certificate of the authority that signed it")
    }

    /// The match, as the server shows it to everybody.
    pub(super) fn result(&self) -> Option<Value> {
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

    /// The record of the match, if that becomes public now that it is over.
    pub(super) fn record(&self) -> Option<Vec<u8>> {
        let place = self.place.borrow().clone();
        let url = format!("{}/record", place.split("/seats/").next()?);
        for _ in 0..20 {
            let mut response = self.agent.get(&url).call().ok()?;
            if response.status() == 200 {
                return response.body_mut().with_config().limit(RECORD_BYTES_MAX).read_to_vec().ok();
            }
            let problem: Value = response.body_mut().read_json().ok()?;
            if problem["code"] != "running" {
                return None;
            }
            thread::sleep(PAUSE / 5);
        }
        None
    }
}

/// The URL of a seat; without a scheme it is http://.
fn seat_url(written: &str) -> Result<String, Failure> {
    let is_seat = |url: &str| url.contains("/v1/matches/") && url.contains("/seats/");
    let url = match written.split_once("://") {
        None => format!("http://{written}"),
        Some(("http" | "https", _)) => written.to_owned(),
        Some((scheme, _)) => {
            return Err(Failure::refuse(
                "bad-seat",
                format!("a server is reached over http:// or https://, not {scheme}://"),
            )
            .at(written));
        }
    };
    if is_seat(&url) {
        return Ok(url.trim_end_matches('/').to_owned());
    }
    Err(Failure::refuse("bad-seat", "the URL of a seat ends in /v1/matches/ID/seats/ROLE").at(written))
}

/// Why a request did not get anywhere, for people.
fn reason(error: &ureq::Error) -> String {
    match error {
        ureq::Error::HostNotFound => "there is no host of that name".to_owned(),
        ureq::Error::Timeout(_) => format!("nothing in {} s", CONNECT_MAX.as_secs()),
        ureq::Error::Io(error) => {
            error.to_string().split(" (os error").next().unwrap_or_default().to_lowercase()
        }
        other => other.to_string(),
    }
}

/// Whether a server that has never answered will not do so soon either.
fn is_final(error: &ureq::Error) -> bool {
    match error {
        ureq::Error::Io(error) => error.kind() != std::io::ErrorKind::ConnectionRefused,
        _ => true,
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
        .timeout_connect(Some(CONNECT_MAX))
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
    // 408: what a server that stood still meanwhile has not read in time.
    if ![503, 429, 408].contains(&response.status().as_u16()) {
        return None;
    }
    let seconds = response.headers().get("Retry-After").and_then(|value| value.to_str().ok()?.parse().ok());
    Some(Duration::from_secs(seconds.unwrap_or(1)).clamp(PAUSE, PAUSE_MAX))
}

#[cfg(test)]
mod tests {
    use ureq::{Body, http::Response};

    use super::pause;

    #[test]
    fn a_server_that_is_not_ready_or_stood_still_is_asked_again() {
        let asks_again = |status: u16| {
            let answer = Response::builder().status(status).body(Body::builder().data(""));
            pause(&answer.expect("an answer")).is_some()
        };
        assert_eq!([503, 429, 408].map(asks_again), [true; 3]);
        assert_eq!([204, 404, 409, 500].map(asks_again), [false; 4]);
    }
}
