//! Particles as players have them against the exact belief, after every turn of random matches for which that fits.
//!
//! `CROUPIER_SETS` is how many matches of each game are followed (without it, as many as take a few seconds).

use std::{env, sync::Arc};

use croupier_belief::{BeliefError, Detail, ExactBelief, ExactOptions, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::tree::{game, random_match, replay, role};

const STRATEGO: &str = include_str!("../../../../games-ii/stratego-small/rules.gdl");
const GIN_RUMMY: &str = include_str!("../../../../games-ii/gin-rummy-small/rules.gdl");
const HANABI: &str = include_str!("../../../../games-ii/hanabi-small/rules.gdl");
const NO_LIMIT: &str = include_str!("../../../../games-ii/no-limit-holdem-6/rules.gdl");

/// Particles that players have where nothing else is said.
const PARTICLES: usize = 200;

/// Exact beliefs with more states than this are not asked for.
const STATES_MAX: usize = 20_000;

/// Total variation over all information sets of which the exact belief is known.
#[derive(Default)]
struct Distances {
    sets: usize,
    sum: f64,
    worst: f64,
    /// Information sets whose exact belief has more states than players have particles.
    large: usize,
}

fn follow(game: &Arc<Game>, known: &InformationSet, seed: u8, distances: &mut Distances) {
    let exact =
        ExactOptions { detail: Detail::States, histories_max: STATES_MAX, joint_moves_max: 2_000_000 };
    let mut exact = ExactBelief::new(Arc::clone(game), known.role, exact).unwrap();
    let options = ParticleOptions::for_play(PARTICLES);
    let mut belief = ParticleBelief::new(Arc::clone(game), known.role, options, [seed; 32]).unwrap();
    for (own_move, percepts) in &known.turns {
        match exact.advance(*own_move, percepts) {
            Ok(()) => {}
            Err(BeliefError::TooManyHistories { .. } | BeliefError::TooManyJointMoves { .. }) => return,
            Err(error) => panic!("{error}"),
        }
        belief.advance(*own_move, percepts).unwrap();
        let expected = exact.distribution();
        let distance = expected.total_variation(&belief.distribution());
        if belief.is_complete() {
            assert!(distance < 1e-9, "a complete belief is exact, and not {distance} off");
        }
        distances.sets += 1;
        distances.sum += distance;
        distances.worst = distances.worst.max(distance);
        distances.large += usize::from(expected.states_count() > PARTICLES);
    }
}

/// The mean total variation of a game is at most 0.05.
#[expect(clippy::print_stdout, reason = "the figures are what a long run is for")]
fn stays_healthy(name: &str, rules: &str, ordinary: u8) {
    let game = game(rules);
    let mut scratch = game.scratch();
    let mut distances = Distances::default();
    let matches = env::var("CROUPIER_SETS").map_or(u64::from(ordinary), |text| text.parse().unwrap());
    for number in 0..matches {
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        rng.set_stream(number);
        let joint_moves = random_match(&game, &mut rng, &mut scratch);
        for role in game.roles().players() {
            let (known, _) = replay(&game, role, &joint_moves, &mut scratch);
            follow(&game, &known, (number % 251) as u8, &mut distances);
        }
    }
    let Distances { sets, sum, worst, large } = distances;
    let mean = sum / sets as f64;
    println!(
        "{name}: {matches} matches, {sets} information sets, {large} of more than {PARTICLES} states; total variation \
         {mean:.4} in mean, {worst:.4} at most"
    );
    assert!(mean <= 0.05, "{name}: total variation {mean} in mean");
}

#[test]
fn particles_stay_healthy_in_stratego() {
    stays_healthy("stratego-small", STRATEGO, 4);
}

#[test]
fn particles_stay_healthy_in_gin_rummy() {
    stays_healthy("gin-rummy-small", GIN_RUMMY, 1);
}

#[test]
fn particles_stay_healthy_in_hanabi() {
    stays_healthy("hanabi-small", HANABI, 4);
}

#[test]
fn particles_stay_healthy_in_no_limit_holdem_for_six() {
    stays_healthy("no-limit-holdem-6", NO_LIMIT, 1);
}

/// Without room for all states, few are left of two hundred when pieces show themselves: they are drawn again knowing what
/// was shown, and all that there are come back.
#[test]
fn few_particles_become_all_states_again() {
    let game = game(STRATEGO);
    let mut scratch = game.scratch();
    let (mut sets, mut sum, mut replenishments) = (0, 0.0, 0);
    for number in 0..4 {
        let joint_moves = random_match(&game, &mut ChaCha8Rng::from_seed([number; 32]), &mut scratch);
        let (known, _) = replay(&game, role(&game, "blue"), &joint_moves, &mut scratch);
        let mut exact = ExactBelief::new(Arc::clone(&game), known.role, ExactOptions::STANDARD).unwrap();
        let options = ParticleOptions { complete_max: 0, ..ParticleOptions::for_play(PARTICLES) };
        let mut belief = ParticleBelief::new(Arc::clone(&game), known.role, options, [1; 32]).unwrap();
        for (own_move, percepts) in &known.turns {
            exact.advance(*own_move, percepts).unwrap();
            belief.advance(*own_move, percepts).unwrap();
            let expected = exact.distribution();
            if expected.states_count() <= PARTICLES / 4 {
                sets += 1;
                sum += expected.total_variation(&belief.distribution());
            }
        }
        replenishments += belief.report().replenishments;
    }
    let mean = sum / f64::from(sets);
    assert!(sets > 50 && replenishments > 0, "{sets} information sets, {replenishments} times drawn again");
    assert!(mean < 0.05, "total variation {mean} in mean over {sets} information sets of few states");
}

/// The hands that five others show in the last turn are dealt to particles from the first turn on, without a solver.
#[test]
fn shown_hands_are_dealt_again_from_the_first_card() {
    let game = game(NO_LIMIT);
    let mut scratch = game.scratch();
    let is_shown = |known: &InformationSet| {
        let last = &known.turns[known.turns.len() - 1].1;
        game.percept_terms(last).iter().filter(|percept| percept.starts_with("(show")).count() >= 2
    };
    let mut shown = 0;
    for number in 0..60 {
        let joint_moves = random_match(&game, &mut ChaCha8Rng::from_seed([number; 32]), &mut scratch);
        let (known, _) = replay(&game, role(&game, "alice"), &joint_moves, &mut scratch);
        if !is_shown(&known) {
            continue;
        }
        shown += 1;
        let options = ParticleOptions { complete_max: 0, ..ParticleOptions::for_play(PARTICLES) };
        let mut belief = ParticleBelief::new(Arc::clone(&game), known.role, options, [1; 32]).unwrap();
        belief.follow(&known).unwrap();
        let report = belief.report();
        assert_eq!(report.solver_rescues + report.searches, 0, "match {number}: {report:?}");
        if shown == 2 {
            return;
        }
    }
    panic!("{shown} of 60 matches came to a showdown");
}
