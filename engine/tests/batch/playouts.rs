//! Playouts: what games one by one come to, known values, exact counting of short and long ones, faults.

use std::sync::Arc;

use croupier_engine::{
    batch::{Faults, Generator, Lanes, Plane, PlayoutSettings, Playouts, Tally},
    stages::propnet::{Network, Phase, Tape, Wire},
};

use crate::{
    networks::{self, Numbers},
    short_games,
};

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

/// A game in a lane of its own.
#[derive(Clone)]
struct Game {
    state: Vec<bool>,
    turns: u64,
}

/// A block as its definition says: each game by the gates alone, the moves as lanes choose them.
fn one_by_one(network: &Network, settings: &PlayoutSettings, block: u64) -> Tally {
    let before = block * settings.playouts_per_block;
    let playouts = (settings.playouts - before).min(settings.playouts_per_block);
    let goals = network.goals.iter().map(|goals| goals.iter().map(|&(index, _)| index as usize + 1).max());
    let goals = goals.map(|count| vec![0; count.unwrap_or(0)]).collect();
    let mut tally = Tally { playouts, goals, ..Tally::default() };
    let beginning = Game { state: network.initial.clone(), turns: 0 };
    let mut games = vec![None; Playouts::LANES];
    games.iter_mut().take(playouts as usize).for_each(|game| *game = Some(beginning.clone()));
    let mut waiting = playouts.saturating_sub(Playouts::LANES as u64);
    let mut lanes = Lanes::<8>::new(Arc::new(Tape::new(network)));
    let mut random = Generator::new(settings.seed, block);
    while games.iter().any(Option::is_some) {
        let moves = chosen(network, settings, &games, &mut lanes, &mut random);
        for (game, moves) in games.iter_mut().zip(moves) {
            let Some(playing) = game else { continue };
            if let Some(state) = next(network, playing, &moves, settings.turns_max, &mut tally) {
                *playing = Game { state, turns: playing.turns + 1 };
            } else {
                *game = (waiting > 0).then(|| beginning.clone());
                waiting = waiting.saturating_sub(1);
            }
        }
    }
    tally
}

fn holds(values: &[bool], wire: Wire) -> bool {
    values[wire.node()] != wire.is_inverted()
}

/// The values of all nodes, where some moves are made.
fn values(network: &Network, state: &[bool], moves: &[bool]) -> Vec<bool> {
    network.gates.evaluate(&[state, moves].concat())
}

/// For each game and each move of each role whether it is made.
fn chosen(
    network: &Network,
    settings: &PlayoutSettings,
    games: &[Option<Game>],
    lanes: &mut Lanes<8>,
    random: &mut Generator<8>,
) -> Vec<Vec<bool>> {
    let moves: Vec<usize> = network.moves().collect();
    let none = vec![false; moves.iter().sum()];
    let mut running = Plane::NONE;
    for (lane, game) in games.iter().enumerate() {
        let Some(Game { state, turns }) = game else { continue };
        lanes.set_state(lane, state);
        let is_over = holds(&values(network, state, &none), network.terminal);
        running.set(lane, !is_over && *turns < settings.turns_max);
    }
    lanes.evaluate(Phase::State);
    lanes.choose(running, random);
    let roles: Vec<_> = lanes.tape().roles().collect();
    let of_roles =
        || roles.iter().zip(&moves).flat_map(|(&role, &count)| (0..count).map(move |it| (role, it)));
    let in_lane = |lane: usize| of_roles().map(|(role, number)| lanes.made(role, number).get(lane)).collect();
    (0..games.len()).map(in_lane).collect()
}

/// The state after a turn, or none where the game is over or given up, which is counted.
fn next(
    network: &Network,
    game: &Game,
    moves: &[bool],
    turns_max: u64,
    tally: &mut Tally,
) -> Option<Vec<bool>> {
    let values = values(network, &game.state, moves);
    if holds(&values, network.terminal) {
        let mut is_complete = true;
        for (goals, counts) in network.goals.iter().zip(&mut tally.goals) {
            match goals.iter().find(|&&(_, wire)| holds(&values, wire)) {
                Some(&(index, _)) => counts[index as usize] += 1,
                None => is_complete &= goals.is_empty(),
            }
        }
        tally.faults.without_goal += u64::from(!is_complete);
        return None;
    }
    if game.turns == turns_max {
        tally.faults.turn_limit += 1;
        return None;
    }
    let is_stuck = network.legal.iter().any(|legal| !legal.iter().any(|&wire| holds(&values, wire)));
    if is_stuck {
        tally.faults.without_move += 1;
        return None;
    }
    tally.turns += 1;
    Some(network.next.iter().map(|&wire| holds(&values, wire)).collect())
}

#[test]
fn a_block_comes_to_what_its_games_come_to_one_by_one() {
    let mut numbers = Numbers(21);
    let mut networks = vec![
        networks::tic_tac_toe(),
        short_games::coin(9),
        short_games::coin_beside(3, 2),
        short_games::votes(6),
    ];
    networks.extend((0..12).map(|cycles| networks::random(8, 3, [90, cycles % 4], &mut numbers)));
    for (number, network) in networks.iter().enumerate() {
        let settings = PlayoutSettings { playouts_per_block: 900, turns_max: 12, ..settings(1500) };
        let tape = Arc::new(Tape::new(network));
        let playouts = Playouts::new(Arc::clone(&tape), tape.initial(), settings.clone());
        for block in 0..playouts.blocks_count() {
            assert_eq!(playouts.run_block(block), one_by_one(network, &settings, block), "{number}, {block}");
        }
    }
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
