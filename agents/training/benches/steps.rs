//! How many choices a second an environment takes, with everything written. `cargo bench -p croupier-training --bench steps`.
//!
//! One thread; a step is one choice in one lane. Beside it stand the choices a second of playouts alone, which write nothing. Times
//! are the least of several, since other work on the machine only adds to them. An argument names the one game to play.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and prints"
)]

use std::{sync::Arc, time::Instant};

use croupier_engine::{
    Game, Options,
    batch::{PlayoutSettings, Playouts},
};
use croupier_training::{Arrays, EnvironmentSettings, Features, VectorEnvironment};

const GAMES: [&str; 6] = ["kuhn", "leduc", "tic-tac-toe", "connect-four", "liars-dice", "holdem"];

/// Steps of which the quickest counts.
const TRIES: usize = 5;

/// Steps that are timed together.
const STEPS: usize = 40;

/// The same for beliefs, which are kept when they come again: the first run has to infer most of them.
const BELIEF_STEPS: usize = 400;

fn main() {
    let wanted = std::env::args().nth(1).filter(|argument| !argument.starts_with('-'));
    for name in GAMES.into_iter().filter(|name| wanted.as_deref().is_none_or(|wanted| wanted == *name)) {
        let rules = croupier_games::find(name).expect("a game of the catalogue").rules;
        let game = Arc::new(Game::compile(rules, &Options::PLAY).expect("the rules are sound").game);
        let turns = playouts(&game);
        println!("{name}: playouts alone {:.1} M turns/s", turns / 1e6);
        for lanes in [512, 4096, 16384] {
            for features in [Features::Turn, Features::Percepts { last: 1 }] {
                measure(&game, lanes, features, STEPS);
            }
        }
        measure(&game, 512, Features::Belief { particles: 200 }, BELIEF_STEPS);
    }
}

/// Turns a second of playouts.
fn playouts(game: &Game) -> f64 {
    let tape = game.network().expect("a network").tape();
    let settings =
        PlayoutSettings { playouts: 50_000, playouts_per_block: 50_000, turns_max: 1000, seed: [1; 32] };
    let playouts = Playouts::new(Arc::clone(tape), tape.initial(), settings);
    let run = |_| {
        let begin = Instant::now();
        let turns = playouts.run_block(0).turns;
        turns as f64 / begin.elapsed().as_secs_f64()
    };
    (0..TRIES).map(run).fold(0.0, f64::max)
}

fn measure(game: &Arc<Game>, lanes: usize, features: Features, steps: usize) {
    let settings = EnvironmentSettings {
        lanes,
        seed: [1; 32],
        features,
        seats: Vec::new(),
        turns_max: 1000,
        is_parallel: false,
        traces: false,
        knowledge: false,
        finals: false,
    };
    let mut environment = VectorEnvironment::new(game, settings).expect("an environment");
    let space = environment.space();
    let (players, columns, width) = (space.players.len(), space.moves_count(), space.features_count());
    let seats = lanes * players;
    let (bits, shares) = if space.has_probabilities() { (0, seats * width) } else { (seats * width, 0) };
    let (mut seen, mut probabilities) = (vec![0; bits], vec![0.0; shares]);
    let (mut mask, mut acting) = (vec![0; seats * columns], vec![0; seats]);
    let (mut goals, mut done) = (vec![0.0; seats], vec![0; lanes]);
    let (mut truncated, mut turn) = (vec![0; lanes], vec![0; lanes]);
    let mut moves = vec![0; seats];
    let mut best = f64::INFINITY;
    let mut random = 1_u64;
    for tried in 0..TRIES {
        let (mut seconds, mut choices) = (0.0, 0_u64);
        for step in 0..steps {
            let arrays = Arrays {
                features: &mut seen,
                probabilities: &mut probabilities,
                mask: &mut mask,
                acting: &mut acting,
                goals: &mut goals,
                done: &mut done,
                truncated: &mut truncated,
                turn: &mut turn,
            };
            if (tried, step) == (0, 0) {
                environment.reset([1; 32], arrays).expect("matches that begin");
            } else {
                let begin = Instant::now();
                environment.step(&moves, arrays).expect("a step");
                seconds += begin.elapsed().as_secs_f64();
            }
            choices += acting.iter().map(|&acts| u64::from(acts)).sum::<u64>();
            for (column, mask) in moves.iter_mut().zip(mask.chunks(columns)) {
                let legal = mask.iter().map(|&bit| u64::from(bit)).sum::<u64>();
                random =
                    random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                let mut rest = (random >> 33) % legal.max(1);
                let is_it = |&bit: &u8| {
                    let found = bit == 1 && rest == 0;
                    rest -= u64::from(bit == 1 && !found);
                    found
                };
                *column = i32::try_from(mask.iter().position(is_it).unwrap_or(0)).expect("few moves");
            }
        }
        let each = seconds / choices as f64;
        if tried == 0 {
            print!(
                "  {lanes} lanes, {features:?}, {width} features: at first {:.3} M choices/s",
                1e-6 / each
            );
        }
        best = best.min(each);
    }
    println!(", at best {:.2} M choices/s", 1e-6 / best);
}
