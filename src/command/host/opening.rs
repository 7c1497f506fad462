//! A table is asked for: one request to a server, with the operator's token.

use std::{collections::BTreeMap, path::Path, str::FromStr, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use ureq::Agent;

use crate::{arguments::token_file, output::failure::Failure};

/// Longest time until a server has compiled a game and opened the table.
const REQUEST_MAX: Duration = Duration::from_secs(120);

/// Longest time until a server on this machine says that it is there.
const KNOCK_MAX: Duration = Duration::from_secs(2);

/// What a server is asked for: the keys are those of `POST /v1/sessions`.
#[derive(Debug, Default, Serialize)]
pub(super) struct TableRequest {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) game: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rules: Option<String>,
    /// The text of the `game.toml` of those rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) words: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) seats: Option<usize>,
    pub(super) agents: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) stack: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) blinds: Option<Vec<Vec<u32>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) raise_blinds: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) rebuy: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) until: Option<String>,
    /// Milliseconds of game time per second, in a real-time game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) speed_permille: Option<u32>,
    pub(super) trainer: bool,
    pub(super) chat: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spectators: Option<WatchPolicy>,
}

/// What those who watch a table see of its hands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum WatchPolicy {
    Open,
    Delayed { turns: u32, seconds: u32 },
    AfterHand,
    Sealed,
}

impl FromStr for WatchPolicy {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turns = |turns: &str| turns.parse().ok().filter(|turns| (1..=DELAY_MAX).contains(turns));
        match text.split_once(':') {
            None if text == "open" => Ok(Self::Open),
            None if text == "after" => Ok(Self::AfterHand),
            None if text == "sealed" => Ok(Self::Sealed),
            Some(("delayed", count)) => turns(count)
                .map(|turns| Self::Delayed { turns, seconds: 0 })
                .ok_or_else(|| format!("the delay is a number of turns from 1 to {DELAY_MAX}")),
            _ => Err("it is `open`, `delayed:TURNS`, `after` or `sealed`".to_owned()),
        }
    }
}

/// Turns that watchers may be behind.
const DELAY_MAX: u32 = 1_000;

/// A table that was opened: its tokens.
#[derive(Debug, Deserialize)]
pub(super) struct Opened {
    pub(super) id: String,
    pub(super) host: String,
    pub(super) watch: String,
    /// By seat.
    pub(super) invitations: BTreeMap<u32, String>,
}

/// Opens a table at a server whose operator's token is in this file.
pub(super) fn open_table(url: &str, token: &Path, request: &TableRequest) -> Result<Opened, Failure> {
    let token = token_file::read(token)?;
    let asked = agent(REQUEST_MAX)
        .post(format!("{url}/v1/sessions"))
        .header("Authorization", format!("Bearer {token}"))
        .send_json(request);
    let mut response = asked.map_err(|error| {
        Failure::refuse("unreachable", format!("the server does not answer: {error}")).at(url)
    })?;
    if response.status() == 201 {
        return response.body_mut().read_json().map_err(|error| {
            Failure::refuse("foreign-server", format!("its answer opens no table: {error}")).at(url)
        });
    }
    let problem: Value = response.body_mut().read_json().unwrap_or_default();
    Err(match (problem["code"].as_str(), problem["detail"].as_str()) {
        (Some("forbidden" | "unauthorized"), _) => {
            Failure::refuse("foreign-server", "another server listens there, with another operator's token")
                .at(url)
                .help("--port names a port that is free")
        }
        (Some(_), Some(detail)) => Failure::refuse("no-table", detail.to_owned()),
        _ => Failure::refuse("foreign-server", format!("it answers with HTTP status {}", response.status()))
            .at(url),
    })
}

/// Whether a server of ours listens there.
pub(super) fn is_croupier(url: &str) -> bool {
    let answer = agent(KNOCK_MAX).get(format!("{url}/v1/health")).call();
    answer.is_ok_and(|mut response| {
        let about: Value = response.body_mut().read_json().unwrap_or_default();
        response.status() == 200 && about["version"].is_string()
    })
}

fn agent(longest: Duration) -> Agent {
    let config =
        Agent::config_builder().http_status_as_error(false).proxy(None).timeout_global(Some(longest));
    config.build().new_agent()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_watchers_see_is_said_in_a_word() {
        let read = |text: &str| text.parse::<WatchPolicy>();
        assert_eq!(read("open"), Ok(WatchPolicy::Open));
        assert_eq!(read("after"), Ok(WatchPolicy::AfterHand));
        assert_eq!(read("sealed"), Ok(WatchPolicy::Sealed));
        assert_eq!(read("delayed:4"), Ok(WatchPolicy::Delayed { turns: 4, seconds: 0 }));
        for wrong in ["", "Open", "delayed", "delayed:", "delayed:0", "delayed:1001", "delayed:x", "after:2"]
        {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
