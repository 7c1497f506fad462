//! Playouts on the network against playouts of the lifted reasoner, by the law of large numbers: goals and
//! lengths of very many games, and how often each first move is chosen.
//!
//! `CROUPIER_PLAYOUTS` is how many playouts of each game the network makes, 100,000 unless it says otherwise, and a
//! million with `CROUPIER_SLOW=1`. Every draw follows from fixed seeds, so that a test which passes once passes always.

use std::{
    collections::{BTreeMap, BTreeSet},
    env,
    sync::Arc,
};

use croupier_engine::{
    Game, Options,
    batch::{Faults, Generator, Lanes, Plane, PlayoutSettings, Playouts, Tally},
    game::{Backend, GameNetwork},
    stages::propnet::Phase,
};
use croupier_tests::{
    corpus::{RuleFile, catalogue},
    size,
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;
use statrs::distribution::{ChiSquared, ContinuousCDF as _, Normal};

/// The least probability that is not taken for a fault. Some hundred tests are made.
const SIGNIFICANCE: f64 = 1e-5;

/// Games that take long, and the share of the playouts that they get.
const SHARES: &[(&str, u64)] = &[
    ("amazons", 10),
    ("breakthrough", 4),
    ("checkers", 4),
    ("chess", 50),
    ("holdem", 10),
    ("mastermind-4x6", 4),
    ("no-limit-holdem-3", 4),
    ("no-limit-holdem-4", 10),
    ("no-limit-holdem-6", 20),
    ("pig", 4),
    ("reversi", 10),
];

/// Turns that the lifted reasoner plays of each game in the long version, and of those that take it long.
const LIFTED_TURNS: u64 = 100_000;
const LIFTED_TURNS_OF_SLOW: &[(&str, u64)] =
    &[("chess", 20_000), ("mastermind-4x6", 20_000), ("reversi", 20_000)];

/// The share of them that is enough for every change.
const LIFTED_SHARE: u64 = 8;

const SEED: [u8; 32] = [17; 32];

fn compile(file: &RuleFile, backend: Backend) -> Game {
    let options = Options { backend, ..Options::PLAY };
    Game::compile(&file.text, &options).unwrap_or_else(|error| panic!("{}: {error}", file.name)).game
}

fn playouts(name: &str) -> u64 {
    let all = match env::var("CROUPIER_PLAYOUTS") {
        Ok(text) => text.parse().expect("CROUPIER_PLAYOUTS is a number"),
        Err(_) => size(100_000, 1_000_000),
    };
    let share = SHARES.iter().find(|(slow, _)| *slow == name).map_or(1, |(_, share)| *share);
    (all / share).max(1)
}

/// What playouts came to: how many ended with each goal of each player, and after how many turns.
#[derive(Debug, Default)]
struct Outcome {
    playouts: u64,
    turns: u64,
    turns_squared: u64,
    goals: BTreeMap<(String, String), u64>,
}

fn on_the_network(game: &Game, network: &GameNetwork, playouts: u64) -> Outcome {
    let settings = PlayoutSettings {
        playouts,
        playouts_per_block: (Playouts::LANES * 64) as u64,
        turns_max: game.limits().turns as u64,
        seed: SEED,
    };
    let tape = network.tape();
    let batch = Playouts::new(Arc::clone(tape), tape.initial(), settings);
    let mut tally = Tally::default();
    for block in 0..batch.blocks_count() {
        tally.merge(&batch.run_block(block));
    }
    assert_eq!(tally.faults, Faults::default());
    assert_eq!(tally.playouts, playouts);
    let mut outcome = Outcome { playouts, turns: tally.turns, ..Outcome::default() };
    for role in game.roles().players() {
        for (text, &count) in network.goals(role).iter().zip(&tally.goals[role.index()]) {
            let key = (game.roles().name(role).to_owned(), text.clone());
            *outcome.goals.entry(key).or_default() += count;
        }
    }
    outcome
}

fn on_the_reasoner(game: &Game, turns: u64) -> Outcome {
    let (mut outcome, mut scratch) = (Outcome::default(), game.scratch());
    while outcome.turns < turns {
        let mut rng = ChaCha8Rng::from_seed(SEED);
        rng.set_stream(outcome.playouts);
        let playout =
            game.playout(game.initial_state(), &mut rng, &mut scratch).expect("a playout that ends");
        outcome.playouts += 1;
        outcome.turns += playout.turns as u64;
        outcome.turns_squared += (playout.turns as u64).pow(2);
        for role in game.roles().players() {
            let key = (game.roles().name(role).to_owned(), playout.goals[role].value().to_string());
            *outcome.goals.entry(key).or_default() += 1;
        }
    }
    outcome
}

/// How likely values at least as far apart as these are, if both samples are of one distribution.
///
/// # Sources
/// The chi-square test of homogeneity: K. Pearson, Philosophical Magazine 50, 1900; values that are rare are
/// counted together (W. G. Cochran, Biometrics 10, 1954).
fn likelihood(samples: &[(u64, u64)]) -> f64 {
    let (first, second) = samples.iter().fold((0, 0), |(a, b), (x, y)| (a + x, b + y));
    let least = first.min(second) as f64 / (first + second) as f64;
    let (common, rare): (Vec<_>, Vec<_>) = samples.iter().partition(|(x, y)| (x + y) as f64 * least >= 5.0);
    let rest = rare.iter().fold((0, 0), |(a, b), (x, y)| (a + x, b + y));
    let cells: Vec<(u64, u64)> = common.into_iter().chain([rest]).filter(|(x, y)| x + y > 0).collect();
    let statistic: f64 = cells
        .iter()
        .flat_map(|&(x, y)| [(x, first), (y, second)].map(|(count, size)| (count, size, x + y)))
        .map(|(count, size, both)| {
            let expected = both as f64 * size as f64 / (first + second) as f64;
            (count as f64 - expected).powi(2) / expected
        })
        .sum();
    tail(statistic, cells.len())
}

/// The upper tail of the chi-square distribution for so many cells.
fn tail(statistic: f64, cells: usize) -> f64 {
    match cells {
        0 | 1 => 1.0,
        _ => ChiSquared::new((cells - 1) as f64).expect("degrees of freedom").sf(statistic),
    }
}

/// How likely a mean at least as far from `expected` is, for the lengths of this sample.
fn likelihood_of_length(sample: &Outcome, expected: f64) -> f64 {
    let count = sample.playouts as f64;
    let mean = sample.turns as f64 / count;
    let variance = (sample.turns_squared as f64 / count - mean * mean).max(0.0) * count / (count - 1.0);
    let far = (mean - expected).abs();
    if variance == 0.0 {
        return if far < 1e-9 { 1.0 } else { 0.0 };
    }
    2.0 * Normal::standard().sf(far / (variance / count).sqrt())
}

#[test]
fn goals_and_lengths_of_playouts_are_those_of_the_lifted_reasoner() {
    let mut failures = Vec::new();
    for file in catalogue() {
        let name = file.name.as_str();
        let (network, lifted) = (compile(&file, Backend::Propnet), compile(&file, Backend::Datalog));
        let tape = network.network().expect("a network");
        let slow = LIFTED_TURNS_OF_SLOW.iter().find(|(slow, _)| *slow == name);
        let turns = slow.map_or(LIFTED_TURNS, |(_, turns)| *turns) / size(LIFTED_SHARE, 1);
        let few = on_the_reasoner(&lifted, turns);
        let many = on_the_network(&network, tape, playouts(name));
        let length = likelihood_of_length(&few, many.turns as f64 / many.playouts as f64);
        let mut least = length;
        for role in network.roles().players().map(|role| network.roles().name(role)) {
            let values = many.goals.keys().chain(few.goals.keys()).filter(|(of, _)| of == role);
            let values: BTreeSet<_> = values.collect();
            let counts = |key| {
                let count = |outcome: &Outcome| outcome.goals.get(key).copied().unwrap_or_default();
                (count(&many), count(&few))
            };
            let samples: Vec<(u64, u64)> = values.into_iter().map(counts).collect();
            least = least.min(likelihood(&samples));
            if likelihood(&samples) < SIGNIFICANCE {
                failures.push(format!("{name}: goals of {role}: {:?} and {:?}", many.goals, few.goals));
            }
        }
        if length < SIGNIFICANCE {
            failures.push(format!("{name}: turns {} in {} and {few:?}", many.turns, many.playouts));
        }
        let counts = format!("{} playouts on the network and {} lifted", many.playouts, few.playouts);
        println!("{name}: {counts}, {} turns; least p = {least:.4}", many.turns);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// How often each move of a role is chosen in so many lanes, and whether it is legal.
fn choices(lanes: &mut Lanes<8>, random: &mut Generator<8>, runs: usize) -> Vec<Vec<(u64, bool)>> {
    let tape = Arc::clone(lanes.tape());
    let counts = |role| vec![(0, false); tape.moves_count(role)];
    let mut chosen: Vec<Vec<(u64, bool)>> = tape.roles().map(counts).collect();
    for run in 0..runs {
        lanes.evaluate(Phase::State);
        if run == 0 {
            for (role, counts) in tape.roles().zip(&mut chosen) {
                for (number, (_, is_legal)) in counts.iter_mut().enumerate() {
                    *is_legal = lanes.legal(role, number).any();
                }
            }
        }
        assert!(!lanes.choose(Plane::ALL, random).any(), "every role has a move");
        for (role, counts) in tape.roles().zip(&mut chosen) {
            for (number, (count, _)) in counts.iter_mut().enumerate() {
                *count += u64::from(lanes.made(role, number).count());
            }
        }
    }
    chosen
}

#[test]
fn every_legal_move_is_chosen_as_often_as_any_other() {
    // Decisions along one line of play, the first among them, and choices at each.
    const DECISIONS: usize = 6;
    let runs = size(40, 200);
    let mut failures = Vec::new();
    for file in catalogue() {
        let game = compile(&file, Backend::Propnet);
        let tape = game.network().expect("a network").tape();
        let mut lanes: Lanes<8> = Lanes::new(Arc::clone(tape));
        let mut random = Generator::new(SEED, 99);
        lanes.fill(tape.initial());
        let (mut least, mut widest) = (1.0_f64, 0);
        for turn in 0..DECISIONS {
            lanes.evaluate(Phase::State);
            if lanes.terminal().any() {
                break;
            }
            for (role, counts) in game.roles().all().zip(&choices(&mut lanes, &mut random, runs)) {
                let of = game.roles().name(role);
                let legal: Vec<u64> =
                    counts.iter().filter(|(_, is_legal)| *is_legal).map(|(count, _)| *count).collect();
                let total = (runs * Playouts::LANES) as u64;
                assert_eq!(legal.iter().sum::<u64>(), total, "{}: {of} plays what is legal", file.name);
                let expected = total as f64 / legal.len() as f64;
                let statistic: f64 =
                    legal.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
                let p = tail(statistic, legal.len());
                (least, widest) = (least.min(p), widest.max(legal.len()));
                if p < SIGNIFICANCE {
                    failures.push(format!("{}, turn {turn}, {of}: p = {p:e}, {legal:?}", file.name));
                }
            }
            lanes.evaluate(Phase::Next);
            lanes.advance();
            let state = lanes.state(0);
            lanes.fill(&state);
        }
        println!("{}: up to {widest} moves; least p = {least:.4}", file.name);
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
