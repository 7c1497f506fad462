//! Beliefs of players who take the others to choose by policies that may change from step to step: those that are being trained.
//!
//! What an information set leaves possible does not depend on policies: the states, what the others know in each of them, and how likely
//! chance makes it. That is enumerated once and kept (`Possibilities`). How likely the others make it is the product of the
//! probabilities of their moves, which belongs to what they know: all possibilities in which Alice knows the same have the same factor.
//! So a step needs the policies' answers in the information sets that lead to the possible ones, each once, in one call
//! for all lanes; a belief is then the sum over its possibilities of weight times factors (Bayes' rule).
//!
//! Every belief goes by the policies as they are now, also for moves that were made when they were different: the numbers are a function of
//! the information set and the policies, whatever the lane went through.

use std::sync::Arc;

use croupier_belief::{BeliefError, ExactBelief, ExactOptions, Methods, Opponents, Policy};
use croupier_engine::{Game, RoleId};
use rustc_hash::FxHashMap;

use crate::{
    Space, TrainingError,
    events::information_set,
    opponent_sets::{OpponentSets, Recorder},
    policies::OpponentPolicies,
};

/// Bounds of an enumeration: those of the exact beliefs of `croupier belief` and of Python.
const BOUNDS: ExactOptions = Methods::EXACT;

/// Possibilities that are kept, all information sets together: some hundred megabytes.
const KEPT_MAX: usize = 1 << 23;

/// Possibilities of the beliefs that are carried from turn to turn.
const CARRIED_MAX: usize = 1 << 20;

/// The beliefs of all players of an environment under policies.
#[derive(Debug)]
pub(crate) struct ModelledBeliefs {
    game: Arc<Game>,
    policies: OpponentPolicies,
    sets: OpponentSets,
    recorder: Arc<Recorder>,
    /// By key of an information set, its index.
    places: FxHashMap<Box<[u32]>, usize>,
    kept: Vec<Possibilities>,
    possibilities_count: usize,
    /// By lane and player, the possibilities at some earlier choice.
    carried: FxHashMap<(usize, usize), ExactBelief>,
    carried_count: usize,
    /// Counts how often policies may have changed.
    version: u64,
}

impl Clone for ModelledBeliefs {
    /// All of it is derived from information sets and policies, and recomputed.
    fn clone(&self) -> Self {
        Self::new(&self.game, self.policies.clone())
    }
}

/// What an information set leaves possible, and the belief that follows.
#[derive(Clone, Debug)]
struct Possibilities {
    /// Fluents that are true in all of them.
    certain: Vec<u32>,
    possible: Vec<PossibleState>,
    /// The other fluents of all of them, one after the other.
    fluents: Vec<u32>,
    /// What the modelled roles know in all of them, one after the other.
    sets: Vec<u32>,
    /// The probability of each fluent, and the version of the policies by which that is so; 0 if none was computed.
    belief: Vec<f32>,
    version: u64,
}

/// One of the possibilities.
#[derive(Clone, Copy, Debug)]
struct PossibleState {
    /// How likely it is if the roles with a policy choose uniformly.
    weight: f64,
    /// Where its fluents end.
    fluents_end: usize,
    /// Where the information sets in it end.
    sets_end: usize,
}

impl ModelledBeliefs {
    pub(crate) fn new(game: &Arc<Game>, policies: OpponentPolicies) -> Self {
        Self {
            game: Arc::clone(game),
            policies,
            sets: OpponentSets::default(),
            recorder: Arc::default(),
            places: FxHashMap::default(),
            kept: Vec::new(),
            possibilities_count: 0,
            carried: FxHashMap::default(),
            carried_count: 0,
            version: 1,
        }
    }

    /// How many information sets have possibilities that are kept.
    pub(crate) fn kept_count(&self) -> usize {
        self.kept.len()
    }

    /// Forgets all answers of policies: they may answer differently from now on.
    pub(crate) fn refresh(&mut self) {
        self.version += 1;
    }

    /// The index of what the information set of a key leaves possible; `seat` is the lane and the player that has it.
    ///
    /// # Errors
    /// [`TrainingError::Belief`] if it is too much.
    pub(crate) fn place(
        &mut self,
        space: &Space,
        seat: (usize, usize),
        key: &[u32],
    ) -> Result<usize, TrainingError> {
        if let Some(&place) = self.places.get(key) {
            return Ok(place);
        }
        let failed = |error: BeliefError| TrainingError::Belief(error.to_string());
        let known = information_set(space, key);
        let carried = self.carried.remove(&seat);
        self.carried_count -= carried.as_ref().map_or(0, |belief| belief.possibilities().len());
        let carried = carried.filter(|belief| known.turns.starts_with(&belief.known().turns));
        let mut belief = match carried {
            Some(belief) => belief,
            None => self.beginning(known.role).map_err(failed)?,
        };
        for (own_move, percepts) in &known.turns[belief.known().turns.len()..] {
            belief.advance(*own_move, percepts).map_err(failed)?;
        }
        let found = self.possibilities(space, &belief);
        self.carried_count += belief.possibilities().len();
        self.carried.insert(seat, belief);
        if self.carried_count > CARRIED_MAX {
            // Some of them are of matches that are over.
            self.carried.clear();
            self.carried_count = 0;
        }
        let place = self.kept.len();
        self.possibilities_count += found.possible.len();
        self.kept.push(found);
        self.places.insert(key.into(), place);
        Ok(place)
    }

    /// Whether so much is kept that all of it should be forgotten before the next step.
    pub(crate) fn forget_if_full(&mut self) {
        if self.possibilities_count > KEPT_MAX {
            self.places.clear();
            self.kept.clear();
            self.possibilities_count = 0;
            self.carried.clear();
            self.carried_count = 0;
            self.sets = OpponentSets::default();
            self.recorder = Arc::default();
        }
    }

    fn beginning(&self, role: RoleId) -> Result<ExactBelief, BeliefError> {
        let modelled = self.policies.roles.iter().map(|&(role, _)| role);
        let recorder = || Arc::clone(&self.recorder) as Arc<dyn Policy>;
        let opponents = modelled.fold(Opponents::uniform(), |all, role| all.with(role, recorder()));
        ExactBelief::with_opponents(Arc::clone(&self.game), role, &opponents, BOUNDS)
    }

    fn possibilities(&mut self, space: &Space, belief: &ExactBelief) -> Possibilities {
        let bases = |fluents: &mut dyn Iterator<Item = _>| -> Vec<u32> {
            let bases = fluents.filter_map(|fluent| space.network.base(fluent));
            bases.map(|base| u32::try_from(base).expect("bases are below 2^32")).collect()
        };
        let mut counts = vec![0_usize; space.network.fluents().len()];
        for one in belief.possibilities() {
            bases(&mut one.state.fluents()).into_iter().for_each(|base| counts[base as usize] += 1);
        }
        let all = belief.possibilities().len();
        let is_certain = |base: u32| counts[base as usize] == all;
        let mut found = Possibilities {
            certain: (0..).take(counts.len()).filter(|&base| is_certain(base)).collect(),
            possible: Vec::with_capacity(all),
            fluents: Vec::new(),
            sets: Vec::new(),
            belief: Vec::new(),
            version: 0,
        };
        for one in belief.possibilities() {
            found
                .fluents
                .extend(bases(&mut one.state.fluents()).into_iter().filter(|&base| !is_certain(base)));
            found
                .sets
                .extend(one.sets.iter().map(|known| self.sets.place(known, &self.recorder, &self.policies)));
            found.possible.push(PossibleState {
                weight: one.probability,
                fluents_end: found.fluents.len(),
                sets_end: found.sets.len(),
            });
        }
        found
    }

    /// Computes the beliefs at these places as the policies are now: each policy is asked at most once.
    ///
    /// # Errors
    /// Those of the policies.
    pub(crate) fn compute(&mut self, space: &Space, places: &[usize]) -> Result<(), TrainingError> {
        let Self { kept, sets, policies, version, .. } = self;
        let stale = |place: &&usize| kept[**place].version != *version;
        let mut stale: Vec<usize> = places.iter().filter(stale).copied().collect();
        stale.sort_unstable();
        stale.dedup();
        let needed = stale.iter().flat_map(|&place| &kept[place].sets).copied();
        if let Err(error) = sets.answer(policies, *version, needed) {
            // What was not answered is asked again.
            *version += 1;
            return Err(error);
        }
        for place in stale {
            kept[place].compute(sets, space.network.fluents().len(), *version)?;
        }
        Ok(())
    }

    /// A computed belief: the probability of each fluent.
    pub(crate) fn belief(&self, place: usize) -> &[f32] {
        &self.kept[place].belief
    }
}

impl Possibilities {
    fn compute(&mut self, sets: &OpponentSets, fluents: usize, version: u64) -> Result<(), TrainingError> {
        let mut sums = vec![0.0_f64; fluents];
        let (mut total, mut fluent, mut set) = (0.0, 0, 0);
        for &PossibleState { weight, fluents_end, sets_end } in &self.possible {
            let factors = self.sets[set..sets_end].iter().map(|&known| sets.reach(known));
            let weight = weight * factors.product::<f64>();
            self.fluents[fluent..fluents_end].iter().for_each(|&base| sums[base as usize] += weight);
            total += weight;
            (fluent, set) = (fluents_end, sets_end);
        }
        if total <= 0.0 {
            let problem = "a move was made that its policy never makes".to_owned();
            return Err(TrainingError::Belief(problem));
        }
        self.belief.clear();
        self.belief.extend(sums.iter().map(|sum| (sum / total).min(1.0) as f32));
        self.certain.iter().for_each(|&base| self.belief[base as usize] = 1.0);
        self.version = version;
        Ok(())
    }
}
