//! The re-solving gadget: what keeps a search from giving away what the search before it found.
//!
//! A search from ranges trusts them. Of two strategies that are as good against an opponent's range, one may lose to the king that the range
//! says the opponent does not hold; and an opponent who knows the search comes with the king. So the opponent may choose, in each of its
//! private states at the root, between going on and an *alternative*: the counterfactual value that it had there in the search before. A
//! strategy that is best against that opponent leaves it no more than the alternative in every private state, if any strategy does; and the
//! search before says that one does.
//!
//! # Sources
//! N. Burch, M. Johanson, M. Bowling: Solving Imperfect Information Games Using Decomposition, AAAI 2014. M. Moravčík et al.: DeepStack,
//! Science 356, 2017, where each search takes its alternatives from the one before.

use std::ops::Range;

use crate::discount::Discount;

/// What a player may take at the root of a search instead of going on.
#[derive(Clone, Debug, PartialEq)]
pub struct Alternative {
    /// Its position among the players.
    pub player: usize,
    /// By private state of the root, the counterfactual value: the expected goal, times the probability of chance and of the others' moves.
    pub values: Vec<f64>,
}

/// The choice of a player between going on and its alternative, by private state of the root.
#[derive(Debug)]
pub(crate) struct Gadget {
    player: usize,
    /// The numbers of its private states in the tree.
    own: Range<usize>,
    alternative: Vec<f64>,
    /// Of going on, and of the alternative.
    regrets: Vec<[f64; 2]>,
}

impl Gadget {
    pub(crate) fn new(player: usize, own: Range<usize>, alternative: Vec<f64>) -> Self {
        Self { player, regrets: vec![[0.0; 2]; own.len()], own, alternative }
    }

    /// The position of the player among all.
    pub(crate) fn player(&self) -> usize {
        self.player
    }

    /// Makes the player go on as often as its regrets say; at first, half the time.
    pub(crate) fn reach(&self, reach: &mut [f64]) {
        for (reach, regrets) in reach[self.own.clone()].iter_mut().zip(&self.regrets) {
            *reach *= going_on(regrets);
        }
    }

    /// Takes in the counterfactual values of an iteration, by private state of the tree.
    pub(crate) fn choose(&mut self, values: &[f64], discount: &Discount) {
        let values = values[self.own.clone()].iter().zip(&self.alternative);
        for (regrets, (&value, &alternative)) in self.regrets.iter_mut().zip(values) {
            let share = going_on(regrets);
            let expected = share * value + (1.0 - share) * alternative;
            for (regret, value) in regrets.iter_mut().zip([value, alternative]) {
                *regret += value - expected;
                discount.apply(regret);
            }
        }
    }
}

/// How often a player goes on.
fn going_on([on, alternative]: &[f64; 2]) -> f64 {
    let (on, all) = (on.max(0.0), on.max(0.0) + alternative.max(0.0));
    if all > 0.0 { on / all } else { 0.5 }
}
