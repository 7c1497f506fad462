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

/// Clauses that may be learnt for all ways together, where each question takes long too, and then for each alone.
const CONFLICTS: u32 = 30_000;
const CONFLICTS_OF_LARGE: u32 = 1_000;
const CONFLICTS_ALONE: u32 = 2_000;

/// What changes only finitely often.
pub(crate) struct Settled {
    /// Components, one after the other: each while those before it stay. A match without an end has turns that leave all of them as they are,
    /// one after the other for ever.
    pub(crate) kept: Vec<Component>,
    /// Whether there may be such turns.
    pub(crate) is_any: bool,
}

/// Components that change only finitely often. `None` if that was not settled.
pub(crate) fn settling<'t>(
    circuit: &mut Circuit,
    known: &RankingBasis<'_>,
    turns: impl Iterator<Item = [&'t [u64]; 2]>,
    mut wanderer: Option<Wanderer>,
    is_over: &dyn Fn() -> bool,
) -> Option<Settled> {
    let is_large = circuit.is_large();
    let together = if is_large { CONFLICTS_OF_LARGE } else { CONFLICTS };
    let bases = circuit.states[0].bases.len();
    // A counter is left place by place, each in a round of its own, unless it is taken as a whole.
    let places = wanderer.as_mut().filter(|_| is_large);
    let turns = TurnSample::new(known, bases, turns, places);
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
    let prover =
        if is_large { Prover::of_large(gates, clauses, &wires) } else { Prover::new(gates, clauses, &wires) };
    let Some(prover) = prover else { return Some(Settled { kept, is_any: false }) };
    let mut asked = AskedWays { prover, turns, wanderer, together, hard: Vec::new() };
    loop {
        let mut open: Vec<OneWay> = (0..components.len())
            .filter(|&component| !is_kept[component])
            .flat_map(|component| [true, false].map(|never_rises| OneWay { component, never_rises }))
            .collect();
        open.retain(|&way| !asked.turns.contradicts(way));
        let found = asked.persistent(open, is_over)?;
        if found.is_empty() {
            return Some(Settled { kept, is_any: true });
        }
        for way in found {
            if std::mem::replace(&mut is_kept[way.component], true) {
                continue;
            }
            kept.push(components[way.component].clone());
            asked.turns.keep(way.component);
            // From now on only of turns that leave it as it is.
            let stays = asked.prover.literal(3 * way.component + 2);
            asked.prover.demand(vec![stays]);
        }
        if is_large && asked.is_settled(is_over) {
            return Some(Settled { kept, is_any: false });
        }
    }
}

/// Ways of components that are asked about.
struct AskedWays {
    prover: Prover,
    turns: TurnSample,
    wanderer: Option<Wanderer>,
    /// Clauses that may be learnt to see whether a turn takes any of them the wrong way; none once that was too few.
    together: u32,
    /// Those of which it was not seen so far.
    hard: Vec<OneWay>,
}

impl AskedWays {
    fn wrong(&self, way: OneWay) -> Lit {
        self.prover.literal(3 * way.component + usize::from(!way.never_rises))
    }

    /// Those that no turn takes the wrong way that leaves what is kept already. `None` if that was not settled.
    fn persistent(&mut self, mut open: Vec<OneWay>, is_over: &dyn Fn() -> bool) -> Option<Vec<OneWay>> {
        while !open.is_empty() {
            if is_over() {
                return None;
            }
            let round = self.prover.fresh();
            let clause: Vec<Lit> = open.iter().map(|&way| self.wrong(way)).chain([!round]).collect();
            self.prover.demand(clause);
            let asked = self.prover.ask_at_most(self.together, &[round], is_over);
            match asked {
                Proof::Impossible => break,
                Proof::Possible => self.rule_out(&mut open),
                Proof::Unknown if self.together == CONFLICTS => return None,
                Proof::Unknown => {
                    self.together = 0;
                    return self.persistent_alone(open, is_over);
                }
            }
        }
        Some(open)
    }

    /// Those of which that is quick to see; those that were hard before only if there are no others.
    fn persistent_alone(&mut self, mut open: Vec<OneWay>, is_over: &dyn Fn() -> bool) -> Option<Vec<OneWay>> {
        open.sort_by_key(|way| !self.hard.contains(way));
        let mut found = Vec::new();
        while let Some(way) = open.pop() {
            if is_over() {
                return None;
            }
            if self.hard.contains(&way) && !found.is_empty() {
                break;
            }
            let wrong = self.wrong(way);
            let conflicts = if self.hard.contains(&way) { CONFLICTS } else { CONFLICTS_ALONE };
            let asked = self.prover.ask_at_most(conflicts, &[wrong], is_over);
            match asked {
                Proof::Impossible => {
                    self.prover.demand(vec![!wrong]);
                    found.push(way);
                }
                Proof::Possible => self.rule_out(&mut open),
                Proof::Unknown if self.hard.contains(&way) => {}
                Proof::Unknown => self.hard.push(way),
            }
        }
        Some(found)
    }

    /// Whether, as is quick to see, no turn leaves what is kept as it is.
    fn is_settled(&mut self, is_over: &dyn Fn() -> bool) -> bool {
        self.prover.ask_at_most(CONFLICTS_ALONE, &[], is_over) == Proof::Impossible
    }

    /// Rules out what the turn that was found, and turns from there, take the wrong way.
    fn rule_out(&mut self, open: &mut Vec<OneWay>) {
        let Self { prover, turns, wanderer, .. } = self;
        // What was found once need not be found again.
        turns.add(|component| [0, 1].map(|way| prover.holds(prover.literal(3 * component + way))));
        open.retain(|&way| !turns.contradicts(way));
        if let Some(wanderer) = wanderer.as_mut().filter(|_| open.len() > FEW_WAYS) {
            let bases = 3 * turns.components().len();
            let row = wanderer.row(|base| prover.holds(prover.literal(bases + base)));
            let more = wanderer.turns(&row);
            let more = turns.kept_by(&more);
            open.retain(|&way| !more.contradicts(turns.components(), way));
        }
    }
}
