//! Players, requests and rules that mean harm, at the edges of the real server: each is answered as it deserves, and nobody else
//! notices.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    fs,
    io::{Read as _, Write as _},
    net::{TcpListener, TcpStream},
    thread,
    time::{Duration, Instant},
};

use croupier_tests::fake::{Act, Fake, response};
use serde_json::{Value, json};

use crate::server::Server;

/// The clock, for how long something takes.
#[expect(clippy::disallowed_methods, reason = "tests measure what users wait for")]
fn now() -> Instant {
    Instant::now()
}

/// One turn in which both choose.
const CHOICE: &str = "(role alice) (role bob) (init open) (number 1) (number 2)
    (<= (legal ?p (pick ?n)) (role ?p) (number ?n)) (<= (next done) (true open)) (<= terminal (true done)) (goal alice 50) (goal bob 50)";

fn after_head(text: &str, bytes: usize) -> Vec<u8> {
    format!("HTTP/1.0 200 OK\r\nContent-Length: {bytes}\r\n\r\n{text}").into_bytes()
}

/// What a player does when it is asked for a move, and what the record says of it.
fn cases(trap: &str) -> Vec<(&'static str, Act, &'static str)> {
    let second = Duration::from_secs(1);
    let mut cases = vec![
        ("accepts and never answers", Act::Nothing, "timeout"),
        ("one byte a second", Act::Drip(response("(pick 1)"), second), "timeout"),
        (
            "a head without an end",
            Act::Drip(b"HTTP/1.0 200 OK\r\nX: y\r\n".repeat(99), second / 20),
            "timeout",
        ),
        ("a body without an end", Act::Flood(vec![b' '; 1 << 16]), "malformed"),
        ("a huge body", Act::Write(after_head("(pick 1)", 1 << 40)), "too_large"),
        (
            "a body that floods",
            Act::Write([b"HTTP/1.0 200 OK\r\n\r\n".to_vec(), vec![b'a'; 1 << 20]].concat()),
            "too_large",
        ),
        ("closes at once", Act::Write(Vec::new()), "closed"),
        ("closes early", Act::Write(after_head("(pick", 8)), "closed"),
        ("status 500", Act::Write(b"HTTP/1.0 500 No\r\n\r\n(pick 1)".to_vec()), "malformed"),
        ("no HTTP", Act::Write(b"(pick 1)\r\n\r\n".to_vec()), "malformed"),
        ("a number that is none", Act::Say("(pick 3)"), "illegal"),
        ("an empty body", Act::Say(""), "malformed"),
        ("an open list", Act::Say("(pick 1"), "malformed"),
        ("a variable", Act::Say("(pick ?n)"), "malformed"),
        ("a move before garbage", Act::Say("(PICK  2) (pick 1) ((("), "legal"),
        ("not UTF-8 after a move", Act::Write(b"HTTP/1.0 200 OK\r\n\r\n(pick 1) \xff\xfe".to_vec()), "legal"),
    ];
    for status in [301, 302, 303, 307, 308] {
        let redirect =
            format!("HTTP/1.1 {status} Elsewhere\r\nLocation: {trap}\r\nContent-Length: 0\r\n\r\n");
        cases.push(("a redirect", Act::Write(redirect.into_bytes()), "malformed"));
    }
    cases
}

/// Whoever connects here has been led astray.
fn trap() -> (String, TcpListener) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    listener.set_nonblocking(true).unwrap();
    (format!("http://{}/", listener.local_addr().unwrap()), listener)
}

/// The resident memory of the server, in mebibytes.
#[cfg(target_os = "linux")]
fn resident_mib(server: &Server) -> u64 {
    let status = fs::read_to_string(format!("/proc/{}/status", server.id())).unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_ascii_whitespace().nth(1).unwrap().parse::<u64>().unwrap() / 1024
}

#[test]
fn players_that_do_everything_wrong_are_substituted_in_time_and_lead_nowhere() {
    let server = Server::on("hostile-players", "croupier.db");
    let (place, trap) = trap();
    #[cfg(target_os = "linux")]
    let before = resident_mib(&server);
    let begun = now();
    let matches: Vec<_> = cases(&place)
        .into_iter()
        .map(|(name, act, status)| {
            let player = Fake::new(
                move |body| if body.starts_with("(PLAY") { act.clone() } else { Act::Say("READY") },
            );
            let made = server.create(&json!({
                "rules": CHOICE,
                "seats": {
                    "alice": { "kind": "push", "address": player.address },
                    "bob": { "kind": "agent", "agent": "first-legal" },
                },
                "play_clock_ms": 1_000,
            }));
            (name, made["id"].as_str().unwrap().to_owned(), status)
        })
        .collect();
    for (name, id, status) in &matches {
        let ended = server.ended(id);
        assert_eq!(ended["outcome"]["status"], "terminal", "{name}: {ended}");
        let substituted = if *status == "legal" { json!({}) } else { json!({ *status: 1 }) };
        assert_eq!(ended["outcome"]["conduct"]["alice"]["substituted"], substituted, "{name}");
        assert_eq!(ended["outcome"]["conduct"]["bob"]["substituted"], json!({}), "{name}");
    }
    // Clock and grace, and what a busy machine takes.
    assert!(begun.elapsed() < Duration::from_secs(12), "{:?}", begun.elapsed());
    assert!(trap.accept().is_err(), "a redirect was followed");
    #[cfg(target_os = "linux")]
    assert!(resident_mib(&server) < before + 64, "{before} MiB, and now {}", resident_mib(&server));
}

#[test]
fn what_is_said_for_another_seat_or_turn_or_with_another_token_changes_nothing() {
    let server = Server::on("hostile-forgery", "croupier.db");
    let pull = json!({ "kind": "pull" });
    let make = || {
        server.create(
            &json!({ "rules": CHOICE, "seats": { "alice": pull, "bob": pull }, "play_clock_ms": 30_000 }),
        )
    };
    let (one, two) = (make(), make());
    let [ours, theirs] = [&one, &two].map(|made| made["id"].as_str().unwrap().to_owned());
    let token = |made: &Value, role: &str| made["tokens"][role].as_str().unwrap().to_owned();
    let say = |id: &str, role: &str, token: &str, said: &Value| {
        server.ask("POST", &format!("/v1/matches/{id}/seats/{role}"), Some(token), Some(said)).0
    };
    let (alice, bob) = (token(&one, "alice"), token(&one, "bob"));
    thread::scope(|scope| {
        for (role, token) in [("alice", &alice), ("bob", &bob)] {
            let (server, ours) = (&server, &ours);
            scope.spawn(move || {
                server.ask("GET", &format!("/v1/matches/{ours}/seats/{role}"), Some(token), None)
            });
        }
    });
    let ready = json!({ "type": "ready" });
    let pick =
        |turn: u64, number: u64| json!({ "type": "move", "turn": turn, "move": format!("(pick {number})") });
    assert_eq!((say(&ours, "alice", &alice, &ready), say(&ours, "bob", &bob, &ready)), (204, 204));
    let (status, _) =
        server.ask("GET", &format!("/v1/matches/{ours}/seats/alice?after=1"), Some(&alice), None);
    assert_eq!(status, 200);
    for forged in [
        &bob,
        &token(&two, "alice"),
        &token(&two, "bob"),
        &server.operator(),
        &alice[1..].to_owned(),
        &format!("{alice}0"),
    ] {
        assert_eq!(say(&ours, "alice", forged, &pick(0, 2)), 403);
    }
    assert_eq!(say(&theirs, "alice", &alice, &ready), 403);
    // Another turn; then twice, and the same again: what was said first holds, and only that is acknowledged.
    for (said, status) in [
        (pick(1, 2), 409),
        (pick(u64::from(u32::MAX), 2), 409),
        (pick(0, 1), 204),
        (pick(0, 2), 409),
        (pick(0, 1), 204),
    ] {
        assert_eq!(say(&ours, "alice", &alice, &said), status, "{said}");
    }
    assert_eq!(say(&ours, "bob", &bob, &pick(0, 1)), 204);
    assert_eq!(server.ended(&ours)["outcome"]["status"], "terminal");
    let record = server.record(&ours);
    let turn = record.lines().find(|line| line.contains("\"event\":\"turn\"")).unwrap();
    assert_eq!(
        serde_json::from_str::<Value>(turn).unwrap()["moves"],
        json!({ "alice": "(pick 1)", "bob": "(pick 1)" }),
        "{record}"
    );
}

/// Texts that do harm where somebody forgets what they are.
const PAYLOADS: &[&str] = &[
    "<script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "'; DROP TABLE match; --",
    "1 OR 1=1",
    "../../etc/passwd",
    "..%2f..%2fetc%2fpasswd",
    "%00",
    "\u{0}",
    "\u{202e}gpj.exe",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "\r\nSet-Cookie: a=b",
    "%0d%0aX: y",
    "$(id)",
    "`id`",
    "|id",
    "\u{feff}a",
    "a\u{301}",
    "",
    " ",
    ".",
    "..",
    "-",
    "con",
    "a/b",
    "a\\b",
    "\n[ERROR] forged",
];

#[test]
fn payloads_are_refused_or_come_back_as_the_text_that_they_are() {
    let server = Server::on("hostile-payloads", "croupier.db");
    let operator = server.operator();
    let mut told = String::new();
    for &payload in PAYLOADS {
        for (path, body) in [
            ("/v1/players", json!({ "name": payload })),
            ("/v1/games", json!({ "name": payload, "rules": CHOICE })),
            ("/v1/matches", json!({ "game": payload, "seats": {} })),
            (
                "/v1/matches",
                json!({ "rules": CHOICE, "seats": { "alice": { "kind": "agent", "agent": payload }, "bob": { "kind": "open" } } }),
            ),
            ("/v1/matches", json!({ "rules": CHOICE, "seats": { payload: { "kind": "open" } } })),
        ] {
            let (status, text) = server.ask("POST", path, Some(&operator), Some(&body));
            if (path, payload) == ("/v1/players", "con") || (path, payload) == ("/v1/games", "con") {
                assert_eq!(status, 201, "a name like another: {text}");
                continue;
            }
            let refused = if payload.contains('\0') { 400 } else { 422 };
            assert_eq!(status, refused, "{path} {body}: {text}");
            serde_json::from_str::<Value>(&text).unwrap_or_else(|_| panic!("{path} {body}: {text}"));
        }
        let quoted: String = payload.bytes().map(|byte| format!("%{byte:02x}")).collect();
        for path in [
            "/v1/matches/",
            "/v1/games/",
            "/v1/players/",
            "/v1/matches?player=",
            "/v1/matches?before=",
            "/docs/",
        ] {
            let (status, text) = server.ask("GET", &format!("{path}{quoted}"), Some(&operator), None);
            assert!(status < 500 && !text.contains("root:"), "{path}{payload}: {status} {text}");
            told.push_str(&text);
        }
    }
    let log = fs::read_to_string(server.folder.join("log")).unwrap();
    assert!(!log.lines().any(|line| line.starts_with("[ERROR] forged")), "{log}");
    assert!(!told.contains("panicked"));
    assert_eq!(server.get("/v1/matches")["matches"], json!([]));
}

#[test]
fn rules_that_explode_are_refused_within_seconds_while_others_play() {
    let server = Server::on("hostile-rules", "croupier.db");
    let constants: String = (0..200).map(|number| format!("(c {number})")).collect();
    let join = |ways: usize| {
        let variables: Vec<String> = (0..ways).map(|way| format!("?x{way}")).collect();
        let body: String = variables.iter().map(|variable| format!("(c {variable})")).collect();
        format!(
            "(role a) (role b) {constants} (<= (big {}) {body}) (<= (legal ?r m) (role ?r) (big {})) (goal a 0) (goal b 0) terminal",
            variables.join(" "),
            "1 ".repeat(ways)
        )
    };
    let bombs = [
        "(".repeat(1 << 20),
        format!("(role a) (init {}a{})", "(f ".repeat(200_000), ")".repeat(200_000)),
        join(3),
        join(6),
        join(12),
        "(role a) (init (n z)) (<= (next (n (s ?x))) (true (n ?x))) (legal a m) (goal a 0) (<= terminal (true never))".to_owned(),
        format!("(role {})", "a".repeat(1 << 20)),
        "\u{feff}(role a)".to_owned(),
    ];
    thread::scope(|scope| {
        for bomb in &bombs {
            let server = &server;
            scope.spawn(move || {
                let begun = now();
                let (status, text) = server.ask_text("POST", "/v1/games/check", bomb);
                assert_eq!(status, 200, "{text}");
                assert!(begun.elapsed() < Duration::from_secs(30), "{:?}", begun.elapsed());
            });
        }
        let made = server.create(&crate::serve::between_agents("kuhn", 1, 5_000));
        assert_eq!(server.ended(made["id"].as_str().unwrap())["outcome"]["status"], "terminal");
    });
    let (status, _) = server.ask_text("POST", "/v1/games/check", &"a".repeat(8 << 20));
    assert_eq!(status, 413, "a body has a limit");
}

/// The processor time of the server so far, in hundredths of a second.
fn taken(server: &Server) -> u64 {
    let stat = fs::read_to_string(format!("/proc/{}/stat", server.id())).unwrap();
    let after_name = stat.rsplit_once(')').unwrap().1;
    let fields: Vec<u64> = after_name.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    fields[10] + fields[11]
}

#[test]
fn two_posts_of_49_kb_do_not_keep_the_checking_slots_busy() {
    let server = Server::on("hostile-checks", "croupier.db");
    let wide: String = (0..5_000).map(|number| format!("(c ?x{number})")).collect();
    let wide = format!("(role a) (c 1) (<= (legal a m) {wide}) (<= (goal a 0) (c 1)) (<= terminal (c 1))");
    let roles: String = (0..20_000).map(|number| format!("(role r{number})")).collect();
    let roles = format!(
        "{roles} (init s) (<= (legal ?r m) (role ?r)) (<= (goal ?r 0) (role ?r)) (<= terminal (true s))"
    );
    // Anybody may have a small game checked, and nothing larger.
    for large in [&wide, &roles] {
        let (status, text) = server.ask_raw("/v1/games/check", large);
        assert_eq!(status, 401, "{text}");
    }
    let (status, text) = server.ask_raw("/v1/games/check", "(role a)");
    assert_eq!(status, 200, "{text}");
    let before = taken(&server);
    for (large, limit) in [
        (&wide, "literals in one body for `legal`: limit 256"),
        (&wide, "limit 256"),
        (&roles, "roles: limit 256"),
    ] {
        let (status, text) = server.ask_text("POST", "/v1/games/check", large);
        assert_eq!(status, 200, "{text}");
        assert!(text.contains(limit) && text.contains("\"playable\":false"), "{text}");
    }
    // Processor time of the whole server, in hundredths of a second: it took minutes.
    let taken = taken(&server) - before;
    assert!(taken < 500, "{taken}");
}

#[test]
fn sockets_that_are_half_open_and_requests_that_are_none_keep_nobody_waiting() {
    let server = Server::on("hostile-sockets", "croupier.db");
    let connect = || TcpStream::connect(&server.address).unwrap();
    let _silent: Vec<TcpStream> = (0..200).map(|_| connect()).collect();
    let mut half: Vec<TcpStream> = (0..200).map(|_| connect()).collect();
    for stream in &mut half {
        stream
            .write_all(b"POST /v1/games/check HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n(role")
            .unwrap();
    }
    let begun = now();
    assert_eq!(server.get("/v1/health")["status"], "ok");
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
    for request in [
        &b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"[..],
        b"GET /v1 HTTP/9.9\r\n\r\n",
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET /v1/health HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
        b"\0\0\0\0",
    ] {
        let mut stream = connect();
        stream.set_read_timeout(Some(Duration::from_secs(20))).unwrap();
        stream.write_all(request).unwrap();
        let mut answer = [0; 12];
        let read = stream.read(&mut answer).unwrap_or(0);
        assert!(!answer[..read].starts_with(b"HTTP/1.1 200") && !answer[..read].starts_with(b"HTTP/1.1 5"), "{:?}", String::from_utf8_lossy(&answer));
    }
    assert_eq!(server.get("/v1/health")["status"], "ok");
}
