//! How many histories public states may have, each or all together.

use croupier_engine::game::Looker;

use crate::{PublicError, PublicEyes, PublicNode};

/// How large a public state may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicLimits {
    /// Histories with the same public percepts, at most.
    pub histories: usize,
}

impl PublicLimits {
    /// Some hundred megabytes.
    pub const STANDARD: Self = Self { histories: 500_000 };
}

/// What is left of a number of histories that several public states may have together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct HistoryBudget {
    most: usize,
    rest: usize,
}

impl HistoryBudget {
    pub(crate) fn new(most: usize) -> Self {
        Self { most, rest: most }
    }

    /// Takes in a public state.
    pub(crate) fn take(&mut self, node: &PublicNode) {
        self.rest = self.rest.saturating_sub(node.histories().len());
    }

    /// The public states that follow, if they fit; they are not taken in.
    pub(crate) fn expand(
        self,
        node: &PublicNode,
        eyes: &mut PublicEyes,
        looker: &mut Looker,
    ) -> Result<Vec<PublicNode>, PublicError> {
        let found = node.expand(eyes, looker, &PublicLimits { histories: self.rest });
        found.map_err(|error| match error {
            PublicError::TooMany { turns, private, .. } => {
                PublicError::TooMany { turns, most: self.most, private }
            }
            other => other,
        })
    }
}
