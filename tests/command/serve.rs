//! The referee as a server, as its users meet it: made with `curl`, joined, killed, asked for what nobody may see.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    collections::BTreeMap,
    fs,
    io::{BufRead as _, BufReader},
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use serde_json::{Value, json};

use croupier_tests::{postgres::empty_database, size};

use crate::{
    program,
    schemas::assert_valid,
    server::{BINARY, Server, Socket},
};

/// A match of two agents of the server, dealt from a seed.
pub(crate) fn between_agents(game: &str, seed: u64, play_clock_ms: u64) -> Value {
    json!({
        "game": game,
        "seats": { "alice": { "kind": "agent", "agent": "random" }, "bob": { "kind": "agent", "agent": "random" } },
        "play_clock_ms": play_clock_ms,
        "seed": seed.to_string(),
    })
}

/// What was played in a record, turn by turn: the moves and the states after them.
pub(crate) fn turns(record: &str) -> Vec<(Value, Value)> {
    let lines = record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .filter(|line| line["event"] == "turn")
        .map(|line| (line["moves"].clone(), line["state"].clone()))
        .collect()
}

#[test]
fn a_match_through_the_api_has_a_record_that_the_servers_key_signed() {
    let server = Server::new("serve-match");
    let key = server.get("/v1/key");
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "random" } },
    }));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    assert_eq!(server.get(&format!("/v1/matches/{id}"))["status"], "waiting");
    let joined = server.join(id, "alice", token, "random").wait_with_output().unwrap();
    assert!(joined.status.success(), "{}", String::from_utf8_lossy(&joined.stderr));
    let ended: Value = serde_json::from_slice(&joined.stdout).unwrap();
    assert_eq!(assert_valid(&ended), "join");
    assert_eq!(ended["outcome"]["status"], "terminal");
    let goals = ended["outcome"]["goals"].as_object().unwrap();
    assert_eq!(
        goals.values().map(|goal| goal.as_i64().unwrap()).sum::<i64>(),
        100,
        "what one wins the other loses"
    );
    let record = server.record(id);
    assert!(record.contains("\"status\":\"revealed\""), "alice mixed a nonce into the seed");
    assert!(record.contains(made["commitment"].as_str().unwrap()), "the commitment was made before");
    let checker = program("serve-match");
    let file = checker.file("m.jsonl", &record);
    let key = key["public_key"].as_str().unwrap();
    assert!(checker.output(&["replay", &file, "--verify", "--signed-by", key]).contains("OK"));
}

#[test]
fn a_server_that_is_killed_again_and_again_loses_no_match_and_draws_nothing_twice() {
    is_killed_again_and_again("sqlite", "croupier.db");
}

#[test]
fn a_server_on_postgresql_that_is_killed_again_and_again_loses_no_match_and_draws_nothing_twice() {
    let Some(database) = empty_database() else { return };
    is_killed_again_and_again("postgres", &database);
}

fn is_killed_again_and_again(name: &str, store: &str) {
    // Killed after up to 30 ms in any case.
    let (matches, step_ms) = size((6, 6), (12, 3));
    let whole = Server::new(&format!("serve-whole-{name}"));
    let mut expected = BTreeMap::new();
    for seed in 0..matches {
        let made = whole.create(&between_agents("leduc", seed, 20_000));
        expected.insert(seed, made["id"].as_str().unwrap().to_owned());
    }
    let expected: BTreeMap<u64, Vec<(Value, Value)>> = expected
        .into_iter()
        .map(|(seed, id)| {
            whole.ended(&id);
            (seed, turns(&whole.record(&id)))
        })
        .collect();
    let mut server = Server::on(&format!("serve-killed-{name}"), store);
    let mut ids = BTreeMap::new();
    let mut resumed = 0;
    for seed in 0..matches {
        let made = server.create(&between_agents("leduc", seed, 20_000));
        ids.insert(seed, made["id"].as_str().unwrap().to_owned());
        // Sooner or later after the match was made: before its first line, or in the middle of it.
        thread::sleep(Duration::from_millis(seed * step_ms));
        server = Server::again(server.kill());
        resumed += server.resumed;
    }
    // A database keeps the lease of a dead server for a while: what it left is taken over later.
    assert!(resumed > 0 || store != "croupier.db", "some match was in the middle");
    for (seed, id) in &ids {
        assert_eq!(server.ended(id)["outcome"]["status"], "terminal", "{seed}");
        let record = server.record(id);
        assert_eq!(turns(&record), expected[seed], "the match of seed {seed} is another one: {record}");
        let checker = program(&format!("serve-replay-{name}"));
        let file = checker.file("m.jsonl", &record);
        assert!(checker.output(&["replay", &file, "--verify"]).contains("OK"), "{seed}");
    }
}

#[test]
fn a_player_that_has_joined_plays_on_when_the_server_was_killed() {
    let server = Server::new("serve-rejoin");
    let asked = json!({
        "game": "holdem",
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "random" } },
        "seed": "5",
    });
    let made = server.create(&asked);
    let (id, token) =
        (made["id"].as_str().unwrap().to_owned(), made["tokens"]["alice"].as_str().unwrap().to_owned());
    // Another process on the same port would be another address: here the player is told the new one.
    let mut first = server.join(&id, "alice", &token, "random");
    thread::sleep(Duration::from_millis(300));
    let server = Server::again(server.kill());
    first.kill().unwrap();
    first.wait().unwrap();
    let seat = format!("/v1/matches/{id}/seats/alice?after=0");
    if server.resumed == 1 {
        let (status, body) = server.ask("GET", &seat, Some(&token), None);
        assert_eq!(status, 200, "{body}");
        let polled: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(polled["frames"][0]["type"], "start", "{polled}");
        let second = server.join(&id, "alice", &token, "random").wait_with_output().unwrap();
        assert!(second.status.success(), "{}", String::from_utf8_lossy(&second.stderr));
    }
    assert_eq!(server.ended(&id)["outcome"]["status"], "terminal");
}

#[test]
fn nobody_sees_a_match_before_its_end_but_through_the_seats_of_their_own() {
    let server = Server::new("serve-secrets");
    let seed = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "pull" } },
        "seed": seed,
        "play_clock_ms": 60_000,
    }));
    let id = made["id"].as_str().unwrap();
    let tokens = ["alice", "bob"].map(|role| made["tokens"][role].as_str().unwrap().to_owned());
    let seat = |role: &str| format!("/v1/matches/{id}/seats/{role}");
    let operator = server.operator();
    let mut seen = String::new();
    let frames = |role: &str, token: &str, after: usize| -> Vec<Value> {
        let (status, body) = server.ask("GET", &format!("{}?after={after}", seat(role)), Some(token), None);
        assert_eq!(status, 200, "{body}");
        serde_json::from_str::<Value>(&body).unwrap()["frames"].as_array().unwrap().clone()
    };
    // Both connect at once: the match begins when both are there.
    thread::scope(|scope| {
        scope.spawn(|| frames("alice", &tokens[0], 0));
        scope.spawn(|| frames("bob", &tokens[1], 0));
    });
    for (role, token) in ["alice", "bob"].iter().zip(&tokens) {
        let (status, body) = server.ask("POST", &seat(role), Some(token), Some(&json!({ "type": "ready" })));
        assert_eq!(status, 204, "{body}");
    }
    for turn in 0..2 {
        for (role, token) in ["alice", "bob"].iter().zip(&tokens) {
            frames(role, token, turn + 1);
            let said = json!({ "type": "move", "turn": turn, "move": "noop" });
            assert_eq!(server.ask("POST", &seat(role), Some(token), Some(&said)).0, 204);
        }
    }
    let [alice, bob] = [0, 1].map(|seat| {
        let (role, token) = (["alice", "bob"][seat], &tokens[seat]);
        frames(role, token, 3);
        frames(role, token, 0)
    });
    let text = |frames: &[Value]| serde_json::to_string(frames).unwrap();
    let card = |frames: &[Value]| {
        let text = text(&frames[1..]);
        ["jack", "queen", "king"]
            .into_iter()
            .filter(|card| text.contains(&format!("(hole {card})")))
            .collect::<Vec<_>>()
    };
    assert_eq!((card(&alice).len(), card(&bob).len()), (1, 1), "{alice:?} {bob:?}");
    assert_ne!(card(&alice), card(&bob));
    // Everybody else, and each of them at every other place.
    for token in [None, Some(operator.as_str()), Some(&*tokens[0]), Some(&*tokens[1]), Some("nonsense")] {
        for path in ["", "/record", "/seats/alice", "/seats/bob", "/seats/random", "/seats/nobody"] {
            let own = [("/seats/alice", &tokens[0]), ("/seats/bob", &tokens[1])];
            if own.iter().any(|(place, of)| *place == path && token == Some(of.as_str())) {
                continue;
            }
            let (status, body) = server.ask("GET", &format!("/v1/matches/{id}{path}"), token, None);
            assert_eq!(status == 200, path.is_empty(), "{path} for {token:?}: {status} {body}");
            seen.push_str(&body);
        }
    }
    seen.push_str(&server.ask("GET", "/v1/matches", Some(&operator), None).1);
    seen.push_str(&server.ask("GET", "/v1/metrics", Some(&operator), None).1);
    seen.push_str(&fs::read_to_string(server.folder.join("log")).unwrap());
    for secret in ["(hole", "(deal", "hole jack", seed, &tokens[0], &tokens[1], &operator] {
        assert!(!seen.contains(secret), "{secret} is in what others see");
    }
}

#[cfg(unix)]
#[test]
fn what_a_server_keeps_is_its_owners_alone() {
    use std::os::unix::fs::PermissionsExt as _;
    let server = Server::new("serve-files");
    for file in ["croupier.token", "croupier.key", "croupier.db", "croupier.db-wal", "croupier.db-shm"] {
        let mode = fs::metadata(server.folder.join(file)).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{file}");
    }
}

#[test]
fn what_cannot_be_done_is_refused_with_a_code_and_what_to_do() {
    let server = Server::new("serve-refusals");
    let operator = server.operator();
    let seats = json!({ "alice": { "kind": "agent", "agent": "random" }, "bob": { "kind": "agent", "agent": "random" } });
    let with = |field: &str, value: Value| {
        let mut asked = json!({ "game": "kuhn", "seats": seats });
        asked[field] = value;
        asked
    };
    for (asked, code) in [
        (with("game", json!("no-such-game")), "unknown-game"),
        (with("seats", json!({ "alice": { "kind": "agent", "agent": "random" } })), "bad-match"),
        (
            with(
                "seats",
                json!({ "alice": { "kind": "agent", "agent": "nobody" }, "bob": { "kind": "pull" } }),
            ),
            "bad-seat",
        ),
        (
            with(
                "seats",
                json!({ "alice": { "kind": "push", "address": "ftp://x" }, "bob": { "kind": "pull" } }),
            ),
            "bad-seat",
        ),
        (
            with(
                "seats",
                json!({ "alice": { "kind": "agent", "agent": "policy:/etc/passwd" }, "bob": { "kind": "pull" } }),
            ),
            "bad-seat",
        ),
        (with("play_clock_ms", json!(u64::MAX)), "bad-match"),
        (with("seed", json!("nonsense")), "bad-seed"),
        (with("surprise", json!(1)), "bad-json"),
        (json!({ "rules": "(role a", "seats": {} }), "bad-rules"),
    ] {
        let (status, body) = server.ask("POST", "/v1/matches", Some(&operator), Some(&asked));
        assert_eq!(status, 422, "{asked}: {body}");
        let problem: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(problem["code"], code, "{asked}: {body}");
    }
    let asked = with("game", json!("kuhn"));
    for (token, status) in [(None, 401), (Some("nonsense"), 403), (Some(&*operator), 201)] {
        assert_eq!(server.ask("POST", "/v1/matches", token, Some(&asked)).0, status);
    }
    for path in [
        "/nothing",
        "/v1/nothing",
        "/v1/matches/nothing",
        "/v1/games/nothing",
        "/v1/matches/nothing/seats/alice",
    ] {
        assert_eq!(server.ask("GET", path, None, None).0, 404, "{path}");
    }
    let findings = server.ask("POST", "/v1/games/check", None, None);
    assert_eq!(findings.0, 200, "{}", findings.1);
}

#[test]
fn a_player_at_an_address_is_called_and_one_inside_the_network_only_if_the_operator_says_so() {
    let mut agent = Command::new(BINARY)
        .args(["agent", "--player", "random", "--port", "0", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    BufReader::new(agent.stdout.take().unwrap()).read_line(&mut line).unwrap();
    let address = serde_json::from_str::<Value>(&line).unwrap()["address"].as_str().unwrap().to_owned();
    let server = Server::new("serve-push");
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": {
            "alice": { "kind": "push", "address": format!("http://{address}") },
            "bob": { "kind": "agent", "agent": "random" },
        },
    }));
    let id = made["id"].as_str().unwrap();
    assert_eq!(server.ended(id)["outcome"]["status"], "terminal");
    let record = server.record(id);
    agent.kill().unwrap();
    agent.wait().unwrap();
    let replies =
        record.lines().filter(|line| line.contains("\"event\":\"reply\"") && line.contains("alice"));
    let statuses: Vec<Value> =
        replies.map(|line| serde_json::from_str::<Value>(line).unwrap()["status"].clone()).collect();
    assert!(!statuses.is_empty() && statuses.iter().all(|status| status == "legal"), "{record}");
}

#[test]
fn a_seat_over_a_websocket_is_told_the_same_frames_as_by_long_poll() {
    let server = Server::new("serve-websocket");
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "first-legal" } },
        "seed": "3",
    }));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    let seat = format!("/v1/matches/{id}/seats/alice");
    let mut socket = Socket::connect(&server, &format!("{seat}/ws"), token);
    let (mut told, mut received) = (Vec::new(), Vec::new());
    while let Some(text) = socket.read() {
        let frame: Value = serde_json::from_str(&text).unwrap();
        match frame["type"].as_str().unwrap() {
            "start" => socket.say(&json!({ "type": "ready" })),
            "play" => {
                // Everything so far by the other way, in the middle of the match.
                let (status, body) = server.ask("GET", &format!("{seat}?after=0"), Some(token), None);
                assert_eq!(status, 200, "{body}");
                let polled: Value = serde_json::from_str(&body).unwrap();
                told.push(frame.clone());
                assert_eq!(polled["frames"].as_array().unwrap()[1..], told[..], "the same frames");
                let turn = frame["turn"].as_u64().unwrap();
                let own_move = if [2, 4].contains(&turn) { "pass" } else { "noop" };
                socket.say(&json!({ "type": "move", "turn": turn, "move": own_move }));
            }
            "received" => received.push(frame),
            "stop" => {}
            other => panic!("{other}: {text}"),
        }
    }
    assert!(told.len() >= 4, "{told:?}");
    let turns: Vec<&Value> = told.iter().map(|frame| &frame["turn"]).collect();
    assert_eq!(received[0], json!({ "type": "received", "of": "ready" }));
    assert!(received[1..].iter().all(|frame| frame["of"] == "move"), "{received:?}");
    assert_eq!(received[1..].iter().map(|frame| &frame["turn"]).collect::<Vec<_>>(), turns);
    let record = {
        server.ended(id);
        server.record(id)
    };
    let replies =
        record.lines().filter(|line| line.contains("\"event\":\"reply\"") && line.contains("alice"));
    assert!(replies.clone().count() >= 4 && replies.clone().all(|line| line.contains("legal")), "{record}");
}

#[test]
fn a_match_whose_player_cannot_be_reached_is_void_and_not_played_by_drawn_moves() {
    let server = Server::new("serve-absent");
    let nobody = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": {
            "alice": { "kind": "push", "address": format!("http://{nobody}") },
            "bob": { "kind": "agent", "agent": "random" },
        },
    }));
    let id = made["id"].as_str().unwrap();
    assert_eq!(server.ended(id)["outcome"]["status"], "void");
    assert!(server.record(id).contains("\"error\":\"connect_error\""));
}

#[test]
fn a_request_with_a_key_makes_one_match_however_often_it_comes() {
    let server = Server::new("serve-idempotent");
    let token = server.operator();
    let ask = |key: &str, seed: u64| {
        let url = server.url("/v1/matches");
        let request = server.agent.post(url).header("Authorization", format!("Bearer {token}"));
        let mut asked = between_agents("kuhn", seed, 5_000);
        asked["seats"]["alice"] = json!({ "kind": "pull" });
        let mut response = request.header("Idempotency-Key", key).send_json(asked).unwrap();
        (response.status().as_u16(), response.body_mut().read_json::<Value>().unwrap())
    };
    let first = ask("one", 1);
    assert_eq!(first.0, 201);
    assert_eq!(ask("one", 1), first, "the same answer, tokens and all");
    assert_ne!(ask("two", 1).1["id"], first.1["id"]);
    let (status, problem) = ask("one", 2);
    assert_eq!((status, &problem["code"]), (422, &json!("other-request")));
    let at_once: Vec<Value> = thread::scope(|scope| {
        let tasks: Vec<_> = (0..8).map(|_| scope.spawn(|| ask("three", 3).1["id"].clone())).collect();
        tasks.into_iter().map(|task| task.join().unwrap()).collect()
    });
    assert!(at_once.iter().all(|id| *id == at_once[0] && id.is_string()), "{at_once:?}");
    assert_eq!(server.get("/v1/matches")["matches"].as_array().unwrap().len(), 3);
}

#[test]
fn registered_players_uploaded_games_and_open_seats_are_found_by_name() {
    let server = Server::new("serve-people");
    let operator = server.operator();
    let put = server.ask("PUT", "/v1/organisers/club", Some(&operator), None);
    assert_eq!(put.0, 201, "{}", put.1);
    let organiser = serde_json::from_str::<Value>(&put.1).unwrap()["token"].as_str().unwrap().to_owned();
    let rules = fs::read_to_string("games-ii/kuhn/rules.gdl").unwrap();
    let upload = json!({ "name": "club-kuhn", "rules": rules });
    let (status, body) = server.ask("POST", "/v1/games", Some(&organiser), Some(&upload));
    assert_eq!(status, 201, "{body}");
    let other = json!({ "name": "club-kuhn", "rules": format!("{rules}\n(unused fact)") });
    assert_eq!(server.ask("POST", "/v1/games", Some(&organiser), Some(&other)).0, 409);
    let registered = server.ask("POST", "/v1/players", Some(&organiser), Some(&json!({ "name": "ann" })));
    assert_eq!(registered.0, 201, "{}", registered.1);
    let ann = serde_json::from_str::<Value>(&registered.1).unwrap()["token"].as_str().unwrap().to_owned();
    let nobody = json!({ "name": "nobody", "address": "http://127.0.0.1:1" });
    let (status, body) = server.ask("POST", "/v1/players", Some(&organiser), Some(&nobody));
    assert_eq!(status, 422, "{body}");
    assert!(body.contains("no-answer"), "{body}");
    let asked = json!({
        "game": "club-kuhn",
        "seats": { "alice": { "kind": "player", "player": "ann" }, "bob": { "kind": "open" } },
    });
    let (status, body) = server.ask("POST", "/v1/matches", Some(&organiser), Some(&asked));
    assert_eq!(status, 201, "{body}");
    let made: Value = serde_json::from_str(&body).unwrap();
    assert_eq!(made["tokens"], json!({}), "who has a token needs no other");
    let id = made["id"].as_str().unwrap();
    let seat = format!("/v1/matches/{id}/seats/bob/claim");
    let (status, body) = server.ask("POST", &seat, None, None);
    assert_eq!(status, 201, "{body}");
    let bob = serde_json::from_str::<Value>(&body).unwrap()["token"].as_str().unwrap().to_owned();
    assert_eq!(server.ask("POST", &seat, Some(&ann), None).0, 409, "one seat, one player");
    let joined = [("alice", &ann), ("bob", &bob)].map(|(role, token)| server.join(id, role, token, "random"));
    for join in joined {
        let output = join.wait_with_output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    server.ended(id);
    let of = |query: &str| server.get(&format!("/v1/matches?{query}"))["matches"].as_array().unwrap().len();
    assert_eq!(
        (of("player=ann"), of("game=club-kuhn&status=terminal"), of("player=bob"), of("game=kuhn")),
        (1, 1, 0, 0)
    );
    // What the seat was told is still there, for whoever sat in it.
    let (status, body) = server.ask("GET", &format!("/v1/matches/{id}/seats/alice"), Some(&ann), None);
    assert_eq!(status, 200, "{body}");
    let told: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&told["frames"][0]["type"], &told["over"]), (&json!("start"), &json!(true)));
    assert_eq!(told["frames"].as_array().unwrap().last().unwrap()["type"], "stop");
    assert_eq!(server.ask("GET", &format!("/v1/matches/{id}/seats/alice"), Some(&bob), None).0, 403);
    assert_eq!(server.ask("DELETE", "/v1/players/ann", Some(&organiser), None).0, 204);
    assert_eq!(server.ask("DELETE", "/v1/organisers/club", Some(&operator), None).0, 204);
    assert_eq!(server.ask("POST", "/v1/games", Some(&organiser), Some(&upload)).0, 403);
}
