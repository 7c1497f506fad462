//! The starting points of a search: the states that a player considers possible.

use std::collections::BTreeSet;

use croupier_belief::Distribution;
use croupier_engine::{GameError, History, JointMove, RoleId, Scratch, State, draw::unit_interval};
use rand_core::Rng;
use rustc_hash::FxHashMap;

use crate::positions::{Outlook, Positions};

/// States with their probabilities, and their histories if known.
#[derive(Clone, Debug)]
pub(crate) struct Starts {
    /// Invariant: at least one.
    entries: Vec<Start>,
    /// Invariant: the sum of the probabilities up to and with each entry.
    cumulative: Vec<f64>,
}

/// One state that a player holds possible.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    /// The state.
    pub(crate) state: State,
    /// A history that leads to it.
    pub(crate) history: Option<History>,
    /// How probable it is, up to a common factor.
    pub(crate) weight: f64,
}

impl Starts {
    /// The states of a belief.
    pub(crate) fn of_states(distribution: &Distribution) -> Self {
        let start = |(state, weight): (&State, f64)| Start { state: state.clone(), history: None, weight };
        Self::new(distribution.iter().map(start).collect())
    }

    /// The histories of a belief, each once.
    pub(crate) fn of_histories(histories: Vec<(History, f64)>) -> Self {
        let mut places: FxHashMap<Vec<JointMove>, usize> = FxHashMap::default();
        let mut entries: Vec<Start> = Vec::new();
        for (history, weight) in histories.into_iter().filter(|(_, weight)| *weight > 0.0) {
            let place = *places.entry(history.joint_moves.clone()).or_insert(entries.len());
            match entries.get_mut(place) {
                Some(start) => start.weight += weight,
                None => {
                    entries.push(Start { state: history.state.clone(), history: Some(history), weight });
                }
            }
        }
        Self::new(entries)
    }

    fn new(entries: Vec<Start>) -> Self {
        let mut sum = 0.0;
        let cumulative = entries.iter().map(|start| {
            sum += start.weight;
            sum
        });
        let cumulative = cumulative.collect();
        Self { entries, cumulative }
    }

    /// At most `count` of them, each with the same weight, sampled systematically: each occurs in proportion to its
    /// probability, except for rounding. All of them with their own weights if there are no more.
    pub(crate) fn reduced(self, count: usize, rng: &mut impl Rng) -> Self {
        if self.entries.len() <= count {
            return self;
        }
        let step = self.total() / count as f64;
        let offset = unit_interval(rng);
        let drawn = (0..count).map(|number| {
            let position = self.position((number as f64 + offset) * step);
            Start { weight: 1.0, ..self.entries[position].clone() }
        });
        Self::new(drawn.collect())
    }

    /// The players but one that have a choice in some of them.
    pub(crate) fn choosing(
        &self,
        own: RoleId,
        positions: &mut Positions,
        scratch: &mut Scratch,
    ) -> Result<BTreeSet<RoleId>, GameError> {
        let mut choosing = BTreeSet::new();
        for start in &self.entries {
            let at = positions.id(&start.state);
            if let Outlook::Running(legal) = positions.outlook(at, scratch)? {
                choosing.extend(legal.iter().filter(|(_, moves)| moves.len() > 1).map(|(role, _)| role));
            }
        }
        let players: BTreeSet<RoleId> = positions.game().roles().players().collect();
        choosing.retain(|role| *role != own && players.contains(role));
        Ok(choosing)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The one with this number.
    pub(crate) fn get(&self, number: usize) -> &Start {
        &self.entries[number]
    }

    /// The number of one that is drawn with its probability.
    pub(crate) fn draw(&self, rng: &mut impl Rng) -> usize {
        self.position(unit_interval(rng) * self.total())
    }

    fn total(&self) -> f64 {
        self.cumulative[self.cumulative.len() - 1]
    }

    fn position(&self, point: f64) -> usize {
        self.cumulative.partition_point(|&sum| sum <= point).min(self.entries.len() - 1)
    }
}
