//! Fixed pieces of work whose instructions `.ci/instructions` counts. Not run by itself.
//!
//!     instructions list
//!     instructions KERNEL
//!
//! Only what happens in [`measured`] counts. Each kernel says what it computed, so that it cannot be left out.
#![expect(clippy::print_stdout, reason = "its callers read the names of the kernels")]

use std::{env, hint::black_box, process::ExitCode, sync::Arc};

use croupier_engine::{
    Game, Limits, Options, RoleId, Strictness,
    batch::{Generator, Lanes, Plane, PlayoutSettings, Playouts},
    game::Backend,
    stages::check,
    stages::propnet::{Gates, Network, Phase, Tape, Wire},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

#[path = "../tests/batch/networks.rs"]
mod networks;

const CONNECT_FOUR: &str = include_str!("../../games-ii/connect-four/rules.gdl");
const CHESS: &str = include_str!("../../games-ii/chess/rules.gdl");
const HOLDEM: &str = include_str!("../../games-ii/holdem/rules.gdl");
const LEDUC: &str = include_str!("../../games-ii/leduc/rules.gdl");

/// Words of a plane, as in playouts.
const W: usize = 8;

type Kernel = (&'static str, fn() -> u64);

const KERNELS: &[Kernel] = &[
    ("tape", tape),
    ("choice-9", || choice(9)),
    ("choice-154", || choice(154)),
    ("playouts", playouts),
    ("lifted-connect-four", || lifted(CONNECT_FOUR, 4)),
    ("lifted-holdem", || lifted(HOLDEM, 16)),
    ("check-chess", parse_and_check),
    ("ground-leduc", grounding),
];

fn main() -> ExitCode {
    let asked: Vec<String> = env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let kernel = asked.first().and_then(|name| KERNELS.iter().find(|(known, _)| known == name));
    match (kernel, asked.first().map(String::as_str)) {
        (Some((_, run)), _) => {
            println!("{}", run());
            ExitCode::SUCCESS
        }
        (None, Some("list")) => {
            KERNELS.iter().for_each(|(name, _)| println!("{name}"));
            ExitCode::SUCCESS
        }
        // `cargo bench` runs every benchmark; this one has nothing to say there.
        (None, None) => ExitCode::SUCCESS,
        (None, Some(_)) => ExitCode::FAILURE,
    }
}

/// The only function whose instructions count, with those that it calls; it is known by this name.
#[inline(never)]
fn measured<T>(work: impl FnOnce() -> T) -> T {
    black_box(work())
}

/// Ten evaluations of all phases of ten thousand gates in 512 lanes.
fn tape() -> u64 {
    let network = networks::random(1000, 250, [10_000, 0], &mut networks::Numbers(12345));
    let mut lanes = Lanes::<W>::new(Arc::new(Tape::new(&network)));
    let initial = network.initial.clone();
    lanes.fill(&initial);
    measured(|| {
        for _ in 0..10 {
            for phase in Phase::ALL {
                lanes.evaluate(phase);
            }
        }
    });
    (0..1000).map(|base| u64::from(lanes.next(base).count())).sum()
}

/// A hundred choices of one role among so many moves, each legal in three of four lanes.
fn choice(moves: usize) -> u64 {
    let mut gates = Gates::new(u32::try_from(2 * moves).expect("few moves"));
    let legal: Vec<Wire> = (0..moves).map(|number| gates.input(number)).collect();
    gates.all([]);
    let network = Network {
        initial: vec![false; moves],
        next: legal.clone(),
        terminal: Wire::FALSE,
        legal: vec![legal],
        goals: vec![Vec::new()],
        sees: vec![Vec::new()],
        gates,
    };
    let mut lanes = Lanes::<W>::new(Arc::new(Tape::new(&network)));
    let mut numbers = networks::Numbers(99);
    for number in 0..moves {
        let word = |numbers: &mut networks::Numbers| {
            (0..64).map(|bit| u64::from(numbers.below(4) != 0) << bit).sum()
        };
        lanes.set_base(number, Plane(std::array::from_fn(|_| word(&mut numbers))));
    }
    let mut random = Generator::<W>::new([3; 32], 0);
    measured(|| {
        for _ in 0..100 {
            black_box(lanes.choose(Plane::ALL, &mut random));
        }
    });
    let role = RoleId::new(0).expect("a first role");
    (0..moves).map(|number| u64::from(lanes.made(role, number).count()) * number as u64).sum()
}

/// Eight thousand playouts of tic-tac-toe.
fn playouts() -> u64 {
    let tape = Arc::new(Tape::new(&networks::tic_tac_toe()));
    let settings =
        PlayoutSettings { playouts: 8192, playouts_per_block: 8192, turns_max: 100, seed: [7; 32] };
    let playouts = Playouts::new(Arc::clone(&tape), tape.initial(), settings);
    let tally = measured(|| playouts.run_block(0));
    assert_eq!(tally.playouts, 8192, "all playouts are counted");
    tally.turns
}

/// Random playouts of the lifted reasoner.
fn lifted(rules: &str, playouts: u64) -> u64 {
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    let game = Game::compile(rules, &options).expect("rules of the catalogue").game;
    let mut scratch = game.scratch();
    let mut turns = 0;
    measured(|| {
        for playout in 0..playouts {
            let mut rng = ChaCha8Rng::seed_from_u64(playout);
            let played = game.playout(game.initial_state(), &mut rng, &mut scratch);
            turns += played.expect("a playout that ends").turns as u64;
        }
    });
    turns
}

/// The rules of chess, read and checked.
fn parse_and_check() -> u64 {
    let (rules, diagnostics) =
        measured(|| check::check_text(CHESS, Strictness::Compatible, &Limits::STANDARD));
    assert!(rules.is_some(), "rules of the catalogue are accepted");
    diagnostics.len() as u64
}

/// Leduc hold'em from its text to its tape.
fn grounding() -> u64 {
    let options = Options { backend: Backend::Propnet, ..Options::PLAY };
    let compiled = measured(|| Game::compile(LEDUC, &options).expect("rules of the catalogue"));
    compiled.game.network().expect("a network was asked for").tape().ops().len() as u64
}
