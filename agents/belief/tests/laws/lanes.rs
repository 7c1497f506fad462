//! Particles on lanes: against exact beliefs, against chance, and when nothing is left of them.

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::{BeliefError, ExactBelief, ExactOptions, Histories, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet, State};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::tree::{HOLDEM, KUHN, LEDUC, MONTY_HALL, game, posteriors, random_match, replay, role};

fn follow(game: &Arc<Game>, known: &InformationSet, particles: usize, seed: u8) -> ParticleBelief {
    let options = ParticleOptions { particles, ..ParticleOptions::STANDARD };
    let mut belief = ParticleBelief::new(Arc::clone(game), known.role, options, [seed; 32]).unwrap();
    belief.follow(known).unwrap();
    belief
}

/// What a role knew before the last round of betting of a match of hold'em, once so many cards lie on the board.
fn with_board(game: &Game, seed: u8, cards: usize) -> Option<InformationSet> {
    let mut scratch = game.scratch();
    let joint_moves = random_match(game, &mut ChaCha8Rng::from_seed([seed; 32]), &mut scratch);
    let name = if seed.is_multiple_of(2) { "alice" } else { "bob" };
    let (mut known, _) = replay(game, role(game, name), &joint_moves, &mut scratch);
    let is_board = |percepts: &croupier_engine::Percepts| {
        game.percept_terms(percepts).iter().any(|percept| percept.starts_with("(board"))
    };
    let mut seen = 0;
    let last = known.turns.iter().position(|(_, percepts)| {
        seen += usize::from(is_board(percepts));
        seen == cards
    })?;
    known.turns.truncate(last + 1);
    Some(known)
}

#[test]
fn a_hundred_thousand_particles_are_exact_on_flop_turn_and_river_of_holdem() {
    let game = game(HOLDEM);
    for cards in 3..=5 {
        let known = (0..200).find_map(|seed| with_board(&game, seed, cards)).unwrap();
        let exact =
            ExactBelief::of(Arc::clone(&game), &known, ExactOptions::STANDARD).unwrap().distribution();
        // 52 cards less two own and those on the board.
        let rest = 50 - cards;
        assert_eq!(exact.states_count(), rest * (rest - 1) / 2);
        let belief = follow(&game, &known, 100_000, 1);
        assert!(belief.is_complete());
        assert!(exact.total_variation(&belief.distribution()) < 1e-9);
        // Fewer particles than histories: better the more there are.
        let distance = |particles| {
            let belief = follow(&game, &known, particles, 1);
            assert!(!belief.is_complete());
            exact.total_variation(&belief.distribution())
        };
        let distances = [distance(300), distance(1_500)];
        // 300 of about a thousand states at most can be there.
        assert!(distances[0] > 0.5 && distances[0] < 0.85, "{distances:?}");
        assert!(distances[1] < 0.4, "{distances:?}");
    }
}

#[test]
fn small_games_are_exact_at_every_information_set() {
    for (rules, name) in [(KUHN, "alice"), (KUHN, "bob"), (LEDUC, "bob"), (MONTY_HALL, "candidate")] {
        let game = game(rules);
        for (known, posterior) in posteriors(&game, role(&game, name)).iter().step_by(7) {
            let belief = follow(&game, known, 1_000, 3);
            assert!(belief.is_complete());
            let distribution = belief.distribution();
            assert_eq!(distribution.states_count(), posterior.states.len());
            for (state, probability) in distribution.iter() {
                let (expected, _) = posterior.states[&game.state_terms(state)];
                assert!((probability - expected).abs() < 1e-12, "{probability} for {expected}");
            }
        }
    }
}

/// The number below which a chi-square of so many degrees stays but for one time in a million: E. B. Wilson and
/// M. M. Hilferty, "The distribution of chi-square", PNAS 17(12), 1931.
fn chi_square_bound(degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    degrees * (1.0 - spread + 4.753 * spread.sqrt()).powi(3)
}

/// States in bins that are about equally likely, and the probability of each bin.
fn bins(exact: &ExactBelief, game: &Game, wanted: usize) -> (BTreeMap<Vec<Arc<str>>, usize>, Vec<f64>) {
    let distribution = exact.distribution();
    let mut states: Vec<(Vec<Arc<str>>, f64)> =
        distribution.iter().map(|(state, probability)| (game.state_terms(state), probability)).collect();
    states.sort_by(|one, other| one.0.cmp(&other.0));
    let (mut bin_of, mut probabilities) = (BTreeMap::new(), vec![0.0]);
    for (terms, probability) in states {
        if probabilities[probabilities.len() - 1] >= 1.0 / wanted as f64 {
            probabilities.push(0.0);
        }
        bin_of.insert(terms, probabilities.len() - 1);
        *probabilities.last_mut().unwrap() += probability;
    }
    (bin_of, probabilities)
}

/// One state from each of many independent beliefs of few particles, over many information sets: chi-square must not
/// reject that they are as likely as the exact belief says.
fn draws_are_fair(game: &Arc<Game>, sets: &[InformationSet], particles: usize, draws: u16) {
    let (mut statistic, mut degrees) = (0.0, 0.0);
    for known in sets {
        let exact = ExactBelief::of(Arc::clone(game), known, ExactOptions::STANDARD).unwrap();
        let (bin_of, probabilities) = bins(&exact, game, 8);
        let mut counts = vec![0.0; probabilities.len()];
        for draw in 0..draws {
            let mut seed = [0; 32];
            seed[..2].copy_from_slice(&draw.to_le_bytes());
            let options = ParticleOptions { particles, ..ParticleOptions::STANDARD };
            let mut belief = ParticleBelief::new(Arc::clone(game), known.role, options, seed).unwrap();
            belief.follow(known).unwrap();
            let mut rng = ChaCha8Rng::from_seed([255; 32]);
            rng.set_stream(u64::from(draw));
            let distribution = belief.distribution();
            let state: &State = distribution.sample(&mut rng);
            counts[bin_of[&game.state_terms(state)]] += 1.0;
        }
        for (count, probability) in counts.iter().zip(&probabilities) {
            let expected = probability * f64::from(draws);
            statistic += (count - expected) * (count - expected) / expected;
        }
        degrees += probabilities.len() as f64 - 1.0;
    }
    assert!(degrees > 20.0, "the information sets leave something open: {degrees}");
    let bound = chi_square_bound(degrees);
    assert!(statistic < bound, "{statistic} with {degrees} degrees of freedom, not below {bound}");
}

#[test]
fn chi_square_does_not_reject_few_particles_of_holdem() {
    let game = game(HOLDEM);
    let sets: Vec<_> = (0..24).filter_map(|seed| with_board(&game, seed, 3)).take(6).collect();
    draws_are_fair(&game, &sets, 100, 150);
}

#[test]
fn chi_square_does_not_reject_few_particles_of_leduc() {
    let game = game(LEDUC);
    let sets: Vec<_> = posteriors(&game, role(&game, "alice")).into_keys().step_by(97).collect();
    draws_are_fair(&game, &sets, 3, 300);
}

#[test]
fn particles_of_holdem_have_the_information_set_that_was_observed() {
    let game = game(HOLDEM);
    let mut scratch = game.scratch();
    for seed in 0..12 {
        let Some(known) = with_board(&game, seed, 3) else { continue };
        let belief = follow(&game, &known, 60, seed);
        let histories = Histories::proportional(belief.histories()).unwrap();
        let mut rng = ChaCha8Rng::from_seed([seed; 32]);
        for _ in 0..10 {
            let history = histories.sample(&mut rng);
            let replayed = replay(&game, known.role, &history.joint_moves, &mut scratch);
            assert_eq!(replayed, (known.clone(), history.state.clone()));
        }
    }
}

/// Chance tosses forty coins that the guesser does not see; then all are shown, one a turn; at last it is told whether
/// all lie heads up.
fn locks() -> String {
    let coins = 40;
    let then: String = (1..coins).map(|coin| format!("(then {coin} {})", coin + 1)).collect();
    format!(
        "(role guesser) (role random) (side heads) (side tails) {then} (init (tossing 1)) (last {coins})
        (legal guesser wait)
        (<= (legal random (toss ?side)) (true (tossing ?n)) (side ?side))
        (<= (legal random show) (true (showing ?n)))
        (<= (legal random tell) (true telling))
        (<= (next (coin ?n ?side)) (true (tossing ?n)) (does random (toss ?side)))
        (<= (next (coin ?n ?side)) (true (coin ?n ?side)))
        (<= (next (tossing ?m)) (true (tossing ?n)) (then ?n ?m))
        (<= (next (showing 1)) (true (tossing ?n)) (last ?n))
        (<= (next (showing ?m)) (true (showing ?n)) (then ?n ?m))
        (<= (next telling) (true (showing ?n)) (last ?n))
        (<= (next over) (true telling))
        (<= (sees guesser (lies ?n ?side)) (true (showing ?n)) (true (coin ?n ?side)))
        (<= some_tails (true (coin ?n tails)))
        (<= (sees guesser all_heads) (true telling) (not some_tails))
        (<= terminal (true over))
        (goal guesser 50)"
    )
}

/// The coins are tossed and shown, of which every third lies tails up, and then this is told.
fn shown(game: &Game, last: Option<&str>) -> InformationSet {
    let wait = game.move_id("wait").unwrap();
    let mut known = InformationSet::initial(role(game, "guesser"));
    known.turns.extend((0..40).map(|_| (wait, game.percepts_of([]).unwrap())));
    for coin in 1..=40 {
        let side = if coin % 3 == 0 { "tails" } else { "heads" };
        known.turns.push((wait, game.percepts_of([format!("(lies {coin} {side})").as_str()]).unwrap()));
    }
    known.turns.push((wait, game.percepts_of(last).unwrap()));
    known
}

#[test]
fn one_history_in_a_billion_is_found() {
    let game = game(&locks());
    let options = ParticleOptions { particles: 100, rejuvenations_max: 2, ..ParticleOptions::STANDARD };
    let known = shown(&game, None);
    let mut belief = ParticleBelief::new(Arc::clone(&game), known.role, options, [1; 32]).unwrap();
    belief.follow(&known).unwrap();
    assert!(belief.report().solver_rescues > 0, "{:?}", belief.report());
    assert_eq!(belief.report().searches, 0);
    assert_eq!(belief.distribution().states_count(), 1);
    let mut scratch = game.scratch();
    for (history, _) in belief.histories() {
        assert_eq!(
            replay(&game, known.role, &history.joint_moves, &mut scratch),
            (known.clone(), history.state)
        );
    }
}

#[test]
fn what_no_history_explains_is_proved_impossible() {
    let game = game(&locks());
    let options = ParticleOptions { particles: 100, rejuvenations_max: 2, ..ParticleOptions::STANDARD };
    let known = shown(&game, Some("all_heads"));
    let mut belief = ParticleBelief::new(Arc::clone(&game), known.role, options, [1; 32]).unwrap();
    assert_eq!(belief.follow(&known), Err(BeliefError::Inconsistent { turn: 80 }));
}
