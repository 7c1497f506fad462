//! What may hold after each turn, whatever is played: an end that no match can miss is a proof that all of them end.

use std::sync::Arc;

use croupier_engine::{
    Game,
    batch::{Plane, Possible, TernaryLanes},
    stages::propnet::Phase,
};

/// Turns that are looked ahead.
const TURNS_MAX: usize = 20_000;

/// Whether something may be, and may not be.
const KNOWN: [Possible<1>; 2] = [
    Possible { may_hold: Plane::NONE, may_fail: Plane::ALL },
    Possible { may_hold: Plane::ALL, may_fail: Plane::NONE },
];

/// A number of turns after which every match is over, if the fluents that count turns show one.
///
/// Fluents and moves are true, false or unknown, without what holds between them: what is found holds for every match, and there may be a
/// better one.
pub(crate) fn turns_bound(game: &Game, is_over: &dyn Fn() -> bool) -> Option<usize> {
    let network = game.network()?;
    let tape = network.tape();
    let mut lanes = TernaryLanes::<1>::new(Arc::clone(tape));
    let mut bases: Vec<Possible<1>> = tape.initial().iter().map(|&holds| KNOWN[usize::from(holds)]).collect();
    for turn in 0..TURNS_MAX {
        if is_over() {
            return None;
        }
        for (base, &value) in bases.iter().enumerate() {
            lanes.set_base(base, value);
        }
        lanes.evaluate(Phase::State);
        if !lanes.terminal().may_fail.any() {
            return Some(turn);
        }
        for role in tape.roles() {
            let may_be_made: Vec<usize> = (0..tape.moves_count(role))
                .filter(|&number| lanes.legal(role, number).may_hold.any())
                .collect();
            for number in 0..tape.moves_count(role) {
                lanes.set_move(role, number, KNOWN[0]);
            }
            for &number in &may_be_made {
                let value = if may_be_made.len() == 1 { KNOWN[1] } else { Possible::UNKNOWN };
                lanes.set_move(role, number, value);
            }
        }
        lanes.evaluate(Phase::Next);
        let next: Vec<Possible<1>> = (0..bases.len()).map(|base| lanes.next(base)).collect();
        if next == bases {
            return None;
        }
        bases = next;
    }
    None
}
