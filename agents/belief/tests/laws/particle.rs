//! Beliefs by particles against exact ones.

use std::sync::Arc;

use croupier_belief::{BeliefError, ExactBelief, ExactOptions, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet};

use crate::tree::{KUHN, LEDUC, MONTY_HALL, both, game, lifted, posteriors, replay, role};

const SEED: [u8; 32] = [7; 32];

fn particles(game: &Arc<Game>, known: &InformationSet, particles: usize) -> ParticleBelief {
    let options = ParticleOptions { particles, ..ParticleOptions::STANDARD };
    let mut belief = ParticleBelief::new(Arc::clone(game), known.role, options, SEED).unwrap();
    belief.follow(known).unwrap();
    belief
}

/// What the total variation of so many independent draws from `states` states stays below but for one
/// time in a million: its mean is at most half of sqrt(2 states / (pi draws)) (Jensen), and by
/// McDiarmid it exceeds that by more than e at most with probability exp(-2 draws e^2).
fn bound(states: usize, draws: usize) -> f64 {
    let (states, draws) = (states as f64, draws as f64);
    (2.0 * states / (std::f64::consts::PI * draws)).sqrt() / 2.0 + (1e6_f64.ln() / (2.0 * draws)).sqrt()
}

fn is_near_the_exact_belief(rules: &str, name: &str, draws: usize, every: usize) {
    both(rules).iter().for_each(|game| is_near_the_exact_belief_of(game, name, draws, every));
}

fn is_near_the_exact_belief_of(game: &Arc<Game>, name: &str, draws: usize, every: usize) {
    for known in posteriors(game, role(game, name)).keys().step_by(every) {
        let exact = ExactBelief::of(Arc::clone(game), known, ExactOptions::STANDARD).unwrap().distribution();
        let belief = particles(game, known, draws);
        let drawn = belief.distribution();
        let distance = exact.total_variation(&drawn);
        let effective = belief.effective_sample_size().min(draws as f64 / 2.0) as usize;
        let bound = bound(exact.states_count(), effective.max(1));
        assert!(distance < bound, "{distance} and not below {bound}");
        assert!(drawn.states_count() <= exact.states_count());
    }
}

#[test]
fn is_near_the_exact_belief_everywhere_in_kuhn() {
    is_near_the_exact_belief(KUHN, "alice", 20_000, 1);
    is_near_the_exact_belief(KUHN, "bob", 20_000, 1);
}

#[test]
fn is_near_the_exact_belief_in_leduc() {
    is_near_the_exact_belief(LEDUC, "alice", 20_000, 131);
    is_near_the_exact_belief(LEDUC, "bob", 20_000, 131);
}

#[test]
fn is_near_the_exact_belief_where_weights_differ() {
    // In the two games above all consistent deals are equally likely; behind the doors they are not.
    is_near_the_exact_belief(MONTY_HALL, "candidate", 20_000, 1);
}

#[test]
fn a_hundred_thousand_particles_are_within_two_percent() {
    let game = game(LEDUC);
    let posteriors = posteriors(&game, role(&game, "bob"));
    let mut widest: Vec<_> = posteriors.iter().collect();
    widest.sort_by_key(|(known, posterior)| (std::cmp::Reverse(posterior.states.len()), known.turns.len()));
    for (known, _) in widest.into_iter().take(3) {
        let exact = ExactBelief::of(Arc::clone(&game), known, ExactOptions::STANDARD).unwrap();
        let distance = exact.distribution().total_variation(&particles(&game, known, 100_000).distribution());
        assert!(distance < 0.02, "{distance}");
    }
}

#[test]
fn a_particle_has_the_information_set_that_was_observed() {
    both(LEDUC).iter().for_each(particles_have_the_information_set);
}

fn particles_have_the_information_set(game: &Arc<Game>) {
    let mut scratch = game.scratch();
    let alice = role(game, "alice");
    for known in posteriors(game, alice).keys().step_by(41) {
        let belief = particles(game, known, 30);
        let histories = belief.histories();
        assert_eq!(histories.len(), belief.particles_count());
        for (history, _) in &histories {
            assert_eq!(
                replay(game, alice, &history.joint_moves, &mut scratch),
                (known.clone(), history.state.clone())
            );
        }
        let sum: f64 = histories.iter().map(|(_, weight)| weight).sum();
        assert!((sum - 1.0).abs() < 1e-12, "{sum}");
        let size = belief.effective_sample_size();
        assert!((1.0 - 1e-9..=30.0 + 1e-9).contains(&size), "{size}");
    }
}

#[test]
fn following_at_once_or_turn_by_turn_gives_the_same_belief() {
    let game = game(LEDUC);
    let alice = role(&game, "alice");
    let posteriors = posteriors(&game, alice);
    let known = posteriors.keys().max_by_key(|known| known.turns.len()).unwrap();
    let at_once = particles(&game, known, 100);
    let mut stepwise = particles(&game, &InformationSet::initial(alice), 100);
    let mut prefix = InformationSet::initial(alice);
    for turn in &known.turns {
        prefix.turns.push(turn.clone());
        stepwise.follow(&prefix).unwrap();
    }
    assert_eq!(at_once.distribution(), stepwise.distribution());
    assert_eq!(at_once.histories(), stepwise.histories());

    // Something else in between leaves no trace.
    stepwise.follow(&InformationSet::initial(alice)).unwrap();
    assert_eq!(stepwise.distribution().states_count(), 1);
    stepwise.follow(known).unwrap();
    assert_eq!(at_once.distribution(), stepwise.distribution());
}

#[test]
fn the_seed_matters() {
    both(LEDUC).iter().for_each(seeds_matter);
}

fn seeds_matter(game: &Arc<Game>) {
    let alice = role(game, "alice");
    let known = InformationSet {
        role: alice,
        turns: vec![
            (game.move_id("noop").unwrap(), game.percepts_of(["(hole ks)"]).unwrap()),
            (game.move_id("noop").unwrap(), game.percepts_of(["(dealt bob)"]).unwrap()),
        ],
    };
    let options = ParticleOptions { particles: 2, ..ParticleOptions::STANDARD };
    let states = |seed: u8| {
        let mut belief = ParticleBelief::new(Arc::clone(game), alice, options, [seed; 32]).unwrap();
        belief.follow(&known).unwrap();
        belief.distribution().iter().map(|(state, _)| game.state_terms(state)).collect::<Vec<_>>()
    };
    assert_eq!(states(1), states(1));
    assert!((2..20).any(|seed| states(seed) != states(1)));
}

/// Both others say a number of two digits, and the watcher hears whether the last digits are the same.
const NUMBERS: &str = "
    (role watcher) (role one) (role random)
    (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
    (speaker one) (speaker random)
    (init start)
    (<= (legal watcher wait) (true start))
    (<= (legal ?r (say ?tens ?ones)) (true start) (speaker ?r) (digit ?tens) (digit ?ones))
    (<= (next (said ?r ?tens ?ones)) (does ?r (say ?tens ?ones)))
    (<= (next over) (true start))
    (<= (sees watcher same) (does one (say ?t ?ones)) (does random (say ?s ?ones)))
    (<= terminal (true over))
    (goal watcher 0)
    (goal one 0)";

#[test]
fn draws_stand_in_for_joint_moves_that_are_too_many() {
    let game = lifted(NUMBERS);
    let watcher = role(&game, "watcher");
    let known = InformationSet {
        role: watcher,
        turns: vec![(game.move_id("wait").unwrap(), game.percepts_of(["same"]).unwrap())],
    };
    let exact = ExactBelief::of(Arc::clone(&game), &known, ExactOptions::STANDARD).unwrap();
    assert_eq!(exact.distribution().states_count(), 1_000);
    let options = ParticleOptions { particles: 3_000, enumerated_max: 9_999, ..ParticleOptions::STANDARD };
    let mut belief = ParticleBelief::new(Arc::clone(&game), watcher, options, SEED).unwrap();
    belief.follow(&known).unwrap();
    assert_eq!(belief.report().joint_moves_looked_at, 9_999);
    // The last digit of each: ten values, estimated from about a thousand accepted draws.
    let distribution = belief.distribution();
    for digit in 0..10 {
        let states = distribution.iter().filter(|(state, _)| {
            (0..10).any(|tens| state.contains(game.fluent_id(&format!("(said one {tens} {digit})")).unwrap()))
        });
        let probability: f64 = states.map(|(_, probability)| probability).sum();
        // Five standard deviations of a share of 0.1 among 1000.
        assert!((probability - 0.1).abs() < 5.0 * (0.1 * 0.9 / 1_000_f64).sqrt(), "{digit}: {probability}");
    }
}

#[test]
fn chance_has_no_belief() {
    let game = game(KUHN);
    let random = role(&game, "random");
    let refused =
        ParticleBelief::new(Arc::clone(&game), random, ParticleOptions::STANDARD, SEED).unwrap_err();
    assert_eq!(refused, BeliefError::RandomRole);
}
