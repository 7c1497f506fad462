//! The agent and remote seats as somebody at a terminal uses them.
#![expect(clippy::unwrap_used, reason = "what does not go as it should ends the test")]

#[cfg(target_os = "linux")]
use std::{
    io::Write as _,
    net::TcpStream,
    thread,
    time::{Duration, Instant},
};
use std::{
    io::{BufRead as _, BufReader, Read as _},
    process::{Child, Command, Stdio},
};

use serde_json::Value;

use crate::{program, schemas::assert_valid};

const BINARY: &str = env!("CARGO_BIN_EXE_croupier");

/// `croupier agent` on a port of its own, until it is dropped.
struct Agent {
    process: Child,
    address: String,
}

impl Agent {
    fn new(player: &str) -> Self {
        Self::with(player, &["--log", "debug"], Stdio::piped())
    }

    fn with(player: &str, options: &[&str], log: Stdio) -> Self {
        let mut process = Command::new(BINARY)
            .args(["agent", "--player", player, "--port", "0", "--json"])
            .args(options)
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(process.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        assert_eq!(assert_valid(&told), "agent");
        let address = format!("http://{}", told["address"].as_str().unwrap());
        Self { process, address }
    }

    /// A connection on which a message was posted.
    #[cfg(target_os = "linux")]
    fn post(&self, message: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.address.trim_start_matches("http://")).unwrap();
        write!(stream, "POST / HTTP/1.0\r\nContent-Length: {}\r\n\r\n{message}", message.len()).unwrap();
        stream
    }

    /// The body of the answer to a message.
    #[cfg(target_os = "linux")]
    fn ask(&self, message: &str) -> String {
        let mut answer = String::new();
        self.post(message).read_to_string(&mut answer).unwrap();
        answer.split_once("\r\n\r\n").unwrap().1.to_owned()
    }

    /// A line of what the system says of the process: a number, of kilobytes if it is of memory.
    #[cfg(target_os = "linux")]
    fn status(&self, name: &str) -> u64 {
        let status = std::fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.trim_start_matches(':').split_ascii_whitespace().next().unwrap().parse().unwrap()
    }

    /// Processor time that the process has taken, in the system's ticks, of which a second has a hundred.
    #[cfg(target_os = "linux")]
    fn ticks(&self) -> u64 {
        let stat = std::fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap();
        let fields: Vec<&str> = stat.rsplit_once(')').unwrap().1.split_ascii_whitespace().collect();
        fields[11].parse::<u64>().unwrap() + fields[12].parse::<u64>().unwrap()
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
fn an_agent_with_a_net_knows_its_game_in_every_dialect_and_refuses_another() {
    let program = program("agent-net");
    let rules = croupier_games::find("kuhn").unwrap().rules;
    let game = croupier_engine::Game::compile(rules, &croupier_engine::Options::PLAY).unwrap().game;
    let file = program.file("kuhn.onnx", croupier_tests::net::NetFile::new(&game, 1, 8, 1).bytes());
    let agent = Agent::new(&format!("net:{file}"));
    let record = program.path("k.jsonl");
    let play = |game: &str, dialect: &str| {
        let (seat, dialect) = (agent.seat("alice"), format!("alice={dialect}"));
        let seats = ["--seat", &seat, "--seat", "bob=random", "--dialect", &dialect, "--play-clock", "5"];
        let rest = ["--matches", "2", "--seed", "5", "--record", &record, "--force"];
        program.run(&[&["play", game], &seats[..], &rest[..]].concat());
        String::from_utf8(program.contents("k.jsonl")).unwrap()
    };
    for dialect in ["gdl2", "gdl2-2011+infix", "sees"] {
        let text = play("kuhn", dialect);
        assert!(text.contains("percepts") && !text.contains("substitute"), "{dialect}: {text}");
        assert!(program.output(&["replay", &record, "--verify"]).contains("OK"));
    }
    play("leduc", "gdl2");
    assert!(agent.log().contains("unfit-net"));
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
        (vec!["agent", "--player", "random", "--model", "bob=raise"], vec!["bad-model", "random"]),
        (vec!["agent", "--player", "belief", "--model", "raise"], vec!["bad-model", "ROLE=MODEL"]),
        (vec!["agent", "--address", "192.0.2.1"], vec!["unserved", "192.0.2.1"]),
    ] {
        let said = program.refusal(&arguments);
        for word in words {
            assert!(said.contains(word), "{arguments:?} does not say {word}: {said}");
        }
    }
}

/// Small games, and one whose player takes most of a megabyte.
#[cfg(target_os = "linux")]
const GAMES: [(&str, &str, &str); 3] = [
    (include_str!("../../games-ii/kuhn/rules.gdl"), "alice", "((yours jack))"),
    (include_str!("../../games-ii/tic-tac-toe/rules.gdl"), "x", "((did x (mark 1 1)) (did o noop))"),
    (include_str!("../../games-ii/holdem/rules.gdl"), "bob", "()"),
];

#[cfg(target_os = "linux")]
#[test]
fn a_thousand_open_matches_take_no_thread_and_at_most_32_kib_each() {
    const MATCHES: u64 = 1_000;
    let agent = Agent::with("belief:iterations=1", &["--log", "error", "--threads", "2"], Stdio::null());
    let begin = |id: &str, number: u64| {
        let (rules, role, _) = GAMES[(number % 3) as usize];
        assert_eq!(agent.ask(&format!("(START {id} {role} ({rules}) 60 60)")), "READY");
        let reply = agent.ask(&format!("(PLAY {id} 0 NIL NIL)"));
        assert!(!reply.is_empty() && reply != "nil" && reply != "busy", "{reply}");
    };
    // Games that are compiled and what threads keep is there before the first match that is counted.
    (0..12).for_each(|number| begin(&format!("first{number}"), number));
    let (before, threads) = (agent.status("VmRSS"), agent.status("Threads"));
    (0..MATCHES - 12).for_each(|number| begin(&format!("m{number}"), number));
    let (after, threads_after) = (agent.status("VmRSS"), agent.status("Threads"));
    assert_eq!(threads_after, threads);
    assert!(threads <= 16, "{threads}");
    let each = after.saturating_sub(before) as f64 / (MATCHES - 12) as f64;
    assert!(each <= 32.0, "{each} KiB a match, from {before} to {after}");
    println!("{each:.1} KiB for each of {MATCHES} matches, {threads} threads");
    // All of them go on.
    let (_, _, told) = GAMES[1];
    assert_eq!(agent.ask(&format!("(PLAY m1 1 (mark 1 1) {told})")), "noop");
}

#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::disallowed_methods, reason = "how much of real time a process works")]
fn a_client_that_has_gone_stops_the_thinking() {
    let player = "belief:iterations=1000000000";
    let agent = Agent::with(player, &["--log", "error", "--threads", "2"], Stdio::null());
    let (rules, role, _) = GAMES[1];
    // How much of a second the process works.
    let share = || {
        let (ticks, begun) = (agent.ticks(), Instant::now());
        thread::sleep(Duration::from_secs(1));
        (agent.ticks() - ticks) as f64 / 100.0 / begun.elapsed().as_secs_f64()
    };
    for id in ["m", "n"] {
        assert_eq!(agent.ask(&format!("(START {id} {role} ({rules}) 60 600)")), "READY");
    }
    let thinking = [agent.post("(PLAY m 0 NIL NIL)"), agent.post("(PLAY n NIL)")];
    thread::sleep(Duration::from_millis(500));
    let busy = share();
    assert!(busy > 0.1, "it thinks: {busy}");
    drop(thinking);
    thread::sleep(Duration::from_millis(500));
    let idle = share();
    assert!(idle < 0.05, "it thinks on for nobody: {idle}, after {busy}");
}
