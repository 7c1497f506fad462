//! Choices are uniform, by chi-square; by complete enumeration they are beside the kernel.

use std::sync::Arc;

use croupier_engine::{
    RoleId,
    batch::{Generator, Lanes, Plane},
    stages::propnet::{Gates, Network, Tape, Wire},
};
use statrs::distribution::{ChiSquared, ContinuousCDF};

use crate::networks::Numbers;

/// Roles with as many moves each as given, whose legality is one base each.
fn free_moves(moves: &[usize]) -> Network {
    let count: usize = moves.iter().sum();
    let gates = Gates::new(u32::try_from(2 * count).expect("few moves"));
    let mut bases = (0..count).map(|number| gates.input(number));
    let legal: Vec<Vec<Wire>> = moves.iter().map(|&count| bases.by_ref().take(count).collect()).collect();
    Network {
        initial: vec![true; count],
        next: (0..count).map(|base| gates.input(base)).collect(),
        terminal: Wire::FALSE,
        goals: vec![Vec::new(); moves.len()],
        sees: vec![Vec::new(); moves.len()],
        legal,
        gates,
    }
}

fn role(index: usize) -> RoleId {
    RoleId::new(index).expect("few roles")
}

/// The one move that a role makes in a lane, if any.
fn made<const W: usize>(lanes: &Lanes<W>, index: usize, lane: usize) -> Option<usize> {
    let role = role(index);
    let moves = lanes.tape().moves_count(role);
    let mut made = (0..moves).filter(|&number| lanes.made(role, number).get(lane));
    let first = made.next();
    assert_eq!(made.next(), None, "a role makes one move at most");
    first
}

#[test]
fn a_lane_with_one_legal_move_makes_it_and_with_none_is_reported() {
    let mut lanes = Lanes::<1>::new(Arc::new(Tape::new(&free_moves(&[5, 1, 3]))));
    lanes.fill(&[true; 9]);
    lanes.set_state(3, &[false, false, true, false, false, true, true, true, true]);
    lanes.set_state(4, &[false, false, false, false, false, true, true, true, true]);
    lanes.set_state(5, &[true, true, true, true, true, false, true, true, true]);
    let stuck = lanes.choose(Plane::ALL, &mut Generator::new([1; 32], 0));
    assert_eq!(stuck.lanes().collect::<Vec<_>>(), [4, 5]);
    assert_eq!([made(&lanes, 0, 3), made(&lanes, 0, 4), made(&lanes, 1, 5)], [Some(2), None, None]);
    let others = |lane: &usize| ![4, 5].contains(lane);
    assert!((0..64).filter(others).all(|lane| (0..3).all(|role| made(&lanes, role, lane).is_some())));
    let odd = Plane([0xaaaa_aaaa_aaaa_aaaa]);
    let stuck = lanes.choose(odd, &mut Generator::new([1; 32], 1));
    assert_eq!(stuck.lanes().collect::<Vec<_>>(), [5], "only lanes that are asked for can be stuck");
    for lane in 0..64 {
        for role in 0..3 {
            let is_open = odd.get(lane) && (lane, role) != (5, 1);
            assert_eq!(made(&lanes, role, lane).is_some(), is_open, "only lanes that are asked for choose");
        }
    }
}

/// The probability of a deviation from uniform as large as this one or larger.
fn p_value(counts: &[u64]) -> f64 {
    let expected = counts.iter().sum::<u64>() as f64 / counts.len() as f64;
    let statistic: f64 = counts.iter().map(|&count| (count as f64 - expected).powi(2) / expected).sum();
    ChiSquared::new((counts.len() - 1) as f64).expect("two moves at least").sf(statistic)
}

#[test]
fn choices_of_several_roles_are_uniform_and_independent() {
    // In half of the lanes the roles choose in turn, in the other half together.
    let (mut both, mut single) = (vec![0_u64; 3 * 5], vec![0_u64; 5]);
    let mut lanes = Lanes::<8>::new(Arc::new(Tape::new(&free_moves(&[4, 6]))));
    let mut random = Generator::new([9; 32], 0);
    let together = [true, false, true, true, true, true, false, true, true, true];
    let alone = [false, false, true, false, true, true, false, true, true, true];
    for _ in 0..400 {
        for lane in 0..512 {
            lanes.set_state(lane, if lane % 2 == 0 { &together } else { &alone });
        }
        assert!(!lanes.choose(Plane::ALL, &mut random).any());
        for lane in 0..512 {
            let (first, second) = (made(&lanes, 0, lane), made(&lanes, 1, lane));
            let second = second.and_then(|second| [0, 1, 3, 4, 5].iter().position(|legal| *legal == second));
            let second = second.expect("a legal move");
            if lane % 2 == 0 {
                let first = [0, 2, 3].iter().position(|legal| Some(*legal) == first).expect("a legal move");
                both[first * 5 + second] += 1;
            } else {
                assert_eq!(first, Some(2));
                single[second] += 1;
            }
        }
    }
    assert!(p_value(&both) > 1e-6, "{both:?}");
    assert!(p_value(&single) > 1e-6, "{single:?}");
}

#[test]
fn choices_among_many_moves_are_uniform() {
    for moves in [2, 3, 8, 9, 10, 15, 16, 17, 31, 64, 65, 154, 512, 1500] {
        let mut lanes = Lanes::<8>::new(Arc::new(Tape::new(&free_moves(&[moves]))));
        let mut random = Generator::new([11; 32], moves as u64);
        // A third of the moves are illegal, but not the first.
        let mut numbers = Numbers(moves as u64);
        let legal: Vec<bool> = (0..moves).map(|number| number == 0 || numbers.below(3) != 0).collect();
        lanes.fill(&legal);
        let mut counts = vec![0_u64; moves];
        for _ in 0..moves.max(40) {
            assert!(!lanes.choose(Plane::ALL, &mut random).any());
            for (number, count) in counts.iter_mut().enumerate() {
                *count += u64::from(lanes.made(role(0), number).count());
            }
        }
        assert_eq!(counts.iter().sum::<u64>(), 512 * moves.max(40) as u64, "one move in each lane");
        assert!(counts.iter().zip(&legal).all(|(&count, &legal)| legal || count == 0), "legal moves only");
        let counts: Vec<u64> =
            counts.iter().zip(&legal).filter(|(_, legal)| **legal).map(|(&count, _)| count).collect();
        assert!(counts.len() < 2 || p_value(&counts) > 1e-6, "{moves} moves: {counts:?}");
    }
}
