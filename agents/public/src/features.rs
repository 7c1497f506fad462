//! What the first numbers of a row say of a public state.

use std::sync::Arc;

use croupier_engine::{FluentId, Game, GameError, PerceptId, Percepts, State, game::Symmetry};
use rustc_hash::FxHashMap;

use crate::{PublicHistory, PublicNode};

/// What the first numbers of a row say of a public state, each 0 or 1.
#[derive(Clone, Debug)]
pub(crate) enum PublicFeatures {
    /// Which fluents are true in all of its histories.
    Fluents(FxHashMap<FluentId, usize>),
    /// What became public in each turn.
    Percepts(FxHashMap<(u32, PerceptId), usize>),
}

/// A history as far as its future depends on it.
struct Prospect<'n> {
    /// By player, the place of its private state.
    places: Vec<usize>,
    state: &'n State,
    /// Its share of the probability of its public state.
    share: f64,
}

impl Prospect<'_> {
    fn is_like(&self, other: &Self) -> bool {
        self.places == other.places
            && self.state == other.state
            && (self.share - other.share).abs() < SHARES_DIFFER
    }
}

/// By how much the shares of two histories may differ that are the same: each is a sum in its own order.
const SHARES_DIFFER: f64 = 1e-9;

impl PublicFeatures {
    /// The fluents that are true in all histories of some of these public states and not of all; and what they are.
    pub(crate) fn fluents(game: &Game, nodes: &[&PublicNode]) -> (Self, Vec<String>) {
        let mut counts: FxHashMap<FluentId, usize> = FxHashMap::default();
        for fluent in nodes.iter().flat_map(|node| common_fluents(node)) {
            *counts.entry(fluent).or_default() += 1;
        }
        let told = counts.into_iter().filter(|(_, count)| *count < nodes.len());
        let mut told: Vec<(Arc<str>, FluentId)> =
            told.map(|(fluent, _)| (game.fluent_text(fluent), fluent)).collect();
        told.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let names = told.iter().map(|(name, _)| name.to_string()).collect();
        let places = told.into_iter().zip(0..).map(|((_, fluent), place)| (fluent, place));
        (Self::Fluents(places.collect()), names)
    }

    /// What becomes public in each turn on the way to these public states; and what that is.
    pub(crate) fn percepts(game: &Game, nodes: &[&PublicNode]) -> (Self, Vec<String>) {
        let (mut known, mut names) = (FxHashMap::default(), Vec::new());
        for node in nodes {
            let turn = node.told().len() as u32;
            for percept in node.told().last().into_iter().flat_map(Percepts::iter) {
                known.entry((turn, percept)).or_insert_with(|| {
                    names.push(format!("{}, turn {turn}", game.percept_text(percept)));
                    names.len() - 1
                });
            }
        }
        (Self::Percepts(known), names)
    }

    /// Writes those of a public state, with 1, into numbers that are 0.
    pub(crate) fn write(&self, node: &PublicNode, row: &mut [f32]) {
        self.places(node).into_iter().for_each(|place| row[place] = 1.0);
    }

    /// The numbers that are 1.
    fn places(&self, node: &PublicNode) -> Vec<usize> {
        match self {
            Self::Fluents(known) => {
                let fluents = common_fluents(node).into_iter();
                fluents.filter_map(|fluent| known.get(&fluent).copied()).collect()
            }
            Self::Percepts(known) => {
                let told = (1..).zip(node.told());
                told.flat_map(|(turn, told)| {
                    told.iter().filter_map(move |told| known.get(&(turn, told)).copied())
                })
                .collect()
            }
        }
    }

    /// Whether public states with the same numbers have the same future, so that with the same ranges everything is worth the same in
    /// them. `private` gives, by player, the places of a public state's private states, which tell them apart.
    pub(crate) fn tell_futures_apart(
        &self,
        nodes: &[&PublicNode],
        mut private: impl FnMut(&PublicNode) -> Vec<Vec<usize>>,
    ) -> bool {
        let mut first: FxHashMap<Vec<usize>, usize> = FxHashMap::default();
        nodes.iter().enumerate().all(|(at, node)| {
            let mut places = self.places(node);
            places.sort_unstable();
            let before = *first.entry(places).or_insert(at);
            let other = nodes[before];
            before == at || are_alike(&prospects(node, &private(node)), &prospects(other, &private(other)))
        })
    }

    /// To which number a symmetry takes each; `None` if it leads out of what is known.
    pub(crate) fn under(
        &self,
        game: &Game,
        symmetry: &Symmetry,
    ) -> Result<Option<Vec<(usize, usize)>>, GameError> {
        let mut images = Vec::new();
        match self {
            Self::Fluents(known) => {
                for (&fluent, &place) in known {
                    images.push((place, known.get(&symmetry.fluent(game, fluent)?)));
                }
            }
            Self::Percepts(known) => {
                for (&(turn, percept), &place) in known {
                    images.push((place, known.get(&(turn, symmetry.percept(game, percept)?))));
                }
            }
        }
        Ok(images.into_iter().map(|(place, image)| Some((place, *image?))).collect())
    }
}

/// The fluents that are true in all histories of a public state: everybody knows them.
fn common_fluents(node: &PublicNode) -> Vec<FluentId> {
    let in_all = |fluent: &FluentId| node.histories().iter().all(|history| history.state.contains(*fluent));
    let first = node.histories().first();
    first.map_or_else(Vec::new, |first| first.state.fluents().filter(in_all).collect())
}

/// The histories of a public state as far as their future depends on them, in an order that depends on nothing else.
fn prospects<'n>(node: &'n PublicNode, private: &[Vec<usize>]) -> Vec<Prospect<'n>> {
    let all: f64 = node.histories().iter().map(|history| history.chance).sum();
    let prospect = |history: &'n PublicHistory| {
        let places = history.private.iter().zip(private).map(|(&set, places)| places[set as usize]);
        Prospect { places: places.collect(), state: &history.state, share: history.chance / all }
    };
    let mut found: Vec<Prospect<'n>> = node.histories().iter().map(prospect).collect();
    found.sort_unstable_by(|one, other| {
        let states = || one.state.stable_hash().cmp(&other.state.stable_hash());
        one.places.cmp(&other.places).then_with(states)
    });
    found
}

fn are_alike(one: &[Prospect<'_>], other: &[Prospect<'_>]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.is_like(other))
}
