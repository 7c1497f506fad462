//! Everything that left the server during one match, and what is wrong with it.

use std::{collections::BTreeMap, thread, time::Duration};

use crate::{
    host::Capture,
    house::House,
    log,
    wire::{Answer, Asked, PATIENCE, ask},
};

/// What is wrong, and which claim says so.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) claim: &'static str,
    pub(crate) what: String,
}

/// A finding.
pub(crate) fn finding(claim: &'static str, what: impl Into<String>) -> Finding {
    Finding { claim, what: what.into() }
}

/// One request of somebody who has no business here, and the response.
#[derive(Clone, Debug)]
pub(crate) struct Page {
    /// `anybody`, `operator`, `stranger`, or the role whose token was shown.
    pub(crate) actor: String,
    pub(crate) path: String,
    pub(crate) answer: Answer,
}

/// Everything that left the server during one match.
#[derive(Clone, Debug, Default)]
pub(crate) struct Evidence {
    pub(crate) id: String,
    pub(crate) source: String,
    /// In which players are called.
    pub(crate) dialect: &'static str,
    pub(crate) seed: String,
    pub(crate) clocks_ms: [u64; 2],
    pub(crate) commitment: String,
    /// What players committed to, and the server's signature of that.
    pub(crate) nonces: Vec<String>,
    /// The server's signature of the commitment.
    pub(crate) signature: String,
    pub(crate) created_ms: String,
    /// By role, of seats whose players connect.
    pub(crate) tokens: BTreeMap<String, String>,
    /// Of players that are called, in the order in which the connections came.
    pub(crate) captures: Vec<Capture>,
    /// Of players that poll: every response in its order, by role.
    pub(crate) polls: BTreeMap<String, Vec<Answer>>,
    pub(crate) spectator: Option<Answer>,
    /// What was asked in the middle of the match.
    pub(crate) pages: Vec<Page>,
    pub(crate) record: String,
    pub(crate) logged: Vec<u8>,
}

impl Evidence {
    /// A text with everything that differs between all matches written in the same letters.
    pub(crate) fn masked(&self, bytes: &[u8]) -> String {
        let mut text = String::from_utf8_lossy(bytes).replace(&self.id, "ID");
        for (value, name) in
            [(&self.commitment, "COMMITMENT"), (&self.signature, "SIGNATURE"), (&self.created_ms, "CREATED")]
        {
            if !value.is_empty() {
                text = text.replace(value.as_str(), name);
            }
        }
        for (place, value) in self.nonces.iter().enumerate() {
            text = text.replace(value.as_str(), &format!("NONCES {place}"));
        }
        text
    }
}

/// Between two looks at a match that is to end.
const ROUND: Duration = Duration::from_millis(4);

/// A match that was made and is watched.
pub(crate) struct Watched<'h> {
    pub(crate) house: &'h House,
    pub(crate) evidence: Evidence,
    logged_before: usize,
}

impl<'h> Watched<'h> {
    /// Makes a match.
    pub(crate) fn make(house: &'h House, asked: &serde_json::Value) -> Result<Self, Finding> {
        let logged_before = log::place();
        let body = asked.to_string();
        let request =
            Asked { method: "POST", path: "/v1/matches", token: Some(&house.operator), body: &body };
        let made = ask(house.address, request);
        if made.status != 201 {
            return Err(finding("matches can be made", made.text()));
        }
        let told = made.json();
        let text = |name: &str| told[name].as_str().unwrap_or_default().to_owned();
        let tokens = told["tokens"].as_object().cloned().unwrap_or_default().into_iter();
        let id = text("id");
        let shown = ask(house.address, Asked::get(&format!("/v1/matches/{id}"), None)).json();
        let evidence = Evidence {
            commitment: text("commitment"),
            signature: text("signature"),
            created_ms: shown["created_ms"].to_string(),
            tokens: tokens
                .map(|(role, token)| (role, token.as_str().unwrap_or_default().to_owned()))
                .collect(),
            source: asked["rules"].as_str().unwrap_or_default().to_owned(),
            seed: asked["seed"].as_str().unwrap_or_default().to_owned(),
            clocks_ms: ["start_clock_ms", "play_clock_ms"].map(|name| asked[name].as_u64().unwrap_or(0)),
            id,
            ..Evidence::default()
        };
        Ok(Self { house, evidence, logged_before })
    }

    pub(crate) fn path(&self, rest: &str) -> String {
        format!("/v1/matches/{}{rest}", self.evidence.id)
    }

    /// Asks everything as everybody.
    pub(crate) fn crawl(&mut self) {
        let tokens = self.evidence.tokens.clone();
        let mut actors = vec![("anybody", None), ("operator", Some(self.house.operator.as_str()))];
        actors.push(("stranger", Some("nonsense")));
        actors.extend(tokens.iter().map(|(role, token)| (role.as_str(), Some(token.as_str()))));
        let here = ["", "/record", "/seats/alice", "/seats/bob", "/seats/random", "/seats/bob/ws"];
        let mut paths: Vec<String> = here.iter().map(|rest| self.path(rest)).collect();
        for path in
            ["/v1", "/v1/health", "/v1/metrics", "/v1/key", "/v1/matches?count=1", "/v1/matches/none", "/"]
        {
            paths.push(path.to_owned());
        }
        for (actor, token) in actors {
            for path in &paths {
                // What a seat is told over its own address is judged elsewhere.
                if path.contains(&format!("/seats/{actor}")) {
                    continue;
                }
                let answer = ask(self.house.address, Asked::get(path, token));
                self.evidence.pages.push(Page { actor: actor.to_owned(), path: path.clone(), answer });
            }
        }
    }

    /// Waits for the record, and closes the books.
    pub(crate) fn end(mut self) -> Result<Evidence, Finding> {
        let record = self.await_record()?;
        self.evidence.logged = log::since(self.logged_before);
        self.evidence.record = record;
        Ok(self.evidence)
    }

    fn await_record(&self) -> Result<String, Finding> {
        let rounds = PATIENCE.as_millis() / ROUND.as_millis();
        for _ in 0..rounds {
            let answer = ask(self.house.address, Asked::get(&self.path("/record"), None));
            if answer.status == 200 {
                return Ok(answer.text());
            }
            thread::sleep(ROUND);
        }
        Err(finding("records are there after the end", self.evidence.id.clone()))
    }

    /// Ends the match as its operator.
    pub(crate) fn stop(&self) {
        let path = self.path("");
        let token = Some(self.house.operator.as_str());
        ask(self.house.address, Asked { method: "DELETE", path: &path, token, body: "" });
    }

    /// Ends a match that does not go on, so that it is in nobody's way.
    pub(crate) fn abandon(self, why: Finding) -> Finding {
        self.stop();
        let _ = self.await_record();
        why
    }
}
