//! Beliefs as observations.

use std::sync::Arc;

use croupier_belief::{ExactBelief, ExactOptions};
use croupier_training::{Features, TrainingError, VectorEnvironment};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use super::{Judge, Shown, game, replay, settings};

#[test]
fn beliefs_are_those_of_all_histories() {
    for name in ["kuhn", "leduc", "goofspiel-4", "monty-hall", "krieg-tic-tac-toe-4x4"] {
        let mut judge = Judge::new(name);
        let lanes = 40;
        let features = Features::Belief { particles: 10 };
        let mut environment = VectorEnvironment::new(&judge.game, settings(lanes, features)).expect("lanes");
        let mut shown = Shown::new(&environment);
        environment.reset([4; 32], shown.arrays()).expect("matches that begin");
        let mut rng = ChaCha8Rng::from_seed([3; 32]);
        for _ in 0..4 {
            for lane in (0..lanes).step_by(7) {
                check_beliefs(&environment, &shown, &mut judge, lane);
            }
            let moves = shown.random_moves(&environment, &mut rng);
            environment.step(&moves, shown.arrays()).expect("a step");
        }
    }
}

/// What a lane shows of beliefs, against the enumeration of all histories.
fn check_beliefs(environment: &VectorEnvironment, shown: &Shown, judge: &mut Judge, lane: usize) {
    let space = environment.space();
    let known = replay(judge, environment.joint_moves(lane)).known;
    let (players, count) = (space.players.len(), space.features_count());
    for (place, player) in space.players.iter().enumerate() {
        let seat = lane * players + place;
        let found = &shown.probabilities[seat * count..(seat + 1) * count];
        if shown.acting[seat] == 0 {
            assert!(found.iter().all(|&probability| probability == 0.0));
            continue;
        }
        let game = Arc::clone(&judge.game);
        let mut belief =
            ExactBelief::new(Arc::clone(&game), player.role, ExactOptions::STANDARD).expect("a player");
        for (made, percepts) in &known[player.role].turns {
            belief.advance(*made, percepts).expect("few histories");
        }
        let distribution = belief.distribution();
        for (name, &probability) in player.feature_names.iter().zip(found) {
            let exact = distribution.probability(game.fluent_id(name).expect("a fluent"));
            assert!((f64::from(probability) - exact).abs() < 1e-6, "{name}: {probability}, not {exact}");
        }
    }
}

#[test]
fn beliefs_by_particles_depend_on_what_is_known_alone() {
    let game = game("holdem");
    let features = Features::Belief { particles: 30 };
    let new = || VectorEnvironment::new(&game, settings(6, features)).expect("lanes");
    let (mut one, mut other) = (new(), new());
    let (mut shown, mut again) = (Shown::new(&one), Shown::new(&other));
    one.reset([8; 32], shown.arrays()).expect("matches that begin");
    let mut rng = ChaCha8Rng::from_seed([6; 32]);
    for _ in 0..8 {
        // The other one has made no belief before.
        other.restore(&one.words()).expect("words of the same environment");
        let mut moves = shown.random_moves(&one, &mut rng);
        // Nobody folds, for then little would be left to believe.
        let fold =
            one.space().players[0].move_names.iter().position(|name| &**name == "fold").expect("a move");
        moves.iter_mut().for_each(|column| *column = if *column == fold as i32 { -1 } else { *column });
        let (drawn, redrawn) = (one.step(&moves, shown.arrays()), other.step(&moves, again.arrays()));
        assert_eq!(drawn, redrawn);
        assert!(shown == again);
    }
    assert!(shown.probabilities.iter().any(|&probability| probability > 0.0 && probability < 1.0));
    let mut short = one.words();
    short.pop();
    assert_eq!(other.restore(&short), Err(TrainingError::Words));
}
