//! Every lane computes what `Gates::evaluate` defines, whatever is in the others.

use std::sync::Arc;

use croupier_engine::{
    RoleId,
    batch::{Lanes, Plane, Width},
    stages::bits::Bits,
    stages::propnet::{Network, Phase, Tape, Wire},
};
use proptest::prelude::*;

use crate::{
    networks::{self, Numbers},
    short_games,
};

/// Lanes with states and moves at random, and for each lane the inputs as the gates want them.
fn various_lanes<const W: usize>(network: &Network, numbers: &mut Numbers) -> (Lanes<W>, Vec<Vec<bool>>)
where
    Plane<W>: Width<W>,
{
    let mut lanes = Lanes::<W>::new(Arc::new(Tape::new(network)));
    let bases = network.initial.len();
    let mut inputs = vec![vec![false; network.gates.inputs_count()]; Plane::<W>::LANES];
    for (lane, inputs) in inputs.iter_mut().enumerate() {
        for value in &mut inputs[..bases] {
            *value = numbers.below(2) == 0;
        }
        lanes.set_state(lane, &inputs[..bases]);
        let mut first = bases;
        for (role, moves) in lanes.tape().roles().zip(network.moves()) {
            let made = numbers.below(moves);
            inputs[first + made] = true;
            lanes.make(role, made, Plane::only(lane));
            first += moves;
        }
    }
    (lanes, inputs)
}

/// The values of all nodes in each lane.
struct Values(Vec<Vec<bool>>);

impl Values {
    fn plane<const W: usize>(&self, wire: Wire) -> Plane<W> {
        let mut plane = Plane::NONE;
        for (lane, values) in self.0.iter().enumerate() {
            plane.set(lane, values[wire.node()] != wire.is_inverted());
        }
        plane
    }
}

fn assert_lanes_are_what_gates_say<const W: usize>(network: &Network, numbers: &mut Numbers)
where
    Plane<W>: Width<W>,
{
    let (mut lanes, inputs) = various_lanes::<W>(network, numbers);
    let values = Values(inputs.iter().map(|inputs| network.gates.evaluate(inputs)).collect());
    let tape = Arc::clone(lanes.tape());
    lanes.evaluate(Phase::State);
    // Goals are asked for now and then only: what comes later must not need them.
    if numbers.below(2) == 0 {
        lanes.evaluate(Phase::Goal);
        for (role, goals) in tape.roles().zip(&network.goals) {
            let mut rest = Plane::ALL;
            for ((value, has), &(index, wire)) in lanes.goals(role).zip(goals) {
                assert_eq!((value, has), (index, values.plane(wire) & rest));
                rest &= !has;
            }
        }
    }
    assert_eq!(lanes.terminal(), values.plane(network.terminal));
    for (role, legal) in tape.roles().zip(&network.legal) {
        for (number, &wire) in legal.iter().enumerate() {
            assert_eq!(lanes.legal(role, number), values.plane(wire));
        }
    }
    lanes.evaluate(Phase::Next);
    if numbers.below(2) == 0 {
        lanes.evaluate(Phase::Sees);
        for (role, sees) in tape.roles().zip(&network.sees) {
            for (percept, &wire) in sees.iter().enumerate() {
                assert_eq!(lanes.sees(role, percept), values.plane(wire));
            }
        }
    }
    let going_on = random_plane(numbers);
    let before: Vec<Plane<W>> = (0..network.next.len()).map(|base| lanes.base(base)).collect();
    lanes.advance_in(going_on);
    for (base, &wire) in network.next.iter().enumerate() {
        assert_eq!(lanes.base(base), values.plane(wire) & going_on | before[base] & !going_on);
    }
}

fn random_plane<const W: usize>(numbers: &mut Numbers) -> Plane<W> {
    let mut plane = Plane::NONE;
    (0..Plane::<W>::LANES).for_each(|lane| plane.set(lane, numbers.below(2) == 0));
    plane
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn each_lane_is_what_the_gates_say(
        bases in 1_usize..12, moves in 1_usize..5, gates in 0_usize..400, cycles in 0_usize..4, seed in 1_u64..,
    ) {
        let mut numbers = Numbers(seed);
        let network = networks::random(bases, moves, [gates, cycles], &mut numbers);
        assert_lanes_are_what_gates_say::<1>(&network, &mut numbers);
        assert_lanes_are_what_gates_say::<8>(&network, &mut numbers);
    }
}

#[test]
fn bases_that_change_places_do_so_at_once() {
    let mut network = short_games::coin(3);
    let inputs: Vec<Wire> = (0..network.initial.len()).map(|base| network.gates.input(base)).collect();
    network.next = inputs.iter().cycle().skip(1).take(inputs.len()).map(|&wire| !wire).collect();
    assert_lanes_are_what_gates_say::<8>(&network, &mut Numbers(5));
    network.next = vec![inputs[0]; inputs.len()];
    assert_lanes_are_what_gates_say::<8>(&network, &mut Numbers(6));
}

#[test]
fn what_is_put_into_a_lane_comes_out_of_it() {
    let mut numbers = Numbers(17);
    let (mut lanes, inputs) = various_lanes::<8>(&networks::tic_tac_toe(), &mut numbers);
    let state_of = |lane: usize| inputs[lane][..29].to_vec();
    for lane in 0..512 {
        assert_eq!(lanes.state(lane), state_of(lane));
    }
    let sources: Vec<usize> = (0..400).map(|_| numbers.below(512)).collect();
    lanes.gather(&sources);
    for lane in 0..512 {
        assert_eq!(lanes.state(lane), state_of(sources.get(lane).copied().unwrap_or(lane)));
    }
}

#[test]
fn percepts_are_compared_as_sets() {
    let mut numbers = Numbers(3);
    let network = networks::random(6, 3, [80, 1], &mut numbers);
    let (mut lanes, _) = various_lanes::<8>(&network, &mut numbers);
    for phase in Phase::ALL {
        lanes.evaluate(phase);
    }
    let role = RoleId::new(0).expect("a first role");
    let told = |lane: usize| (0..3).filter(|&percept| lanes.sees(role, percept).get(lane)).collect::<Bits>();
    for lane in 0..512 {
        let same = lanes.sees_exactly(role, &told(lane));
        assert!((0..512).all(|other| same.get(other) == (told(other) == told(lane))));
    }
}

#[test]
fn a_plane_is_a_set_of_lanes() {
    for count in [0, 1, 63, 64, 65, 127, 128, 500] {
        let plane = Plane::<2>::first(count);
        assert_eq!(plane.count() as usize, count.min(128));
        assert_eq!(plane.lanes().collect::<Vec<_>>(), (0..count.min(128)).collect::<Vec<_>>());
        assert_eq!(plane.any(), count > 0);
    }
}
