//! Rows, selections and unknown inputs against what lanes do one by one.

use std::sync::Arc;

use croupier_engine::{
    RoleId,
    batch::{Lanes, Plane, Possible, Selection, TernaryLanes},
    propnet::{Network, Phase, Tape},
};
use proptest::prelude::*;

use crate::networks::{self, Numbers};

/// Rows of random states.
fn random_rows(bases: usize, count: usize, numbers: &mut Numbers) -> Vec<Vec<bool>> {
    (0..count).map(|_| (0..bases).map(|_| numbers.below(2) == 0).collect()).collect()
}

fn row(state: &[bool]) -> Vec<u64> {
    let word = |bits: &[bool]| bits.iter().rev().fold(0, |word, &bit| word << 1 | u64::from(bit));
    state.chunks(64).map(word).collect()
}

#[test]
fn rows_are_the_states_of_lanes() {
    let mut numbers = Numbers(11);
    // Below, at and above the width of a word.
    for bases in [1, 29, 64, 65, 200] {
        let network = networks::random(bases, 2, [60, 0], &mut numbers);
        let mut lanes = Lanes::<8>::new(Arc::new(Tape::new(&network)));
        let states = random_rows(bases, 70, &mut numbers);
        let rows: Vec<u64> = states.iter().flat_map(|state| row(state)).collect();
        let sources: Vec<u32> = (0..340).map(|_| numbers.below(70) as u32).collect();
        lanes.load_rows(&rows, &sources);
        for lane in 0..512 {
            let expected =
                sources.get(lane).map_or(vec![false; bases], |&source| states[source as usize].clone());
            assert_eq!(lanes.state(lane), expected, "{bases} bases, lane {lane}");
        }
        lanes.evaluate(Phase::State);
        lanes.evaluate(Phase::Next);
        let mut wanted = Plane::NONE;
        (0..512).filter(|_| numbers.below(3) == 0).for_each(|lane| wanted.set(lane, true));
        let mut taken = vec![7];
        lanes.append_next_rows(wanted, &mut taken);
        lanes.advance();
        let expected: Vec<u64> = wanted.lanes().flat_map(|lane| row(&lanes.state(lane))).collect();
        assert_eq!(taken[1..], expected, "{bases} bases");
    }
}

#[test]
fn the_numbered_move_is_made_where_it_is_wanted() {
    let mut numbers = Numbers(12);
    let role = RoleId::new(0).expect("a first role");
    for moves in [1, 2, 5, 9, 40] {
        let network = networks::random(10, moves, [300, 0], &mut numbers);
        let mut lanes = Lanes::<8>::new(Arc::new(Tape::new(&network)));
        let states = random_rows(10, 512, &mut numbers);
        for (lane, state) in states.iter().enumerate() {
            lanes.set_state(lane, state);
        }
        lanes.evaluate(Phase::State);
        let chosen: Vec<u32> = (0..moves as u32).filter(|_| numbers.below(4) > 0).collect();
        let mut wanted = Plane::NONE;
        (0..512).filter(|_| numbers.below(5) > 0).for_each(|lane| wanted.set(lane, true));
        let mut selection = Selection::new(lanes.tape(), role, &chosen);
        selection.count(&lanes, wanted);
        let mut counts = Vec::new();
        selection.read_counts(512, &mut counts);
        let legal = |lanes: &Lanes<8>, lane: usize| -> Vec<usize> {
            let chosen = chosen.iter().map(|&number| number as usize);
            chosen.filter(|&number| lanes.legal(role, number).get(lane)).collect()
        };
        let drawn: Vec<u32> =
            counts.iter().map(|&count| numbers.below(count.max(1) as usize) as u32).collect();
        selection.make(&mut lanes, &drawn);
        for lane in 0..512 {
            let legal = legal(&lanes, lane);
            assert_eq!(selection.some().get(lane), wanted.get(lane) && !legal.is_empty());
            let made: Vec<usize> = (0..moves).filter(|&number| lanes.made(role, number).get(lane)).collect();
            if wanted.get(lane) && !legal.is_empty() {
                assert_eq!(counts[lane] as usize, legal.len());
                assert_eq!(made, [legal[drawn[lane] as usize]]);
            } else {
                assert_eq!(made, []);
            }
        }
    }
}

/// Unknown inputs, against all ways to know them.
fn assert_bounds(network: &Network, numbers: &mut Numbers) {
    let bases = network.initial.len();
    let inputs = network.gates.inputs_count();
    let tape = Arc::new(Tape::new(network));
    let mut ternary = TernaryLanes::<1>::new(Arc::clone(&tape));
    // 0 and 1 are known, 2 is not; all lanes alike.
    let given: Vec<usize> = (0..inputs).map(|_| numbers.below(3)).collect();
    let possible = |given: usize| match given {
        0 => Possible::known(Plane::NONE),
        1 => Possible::known(Plane::ALL),
        _ => Possible::UNKNOWN,
    };
    given[..bases].iter().enumerate().for_each(|(base, &given)| ternary.set_base(base, possible(given)));
    let mut first = bases;
    for (role, moves) in tape.roles().zip(network.moves()) {
        (0..moves).for_each(|number| ternary.set_move(role, number, possible(given[first + number])));
        first += moves;
    }
    for phase in [Phase::State, Phase::Next, Phase::Sees] {
        ternary.evaluate(phase);
    }
    let unknown: Vec<usize> = (0..inputs).filter(|&input| given[input] == 2).collect();
    for _ in 0..64 {
        let mut values: Vec<bool> = given.iter().map(|&given| given == 1).collect();
        unknown.iter().for_each(|&input| values[input] = numbers.below(2) == 0);
        let values = network.gates.evaluate(&values);
        for (role, sees) in tape.roles().zip(&network.sees) {
            for (percept, wire) in sees.iter().enumerate() {
                let is_told = values[wire.node()] != wire.is_inverted();
                let bound = ternary.sees(role, percept);
                assert!(if is_told { bound.may_hold.get(0) } else { bound.may_fail.get(0) });
                assert!(!unknown.is_empty() || bound.may_hold.get(0) != bound.may_fail.get(0));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn what_may_not_be_is_not(
        bases in 1_usize..12, moves in 1_usize..5, gates in 0_usize..400, cycles in 0_usize..4, seed in 1_u64..,
    ) {
        let mut numbers = Numbers(seed);
        assert_bounds(&networks::random(bases, moves, [gates, cycles], &mut numbers), &mut numbers);
    }
}
