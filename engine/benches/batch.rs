//! How fast batches are: operations of a tape, choices, playouts. `cargo bench -p croupier-engine --bench batch`.
//!
//! Times are the least of several, since other work on the machine only adds to them.
#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a benchmark reads the clock and prints"
)]

use std::{hint::black_box, sync::Arc, time::Instant};

use croupier_engine::{
    batch::{Generator, Lanes, Plane, PlayoutSettings, Playouts, Width},
    stages::propnet::{Gates, Network, Phase, Tape, Wire},
};

#[path = "../tests/batch/networks.rs"]
mod networks;

use networks::Numbers;

fn main() {
    let only: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    let is_wanted = |name: &str| only.is_empty() || only.iter().any(|word| word == name);
    if is_wanted("playouts") {
        playouts();
    }
    if is_wanted("tape") {
        tapes();
    }
    if is_wanted("choice") {
        choices();
    }
}

fn tapes() {
    for gates in [600, 10_000, 100_000] {
        tape::<1>(gates);
        tape::<8>(gates);
    }
}

fn choices() {
    for moves in [9, 10, 20, 64, 154, 512, 1500] {
        choice::<1>(moves);
        choice::<8>(moves);
    }
}

/// The least seconds that one call took, over `tries` runs of `calls` calls.
fn least_seconds(tries: usize, calls: u32, mut work: impl FnMut()) -> f64 {
    let times = (0..tries).map(|_| {
        let begin = Instant::now();
        for _ in 0..calls {
            work();
        }
        begin.elapsed().as_secs_f64() / f64::from(calls)
    });
    times.fold(f64::INFINITY, f64::min)
}

fn playouts() {
    let tape = Arc::new(Tape::new(&networks::tic_tac_toe()));
    println!("tic-tac-toe: {:?}", tape.statistics());
    let settings =
        PlayoutSettings { playouts: 1 << 20, playouts_per_block: 1 << 16, turns_max: 100, seed: [7; 32] };
    let playouts = Playouts::new(Arc::clone(&tape), tape.initial(), settings);
    let mut block = 0;
    let seconds = least_seconds(100, 1, || {
        block = (block + 1) % playouts.blocks_count();
        assert_eq!(black_box(playouts.run_block(block)).playouts, 1 << 16);
    });
    println!("tic-tac-toe: {:.1} M playouts/s", f64::from(1 << 16) / seconds / 1e6);
}

fn tape<const W: usize>(gates: usize)
where
    Plane<W>: Width<W>,
{
    let network = networks::random(gates / 10, gates / 40, [gates, 0], &mut Numbers(12345));
    let tape = Arc::new(Tape::new(&network));
    let statistics = tape.statistics();
    let ops: usize = statistics.ops.iter().sum();
    let mut lanes = Lanes::<W>::new(Arc::clone(&tape));
    lanes.fill(tape.initial());
    let calls = u32::try_from(2_000_000 / gates).expect("few calls");
    let seconds = least_seconds(10, calls, || {
        for phase in Phase::ALL {
            lanes.evaluate(phase);
        }
    });
    let nanoseconds = seconds * 1e9 / ops as f64;
    println!(
        "{gates:>6} gates, W = {W:>2}: {ops:>6} ops, {:>6} slots, {nanoseconds:.2} ns/op, {:.2} ns/op per 512 lanes",
        statistics.slots,
        nanoseconds * 8.0 / W as f64
    );
}

/// One role whose moves are each legal in three of four lanes.
fn choice<const W: usize>(moves: usize)
where
    Plane<W>: Width<W>,
{
    let mut gates = Gates::new(u32::try_from(2 * moves).expect("few moves"));
    let legal: Vec<Wire> = (0..moves).map(|number| gates.input(number)).collect();
    let network = Network {
        initial: vec![false; moves],
        next: legal.clone(),
        terminal: Wire::FALSE,
        legal: vec![legal],
        goals: vec![Vec::new()],
        sees: vec![Vec::new()],
        gates: {
            gates.all([]);
            gates
        },
    };
    let mut lanes = Lanes::<W>::new(Arc::new(Tape::new(&network)));
    let mut numbers = Numbers(99);
    for number in 0..moves {
        lanes.set_base(
            number,
            Plane(std::array::from_fn(|_| (0..64).map(|bit| u64::from(numbers.below(4) != 0) << bit).sum())),
        );
    }
    let mut random = Generator::<W>::new([3; 32], 0);
    let calls = u32::try_from(40_000 / moves).expect("few calls");
    let seconds = least_seconds(20, calls, || {
        black_box(lanes.choose(Plane::ALL, &mut random));
    });
    println!("{moves:>6} moves, W = {W:>2}: {:.3} ns a lane", seconds * 1e9 / Plane::<W>::LANES as f64);
}
