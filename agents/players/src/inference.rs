//! What the moves of the others tell: how likely each was with what they may hold, by the search of that turn.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex, PoisonError},
};

use croupier_belief::{Opponents, Policy, mixed};
use croupier_engine::{Game, GameError, InformationSet, MoveId, RoleId, Scratch};
use rustc_hash::FxHashMap;

use crate::{Model, positions::Positions, search::Search, starts::Starts};

/// How the others choose, as searches at the turns of a match found it.
///
/// The beliefs of a player ask it about the turns that were searched; in others, everyone chooses uniformly.
///
/// # Sources
/// Weighing histories by the policy of those who made the moves: D. Rebstock, C. Solinas, M. Buro and N. Sturtevant, "Policy Based
/// Inference in Trick-Taking Card Games", CoG 2019. Here the policy is not learnt beforehand.
#[derive(Clone, Debug, Default)]
pub(crate) struct Inference {
    readings: Arc<Mutex<Readings>>,
}

/// By role and turn.
type Readings = FxHashMap<(RoleId, usize), TurnPolicy>;

/// How a role chooses in one turn, by the weights of its moves.
#[derive(Debug)]
pub(crate) struct TurnPolicy {
    /// In the information sets that were searched.
    sets: FxHashMap<InformationSet, Vec<(MoveId, f64)>>,
    /// On average over them, for all others.
    average: BTreeMap<MoveId, f64>,
}

impl TurnPolicy {
    /// How a search makes a role choose that has a choice where it starts.
    pub(crate) fn of(
        search: &Search,
        starts: &Starts,
        role: RoleId,
        positions: &mut Positions,
        scratch: &mut Scratch,
    ) -> Result<Self, GameError> {
        let mut reading = Self { sets: FxHashMap::default(), average: BTreeMap::new() };
        for number in 0..starts.len() {
            let (start, weights) = (starts.get(number), search.weights(number, role));
            let Some(history) = start.history.as_ref().filter(|_| !weights.is_empty()) else { continue };
            let sum: f64 = weights.iter().map(|(_, weight)| weight).sum();
            for &(played, weight) in &weights {
                *reading.average.entry(played).or_default() += start.weight * weight / sum;
            }
            reading.sets.insert(positions.known(history, role, scratch)?, weights);
        }
        Ok(reading)
    }

    fn weight(&self, known: &InformationSet, played: MoveId) -> f64 {
        match self.sets.get(known) {
            Some(weights) => {
                weights.iter().find(|(tried, _)| *tried == played).map_or(0.0, |(_, weight)| *weight)
            }
            None => self.average.get(&played).copied().unwrap_or(0.0),
        }
    }
}

impl Inference {
    /// The policies of all other players that have none of their own.
    pub(crate) fn opponents(&self, game: &Game, own: RoleId, given: &Opponents) -> Opponents {
        let others = game.roles().players().filter(|&role| role != own && !given.are_of(role));
        others.fold(given.clone(), |opponents, role| {
            let policy = Read { role, readings: Arc::clone(&self.readings) };
            opponents.with(role, mixed(Arc::new(policy), Model::UNIFORM_SHARE))
        })
    }

    /// Forgets all turns, of another match.
    pub(crate) fn forget(&self) {
        self.readings.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Notes how a role chooses in a turn.
    pub(crate) fn note(&self, role: RoleId, turn: usize, reading: TurnPolicy) {
        self.readings.lock().unwrap_or_else(PoisonError::into_inner).insert((role, turn), reading);
    }
}

/// The policy of one role.
#[derive(Debug)]
struct Read {
    role: RoleId,
    readings: Arc<Mutex<Readings>>,
}

impl Policy for Read {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let readings = self.readings.lock().unwrap_or_else(PoisonError::into_inner);
        let reading = readings.get(&(self.role, known.turns.len()));
        let weight = |&played: &MoveId| reading.map_or(0.0, |reading| reading.weight(known, played));
        let found: Vec<f64> = legal.iter().map(weight).collect();
        let sum: f64 = found.iter().sum();
        match sum > 0.0 {
            true => found.iter().map(|weight| weight / sum).collect(),
            false => vec![1.0 / legal.len() as f64; legal.len()],
        }
    }
}
