//! How the other roles are taken to choose.

use std::{collections::BTreeMap, fmt, sync::Arc};

use croupier_engine::{InformationSet, MoveId, RoleId};

/// How a role is taken to choose: a player's own policy, one that was learned, or any other.
///
/// It has to be a function of its arguments alone, or else beliefs are no longer the same for the same seed.
pub trait Policy: fmt::Debug + Send + Sync {
    /// The probability of each of `legal`, the role's legal moves in canonical order, when the role knows `known`:
    /// not negative, and of sum one.
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64>;
}

/// The policies of the other roles. A role without one chooses uniformly, as chance does by the language.
#[derive(Clone, Debug, Default)]
pub struct Opponents {
    /// Invariant: ascending by role.
    policies: BTreeMap<RoleId, Arc<dyn Policy>>,
}

/// A policy as a table: what a solver has computed, or what was counted in earlier matches.
#[derive(Clone, Debug, Default)]
pub struct PolicyTable {
    entries: BTreeMap<InformationSet, BTreeMap<MoveId, f64>>,
}

/// A role and its policy.
pub(crate) type Modelled = (RoleId, Arc<dyn Policy>);

impl Opponents {
    /// Everybody chooses uniformly.
    #[must_use]
    pub fn uniform() -> Self {
        Self::default()
    }

    /// The same, but `role` has this policy. The policies of `random` and of the role whose belief it is are never
    /// asked.
    #[must_use]
    pub fn with(mut self, role: RoleId, policy: Arc<dyn Policy>) -> Self {
        self.policies.insert(role, policy);
        self
    }

    /// The roles with a policy that counts for a belief of `own`, in order.
    pub(crate) fn modelled(
        &self,
        own: RoleId,
        random: Option<RoleId>,
    ) -> impl Iterator<Item = (RoleId, &Arc<dyn Policy>)> {
        let counts = move |role: RoleId| role != own && Some(role) != random;
        self.policies.iter().map(|(&role, policy)| (role, policy)).filter(move |&(role, _)| counts(role))
    }
}

impl PolicyTable {
    /// Sets how a role chooses that knows `known`: moves and weights, which are taken in proportion.
    pub fn insert(&mut self, known: InformationSet, weights: impl IntoIterator<Item = (MoveId, f64)>) {
        self.entries.insert(known, weights.into_iter().collect());
    }

    /// How many information sets it has an entry for.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no entry.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}

impl Policy for PolicyTable {
    /// Uniform where the table has no entry, or none for a legal move.
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let entry = self.entries.get(known);
        let weight =
            |played: &MoveId| entry.and_then(|entry| entry.get(played)).copied().unwrap_or(0.0).max(0.0);
        let weights: Vec<f64> = legal.iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        if total > 0.0 {
            weights.iter().map(|weight| weight / total).collect()
        } else {
            vec![1.0 / legal.len() as f64; legal.len()]
        }
    }
}

/// How much more likely a policy makes a move than a uniform choice does; 0 for a move that is not legal.
pub(crate) fn preference(
    policy: &dyn Policy,
    known: &InformationSet,
    legal: &[MoveId],
    played: MoveId,
) -> f64 {
    let place = legal.iter().position(|known| *known == played);
    let probabilities = policy.probabilities(known, legal);
    let probability = place.and_then(|place| probabilities.get(place).copied());
    probability.map_or(0.0, |probability| probability.max(0.0) * legal.len() as f64)
}
