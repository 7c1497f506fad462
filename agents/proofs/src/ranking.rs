//! Why a match must end: something that, once it changes, never changes back; and, while that stays, something else; if no few turns leave all of it
//! as it is.
//!
//! Whether some fluent of a group is true is such a thing, and so is how many of a group are, which may change often but in one direction
//! only. In checkers the pieces on the board grow fewer; while they are as many, the turns without a capture are counted, so that each of the
//! numbers they had is left for ever.
//!
//! # Sources
//! Lexicographic ranking: A. R. Bradley, Z. Manna, H. B. Sipma, "Linear ranking with reachability", CAV 2005; here the components are
//! fluents and counts of them, each found by induction.

use batsat::Lit;
use croupier_engine::stages::propnet::Wire;

use crate::{
    circuit::Circuit,
    components::{ChangeWires, Component, OneWay, RankingBasis, stays},
    prover::{Proof, Prover},
    turns::TurnSample,
    wanderer::Wanderer,
};

/// Where fewer ways are open, turns from the state that was found seldom go any of them.
const FEW_WAYS: usize = 12;

/// Components that change only finitely often, one after the other. A match without an end has turns that leave all of them as they are, one
/// after the other for ever. `None` if that was not settled.
pub(crate) fn settling<'t>(
    circuit: &mut Circuit,
    known: &RankingBasis<'_>,
    turns: impl Iterator<Item = [&'t [u64]; 2]>,
    mut wanderer: Option<Wanderer>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<Component>> {
    let bases = circuit.states[0].bases.len();
    let mut turns = TurnSample::new(known, bases, turns);
    let components = turns.components().to_vec();
    let Circuit { gates, clauses, states, .. } = circuit;
    let first = states[0].bases.clone();
    for state in [&first, &states[1].bases] {
        let held = known.invariants.iter().map(|invariant| invariant.wire(gates, state));
        clauses.extend(held.map(|wire| vec![wire]));
    }
    let mut wires: Vec<Wire> = Vec::new();
    for component in &components {
        let ChangeWires { rises, falls } = component.changes(gates, [&states[0], &states[1]]);
        wires.extend([rises, falls, stays(gates, rises, falls)]);
    }
    wires.extend(&first);
    let mut kept = Vec::new();
    let mut is_kept = vec![false; components.len()];
    let Some(mut prover) = Prover::new(gates, clauses, &wires) else { return Some(kept) };
    loop {
        let mut open: Vec<OneWay> = (0..components.len())
            .filter(|&component| !is_kept[component])
            .flat_map(|component| [true, false].map(|never_rises| OneWay { component, never_rises }))
            .collect();
        open.retain(|&way| !turns.contradicts(way));
        let found = persistent(&mut prover, &mut turns, open, wanderer.as_mut(), is_over)?;
        if found.is_empty() {
            return Some(kept);
        }
        for way in found {
            if std::mem::replace(&mut is_kept[way.component], true) {
                continue;
            }
            kept.push(components[way.component].clone());
            turns.keep(way.component);
            // From now on only of turns that leave it as it is.
            let stays = prover.literal(3 * way.component + 2);
            prover.demand(vec![stays]);
        }
    }
}

/// Those of some components that no turn takes the wrong way that leaves what is kept already. `None` if that was not settled.
fn persistent(
    prover: &mut Prover,
    turns: &mut TurnSample,
    open: Vec<OneWay>,
    mut wanderer: Option<&mut Wanderer>,
    is_over: &dyn Fn() -> bool,
) -> Option<Vec<OneWay>> {
    let wrong: Vec<Lit> =
        open.iter().map(|way| prover.literal(3 * way.component + usize::from(!way.never_rises))).collect();
    let mut left: Vec<usize> = (0..open.len()).collect();
    while !left.is_empty() {
        if is_over() {
            return None;
        }
        let round = prover.fresh();
        let clause: Vec<Lit> = left.iter().map(|&place| wrong[place]).chain([!round]).collect();
        prover.demand(clause);
        match prover.ask(&[round], is_over) {
            Proof::Impossible => break,
            Proof::Possible => {
                // What was found once need not be found again.
                turns.add(|component| [0, 1].map(|way| prover.holds(prover.literal(3 * component + way))));
                left.retain(|&place| !turns.contradicts(open[place]));
                if let Some(wanderer) = wanderer.as_mut().filter(|_| left.len() > FEW_WAYS) {
                    let bases = 3 * turns.components().len();
                    let row = wanderer.row(|base| prover.holds(prover.literal(bases + base)));
                    let more = wanderer.turns(&row);
                    let more = turns.kept_by(&more);
                    left.retain(|&place| !more.contradicts(turns.components(), open[place]));
                }
            }
            Proof::Unknown => return None,
        }
    }
    Some(left.into_iter().map(|place| open[place]).collect())
}
