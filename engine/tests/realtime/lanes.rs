//! Hundreds of matches at once are the matches that the reasoner plays.

use croupier_engine::realtime::{LaneCounts, RealTimeLanes};
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng};

use crate::games::{GAMES, compiled};

#[test]
fn every_lane_plays_what_the_reasoner_plays_with_the_same_moves() {
    for (name, ..) in GAMES {
        let game = compiled(name);
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let mut lanes = RealTimeLanes::<1>::new(&game, 300_000, &mut random).expect("a network");
        let mut scratch = game.lifted_scratch();
        let mut states = vec![game.initial_state().clone(); RealTimeLanes::<1>::LANES];
        let mut ended = 0;
        for _ in 0..60 {
            lanes.step(&mut random);
            for (lane, state) in states.iter_mut().enumerate() {
                let (elapsed, moves) = lanes.last_step(lane);
                let legal = game.legal_moves(state, &mut scratch).expect("sound");
                assert!(
                    moves.iter().all(|(role, played)| legal[*role].contains(played)),
                    "{name}, lane {lane}"
                );
                let next = game.update(state, elapsed, &moves, &mut scratch).expect("sound").successor;
                let is_over = game.is_terminal(&next, &mut scratch).expect("sound");
                *state = if is_over { game.initial_state().clone() } else { next };
                ended += u64::from(is_over);
                assert_eq!(
                    game.state_terms(&lanes.state(lane)),
                    game.state_terms(state),
                    "{name}, lane {lane}"
                );
            }
        }
        let LaneCounts { updates, matches, failed, doubled, .. } = lanes.counts();
        assert_eq!((*updates, *matches, *failed, *doubled), (60 * 64, ended, 0, 0), "{name}");
    }
}

#[test]
fn chicken_at_random_is_worth_what_its_table_says() {
    // With a mean of a second a player swerves in time, before or at one second, half of the time.
    let game = compiled("chicken");
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut lanes = RealTimeLanes::<8>::new(&game, 1_000_000, &mut random).expect("a network");
    for _ in 0..400 {
        lanes.step(&mut random);
    }
    let counts = lanes.counts();
    assert!(counts.matches > 50_000 && counts.failed == 0, "{counts:?}");
    for sum in &counts.goals {
        #[expect(clippy::cast_precision_loss, reason = "far below 2^53")]
        let mean = *sum as f64 / counts.matches as f64;
        assert!((mean - (0.0 + 80.0 + 100.0 + 90.0) / 4.0).abs() < 0.7, "{mean}");
    }
}
