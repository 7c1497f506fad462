//! What spectators of a match of the server see, and when.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    io::{BufRead as _, BufReader},
    sync::mpsc,
    thread,
};

use serde_json::{Value, json};

use crate::{
    serve::turns,
    server::{PATIENCE, Server},
    sitter::{Sitter, connect},
};

/// A spectator from now on: whatever the server sends, line by line.
fn watch(server: &Server, id: &str) -> mpsc::Receiver<String> {
    let request = server.agent.get(server.url(&format!("/v1/matches/{id}/events")));
    let events = request.header("Accept", "application/x-ndjson").call().unwrap();
    let (send, lines) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(events.into_body().into_reader()).lines().map_while(Result::ok) {
            // A test that has failed no longer listens.
            if send.send(line).is_err() {
                return;
            }
        }
    });
    lines
}

/// The next turn that a spectator is told of, or the end.
fn next_event(lines: &mpsc::Receiver<String>) -> Value {
    loop {
        let line = lines.recv_timeout(PATIENCE).expect("a line for spectators");
        let event: Value = serde_json::from_str(&line).unwrap();
        if event["event"] == "turn" || event["event"] == "end" {
            return event;
        }
        assert!(!line.contains("moves"), "{line}");
    }
}

#[test]
fn spectators_of_a_sealed_match_see_how_far_it_is_and_those_of_an_open_one_its_moves() {
    let server = Server::new("serve-spectators");
    let watch = |game: &str, seats: Value| {
        let made = server.create(&json!({ "game": game, "seats": seats, "play_clock_ms": 2_000 }));
        let id = made["id"].as_str().unwrap().to_owned();
        // It waits for a player, so that nothing happens before somebody watches.
        let token = made["tokens"].as_object().unwrap().values().next().unwrap().as_str().unwrap().to_owned();
        let role = made["tokens"].as_object().unwrap().keys().next().unwrap().clone();
        let request = server.agent.get(server.url(&format!("/v1/matches/{id}/events")));
        let events = request.header("Accept", "application/x-ndjson").call().unwrap();
        let mut joined = server.join(&id, &role, &token, "random");
        let lines = BufReader::new(events.into_body().into_reader()).lines();
        let lines: Vec<String> = lines.map(Result::unwrap).collect();
        assert!(joined.wait().unwrap().success());
        lines
    };
    let agent = json!({ "kind": "agent", "agent": "random" });
    let sealed = watch("kuhn", json!({ "alice": { "kind": "pull" }, "bob": agent }));
    let open = watch("tic-tac-toe", json!({ "x": { "kind": "pull" }, "o": agent }));
    for lines in [&sealed, &open] {
        assert!(lines[0].contains("progress") && lines.last().unwrap().contains("\"end\""), "{lines:?}");
        assert!(lines.iter().filter(|line| line.contains("\"event\":\"turn\"")).count() >= 3, "{lines:?}");
    }
    assert!(open.iter().any(|line| line.contains("(mark")), "{open:?}");
    assert!(!sealed.iter().any(|line| line.contains("moves") || line.contains("deal")), "{sealed:?}");
}

#[test]
fn whoever_watches_until_after_the_hand_sees_only_how_far_it_is_and_then_every_joint_move() {
    let server = Server::new("spectators-after-hand");
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "first-legal" } },
        "spectators": "after_hand",
        "play_clock_ms": 60_000,
    }));
    let id = made["id"].as_str().unwrap();
    let lines = watch(&server, id);
    let alice = Sitter::new(&server, id, "alice", made["tokens"]["alice"].as_str().unwrap());
    connect(std::slice::from_ref(&alice));
    assert_eq!(alice.say(&json!({ "type": "ready" })).0, 204);
    let mut played = 0;
    loop {
        let frame = alice.frame(played + 1);
        if frame["type"] == "stop" {
            break;
        }
        assert_eq!(frame["turn"], played);
        // While the hand runs nobody learns more than that a turn is over, by any way.
        if let Some(before) = played.checked_sub(1) {
            assert_eq!(next_event(&lines), json!({ "event": "turn", "turn": before }));
        }
        let shown = server.get(&format!("/v1/matches/{id}")).to_string();
        assert!(!["deal", "pass", "bet", "noop"].iter().any(|word| shown.contains(word)), "{shown}");
        let (status, body) = server.ask("GET", &format!("/v1/matches/{id}/record"), None, None);
        assert_eq!(status, 409, "{body}");
        let own_move = if [2, 4].contains(&played) { "pass" } else { "noop" };
        assert_eq!(alice.say(&json!({ "type": "move", "turn": played, "move": own_move })).0, 204);
        played += 1;
    }
    assert!(played >= 3, "{played}");
    server.ended(id);
    assert_eq!(next_event(&lines), json!({ "event": "turn", "turn": played - 1 }));
    let after: Vec<Value> = std::iter::repeat_with(|| next_event(&lines))
        .take_while(|event| event["event"] == "turn")
        .map(|event| event["moves"].clone())
        .collect();
    let record = server.record(id);
    let recorded: Vec<Value> = turns(&record).into_iter().map(|(moves, _)| moves).collect();
    assert_eq!(after, recorded, "every joint move, the deal among them, in its order");
    assert!(recorded[0].to_string().contains("deal"), "{record}");
}
