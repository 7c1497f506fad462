//! Beliefs over hidden instants, and searches for the right moment.

use std::{collections::BTreeSet, sync::Arc};

use croupier_engine::{Options, RoleId, realtime::RealTimeGame};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

use super::{walk::told_of, *};

fn game(rules: &str) -> Arc<RealTimeGame> {
    Arc::new(RealTimeGame::compile(rules, &Options::PLAY).expect("sound rules").game)
}

fn role(game: &RealTimeGame, name: &str) -> RoleId {
    game.roles().find(name).expect("a role")
}

/// A bell rings for three tenths of a second, one second in; ann wins by pressing once, while it rings.
const BELL: &str = "(role ann) (init 1 calm) (init 3 course)
    (<= (next ?t ?f) (true ?t ?f) (not (does ann press))) (<= (next ?t course) (true ?t course) (does ann press))
    (<= (next 0.3 ringing) (expired calm)) (<= (legal ann press) (true ?t course) (not pressed))
    (<= pressed (true ?t hit)) (<= pressed (true ?t miss))
    (<= (next infinity hit) (does ann press) (true ?t ringing))
    (<= (next infinity miss) (does ann press) (not ringing)) (<= ringing (true ?t ringing))
    (<= (next infinity hit) (true infinity hit) (does ann press))
    (<= terminal (expired course)) (<= terminal pressed)
    (<= (goal ann 100) (true ?t hit)) (<= (goal ann 0) (not hit)) (<= hit (true ?t hit))";

#[test]
fn search_finds_the_moment_that_wins() {
    let game = game(BELL);
    let ann = role(&game, "ann");
    for kind in ["mc:iterations=300,particles=2", "uct:iterations=300,particles=2"] {
        let kind: RealTimeKind = kind.parse().expect("a kind");
        let mut player = kind.player(Arc::clone(&game), ann, [7; 32]);
        let mut now_us = 0;
        // It may wait for the bell and think again.
        let pressed_us = loop {
            match player.plan(now_us).expect("sound") {
                Intent::Move { at_us, .. } => break at_us,
                Intent::Think { at_us } => now_us = at_us,
                Intent::Wait => panic!("pressing wins"),
            }
        };
        assert!((1_000_001..=1_300_000).contains(&pressed_us), "{kind} pressed at {pressed_us}");
        let mut again = kind.player(Arc::clone(&game), ann, [7; 32]);
        let mut first = kind.player(Arc::clone(&game), ann, [7; 32]);
        assert_eq!(first.plan(0), again.plan(0));
    }
}

/// Chance lights one of four fuses; ann alone sees which, and ben that something was lit.
const FUSE: &str = "(role ann) (role ben) (role random) (init infinity dark)
    (length 1) (length 1.5) (length 2) (length 2.5)
    (<= (legal random (light ?t)) (true infinity dark) (length ?t))
    (<= (legal ?r jump) (true ?t fuse) (player ?r)) (player ann) (player ben)
    (<= (next ?t fuse) (does random (light ?t))) (<= (next ?t fuse) (true ?t fuse))
    (<= (next infinity (jumped ?r)) (does ?r jump)) (<= (next infinity (jumped ?r)) (true infinity (jumped ?r)))
    (<= (sees ann (fuse ?t)) (does random (light ?t))) (<= (sees ben lit) (does random (light ?t)))
    (<= (sees ben (splash ?r)) (does ?r jump))
    (<= terminal (expired fuse))
    (<= (goal ?r 100) (player ?r) (true infinity (jumped ?r))) (<= (goal ?r 0) (player ?r) (not (saved ?r)))
    (<= (saved ?r) (true infinity (jumped ?r)))";

#[test]
fn a_belief_has_every_fuse_that_can_still_burn_and_no_other() {
    let game = game(FUSE);
    let ben = role(&game, "ben");
    let lit = |text: &str, at_us| {
        let mut scratch = game.scratch();
        let start = game.initial_state();
        let random = role(&game, "random");
        let light = game.find_move(start, random, "(light 2)", &mut scratch).expect("legal");
        let update = game.update(start, 0, &[(random, light)], &mut scratch).expect("sound");
        assert_eq!(text, "(light 2)");
        told_of(ben, at_us, &[(random, light)], &update.percepts).expect("ben sees it")
    };
    let told = [lit("(light 2)", 0)];
    let mut walk = Walk::new(Arc::clone(&game), ChaCha20Rng::from_seed([1; 32]), 500_000);
    for (now_us, expected) in [
        (1, [999_999, 1_499_999, 1_999_999, 2_499_999].to_vec()),
        (1_200_000, [300_000, 800_000, 1_300_000].to_vec()),
        (2_000_001, [499_999].to_vec()),
    ] {
        let mut belief = TimedBelief::new(ben, 64);
        let positions = belief.positions(&told, now_us, &mut walk).expect("sound");
        let left: BTreeSet<u64> = positions
            .iter()
            .filter_map(|position| position.expiry_us())
            .map(|at_us| at_us - now_us)
            .collect();
        assert_eq!(left.into_iter().collect::<Vec<_>>(), expected, "at {now_us}");
        // Nobody else moved, or ben would have seen the splash.
        let jumped = |position: &TimedPosition| {
            game.state_terms(&position.state).iter().any(|(_, fluent)| fluent.contains("jumped"))
        };
        assert!(!positions.iter().any(jumped));
    }
}

#[test]
fn a_belief_follows_what_others_were_seen_to_do() {
    let game = game(FUSE);
    let [ann, ben, random] = ["ann", "ben", "random"].map(|name| role(&game, name));
    let mut scratch = game.scratch();
    let mut told = Vec::new();
    let mut state = game.initial_state().clone();
    for (elapsed_us, at_us, mover, text) in [(0, 0, random, "(light 2.5)"), (700_000, 700_000, ann, "jump")] {
        let played = game.find_move(&state, mover, text, &mut scratch).expect("legal");
        let update = game.update(&state, elapsed_us, &[(mover, played)], &mut scratch).expect("sound");
        told.extend(told_of(ben, at_us, &[(mover, played)], &update.percepts));
        state = update.successor;
    }
    assert_eq!(told.len(), 2);
    let mut walk = Walk::new(Arc::clone(&game), ChaCha20Rng::from_seed([1; 32]), 500_000);
    let mut belief = TimedBelief::new(ben, 16);
    let positions = belief.positions(&told, 800_000, &mut walk).expect("sound");
    assert_eq!(positions.len(), 16);
    for position in positions {
        assert_eq!(position.at_us, 700_000);
        assert!(game.state_terms(&position.state).contains(&("infinity".into(), "(jumped ann)".into())));
    }
}

/// The time that is left is part of a fluent, so every instant makes terms.
const SAVED: &str = "(role ann) (init 5 running)
    (<= (legal ann stop) (true ?t running)) (<= (legal ann start) (true infinity (left ?t)))
    (<= (next ?t running) (true ?t running) (not (does ann stop)))
    (<= (next infinity (left ?t)) (does ann stop) (true ?t running))
    (<= (next ?t running) (does ann start) (true infinity (left ?t)))
    (<= (next infinity (left ?t)) (true infinity (left ?t)) (not (does ann start)))
    (<= terminal (expired running)) (goal ann 50)";

#[test]
fn a_search_does_not_keep_the_terms_that_its_courses_meet() {
    let plenty = RealTimeGame::compile(SAVED, &Options::PLAY).expect("sound rules").game;
    assert!(plenty.network().is_none(), "a network would meet no terms");
    let mut options = Options::PLAY;
    options.limits.terms = 2_000;
    let game = Arc::new(RealTimeGame::compile(SAVED, &options).expect("sound rules").game);
    let ann = role(&game, "ann");
    let kind: RealTimeKind = "mc:iterations=2000,particles=2,every=0.5".parse().expect("a kind");
    let mut player = kind.player(game, ann, [7; 32]);
    // Two thousand courses of some ten moves, each with an instant of its own.
    player.plan(0).expect("terms for all of them");
}

#[test]
fn a_search_does_not_keep_the_terms_of_what_others_do_in_it() {
    let rules = format!(
        "{SAVED} (role ben) (<= (legal ben stop) (true ?t running)) (goal ben 50)
        (<= (next infinity (left ?t)) (does ben stop) (true ?t running))"
    );
    let rules = rules.replace("(not (does ann stop)))", "(not (does ann stop)) (not (does ben stop)))");
    let mut options = Options::PLAY;
    options.limits.terms = 4_000;
    let game = Arc::new(RealTimeGame::compile(&rules, &options).expect("sound rules").game);
    let ann = role(&game, "ann");
    let kind: RealTimeKind = "uct:iterations=300,particles=2,every=0.5".parse().expect("a kind");
    let mut player = kind.player(game, ann, [7; 32]);
    // Each alone meets thousands.
    for plan in 0..10 {
        player.plan(plan * 10_000).expect("terms for all of them");
    }
}

#[test]
fn kinds_are_written_and_read() {
    for text in ["wait", "random:every=0.5", "first-legal:every=1", "mc:iterations=10,particles=3,every=2"] {
        assert_eq!(text.parse::<RealTimeKind>().expect("a kind").to_string(), text);
    }
    for (text, said) in [
        ("ismcts", "unknown player \"ismcts\"; known players are: wait, random, first-legal, mc, uct"),
        (
            "random:every=0",
            "the option every of the player random must be a number of seconds above 0, not \"0\"",
        ),
        ("wait:every=1", "the player wait has no option \"every\"; it has none"),
        (
            "mc:iterations=x",
            "the option iterations of the player mc must be a number from 1 to 10000000, not \"x\"",
        ),
        ("mc:every=1,every=2", "the option every of the player mc is given twice"),
    ] {
        assert_eq!(text.parse::<RealTimeKind>().expect_err("wrong").to_string(), said);
    }
}

/// Ann may press once a lamp is lit, after a second; ben may do something that nobody is told.
const LONG: &str = "(role ann) (role ben) (init 1000 course) (init 1 dark) (legal ben hum)
    (<= (next ?t ?f) (true ?t ?f)) (<= (next infinity lit) (expired dark)) (<= (legal ann press) (true infinity lit))
    (<= (next infinity hummed) (does ben hum)) (<= (sees ann pressed) (does ann press))
    (<= terminal (expired course)) (goal ann 50) (goal ben 50)";

#[test]
fn what_a_player_does_for_a_question_does_not_grow_with_the_match() {
    let game = game(LONG);
    let ann = role(&game, "ann");
    let updates = |questions: u64| {
        let mut walk = Walk::new(Arc::clone(&game), ChaCha20Rng::from_seed([3; 32]), 100_000);
        let mut belief = TimedBelief::new(ann, 4);
        for question in 1..=questions {
            let positions = belief.positions(&[], question * 100_000, &mut walk).expect("sound rules");
            assert_eq!(positions.len(), 4);
        }
        walk.updates()
    };
    let (some, more) = (updates(200), updates(800));
    assert!(more < 5 * some, "{some} updates for 200 questions, {more} for 800");
}
