//! The players' beliefs in many matches, as probabilities.

use std::{collections::hash_map::Entry, sync::Arc};

use croupier_belief::{BeliefError, Believer, Methods, Opponents, ParticleOptions};
use croupier_engine::{Game, InformationSet, batch::Plane};
use rustc_hash::FxHashMap;

use crate::{Space, TrainingError, size::W};

/// Probabilities that are kept for information sets that come again: 64 MiB for each block of lanes.
const KEPT_MAX: usize = 1 << 24;

/// Beliefs of the players of up to 512 matches.
///
/// A belief is a function of the information set alone: particles are drawn from one seed in all lanes, matches and environments.
/// So it can be cached for the next time that a player has the same information set, which in small games happens nearly always.
#[derive(Debug)]
pub(crate) struct Beliefs {
    game: Arc<Game>,
    options: ParticleOptions,
    /// By lane and player, its belief at some earlier choice of the same match.
    believers: FxHashMap<(usize, usize), Believer>,
    /// By information set, the probability of each fluent.
    kept: FxHashMap<InformationSet, Arc<[f32]>>,
}

impl Clone for Beliefs {
    /// Beliefs are derived from information sets, and recomputed.
    fn clone(&self) -> Self {
        let (game, kept) = (Arc::clone(&self.game), self.kept.clone());
        Self { game, options: self.options, believers: FxHashMap::default(), kept }
    }
}

impl Beliefs {
    pub(crate) fn new(game: &Arc<Game>, particles: usize) -> Self {
        let (believers, kept) = (FxHashMap::default(), FxHashMap::default());
        Self { game: Arc::clone(game), options: ParticleOptions::for_play(particles), believers, kept }
    }

    /// Forgets everything about the matches in some lanes.
    pub(crate) fn forget(&mut self, wanted: Plane<W>) {
        self.believers.retain(|&(lane, _), _| !wanted.get(lane));
    }

    /// The probability of each fluent for a player in a lane with this information set.
    ///
    /// # Errors
    /// [`TrainingError::Belief`].
    pub(crate) fn probabilities(
        &mut self,
        space: &Space,
        seat: (usize, usize),
        known: &InformationSet,
    ) -> Result<Arc<[f32]>, TrainingError> {
        if let Some(kept) = self.kept.get(known) {
            return Ok(Arc::clone(kept));
        }
        let failed = |error: BeliefError| TrainingError::Belief(error.to_string());
        let believer = match self.believers.entry(seat) {
            Entry::Occupied(entry) => entry.into_mut(),
            Entry::Vacant(entry) => {
                let methods = Methods { exact: None, sample: Some((self.options, [0; 32])) };
                let game = Arc::clone(&self.game);
                let believer = Believer::new(game, known.role, methods, &Opponents::uniform());
                entry.insert(believer.map_err(failed)?)
            }
        };
        let outlook = believer.follow(known).map_err(failed)?;
        let mut sums = vec![0.0_f64; space.network.fluents().len()];
        for (state, probability) in outlook.distribution.iter() {
            let bases = state.fluents().filter_map(|fluent| space.network.base(fluent));
            bases.for_each(|base| sums[base] += probability);
        }
        let found: Arc<[f32]> = sums.into_iter().map(|sum| sum.min(1.0) as f32).collect();
        if (self.kept.len() + 1) * found.len() > KEPT_MAX {
            self.kept.clear();
        }
        self.kept.insert(known.clone(), Arc::clone(&found));
        Ok(found)
    }
}
