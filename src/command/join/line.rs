//! The way to a server: requests that are signed, made again when a connection breaks, and sent on where a match goes on.

use std::{cell::RefCell, thread, time::Duration};

use serde::Deserialize;
use serde_json::Value;
use ureq::{
    Agent, Body, RequestBuilder,
    http::Response,
    tls::{Certificate, PemItem, RootCerts, TlsConfig, TlsProvider, parse_pem},
};

use super::Arguments;
use crate::{failure::Failure, file::read_file, interrupt::Interrupt};

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

/// What a poll gives.
#[derive(Debug, Deserialize)]
pub(super) struct Polled {
    pub(super) after: usize,
    pub(super) frames: Vec<Value>,
    pub(super) over: bool,
}

/// The server, as a seat sees it.
#[derive(Clone)]
pub(super) struct Line {
    agent: Agent,
    /// The seat, as the server names it.
    seat: String,
    token: String,
    interrupt: Interrupt,
    /// Where the seat is now: a match may go on at another server of the same store.
    place: RefCell<String>,
}

impl Line {
    /// The way to the seat that the arguments name.
    ///
    /// # Errors
    /// If there are no certificates where they say.
    pub(super) fn new(arguments: &Arguments, interrupt: &Interrupt) -> Result<Self, Failure> {
        let place = RefCell::new(arguments.seat.clone());
        let (seat, token) = (arguments.seat.clone(), arguments.token.clone());
        Ok(Self { agent: agent(arguments)?, seat, token, interrupt: interrupt.clone(), place })
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

    pub(super) fn say(&self, frame: &Value) -> Result<(), Failure> {
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
                    self.place.replace(self.seat.clone());
                    wait = pause(&response).unwrap_or(PAUSE);
                    let problem: Value = response.body_mut().read_json().unwrap_or_default();
                    problem["detail"].as_str().unwrap_or("the server is not ready").to_owned()
                }
                Err(error) if is_untrusted(&error) => return Err(self.untrusted(&error)),
                Err(error) => {
                    self.place.replace(self.seat.clone());
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
        request.header("Authorization", format!("Bearer {}", self.token))
    }

    /// A refusal of the server.
    fn problem(&self, problem: &Value) -> Failure {
        self.refused(problem["detail"].as_str().unwrap_or("the server refuses"))
    }

    fn untrusted(&self, error: &ureq::Error) -> Failure {
        Failure::refuse("untrusted", format!("the server shows a certificate that is not trusted: {error}"))
            .at(&self.seat)
            .help("--ca names the certificate of the authority that signed it")
    }

    pub(super) fn refused(&self, why: &str) -> Failure {
        Failure::refuse("no-seat", why)
            .at(&self.seat)
            .help("is the server running, and is this the token of the seat?")
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
