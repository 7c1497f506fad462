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

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use croupier_belief::{BeliefError, ExactBelief, ExactOptions, Methods, Opponents, Policy, PolicyQuestion};
use croupier_engine::{Game, InformationSet, MoveId, Percepts, RoleId};
use rustc_hash::FxHashMap;

use crate::{Space, TrainingError, events::information_set};

/// A policy that is asked about many information sets at once.
pub trait OpponentPolicy: fmt::Debug + Send + Sync {
    /// For each question the probability of each legal move: not negative, and adding up to one.
    ///
    /// # Errors
    /// [`TrainingError::Policy`] if it has no answer.
    fn probabilities(&self, questions: &[PolicyQuestion<'_>]) -> Result<Vec<Vec<f64>>, TrainingError>;
}

/// How players are taken to choose by the others.
#[derive(Clone, Debug, Default)]
pub struct OpponentPolicies {
    policies: Vec<Arc<dyn OpponentPolicy>>,
    /// The players with a policy, and which of them it is.
    roles: Vec<(RoleId, usize)>,
}

impl OpponentPolicies {
    /// Everybody chooses uniformly.
    #[must_use]
    pub fn uniform() -> Self {
        Self::default()
    }

    /// The same, but these roles have this policy, which is asked for all of them in one call.
    #[must_use]
    pub fn with(mut self, roles: impl IntoIterator<Item = RoleId>, policy: Arc<dyn OpponentPolicy>) -> Self {
        for role in roles {
            self.roles.retain(|&(known, _)| known != role);
            self.roles.push((role, self.policies.len()));
        }
        self.policies.push(policy);
        self
    }

    /// Whether everybody chooses uniformly.
    #[must_use]
    pub fn is_uniform(&self) -> bool {
        self.roles.is_empty()
    }

    fn of(&self, role: RoleId) -> Option<usize> {
        self.roles.iter().find(|&&(known, _)| known == role).map(|&(_, policy)| policy)
    }
}

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
            let factors = self.sets[set..sets_end].iter().map(|&known| sets.nodes[known as usize].reach);
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

/// A policy that chooses uniformly, and notes what it is asked: so information sets are found with their legal moves.
#[derive(Debug, Default)]
struct Recorder(Mutex<FxHashMap<InformationSet, Vec<MoveId>>>);

impl Recorder {
    fn legal(&self, known: &InformationSet) -> Option<Vec<MoveId>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(known).cloned()
    }
}

impl Policy for Recorder {
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        if legal.len() > 1 {
            let mut met = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if !met.contains_key(known) {
                met.insert(known.clone(), legal.to_vec());
            }
        }
        vec![1.0 / legal.len() as f64; legal.len()]
    }
}

/// What modelled roles may know: a tree of information sets, and the policies' answers in those with a choice.
#[derive(Debug, Default)]
struct OpponentSets {
    nodes: Vec<SetNode>,
    roots: FxHashMap<RoleId, u32>,
    /// By information set and the turn that follows, the next.
    next: FxHashMap<(u32, MoveId, Percepts), u32>,
    decisions: Vec<Decision>,
}

/// An information set of a modelled role.
#[derive(Clone, Copy, Debug)]
struct SetNode {
    /// The one before; itself at the beginning.
    parent: u32,
    /// The decision that led here, and which of its moves was made; `None` if there was no choice.
    step: Option<(u32, u32)>,
    /// The decision here, if there is one and it was looked for.
    decision: Option<u32>,
    /// How much likelier the role's policy makes all its moves so far than uniform choices would.
    reach: f64,
    /// By which policies.
    version: u64,
}

/// A choice of a modelled role.
#[derive(Clone, Debug)]
struct Decision {
    policy: usize,
    known: InformationSet,
    legal: Vec<MoveId>,
    answer: Vec<f64>,
    version: u64,
}

impl OpponentSets {
    /// The node of an information set.
    fn place(&mut self, known: &InformationSet, recorder: &Recorder, policies: &OpponentPolicies) -> u32 {
        let nodes = &mut self.nodes;
        let root = SetNode { parent: 0, step: None, decision: None, reach: 1.0, version: u64::MAX };
        let mut node = *self.roots.entry(known.role).or_insert_with(|| push(nodes, root));
        for (turn, (made, percepts)) in known.turns.iter().enumerate() {
            let key = (node, *made, percepts.clone());
            if let Some(&next) = self.next.get(&key) {
                node = next;
                continue;
            }
            let decision = self.nodes[node as usize].decision.or_else(|| {
                let before = InformationSet { role: known.role, turns: known.turns[..turn].to_vec() };
                let (legal, policy) = (recorder.legal(&before)?, policies.of(known.role)?);
                Some(push(
                    &mut self.decisions,
                    Decision { policy, known: before, legal, answer: Vec::new(), version: 0 },
                ))
            });
            self.nodes[node as usize].decision = decision;
            let step = decision.and_then(|decision| {
                let legal = &self.decisions[decision as usize].legal;
                let column = legal.iter().position(|known| known == made)?;
                Some((decision, u32::try_from(column).expect("moves are below 2^32")))
            });
            let next = SetNode { parent: node, step, decision: None, reach: 1.0, version: 0 };
            node = push(&mut self.nodes, next);
            self.next.insert(key, node);
        }
        node
    }

    /// Computes the factors of some nodes: what policies have not answered in this version they are asked, each in one call.
    fn answer(
        &mut self,
        policies: &OpponentPolicies,
        version: u64,
        needed: impl Iterator<Item = u32>,
    ) -> Result<(), TrainingError> {
        let mut fresh = Vec::new();
        let mut asked: Vec<Vec<u32>> = vec![Vec::new(); policies.policies.len()];
        for node in needed {
            let begin = fresh.len();
            let mut node = node;
            while self.nodes[node as usize].version < version {
                let SetNode { parent, step, .. } = self.nodes[node as usize];
                self.nodes[node as usize].version = version;
                fresh.push(node);
                if let Some((decision, _)) = step {
                    let found = &mut self.decisions[decision as usize];
                    if found.version < version {
                        found.version = version;
                        asked[found.policy].push(decision);
                    }
                }
                node = parent;
            }
            // Those before come first.
            fresh[begin..].reverse();
        }
        for (policy, asked) in policies.policies.iter().zip(asked) {
            self.ask(&**policy, &asked)?;
        }
        for node in fresh {
            let SetNode { parent, step, .. } = self.nodes[node as usize];
            let factor = step.map_or(1.0, |(decision, column)| {
                let Decision { legal, answer, .. } = &self.decisions[decision as usize];
                answer[column as usize] * legal.len() as f64
            });
            self.nodes[node as usize].reach = self.nodes[parent as usize].reach * factor;
        }
        Ok(())
    }

    fn ask(&mut self, policy: &dyn OpponentPolicy, asked: &[u32]) -> Result<(), TrainingError> {
        if asked.is_empty() {
            return Ok(());
        }
        let question = |&decision: &u32| {
            let Decision { known, legal, .. } = &self.decisions[decision as usize];
            PolicyQuestion { known, legal }
        };
        let answers = policy.probabilities(&asked.iter().map(question).collect::<Vec<_>>())?;
        for (&decision, answer) in asked.iter().zip(answers) {
            self.decisions[decision as usize].answer = answer;
        }
        Ok(())
    }
}

/// Appends something; returns its index.
fn push<T>(list: &mut Vec<T>, item: T) -> u32 {
    let index = u32::try_from(list.len()).expect("information sets are fewer than 2^32");
    list.push(item);
    index
}
