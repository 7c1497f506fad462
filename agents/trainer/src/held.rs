//! What somebody may hold together: the two cards of a hand depend on each other, so their shares one by one do not say it.

use std::collections::BTreeMap;

use croupier_belief::{Distribution, Marginal};
use croupier_engine::FluentId;
use croupier_games::{HeldHands, LikelyHand};

use crate::Holders;

/// For each holder of several things in some state, what may be held together, in canonical order; `marginals` are those of the
/// distribution.
#[must_use]
pub fn held_hands(
    marginals: &[Marginal],
    distribution: &Distribution,
    holders: Holders<'_>,
) -> Vec<HeldHands> {
    // By holder, the fluents in canonical order: a hand is a list of places in it.
    let mut held: BTreeMap<String, Vec<&Marginal>> = BTreeMap::new();
    for marginal in marginals {
        if let Some(holder) = holders(&marginal.text) {
            held.entry(holder).or_default().push(marginal);
        }
    }
    let hands = held.into_iter().map(|(of, fluents)| HeldHands { of, hands: hands(&fluents, distribution) });
    hands.filter(|held| held.hands.iter().any(|hand| hand.facts.len() > 1)).collect()
}

fn hands(fluents: &[&Marginal], distribution: &Distribution) -> Vec<LikelyHand> {
    let places: BTreeMap<FluentId, usize> =
        fluents.iter().zip(0..).map(|(marginal, place)| (marginal.fluent, place)).collect();
    let mut shares: BTreeMap<Vec<usize>, f64> = BTreeMap::new();
    for (state, probability) in distribution.iter() {
        let mut hand: Vec<usize> =
            state.fluents().filter_map(|fluent| places.get(&fluent).copied()).collect();
        hand.sort_unstable();
        *shares.entry(hand).or_default() += probability;
    }
    let hand = |(hand, probability): (Vec<usize>, f64)| LikelyHand {
        facts: hand.into_iter().map(|place| fluents[place].text.to_string()).collect(),
        probability,
    };
    shares.into_iter().map(hand).collect()
}
