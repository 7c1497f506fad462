//! Players that do everything wrong: each is substituted in time, with its reason in the record.

use std::{
    thread,
    time::{Duration, Instant},
};

use croupier_referee::{Clocks, protocol::WireForm};

use crate::fake::{Act, Fake, STEPS, header, late_ms, nobody, play, response, statuses};

const CLOCKS: Clocks = Clocks::of(200, 200);

/// Status and milliseconds of each reply to PLAY.
type Replies = Vec<(String, u64)>;

/// How late a busy machine may notice a deadline.
const SLACK_MS: u64 = 500;

/// Plays with `left` doing this at every PLAY, and `right` as it should; the statuses of both.
fn against(act: Act) -> (Replies, Replies) {
    let left = Fake::new(move |body| if body.starts_with("(PLAY") { act.clone() } else { Act::Say("READY") });
    let right = Fake::new(|_| Act::Say("wait"));
    let header = header(STEPS, "steps.3", &["left", "right"], CLOCKS);
    let form = WireForm::STANDARD;
    let begun = Instant::now();
    let played = play(&header, &[(left.address, form, "left"), (right.address, form, "right")], "7");
    let latest = 3 * late_ms(CLOCKS) + 3 * SLACK_MS;
    assert!(begun.elapsed() < Duration::from_millis(latest), "{:?}", begun.elapsed());
    (statuses(&played, "left"), statuses(&played, "right"))
}

fn after_head(text: &str, bytes: usize) -> Vec<u8> {
    format!("HTTP/1.0 200 OK\r\nContent-Length: {bytes}\r\n\r\n{text}").into_bytes()
}

#[test]
fn every_failure_is_substituted_in_time_with_its_reason() {
    let second = Duration::from_secs(1);
    let cases: Vec<(&str, Act, &str)> = vec![
        ("accepts and never answers", Act::Nothing, "timeout"),
        ("one byte a second", Act::Drip(response("(go far)"), second), "timeout"),
        (
            "a head without an end",
            Act::Drip(b"HTTP/1.0 200 OK\r\nX: y\r\n".repeat(9), second / 20),
            "timeout",
        ),
        ("a body without an end", Act::Flood(vec![b' '; 1 << 16]), "malformed"),
        ("a huge body", Act::Write(after_head("(go far)", 1 << 30)), "too_large"),
        (
            "a body that floods",
            Act::Write([b"HTTP/1.0 200 OK\r\n\r\n".to_vec(), vec![b'a'; 1 << 20]].concat()),
            "too_large",
        ),
        ("closes at once", Act::Write(Vec::new()), "closed"),
        ("closes early", Act::Write(after_head("(go", 8)), "closed"),
        ("status 500", Act::Write(b"HTTP/1.0 500 No\r\n\r\n(go far)".to_vec()), "malformed"),
        (
            "a redirect",
            Act::Write(b"HTTP/1.0 302 F\r\nLocation: http://127.0.0.1:1/\r\n\r\n".to_vec()),
            "malformed",
        ),
        ("no HTTP", Act::Write(b"(go far)\r\n\r\n".to_vec()), "malformed"),
        ("an illegal move", Act::Say("(go home)"), "illegal"),
        ("the other's move", Act::Say("wait"), "illegal"),
        ("an empty body", Act::Say(""), "malformed"),
        ("an open list", Act::Say("(go far"), "malformed"),
        ("a variable", Act::Say("(go ?where)"), "malformed"),
        ("garbage before a move", Act::Say("well (go far)"), "illegal"),
        ("a move before garbage", Act::Say("(GO  far) (go near) ((("), "legal"),
        ("not UTF-8 after a move", Act::Write(b"HTTP/1.0 200 OK\r\n\r\n(go far) \xff\xfe".to_vec()), "legal"),
    ];
    let begin = |(name, act, status)| thread::spawn(move || (name, status, against(act)));
    // All begin before the first is waited for.
    let threads: Vec<_> = cases.into_iter().map(begin).collect();
    for thread in threads {
        let (name, expected, (left, right)) = thread.join().unwrap();
        assert_eq!(left.len(), 3, "{name}");
        for (status, elapsed_ms) in &left {
            assert_eq!(status, expected, "{name}");
            assert!(*elapsed_ms <= late_ms(CLOCKS) + SLACK_MS, "{name}: {elapsed_ms} ms");
            if expected == "timeout" {
                assert!(*elapsed_ms >= late_ms(CLOCKS), "{name} was cut early: {elapsed_ms} ms");
            }
        }
        assert!(right.iter().all(|(status, _)| status == "legal"), "{name}: {right:?}");
    }
}

#[test]
fn a_match_of_nobody_ends_with_every_move_substituted() {
    let header = header(STEPS, "steps.4", &["left", "right"], CLOCKS);
    let form = WireForm::STANDARD;
    let played = play(&header, &[(nobody(), form, "left"), (nobody(), form, "right")], "7");
    assert_eq!(played.outcome.turns(), 3);
    let text = String::from_utf8(played.record).unwrap();
    assert_eq!(text.matches("\"event\":\"substitute\"").count(), 6);
    assert_eq!(text.matches("\"status\":\"connect_error\"").count(), 8);
}
