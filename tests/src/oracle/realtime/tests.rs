//! The real-time oracle against the paper's game, and against models worked out by hand.

use std::collections::BTreeMap;

use croupier_engine::{Limits, stages::syntax};

use super::{Consequence, Lifetime, RealTimeOracle, State, canonical_numeral, chicken};
use crate::oracle::{OracleError, Terms, View};

type Moves = BTreeMap<String, String>;

const SECOND: u64 = 1_000_000;

fn oracle(rules: &str) -> RealTimeOracle {
    let reading = syntax::read(rules, syntax::Syntax::Auto, &Limits::STANDARD);
    assert_eq!(reading.diagnostics, [], "the text of a test has no slips");
    RealTimeOracle::new(&reading.description).expect("sound rules")
}

fn terms(texts: &[&str]) -> Terms {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn state(pairs: &[(&str, &str)]) -> State {
    let pair = |&(lifetime, fluent): &(&str, &str)| {
        (Lifetime::read(lifetime).expect("a lifetime"), fluent.to_owned())
    };
    pairs.iter().map(pair).collect()
}

fn moves(pairs: &[(&str, &str)]) -> Moves {
    pairs.iter().map(|(role, played)| ((*role).to_owned(), (*played).to_owned())).collect()
}

fn update(rules: &str, from: &[(&str, &str)], elapsed: u64, played: &[(&str, &str)]) -> Consequence {
    oracle(rules).update(&state(from), elapsed, &moves(played)).expect("a consequence")
}

/// Plays moves at their instants, each after what expires before it, until the match is over.
fn play(oracle: &RealTimeOracle, mut schedule: BTreeMap<u64, Moves>) -> (u64, View) {
    let (mut now, mut state, mut expired) = (0, oracle.initial_state().expect("a state"), Terms::new());
    loop {
        let view = oracle.view(&state, &expired).expect("a view");
        if view.is_terminal {
            return (now, view);
        }
        let expiry = RealTimeOracle::next_expiry(&state).map(|elapsed| now + elapsed);
        let next_move = schedule.keys().next().copied();
        let instant = expiry.into_iter().chain(next_move).min().expect("something happens");
        let played = schedule.remove(&instant).unwrap_or_default();
        for (role, played) in &played {
            assert!(view.legal[role].contains(played), "{role} may {played} at {instant}");
        }
        let consequence = oracle.update(&state, instant - now, &played).expect("a consequence");
        (now, state, expired) = (instant, consequence.successor, consequence.expired);
    }
}

#[test]
fn chicken_pays_by_who_swerves_until_the_second_is_over_whenever_that_is() {
    let quarters = [1, 2, 3].map(|quarter| Some(quarter * SECOND / 4));
    let edges = [None, Some(1), Some(SECOND - 1), Some(SECOND)];
    let instants = [&edges[..], &quarters[..]].concat();
    for oracle in [chicken::PREFIX, chicken::INFIX].map(oracle) {
        for white in &instants {
            for black in &instants {
                let mut schedule: BTreeMap<u64, Moves> = BTreeMap::new();
                for (role, instant) in [("white", white), ("black", black)] {
                    if let Some(instant) = instant {
                        schedule.entry(*instant).or_default().extend(moves(&[(role, "swerve")]));
                    }
                }
                let (end, view) = play(&oracle, schedule);
                let expected = match (white, black) {
                    (None, None) => ["0", "0"],
                    (Some(_), None) => ["80", "100"],
                    (None, Some(_)) => ["100", "80"],
                    (Some(_), Some(_)) => ["90", "90"],
                };
                let goals = ["white", "black"].map(|role| view.goals[role].clone());
                assert_eq!(goals, expected.map(|value| terms(&[value])), "{white:?} {black:?}");
                assert_eq!(end, SECOND);
            }
        }
    }
}

#[test]
fn both_transcriptions_of_chicken_are_one_game() {
    let [prefix, infix] = [chicken::PREFIX, chicken::INFIX].map(|text| {
        let reading = syntax::read(text, syntax::Syntax::Auto, &Limits::STANDARD);
        (reading.syntax, syntax::print_description(&reading.description))
    });
    assert_eq!([prefix.0, infix.0], [syntax::Syntax::Prefix, syntax::Syntax::Infix]);
    assert_eq!(prefix.1, infix.1);
}

#[test]
fn who_has_swerved_has_no_further_move_and_the_timer_runs_on() {
    let oracle = oracle(chicken::PREFIX);
    let initial = oracle.initial_state().expect("a state");
    let both = [("infinity", "(dir black straight)"), ("infinity", "(dir white straight)"), ("1", "timer")];
    assert_eq!(initial, state(&both));
    assert_eq!(RealTimeOracle::next_expiry(&initial), Some(SECOND));
    let consequence = oracle.update(&initial, 250_000, &moves(&[("white", "swerve")])).expect("an update");
    let swerved =
        [("infinity", "(dir black straight)"), ("infinity", "(dir white swerve)"), ("0.75", "timer")];
    assert_eq!(consequence.successor, state(&swerved));
    assert_eq!(consequence.expired, terms(&[]));
    let view = oracle.view(&consequence.successor, &consequence.expired).expect("a view");
    assert_eq!(view.legal["white"], terms(&[]));
    assert_eq!(view.legal["black"], terms(&["swerve"]));
    assert!(!view.is_terminal);
}

#[test]
fn a_fluent_with_two_lifetimes_expires_while_it_is_true() {
    let rules = "(role a) (init 1 lamp) (init 2.5 lamp)
        (<= (next ?t lamp) (true ?t lamp))
        (<= (next infinity (left ?t)) (true ?t lamp) (expired lamp))";
    let two = [("1", "lamp"), ("2.5", "lamp")];
    assert_eq!(oracle(rules).initial_state(), Ok(state(&two)));
    let first = update(rules, &two, SECOND, &[]);
    assert_eq!(first.expired, terms(&["lamp"]));
    assert_eq!(first.successor, state(&[("1.5", "lamp"), ("infinity", "(left 1.5)")]));
    // With one lifetime it is true before it expires, and not then.
    let second = update(rules, &[("1.5", "lamp")], 1_500_000, &[]);
    assert_eq!(second.expired, terms(&["lamp"]));
    assert_eq!(second.successor, state(&[]));
    // Two lifetimes that come to an end together expire once.
    assert_eq!(update(rules, &two, 3 * SECOND, &[]).expired, terms(&["lamp"]));
}

#[test]
fn a_move_at_the_instant_of_an_expiry_is_in_the_same_update() {
    let rules = "(role a) (role b) (init 1 fuse)
        (<= (next 0.5 (by ?r)) (does ?r cut) (true ?t fuse))
        (<= (next infinity late) (does ?r cut) (expired fuse))
        (<= (next infinity boom) (expired fuse) (not cut))
        (<= cut (does ?r cut))";
    let at = |elapsed, played: &[(&str, &str)]| update(rules, &[("1", "fuse")], elapsed, played).successor;
    assert_eq!(at(SECOND - 1, &[("a", "cut")]), state(&[("0.5", "(by a)")]));
    assert_eq!(at(SECOND, &[("a", "cut"), ("b", "cut")]), state(&[("infinity", "late")]));
    assert_eq!(at(SECOND, &[]), state(&[("infinity", "boom")]));
}

#[test]
fn legal_never_sees_an_expiry_and_terminal_and_goal_see_that_of_the_last_update() {
    let rules =
        "(role a) (role b) (<= (legal ?r stay) (role ?r) (not rang)) (<= (legal a run) (expired bell))
        (<= rang (expired bell)) (<= terminal rang (true ?t lamp))
        (<= (goal ?r 100) (role ?r) rang) (<= (goal ?r 0) (role ?r) (not rang))";
    let oracle = oracle(rules);
    let view = |expired: &[&str]| oracle.view(&state(&[("1", "lamp")]), &terms(expired)).expect("a view");
    for expired in [&[][..], &["bell"]] {
        let legal = view(expired).legal;
        assert_eq!([&legal["a"], &legal["b"]], [&terms(&["stay"]), &terms(&["stay"])]);
    }
    assert!(view(&["bell"]).is_terminal && !view(&[]).is_terminal && !view(&["horn"]).is_terminal);
    assert_eq!(view(&["bell"]).goals["b"], terms(&["100"]));
    assert_eq!(view(&["horn"]).goals["b"], terms(&["0"]));
}

#[test]
fn percepts_are_read_in_the_model_that_the_next_state_is_read_in() {
    let rules = "(role a) (role b) (role random) (init 2 lamp)
        (<= (sees ?r (by ?m)) (role ?r) (does a ?m)) (<= (sees b (left ?t)) (true ?t lamp))
        (<= (sees a dark) (expired lamp)) (<= (sees nobody dark) (expired lamp))";
    let lamp = [("2.0", "lamp")];
    let early = update(rules, &lamp, 500_000, &[("a", "(wait 1.0)")]).sees;
    assert_eq!(early["a"], terms(&["(by (wait 1))"]));
    assert_eq!(early["b"], terms(&["(by (wait 1))", "(left 1.5)"]));
    assert_eq!(early["random"], terms(&["(by (wait 1))"]));
    let late = update(rules, &lamp, 2 * SECOND, &[]).sees;
    assert_eq!(late, BTreeMap::from([("a", &["dark"][..]), ("b", &[]), ("random", &[])].map(own)));
}

fn own(entry: (&str, &[&str])) -> (String, Terms) {
    (entry.0.to_owned(), terms(entry.1))
}

#[test]
fn a_numeral_is_one_constant_however_it_is_spelled() {
    let same = [
        ("1.0", "1"),
        ("1.00", "1"),
        ("1", "1"),
        ("007", "7"),
        ("90", "90"),
        ("0.50", "0.5"),
        ("00.5", "0.5"),
        ("0.0", "0"),
        ("000", "0"),
        ("10.010", "10.01"),
        ("1.0000000", "1"),
        ("-1.50", "-1.5"),
        ("-007", "-7"),
        ("-0.0", "0"),
        ("99999999999999999999.0", "99999999999999999999"),
    ];
    for (text, canonical) in same {
        assert_eq!(canonical_numeral(text).as_deref(), Some(canonical), "{text}");
    }
    for text in ["", ".", "1.", ".5", "-", "--1", "+1", "1e3", "1.2.3", "x1", "1x", "infinity"] {
        assert_eq!(canonical_numeral(text), None, "{text}");
    }
    let rules = "(role 01) (q 1.50) (q 2) (<= (legal 1 (f ?x)) (q ?x) (distinct ?x 2.0))
        (<= (legal 1.0 same) (q 1.5)) (<= (legal 1 007) (true 2.50 (n 3.0)))
        (<= (next infinity (best ?t)) (true ?t (n 03)))";
    let oracle = oracle(rules);
    assert_eq!(oracle.roles(), ["1"]);
    let view = oracle.view(&state(&[("2.5", "(n 3.00)")]), &terms(&[])).expect("a view");
    assert_eq!(view.legal["1"], terms(&["(f 1.5)", "7", "same"]));
    let consequence = update(rules, &[("2.5", "(n 3)")], 250_000, &[("1", "same")]);
    assert_eq!(consequence.successor, state(&[("infinity", "(best 2.25)")]));
}

#[test]
fn lifetimes_are_positive_and_exact_to_the_microsecond() {
    let cases = [
        ("1.0", Lifetime::Finite(SECOND), "1"),
        ("0.000001", Lifetime::Finite(1), "0.000001"),
        ("12.3400000000", Lifetime::Finite(12_340_000), "12.34"),
        ("18446744073709.551615", Lifetime::Finite(u64::MAX), "18446744073709.551615"),
        ("infinity", Lifetime::Infinity, "infinity"),
    ];
    for (text, lifetime, canonical) in cases {
        assert_eq!(Lifetime::read(text), Some(lifetime), "{text}");
        assert_eq!(lifetime.to_string(), canonical);
    }
    for text in ["0", "0.0", "0.0000001", "1.0000001", "-1", "-0.0", "18446744073709.551616", "soon", "(s 1)"]
    {
        assert_eq!(Lifetime::read(text), None, "{text}");
        let of_next = oracle(&format!("(role a) (<= (next {text} (lamp 1.0)) (does a go))"));
        let refused = of_next.update(&State::new(), 1, &moves(&[("a", "go")]));
        let fluent = "(lamp 1)".to_owned();
        let lifetime = if text.ends_with("0.0") { "0" } else { text }.to_owned();
        assert_eq!(refused, Err(OracleError::Lifetime { fluent, lifetime }));
        let of_init = oracle(&format!("(role a) (init {text} lamp)")).initial_state();
        assert!(matches!(of_init, Err(OracleError::Lifetime { .. })), "{text}");
    }
}

#[test]
fn what_never_expires_and_what_is_kept_by_no_rule() {
    let rules = "(role a) (<= (next ?t (kept ?x)) (true ?t (kept ?x)))";
    assert_eq!(RealTimeOracle::next_expiry(&state(&[("infinity", "(kept 1)")])), None);
    assert_eq!(RealTimeOracle::next_expiry(&State::new()), None);
    let from = [("infinity", "(kept 1)"), ("3", "(kept 2)"), ("infinity", "gone"), ("2", "gone")];
    assert_eq!(RealTimeOracle::next_expiry(&state(&from)), Some(2 * SECOND));
    let consequence = update(rules, &from, 0, &[("a", "blink")]);
    assert_eq!(consequence.successor, state(&[("infinity", "(kept 1)"), ("3", "(kept 2)")]));
    assert_eq!(consequence.expired, terms(&[]), "what no rule keeps has not expired");
}
