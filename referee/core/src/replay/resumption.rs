//! A match that is cut off after any of its lines, and resumed.

use crate::{
    chance::{Nonce, Seed},
    event::{Effect, Event, Failure, Reply, Request},
    fixture::{header, secrets},
    match_state::MatchState,
    record::{Entry, Record, SealKey, Secrets, TurnLine, read_records},
    replay::{SealCheck, replay, resume},
};
use croupier_engine::RoleId;

/// The replies of the fixture's players to each request; alice adds a nonce to the seed.
fn reply(role: &str, to: Request) -> Reply {
    match (role, to) {
        ("alice", Request::Start) => Reply::Ready(Nonce([7; 32])),
        ("bob", Request::Start) => Reply::Text("READY".to_owned()),
        (_, Request::Play { turn: 0 }) => Reply::Text("noop".to_owned()),
        ("alice", _) => Reply::Text("raise".to_owned()),
        _ => Reply::Failed(Failure::TooLarge),
    }
}

/// Carries out a match's effects and answers its requests, until it is over or has the maximum number of lines.
fn drive(state: &mut MatchState, mut effects: Vec<Effect>, lines: &mut Vec<String>, lines_max: usize) {
    loop {
        for effect in std::mem::take(&mut effects) {
            match effect {
                Effect::Append(line) => lines.push(line),
                Effect::Send { .. } | Effect::Signal(_) => {}
                Effect::Finish { .. } => return,
            }
            if lines.len() == lines_max {
                return;
            }
        }
        let (to, sent_ms) = state.request().expect("a match that is not over waits for somebody");
        let role: RoleId = *state.awaited().first().expect("somebody is waited for");
        let reply = reply(header().role_name(role), to);
        effects = state.step(sent_ms + 5, Event::Reply { role, to, reply });
    }
}

fn whole() -> Vec<String> {
    whole_of(secrets("42"))
}

fn whole_of(secrets: Secrets) -> Vec<String> {
    let mut state = MatchState::new(header(), secrets);
    let begun = state.step(0, Event::Begin);
    let mut lines = Vec::new();
    drive(&mut state, begun, &mut lines, usize::MAX);
    lines
}

fn record(lines: &[String]) -> Record {
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    read_records(text.as_bytes()).unwrap().remove(0)
}

/// The events of a record, but for those of interruptions and the seal, which signs the chain.
fn events(lines: &[String]) -> Vec<Entry> {
    let record = record(lines);
    let entries = record.lines().iter().map(|line| line.entry.clone());
    entries
        .filter(|entry| !matches!(entry, Entry::Own(TurnLine::Resume { .. }) | Entry::Seal { .. }))
        .collect()
}

#[test]
fn a_match_goes_on_from_every_line_to_the_end_it_would_have_had() {
    let whole = whole();
    assert!(matches!(replay(&record(&whole)).unwrap().seal(), SealCheck::FromSeed));
    for cut in 1..whole.len() {
        let mut lines = whole[..cut].to_vec();
        let (mut state, effects) = resume(&record(&lines), &header(), secrets("42")).unwrap();
        let is_over = state.outcome().is_some();
        let mut all = effects;
        all.extend(state.step(10_000, Event::Resume { epoch: 2 }));
        drive(&mut state, all, &mut lines, usize::MAX);
        assert_eq!(events(&lines), events(&whole), "cut off after line {cut}");
        let resumed = lines.iter().filter(|line| line.contains("\"event\":\"resume\"")).count();
        assert_eq!(resumed, usize::from(!is_over), "cut off after line {cut}");
        let replayed = replay(&record(&lines)).unwrap();
        assert_eq!(replayed.seal(), SealCheck::FromSeed);
    }
}

#[test]
fn a_match_that_is_interrupted_again_and_again_loses_nothing() {
    let whole = whole();
    let mut lines = Vec::new();
    let mut state = MatchState::new(header(), secrets("42"));
    let begun = state.step(0, Event::Begin);
    drive(&mut state, begun, &mut lines, 1);
    for epoch in 2.. {
        let (mut state, mut effects) = resume(&record(&lines), &header(), secrets("42")).unwrap();
        effects.extend(state.step(epoch * 10_000, Event::Resume { epoch }));
        let limit = lines.len() + 2;
        drive(&mut state, effects, &mut lines, limit);
        if lines.last().is_some_and(|line| line.contains("\"event\":\"seal\"")) {
            break;
        }
    }
    assert_eq!(events(&lines), events(&whole));
    assert!(replay(&record(&lines)).is_ok());
}

#[test]
fn only_the_secrets_of_a_match_let_it_go_on() {
    let lines = whole();
    for cut in 1..lines.len() {
        assert!(resume(&record(&lines[..cut]), &header(), secrets("43")).is_err(), "line {cut}");
    }
}

#[test]
fn a_match_that_another_key_has_sealed_already_is_over_and_one_that_it_has_not_is_sealed_with_this_key() {
    let other = Secrets { seal_key: SealKey::from_bytes(&[7; 32]), ..secrets("42") };
    let lines = whole_of(other);
    let (state, effects) = resume(&record(&lines), &header(), secrets("42")).unwrap();
    assert!(state.outcome().is_some() && matches!(effects[..], [Effect::Finish { .. }]), "{effects:?}");
    let (_, effects) = resume(&record(&lines[..lines.len() - 1]), &header(), secrets("42")).unwrap();
    let [Effect::Append(seal), Effect::Finish { .. }] = &effects[..] else { panic!("{effects:?}") };
    assert_eq!(Some(seal), whole().last());
    // A seal that nobody made is none.
    let signature = |line: &str| line.split("\"signature\":").nth(1).unwrap().to_owned();
    let mut forged = lines.clone();
    let last = forged.last_mut().unwrap();
    *last = last.replace(&signature(last), &signature(whole().last().unwrap()));
    let error = resume(&record(&forged), &header(), secrets("42")).unwrap_err();
    assert_eq!(error.field, "signature");
}

#[test]
fn what_is_dealt_follows_from_the_seed_and_every_nonce() {
    let seed = Seed::from_text("42").unwrap();
    let (one, other) = (Nonce([1; 32]), Nonce([2; 32]));
    let joined = [
        seed.clone(),
        seed.joined(&[("alice", one)]),
        seed.joined(&[("alice", other)]),
        seed.joined(&[("bob", one)]),
        seed.joined(&[("alice", one), ("bob", other)]),
        seed.joined(&[("alice", other), ("bob", one)]),
    ];
    for (place, seed) in joined.iter().enumerate() {
        assert!(joined[..place].iter().all(|earlier| earlier.reveal() != seed.reveal()), "{place}");
    }
    // The nonce stands under the seal: another one gives other draws, or at least another chain.
    let lines = whole();
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    assert!(text.contains(&"07".repeat(32)));
    let forged = text.replace(&"07".repeat(32), &"08".repeat(32));
    assert!(replay(&read_records(forged.as_bytes()).unwrap()[0]).is_err());
    // A record that was cut off before its seed is revealed still replays.
    assert_eq!(replay(&record(&lines[..lines.len() - 2])).unwrap().seal(), SealCheck::Missing);
}
