//! Requests to the server that is measured: matches are made, and judged by their records after the end.

use std::{
    collections::BTreeMap,
    net::SocketAddr,
    sync::{
        Mutex,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::Duration,
};

use indicatif::ProgressBar;
use serde::Serialize;
use serde_json::{Value, json};
use ureq::{Agent, http::Request};

use super::{
    course::hold,
    rules::{ROLES, sign},
};
use crate::{output::failure::Failure, sessions::interrupt::Interrupt};

/// Requests that are made at the same time.
const AT_ONCE: usize = 32;

/// Longest answer, in bytes: a record of the longest match.
const ANSWER_BYTES_MAX: u64 = 64 << 20;

/// Longest time for an answer.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a match is looked at that has told its players of the end, and the time between.
const ENDING_LOOKS: u32 = 50;
const ENDING_PAUSE: Duration = Duration::from_millis(100);

/// The API of a server.
#[derive(Clone, Debug)]
pub(super) struct Requests {
    agent: Agent,
    server: SocketAddr,
    token: String,
}

/// What the records of matches say.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Verdict {
    /// Matches that came to their end.
    pub(super) complete_matches: u64,
    /// Turns that were played.
    pub(super) turns: u64,
    /// Turns that are missing, or in which somebody's move was another than the one it made.
    pub(super) lost_turns: u64,
    /// Moves that were played for somebody, by why.
    pub(super) substituted: BTreeMap<String, u64>,
}

impl Requests {
    pub(super) fn new(server: SocketAddr, token: String) -> Self {
        let config = Agent::config_builder()
            .http_status_as_error(false)
            .timeout_global(Some(PATIENCE))
            .max_idle_connections_per_host(AT_ONCE)
            .build();
        Self { agent: config.into(), server, token }
    }

    fn ask(&self, method: &str, path: &str, body: &str) -> Result<String, Failure> {
        let failed = |what: String| Failure::refuse("server-failed", format!("{method} {path}: {what}"));
        let request = Request::builder()
            .method(method)
            .uri(format!("http://{}{path}", self.server))
            .header("Authorization", format!("Bearer {}", self.token))
            .header("Content-Type", "application/json")
            .body(body.to_owned())
            .map_err(|error| failed(error.to_string()))?;
        let mut response = self.agent.run(request).map_err(|error| failed(error.to_string()))?;
        let read = response.body_mut().with_config().limit(ANSWER_BYTES_MAX).read_to_string();
        let text = read.map_err(|error| failed(error.to_string()))?;
        if response.status().is_success() { Ok(text) } else { Err(failed(text)) }
    }

    /// Makes these matches, many at a time.
    ///
    /// # Errors
    /// The first refusal.
    pub(super) fn create(&self, matches: &[Value], interrupt: &Interrupt) -> Result<(), Failure> {
        in_parallel(matches, interrupt, |wanted| {
            self.ask("POST", "/v1/matches", &wanted.to_string()).map(drop)
        })
    }

    /// A match as it is shown after its end, and its record: empty if it does not end, so that all its turns are lost.
    fn ended(&self, id: &str) -> Result<(Value, String), Failure> {
        let mut shown = Value::Null;
        for _ in 0..ENDING_LOOKS {
            let text = self.ask("GET", &format!("/v1/matches/{id}"), "")?;
            shown = serde_json::from_str(&text).unwrap_or_default();
            // The outcome is there a moment before the record is: the server may still be busy with other ends.
            if !shown["outcome"].is_null()
                && let Ok(record) = self.ask("GET", &format!("/v1/matches/{id}/record"), "")
            {
                return Ok((shown, record));
            }
            thread::sleep(ENDING_PAUSE);
        }
        Ok((shown, String::new()))
    }

    /// Judges matches by what the server keeps of them.
    ///
    /// # Errors
    /// If the server does not answer.
    pub(super) fn judge(
        &self,
        matches: &[(String, u32)],
        turns: u32,
        interrupt: &Interrupt,
        bar: &ProgressBar,
    ) -> Result<Verdict, Failure> {
        let verdict = Mutex::new(Verdict::default());
        in_parallel(matches, interrupt, |(id, number)| {
            let (shown, record) = self.ended(id)?;
            hold(&verdict).add(&shown, &record, *number, turns);
            bar.inc(1);
            Ok(())
        })?;
        Ok(std::mem::take(&mut hold(&verdict)))
    }
}

impl Verdict {
    /// Takes in a match of so many turns as the API shows it, and its record.
    fn add(&mut self, shown: &Value, record: &str, number: u32, turns: u32) {
        let events = record.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let mut kept = 0;
        let mut right = 0;
        for event in events.filter(|event| event["event"] == "turn") {
            kept += 1;
            let turn = event["turn"].as_u64().and_then(|turn| u32::try_from(turn).ok());
            let is_right = |turn| {
                ROLES.iter().enumerate().all(|(seat, role)| event["moves"][role] == sign(number, seat, turn))
            };
            right += u64::from(turn.is_some_and(is_right));
        }
        self.complete_matches += u64::from(shown["outcome"]["status"] == "terminal");
        self.turns += kept;
        self.lost_turns += u64::from(turns).saturating_sub(right);
        for conduct in ROLES.map(|role| &shown["outcome"]["conduct"][role]) {
            for (reason, count) in conduct["substituted"].as_object().into_iter().flatten() {
                *self.substituted.entry(reason.clone()).or_default() += count.as_u64().unwrap_or(0);
            }
        }
    }

    /// How many moves were played for somebody because of this.
    pub(super) fn substituted_for(&self, reason: &str) -> u64 {
        self.substituted.get(reason).copied().unwrap_or(0)
    }
}

/// A match between players at these addresses.
pub(super) fn match_request(rules: &str, player: SocketAddr, play_clock_ms: u64) -> Value {
    let seats = ROLES.map(|role| {
        (role.to_owned(), json!({ "kind": "push", "address": format!("http://{player}"), "dialect": "gdl2" }))
    });
    json!({
        "rules": rules,
        "seats": serde_json::Map::from_iter(seats),
        "start_clock_ms": START_CLOCK_MS,
        "play_clock_ms": play_clock_ms,
        "spectators": "open",
        // What is measured is how soon the server is ready, not how long it waits so that nobody sees that.
        "cadence": "prompt",
    })
}

/// Players do not answer START before all matches are made.
const START_CLOCK_MS: u64 = 600_000;

/// Does something with each of these, many at a time, until one fails or somebody interrupts.
fn in_parallel<T: Sync>(
    things: &[T],
    interrupt: &Interrupt,
    act: impl Fn(&T) -> Result<(), Failure> + Sync,
) -> Result<(), Failure> {
    let next = AtomicUsize::new(0);
    let work = || -> Result<(), Failure> {
        while let Some(thing) = things.get(next.fetch_add(1, Ordering::Relaxed)) {
            if interrupt.is_raised() {
                return Err(Failure::Interrupted);
            }
            if let Err(failure) = act(thing) {
                next.store(things.len(), Ordering::Relaxed);
                return Err(failure);
            }
        }
        Ok(())
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..AT_ONCE).map(|_| scope.spawn(work)).collect();
        threads.into_iter().try_for_each(|thread| {
            thread.join().unwrap_or_else(|_| Err(Failure::refuse("server-failed", "a request panicked")))
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn record(number: u32, turns: impl Iterator<Item = u32>) -> String {
        let line = |turn| {
            let moves = [0, 1].map(|seat| sign(number, seat, turn));
            format!(
                "{}\n",
                json!({ "event": "turn", "turn": turn, "moves": { "left": moves[0], "right": moves[1] } })
            )
        };
        turns.map(line).collect()
    }

    #[test]
    fn turns_that_are_missing_or_played_otherwise_are_lost() {
        let shown = |left: &Value| json!({ "outcome": { "status": "terminal", "conduct": { "left": { "substituted": left } } } });
        let whole = record(3, 0..10);
        let mut verdict = Verdict::default();
        verdict.add(&shown(&json!({})), &whole, 3, 10);
        assert_eq!(verdict, Verdict { complete_matches: 1, turns: 10, ..Verdict::default() });
        let altered = whole.replacen(sign(3, 0, 0), "nothing", 1);
        verdict.add(&shown(&json!({ "timeout": 1 })), &altered, 3, 10);
        assert_eq!((verdict.lost_turns, verdict.substituted_for("timeout")), (1, 1));
        verdict.add(&shown(&json!({})), &record(3, 0..7), 3, 10);
        assert_eq!((verdict.lost_turns, verdict.turns), (4, 27));
        verdict.add(&json!({ "outcome": null }), "", 3, 10);
        assert_eq!((verdict.lost_turns, verdict.complete_matches), (14, 3));
    }
}
