//! Requests that are none: each gets a clear answer, none stops the agent, and no log tells a secret.

use std::{
    io::{self, Write},
    net::Shutdown,
    sync::{Arc, Mutex, OnceLock},
    thread,
    time::{Duration, Instant},
};

use crate::wire::{Agent, read};

/// What is in no log: part of every rule, move and percept of the matches here.
const CANARY: &str = "canary7";

const RULES: &str = "(role r) (legal r (do canary7)) (legal r (do other)) (init (s canary7))
    (<= (next (s ?x)) (true (s ?x))) (<= (sees r (saw canary7)) (does r (do ?x)))
    (<= terminal (true (never))) (goal r 50)";

#[derive(Clone, Debug)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Everything that is logged by this process at its most talkative.
fn log() -> &'static Log {
    static LOG: OnceLock<Log> = OnceLock::new();
    LOG.get_or_init(|| {
        let log = Log(Arc::default());
        let writer = log.clone();
        let subscriber =
            tracing_subscriber::fmt().with_max_level(tracing_subscriber::filter::LevelFilter::DEBUG);
        subscriber.with_ansi(false).with_writer(move || writer.clone()).init();
        log
    })
}

#[test]
fn what_is_no_message_gets_a_clear_answer() {
    let agent = Agent::new("random");
    let big = format!("(START m r ({}) 10 10)", "(f a)".repeat(300_000));
    let deep = format!("(START m r ({}{}) 10 10)", "(".repeat(200_000), ")".repeat(200_000));
    for (message, status, word) in [
        ("", 400, "empty"),
        ("hello", 400, "not a list"),
        ("(((((", 400, "not a list"),
        ("(FLY m)", 400, "unknown kind"),
        ("(PLAY m)", 400, "parts"),
        ("(PLAY m x y z)", 400, "turn"),
        ("(PLAY nowhere NIL)", 200, "busy"),
        ("(PLAY nowhere 3 (a) (b))", 200, "busy"),
        ("(STOP nowhere (a))", 200, "DONE"),
        ("(ABORT nowhere)", 200, "aborted"),
        ("(INFO)", 200, "((name tested) (status available))"),
        ("info()", 200, "((name tested) (status available))"),
        ("(PING)", 200, "READY"),
        ("(PREVIEW ((role r)) 5)", 200, "READY"),
        ("(START m r ((role r) (<= (p ?x) (not (q ?y)))) 5 5)", 200, "busy"),
        (
            "(START m ghost ((role r) (legal r a) (init b) (<= terminal (true c)) (goal r 0)) 5 5)",
            200,
            "busy",
        ),
        (
            "(START m random ((role random) (role r) (legal r a) (legal random a) (init b) (<= terminal (true c)) (goal r 0)) 5 5)",
            200,
            "busy",
        ),
        (big.as_str(), 413, "longer"),
        (deep.as_str(), 200, "busy"),
    ] {
        let (found, body) = agent.post(message);
        assert_eq!(found, status, "{message:.80}: {body}");
        assert!(body.contains(word), "{message:.80}: {body}");
    }
    assert_eq!(agent.post([0xff, 0x00, b'(', 0xfe]).0, 400);
    assert_eq!(agent.send(b"GET / HTTP/1.0\r\n\r\n").0, 405);
    assert_eq!(agent.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03").0 / 100, 4);
    let mut broken = agent.connect();
    broken.write_all(b"POST / HTTP/1.0\r\nContent-Length: 100\r\n\r\n(INFO)").unwrap();
    broken.shutdown(Shutdown::Write).unwrap();
    assert!(matches!(read(&mut broken).0, 0 | 400));
    assert_eq!(agent.ask("(INFO)"), "((name tested) (status available))");
}

#[test]
fn a_malformed_turn_does_not_harm_its_match() {
    let agent = Agent::new("first-legal");
    agent.ask(&format!("(START m r ({RULES}) 20 20)"));
    assert_eq!(agent.ask("(PLAY m 0 NIL NIL)"), "(do canary7)");
    // What cannot be read, and what cannot have happened, is answered by a legal move; the next sensible turn is played on.
    assert_eq!(agent.ask("(PLAY m 1 (do ?x) ((saw canary7)))"), "(do canary7)");
    assert_eq!(agent.ask("(PLAY m 2 (fly away) ((saw nothing)))"), "(do canary7)");
    assert_eq!(agent.ask("(PLAY m 3 (do canary7) ((saw canary7)))"), "(do canary7)");
    assert_eq!(agent.post("(PLAY m x y z)").0, 400, "what names no turn is no message");
}

#[test]
fn slow_clients_hold_up_nobody() {
    let agent = Agent::new("random");
    let mut slow: Vec<_> = (0..50).map(|_| agent.connect()).collect();
    for stream in &mut slow {
        stream.write_all(b"POST / HTTP/1.0\r\nContent-Length: 1000\r\n\r\n(PLAY").unwrap();
    }
    let begun = Instant::now();
    assert_eq!(agent.ask("(PING)"), "READY");
    assert!(begun.elapsed() < Duration::from_secs(3), "{:?}", begun.elapsed());
    let mut silent = agent.connect();
    let (status, body) = read(&mut slow[0]);
    assert_eq!(status, 408, "{body}");
    let (status, _) = read(&mut silent);
    assert!(matches!(status, 0 | 408), "{status}");
}

#[test]
fn the_log_has_no_moves_percepts_or_rules() {
    let log = log();
    let agent = Agent::new("belief:iterations=10,particles=10");
    // What another test was about to log as the log was made may have been noted as nobody's business for ever.
    tracing::callsite::rebuild_interest_cache();
    agent.ask(&format!("(START logged.1 r ({RULES}) 20 20)"));
    agent.ask("(PLAY logged.1 0 NIL NIL)");
    agent.ask("(PLAY logged.1 1 (do canary7) ((saw canary7)))");
    agent.ask("(PLAY logged.1 2 (do canary7) ((saw not_canary7)))");
    agent.post("(PLAY logged.1 3 (do canary7 ?x) ((saw canary7)))");
    agent.post("(canary7 m)");
    agent.ask(&format!("(START logged.2 ghost ({RULES}) 20 20)"));
    agent.ask("(STOP logged.1 (canary7))");
    thread::sleep(Duration::from_millis(100));
    let text = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
    assert!(text.contains("logged.1") && text.contains("moved"), "the log is kept: {text}");
    assert!(text.contains("unknown-kind") && text.contains("unreadable-part"), "{text}");
    assert!(!text.contains(CANARY), "{text}");
    let seed = format!("{:064x}", 7);
    assert!(!text.contains(&seed), "{text}");
}
