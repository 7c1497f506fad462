//! Beliefs in limit hold'em, where histories can no longer all be held.

use std::sync::Arc;

use croupier_belief::{ExactBelief, ExactOptions, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::tree::{HOLDEM, game, random_match, replay, role};

/// What alice knows when the last card is on the board and everybody has called or checked.
fn river(game: &Game) -> InformationSet {
    let mut known = InformationSet::initial(role(game, "alice"));
    let mut turn = |own_move: &str, percept: &str| {
        known.turns.push((game.move_id(own_move).unwrap(), game.percepts_of([percept]).unwrap()));
    };
    for percept in ["(hole as)", "(dealt bob)", "(hole kd)", "(dealt bob)"] {
        turn("noop", percept);
    }
    turn("call", "(did alice call)");
    turn("noop", "(did bob check)");
    for boards in [&["2c", "7h", "9s"][..], &["th"], &["3d"]] {
        for card in boards {
            turn("noop", &format!("(board {card})"));
        }
        turn("noop", "(did bob check)");
        turn("check", "(did alice check)");
    }
    // Back to before the betting on the river, which would end the match.
    known.turns.truncate(known.turns.len() - 2);
    known
}

#[test]
fn on_the_river_the_opponent_has_one_of_990_hands() {
    let game = game(HOLDEM);
    let belief = ExactBelief::of(Arc::clone(&game), &river(&game), ExactOptions::STANDARD).unwrap();
    let distribution = belief.distribution();
    // 52 cards less two own and five on the board: 45 * 44 deals, 45 * 44 / 2 hands.
    assert_eq!(belief.histories_count(), 45 * 44);
    assert_eq!(distribution.states_count(), 990);
    assert!((distribution.entropy_bits() - 990_f64.log2()).abs() < 1e-9);
    let hand = game.fluent_id("(hand bob ah)").unwrap();
    assert!((distribution.probability(hand) - 2.0 / 45.0).abs() < 1e-12);
    assert_eq!(distribution.probability(game.fluent_id("(hand bob as)").unwrap()), 0.0);
    assert_eq!(distribution.probability(game.fluent_id("(hand alice as)").unwrap()), 1.0);
}

#[test]
fn two_hundred_particles_last_through_thirty_matches() {
    let game = game(HOLDEM);
    let mut scratch = game.scratch();
    let options = ParticleOptions { particles: 200, ..ParticleOptions::STANDARD };
    for number in 0..30_u8 {
        let mut rng = ChaCha8Rng::from_seed([number; 32]);
        let joint_moves = random_match(&game, &mut rng, &mut scratch);
        for name in ["alice", "bob"] {
            let role = role(&game, name);
            let (known, _) = replay(&game, role, &joint_moves, &mut scratch);
            let mut belief = ParticleBelief::new(Arc::clone(&game), role, options, [1; 32]).unwrap();
            belief.follow(&known).unwrap_or_else(|error| panic!("match {number}, {name}: {error}"));
            assert!(belief.particles_count() > 0);
        }
    }
}
