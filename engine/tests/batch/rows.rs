//! Rows, selections and unknown inputs against what lanes do one by one.

use std::sync::Arc;

use croupier_engine::{
    RoleId,
    batch::{Lanes, Plane, Possible, Selection, TernaryLanes, Width},
    stages::propnet::{Network, Phase, Tape},
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

fn assert_rows_are_states<const W: usize>()
where
    Plane<W>: Width<W>,
{
    let lanes_count = Plane::<W>::LANES;
    let mut numbers = Numbers(11);
    // Below, at and above the width of a word.
    for bases in [1, 29, 64, 65, 200] {
        let network = networks::random(bases, 2, [60, 0], &mut numbers);
        let mut lanes = Lanes::<W>::new(Arc::new(Tape::new(&network)));
        let states = random_rows(bases, 70, &mut numbers);
        let rows: Vec<u64> = states.iter().flat_map(|state| row(state)).collect();
        let sources: Vec<u32> = (0..lanes_count - 20).map(|_| numbers.below(70) as u32).collect();
        lanes.load_rows(&rows, &sources);
        for lane in 0..lanes_count {
            let expected =
                sources.get(lane).map_or(vec![false; bases], |&source| states[source as usize].clone());
            assert_eq!(lanes.state(lane), expected, "{bases} bases, lane {lane}");
        }
        lanes.evaluate(Phase::State);
        lanes.evaluate(Phase::Next);
        let mut wanted = Plane::NONE;
        (0..lanes_count).filter(|_| numbers.below(3) == 0).for_each(|lane| wanted.set(lane, true));
        let mut taken = vec![7];
        lanes.append_next_rows(wanted, &mut taken);
        lanes.advance();
        let expected: Vec<u64> = wanted.lanes().flat_map(|lane| row(&lanes.state(lane))).collect();
        assert_eq!(taken[1..], expected, "{bases} bases");
    }
}

#[test]
fn rows_are_the_states_of_lanes() {
    assert_rows_are_states::<1>();
    assert_rows_are_states::<8>();
}

fn assert_numbered_moves_are_made<const W: usize>()
where
    Plane<W>: Width<W>,
{
    let lanes_count = Plane::<W>::LANES;
    let mut numbers = Numbers(12);
    let role = RoleId::new(0).expect("a first role");
    for moves in [1, 2, 5, 9, 40] {
        let network = networks::random(10, moves, [300, 0], &mut numbers);
        let mut lanes = Lanes::<W>::new(Arc::new(Tape::new(&network)));
        let states = random_rows(10, lanes_count, &mut numbers);
        for (lane, state) in states.iter().enumerate() {
            lanes.set_state(lane, state);
        }
        lanes.evaluate(Phase::State);
        let chosen: Vec<u32> = (0..moves as u32).filter(|_| numbers.below(4) > 0).collect();
        let mut wanted = Plane::NONE;
        (0..lanes_count).filter(|_| numbers.below(5) > 0).for_each(|lane| wanted.set(lane, true));
        let mut selection = Selection::new(lanes.tape(), role, &chosen);
        selection.count(&lanes, wanted);
        let mut counts = Vec::new();
        selection.read_counts(lanes_count, &mut counts);
        let legal = |lanes: &Lanes<W>, lane: usize| -> Vec<usize> {
            let chosen = chosen.iter().map(|&number| number as usize);
            chosen.filter(|&number| lanes.legal(role, number).get(lane)).collect()
        };
        let drawn: Vec<u32> =
            counts.iter().map(|&count| numbers.below(count.max(1) as usize) as u32).collect();
        selection.make(&mut lanes, &drawn);
        for lane in 0..lanes_count {
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

#[test]
fn the_numbered_move_is_made_where_it_is_wanted() {
    assert_numbered_moves_are_made::<1>();
    assert_numbered_moves_are_made::<8>();
}

/// Unknown inputs, others in each lane, against all ways to know them.
fn assert_bounds<const W: usize>(network: &Network, numbers: &mut Numbers)
where
    Plane<W>: Width<W>,
{
    let bases = network.initial.len();
    let inputs = network.gates.inputs_count();
    let tape = Arc::new(Tape::new(network));
    let mut ternary = TernaryLanes::<W>::new(Arc::clone(&tape));
    // 0 and 1 are known, 2 is not. In the first lane all is known.
    let below = |lane: usize| if lane == 0 { 2 } else { 3 };
    let given: Vec<Vec<usize>> = (0..Plane::<W>::LANES)
        .map(|lane| (0..inputs).map(|_| numbers.below(below(lane))).collect())
        .collect();
    let possible = |input: usize| {
        let mut possible = Possible::known(Plane::NONE);
        for (lane, given) in given.iter().enumerate() {
            possible.may_hold.set(lane, given[input] != 0);
            possible.may_fail.set(lane, given[input] != 1);
        }
        possible
    };
    (0..bases).for_each(|base| ternary.set_base(base, possible(base)));
    let mut first = bases;
    for (role, moves) in tape.roles().zip(network.moves()) {
        (0..moves).for_each(|number| ternary.set_move(role, number, possible(first + number)));
        first += moves;
    }
    for phase in [Phase::State, Phase::Next, Phase::Sees] {
        ternary.evaluate(phase);
    }
    let lanes = (0..Plane::<W>::LANES).step_by(W * W);
    for lane in lanes {
        assert_lane_is_bounded(network, &tape, &ternary, lane, &given[lane], numbers);
    }
}

/// Whether what a role is told, for inputs as they are given at random, is what may be in a lane.
fn assert_lane_is_bounded<const W: usize>(
    network: &Network,
    tape: &Tape,
    ternary: &TernaryLanes<W>,
    lane: usize,
    given: &[usize],
    numbers: &mut Numbers,
) {
    let is_known = !given.contains(&2);
    for _ in 0..16 {
        let inputs = given.iter().map(|&given| if given == 2 { numbers.below(2) == 0 } else { given == 1 });
        let values = network.gates.evaluate(&inputs.collect::<Vec<_>>());
        for (role, sees) in tape.roles().zip(&network.sees) {
            for (percept, wire) in sees.iter().enumerate() {
                let is_told = values[wire.node()] != wire.is_inverted();
                let bound = ternary.sees(role, percept);
                assert!(if is_told { bound.may_hold.get(lane) } else { bound.may_fail.get(lane) });
                assert!(!is_known || bound.may_hold.get(lane) != bound.may_fail.get(lane));
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
        let network = networks::random(bases, moves, [gates, cycles], &mut numbers);
        assert_bounds::<1>(&network, &mut numbers);
        assert_bounds::<8>(&network, &mut numbers);
    }
}
