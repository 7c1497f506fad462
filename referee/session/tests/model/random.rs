//! Long random sessions, and their records.

use croupier_referee::{Digest, Seed};
use croupier_session::{SessionEvent, SessionFile, SessionLedger, SessionStage, verify_session};
use proptest::prelude::*;

use crate::{
    tables::{FAMILY, ended, events, open, terms},
    witness::Witness,
};

fn sessions() -> impl Strategy<Value = (usize, String)> {
    let cash = format!("away = 'sit out'{FAMILY}\nrebuy = 'always'");
    let tournament = format!("until = 'one left'{FAMILY}");
    let short = format!("until = 'matches = 5'{FAMILY}\nrebuy = 'always'");
    let games = ["", "rotate = 'pairs'", "until = 'any wins >= 4 or minutes = 20'", "rotate = 'never'"];
    let all: Vec<String> = games.map(str::to_owned).into_iter().chain([cash, tournament, short]).collect();
    (2..=4usize, prop::sample::select(all))
}

/// A session by numbers: each chooses among what can happen, a match that ends more often than the rest.
fn played(seats: usize, session: &str, choices: &[(u8, u16)]) -> Witness {
    let mut witness = Witness::new(terms(seats, session));
    for place in 0..seats {
        let all = events(&witness.session);
        let takes = |event: &&SessionEvent| matches!(event, SessionEvent::SeatTaken { seat, .. } if seat.place() == Some(place));
        let event = all.iter().find(takes).expect("a free seat").clone();
        witness.step(&event).expect("a free seat");
    }
    witness.step(&SessionEvent::Started).expect("all are seated");
    let mut now_ms = 0;
    for &(kind, choice) in choices {
        let running = witness.session.running().cloned();
        let event = match (running, kind % 8) {
            (Some(order), 0..=4) => {
                let winner = choice as usize % (order.seats.len() + 1);
                SessionEvent::MatchOver(ended(&order, winner.checked_sub(1)))
            }
            (_, 5) => {
                now_ms += u64::from(choice) * 3;
                SessionEvent::Tick { now_ms }
            }
            _ => {
                let all = events(&witness.session);
                all[choice as usize % all.len()].clone()
            }
        };
        // Most sessions would be over at once.
        if event != SessionEvent::Ended || choice % 16 == 0 {
            let _ = witness.step(&event);
        }
    }
    witness
}

/// The record of a session, with matches that have no records of their own.
fn record(witness: &Witness) -> String {
    let mut session = open(witness.session.terms());
    let (mut ledger, mut text) = SessionLedger::open(&session);
    for event in &witness.events {
        let event = unrecorded(event);
        let effects = session.step(&event).expect("it was taken before");
        text += &ledger.lines(&event, &effects);
    }
    if session.stage() == SessionStage::Over {
        text += &ledger.close(&Seed::from_text("42").expect("a seed"), None);
    }
    text
}

fn unrecorded(event: &SessionEvent) -> SessionEvent {
    let mut event = event.clone();
    if let SessionEvent::MatchOver(over) = &mut event {
        over.record = None;
    }
    event
}

fn verified(text: &str) -> Result<croupier_session::VerifiedSession, String> {
    let file = SessionFile::read(text.as_bytes()).map_err(|error| error.to_string())?;
    verify_session(&file).map_err(|error| error.to_string())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn whatever_happens_holds_and_is_the_same_after_a_kill(
        opened in sessions(),
        choices in prop::collection::vec(any::<(u8, u16)>(), 0..80),
    ) {
        let (seats, session) = opened;
        let witness = played(seats, &session, &choices);
        witness.kill();
    }

    #[test]
    fn a_record_gives_the_session_back_and_no_line_can_be_changed(
        opened in sessions(),
        choices in prop::collection::vec(any::<(u8, u16)>(), 0..40),
        spoiled in any::<(u16, u16)>(),
    ) {
        let (seats, session) = opened;
        let witness = played(seats, &session, &choices);
        let text = record(&witness);
        let session = verified(&text).expect("as it was played").session;
        prop_assert_eq!(session.stage(), witness.session.stage());
        prop_assert_eq!(session.seats(), witness.session.seats());
        prop_assert_eq!(session.played_ms() <= witness.session.played_ms(), true);
        let is_over = session.stage() == SessionStage::Over;

        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let (first, second) = (spoiled.0 as usize % lines.len(), spoiled.1 as usize % lines.len());
        let without: String = lines.iter().enumerate().filter(|&(place, _)| place != first).map(|(_, line)| *line).collect();
        // A session that is not over may have been longer or shorter: only its last line can be taken away.
        if first + 1 < lines.len() || is_over {
            let is_refused = verified(&without).is_err();
            let is_seal = is_over && first + 1 == lines.len();
            prop_assert!(is_refused || is_seal, "line {} was taken out", first + 1);
        }
        if lines[first] != lines[second] {
            let mut swapped = lines.clone();
            swapped.swap(first, second);
            prop_assert!(verified(&swapped.concat()).is_err(), "lines {first} and {second} were swapped");
        }
        let doubled: String = lines[..=first].iter().chain(&lines[first..]).copied().collect();
        prop_assert!(verified(&doubled).is_err(), "line {} was doubled", first + 1);
    }
}

#[test]
fn the_seal_says_whose_record_it_is_and_the_seed_is_the_committed_one() {
    let witness = played(2, "until = 'matches = 3'", &[(0, 1), (0, 2), (0, 1)]);
    let text = record(&witness);
    assert!(verified(&text).is_ok_and(|session| session.seal == croupier_referee::SealCheck::FromSeed));
    let seed = Seed::from_text("42").expect("a seed").reveal();
    let other = text.replace(&seed, &Seed::from_text("43").expect("a seed").reveal());
    let refused = verified(&other).expect_err("another seed");
    assert!(refused.contains("not the one that the session was bound to"), "{refused}");
    // A match that claims to have a record needs it.
    let mut session = open(witness.session.terms());
    let (mut ledger, mut text) = SessionLedger::open(&session);
    for event in &witness.events {
        let effects = session.step(event).expect("it was taken before");
        text += &ledger.lines(event, &effects);
    }
    assert!(verified(&text).expect_err("no record").contains("match 1 has no record"));
    assert_eq!(Digest::of(b""), Digest::of_terms::<&str>(&[]));
}
