//! The policies by which the players of an environment are taken to choose.

use std::{fmt, sync::Arc};

use croupier_belief::PolicyQuestion;
use croupier_engine::RoleId;

use crate::TrainingError;

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
    pub(crate) policies: Vec<Arc<dyn OpponentPolicy>>,
    /// The players with a policy, and which of them it is.
    pub(crate) roles: Vec<(RoleId, usize)>,
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

    /// Which policy a role has.
    pub(crate) fn of(&self, role: RoleId) -> Option<usize> {
        self.roles.iter().find(|&&(known, _)| known == role).map(|&(_, policy)| policy)
    }
}
