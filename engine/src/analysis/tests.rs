//! Every code that shows only in play, by the neighbours of its explanation.

use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use super::*;
use crate::{
    check::{CODES, Code, Explanation, Finder},
    diagnostic::Strictness,
    game::Options,
};

fn analysis(text: &str) -> Analysis {
    let options = Options { strictness: Strictness::Compatible, ..Options::PLAY };
    let game = Game::compile(text, &options).unwrap_or_else(|error| panic!("{error}: {text}")).game;
    analyse(&game, &Budget::QUICK, &mut ChaCha8Rng::seed_from_u64(1))
}

fn codes(text: &str) -> Vec<&'static str> {
    analysis(text).findings.into_iter().map(|found| found.code).collect()
}

#[test]
fn each_finding_of_play_tells_neighbours_apart() {
    let by_play: Vec<_> = CODES.iter().filter(|code| code.finder == Finder::Play).collect();
    assert!(by_play.len() >= 12);
    for Code { name, explanation: Explanation { rejected, accepted, .. }, .. } in by_play {
        assert!(codes(rejected).contains(name), "{name}: {:?}", codes(rejected));
        assert!(!codes(accepted).contains(name), "{name}: {:?}", codes(accepted));
    }
}

/// A game of two turns in which everything is declared and nothing is wrong.
const SOUND: &str = "(role a) (init (n 0)) (<= (legal a (say ?x)) (value ?x)) (value 1) (value 2) \
    (<= (next (n ?x)) (does a (say ?x))) (<= terminal (true (n ?x)) (value ?x)) (goal a 50) \
    (<= (sees a (heard ?x)) (does a (say ?x)))";

#[test]
fn what_is_declared_is_compared_with_what_comes_up() {
    assert_eq!(codes(SOUND), [""; 0]);
    let cases = [
        ("(base (n 0)) (<= (base (n ?x)) (value ?x))", "(base (n 0)) (base (n 1))", "undeclared-fluent"),
        ("(<= (input a (say ?x)) (value ?x))", "(input a (say 1))", "undeclared-move"),
        ("(<= (percept a (heard ?x)) (value ?x))", "(percept a (heard 1))", "undeclared-percept"),
    ];
    for (whole, partial, code) in cases {
        assert_eq!(codes(&format!("{SOUND} {whole}")), [""; 0], "{whole}");
        assert_eq!(codes(&format!("{SOUND} {partial}")), [code], "{partial}");
    }
}

#[test]
fn a_witness_is_the_history_that_shows_it() {
    let text = "(role a) (legal a m) (init (n 0)) (next_of 0 1) (next_of 1 2) (goal a 50) \
        (<= (next (n ?y)) (true (n ?x)) (next_of ?x ?y) (does a m)) (<= terminal (true (n 2))) (<= (goal a 60) (true (n 2)))";
    let analysis = analysis(text);
    let found = analysis.findings.iter().find(|found| found.code == "several-goals").expect("it is found");
    assert_eq!(found.witnesses, [["[a m]", "[a m]"]]);
    assert_eq!(found.message, "a has several goals in one state: 50, 60");
    assert_eq!((analysis.playouts, analysis.is_cut_short), (50, false));
}

#[test]
fn goals_that_fall_are_one_finding_a_game() {
    let text = "(role a) (role b) (legal a m) (legal b m) (init f) (<= (next g) (does a m)) (<= terminal (true g)) \
        (<= (goal ?r 50) (role ?r) (true f)) (<= (goal ?r 20) (role ?r) (true g))";
    let found = analysis(text).findings;
    let shown: Vec<_> = found.iter().map(|found| (found.code, found.message.as_str())).collect();
    let message = "the goal of a decreases from 50 to 20; goals decrease in 50 of 50 playouts";
    assert_eq!(shown, [("goal-decreases", message)]);
    assert_eq!(found[0].witnesses, [["[a m, b m]"]]);
}

#[test]
fn goals_that_fall_are_a_note_in_both_readings() {
    for strictness in [Strictness::Strict, Strictness::Compatible] {
        assert_eq!(severity("goal-decreases", strictness), Severity::Note);
    }
}

#[test]
fn playouts_that_stop_where_a_match_does_are_counted_with_the_first_reason() {
    let whole = analysis(SOUND);
    assert_eq!((whole.failed, whole.failure), (0, None));
    let stopped = analysis(&SOUND.replace("(goal a 50)", "(goal a many)"));
    assert_eq!(stopped.failed, 50);
    assert!(stopped.failure.expect("a reason").contains("the goal many"));
}

#[test]
fn the_same_generator_gives_the_same_analysis_within_its_budget() {
    let text = "(role a) (legal a m) (legal a n) (init (at 0)) (<= (next (at ?m)) (does a ?m)) (<= terminal (true (at end))) (goal a 1)";
    assert_eq!(analysis(text), analysis(text));
    let game = Game::compile(text, &Options::PLAY).expect("a sound game").game;
    let budget = Budget { playouts: 3, turns: 100, rows: u64::MAX };
    let cut = analyse(&game, &budget, &mut ChaCha8Rng::seed_from_u64(1));
    assert_eq!((cut.turns, cut.is_cut_short), (100, true));
    // Who asked for it may end it too, after any turn.
    let asked = std::cell::Cell::new(0);
    let is_over = || asked.replace(asked.get() + 1) >= 7;
    let ended = analyse_until(&game, &budget, &mut ChaCha8Rng::seed_from_u64(1), &is_over);
    assert!(ended.is_cut_short && ended.turns < 10, "{ended:?}");
}

#[test]
fn no_more_playouts_fail_than_are_counted_and_what_never_fired_waits_for_no_other_rule() {
    // Nothing ends it: each playout takes all the turns that it may have.
    let text = "(role a) (legal a m) (init f) (<= (next f) (true f)) (<= terminal (true g)) (<= (next g) (true h)) \
        (<= (next h) (true g)) (goal a 50)";
    let endless = analysis(text);
    assert!(endless.failed <= endless.playouts && endless.playouts > 0, "{endless:?}");
    let text = "(role a) (legal a m) (init (n 1)) (<= (next (n 2)) (true (n 1))) (<= (next (n 3)) (true (n 2)) (true (n 1))) \
        (<= (next (told ?x)) (true (n ?x))) (<= terminal (true (n 2))) (<= (next u) (true (n 2)) (true (n 1))) \
        (<= (next w) (true u)) (goal a 50) (<= (next v) (true w))";
    let found = analysis(text).findings;
    let [found] = &found[..] else { panic!("{found:?}") };
    let rules = std::iter::once(found.place.expect("a rule")).chain(found.also.iter().copied());
    let rules: Vec<&str> = rules.map(|span| &text[span.range()]).collect();
    assert_eq!(
        (found.code, found.message.as_str()),
        ("never-fired", "these 2 rules never fired in 50 playouts")
    );
    assert_eq!(
        rules,
        ["(<= (next (n 3)) (true (n 2)) (true (n 1)))", "(<= (next u) (true (n 2)) (true (n 1)))"],
        "u and w wait for the second"
    );
}
