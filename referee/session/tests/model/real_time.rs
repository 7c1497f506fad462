//! A session of real-time matches, and what its record proves.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{ByPlayer, Strictness};
use croupier_referee::{
    Digest, SealCheck, Secrets, Seed,
    realtime::{Notice, Plan, RealTimeHeader, RealTimeSeat, RealTimeSetup, run_real_time},
};
use croupier_session::{
    MatchOrder, MatchOver, SeatNumber, SessionEffect, SessionEvent, SessionFile, SessionLedger, SessionState,
    SessionTerms, verify_session,
};

use crate::tables::person;

/// Swerves at an instant, or never.
struct Driver(Option<u64>);

impl RealTimeSeat for Driver {
    fn plan(&mut self, _: u64, _: Option<&Notice>) -> Plan {
        match self.0.take() {
            Some(at_us) => Plan::Move { text: "swerve".to_owned(), at_us },
            None => Plan::Wait,
        }
    }
}

/// The record of a match in which the first role swerves after so long, and the other never; and its end.
fn played(order: &MatchOrder, rules: &str, swerves_us: u64) -> (String, MatchOver) {
    let setup = RealTimeSetup {
        match_id: order.match_id.clone(),
        series: None,
        session: Some(order.place.clone()),
        rules: rules.to_owned(),
        game_name: Some("chicken".to_owned()),
        players: order.players(),
        strictness: Strictness::Compatible,
        tick_us: 1,
        updates_max: 1_000,
        time_max_us: 60_000_000,
        nonces_ms: None,
    };
    let header = Arc::new(RealTimeHeader::compile(setup).expect("a sound setup"));
    let mut seats = ByPlayer::from_fn(header.roles(), |role| {
        let is_first = header.roles().name(role) == "white";
        Box::new(Driver(is_first.then_some(swerves_us)))
    });
    let ended = run_real_time(&header, Secrets::from_seed(order.seed.clone()), &mut seats, |_| ());
    let goals = ended.end.outcome.goals().expect("the cars meet");
    let by_role = |(role, goal): (_, &croupier_engine::GoalValue)| {
        (header.roles().name(role).to_owned(), i64::from(goal.value()))
    };
    let goals: BTreeMap<String, i64> = goals.iter().map(by_role).collect();
    let record = Some(Digest::of(&ended.record));
    let over = MatchOver { index: order.index, goals: Some(goals), last: Vec::new(), record };
    (String::from_utf8(ended.record).expect("text"), over)
}

/// A session of three matches of chicken, as a file: the lines of the session, with each match before the line of its end.
fn chicken() -> (Vec<String>, Vec<String>) {
    let rules = croupier_games::find("chicken").expect("the catalogue has it").rules;
    let seed = Seed::from_text("42").expect("a seed");
    let terms = SessionTerms {
        id: "friday".to_owned(),
        game: "chicken".to_owned(),
        rules: Some(Digest::of(rules.as_bytes())),
        roles: ["white", "black"].map(str::to_owned).to_vec(),
        seats: 2,
        payoff: None,
        session: toml::from_str("until = 'matches = 3'\ntotal = 'goal'").expect("sound rules"),
    };
    let mut session = SessionState::open(terms, seed.clone()).expect("sound terms");
    let (mut ledger, first) = SessionLedger::open(&session);
    let (mut lines, mut matches) = (vec![first], Vec::new());
    let seated =
        (0..2).map(|place| SessionEvent::SeatTaken { seat: SeatNumber::at(place), holder: person(place) });
    let mut events: Vec<SessionEvent> = seated.chain([SessionEvent::Started]).rev().collect();
    while let Some(event) = events.pop() {
        let effects = session.step(&event).expect("it can happen");
        lines.push(ledger.lines(&event, &effects));
        for effect in &effects {
            let SessionEffect::Create(order) = effect else { continue };
            let (record, over) = played(order, rules, 100_000 * order.index);
            matches.push(record);
            events.push(SessionEvent::MatchOver(over));
        }
    }
    // Who swerves rotates with the roles, so that the totals are 80 + 100 + 80 and 100 + 80 + 100.
    let totals: Vec<f64> = session.seats().iter().map(|seat| session.total(seat)).collect();
    assert_eq!(totals, [260.0, 280.0]);
    lines.push(ledger.close(&seed, None));
    (lines, matches)
}

/// Everything in one file, the matches in this order before the ends of matches.
fn file(lines: &[String], matches: &[&str]) -> String {
    let mut rest = matches.iter();
    let mut text = String::new();
    for line in lines {
        if line.contains("\"event\":\"match_over\"") {
            text += rest.next().unwrap_or(&"");
        }
        text += line;
    }
    text + &rest.copied().collect::<String>()
}

fn verdict(text: &str) -> Result<usize, String> {
    let file = SessionFile::read(text.as_bytes()).map_err(|error| error.to_string())?;
    let verified = verify_session(&file).map_err(|error| error.to_string())?;
    assert_eq!(verified.seal, SealCheck::FromSeed);
    Ok(verified.matches)
}

#[test]
fn a_session_of_real_time_matches_verifies_and_no_match_can_be_dropped_doubled_swapped_or_altered() {
    let (lines, matches) = chicken();
    let [first, second, third] = [0, 1, 2].map(|place: usize| matches[place].as_str());
    assert_eq!(verdict(&file(&lines, &[first, second, third])), Ok(3));
    // Where a record stands is a matter of order alone: which match it is stands in it.
    assert_eq!(verdict(&file(&lines, &[second, first, third])), Ok(3));
    let refused = |matches: &[&str]| verdict(&file(&lines, matches)).expect_err("it was altered");
    assert!(refused(&[first, second]).contains("match 3 has no record"));
    assert!(refused(&[first, first, third]).contains("match 1 has two records"));
    let other = first.replace("\"index\":1", "\"index\":2");
    assert!(refused(&[first, &other, third]).contains("match 2"), "the first in the place of the second");
    let later = second.replace("\"at_us\":200000", "\"at_us\":300000");
    assert_ne!(later, second);
    assert!(refused(&[first, &later, third]).contains("match 2: the digest"));
}
