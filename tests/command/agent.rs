//! The agent and remote seats as somebody at a terminal uses them.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::program;

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

/// `croupier agent` on a port of its own, until it is dropped.
struct Agent {
    process: Child,
    address: String,
}

impl Agent {
    fn new(player: &str) -> Self {
        let mut process = Command::new(BINARY)
            .args(["agent", "--player", player, "--port", "0", "--json", "--log", "debug"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        let address = format!("http://{}", told["address"].as_str().unwrap());
        Self { process, address }
    }

    fn seat(&self, role: &str) -> String {
        format!("{role}={}", self.address)
    }

    /// Its log, after its end.
    fn log(mut self) -> String {
        self.process.kill().unwrap();
        let mut log = String::new();
        self.process.stderr.take().unwrap().read_to_string(&mut log).unwrap();
        log
    }
}

impl Drop for Agent {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn an_agent_plays_a_seat_of_a_match_whose_record_verifies() {
    let program = program("agent-plays");
    let agent = Agent::new("belief");
    let record = program.path("k.jsonl");
    let seats =
        ["--seat", &agent.seat("alice"), "--seat", "bob=belief", "--start-clock", "10", "--play-clock", "5"];
    let match_of = |rest: &[&str]| {
        program.output(&[&["play"], rest, &seats[..], &["--record", &record, "--force"]].concat())
    };
    let shown = match_of(&["kuhn", "--matches", "3", "--seed", "5", "--json"]);
    assert!(shown.lines().all(|line| serde_json::from_str::<Value>(line).is_ok()), "{shown}");
    let text = String::from_utf8(program.contents("k.jsonl")).unwrap();
    assert!(text.contains(&format!("{} gdl2", agent.address)), "the record says who sat there: {text}");
    assert!(!text.contains("substitute"), "{text}");
    assert_eq!(program.output(&["replay", &record, "--verify"]).matches("OK").count(), 3);
    for dialect in ["gdl1", "gdl2-2011+infix", "sees"] {
        program.output(&[
            "play",
            "tic-tac-toe",
            "--seat",
            &agent.seat("x"),
            "--dialect",
            &format!("x={dialect}"),
            "--seat",
            &agent.seat("o"),
            "--play-clock",
            "5",
            "--record",
            &record,
            "--force",
        ]);
        let text = String::from_utf8(program.contents("k.jsonl")).unwrap();
        assert!(!text.contains("substitute"), "{dialect}: {text}");
        assert!(program.output(&["replay", &record, "--verify"]).contains("OK"));
    }
    let log = agent.log();
    for secret in ["deal", "jack", "(mark", "role"] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
}

#[test]
fn seats_that_cannot_be_are_refused_with_advice() {
    let program = program("agent-refused");
    for (arguments, words) in [
        (vec!["play", "kuhn", "--seat", "alice=https://x"], vec!["bad-address", "http://"]),
        (vec!["play", "kuhn", "--seat", "alice=http://me:secret@x"], vec!["bad-address", "password"]),
        (vec!["play", "kuhn", "--seat", "alice=http://x:1/y"], vec!["bad-address", "port"]),
        (vec!["play", "kuhn", "--dialect", "alice=gdl2"], vec!["bad-dialect", "--seat alice=http://"]),
        (
            vec!["play", "kuhn", "--seat", "alice=http://x", "--dialect", "alice=gdl9"],
            vec!["bad-dialect", "gdl2-2011"],
        ),
        (
            vec!["play", "kuhn", "--seat", "alice=http://x", "--dialect", "alice=gdl1"],
            vec!["bad-dialect", "full sight"],
        ),
        (
            vec!["play", "kuhn", "--seat", "alice=http://x", "--dialect", "gdl1"],
            vec!["bad-dialect", "ROLE=DIALECT"],
        ),
        (vec!["agent", "--player", "human"], vec!["bad-agent"]),
        (vec!["agent", "--player", "http://x"], vec!["bad-agent"]),
        (vec!["agent", "--player", "beleif"], vec!["unknown-agent", "belief"]),
        (vec!["agent", "--name", "two words"], vec!["bad-name"]),
        (vec!["agent", "--seed", "x"], vec!["bad-seed"]),
        (vec!["agent", "--address", "192.0.2.1"], vec!["unserved", "192.0.2.1"]),
    ] {
        let said = program.refusal(&arguments);
        for word in words {
            assert!(said.contains(word), "{arguments:?} does not say {word}: {said}");
        }
    }
}
