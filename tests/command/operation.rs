//! A server as whoever runs it meets it: its settings, its limits, its end, its certificate, its numbers and its log.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    net::TcpStream,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use serde_json::{Value, json};
use ureq::Agent;

use crate::{
    program,
    server::{BINARY, PATIENCE, Server, Socket},
};

#[expect(clippy::disallowed_methods, reason = "a test measures how long a server takes")]
fn now() -> Instant {
    Instant::now()
}

/// A match that waits for alice and whose every clock is long.
fn waiting(game: &str) -> Value {
    json!({
        "game": game,
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "random" } },
        "play_clock_ms": 60_000,
        "start_clock_ms": 60_000,
        "seed": "3",
    })
}

/// What a server answers to bytes, up to its end or to this much patience.
pub(crate) fn raw(server: &Server, request: &str) -> String {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = Vec::new();
    // A connection that the server resets has said what it said.
    let _ = stream.read_to_end(&mut answer);
    String::from_utf8_lossy(&answer).into_owned()
}

/// What `--print-config` prints with these variables and options.
fn settled(folder: &std::path::Path, variables: &[(&str, &str)], options: &[&str]) -> (bool, String) {
    let mut command = Command::new(BINARY);
    command.args(["serve", "--print-config"]).args(options).current_dir(folder);
    let output = command.envs(variables.iter().copied()).output().unwrap();
    let text = if output.status.success() { output.stdout } else { output.stderr };
    (output.status.success(), String::from_utf8(text).unwrap())
}

#[test]
fn the_command_line_wins_over_the_environment_and_that_over_the_file_and_that_over_the_defaults() {
    let checker = program("operation-config");
    let file = checker.file("croupier.toml", "port = 1\nmatches = 1\nallow_private = true\n");
    let folder = std::path::Path::new(&file).parent().unwrap();
    let (is_good, text) =
        settled(folder, &[("CROUPIER_PORT", "2"), ("CROUPIER_THREADS", "2")], &["--threads", "3"]);
    assert!(is_good, "{text}");
    for (line, origin) in [
        ("threads = 3", "command line"),
        ("port = 2", "CROUPIER_PORT"),
        ("matches = 1", "croupier.toml"),
        ("allow_private = true", "croupier.toml"),
        ("address = \"127.0.0.1\"", "default"),
    ] {
        let has = text.lines().any(|shown| shown.starts_with(&format!("{line} ")) && shown.ends_with(origin));
        assert!(has, "{line} from {origin}: {text}");
    }
    assert!(settled(folder, &[], &["--allow-private=false"]).1.contains("allow_private = false"));
    let (is_good, text) =
        settled(folder, &[("CROUPIER_STORE", "postgres://me:hunter2@host/db")], &["--config", &file]);
    assert!(is_good && text.contains("postgres://me@host/db") && !text.contains("hunter2"), "{text}");
    let printed = checker.file("again.toml", &settled(folder, &[], &[]).1);
    let origins =
        |text: &str| text.lines().map(|line| line.split(" #").next().unwrap().trim().to_owned()).collect();
    let (first, again): (Vec<String>, Vec<String>) =
        (origins(&settled(folder, &[], &[]).1), origins(&settled(folder, &[], &["--config", &printed]).1));
    assert_eq!(first, again, "what is printed can be read again");
}

#[test]
fn a_setting_that_is_none_and_a_value_that_is_unfit_are_refused_at_their_place_with_the_cure() {
    let checker = program("operation-refused");
    let file = |text: &str| checker.file("bad.toml", text);
    for (text, variables, words) in [
        ("prot = 1", None, ["unknown-key", "bad.toml: prot", "did you mean 'port'"]),
        ("port = \"x\"", None, ["bad-value", "bad.toml: port", "'x'"]),
        ("port = [1]", None, ["bad-value", "bad.toml: port", "takes one value"]),
        ("matches = 0", None, ["bad-value", "bad.toml: matches", "from 1 to 1000000"]),
        ("port 1", None, ["bad-config", "bad.toml", "line 1"]),
        ("log_format = \"xml\"", None, ["bad-value", "bad.toml: log_format", "xml"]),
        ("", Some(("CROUPIER_PROT", "1")), ["unknown-key", "CROUPIER_PROT", "did you mean 'port'"]),
        (
            "",
            Some(("CROUPIER_PORT", "tcp://10.0.0.1:80")),
            ["bad-value", "CROUPIER_PORT", "tcp://10.0.0.1:80"],
        ),
        (
            "tls_cert = \"x\"\nport = 0",
            Some(("CROUPIER_SERVICE_HOST", "10.0.0.1")),
            ["bad-tls", "--tls-key", "key"],
        ),
    ] {
        let path = file(text);
        let mut command = Command::new(BINARY);
        command.args(["serve", "--config", &path]).envs(variables).stdin(Stdio::null());
        let output = command.current_dir(std::path::Path::new(&path).parent().unwrap()).output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{text}: {told}");
        assert!(words.iter().all(|word| told.contains(word)), "{text} {words:?}: {told}");
    }
}

#[test]
fn every_setting_names_its_key_and_its_variable_in_the_help() {
    let help = program("operation-help").output(&["help", "serve"]);
    let words = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for line in settled(std::path::Path::new("."), &[], &[]).1.lines() {
        let key = line.trim_start_matches("# ").split([' ', '=']).next().unwrap();
        let said = format!("key: {key}, variable: CROUPIER_{}", key.to_uppercase());
        assert!(words.contains(&said), "{said}: {help}");
        assert!(help.contains(&format!("--{}", key.replace('_', "-"))), "{key}");
    }
}

#[test]
fn a_server_that_is_told_to_stop_tells_everybody_who_waits_and_ends_in_bounded_time() {
    let mut server = Server::with("operation-drain", &["--drain-seconds", "3"]);
    let operator = server.operator();
    // Two matches: one whose player polls, one whose player has a WebSocket.
    let [polled, open] = [0, 1].map(|_| server.create(&waiting("holdem")));
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let token = |made: &Value| made["tokens"]["alice"].as_str().unwrap().to_owned();
    let seat = |made: &Value| format!("/v1/matches/{}/seats/alice", id(made));
    let mut socket = Socket::connect(&server, &format!("{}/ws", seat(&open)), &token(&open));
    assert!(socket.read().unwrap().contains("\"start\""));
    let events = server.agent.get(server.url(&format!("/v1/matches/{}/events", id(&open))));
    let events = events.header("Accept", "application/x-ndjson").call().unwrap();
    let mut events = BufReader::new(events.into_body().into_reader()).lines();
    assert!(events.next().unwrap().unwrap().contains("progress"));
    assert_eq!(server.ask("GET", "/v1/ready", None, None).0, 200);
    let begun = now();
    thread::scope(|scope| {
        let poll = scope.spawn(|| {
            let seen = server.ask("GET", &seat(&polled), Some(&token(&polled)), None);
            assert_eq!(seen.0, 200, "{seen:?}");
            server.ask("GET", &format!("{}?after=1", seat(&polled)), Some(&token(&polled)), None)
        });
        thread::sleep(Duration::from_millis(500));
        server.terminate();
        let (status, body) = poll.join().unwrap();
        assert!(status == 503 && body.contains("\"draining\""), "{status} {body}");
    });
    assert!(begun.elapsed() < Duration::from_secs(10), "a poll returns at once: {:?}", begun.elapsed());
    let last = events.map(Result::unwrap).last().unwrap();
    assert_eq!(last, r#"{"event":"draining"}"#);
    assert_eq!(socket.closed(), Some(1012), "the server restarts");
    assert_eq!(server.ask("GET", "/v1/ready", None, None).0, 503);
    assert_eq!(server.ask("GET", "/v1/health", None, None).0, 200);
    let mut refused = server
        .agent
        .post(server.url("/v1/matches"))
        .header("Authorization", format!("Bearer {operator}"))
        .send_json(waiting("kuhn"))
        .unwrap();
    assert_eq!(refused.status().as_u16(), 503);
    assert!(refused.headers()["Retry-After"].to_str().unwrap().parse::<u32>().unwrap() > 0);
    assert_eq!(refused.body_mut().read_json::<Value>().unwrap()["code"], "draining");
    // A player may still say something: it is stored before the server ends.
    let ready = json!({ "type": "ready" });
    assert_eq!(server.ask("POST", &seat(&open), Some(&token(&open)), Some(&ready)).0, 204);
    assert_eq!(server.process.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let again = Server::again(server.left());
    assert_eq!(again.resumed, 2, "both matches go on");
}

fn assert_is_cut_off_while_it_drips(server: &Server, head: &str) {
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(PATIENCE)).unwrap();
    stream.write_all(head.as_bytes()).unwrap();
    let mut drip = stream.try_clone().unwrap();
    let dripping = thread::spawn(move || {
        while drip.write_all(b"1").is_ok() {
            thread::sleep(Duration::from_millis(100));
        }
    });
    let mut answer = Vec::new();
    let _ = stream.read_to_end(&mut answer);
    let answer = String::from_utf8_lossy(&answer).into_owned();
    assert!(answer.starts_with("HTTP/1.1 408") && answer.contains("\"slow-body\""), "{head}: {answer}");
    dripping.join().unwrap();
}

#[test]
fn a_body_that_drips_is_cut_off_at_its_deadline_and_a_head_too() {
    let server = Server::with("operation-drip", &["--body-seconds", "1"]);
    let begun = now();
    // All of them wait at the same time.
    thread::scope(|scope| {
        for head in [
            "POST /v1/games/check HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n(role",
            "POST /v1/games/check HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n(role\r\n",
            "POST /v1/matches HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
        ] {
            let server = &server;
            scope.spawn(move || assert_is_cut_off_while_it_drips(server, head));
        }
        let answer = raw(&server, "GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ");
        assert!(answer.is_empty() || answer.starts_with("HTTP/1.1 408"), "{answer}");
    });
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[test]
fn a_connection_that_begins_requests_and_finishes_none_is_cut_off_and_one_that_waits_is_not() {
    let server = Server::new("operation-quiet");
    let made = server.create(&waiting("holdem"));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    let mut socket = Socket::connect(&server, &format!("/v1/matches/{id}/seats/alice/ws"), token);
    assert!(socket.read().unwrap().contains("\"start\""));
    let mut stream = TcpStream::connect(&server.address).unwrap();
    stream.set_read_timeout(Some(Duration::from_millis(100))).unwrap();
    stream.write_all(b"GET /v1/health HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let begun = now();
    stream.write_all(b"GET /v1/health HTTP/1.1\r\nHost: x\r\nX-Slow: ").unwrap();
    let mut read = Vec::new();
    while stream.write_all(b"a").is_ok() {
        assert!(begun.elapsed() < PATIENCE, "it is cut off");
        // Nothing else comes before the end, which is an end or an error.
        let _ = stream.read_to_end(&mut read);
    }
    assert!(read.starts_with(b"HTTP/1.1 200"), "the first request was answered");
    // All that time the match waited for alice, who says something now.
    assert!(begun.elapsed() > Duration::from_secs(11), "{:?}", begun.elapsed());
    socket.say(&json!({ "type": "ready" }));
    assert!(socket.read().unwrap().contains("\"received\""));
    assert!(socket.read().unwrap().contains("\"play\""));
}

#[test]
fn who_asks_too_often_is_told_how_long_to_wait_and_nobody_else_is() {
    let rates = ["--address-rate", "1", "--token-rate", "2", "--refusal-rate", "1"];
    let server = Server::with("operation-rates", &rates);
    let made = server.create(&waiting("kuhn"));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    let said = json!({ "type": "ready" });
    let seat = format!("/v1/matches/{id}/seats/alice");
    let count = |count: usize, path: &str, token: Option<&str>| -> Vec<u16> {
        let method = if path == seat { "POST" } else { "GET" };
        (0..count).map(|_| server.ask(method, path, token, Some(&said)).0).collect()
    };
    let many = |statuses: &[u16]| statuses.iter().filter(|status| **status == 429).count();
    let anybody = count(30, "/v1/health", None);
    assert!(anybody[..10].iter().all(|status| *status == 200) && many(&anybody) >= 10, "{anybody:?}");
    let player = count(60, &seat, Some(token));
    // Nobody has asked it whether it is ready.
    assert!(player[..20].iter().all(|status| *status == 409) && many(&player) >= 10, "{player:?}");
    let guesses: Vec<u16> =
        (0..30).flat_map(|guess| count(1, &seat, Some(&format!("{guess:064}")))).collect();
    assert!(guesses[..10].iter().all(|status| *status == 403) && many(&guesses) >= 10, "{guesses:?}");
    assert_eq!(many(&count(100, "/v1/ready", Some(&server.operator()))), 0, "the operator waits for nobody");
    // On a busy machine one more may be let through since then.
    let mut asked = (0..30).map(|_| server.agent.get(server.url("/v1/health")).call().unwrap());
    let mut refused = asked.find(|answer| answer.status().as_u16() == 429).expect("too many are refused");
    assert!(refused.headers()["Retry-After"].to_str().unwrap().parse::<u32>().unwrap() >= 1);
    assert_eq!(refused.headers()["Content-Type"], "application/problem+json");
    assert_eq!(refused.body_mut().read_json::<Value>().unwrap()["code"], "too-many-requests");
}

#[test]
fn every_refusal_is_a_problem_with_a_code_and_every_answer_has_the_headers_that_protect_it() {
    let server = Server::new("operation-headers");
    let get = |path: &str, host: &str| format!("GET {path} HTTP/1.1\r\n{host}Connection: close\r\n\r\n");
    for host in ["", "Host: x\r\nHost: y\r\n"] {
        let answer = raw(&server, &get("/v1/health", host));
        assert!(
            answer.starts_with("HTTP/1.1 400"),
            "what is no HTTP/1.1 is refused before it is read: {answer}"
        );
    }
    for (request, status) in [
        (get("/v1/health", "Host: x\r\n"), 200),
        (get("/v1/games/kuhn", "Host: [::1]:8080\r\n"), 200),
        (get("/v1/health", "Host: a b\r\n"), 400),
        (get("/v1/health", "Host: me@x\r\n"), 400),
        (get("/no-such-page", "Host: x\r\n"), 404),
        (get("//v1/health", "Host: x\r\n"), 404),
        (get("/v1/../v1/health", "Host: x\r\n"), 404),
        (get("/v1/games/..%2f..%2fetc%2fpasswd", "Host: x\r\n"), 404),
        (get("/v1/games/%01%ff", "Host: x\r\n"), 404),
        (get("/v1/games/%00%ff", "Host: x\r\n"), 400),
        (get("/v1/matches?count=many", "Host: x\r\n"), 400),
        (get("/v1/metrics", "Host: x\r\n"), 401),
        ("DELETE /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_owned(), 405),
        ("BREW /v1/health HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".to_owned(), 405),
    ] {
        let answer = raw(&server, &request);
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{request}: {answer}"));
        let head = head.to_lowercase();
        assert!(head.starts_with(&format!("http/1.1 {status}")), "{request}: {answer}");
        assert!(head.contains("x-content-type-options: nosniff"), "{answer}");
        assert!(head.contains("cache-control: no-store"), "{answer}");
        let is_json = head.contains("json");
        assert_eq!(!is_json, head.contains("content-security-policy: default-src 'none'"), "{answer}");
        if status >= 400 {
            assert!(head.contains("content-type: application/problem+json"), "{answer}");
            let problem: Value = serde_json::from_str(body).unwrap();
            assert!(problem["code"].is_string() && problem["status"] == status, "{answer}");
        }
        if status == 405 {
            assert!(head.contains("allow: get"), "{answer}");
        }
    }
}

#[test]
fn metrics_are_the_operators_and_no_label_holds_an_id_a_role_or_a_token() {
    let server = Server::new("operation-metrics");
    let made = server.create(&json!({
        "game": "kuhn",
        "seats": { "alice": { "kind": "pull" }, "bob": { "kind": "agent", "agent": "random" } },
    }));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    server.ask("GET", "/v1/odd/path-of-somebody", None, None);
    assert!(server.join(id, "alice", token, "random").wait().unwrap().success());
    server.ended(id);
    assert_eq!(server.ask("GET", "/v1/metrics", None, None).0, 401);
    assert_eq!(server.ask("GET", "/v1/metrics", Some(token), None).0, 403);
    let (status, text) = server.ask("GET", "/v1/metrics", Some(&server.operator()), None);
    assert_eq!(status, 200, "{text}");
    let value = |name: &str| -> f64 {
        let line =
            text.lines().find(|line| line.starts_with(name)).unwrap_or_else(|| panic!("{name}: {text}"));
        line.rsplit(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(value("croupier_matches_ended_total{status=\"terminal\"}"), 1.0);
    assert!(value("croupier_turns_total") >= 3.0 && value("croupier_replies_total{status=\"text\"}") >= 6.0);
    assert!(value("croupier_play_overhead_seconds_count") >= 3.0);
    assert!(value("croupier_store_append_seconds_count") >= 3.0);
    assert!(value("croupier_store_commit_seconds_count") >= 3.0);
    assert!(value("croupier_store_batch_writes_sum") >= value("croupier_store_batch_writes_count"));
    assert_eq!(value("croupier_requests_total{method=\"POST\",route=\"/v1/matches\",status=\"201\"}"), 1.0);
    let requests: f64 = text
        .lines()
        .filter(|line| line.starts_with("croupier_requests_total{"))
        .map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap())
        .sum();
    assert!(requests >= 6.0, "{text}");
    let labels = ["status", "reason", "method", "route", "le"];
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let inside = line.split_once('{').map_or("", |(_, rest)| rest.split('}').next().unwrap());
        for label in inside.split("\",").filter(|label| !label.is_empty()) {
            assert!(labels.contains(&label.split('=').next().unwrap()), "{line}");
        }
    }
    for secret in [id, token, "alice", "bob", "odd", "kuhn", "127.0.0.1", &server.operator()] {
        assert!(!text.contains(secret), "{secret} is in the metrics: {text}");
    }
    let open = Server::with("operation-metrics-open", &["--open-metrics"]);
    assert_eq!(open.ask("GET", "/v1/metrics", None, None).0, 200);
}

#[test]
fn the_log_holds_no_move_no_token_no_seed_and_no_path_that_somebody_made_up() {
    let server = Server::with("operation-log", &["--log", "trace", "--log-format", "json"]);
    let seed = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";
    let rules =
        "(role canary-role) (role other) (init (at 0)) (legal canary-role canary-move) (legal other noop)
        (<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1))) (<= terminal (true (at 2)))
        (<= (sees other canary-percept) (true (at 1))) (goal canary-role 100) (goal other 0)";
    let made = server.create(&json!({
        "rules": rules,
        "seats": { "canary-role": { "kind": "pull" }, "other": { "kind": "agent", "agent": "random" } },
        "seed": seed,
    }));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["canary-role"].as_str().unwrap());
    assert!(server.join(id, "canary-role", token, "random").wait().unwrap().success());
    server.ended(id);
    server.ask("GET", "/v1/canary-path", Some("canary-token"), None);
    server.ask("GET", "/v1/matches/canary-id", None, None);
    server.ask("GET", "/v1/matches?before=canary-query", None, None);
    thread::sleep(Duration::from_millis(200));
    let log = server.log();
    let lines: Vec<Value> = log.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let asked = lines.iter().find(|line| line["route"] == "/v1/matches/{id}" && line["id"] == id);
    let asked = asked.unwrap_or_else(|| panic!("requests are logged: {log}"));
    assert!(asked["status"] == 200 && asked["method"] == "GET" && asked["ms"].is_number(), "{asked}");
    for secret in ["canary", token, &server.operator(), seed, "5eed5eed", "starting 2 workers"] {
        assert!(!log.contains(secret), "{secret} is in the log: {log}");
    }
}

/// A certificate authority, and what it signs for this machine.
struct Authority(CertifiedIssuer<'static, KeyPair>);

impl Authority {
    fn new() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        Self(CertifiedIssuer::self_signed(params, KeyPair::generate().unwrap()).unwrap())
    }

    /// A certificate for this machine, and its key.
    fn sign(&self) -> [String; 2] {
        let key = KeyPair::generate().unwrap();
        let params = CertificateParams::new(vec!["127.0.0.1".to_owned(), "localhost".to_owned()]).unwrap();
        [params.signed_by(&key, &self.0).unwrap().pem(), key.serialize_pem()]
    }
}

/// What asks a server and trusts one authority alone.
fn trusting(authority: &str) -> Agent {
    use ureq::tls::{Certificate, RootCerts, TlsConfig};
    let certificate = Certificate::from_pem(authority.as_bytes()).unwrap();
    let tls = TlsConfig::builder().root_certs(RootCerts::new_with_certs(&[certificate])).build();
    let config = Agent::config_builder().timeout_global(Some(PATIENCE)).http_status_as_error(false);
    config.tls_config(tls).max_idle_connections(0).build().into()
}

#[test]
fn a_match_is_joined_over_tls_a_foreign_authority_is_refused_and_a_new_certificate_breaks_nothing() {
    let checker = program("operation-tls");
    let [authority, foreign] = [Authority::new(), Authority::new()];
    let [certificate, key] = authority.sign();
    let [cert_file, key_file] = [checker.file("cert.pem", &certificate), checker.file("key.pem", &key)];
    let [ca_file, foreign_file] =
        [checker.file("ca.pem", authority.0.pem()), checker.file("foreign.pem", foreign.0.pem())];
    let mut server =
        Server::with("operation-tls-server", &["--tls-cert", &cert_file, "--tls-key", &key_file]);
    server.secure(trusting(&authority.0.pem()));
    assert_eq!(server.get("/v1/health")["status"], "ok");
    let answer = server.agent.get(server.url("/v1/health")).call().unwrap();
    assert_eq!(
        answer.headers()["Strict-Transport-Security"],
        "max-age=31536000",
        "browsers come back encrypted"
    );
    let made = server.create(&waiting("kuhn"));
    let (id, token) = (made["id"].as_str().unwrap(), made["tokens"]["alice"].as_str().unwrap());
    let seat = server.url(&format!("/v1/matches/{id}/seats/alice"));
    let join = |more: &[&str]| {
        let mut join = Command::new(BINARY);
        join.args(["join", &seat, "--token", token, "--player", "random", "--json"]).args(more);
        join.output().unwrap()
    };
    for more in [&["--ca", &*foreign_file][..], &[]] {
        let begun = now();
        let refused = join(more);
        let told = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(
            refused.status.code() == Some(2) && told.contains("untrusted") && told.contains("--ca"),
            "{told}"
        );
        assert!(begun.elapsed() < Duration::from_secs(10), "it is refused at once");
    }
    // Another authority: the certificate changes under a match that waits.
    let [certificate, key] = foreign.sign();
    fs::write(&cert_file, certificate).unwrap();
    fs::write(&key_file, key).unwrap();
    let renewed = trusting(&foreign.0.pem());
    let health = server.url("/v1/health");
    let begun = now();
    while renewed.get(&health).call().is_err() {
        assert!(begun.elapsed() < PATIENCE, "{}", server.log());
        thread::sleep(Duration::from_millis(100));
    }
    server.secure(renewed);
    let joined = join(&["--ca", &foreign_file]);
    assert!(joined.status.success(), "{}", String::from_utf8_lossy(&joined.stderr));
    assert_eq!(server.ended(id)["outcome"]["status"], "terminal");
    assert!(!join(&["--ca", &ca_file]).status.success(), "the old authority is no longer shown");
}

fn repository(path: &str) -> String {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::read_to_string(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

#[test]
fn the_guide_has_every_setting_with_its_default_and_every_metric() {
    let guide = repository("docs/operating.md");
    for line in settled(std::path::Path::new("."), &[], &[]).1.lines() {
        let (setting, _) = line.split_once(" #").unwrap_or_else(|| (line.trim_start_matches("# "), ""));
        let row = match setting.split_once(" = ") {
            Some((key, value)) => format!("| `{key}` | `{}` |", value.trim().trim_matches('"')),
            None => format!("| `{}` |", line.split_ascii_whitespace().nth(1).unwrap()),
        };
        assert!(guide.contains(&row), "{row}");
    }
    let server = Server::with("operation-guide", &["--open-metrics"]);
    let agent = json!({ "kind": "agent", "agent": "random" });
    let made = server.create(&json!({ "game": "kuhn", "seats": { "alice": agent, "bob": agent } }));
    server.ended(made["id"].as_str().unwrap());
    let (_, metrics) = server.ask("GET", "/v1/metrics", None, None);
    let names: Vec<&str> =
        metrics.lines().filter_map(|line| line.strip_prefix("# HELP ")?.split_whitespace().next()).collect();
    assert!(names.len() >= 10, "{metrics}");
    for name in names {
        assert!(
            guide.contains(&format!("`{name}`"))
                || guide.contains(&format!("`{name}_total"))
                || guide.contains(&format!("`{name}{{")),
            "{name}"
        );
    }
}

#[cfg(unix)]
#[test]
fn the_container_is_healthy_as_long_as_the_server_answers() {
    let recipe = repository("referee/server/contrib/Dockerfile");
    let line = recipe.lines().find(|line| line.starts_with("HEALTHCHECK ")).unwrap();
    let command: Vec<String> = serde_json::from_str(line.split_once("CMD ").unwrap().1).unwrap();
    let server = Server::new("operation-container");
    let port = server.address.rsplit(':').next().unwrap().to_owned();
    let is_healthy = || {
        let mut check = Command::new(&command[0]);
        check.args(&command[1..]).env("CROUPIER_PORT", &port).stderr(Stdio::null());
        check.status().unwrap().success()
    };
    assert!(is_healthy());
    server.kill();
    assert!(!is_healthy());
}

#[cfg(unix)]
#[test]
fn the_unit_is_one_that_systemd_takes() {
    let unit = repository("referee/server/contrib/croupier.service");
    assert!(unit.contains("ExecStart=/usr/local/bin/croupier serve"));
    let checker = program("operation-unit");
    let file = checker.file("croupier.service", unit.replace("/usr/local/bin/croupier", BINARY));
    let Ok(verified) = Command::new("systemd-analyze").args(["verify", &file]).output() else {
        croupier_tests::skipped("there is no systemd here");
        return;
    };
    let told = String::from_utf8_lossy(&verified.stderr).into_owned();
    assert!(verified.status.success() && !told.contains("croupier.service"), "{told}");
}
