//! What happens when all particles die.

use std::sync::Arc;

use croupier_belief::{BeliefError, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet};

use crate::tree::{both, game, lifted, replay, role};

/// Chance tosses eight coins that the guesser does not see; then all are shown, one a turn.
const COINS: &str = "
    (role guesser) (role random)
    (side heads) (side tails)
    (init (tossing 1))
    (then 1 2) (then 2 3) (then 3 4) (then 4 5) (then 5 6) (then 6 7) (then 7 8)
    (last 8)
    (legal guesser wait)
    (<= (legal random (toss ?side)) (true (tossing ?n)) (side ?side))
    (<= (legal random show) (true (showing ?n)))
    (<= (next (coin ?n ?side)) (true (tossing ?n)) (does random (toss ?side)))
    (<= (next (coin ?n ?side)) (true (coin ?n ?side)))
    (<= (next (tossing ?m)) (true (tossing ?n)) (then ?n ?m))
    (<= (next (showing 1)) (true (tossing ?n)) (last ?n))
    (<= (next (showing ?m)) (true (showing ?n)) (then ?n ?m))
    (<= (next over) (true (showing ?n)) (last ?n))
    (<= (sees guesser (lies ?n ?side)) (true (showing ?n)) (true (coin ?n ?side)))
    (<= terminal (true over))
    (goal guesser 50)";

/// The coins are tossed, then these are shown.
fn shown(game: &Game, sides: &[&str]) -> InformationSet {
    let wait = game.move_id("wait").unwrap();
    let mut known = InformationSet::initial(role(game, "guesser"));
    for _ in 0..8 {
        known.turns.push((wait, game.percepts_of([]).unwrap()));
    }
    for (index, side) in sides.iter().enumerate() {
        let percept = format!("(lies {} {side})", index + 1);
        known.turns.push((wait, game.percepts_of([percept.as_str()]).unwrap()));
    }
    known
}

const SIDES: [&str; 8] = ["heads", "tails", "tails", "heads", "tails", "heads", "heads", "heads"];

fn belief(game: &Arc<Game>, options: ParticleOptions, seed: u8) -> ParticleBelief {
    ParticleBelief::new(Arc::clone(game), role(game, "guesser"), options, [seed; 32]).unwrap()
}

/// Every particle of the belief was told what the guesser was told.
fn assert_explains(game: &Game, belief: &ParticleBelief, known: &InformationSet) {
    let mut scratch = game.scratch();
    assert_eq!(belief.known(), known);
    for (history, _) in belief.histories() {
        let replayed = replay(game, known.role, &history.joint_moves, &mut scratch);
        assert_eq!(replayed, (known.clone(), history.state));
    }
}

#[test]
fn a_consistent_history_is_found_when_drawing_is_hopeless() {
    for (game, seed) in both(COINS).iter().flat_map(|game| (0..20).map(move |seed| (game, seed))) {
        let known = shown(game, &SIDES);
        let options = ParticleOptions { particles: 2, rejuvenations_max: 1, ..ParticleOptions::STANDARD };
        let mut belief = belief(game, options, seed);
        belief.follow(&known).unwrap();
        assert_explains(game, &belief, &known);
        assert!(belief.report().searches + belief.report().solver_rescues > 0, "seed {seed}");
    }
}

#[test]
fn earlier_turns_are_drawn_again_before_a_search() {
    let game = lifted(COINS);
    // Three coins are right one time in eight: four particles have them every other time, and so they
    // do after some of twenty fresh starts.
    let known = shown(&game, &SIDES[..3]);
    let mut rejuvenations = 0;
    let mut searches = 0;
    for seed in 0..50 {
        let options = ParticleOptions { particles: 4, rejuvenations_max: 20, ..ParticleOptions::STANDARD };
        let mut belief = belief(&game, options, seed);
        belief.follow(&known).unwrap();
        assert_explains(&game, &belief, &known);
        rejuvenations += belief.report().rejuvenations;
        searches += belief.report().searches;
    }
    assert!(rejuvenations > 10, "{rejuvenations}");
    assert_eq!(searches, 0);
}

#[test]
fn a_whole_search_gives_the_exact_belief() {
    let game = lifted(COINS);
    // Five of eight coins are known, so there are eight histories.
    let known = shown(&game, &SIDES[..5]);
    let options = ParticleOptions { particles: 20, rejuvenations_max: 0, ..ParticleOptions::STANDARD };
    let searched = (0..50).map(|seed| {
        let mut belief = belief(&game, options, seed);
        belief.follow(&known).unwrap();
        belief
    });
    let mut last_turn_searched = 0;
    for belief in searched {
        if belief.report().searches > 0 && belief.particles_count() == 8 {
            last_turn_searched += 1;
            assert!((belief.distribution().entropy_bits() - 3.0).abs() < 1e-12);
        }
    }
    assert!(last_turn_searched > 0);
}

#[test]
fn the_limit_of_the_search_is_named() {
    let game = lifted(COINS);
    let options = ParticleOptions {
        particles: 1,
        rejuvenations_max: 2,
        search_joint_moves_max: 5,
        ..ParticleOptions::STANDARD
    };
    let mut belief = belief(&game, options, 0);
    let error = belief.follow(&shown(&game, &SIDES)).unwrap_err();
    let BeliefError::Depleted { turn, rejuvenations: 2, joint_moves_max: 5 } = error else {
        panic!("{error}");
    };
    assert!(turn >= 8, "{turn}");
    // The belief stands before that turn and can be asked.
    assert_eq!(belief.known().turns.len(), turn);
    assert!(belief.particles_count() > 0);
}

#[test]
fn what_cannot_be_is_said_to_be_impossible() {
    let game = game(COINS);
    let mut belief = belief(&game, ParticleOptions { particles: 4, ..ParticleOptions::STANDARD }, 3);
    let known = shown(&game, &["heads", "edge"]);
    assert_eq!(belief.follow(&known), Err(BeliefError::Inconsistent { turn: 9 }));
    assert_eq!(belief.known().turns.len(), 9);
}

#[test]
fn half_of_the_particles_are_always_worth_something() {
    let game = lifted(COINS);
    let known = shown(&game, &SIDES[..5]);
    let options = ParticleOptions { particles: 1_000, ..ParticleOptions::STANDARD };
    let mut belief = belief(&game, options, 0);
    let mut prefix = InformationSet::initial(known.role);
    for turn in &known.turns {
        prefix.turns.push(turn.clone());
        belief.follow(&prefix).unwrap();
        let size = belief.effective_sample_size();
        assert!(size >= 499.0, "{size}");
    }
    // Each shown coin contradicts half of the particles.
    assert!(belief.report().resamplings >= 3, "{:?}", belief.report());
    assert_eq!(belief.report().rejuvenations, 0);
}

#[test]
fn few_kept_turns_change_no_law() {
    let game = game(COINS);
    let known = shown(&game, &SIDES);
    for turns_kept in [0, 1, 3] {
        let options = ParticleOptions { particles: 8, turns_kept, ..ParticleOptions::STANDARD };
        let mut belief = belief(&game, options, 1);
        belief.follow(&known).unwrap();
        assert_explains(&game, &belief, &known);
        // All coins are known in the end.
        assert_eq!(belief.distribution().states_count(), 1);
        for (index, side) in SIDES.iter().enumerate() {
            let coin = game.fluent_id(&format!("(coin {} {side})", index + 1)).unwrap();
            assert_eq!(belief.distribution().probability(coin), 1.0);
        }
    }
}
