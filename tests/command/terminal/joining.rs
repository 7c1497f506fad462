//! People who take a seat of a server at a terminal.
#![expect(clippy::disallowed_methods, reason = "how soon a command gives up is real time")]

use std::time::{Duration, Instant};

use croupier_tests::fake::nobody;
use serde_json::{Value, json};

use super::{WIDTHS, screen::Session};
use crate::{program, server::Server};

/// A match of Kuhn poker between somebody who connects and an agent: its id, and the URL and the token of the seat.
fn kuhn(server: &Server, bob: &Value) -> (String, String, String) {
    let seats = json!({ "alice": { "kind": "pull" }, "bob": bob });
    let made = server.create(&json!({ "game": "kuhn", "seats": seats, "seed": "1" }));
    let text = |value: &Value| value.as_str().expect("a text").to_owned();
    let id = text(&made["id"]);
    let url = server.url(&format!("/v1/matches/{id}/seats/alice"));
    (id, url, text(&made["tokens"]["alice"]))
}

/// What is on the screen, with one space between words.
fn words(session: &Session) -> String {
    session.text().split_whitespace().collect::<Vec<&str>>().join(" ")
}

#[test]
fn who_joins_at_a_terminal_plays_and_the_end_looks_like_the_end_of_play() {
    let server = Server::new("joining-person");
    let call = json!({ "kind": "agent", "agent": "call" });
    for columns in WIDTHS {
        let program = program(&format!("joining-{columns}"));
        let (id, url, token) = kuhn(&server, &call);
        // An address without http:// is one.
        let short = url.strip_prefix("http://").expect("a server without TLS");
        let mut session = Session::new(&program.path(""), columns, &["join", short, "--token", &token]);
        while session.is_asked("your move>") {
            session.enter("bet");
        }
        assert_eq!(session.end(), 0, "{}", session.text());
        session.assert_fits();
        let joined = words(&session);
        assert!(joined.contains("You have 15 s for each move"), "{joined}");
        assert!(!joined.contains("terminal"), "{joined}");

        // As `replay` tells the end from the record.
        let told = program.file("m.jsonl", server.record(&id));
        let replayed = program.output(&["replay", &told]);
        let outcome = replayed.lines().rfind(|line| line.contains("(goals ")).expect("how it ended");
        let outcome = outcome.split_whitespace().collect::<Vec<&str>>().join(" ");
        let end = joined.split("The match as Alice saw it:").nth(1).expect("the end of play");
        let plain = |text: &str| text.replace(|char: char| !char.is_alphanumeric(), "");
        assert!(plain(end).contains(&plain(&outcome)), "{outcome}\n{end}");
        assert!(end.contains("turn"), "{end}");
    }
}

#[test]
fn who_waits_for_others_is_told_so() {
    let server = Server::new("joining-wait");
    let program = program("joining-wait-client");
    let (id, url, token) = kuhn(&server, &json!({ "kind": "pull" }));
    let mut session = Session::new(&program.path(""), 80, &["join", &url, "--token", &token]);
    session.wait_for("waiting for the match to begin");
    // Nobody has to wait for the end of a poll to leave.
    session.press("\x03");
    assert_ne!(session.end(), 0);
    assert_eq!(server.get(&format!("/v1/matches/{id}"))["status"], "waiting");
}

#[test]
fn leaving_says_that_the_match_goes_on_and_the_same_command_returns() {
    let server = Server::new("joining-leave");
    let program = program("joining-leave-client");
    let (id, url, token) = kuhn(&server, &json!({ "kind": "agent", "agent": "call" }));
    let arguments = ["join", &url, "--token", &token];
    let mut ended = Vec::new();
    for leaves in ["quit\r", "\x03y\r", "\x04y\r"] {
        let mut session = Session::new(&program.path(""), 80, &arguments);
        assert!(session.is_asked("your move>"), "{}", session.text());
        session.press(leaves);
        let code = session.end();
        let said = words(&session);
        let farewell = said.split("you leave the match").nth(1).unwrap_or_default().trim().to_owned();
        assert!(farewell.contains("The match goes on"), "{said}");
        assert!(
            farewell.contains("the 15 s for a move of Alice are over, the server draws a legal one"),
            "{said}"
        );
        assert!(farewell.contains("The same command returns to the seat"), "{said}");
        ended.push((code, farewell));
    }
    assert!(ended.iter().all(|one| *one == ended[0]), "a word and keys agree: {ended:?}");
    assert_eq!(ended[0].0, 1);
    let mut session = Session::new(&program.path(""), 80, &arguments);
    while session.is_asked("your move>") {
        session.enter("bet");
    }
    assert_eq!(session.end(), 0, "{}", session.text());
    assert_eq!(server.ended(&id)["outcome"]["status"], "terminal");
}

#[test]
fn a_person_joins_a_real_time_match() {
    let server = Server::new("joining-time");
    let program = program("joining-time-client");
    let pull = json!({ "kind": "pull" });
    let made = server.create(&json!({ "game": "chicken", "seats": { "white": pull, "black": pull } }));
    let id = made["id"].as_str().expect("an id");
    let token = |role: &str| made["tokens"][role].as_str().expect("a token").to_owned();
    let mut other = server.join(id, "black", &token("black"), "wait");
    let url = server.url(&format!("/v1/matches/{id}/seats/white"));
    let mut session = Session::new(&program.path(""), 80, &["join", &url, "--token", &token("white")]);
    session.wait_for("You are White.");
    session.press("quit\r");
    assert_eq!(session.end(), 1, "{}", session.text());
    assert!(words(&session).contains("White makes no moves until somebody is back"), "{}", session.text());
    other.kill().expect("a child of this process");
    other.wait().expect("a child of this process");
}

#[test]
fn a_dead_address_and_a_wrong_token_are_told_at_once_and_apart() {
    let program = program("joining-dead");
    let seat = "/v1/matches/kuhn/seats/alice";
    let begun = Instant::now();
    let refusal = program.refusal(&["join", &format!("{}{seat}", nobody()), "--token", "x"]);
    assert!(begun.elapsed() < Duration::from_secs(15), "{:?}", begun.elapsed());
    assert!(refusal.contains("no server answers there: connection refused"), "{refusal}");
    let refusal = program.refusal(&["join", &format!("http://no-such-host.invalid{seat}"), "--token", "x"]);
    assert!(refusal.contains("error[unreachable]"), "{refusal}");
    assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());

    let server = Server::new("joining-token");
    let (_, url, _) = kuhn(&server, &json!({ "kind": "agent", "agent": "call" }));
    let refusal = program.refusal(&["join", &url, "--token", "x"]);
    assert!(refusal.contains("error[wrong-token]: this is not the token of that seat"), "{refusal}");
    assert!(!refusal.contains("is the server running"), "{refusal}");
    let refusal = program.refusal(&["join", &url.replace("alice", "carol"), "--token", "x"]);
    assert!(refusal.contains("error[no-seat]: there is no such seat"), "{refusal}");
}
