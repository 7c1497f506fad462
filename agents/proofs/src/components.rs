//! What goes up and down from turn to turn: whether some fluent of a group is true, and how many are.

use croupier_engine::stages::propnet::{Gates, Wire};

use crate::{
    circuit::StateWires,
    groups::FluentGroups,
    invariants::Invariant,
    sums::{Weighted, gained_and_lost, in_parts},
};

/// Something about a group of bases that goes up and down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Component {
    /// Whether some base is true.
    Some(Vec<usize>),
    /// How many bases are true; of each part at most one is, as is known.
    Count(Vec<Vec<Weighted>>),
    /// The place of the last of these bases that is true, from 1 on; 0 if none is.
    Place(Vec<usize>),
}

/// Whether a turn takes a component up, and down. Both if that is not told.
#[derive(Clone, Copy)]
pub(crate) struct ChangeWires {
    pub(crate) rises: Wire,
    pub(crate) falls: Wire,
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
            Self::Some(group) | Self::Place(group) => group.clone(),
            Self::Count(parts) => parts.iter().flatten().map(|term| term.base).collect(),
        }
    }

    /// Where a turn leads from one of these states to the other.
    pub(crate) fn changes(&self, gates: &mut Gates, states: [&StateWires; 2]) -> ChangeWires {
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
            Self::Place(order) => {
                let [before, after] = states.map(|state| &state.bases[..]);
                let (rises, falls) =
                    (beyond(gates, order, after, before), beyond(gates, order, before, after));
                ChangeWires { rises, falls }
            }
        }
    }

    /// The wire that says that a turn leaves it as it is; true where that is not told.
    fn stays(&self, gates: &mut Gates, states: [&StateWires; 2]) -> Wire {
        let ChangeWires { rises, falls } = self.changes(gates, states);
        stays(gates, rises, falls)
    }
}

/// The wire that says that the last of some bases that is true in one state comes after all that are in another.
fn beyond(gates: &mut Gates, order: &[usize], one: &[Wire], other: &[Wire]) -> Wire {
    let (mut later, mut any) = (Wire::FALSE, Wire::FALSE);
    for &base in order.iter().rev() {
        later = gates.or(later, other[base]);
        let is_beyond = gates.and(one[base], !later);
        any = gates.or(any, is_beyond);
    }
    any
}

/// The wire that says that a turn leaves something as it is of which it is known whether it rises and falls.
pub(crate) fn stays(gates: &mut Gates, rises: Wire, falls: Wire) -> Wire {
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
