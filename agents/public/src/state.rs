//! A public state, in either of the ways in which a search may know it; and with ranges, what a search starts from.

use std::sync::Arc;

use croupier_engine::Percepts;

use crate::{PublicNode, belief::normalised, dealt::DealtState, together::Together};

/// A public state of a search.
#[derive(Clone, Debug)]
pub enum PublicState {
    /// All of its histories are listed.
    Listed(PublicNode),
    /// Chance only deals hands and a board: pairs of hands stand for histories.
    Dealt(DealtState),
}

impl PublicState {
    /// What was public in each turn.
    #[must_use]
    pub fn told(&self) -> &[Percepts] {
        match self {
            Self::Listed(node) => node.told(),
            Self::Dealt(state) => state.told(),
        }
    }

    /// By player and private state, what it gets of what is at stake if nobody bets more, as far as the rules tell that quickly; otherwise 0.
    pub(crate) fn shares(&self, ranges: &[f64], others: &[f64]) -> Vec<f64> {
        match self {
            Self::Listed(_) => vec![0.0; ranges.len()],
            Self::Dealt(state) => state.shares(ranges, others),
        }
    }

    /// The public state, if all of its histories are listed.
    #[must_use]
    pub fn listed(&self) -> Option<&PublicNode> {
        match self {
            Self::Listed(node) => Some(node),
            Self::Dealt(_) => None,
        }
    }
}

/// What a search starts from: a public state and everybody's ranges.
#[derive(Clone, Debug)]
pub(crate) struct SearchRoot {
    pub(crate) state: PublicState,
    /// By player and private state: the probability of its own moves, the greatest of each player being one.
    pub(crate) ranges: Vec<Vec<f64>>,
}

impl SearchRoot {
    /// A public state with these ranges; where a player has no range above zero, everything is as likely.
    pub(crate) fn of(state: PublicState, ranges: Vec<Vec<f64>>) -> Self {
        Self { state, ranges: normalised(ranges) }
    }

    /// [`PublicState::shares`] with its ranges.
    pub(crate) fn shares(&self) -> Vec<f64> {
        let ranges = self.ranges.concat();
        let mut others = vec![0.0; ranges.len()];
        if let PublicState::Dealt(state) = &self.state {
            let together = Together::Pairs([0, state.hands()[0].len()], Arc::clone(state.chances()));
            together.add_counterfactual(0, &ranges, &mut others);
        }
        self.state.shares(&ranges, &others)
    }

    pub(crate) fn players_count(&self) -> usize {
        self.ranges.len()
    }
}
