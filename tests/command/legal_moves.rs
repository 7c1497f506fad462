//! Seats that ask for their legal moves with each request, by long poll and over a WebSocket.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{
    program,
    server::{Server, Socket},
};

/// How a seat is asked for its frames.
#[derive(Clone, Copy, Debug)]
enum Form {
    LongPoll,
    WebSocket,
}

const FORMS: [Form; 2] = [Form::LongPoll, Form::WebSocket];

/// A seat that plays the last of the moves that it is told are legal.
#[derive(Default)]
struct Sitter {
    /// What it was told: every list, or `null`.
    told: Vec<Value>,
}

impl Sitter {
    /// What it says to a frame, `None` at the end of the match.
    fn answer(&mut self, frame: &Value) -> Option<Value> {
        match frame["type"].as_str() {
            Some("start") => Some(json!({ "type": "ready" })),
            Some("play") => {
                let legal = frame.get("legal").expect("it was asked for").clone();
                let own = legal.as_array().and_then(|moves| moves.last()).cloned();
                self.told.push(legal);
                Some(
                    json!({ "type": "move", "turn": frame["turn"], "move": own.unwrap_or_else(|| "wait".into()) }),
                )
            }
            _ => None,
        }
    }

    /// Plays to the end by long poll.
    fn poll(&mut self, server: &Server, seat: &str, token: &str) {
        let mut after = 0;
        loop {
            let (status, body) =
                server.ask("GET", &format!("{seat}?after={after}&legal=true"), Some(token), None);
            assert!(status == 200 || status == 204, "{status}: {body}");
            let polled: Value = serde_json::from_str(&body).unwrap_or_default();
            for frame in polled["frames"].as_array().into_iter().flatten() {
                let Some(said) = self.answer(frame) else { return };
                assert_eq!(server.ask("POST", seat, Some(token), Some(&said)).0, 204);
            }
            after = polled["after"].as_u64().unwrap_or(after);
        }
    }

    /// Plays to the end over a WebSocket.
    fn converse(&mut self, server: &Server, seat: &str, token: &str) {
        let mut socket = Socket::connect(server, &format!("{seat}/ws?legal=true"), token);
        loop {
            let frame: Value = serde_json::from_str(&socket.read().expect("a frame")).unwrap();
            if frame["type"] == "received" {
                continue;
            }
            let Some(said) = self.answer(&frame) else { return };
            socket.say(&said);
        }
    }
}

/// What a seat was told that plays a match to its end.
fn told(server: &Server, form: Form, id: &str, role: &str, token: &Value) -> Vec<Value> {
    let (seat, token) = (format!("/v1/matches/{id}/seats/{role}"), token.as_str().unwrap());
    let mut sitter = Sitter::default();
    match form {
        Form::LongPoll => sitter.poll(server, &seat, token),
        Form::WebSocket => sitter.converse(server, &seat, token),
    }
    sitter.told
}

/// What the referee had as legal for a role, turn by turn.
fn legal(record: &str, game: &str, role: &str) -> Vec<Value> {
    let file = program("legal-record").file(&format!("{game}.jsonl"), record);
    let replayed = program("legal-replay").output(&["replay", &file, "--json"]);
    let replayed: Value = serde_json::from_str(&replayed).unwrap();
    let turns = replayed["matches"][0]["turns"].as_array().unwrap();
    turns.iter().map(|turn| turn["legal"][role].clone()).collect()
}

#[test]
fn a_seat_that_asks_is_told_its_legal_moves_and_needs_no_reasoner() {
    let server = Server::new("legal");
    let games = [("leduc", "alice", "bob"), ("liars-dice", "alice", "bob"), ("tic-tac-toe", "x", "o")];
    for ((game, role, other), form) in games.iter().flat_map(|game| FORMS.map(|form| (*game, form))) {
        let seats = json!({ role: { "kind": "pull" }, other: { "kind": "agent", "agent": "random" } });
        let made = server.create(&json!({ "game": game, "seats": seats, "seed": "2", "cadence": "prompt" }));
        let id = made["id"].as_str().unwrap();
        let told = told(&server, form, id, role, &made["tokens"][role]);
        let ended = server.ended(id);
        assert_eq!(ended["outcome"]["conduct"][role]["substituted"], json!({}), "{game}: {ended}");
        let has_choice = |legal: &Value| legal.as_array().is_some_and(|moves| moves.len() > 1);
        assert!(told.iter().any(has_choice), "{game}, {form:?}: {told:?}");
        assert_eq!(told, legal(&server.record(id), game, role), "{game}, {form:?}");
    }
}

#[test]
fn legal_moves_that_would_tell_a_secret_are_not_told() {
    // Only the side that lies there can be picked up, and nobody was told which it is.
    const COIN: &str = "(role random) (role guesser) (init tossed) (side heads) (side tails)
        (<= (legal random (toss ?side)) (true tossed) (side ?side)) (<= (legal random rest) (not (true tossed)))
        (<= (legal guesser wait) (true tossed)) (<= (legal guesser (pick ?side)) (true (lies ?side)))
        (<= (legal guesser wait) (true (lies ?side)))
        (<= (next (lies ?side)) (does random (toss ?side))) (<= (next done) (true (lies ?side)))
        (<= terminal (true done)) (goal guesser 50) (<= (sees guesser landed) (does random (toss ?side)))";
    let server = Server::new("legal-secret");
    for form in FORMS {
        let mut sides = BTreeSet::new();
        for seed in 0..6 {
            let seats = json!({ "guesser": { "kind": "pull" } });
            let made = server.create(&json!({ "rules": COIN, "seats": seats, "seed": seed.to_string() }));
            let id = made["id"].as_str().unwrap();
            let told = told(&server, form, id, "guesser", &made["tokens"]["guesser"]);
            assert_eq!(told, [json!(["wait"]), Value::Null], "{form:?}: whatever lies there");
            server.ended(id);
            sides.insert(server.record(id).contains("(toss heads)"));
        }
        assert_eq!(sides.len(), 2, "both sides came up");
    }
}
