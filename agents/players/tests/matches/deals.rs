//! The player that solves a game by deals, from its rules alone.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet};
use croupier_players::{Budget, Decision, Player, PlayerKind};
use croupier_tests::{renamed::renamed, size};

use crate::{
    referee::{HOLDEM, LEDUC, game, play, role},
    resolve::exploitability,
};

fn player(game: &Arc<Game>, known: &InformationSet, kind: &str) -> Box<dyn Player> {
    let kind: PlayerKind = kind.parse().unwrap();
    kind.player(Arc::clone(game), known.role, [7; 32]).unwrap()
}

/// Some decisions of a random match, in its order.
fn decisions(game: &Arc<Game>) -> Vec<InformationSet> {
    let mut decisions = Vec::new();
    play(game, &["random", "random"], 1, |known, decision| {
        if decision.moves.len() > 1 {
            decisions.push(known.clone());
        }
    });
    decisions
}

#[test]
fn leduc_taken_for_too_large_is_near_an_equilibrium_whatever_its_names_are() {
    // By its own names it is solved in the same way.
    for rules in size(vec![renamed(LEDUC, 1)], vec![LEDUC.to_owned(), renamed(LEDUC, 1)]) {
        let game = game(&rules);
        // 0.15 chips of two goals and two thirds each; searching loses 1.8.
        let lost = exploitability(&game, &"resolve:histories=1,subgame=1,deals=24".parse().unwrap());
        assert!(lost < 0.45, "{lost} of a hundred");
    }
}

#[test]
fn holdem_under_other_names_is_solved_without_a_file() {
    let game = game(&renamed(HOLDEM, 1));
    let known = &decisions(&game)[0];
    let decision =
        player(&game, known, "resolve:deals=1,descents=10").choose(known, &mut Budget::Own).unwrap();
    // Too few iterations to go by: it searches.
    assert_eq!(decision.strategy, None);
    let decision = player(&game, known, "resolve:deals=4").choose(known, &mut Budget::Own).unwrap();
    let strategy = decision.strategy.expect("a mixed strategy");
    assert!((strategy.iter().sum::<f64>() - 1.0).abs() < 1e-6 && strategy.len() == decision.moves.len());
}

#[test]
fn what_is_played_does_not_depend_on_clocks_and_questions_before() {
    let game = game(LEDUC);
    let kind = "resolve:histories=1,deals=1";
    let asked = decisions(&game);
    let of_fresh =
        |known: &InformationSet| player(&game, known, kind).choose(known, &mut Budget::Own).unwrap();
    let fresh: Vec<Decision> = asked.iter().map(of_fresh).collect();
    assert!(fresh.iter().all(|decision| decision.strategy.is_some()));
    let shared: PlayerKind = kind.parse().unwrap();
    for name in ["alice", "bob"] {
        let role = role(&game, name);
        let mut hurried = shared.player(Arc::clone(&game), role, [7; 32]).unwrap();
        let asked: Vec<_> = asked.iter().zip(&fresh).filter(|(known, _)| known.role == role).collect();
        for (known, fresh) in asked.iter().rev() {
            for _ in 0..3 {
                hurried.choose(known, &mut Budget::Until(&mut || true)).unwrap();
            }
            assert_eq!(hurried.choose(known, &mut Budget::Own).unwrap(), **fresh);
        }
    }
}

#[test]
fn time_without_end_and_without_a_start_clock_is_as_good_as_no_clock() {
    let game = game(LEDUC);
    let kind = "resolve:histories=1,deals=1";
    for known in decisions(&game).iter().take(size(1, usize::MAX)) {
        let own = player(&game, known, kind).choose(known, &mut Budget::Own).unwrap();
        let until = player(&game, known, kind).choose(known, &mut Budget::Until(&mut || false)).unwrap();
        assert_eq!((own.iterations, own.strategy), (until.iterations, until.strategy));
    }
}

#[test]
fn a_start_clock_is_used_and_ends_the_work() {
    let game = game(LEDUC);
    let known = &decisions(&game)[0];
    let mut player = player(&game, known, "resolve:histories=1,subgame=1,descents=10,deals=1");
    let mut asked = 0;
    let mut is_over = || {
        asked += 1;
        asked > 40_000
    };
    player.prepare(&mut Budget::Until(&mut is_over));
    let decision = player.choose(known, &mut Budget::Until(&mut || true)).unwrap();
    assert!(decision.strategy.is_some() && decision.iterations > 4, "{decision:?}");
    assert!(asked < 41_000, "it went on: {asked}");
}

#[test]
fn who_ponders_learns_from_more_deals_for_decisions_with_a_clock_alone() {
    let game = game(LEDUC);
    let known = &decisions(&game)[0];
    let mut player = player(&game, known, "resolve:histories=1,deals=1");
    let without = player.choose(known, &mut Budget::Own).unwrap();
    player.prepare(&mut Budget::Until(&mut || false));
    let before = player.choose(known, &mut Budget::Until(&mut || false)).unwrap();
    let mut asked = 0;
    let mut is_over = || {
        asked += 1;
        asked > 40_000
    };
    player.ponder(&mut Budget::Offered(&mut is_over));
    let after = player.choose(known, &mut Budget::Until(&mut || false)).unwrap();
    assert!(after.iterations > before.iterations, "{} and {}", before.iterations, after.iterations);
    // It is in nobody's way: whoever has no clock decides as if nothing had happened, and no more time is taken than there is.
    assert_eq!(player.choose(known, &mut Budget::Own).unwrap(), without);
    player.ponder(&mut Budget::Offered(&mut || true));
    assert_eq!(player.choose(known, &mut Budget::Own).unwrap(), without);
}
