//! Players that are not there, stay busy, or are left waiting: a match begins with everybody or not at all.

use std::{
    sync::{
        Arc, Mutex,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use croupier_engine::RoleId;
use croupier_referee::{Clocks, Failure, Header, Outcome, Played, ReplyStatus, protocol::WireForm};
use croupier_remote::{Absence, DriverOptions, Observed};

use crate::fake::{Act, Fake, STEPS, header, nobody, play, play_as};

const CLOCKS: Clocks = Clocks::of(5_000, 5_000);

/// Less than a second of waiting for who is busy.
const BRIEF: DriverOptions<'static> =
    DriverOptions { busy_max: Duration::from_millis(900), ..DriverOptions::STANDARD };

fn left(header: &Header) -> RoleId {
    header.roles().find("left").unwrap()
}

/// What a player does that plays as it should.
fn sound(body: &str) -> Act {
    match body.split([' ', '(']).nth(1) {
        Some("START") => Act::Say("READY"),
        Some("PLAY") => Act::Say("wait"),
        _ => Act::Say("DONE"),
    }
}

/// Plays with `left` at this address, and `right` as it should be; every message that `right` got.
fn against(
    address: String,
    manner: &DriverOptions<'_>,
    observe: impl FnMut(Observed<'_>),
) -> (Arc<Header>, Played, Vec<String>) {
    let right = Fake::new(sound);
    let header = header(STEPS, "steps.9", &["left", "right"], CLOCKS);
    let forms = [(address, WireForm::STANDARD, "left"), (right.address.clone(), WireForm::STANDARD, "right")];
    let played = play_as(&header, &forms, "7", manner, observe);
    let body = |request: Vec<u8>| {
        let text = String::from_utf8(request).unwrap();
        text.split_once("\r\n\r\n").unwrap().1.split(' ').next().unwrap().to_owned()
    };
    (header, played, right.requests().into_iter().map(body).collect())
}

#[test]
fn without_a_player_the_match_is_void_and_nobody_is_told_anything() {
    let (header, played, told) = against(nobody(), &DriverOptions::STANDARD, |_| {});
    let failure = Failure::ConnectError;
    assert_eq!(played.outcome, Outcome::Void { role: left(&header), failure });
    assert_eq!(told, Vec::<String>::new());
    let absence = Absence::Played;
    let (_, played, told) = against(nobody(), &DriverOptions { absence, ..DriverOptions::STANDARD }, |_| {});
    assert_eq!(played.outcome.turns(), 3);
    assert_eq!(told, ["(START", "(PLAY", "(PLAY", "(PLAY", "(STOP"]);
}

#[test]
fn who_goes_away_at_start_is_absent_and_the_others_are_told_that_nothing_comes_of_it() {
    let gone = Fake::new(|_| Act::Write(Vec::new()));
    let (header, played, told) = against(gone.address, &DriverOptions::STANDARD, |_| {});
    let failure = Failure::Closed;
    assert_eq!(played.outcome, Outcome::Void { role: left(&header), failure });
    // On a busy machine the match may be void before the other has read its START.
    assert!(["(START (ABORT", "(ABORT"].contains(&told.join(" ").as_str()), "{told:?}");
}

#[test]
fn who_stays_busy_makes_the_match_void_within_the_limit() {
    let busy = Fake::new(|_| Act::Say("busy"));
    let begun = Instant::now();
    let mut times = 0;
    let count = |observed: Observed<'_>| times += usize::from(matches!(observed, Observed::Busy(_)));
    let (header, played, told) = against(busy.address.clone(), &BRIEF, count);
    assert_eq!(played.outcome, Outcome::Void { role: left(&header), failure: Failure::Busy });
    assert!((Duration::from_millis(900)..Duration::from_secs(5)).contains(&begun.elapsed()));
    assert_eq!(told, ["(START", "(ABORT"], "who was ready is told once, and told that it is over");
    assert!((1..=2).contains(&times), "somebody who watches is told each time: {times}");
    let manner = DriverOptions { absence: Absence::Played, ..BRIEF };
    let (header, played, _) = against(busy.address, &manner, |_| {});
    let conduct = &played.conducts[left(&header)];
    assert_eq!((conduct.not_ready, conduct.moves, conduct.substituted()), (Some(Failure::Busy), 3, 3));
    assert_eq!(conduct.substitutes.get(&ReplyStatus::Illegal), Some(&3), "busy is no move of this game");
}

#[test]
fn who_is_busy_at_first_is_waited_for_and_plays() {
    let asked = AtomicUsize::new(0);
    let late = Fake::new(move |body| match sound(body) {
        Act::Say("READY") if asked.fetch_add(1, Ordering::SeqCst) < 2 => Act::Say("busy"),
        Act::Say("wait") => Act::Say("(go far)"),
        other => other,
    });
    let (header, played, told) = against(late.address, &DriverOptions::STANDARD, |_| {});
    assert!(played.outcome.goals().is_some(), "{:?}", played.outcome);
    let conduct = &played.conducts[left(&header)];
    assert_eq!((conduct.not_ready, conduct.substituted()), (None, 0));
    assert_eq!(told.iter().filter(|message| *message == "(START").count(), 1);
    // Two pauses of half a second passed, none of which is on the clock of the match.
    let record = String::from_utf8(played.record).unwrap();
    let ready = record.lines().find(|line| line.contains("\"ready\"") && line.contains("\"left\"")).unwrap();
    let elapsed = ready.split_once("\"elapsed_ms\":").unwrap().1.split(',').next().unwrap();
    assert!(elapsed.parse::<u64>().unwrap() < 950, "{ready}");
}

#[test]
fn a_match_that_is_interrupted_is_aborted_at_once_and_every_player_told() {
    let silent = Fake::new(|body| if body.starts_with("(PLAY") { Act::Nothing } else { sound(body) });
    let is_over = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&is_over);
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(300));
        stop.store(true, Ordering::SeqCst);
    });
    let is_interrupted = move || is_over.load(Ordering::SeqCst);
    let begun = Instant::now();
    let manner = DriverOptions { is_interrupted: &is_interrupted, ..DriverOptions::STANDARD };
    let (header, played, told) = against(silent.address.clone(), &manner, |_| {});
    assert_eq!(played.outcome, Outcome::Aborted { turns: 0 });
    assert!(begun.elapsed() < Duration::from_secs(4), "{:?}", begun.elapsed());
    assert_eq!(told, ["(START", "(PLAY", "(ABORT"]);
    let last = String::from_utf8(silent.requests().pop().unwrap()).unwrap();
    assert!(last.ends_with("(ABORT steps.9)"), "{last}");
    assert_eq!(played.conducts[left(&header)].moves, 0, "no turn was played");
}

#[test]
fn whoever_watches_is_shown_every_substitution_as_it_is_made() {
    let illegal = Fake::new(|body| match sound(body) {
        Act::Say("wait") => Act::Say("(go home)"),
        other => other,
    });
    let shown = Mutex::new(Vec::new());
    let (header, played, _) = against(illegal.address, &DriverOptions::STANDARD, |observed| {
        if let Observed::Substituted(role, conduct) = observed {
            shown.lock().unwrap().push((role, conduct.substituted()));
        }
    });
    let left = left(&header);
    assert_eq!(*shown.lock().unwrap(), [(left, 1), (left, 2), (left, 3)]);
    assert_eq!(played.conducts[left].substitutes.get(&ReplyStatus::Illegal), Some(&3));
}

#[test]
fn every_way_to_give_no_move_is_counted_by_its_reason() {
    let illegal = ReplyStatus::Illegal;
    let malformed = ReplyStatus::Failed(Failure::Malformed);
    for (said, status) in
        [("(mark 99 99)", illegal), ("busy", illegal), ("(mark ?x ?y)", malformed), ("", malformed)]
    {
        let nonsense =
            Fake::new(move |body| if body.starts_with("(PLAY") { Act::Say(said) } else { sound(body) });
        let right = Fake::new(sound);
        let header = header(STEPS, "steps.8", &["left", "right"], CLOCKS);
        let form = WireForm::STANDARD;
        let played = play(&header, &[(nonsense.address, form, "left"), (right.address, form, "right")], "7");
        let conduct = &played.conducts[left(&header)];
        assert_eq!((conduct.moves, conduct.substitutes.get(&status)), (3, Some(&3)), "{said}");
        assert_eq!(played.conducts[header.roles().find("right").unwrap()].substituted(), 0);
    }
}
