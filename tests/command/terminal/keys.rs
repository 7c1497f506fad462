//! The line that is edited, the clock beside it, and Ctrl-C.

use super::{at_every_width, outcome, screen::Session};
use crate::program;

const KUHN: [&str; 8] = ["play", "kuhn", "--seat", "alice=human", "--seat", "bob=first-legal", "--seed", "1"];

#[test]
fn the_line_is_edited_completed_and_brought_back() {
    let program = program("terminal-edited");
    let mut session = Session::new(&program.path(""), 34, &KUHN);
    assert!(session.is_asked("your move>"));
    session.enter("nonsense");
    assert!(session.is_asked("your move>"));
    // The line before, of which all is taken away but what stands before the cursor, and is completed.
    session.press("\x1b[A");
    session.wait("the history", |session| session.row().1.contains("your move> nonsense"));
    session.press("\x15b\t\t");
    session.wait("candidates", |session| session.screen().contains("belief"));
    session.press("x\x7f");
    session.wait("the middle of it", |session| session.row().1.trim_end().ends_with("your move> be"));
    session.press("t\x1b[D\x1b[D\x1b[Cz");
    session.wait("an insertion", |session| session.row().1.contains("your move> bezt"));
    session.press("\x7f\r");
    session.wait_for("Alice bets");
    assert_eq!(session.end(), 0);
    session.assert_fits();
}

#[test]
fn a_long_line_is_scrolled_and_not_wrapped() {
    let program = program("terminal-long");
    let session = Session::new(&program.path(""), 34, &KUHN);
    assert!(session.is_asked("your move>"));
    session.press(&"abcdefghij".repeat(12));
    session.wait("its end", |session| session.row().1.trim_end().ends_with("fghij"));
    session.press("\x01");
    session.wait("its beginning", |session| session.row().1.contains("your move> abcdefghij"));
    session.press("\x05\x17bet\r");
    session.wait_for("Alice bets");
    session.assert_fits();
}

#[test]
fn the_clock_counts_down_and_ends_the_turn() {
    at_every_width(|columns| {
        let program = program(&format!("terminal-clock-{columns}"));
        let arguments = [&KUHN[..], &["--play-clock", "3", "--record", "m.jsonl"]].concat();
        let mut session = Session::new(&program.path(""), columns, &arguments);
        for seconds in ["[3 s]", "[2 s]", "[1 s]"] {
            session.wait(seconds, |session| session.row().1.starts_with(seconds));
            // What is being typed stays.
            session.press("p");
        }
        assert!(session.screen().contains("your move> pp"), "{}", session.screen());
        // Another turn, if there is one, begins with an empty line.
        while session.is_asked("your move>") {
            session.enter("1");
        }
        assert_eq!(session.end(), 1, "a move was drawn");
        let text = session.text();
        assert!(text.contains("time is up; played for you:"), "{text}");
        session.assert_fits();
        assert!(program.output(&["replay", &program.path("m.jsonl"), "--verify"]).contains("OK"));
    });
}

#[test]
fn control_c_asks_whether_to_leave_and_keeps_the_record() {
    for leaving in ["y\r", "\x03", "yes\r"] {
        let program = program("terminal-leaving");
        let arguments = [&KUHN[..], &["--record", "m.jsonl"]].concat();
        let mut session = Session::new(&program.path(""), 34, &arguments);
        assert!(session.is_asked("your move>"));
        session.press("be\x03");
        session.wait_for("leave the match? [y/N]");
        session.press("\r");
        // What was typed is still there.
        session.wait("the line", |session| session.row().1.contains("your move> be"));
        session.press("\x03");
        session.wait_for("leave the match? [y/N]");
        session.press(leaving);
        assert_eq!(session.end(), 130, "{}", session.text());
        let text = session.text();
        assert!(text.contains("record m.jsonl"), "where the record is: {text}");
        assert_eq!(outcome(&program, "m.jsonl")["status"], "aborted");
        assert!(program.output(&["replay", &program.path("m.jsonl"), "--verify"]).contains("OK"));
        session.assert_fits();
    }
}

#[test]
fn the_terminal_is_given_back_when_a_signal_ends_the_match() {
    let program = program("terminal-signal");
    let mut session = Session::new(&program.path(""), 80, &KUHN);
    assert!(session.is_asked("your move>"));
    assert!(!session.echoes());
    session.signal("TERM");
    assert_eq!(session.end(), 130);
    assert!(session.echoes(), "keys are echoed again");
}

#[test]
fn a_line_typed_in_real_time_survives_the_clock() {
    at_every_width(|columns| {
        let program = program(&format!("terminal-real-time-{columns}"));
        let arguments = [
            "play",
            "chicken",
            "--seat",
            "white=human",
            "--seat",
            "black=wait",
            "--seed",
            "1",
            "--speed",
            "0.15",
            "--record",
            "m.jsonl",
        ];
        let mut session = Session::new(&program.path(""), columns, &arguments);
        session.wait("the foot", |session| session.row().1.starts_with('>'));
        session.press("swer");
        let status = |session: &Session| {
            session.screen().lines().find(|line| line.contains(" s |")).map(str::to_owned)
        };
        session.wait("the time", |session| status(session).is_some());
        let before = status(&session);
        session.wait("time that runs", |session| {
            status(session) != before && session.row().1.starts_with("> swer")
        });
        session.press("ve\r");
        assert_eq!(session.end(), 0, "{}", session.text());
        let text = session.text();
        let said = text.split_whitespace().collect::<Vec<&str>>().join(" ");
        assert!(said.contains("plays swerve; sees: White swerves"), "{text}");
        session.assert_fits();
        assert!(
            program.output(&["replay", &program.path("m.jsonl"), "--verify"]).starts_with("match 1: OK, ")
        );
    });
}

#[test]
fn control_c_asks_in_real_time_too() {
    let program = program("terminal-real-time-leaving");
    let arguments =
        ["play", "chicken", "--seat", "white=human", "--seed", "1", "--speed", "0.02", "--record", "m.jsonl"];
    let mut session = Session::new(&program.path(""), 34, &arguments);
    session.wait("the foot", |session| session.row().1.starts_with('>'));
    session.press("\x03");
    session.wait("the question", |session| session.row().1.starts_with("leave the match? [y/N]"));
    session.press("n\r");
    session.wait("the foot", |session| session.row().1.starts_with('>'));
    session.press("\x03\x03");
    assert_eq!(session.end(), 130, "{}", session.text());
    session.assert_fits();
    assert!(program.output(&["replay", &program.path("m.jsonl"), "--verify"]).starts_with("match 1: OK, "));
}
