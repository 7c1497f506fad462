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
use croupier_engine::stages::propnet::{Gates, Wire};

use crate::{
    circuit::{Circuit, StateWires},
    groups::FluentGroups,
    invariants::Invariant,
    prover::{Proof, Prover},
    sums::{Weighted, gained_and_lost, in_parts},
    turns::TurnSample,
};

/// Something about a group of bases that goes up and down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// Whether some base is true.
    Some(Vec<usize>),
    /// How many bases are true; of each part at most one is, as is known.
    Count(Vec<Vec<Weighted>>),
}

/// Whether a turn takes a component up, and down. Both if that is not told.
#[derive(Clone, Copy)]
struct ChangeWires {
    rises: Wire,
    falls: Wire,
}

impl Component {
    /// How many of these bases are true.
    pub(crate) fn count(group: &[usize], known: &[Invariant]) -> Self {
        let terms: Vec<Weighted> = group.iter().map(|&base| Weighted { base, weight: 1 }).collect();
        Self::Count(in_parts(&terms, known))
    }

    /// The bases that it is about.
    pub(crate) fn bases(&self) -> Vec<usize> {
        match self {
            Self::Some(group) => group.clone(),
            Self::Count(parts) => parts.iter().flatten().map(|term| term.base).collect(),
        }
    }

    fn changes(&self, gates: &mut Gates, states: [&StateWires; 2]) -> ChangeWires {
        match self {
            Self::Some(group) => {
                let [before, after] =
                    states.map(|state| gates.any(group.iter().map(|&base| state.bases[base])));
                ChangeWires { rises: gates.and(!before, after), falls: gates.and(before, !after) }
            }
            Self::Count(parts) => {
                let [before, after] = states.map(|state| &state.bases[..]);
                let [gained, lost] = gained_and_lost(gates, before, after, parts);
                let mut more = |one: &[Wire], other: &[Wire]| {
                    let places = one.iter().zip(other);
                    let all: Vec<Wire> = places.map(|(&one, &other)| gates.and(one, !other)).collect();
                    gates.any(all)
                };
                let (more, fewer) = (more(&gained, &lost), more(&lost, &gained));
                // Beyond what is counted, it may be anything.
                let last = gained.len() - 1;
                let untold = gates.and(gained[last], lost[last]);
                ChangeWires { rises: gates.or(more, untold), falls: gates.or(fewer, untold) }
            }
        }
    }

    /// The wire that says that a turn leaves it as it is; true where that is not told.
    fn stays(&self, gates: &mut Gates, states: [&StateWires; 2]) -> Wire {
        let ChangeWires { rises, falls } = self.changes(gates, states);
        stays(gates, rises, falls)
    }
}

fn stays(gates: &mut Gates, rises: Wire, falls: Wire) -> Wire {
    let (up, down) = (gates.and(rises, !falls), gates.and(falls, !rises));
    gates.and(!up, !down)
}

/// The wire that says that each of some turns that follow on each other leaves all components as they are.
pub(crate) fn all_stay(gates: &mut Gates, states: &[StateWires], components: &[Component]) -> Wire {
    let mut all = Vec::new();
    for pair in states.windows(2) {
        all.extend(components.iter().map(|component| component.stays(gates, [&pair[0], &pair[1]])));
    }
    gates.all(all)
}

/// A component that never goes one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OneWay {
    /// The component, by its place.
    pub(crate) component: usize,
    /// It never rises; or it never falls.
    pub(crate) never_rises: bool,
}

/// What is known before.
pub(crate) struct RankingBasis<'k> {
    pub(crate) invariants: &'k [Invariant],
    pub(crate) groups: &'k FluentGroups,
}

/// Components that change only finitely often, one after the other. A match without an end has turns that leave all of them as they are, one
/// after the other for ever. `None` if that was not settled.
pub(crate) fn settling<'t>(
    circuit: &mut Circuit,
    known: &RankingBasis<'_>,
    turns: impl Iterator<Item = [&'t [u64]; 2]>,
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
    let mut kept = Vec::new();
    let mut is_kept = vec![false; components.len()];
    let Some(mut prover) = Prover::new(gates, clauses, &wires) else { return Some(kept) };
    loop {
        let mut open: Vec<OneWay> = (0..components.len())
            .filter(|&component| !is_kept[component])
            .flat_map(|component| [true, false].map(|never_rises| OneWay { component, never_rises }))
            .collect();
        open.retain(|&way| !turns.contradicts(way));
        let found = persistent(&mut prover, &mut turns, open, is_over)?;
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
            }
            Proof::Unknown => return None,
        }
    }
    Some(left.into_iter().map(|place| open[place]).collect())
}
