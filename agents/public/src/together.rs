//! Which private states of different players occur together, and how likely.

use std::{ops::Range, sync::Arc};

use crate::pairs::PairNumbers;

/// The private states of all players in a public state, as far as they occur together: how likely chance makes them.
#[derive(Clone, Debug)]
pub(crate) enum Together {
    /// History by history.
    Histories(Vec<TreeHistory>),
    /// A number for each pair of private states of two players, whose first are these.
    Pairs([usize; 2], Arc<PairNumbers>),
}

/// A history where a tree ends.
#[derive(Clone, Debug)]
pub(crate) struct TreeHistory {
    /// By player, its private state.
    pub(crate) sets: Vec<u32>,
    pub(crate) chance: f64,
    /// By player its goal, if the match is over.
    pub(crate) goals: Vec<f64>,
}

impl TreeHistory {
    /// The reach of all but one player.
    pub(crate) fn others(&self, player: usize, reach: &[f64]) -> f64 {
        let all = self.sets.iter().enumerate().filter(|(other, _)| *other != player);
        all.map(|(_, &set)| reach[set as usize]).product()
    }
}

impl Together {
    /// Adds, for each player, the probability of chance and of the others' moves to that of its private states; `found` has those from the
    /// number `first` on.
    pub(crate) fn add_counterfactual(&self, first: usize, reach: &[f64], found: &mut [f64]) {
        match self {
            Self::Histories(histories) => {
                for history in histories {
                    for (player, &set) in history.sets.iter().enumerate() {
                        found[set as usize - first] += history.others(player, reach) * history.chance;
                    }
                }
            }
            Self::Pairs(begin, pairs) => {
                let [one, other] = pairs.sets(*begin);
                let of = |sets: Range<usize>| sets.start - first..sets.end - first;
                pairs.add_to_rows(&reach[other.clone()], 1.0, &mut found[of(one.clone())]);
                pairs.add_to_columns(&reach[one], 1.0, &mut found[of(other)]);
            }
        }
    }

    /// How likely the players' moves and chance lead here.
    pub(crate) fn probability(&self, reach: &[f64]) -> f64 {
        match self {
            Self::Histories(histories) => {
                let weight = |history: &TreeHistory| {
                    history.sets.iter().map(|&set| reach[set as usize]).product::<f64>() * history.chance
                };
                histories.iter().map(weight).sum()
            }
            Self::Pairs(begin, pairs) => {
                let [one, other] = pairs.sets(*begin);
                let mut found = vec![0.0; one.len()];
                pairs.add_to_rows(&reach[other], 1.0, &mut found);
                found.iter().zip(&reach[one]).map(|(others, own)| others * own).sum()
            }
        }
    }
}
