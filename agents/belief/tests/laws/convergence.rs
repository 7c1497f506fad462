//! Particles against the exact belief over random information sets of every game in which that can be enumerated.
//!
//! `CROUPIER_SETS` is how many information sets of each game are looked at (without it, as many as take a few seconds).

use std::{env, sync::Arc};

use croupier_belief::{
    BeliefError, Detail, Distribution, ExactBelief, ExactOptions, Histories, ParticleBelief, ParticleOptions,
};
use croupier_engine::{Game, InformationSet};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::tree::{
    HOLDEM, KRIEGSPIEL, KUHN, LEDUC, MASTERMIND, MONTY_HALL, Terms, game, lifted, random_match, replay,
};

/// Particles of the belief whose distance from the exact one is measured.
const MANY: usize = 100_000;

/// Cells into which the ranks of the states drawn fall: so that ten are expected in each.
fn cells_count(sets: usize) -> usize {
    (sets / 10).clamp(2, 50)
}

/// How probable the counts of the cells must be at least. The draws depend on seeds that stand here, so the tests
/// never fail by chance: they were right or wrong when they were written.
const SIGNIFICANCE: f64 = 0.001;

/// Exact beliefs with more states than this are not asked for: earlier information sets of the match are.
const STATES_MAX: usize = 20_000;

/// What is looked at.
struct Trial {
    rules: &'static str,
    /// Particles of the belief that states are drawn from: fewer than there are histories, where the game has many.
    few: usize,
    /// Cards on the board, for the information sets of hold'em.
    board: Option<usize>,
    /// One of so many information sets is also looked at with [`MANY`] particles.
    many_every: usize,
    /// Information sets that are looked at in an ordinary run.
    sets: usize,
}

fn sets_count(ordinary: usize) -> usize {
    env::var("CROUPIER_SETS").map_or(ordinary, |text| text.parse().expect("CROUPIER_SETS is a number"))
}

fn stream(number: usize) -> ChaCha8Rng {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    rng.set_stream(number as u64);
    rng
}

/// A number from 0 to 1.
fn unit(rng: &mut impl Rng) -> f64 {
    (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
}

fn below(count: usize, rng: &mut impl Rng) -> usize {
    (unit(rng) * count as f64) as usize
}

/// What a random player knew after a random turn of a random match, with so many cards on the board if that is said.
fn random_set(game: &Game, board: Option<usize>, rng: &mut ChaCha8Rng) -> InformationSet {
    let mut scratch = game.scratch();
    let players: Vec<_> = game.roles().players().collect();
    loop {
        let joint_moves = random_match(game, rng, &mut scratch);
        let (mut known, _) = replay(game, players[below(players.len(), rng)], &joint_moves, &mut scratch);
        let mut seen = 0;
        let is_in = known.turns.iter().map(|(_, percepts)| {
            let percepts = game.percept_terms(percepts);
            seen += percepts.iter().filter(|percept| percept.starts_with("(board")).count();
            board.is_none_or(|board| seen == board)
        });
        let lengths: Vec<usize> =
            is_in.enumerate().filter(|(_, is_in)| *is_in).map(|(turn, _)| turn + 1).collect();
        if !lengths.is_empty() {
            known.turns.truncate(lengths[below(lengths.len(), rng)]);
            return known;
        }
    }
}

/// The exact belief after `known`, or after as many of its turns as leave few enough states.
fn exact(game: &Arc<Game>, known: &mut InformationSet) -> Distribution {
    let options =
        ExactOptions { detail: Detail::States, histories_max: STATES_MAX, joint_moves_max: 10_000_000 };
    let mut belief = ExactBelief::new(Arc::clone(game), known.role, options).unwrap();
    let turns = std::mem::take(&mut known.turns);
    for (own_move, percepts) in turns {
        match belief.advance(own_move, &percepts) {
            Ok(()) => known.turns.push((own_move, percepts)),
            Err(BeliefError::TooManyHistories { .. } | BeliefError::TooManyJointMoves { .. }) => break,
            Err(error) => panic!("{error}"),
        }
    }
    belief.distribution()
}

fn particles(game: &Arc<Game>, known: &InformationSet, particles: usize, seed: u64) -> ParticleBelief {
    let options = ParticleOptions { detail: Detail::States, particles, ..ParticleOptions::STANDARD };
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let mut belief = ParticleBelief::new(Arc::clone(game), known.role, options, bytes).unwrap();
    belief.follow(known).unwrap();
    belief
}

/// Where a state stands among those held possible, as the share of probability before it and a random part of its own:
/// uniform from 0 to 1 if the state was drawn from `exact`.
fn rank(game: &Game, exact: &Distribution, drawn: &Terms, rng: &mut impl Rng) -> f64 {
    let (mut before, mut own) = (0.0, None);
    for (state, probability) in exact.iter() {
        let terms = game.state_terms(state);
        match terms.cmp(drawn) {
            std::cmp::Ordering::Less => before += probability,
            std::cmp::Ordering::Equal => own = Some(probability),
            std::cmp::Ordering::Greater => {}
        }
    }
    before + unit(rng) * own.expect("a state that particles hold possible is possible")
}

#[expect(clippy::print_stdout, reason = "the figures are what a long run is for")]
fn converges(name: &str, game: &Arc<Game>, trial: &Trial) {
    let mut scratch = game.scratch();
    let sets = sets_count(trial.sets);
    let cells = cells_count(sets);
    let (mut counts, mut distances, mut complete) = (vec![0.0; cells], Vec::new(), 0);
    for number in 0..sets {
        let mut rng = stream(number);
        let mut known = random_set(game, trial.board, &mut rng);
        let exact = exact(game, &mut known);
        if number % trial.many_every == 0 {
            let belief = particles(game, &known, MANY, number as u64);
            complete += usize::from(belief.is_complete());
            distances.push(exact.total_variation(&belief.distribution()));
        }
        // One history of one belief of few particles: it must be one of those that the role cannot tell apart, and any
        // of them as often as the exact belief says.
        let belief = particles(game, &known, trial.few, number as u64);
        let histories = Histories::proportional(belief.histories()).unwrap();
        let history = histories.sample(&mut rng);
        let replayed = replay(game, known.role, &history.joint_moves, &mut scratch);
        assert_eq!(replayed, (known, history.state.clone()), "{name}, set {number}");
        let rank = rank(game, &exact, &game.state_terms(&history.state), &mut rng);
        counts[((rank * cells as f64) as usize).min(cells - 1)] += 1.0;
    }
    let greatest = distances.iter().copied().fold(0.0, f64::max);
    let expected = sets as f64 / cells as f64;
    let statistic: f64 = counts.iter().map(|count| (count - expected) * (count - expected) / expected).sum();
    let p = ChiSquared::new((cells - 1) as f64).unwrap().sf(statistic);
    println!(
        "{name}: {sets} information sets, chi-square {statistic:.1} (p = {p:.3}) with {} particles; with {MANY}, {} sets, \
         {complete} of them complete, total variation at most {greatest:.5}",
        trial.few,
        distances.len()
    );
    assert!(greatest < 0.02, "{name}: total variation {greatest}");
    assert!(p > SIGNIFICANCE, "{name}: chi-square {statistic}, p = {p}, {counts:?}");
}

const TRIAL: Trial = Trial { rules: KUHN, few: 100, board: None, many_every: 1, sets: 150 };

fn converges_on_lanes(name: &str, trial: &Trial) {
    let game = game(trial.rules);
    assert!(game.network().is_some(), "the rules can be grounded");
    converges(name, &game, trial);
}

#[test]
fn particles_converge_in_kuhn_poker() {
    converges_on_lanes("kuhn", &TRIAL);
    converges("kuhn, lifted", &lifted(KUHN), &Trial { many_every: 20, few: 1_000, ..TRIAL });
}

#[test]
fn particles_converge_in_leduc_holdem() {
    converges_on_lanes("leduc", &Trial { rules: LEDUC, few: 10, ..TRIAL });
}

#[test]
fn particles_converge_in_monty_hall() {
    converges_on_lanes("monty-hall", &Trial { rules: MONTY_HALL, ..TRIAL });
    converges(
        "monty-hall, lifted",
        &lifted(MONTY_HALL),
        &Trial { rules: MONTY_HALL, many_every: 20, few: 1_000, ..TRIAL },
    );
}

#[test]
fn particles_converge_in_mastermind() {
    converges_on_lanes("mastermind-2x3", &Trial { rules: MASTERMIND, few: 5, ..TRIAL });
}

#[test]
fn particles_converge_in_kriegspiel_tic_tac_toe() {
    converges_on_lanes(
        "krieg-tic-tac-toe-4x4",
        &Trial { rules: KRIEGSPIEL, few: 200, many_every: 5, sets: 30, ..TRIAL },
    );
}

#[test]
fn particles_converge_on_the_flop_of_holdem() {
    converges_on_lanes(
        "holdem, flop",
        &Trial { rules: HOLDEM, board: Some(3), many_every: 5, sets: 10, ..TRIAL },
    );
}

#[test]
fn particles_converge_on_the_turn_of_holdem() {
    converges_on_lanes(
        "holdem, turn",
        &Trial { rules: HOLDEM, board: Some(4), many_every: 5, sets: 10, ..TRIAL },
    );
}

#[test]
fn particles_converge_on_the_river_of_holdem() {
    converges_on_lanes(
        "holdem, river",
        &Trial { rules: HOLDEM, board: Some(5), many_every: 5, sets: 10, ..TRIAL },
    );
}
