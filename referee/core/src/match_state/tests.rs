//! Events in any order, and what follows which.

use std::collections::BTreeSet;

use proptest::prelude::*;

use crate::{
    fixture::{header, secrets, setup},
    header::{Clocks, MatchSetup},
    record::read_records,
    replay::{SealCheck, replay},
    view::Message,
};

use super::*;

const START: Request = Request::Start;

fn role(name: &str) -> RoleId {
    header().roles().find(name).unwrap()
}

fn text(role: RoleId, to: Request, text: &str) -> Event {
    Event::Reply { role, to, reply: Reply::Text(text.to_owned()) }
}

fn play(turn: u32) -> Request {
    Request::Play { turn }
}

fn words(effects: &[Effect]) -> Vec<String> {
    let word = |effect: &Effect| match effect {
        Effect::Append(line) => {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            line["event"].as_str().unwrap().to_owned()
        }
        Effect::Send { message, .. } => message.to_string().split(' ').next().unwrap().to_owned(),
        Effect::Signal(Timer { at_ms, .. }) => format!("timer {at_ms}"),
        Effect::Finish { .. } => "finish".to_owned(),
    };
    effects.iter().map(word).collect()
}

fn begun() -> MatchState {
    let mut state = MatchState::new(header(), secrets("42"));
    let effects = state.step(100, Event::Begin);
    assert_eq!(words(&effects), ["genesis", "(START", "(START", "timer 6600"]);
    state
}

#[test]
fn nothing_is_told_before_what_it_depends_on_is_in_the_record() {
    let (alice, bob) = (role("alice"), role("bob"));
    let mut state = begun();
    assert_eq!(words(&state.step(150, text(alice, START, "ready"))), ["ready"]);
    let effects = state.step(200, text(bob, START, "READY"));
    assert_eq!(words(&effects), ["ready", "(PLAY", "(PLAY", "timer 3200"]);
    assert_eq!(words(&state.step(210, text(bob, play(0), "noop"))), ["reply"]);
    let effects = state.step(220, text(alice, play(0), "noop"));
    assert_eq!(words(&effects), ["reply", "draw", "turn", "(PLAY", "(PLAY", "timer 3220"]);
    let effects = state.step(3220, Event::Deadline { of: play(1) });
    assert_eq!(
        words(&effects),
        ["reply", "reply", "substitute", "substitute", "draw", "turn", "(PLAY", "(PLAY", "timer 6220"]
    );
    state.step(4000, text(alice, play(2), "raise"));
    let effects = state.step(4001, text(bob, play(2), "hold"));
    assert_eq!(
        words(&effects),
        ["reply", "draw", "turn", "end", "(STOP", "(STOP", "reveal", "seal", "finish"]
    );
    assert_eq!(state.outcome().map(Outcome::turns), Some(3));
}

#[test]
fn replies_that_nobody_waits_for_change_nothing() {
    let (alice, bob) = (role("alice"), role("bob"));
    let mut state = begun();
    let nothing: Vec<String> = Vec::new();
    assert_eq!(words(&state.step(110, text(alice, play(0), "noop"))), nothing);
    assert_eq!(words(&state.step(110, text(alice, START, "ready"))), ["ready"]);
    assert_eq!(words(&state.step(110, text(alice, START, "ready"))), nothing);
    assert_eq!(words(&state.step(110, text(role("random"), START, "ready"))), nothing);
    assert_eq!(words(&state.step(110, text(RoleId::new(99).unwrap(), START, "ready"))), nothing);
    assert_eq!(words(&state.step(110, Event::Deadline { of: play(0) })), nothing);
    assert_eq!(words(&state.step(110, Event::Begin)), nothing);
    state.step(120, Event::Deadline { of: START });
    assert_eq!(state.awaited(), [alice, bob]);
    assert_eq!(words(&state.step(130, text(bob, START, "ready"))), nothing);
    assert_eq!(words(&state.step(130, text(bob, play(1), "noop"))), nothing);
    assert_eq!(words(&state.step(130, text(bob, play(0), "noop"))), ["reply"]);
    assert_eq!(words(&state.step(130, text(bob, play(0), "raise"))), nothing);
    state.step(140, Event::Abort);
    for event in [Event::Abort, Event::Begin, text(alice, play(0), "noop"), Event::Deadline { of: play(0) }] {
        assert_eq!(words(&state.step(150, event)), nothing);
    }
}

#[test]
fn a_reply_counts_to_the_last_millisecond_of_clock_and_grace() {
    for (at_ms, expected) in [(8200, "\"legal\""), (8201, "\"timeout\"")] {
        let mut state = begun();
        state.step(5200, Event::Deadline { of: START });
        let effects = state.step(at_ms, text(role("bob"), play(0), "noop"));
        assert!(matches!(&effects[0], Effect::Append(line) if line.contains(expected)), "{at_ms}");
    }
}

#[test]
fn the_grace_after_a_clock_is_an_option_of_the_match_and_is_in_its_record() {
    let of = |clocks| Arc::new(Header::compile(MatchSetup { clocks, ..setup() }).unwrap());
    let short = of(Clocks { grace_ms: 250, ..setup().clocks });
    for (at_ms, expected) in [(7450, "\"legal\""), (7451, "\"timeout\"")] {
        let mut state = MatchState::new(Arc::clone(&short), secrets("42"));
        let effects = state.step(100, Event::Begin);
        assert_eq!(words(&effects)[3], "timer 5850", "100 + 5500 + 250");
        assert!(matches!(&effects[0], Effect::Append(line) if line.contains("\"grace_ms\":250")));
        state.step(5200, Event::Deadline { of: START });
        let effects = state.step(at_ms, text(role("bob"), play(0), "noop"));
        assert!(matches!(&effects[0], Effect::Append(line) if line.contains(expected)), "{at_ms}");
    }
    // A record of the usual second is the same to the byte as before there was a choice.
    let effects = MatchState::new(header(), secrets("42")).step(100, Event::Begin);
    assert!(matches!(&effects[0], Effect::Append(line) if !line.contains("grace_ms")));
    // Whoever reads the record knows it: a replay judges by it, or the seal would not fit.
    let written = crate::fixture::play(&short, "42", [Vec::new(), Vec::new()], |_, _| {}).record;
    let replay = replay(&read_records(&written).unwrap()[0]).unwrap();
    assert_eq!(replay.header().clocks().grace_ms, 250);
}

#[test]
fn a_match_whose_player_cannot_be_had_is_void_and_its_record_verifies() {
    let (alice, bob) = (role("alice"), role("bob"));
    let void = |role| Event::Void { role, failure: Failure::Busy };
    let mut state = MatchState::new(header(), secrets("42"));
    let mut effects = state.step(0, Event::Begin);
    effects.extend(state.step(5, text(alice, START, "ready")));
    assert_eq!(words(&state.step(6, void(role("random")))), Vec::<String>::new(), "nobody plays random");
    effects.extend(state.step(7, void(bob)));
    assert_eq!(
        words(&effects[4..]),
        ["ready", "end", "(ABORT", "(ABORT", "reveal", "seal", "finish"],
        "everyone who was started is told"
    );
    let outcome = Outcome::Void { role: bob, failure: Failure::Busy };
    assert_eq!(state.outcome(), Some(&outcome));
    assert_eq!((outcome.status(), outcome.turns(), outcome.goals()), ("void", 0, None));
    let lines = effects.iter().filter_map(|effect| match effect {
        Effect::Append(line) => Some(format!("{line}\n")),
        _ => None,
    });
    let record = lines.collect::<String>();
    assert!(record.contains("\"error\":\"busy\",\"event\":\"end\""), "{record}");
    let replay = replay(&read_records(record.as_bytes()).unwrap()[0]).unwrap();
    assert_eq!((replay.outcome(), replay.seal()), (Some(&outcome), SealCheck::FromSeed));
}

#[test]
fn a_match_that_has_begun_is_void_no_more() {
    let mut state = begun();
    state.step(200, Event::Deadline { of: START });
    let void = Event::Void { role: role("bob"), failure: Failure::ConnectError };
    assert_eq!(state.step(300, void), []);
    assert_eq!(state.request(), Some((play(0), 200)));
}

#[test]
fn a_match_that_never_began_has_a_record_that_says_so_and_reveals_its_seed_and_tells_nobody_else() {
    let mut state = MatchState::new(header(), secrets("42"));
    let effects = state.step(0, Event::Abort);
    let (finish, lines) = effects.split_last().unwrap();
    assert_eq!(*finish, Effect::Finish { outcome: Outcome::Aborted { turns: 0 } });
    let lines: Vec<&str> = lines
        .iter()
        .map(|effect| if let Effect::Append(line) = effect { line.as_str() } else { panic!("{effect:?}") })
        .collect();
    let record = read_records(lines.join("\n").as_bytes()).unwrap();
    let replayed = replay(&record[0]).unwrap();
    assert_eq!(replayed.outcome(), Some(&Outcome::Aborted { turns: 0 }));
    assert_eq!(replayed.seed().map(crate::Seed::reveal), Some(secrets("42").seed.reveal()));
    assert_eq!(state.step(0, Event::Begin), []);
}

#[test]
fn a_game_that_is_over_at_once_is_started_and_stopped() {
    let rules = "(role alice) (role bob) (init over) (legal alice noop) (legal bob noop)
        (<= terminal (true over)) (goal alice 70) (goal bob 30)";
    let header = Arc::new(Header::compile(MatchSetup { rules: rules.to_owned(), ..setup() }).unwrap());
    let mut state = MatchState::new(header, secrets("1"));
    state.step(0, Event::Begin);
    let effects = state.step(0, Event::Deadline { of: START });
    let stop = effects.iter().find_map(|effect| match effect {
        Effect::Send { message, .. } => Some(message.to_string()),
        _ => None,
    });
    assert_eq!(stop.as_deref(), Some("(STOP cards.1 0 NIL NIL)"));
}

#[test]
fn a_game_without_sees_is_sent_with_the_rule_of_full_sight() {
    let rules = "(role alice) (role bob) (init (n 1)) (<= (legal ?r go) (role ?r) (true (n 1)))
        (<= (next over) (does alice go)) (<= terminal (true over)) (goal alice 70) (goal bob 30)";
    let header = Arc::new(Header::compile(MatchSetup { rules: rules.to_owned(), ..setup() }).unwrap());
    assert!(header.rules_line().ends_with("(goal bob 30) (<= (sees ?r (did ?q ?m)) (role ?r) (does ?q ?m))"));
    let mut state = MatchState::new(header, secrets("1"));
    state.step(0, Event::Begin);
    state.step(0, Event::Deadline { of: START });
    let effects = state.step(0, Event::Deadline { of: play(0) });
    let told: Vec<String> = effects
        .iter()
        .filter_map(|effect| match effect {
            Effect::Send { message, .. } => Some(message.to_string()),
            _ => None,
        })
        .collect();
    assert_eq!(told, ["(STOP cards.1 1 go ((did alice go) (did bob go)))"; 2]);
}

fn any_event() -> impl Strategy<Value = Event> {
    let role = (0_usize..5).prop_map(|index| RoleId::new(index).unwrap());
    let request = prop_oneof![Just(START), (0_u32..4).prop_map(play)];
    let texts = ["READY", "noop", "raise", "(hold)", "(", "?x", "(deal 1 2)", ""];
    let reply = prop_oneof![
        4 => prop::sample::select(texts.to_vec()).prop_map(|text| Reply::Text(text.to_owned())),
        1 => ".*".prop_map(Reply::Text),
        1 => prop::sample::select(vec![
            Failure::Timeout,
            Failure::ConnectError,
            Failure::TooLarge,
            Failure::Malformed,
            Failure::Busy,
            Failure::PlayerError,
        ])
        .prop_map(Reply::Failed),
    ];
    let void = (role.clone(), prop::sample::select(Failure::ALL.to_vec()));
    prop_oneof![
        2 => Just(Event::Begin),
        20 => (role, request.clone(), reply).prop_map(|(role, to, reply)| Event::Reply { role, to, reply }),
        3 => request.prop_map(|of| Event::Deadline { of }),
        1 => Just(Event::Abort),
        1 => void.prop_map(|(role, failure)| Event::Void { role, failure }),
    ]
}

fn any_time() -> impl Strategy<Value = u64> {
    prop_oneof![10 => 0_u64..20_000, 1 => any::<u64>()]
}

proptest! {
    /// Whatever happens in whatever order: no panic, no role told two things in a turn, and a record that replays.
    #[test]
    fn no_order_of_events_breaks_a_match(
        events in prop::collection::vec((any_time(), any_event()), 0..60),
        seed: u32,
    ) {
        let header = header();
        let mut state = MatchState::new(Arc::clone(&header), secrets(&seed.to_string()));
        let mut record = String::new();
        let mut told: BTreeSet<(RoleId, String)> = BTreeSet::new();
        let mut messages = ByPlayer::from_fn(header.roles(), |_| Vec::new());
        for (now_ms, event) in events {
            for effect in state.step(now_ms, event) {
                match effect {
                    Effect::Append(line) => record.push_str(&(line + "\n")),
                    Effect::Send { role, message } => {
                        let kind = match &message {
                            Message::Play { turn, .. } => format!("play {turn}"),
                            other => other.to_string().split(' ').next().unwrap().to_owned(),
                        };
                        prop_assert!(told.insert((role, kind)));
                        messages[role].push(message);
                    }
                    Effect::Signal(_) | Effect::Finish { .. } => {}
                }
            }
        }
        let records = read_records(record.as_bytes()).unwrap();
        for record in &records {
            let replay = replay(record).unwrap();
            prop_assert_eq!(replay.outcome(), state.outcome());
            prop_assert_eq!(replay.conducts(), state.conducts());
            prop_assert_eq!(replay.seal() == SealCheck::Missing, state.outcome().is_none());
            // Of a match that was ended before it began, nobody was told anything.
            let has_begun = messages.iter().any(|(_, messages)| !messages.is_empty());
            for (role, messages) in messages.iter().filter(|_| has_begun) {
                prop_assert_eq!(replay.messages(role), messages.as_slice());
            }
        }
    }
}
