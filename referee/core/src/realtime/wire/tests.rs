//! Messages come back as they were written, in both forms; what is hostile is refused; notices lose nothing on the way.

use std::collections::BTreeMap;

use croupier_engine::Limits;
use proptest::prelude::*;

use super::*;
use crate::realtime::{
    MoveStatus, Notice,
    tests::{CHICKEN, FUSE, header, heard_in},
};

const LIMITS: &Limits = &Limits::STANDARD;

fn term() -> impl Strategy<Value = String> {
    let leaf = "[a-z][a-z0-9_]{0,6}|[0-9]{1,4}(\\.[1-9])?|nil";
    leaf.prop_recursive(3, 12, 3, |inner| {
        ("[a-z]{1,5}", prop::collection::vec(inner, 1..4))
            .prop_map(|(name, arguments)| format!("({name} {})", arguments.join(" ")))
    })
}

fn number() -> impl Strategy<Value = u64> {
    prop_oneof![0..1000_u64, 0..=NUMBER_MAX, Just(NUMBER_MAX)]
}

fn status() -> impl Strategy<Value = MoveStatus> {
    prop::sample::select(MoveStatus::ALL.to_vec())
}

fn message() -> impl Strategy<Value = RealTimeMessage> {
    let clocks = (1..=NUMBER_MAX, 1..u32::MAX, number(), number());
    let commitment = prop::option::of("[0-9a-f]{64}");
    let start = ("[a-zA-Z0-9_.-]{1,20}", term(), prop::collection::vec(term(), 1..5), clocks, commitment);
    let start = start.prop_map(|(match_id, role, rules, clocks, commitment)| RealTimeMessage::Start {
        match_id,
        role,
        rules: rules.join(" "),
        tick_us: clocks.0,
        opening: Opening { speed_permille: clocks.1, start_clock_ms: clocks.2, commitment, signed: None },
        now_us: clocks.3,
    });
    let moves = prop::collection::btree_map(term(), term(), 0..4).prop_map(Seen::Moves);
    let percepts = (prop::option::of(term()), prop::collection::vec(term(), 0..4))
        .prop_map(|(own_move, percepts)| Seen::Percepts { own_move, percepts });
    let event = (number(), prop_oneof![moves, percepts])
        .prop_map(|(at_us, seen)| RealTimeMessage::Event { at_us, seen });
    let received = (number(), number(), number(), any::<bool>(), status()).prop_map(
        |(id, at_us, other_us, is_held, status)| {
            let arrived_us = if is_held { other_us } else { at_us };
            RealTimeMessage::Received { id, at_us, arrived_us, status }
        },
    );
    let goals = prop::option::of(prop::collection::btree_map(term(), 0..=100_i32, 0..4));
    let stop = (number(), goals).prop_map(|(at_us, goals)| RealTimeMessage::Stop { at_us, goals });
    let clock = number().prop_map(|now_us| RealTimeMessage::Clock { now_us });
    prop_oneof![start, clock, event, received, stop]
}

fn said() -> impl Strategy<Value = RealTimeSaid> {
    let moves = (number(), term(), prop::option::of(number()))
        .prop_map(|(id, text, not_before_us)| RealTimeSaid::Move { id, text, not_before_us });
    let ready = proptest::option::of(any::<[u8; 32]>())
        .prop_map(|bytes| RealTimeSaid::Ready { commitment: bytes.map(crate::Digest) });
    let reveals = any::<[u8; 32]>().prop_map(|bytes| RealTimeSaid::Reveal { nonce: crate::Nonce(bytes) });
    prop_oneof![ready, reveals, moves]
}

proptest! {
    #[test]
    fn messages_of_the_referee_come_back_from_both_forms(message in message()) {
        let json = message.to_json();
        prop_assert_eq!(RealTimeMessage::read_json(json.as_bytes(), LIMITS), Ok(message.clone()));
        let match_id = match &message {
            RealTimeMessage::Start { match_id, .. } => match_id.clone(),
            _ => "m.1".to_owned(),
        };
        let text = message.to_prefix(&match_id);
        prop_assert_eq!(RealTimeMessage::read_prefix(&text, LIMITS), Ok((match_id, message)));
    }

    #[test]
    fn what_players_say_comes_back_from_both_forms(said in said()) {
        prop_assert_eq!(RealTimeSaid::read_json(said.to_json().as_bytes()), Ok(said.clone()));
        prop_assert_eq!(RealTimeSaid::read_prefix(&said.to_prefix("m.1"), LIMITS), Ok(("m.1".to_owned(), said)));
    }

    #[test]
    fn damaged_messages_are_read_or_refused_and_nothing_worse(
        message in message(), place in any::<prop::sample::Index>(), with in any::<char>(),
    ) {
        for text in [message.to_json(), message.to_prefix("m")] {
            let mut letters: Vec<char> = text.chars().collect();
            let place = place.index(letters.len());
            letters[place] = with;
            let damaged: String = letters.iter().collect();
            let _ = RealTimeMessage::read_json(damaged.as_bytes(), LIMITS);
            let _ = RealTimeMessage::read_prefix(&damaged, LIMITS);
            let cut: String = letters[..place].iter().collect();
            prop_assert!(RealTimeMessage::read_json(cut.as_bytes(), LIMITS).is_err());
            prop_assert!(RealTimeMessage::read_prefix(&cut, LIMITS).is_err());
        }
    }
}

#[test]
fn the_frames_are_those_of_the_table() {
    let moves = BTreeMap::from([("black".to_owned(), "swerve".to_owned())]);
    let percepts =
        Seen::Percepts { own_move: Some("take".to_owned()), percepts: vec!["(price 3)".to_owned()] };
    let received = |arrived_us, status| RealTimeMessage::Received { id: 4, at_us: 60, arrived_us, status };
    for (message, json, prefix) in [
        (RealTimeMessage::Clock { now_us: 0 }, r#"{"type":"clock","now_us":0}"#, "(CLOCK m.1 0)"),
        (
            RealTimeMessage::Event { at_us: 5, seen: Seen::Moves(moves) },
            r#"{"type":"event","at_us":5,"moves":{"black":"swerve"}}"#,
            "(EVENT m.1 5 ((black swerve)))",
        ),
        (
            RealTimeMessage::Event { at_us: 5, seen: percepts },
            r#"{"type":"event","at_us":5,"move":"take","percepts":["(price 3)"]}"#,
            "(EVENT m.1 5 take ((price 3)))",
        ),
        (
            received(60, MoveStatus::Legal),
            r#"{"type":"received","id":4,"at_us":60,"accepted":true}"#,
            "(RECEIVED m.1 4 60)",
        ),
        (
            received(51, MoveStatus::Second),
            r#"{"type":"received","id":4,"at_us":60,"arrived_us":51,"accepted":false,"status":"second"}"#,
            "(RECEIVED m.1 4 60 second 51)",
        ),
        (
            RealTimeMessage::Stop { at_us: 9, goals: Some(BTreeMap::from([("white".to_owned(), 90)])) },
            r#"{"type":"stop","at_us":9,"goals":{"white":90}}"#,
            "(STOP m.1 9 ((white 90)))",
        ),
        (RealTimeMessage::Stop { at_us: 9, goals: None }, r#"{"type":"stop","at_us":9}"#, "(STOP m.1 9 NIL)"),
    ] {
        assert_eq!((message.to_json().as_str(), message.to_prefix("m.1").as_str()), (json, prefix));
    }
    let said = RealTimeSaid::Move { id: 0, text: "swerve".to_owned(), not_before_us: Some(7) };
    assert_eq!(said.to_json(), r#"{"type":"move","id":0,"move":"swerve","not_before_us":7}"#);
    assert_eq!(said.to_prefix("m.1"), "(MOVE m.1 0 swerve 7)");
}

#[test]
fn what_is_hostile_is_refused_with_its_reason() {
    let long = format!("{{\"type\":\"move\",\"id\":1,\"move\":\"{}\"}}", "a".repeat(SAID_BYTES_MAX));
    let deep = "[".repeat(10_000);
    for (text, code) in [
        ("", "not-a-frame"),
        ("{}", "not-a-frame"),
        (&*deep, "not-a-frame"),
        (&*long, "too-long"),
        (r#"{"type":"move","id":1}"#, "not-a-frame"),
        (r#"{"type":"move","id":-1,"move":"a"}"#, "not-a-frame"),
        (r#"{"type":"move","id":1.5,"move":"a"}"#, "not-a-frame"),
        (r#"{"type":"move","id":9007199254740992,"move":"a"}"#, "unreadable-part"),
        (r#"{"type":"move","id":1,"move":"a","not_before_us":9007199254740992}"#, "unreadable-part"),
        (r#"{"type":"move","id":1,"move":"a","role":"white"}"#, "not-a-frame"),
        (r#"{"type":"move","id":1,"id":2,"move":"a"}"#, "not-a-frame"),
        (r#"{"type":"event","at_us":1,"percepts":[]}"#, "not-a-frame"),
    ] {
        assert_eq!(
            RealTimeSaid::read_json(text.as_bytes()).map_err(|error| error.code()),
            Err(code),
            "{text:.60}"
        );
    }
    for (text, code) in [
        (r#"{"type":"event","at_us":1,"moves":{},"percepts":[]}"#, "not-a-frame"),
        (r#"{"type":"event","at_us":1,"percepts":["(a ?x)"]}"#, "unreadable-part"),
        (r#"{"type":"event","at_us":1,"percepts":["a b"]}"#, "unreadable-part"),
        (r#"{"type":"event","at_us":1,"percepts":["A"]}"#, "unreadable-part"),
        (r#"{"type":"received","id":1,"at_us":1,"accepted":true,"status":"illegal"}"#, "not-a-frame"),
        (r#"{"type":"received","id":1,"at_us":1,"accepted":true,"status":"great"}"#, "not-a-frame"),
        (r#"{"type":"start","match":"m"}"#, "not-a-frame"),
        (r#"{"type":"clock","now_us":18446744073709551616}"#, "not-a-frame"),
    ] {
        let read = RealTimeMessage::read_json(text.as_bytes(), LIMITS);
        assert_eq!(read.map_err(|error| error.code()), Err(code), "{text}");
    }
    for (text, code) in [
        ("", "not-a-list"),
        ("(EVENT m 1 (", "not-a-list"),
        ("(EVENT m 1 ()) (EVENT m 2 ())", "not-a-list"),
        ("()", "not-a-list"),
        ("(PLAY m NIL)", "unknown-kind"),
        ("(EVENT)", "wrong-parts"),
        ("(EVENT m)", "wrong-parts"),
        ("(EVENT (m) 1 ())", "unreadable-part"),
        ("(EVENT m +1 ())", "unreadable-part"),
        ("(EVENT m 1 ((white a) (white b)))", "unreadable-part"),
        ("(EVENT m 1 (white a))", "unreadable-part"),
        ("(EVENT m 1 ?x ())", "unreadable-part"),
        ("(RECEIVED m 1 2 fine 3)", "unreadable-part"),
        ("(STOP m 1 ((white many)))", "unreadable-part"),
        ("(MOVE m 1 a)", "unknown-kind"),
    ] {
        let read = RealTimeMessage::read_prefix(text, LIMITS);
        assert_eq!(read.map_err(|error| error.code()), Err(code), "{text}");
    }
}

#[test]
fn notices_lose_nothing_on_the_way_and_the_rules_stay_the_same_game() {
    for rules in [CHICKEN, FUSE] {
        let header = header(rules, 50_000);
        for role in header.roles().players() {
            let name = header.roles().name(role);
            let opening = Opening { speed_permille: 1000, start_clock_ms: 0, commitment: None, signed: None };
            let RealTimeMessage::Start { rules: sent, .. } = RealTimeMessage::start(&header, name, opening)
            else {
                panic!("no start")
            };
            let game = croupier_engine::realtime::RealTimeGame::compile(&sent, &header.setup().options());
            let game = game.expect("the same rules").game;
            assert_eq!(game.has_full_sight(), header.game().has_full_sight());
            assert_eq!(
                game.state_terms(game.initial_state()),
                header.game().state_terms(header.game().initial_state())
            );
            let heard = heard_in(&header, role);
            assert!(heard.iter().any(|notice| matches!(notice, Notice::Event { .. })), "{heard:?}");
            for notice in heard {
                let message = RealTimeMessage::of(&header, &notice);
                let is_open = matches!(&message, RealTimeMessage::Event { seen: Seen::Moves(_), .. });
                assert_eq!(is_open, rules == CHICKEN && matches!(notice, Notice::Event { .. }));
                let read = RealTimeMessage::read_json(message.to_json().as_bytes(), LIMITS).expect("a frame");
                let back = read.notice(name).expect("a notice");
                assert_eq!(RealTimeMessage::of(&header, &back), message);
                // Goals come in the order of names.
                assert!(back == notice || matches!(back, Notice::Stop { .. }), "{back:?} {notice:?}");
            }
        }
    }
}
