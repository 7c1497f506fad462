//! Playouts: known values, exact counting of short and long ones, faults.

use std::sync::Arc;

use croupier_engine::{
    batch::{Faults, PlayoutSettings, Playouts, Tally},
    propnet::{Network, Tape},
};

use crate::{networks, short_games};

fn settings(playouts: u64) -> PlayoutSettings {
    PlayoutSettings { playouts, playouts_per_block: 4096, turns_max: 100, seed: [42; 32] }
}

fn run(network: &Network, settings: PlayoutSettings) -> Tally {
    let tape = Arc::new(Tape::new(network));
    let playouts = Playouts::new(Arc::clone(&tape), tape.initial(), settings);
    let mut tally = Tally::default();
    for block in 0..playouts.blocks_count() {
        tally.merge(&playouts.run_block(block));
    }
    tally
}

/// Whether a share of `n` is within five standard deviations of `p`.
fn is_close(count: u64, n: u64, p: f64) -> bool {
    let n = n as f64;
    (count as f64 / n - p).abs() < 5.0 * (p * (1.0 - p) / n).sqrt()
}

/// Exact values of random tic-tac-toe, from the numbers of games that end after each move: 1440, 5328, 47952,
/// 72576, 81792 and 46080 draws.
#[test]
fn random_tic_tac_toe_has_its_known_outcome() {
    let tally = run(&networks::tic_tac_toe(), settings(1_000_000));
    assert_eq!((tally.playouts, tally.faults), (1_000_000, Faults::default()));
    // Of 9!/(9-k)! lines of k moves each is equally likely.
    let [after_5, after_7, after_9] = [1440.0 / 15_120.0, 47_952.0 / 181_440.0, 81_792.0 / 362_880.0];
    let [after_6, after_8, draw] = [5328.0 / 60_480.0, 72_576.0 / 362_880.0, 46_080.0 / 362_880.0];
    let (first, second) = (after_5 + after_7 + after_9, after_6 + after_8);
    assert!((first - 0.5849_f64).abs() < 5e-5 && (second - 0.2881_f64).abs() < 5e-5);
    let [[lost, drawn, won], mirrored] = [&tally.goals[0], &tally.goals[1]]
        .map(|goals| <[u64; 3]>::try_from(goals.as_slice()).expect("three goals"));
    assert_eq!(mirrored, [won, drawn, lost]);
    assert!(is_close(won, 1_000_000, first) && is_close(lost, 1_000_000, second), "{tally:?}");
    assert!(is_close(drawn, 1_000_000, draw), "{tally:?}");
    let turns = 5.0 * after_5 + 6.0 * after_6 + 7.0 * after_7 + 8.0 * after_8 + 9.0 * (after_9 + draw);
    assert!((tally.turns as f64 / 1e6 - turns).abs() < 0.01, "{tally:?}");
}

#[test]
fn short_playouts_do_not_crowd_out_long_ones() {
    // Tails end at once and count 0; heads go on for sixty turns and count 1.
    let tally = run(&short_games::coin(60), settings(100_000));
    assert_eq!((tally.playouts, tally.faults), (100_000, Faults::default()));
    let [tails, heads] = tally.goals[0][..] else { panic!("two goals") };
    assert_eq!(tails + heads, 100_000);
    assert!(is_close(heads, 100_000, 0.5), "{tally:?}");
    assert_eq!(tally.turns, tails + 60 * heads);
}

#[test]
fn goals_that_cost_much_are_counted_as_exactly() {
    const TURNS: usize = 12;
    let network = short_games::votes(TURNS);
    let [state, goal, ..] = Tape::new(&network).statistics().ops;
    assert!(goal > 4 * (network.initial.len() + state), "goals are what costs most");
    // The chance to go on with k times yes, and to end with it.
    let (mut on, mut end) = ([0.0; TURNS + 1], [0.0; TURNS + 1]);
    on[0] = 1.0;
    for turn in 0..TURNS {
        let before = on;
        for yes in 0..=turn {
            end[yes] += before[yes] / 3.0;
        }
        on = std::array::from_fn(|yes| (before[yes] + if yes > 0 { before[yes - 1] } else { 0.0 }) / 3.0);
    }
    let n = 500_000;
    let tally = run(&network, settings(n));
    assert_eq!((tally.playouts, tally.faults), (n, Faults::default()));
    assert_eq!(tally.goals[0].iter().sum::<u64>(), n);
    for (yes, &count) in tally.goals[0].iter().enumerate() {
        assert!(is_close(count, n, on[yes] + end[yes]), "{yes}: {tally:?}");
    }
}

#[test]
fn blocks_do_not_depend_on_order_or_on_each_other() {
    let tape = Arc::new(Tape::new(&networks::tic_tac_toe()));
    let whole = Playouts::new(Arc::clone(&tape), tape.initial(), settings(20_001));
    assert_eq!(whole.blocks_count(), 5);
    let forwards: Vec<Tally> = (0..5).map(|block| whole.run_block(block)).collect();
    let again = Playouts::new(Arc::clone(&tape), tape.initial(), settings(20_001));
    for block in (0..5).rev() {
        assert_eq!(again.run_block(block), forwards[block as usize]);
    }
    assert_eq!(
        forwards.iter().map(|tally| tally.playouts).collect::<Vec<_>>(),
        [4096, 4096, 4096, 4096, 3617]
    );
    assert_ne!(forwards[0], forwards[1]);
    assert_eq!(whole.run_block(5).playouts, 0);
    let (mut one, mut other) = (Tally::default(), Tally::default());
    forwards.iter().for_each(|tally| one.merge(tally));
    forwards.iter().rev().for_each(|tally| other.merge(tally));
    assert_eq!(one, other);
}

#[test]
fn few_playouts_leave_lanes_idle_and_are_all_played() {
    for playouts in [0, 1, 63, 64, 511, 512, 513, 700] {
        let tally = run(&networks::tic_tac_toe(), settings(playouts));
        assert_eq!(
            (tally.playouts, tally.goals.first().map_or(0, |goals| goals.iter().sum())),
            (playouts, playouts)
        );
    }
}

#[test]
fn the_limit_of_turns_is_exact_and_counted() {
    for (turns_max, late) in [(60, false), (59, true), (1, true), (64, false), (0, true)] {
        let tally = run(&short_games::coin(60), PlayoutSettings { turns_max, ..settings(10_000) });
        let tails = if turns_max == 0 { 0 } else { tally.goals[0][0] };
        let expected = if late { 10_000 - tails } else { 0 };
        assert_eq!(tally.faults, Faults { turn_limit: expected, ..Faults::default() }, "{turns_max}");
        assert_eq!(tally.turns, tails + (10_000 - tails) * turns_max.min(60));
    }
}

#[test]
fn missing_moves_and_goals_are_counted() {
    let mut network = short_games::coin(3);
    network.goals[0].retain(|&(value, _)| value == 1);
    let tally = run(&network, settings(10_000));
    assert_eq!(tally.faults.without_goal, 10_000 - tally.goals[0][1]);
    assert!(is_close(tally.faults.without_goal, 10_000, 0.5));
    let network = short_games::coin_beside(3, 2);
    let tally = run(&network, settings(10_000));
    assert_eq!((tally.faults.without_move, tally.turns), (10_000, 0));
}
