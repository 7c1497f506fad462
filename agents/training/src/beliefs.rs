//! The players' beliefs in many matches, as probabilities.

use std::{
    collections::hash_map::Entry,
    sync::{Arc, Mutex, PoisonError, RwLock},
};

use croupier_belief::{BeliefError, CompleteBelief, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, InformationSet, batch::Plane};
use rustc_hash::FxHashMap;

use crate::{
    Space, TrainingError,
    events::{END, LaneEvents, information_set},
    size::W,
};

/// Probabilities that are kept for information sets that come again: 128 MiB.
const KEPT_MAX: usize = 1 << 25;

/// Bytes of complete beliefs from which others go on.
const RESUMED_MAX: usize = 1 << 27;

/// Beliefs of the players of up to 512 matches.
///
/// A belief is a function of the information set alone: particles are drawn from one seed in all lanes, matches and environments. So it can
/// be kept for the next time that a player has the same information set, or one that differs only in exchangeable values. In
/// small games, and in large ones with a deck of cards, that happens nearly always. One that was not met before goes on from the longest of its
/// beginnings whose states are all kept.
#[derive(Debug)]
pub(crate) struct Beliefs {
    game: Arc<Game>,
    options: ParticleOptions,
    /// By player, what makes complete beliefs.
    working: Vec<Option<ParticleBelief>>,
    /// By lane and player, its belief at some earlier choice of the same match, if that was not complete.
    samples: FxHashMap<(usize, usize), ParticleBelief>,
    /// Shared by all matches of the environment.
    kept: Arc<KeptBeliefs>,
}

/// Something for each key.
type ByKey<T> = FxHashMap<Box<[u32]>, T>;

/// What was inferred before, by the keys of information sets.
#[derive(Debug, Default)]
struct KeptBeliefs {
    /// The probability of each fluent.
    probabilities: RwLock<ByKey<Arc<[f32]>>>,
    complete: Mutex<CompleteBeliefs>,
}

/// Beliefs from which others go on.
#[derive(Debug, Default)]
struct CompleteBeliefs {
    by_key: ByKey<Arc<CompleteBelief>>,
    bytes: usize,
    /// The fewest turns after which one was not complete.
    turns_max: Option<usize>,
}

impl CompleteBeliefs {
    /// The belief of the longest beginning of a key.
    fn before(&self, key: &[u32]) -> Option<Arc<CompleteBelief>> {
        let ends = (0..key.len()).rev().filter(|&place| key[place] == END);
        ends.filter_map(|place| self.by_key.get(&key[..=place])).next().cloned()
    }

    /// Keeps a belief; if there are too many, the longer half is forgotten: fewer go on from them.
    fn keep(&mut self, key: &[u32], belief: CompleteBelief) {
        self.bytes += belief.bytes();
        self.by_key.insert(key.into(), Arc::new(belief));
        if self.bytes > RESUMED_MAX {
            let mut lengths: Vec<usize> = self.by_key.keys().map(|key| key.len()).collect();
            lengths.sort_unstable();
            let median = lengths[lengths.len() / 2];
            self.by_key.retain(|key, _| key.len() < median);
            self.bytes = self.by_key.values().map(|belief| belief.bytes()).sum();
        }
    }
}

impl Clone for Beliefs {
    /// Beliefs are derived from information sets, and recomputed.
    fn clone(&self) -> Self {
        let (working, samples) = (self.working.iter().map(|_| None).collect(), FxHashMap::default());
        Self {
            game: Arc::clone(&self.game),
            options: self.options,
            working,
            samples,
            kept: Arc::clone(&self.kept),
        }
    }
}

impl Beliefs {
    /// No match has begun.
    pub(crate) fn new(game: &Arc<Game>, particles: usize) -> Self {
        Self {
            game: Arc::clone(game),
            options: ParticleOptions::for_play(particles),
            working: game.roles().players().map(|_| None).collect(),
            samples: FxHashMap::default(),
            kept: Arc::default(),
        }
    }

    /// Forgets everything about the matches in some lanes.
    pub(crate) fn forget(&mut self, wanted: Plane<W>) {
        self.samples.retain(|&(lane, _), _| !wanted.get(lane));
    }

    /// How many information sets have a belief that is kept.
    pub(crate) fn kept_count(&self) -> usize {
        self.kept.probabilities.read().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Writes the probability of each fluent for a player in a lane.
    ///
    /// # Errors
    /// [`TrainingError::Belief`].
    pub(crate) fn write(
        &mut self,
        space: &Space,
        events: &LaneEvents,
        seat: (usize, usize),
        written: &mut [f32],
    ) -> Result<(), TrainingError> {
        let line = events.of(seat.0, seat.1);
        let key = line.key();
        let kept = self.kept.probabilities.read().unwrap_or_else(PoisonError::into_inner).get(key).cloned();
        let found = match kept {
            Some(kept) => kept,
            None => self.infer(space, seat, key)?,
        };
        match events.shapes().has_classes() {
            true => events.shapes().write(line.naming(), &found, written),
            false => written.copy_from_slice(&found),
        }
        Ok(())
    }

    /// The belief of a player in a lane, under the names of its key.
    fn infer(
        &mut self,
        space: &Space,
        seat: (usize, usize),
        key: &[u32],
    ) -> Result<Arc<[f32]>, TrainingError> {
        let known = information_set(space, key);
        let failed = |error: BeliefError| TrainingError::Belief(error.to_string());
        let found = match self.complete(seat, key, &known).map_err(failed)? {
            Some(found) => found,
            None => self.sample(space, seat, &known).map_err(failed)?,
        };
        let found: Arc<[f32]> = found.into_iter().map(|probability| probability.min(1.0) as f32).collect();
        let mut kept = self.kept.probabilities.write().unwrap_or_else(PoisonError::into_inner);
        if (kept.len() + 1) * found.len() > KEPT_MAX {
            kept.clear();
        }
        kept.insert(key.into(), Arc::clone(&found));
        Ok(found)
    }

    /// The probability of each base if all states can be kept, by going on from the longest beginning.
    fn complete(
        &mut self,
        seat: (usize, usize),
        key: &[u32],
        known: &InformationSet,
    ) -> Result<Option<Vec<f64>>, BeliefError> {
        let complete = || self.kept.complete.lock().unwrap_or_else(PoisonError::into_inner);
        let is_hopeless = complete().turns_max.is_some_and(|turns| known.turns.len() >= turns);
        if is_hopeless || self.samples.contains_key(&seat) {
            return Ok(None);
        }
        let before = complete().before(key);
        let working = match (self.working[seat.1].take(), before) {
            (Some(mut working), Some(before)) => {
                working.resume(&before);
                working
            }
            _ => ParticleBelief::new(Arc::clone(&self.game), known.role, self.options, [0; 32])?,
        };
        let working = self.working[seat.1].insert(working);
        for (own_move, percepts) in &known.turns[working.known().turns.len()..] {
            working.advance(*own_move, percepts)?;
            if !working.is_complete() {
                // Whether all states are found again later depends on all that came before.
                self.kept.complete.lock().unwrap_or_else(PoisonError::into_inner).turns_max =
                    Some(working.known().turns.len());
                return Ok(None);
            }
        }
        if let Some(states) = working.complete() {
            self.kept.complete.lock().unwrap_or_else(PoisonError::into_inner).keep(key, states);
        }
        Ok(working.base_probabilities())
    }

    /// The probability of each base by particles, which depend on the whole information set: they are drawn from its beginning on.
    fn sample(
        &mut self,
        space: &Space,
        seat: (usize, usize),
        known: &InformationSet,
    ) -> Result<Vec<f64>, BeliefError> {
        let belief = match self.samples.entry(seat) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(ParticleBelief::new(Arc::clone(&self.game), known.role, self.options, [0; 32])?)
            }
        };
        belief.follow(known)?;
        if let Some(found) = belief.base_probabilities() {
            return Ok(found);
        }
        let mut sums = vec![0.0_f64; space.network.fluents().len()];
        for (state, probability) in belief.distribution().iter() {
            let bases = state.fluents().filter_map(|fluent| space.network.base(fluent));
            bases.for_each(|base| sums[base] += probability);
        }
        Ok(sums)
    }
}
