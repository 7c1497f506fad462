//! What trials from outside found false, leaking or fragile in the server, tried again as they tried it.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    fmt::Write as _,
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    path::Path,
    process::{Command, Stdio},
    thread,
    time::Duration,
};

use croupier_tests::postgres::empty_database;
use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _, SqliteConnection};

use crate::{
    operation::raw,
    server::{BINARY, PATIENCE, Server, Socket},
};

const PAUSE: Duration = Duration::from_millis(20);

/// Waits for something that comes in the end.
fn wait_for<T>(what: &str, mut found: impl FnMut() -> Option<T>) -> T {
    for _ in 0..PATIENCE.as_millis() / PAUSE.as_millis() {
        if let Some(found) = found() {
            return found;
        }
        thread::sleep(PAUSE);
    }
    panic!("{what} did not come in a minute")
}

/// A match that waits for both of its players, with one more field.
fn waiting(field: &str, value: Value) -> Value {
    let mut asked =
        json!({ "game": "kuhn", "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "pull" } } });
    asked[field] = value;
    asked
}

fn code(body: &str) -> String {
    let problem: Value = serde_json::from_str(body).unwrap_or_else(|_| panic!("no problem: {body}"));
    problem["code"].as_str().unwrap().to_owned()
}

#[test]
fn no_number_panics_and_no_match_stays_that_nothing_ends() {
    let server = Server::new("promises-numbers");
    let operator = server.operator();
    let far = 1_u64 << 63;
    for (key, values) in [
        ("join_s", vec![json!(far), json!(u64::MAX), json!(-1), json!(1.5), json!(604_801)]),
        ("start_clock_ms", vec![json!(far), json!(u64::MAX), json!(604_800_001)]),
        ("play_clock_ms", vec![json!(far), json!(u64::MAX), json!(604_800_001)]),
        ("spectators", vec![json!({ "delayed": { "turns": far, "seconds": 1 } })]),
        ("tick_us", vec![json!(0), json!(far), json!(u64::MAX)]),
        ("time_max_us", vec![json!(0), json!(far), json!(u64::MAX)]),
        ("speed_permille", vec![json!(0), json!(far), json!(1_000_001)]),
    ] {
        for value in values {
            let (status, body) =
                server.ask("POST", "/v1/matches", Some(&operator), Some(&waiting(key, value.clone())));
            assert_eq!(status, 422, "{key} {value}: {body}");
            let is_named = body.contains(&format!("`{key}`")) || code(&body) == "bad-json";
            assert!(is_named, "{key} {value}: {body}");
        }
    }
    let entrants = ["random", "first-legal"].map(|agent| json!({ "kind": "agent", "agent": agent }));
    for key in ["join_s", "start_clock_ms", "play_clock_ms", "matches", "matches_at_once"] {
        let mut asked = json!({ "name": "t", "game": "kuhn", "entrants": entrants });
        asked[key] = json!(far);
        let (status, body) = server.ask("POST", "/v1/tournaments", Some(&operator), Some(&asked));
        assert_eq!((status, body.contains(key)), (422, true), "{key}: {body}");
    }
    for path in ["/v1/matches?count=0", "/v1/matches?count=4294967295", "/v1/matches?before=-1-x"] {
        assert!(server.ask("GET", path, None, None).0 < 500, "{path}");
    }
    assert_eq!(server.get("/v1/matches")["matches"], json!([]), "nothing was stored of what was refused");
    assert!(!server.log().contains("panicked"), "{}", server.log());
    // The longest that is allowed.
    server.create(&waiting("join_s", json!(604_800)));
    assert_eq!(server.get("/v1/ready")["status"], "ready");
}

/// Something that is stored as a match and cannot be launched, as a server that panicked left it.
#[test]
fn a_stored_match_that_cannot_be_launched_can_be_ended() {
    let server = Server::new("promises-ghost");
    let made = server.create(&waiting("join_s", json!(600)));
    let id = made["id"].as_str().unwrap().to_owned();
    let file = server.folder.join("croupier.db");
    let left = server.kill();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut store = SqliteConnection::connect(&format!("sqlite:{}", file.display())).await.unwrap();
        store.execute("UPDATE match SET setup = '{}'").await.unwrap();
        store.close().await.unwrap();
    });
    let server = Server::again(left);
    let path = format!("/v1/matches/{id}");
    assert_eq!(server.get(&path)["outcome"], Value::Null);
    let (status, body) = server.ask("DELETE", &path, Some(&server.operator()), None);
    assert_eq!(status, 202, "{body}");
    assert_eq!(server.ended(&id)["outcome"]["status"], "aborted");
}

#[test]
fn a_text_with_the_character_nul_is_refused_in_one_place_on_both_stores() {
    for store in ["croupier.db".to_owned()].into_iter().chain(empty_database()) {
        let name =
            if store.starts_with("postgres") { "promises-nul-postgres" } else { "promises-nul-sqlite" };
        let server = Server::on(name, &store);
        let operator = server.operator();
        for path in [
            "/v1/games/%00",
            "/v1/matches/%00",
            "/v1/players/a%00b",
            "/v1/tournaments/%00",
            "/v1/matches?player=%00",
            "/v1/matches?game=a%00&status=%00",
            "/v1/ratings?game=%00",
            "/v1/players?after=%00",
            "/v1/matches/%00/seats/alice",
            "/v1/nothing/%00",
        ] {
            let (status, body) = server.ask("GET", path, Some(&operator), None);
            assert_eq!((status, code(&body).as_str()), (400, "bad-text"), "{path}: {body}");
        }
        for (path, body) in [
            ("/v1/matches", json!({ "game": "a\0", "seats": {} })),
            ("/v1/matches", json!({ "rules": "(role a)\0", "seats": {} })),
            (
                "/v1/matches",
                json!({ "game": "kuhn", "seats": { "alice": { "kind": "player", "player": "\0" } } }),
            ),
            ("/v1/games", json!({ "name": "a", "rules": "(role \0a)" })),
            ("/v1/players", json!({ "name": "a", "address": "http://\0" })),
            ("/v1/tournaments", json!({ "name": "\0", "game": "kuhn", "entrants": [] })),
        ] {
            let (status, text) = server.ask("POST", path, Some(&operator), Some(&body));
            assert_eq!((status, code(&text).as_str()), (400, "bad-text"), "{path} {body}: {text}");
        }
        assert!(!server.log().contains("ERROR"), "{}", server.log());
    }
}

/// Rules of a game in which chance hides a state that takes long to compute, or one that does not.
fn uneven() -> String {
    let mut rules = String::from(
        "(role ann) (role ben) (role random) (init (at 0)) (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
         (<= (next (at ?m)) (true (at ?n)) (succ ?n ?m)) (<= terminal (true (at 4))) (<= (goal ?r 50) (player ?r))
         (player ann) (player ben) (<= (legal ?r wait) (player ?r))
         (<= (legal random heavy) (true (at 0))) (<= (legal random light) (true (at 0)))
         (<= (legal random noop) (not (true (at 0))))
         (<= (next (v ?a ?b)) (does random heavy) (number ?a) (number ?b)) (<= (next (v ?a ?b)) (true (v ?a ?b)))
         (<= (sees ann told) (true (at 1)))",
    );
    (0..250).for_each(|number| write!(rules, "(number n{number})").unwrap());
    rules
}

#[test]
fn the_first_padded_match_of_a_game_waits_for_the_slowest_secret_state_already() {
    let server = Server::new("promises-padded");
    let operator = server.operator();
    let upload = json!({ "name": "uneven", "rules": uneven() });
    let (status, body) = server.ask("POST", "/v1/games", Some(&operator), Some(&upload));
    assert_eq!(status, 201, "{body}");
    let agent = json!({ "kind": "agent", "agent": "first-legal" });
    let asked = json!({ "game": "uneven", "seats": { "ann": agent, "ben": agent }, "play_clock_ms": 20_000 });
    let steps = |server: &Server, count: usize| {
        let made = server.create(&asked);
        server.ended(made["id"].as_str().unwrap());
        wait_for("the end of a match in the log", || {
            let log = server.log();
            let steps: Vec<u64> = log
                .lines()
                .filter_map(|line| line.split("step_us=").nth(1)?.split_whitespace().next()?.parse().ok())
                .collect();
            (steps.len() == count).then_some(steps)
        })
    };
    // A slow machine makes it longer; the shortest is that of a game of which nothing is known.
    let first = steps(&server, 1)[0];
    assert!(first > 8_000, "the first match has the step of a game that was never measured: {first} us");
    assert_eq!(server.log().matches("a game was measured").count(), 1);
    let server = Server::again(server.kill());
    let again = steps(&server, 2)[1];
    assert!(again > 8_000, "{again} us after a restart");
    let measured: Vec<String> = server
        .log()
        .lines()
        .filter(|line| line.contains("a game was measured"))
        .map(|line| line.split("turn_us=").nth(1).unwrap().to_owned())
        .collect();
    assert_eq!(measured[0], measured[1], "what was measured is kept");
}

#[test]
fn one_client_gets_few_open_seats_and_a_claim_with_its_key_gets_the_same_token_again() {
    for store in ["croupier.db".to_owned()].into_iter().chain(empty_database()) {
        let name =
            if store.starts_with("postgres") { "promises-seats-postgres" } else { "promises-seats-sqlite" };
        let server = Server::with(name, &["--store", &store, "--open-seats", "3", "--behind-proxy"]);
        let operator = server.operator();
        let open = json!({ "kind": "open" });
        let ids: Vec<String> = (0..6)
            .map(|_| {
                let made = server.create(&json!({ "game": "kuhn", "seats": { "alice": open, "bob": open } }));
                made["id"].as_str().unwrap().to_owned()
            })
            .collect();
        let claim = |id: &str, role: &str, from: &str, token: Option<&str>, key: Option<&str>| {
            let url = server.url(&format!("/v1/matches/{id}/seats/{role}/claim"));
            let mut request = server.agent.post(url).header("X-Forwarded-For", from);
            if let Some(token) = token {
                request = request.header("Authorization", format!("Bearer {token}"));
            }
            if let Some(key) = key {
                request = request.header("Idempotency-Key", key);
            }
            let mut response = request.send_empty().unwrap();
            (response.status().as_u16(), response.body_mut().read_to_string().unwrap())
        };
        let (one, other) = ("192.0.2.1", "192.0.2.2");
        let first = claim(&ids[0], "alice", one, None, Some("k"));
        assert_eq!(first.0, 201, "{first:?}");
        for _ in 0..3 {
            assert_eq!(claim(&ids[0], "alice", one, None, Some("k")), first, "the same token");
        }
        assert_eq!(claim(&ids[0], "alice", one, None, Some("l")).0, 409, "another request");
        assert_eq!(claim(&ids[0], "alice", one, None, None).0, 409, "a request without a name");
        assert_eq!(claim(&ids[0], "alice", other, None, Some("k")).0, 409, "another client");
        assert_eq!(claim(&ids[1], "alice", one, None, None).0, 201);
        // A token that is nobody's makes nobody else of them.
        assert_eq!(claim(&ids[2], "alice", one, Some("made-up"), None).0, 201);
        for token in [None, Some("made-up"), Some("another")] {
            let (status, body) = claim(&ids[3], "alice", one, token, None);
            assert_eq!((status, code(&body).as_str()), (409, "too-many-seats"), "{body}");
        }
        assert_eq!(claim(&ids[3], "alice", other, None, None).0, 201, "others are not concerned");
        let (_, ann) = server.ask("POST", "/v1/players", Some(&operator), Some(&json!({ "name": "ann" })));
        let ann = serde_json::from_str::<Value>(&ann).unwrap()["token"].as_str().unwrap().to_owned();
        let seats = |from: &str| -> Vec<u16> {
            ids.iter().map(|id| claim(id, "bob", from, Some(&ann), None).0).collect()
        };
        assert_eq!(seats(one), [201, 201, 201, 409, 409, 409], "a player has as many, wherever it is");
        assert_eq!(seats(other), [409; 6]);
        // What is over counts no more.
        assert_eq!(server.ask("DELETE", &format!("/v1/matches/{}", ids[1]), Some(&operator), None).0, 202);
        server.ended(&ids[1]);
        assert_eq!(claim(&ids[4], "alice", one, None, None).0, 201);
    }
}

#[test]
fn a_match_that_never_began_has_a_record_that_says_so_and_verifies() {
    let server = Server::new("promises-unbegun");
    let made = server.create(&waiting("join_s", json!(1)));
    let id = made["id"].as_str().unwrap();
    assert_eq!(server.ended(id)["outcome"]["status"], "aborted");
    let record = server.record(id);
    let events: Vec<Value> =
        record.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["event"].clone()).collect();
    assert_eq!(events, ["genesis", "end", "reveal", "seal"], "{record}");
    assert!(record.contains(made["commitment"].as_str().unwrap()));
    let checker = crate::program("promises-unbegun-check");
    let file = checker.file("m.jsonl", &record);
    let key = server.get("/v1/key")["public_key"].as_str().unwrap().to_owned();
    assert!(checker.output(&["replay", &file, "--verify", "--signed-by", &key]).contains("OK"));
}

/// HEAD is GET without the body.
fn heads_are_those_of_get(server: &Server) {
    for path in ["/v1/health", "/v1/games/kuhn", "/v1/nothing", "/openapi.json", "/v1/matches"] {
        let ask = |method: &str| {
            raw(server, &format!("{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
        };
        let (head, get) = (ask("HEAD"), ask("GET"));
        let fields = |answer: &str| {
            let head = answer.split("\r\n\r\n").next().unwrap().to_lowercase();
            let mut fields: Vec<String> =
                head.lines().filter(|line| !line.starts_with("date:")).map(str::to_owned).collect();
            fields.sort();
            fields
        };
        assert_eq!(fields(&head), fields(&get), "{path}");
        assert!(head.ends_with("\r\n\r\n") && !get.ends_with("\r\n\r\n"), "{path}: {head}");
    }
}

/// Everything small about one running server: each claim with its own words.
#[test]
fn a_server_answers_head_names_keys_counts_itself_and_shows_a_finished_seat_over_a_websocket() {
    let server = Server::with("promises-edge", &["--open-metrics", "--log", "debug"]);
    // Metrics are there from the start.
    let (_, metrics) = server.ask("GET", "/v1/metrics", None, None);
    for line in ["croupier_matches{status=\"waiting\"} 0", "croupier_matches{status=\"running\"} 0"] {
        assert!(metrics.contains(line), "{line}: {metrics}");
    }
    #[cfg(target_os = "linux")]
    for name in [
        "process_cpu_seconds_total",
        "process_resident_memory_bytes",
        "process_virtual_memory_bytes",
        "process_open_fds",
        "process_max_fds",
        "process_threads",
        "process_start_time_seconds",
    ] {
        let line = metrics.lines().find(|line| line.starts_with(&format!("{name} ")));
        let value: f64 =
            line.unwrap_or_else(|| panic!("{name}: {metrics}")).rsplit(' ').next().unwrap().parse().unwrap();
        assert!(value > 0.0 || name == "process_cpu_seconds_total", "{name}");
    }
    assert_eq!(metrics.matches("# EOF").count(), 1);
    heads_are_those_of_get(&server);
    let refused =
        raw(&server, "POST /v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nConnection: close\r\n\r\n");
    assert!(refused.to_lowercase().contains("allow: get, head"), "{refused}");
    // A key that is none is named, with the near one.
    for (path, word) in [
        ("/v1/matches?playr=ann", "`player`"),
        ("/v1/matches?count=many", "`count`"),
        ("/v1/ratings?game=kuhn&system=elo", "`system`"),
        ("/v1/ratings", "`game`"),
        ("/v1/health?verbose=1", "`verbose`"),
        ("/v1/tournaments?before=1-x&limit=3", "`limit`"),
    ] {
        let (status, body) = server.ask("GET", path, None, None);
        assert_eq!(
            (status, code(&body).as_str(), body.contains(word)),
            (400, "bad-query", true),
            "{path}: {body}"
        );
    }
    // A WebSocket after the end gets every frame, the last of which says stop.
    let agent = json!({ "kind": "agent", "agent": "random" });
    let made =
        server.create(&json!({ "game": "kuhn", "seats": { "alice": { "kind": "pull" }, "bob": agent } }));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    assert!(server.join(id, "alice", token, "random").wait().unwrap().success());
    server.ended(id);
    let seat = format!("/v1/matches/{id}/seats/alice");
    let polled = wait_for("the frames of a match that is over", || {
        let (status, body) = server.ask("GET", &seat, Some(token), None);
        (status == 200).then(|| serde_json::from_str::<Value>(&body).unwrap()["frames"].clone())
    });
    let mut socket = Socket::connect(&server, &format!("{seat}/ws"), token);
    let told: Vec<Value> =
        std::iter::from_fn(|| socket.read()).map(|text| serde_json::from_str(&text).unwrap()).collect();
    assert_eq!((&Value::Array(told.clone()), &told.last().unwrap()["type"]), (&polled, &json!("stop")));
}

/// How much one can make the log grow: what is no request is refused before it is logged.
#[test]
fn requests_that_are_none_fill_no_log() {
    let server = Server::with("promises-malformed", &["--log", "info"]);
    for _ in 0..2_000 {
        let Ok(mut stream) = TcpStream::connect(&server.address) else { continue };
        let _ = stream.write_all(b"\x16\x03\x01 nonsense\r\n\r\n");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
    }
    let bytes = server.log().len();
    assert!(bytes < 60_000, "{bytes} bytes of log for 2,000 requests that are none");
    // A moment later it is heard.
    let health = server.url("/v1/health");
    wait_for("an answer", || server.agent.get(&health).call().ok().filter(|answer| answer.status() == 200));
}

#[test]
fn an_address_that_others_reach_without_encryption_warns_and_after_a_resume_the_turns_are_there() {
    let server = Server::with("promises-open-door", &["--address", "0.0.0.0"]);
    assert!(server.log().contains("nothing is encrypted"), "{}", server.log());
    drop(server);
    let server = Server::new("promises-resume");
    assert!(!server.log().contains("nothing is encrypted"), "{}", server.log());
    let pull = json!({ "kind": "pull" });
    let asked = json!({ "game": "kuhn", "seats": { "alice": pull, "bob": { "kind": "agent", "agent": "random" } }, "play_clock_ms": 60_000 });
    let made = server.create(&asked);
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    let seat = format!("/v1/matches/{id}/seats/alice");
    let say = |said: &Value| assert_eq!(server.ask("POST", &seat, Some(token), Some(said)).0, 204);
    for (after, said) in [
        (0, json!({ "type": "ready" })),
        (1, json!({ "type": "move", "turn": 0, "move": "noop" })),
        (2, json!({ "type": "move", "turn": 1, "move": "noop" })),
    ] {
        assert_eq!(server.ask("GET", &format!("{seat}?after={after}"), Some(token), None).0, 200);
        say(&said);
    }
    assert_eq!(server.ask("GET", &format!("{seat}?after=3"), Some(token), None).0, 200);
    let turns = |server: &Server| server.get(&format!("/v1/matches/{id}"))["turns"].clone();
    assert_eq!(turns(&server), 2);
    let server = Server::again(server.kill());
    assert_eq!((server.resumed, turns(&server)), (1, json!(2)));
}

/// A server as a process whose end is looked at.
fn serve(folder: &Path, store: &str, port: &str) -> std::process::Child {
    let log = fs::OpenOptions::new().create(true).append(true).open(folder.join("log")).unwrap();
    Command::new(BINARY)
        .args(["serve", "--json", "--port", port, "--store", store])
        .current_dir(folder)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log)
        .spawn()
        .unwrap()
}

fn emptied(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn a_corrupt_store_is_named_at_once_and_the_signal_to_stop_ends_the_wait_for_a_database() {
    let folder = emptied("promises-corrupt");
    fs::write(folder.join("croupier.db"), "this is no database\n".repeat(500)).unwrap();
    let ended = serve(&folder, "croupier.db", "0").wait().unwrap();
    let log = fs::read_to_string(folder.join("log")).unwrap();
    assert_eq!(ended.code(), Some(2), "{log}");
    assert!(log.contains("not a database") && !log.contains("timed out"), "{log}");
    // Nothing listens there.
    let folder = emptied("promises-no-database");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let mut process = serve(&folder, &format!("postgres://nobody@127.0.0.1:{port}/nothing"), "0");
    wait_for("the wait", || {
        fs::read_to_string(folder.join("log")).unwrap().contains("does not answer yet").then_some(())
    });
    Command::new("kill").args(["-TERM", &process.id().to_string()]).status().unwrap();
    assert_eq!(process.wait().unwrap().code(), Some(130));
}

/// A disk of its own that can be full, for as long as this value exists.
#[cfg(target_os = "linux")]
struct Disk(std::path::PathBuf);

#[cfg(target_os = "linux")]
impl Disk {
    fn new(name: &str) -> Option<Self> {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let mount = |word: &str, rest: &[&str]| {
            let output = Command::new(word).args(rest).arg(&folder).stderr(Stdio::null()).status();
            output.is_ok_and(|status| status.success())
        };
        mount("umount", &[]);
        fs::create_dir_all(&folder).unwrap();
        mount("mount", &["-t", "tmpfs", "-o", "size=4m", "tmpfs"]).then_some(Self(folder))
    }

    fn fill(&self) {
        let mut file = fs::File::create(self.0.join("filler")).unwrap();
        while file.write_all(&[1; 1024]).is_ok() {}
    }

    fn free(&self) {
        fs::remove_file(self.0.join("filler")).unwrap();
    }
}

#[cfg(target_os = "linux")]
impl Drop for Disk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("--lazy").arg(&self.0).status();
    }
}

#[cfg(target_os = "linux")]
#[test]
fn with_a_full_disk_the_server_starts_says_503_and_goes_on_when_there_is_room() {
    let Some(disk) = Disk::new("promises-disk") else {
        croupier_tests::skipped("no disk can be mounted here");
        return;
    };
    let store = disk.0.join("croupier.db");
    let folder = emptied("promises-full");
    let port = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let agent: ureq::Agent = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .timeout_global(Some(PATIENCE))
        .build()
        .into();
    let ask = |path: &str, body: Option<&Value>| -> Option<(u16, String, bool)> {
        let url = format!("http://127.0.0.1:{port}{path}");
        let token = fs::read_to_string(folder.join("croupier.token")).unwrap_or_default();
        let mut answer = match body {
            None => agent.get(url).call().ok()?,
            Some(body) => {
                let request = agent.post(url).header("Authorization", format!("Bearer {}", token.trim()));
                request.send_json(body).ok()?
            }
        };
        let retries = answer.headers().contains_key("Retry-After");
        Some((answer.status().as_u16(), answer.body_mut().read_to_string().ok()?, retries))
    };
    let until = |path: &str, status: u16| {
        wait_for(&format!("{status} at {path}"), || ask(path, None).filter(|answer| answer.0 == status))
    };
    let store = store.to_str().unwrap();
    // It fills up while the server runs.
    let mut process = serve(&folder, store, &port.to_string());
    until("/v1/ready", 200);
    disk.fill();
    let agents = json!({ "kind": "agent", "agent": "random" });
    // What is left of the log of the store takes some matches more.
    let big = json!({ "game": "kuhn", "seats": { "alice": agents, "bob": agents } });
    let refused = wait_for("a match that is refused", || {
        ask("/v1/matches", Some(&big)).filter(|answer| answer.0 != 201)
    });
    assert_eq!((refused.0, code(&refused.1).as_str(), refused.2), (503, "store", true), "{refused:?}");
    let ready = until("/v1/ready", 503);
    assert!(ready.2, "{ready:?}");
    process.kill().unwrap();
    process.wait().unwrap();
    // It starts with a full disk.
    let mut process = serve(&folder, store, &port.to_string());
    for path in ["/v1/ready", "/v1/matches", "/v1/health"] {
        let (_, body, retries) = until(path, 503);
        assert!(retries && code(&body) == "store", "{path}: {body}");
    }
    disk.free();
    until("/v1/ready", 200);
    let made = wait_for("a match", || ask("/v1/matches", Some(&big)).filter(|answer| answer.0 == 201));
    let id = serde_json::from_str::<Value>(&made.1).unwrap()["id"].as_str().unwrap().to_owned();
    wait_for("its end", || {
        let shown = ask(&format!("/v1/matches/{id}"), None)?;
        serde_json::from_str::<Value>(&shown.1).ok()?["outcome"].is_object().then_some(())
    });
    process.kill().unwrap();
    process.wait().unwrap();
}
