//! Public states of the next turn, while their histories are found.

use std::collections::BTreeMap;

use croupier_engine::{JointMove, MoveId, Percepts, State};
use rustc_hash::FxHashMap;

use crate::{PublicError, PublicHistory, PublicLimits};

/// Joint moves that may be looked at for each history that there may be, where one public state is wanted.
const MOVES_PER_HISTORY: usize = 16;

/// A history and how it goes on.
#[derive(Clone, Debug)]
pub(crate) struct Continuation {
    /// Its place in the public state.
    pub(crate) history: usize,
    pub(crate) joint_move: JointMove,
    /// Its probability or weight, and that of what chance does now.
    pub(crate) chance: f64,
}

/// The public states of the next turn, while they are found.
pub(crate) struct Children<'c> {
    /// What becomes public in the only one that is wanted.
    wanted: Option<&'c Percepts>,
    limits: &'c PublicLimits,
    /// Their histories.
    count: usize,
    /// Turns that were looked at.
    looked_at: usize,
    found: BTreeMap<Percepts, Growing>,
}

impl<'c> Children<'c> {
    /// None yet.
    pub(crate) fn new(wanted: Option<&'c Percepts>, limits: &'c PublicLimits) -> Self {
        Self { wanted, limits, count: 0, looked_at: 0, found: BTreeMap::new() }
    }

    /// Looks at a turn that makes this public; `added` adds what follows to its public state, if that is wanted.
    ///
    /// # Errors
    /// If there is too much after so many turns.
    pub(crate) fn look(
        &mut self,
        told: Percepts,
        turns: usize,
        added: impl FnOnce(&mut Growing),
    ) -> Result<(), PublicError> {
        self.looked_at += 1;
        if self.wanted.is_none_or(|wanted| *wanted == told) {
            let child = self.found.entry(told).or_default();
            let before = child.histories.len();
            added(child);
            self.count += child.histories.len() - before;
        }
        let most = self.limits.histories;
        let most_moves = most.saturating_mul(MOVES_PER_HISTORY);
        if self.count > most {
            let private = self.found.values().map(Growing::private_count).sum();
            return Err(PublicError::TooMany { turns, most, private });
        }
        match self.wanted {
            Some(_) if self.looked_at > most_moves => {
                Err(PublicError::TooManyMoves { turns, most: most_moves })
            }
            _ => Ok(()),
        }
    }

    /// Those that were found, by what is public.
    pub(crate) fn found(self) -> BTreeMap<Percepts, Growing> {
        self.found
    }
}

/// How a private state follows from one of the turn before.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    pub(crate) parent: u32,
    pub(crate) made: u32,
    pub(crate) own: MoveId,
    pub(crate) percepts: Percepts,
}

/// A public state of the next turn, while its histories are found.
#[derive(Default)]
pub(crate) struct Growing {
    pub(crate) histories: Vec<PublicHistory>,
    places: FxHashMap<(State, Vec<u32>), usize>,
    /// By player, the steps and their numbers.
    steps: Vec<FxHashMap<Step, u32>>,
}

impl Growing {
    /// Adds a history, and gives its place.
    pub(crate) fn add(&mut self, state: State, steps: Vec<Step>, chance: f64) -> usize {
        self.steps.resize_with(steps.len(), FxHashMap::default);
        let numbered = steps.into_iter().zip(&mut self.steps).map(|(step, known)| {
            let next = known.len() as u32;
            *known.entry(step).or_insert(next)
        });
        let private: Vec<u32> = numbered.collect();
        let key = (state, private);
        if let Some(&place) = self.places.get(&key) {
            self.histories[place].chance += chance;
            return place;
        }
        let place = self.histories.len();
        self.places.insert(key.clone(), place);
        let (state, private) = key;
        self.histories.push(PublicHistory { state, private, chance, goals: None });
        place
    }

    /// By player, the steps that lead to its private states, in the order of their numbers.
    pub(crate) fn steps(&mut self) -> impl Iterator<Item = Vec<Step>> {
        self.steps.drain(..).map(|steps| {
            let mut steps: Vec<(Step, u32)> = steps.into_iter().collect();
            steps.sort_unstable_by_key(|(_, number)| *number);
            steps.into_iter().map(|(step, _)| step).collect()
        })
    }

    fn private_count(&self) -> usize {
        self.steps.iter().map(FxHashMap::len).sum()
    }
}
