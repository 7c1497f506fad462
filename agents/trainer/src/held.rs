//! What somebody may hold together: the two cards of a hand depend on each other, so their shares one by one do not say it.

use std::collections::BTreeMap;

use croupier_belief::{Distribution, Marginal};
use croupier_engine::FluentId;
use croupier_games::{GoalShare, HeldHands, HeldStep, LikelyHand, Prospects};
use croupier_players::StateEnds;

use crate::Holders;

/// For each holder of several things in some state, what may be held together, in canonical order; `marginals` are those of the
/// distribution.
#[must_use]
pub fn held_hands(
    marginals: &[Marginal],
    distribution: &Distribution,
    holders: Holders<'_>,
) -> Vec<HeldHands> {
    hands_with_ends(marginals, distribution, holders, &[])
}

/// The same with how the match ends against each hand; `ends` are those of the states, in their order, or none.
pub(crate) fn hands_with_ends(
    marginals: &[Marginal],
    distribution: &Distribution,
    holders: Holders<'_>,
    ends: &[StateEnds],
) -> Vec<HeldHands> {
    // By holder, the fluents in canonical order: a hand is a list of places in it.
    let mut held: BTreeMap<String, Vec<&Marginal>> = BTreeMap::new();
    for marginal in marginals {
        if let Some(holder) = holders(&marginal.text) {
            held.entry(holder).or_default().push(marginal);
        }
    }
    let hands = held.into_iter().map(|(of, fluents)| HeldHands {
        of,
        hands: hands(&fluents, distribution, ends),
        steps: Vec::new(),
    });
    hands.filter(|held| held.hands.iter().any(|hand| hand.facts.len() > 1)).collect()
}

fn hands(fluents: &[&Marginal], distribution: &Distribution, ends: &[StateEnds]) -> Vec<LikelyHand> {
    let places: BTreeMap<FluentId, usize> =
        fluents.iter().zip(0..).map(|(marginal, place)| (marginal.fluent, place)).collect();
    let mut shares: BTreeMap<Vec<usize>, Vec<(f64, Option<&StateEnds>)>> = BTreeMap::new();
    for (number, (state, probability)) in distribution.iter().enumerate() {
        let mut hand: Vec<usize> =
            state.fluents().filter_map(|fluent| places.get(&fluent).copied()).collect();
        hand.sort_unstable();
        shares.entry(hand).or_default().push((probability, ends.get(number)));
    }
    let hand = |(hand, states): (Vec<usize>, Vec<(f64, Option<&StateEnds>)>)| LikelyHand {
        facts: hand.into_iter().map(|place| fluents[place].text.to_string()).collect(),
        probability: states.iter().map(|(probability, _)| probability).sum(),
        prospects: prospects(&states),
    };
    shares.into_iter().map(hand).collect()
}

/// How a match ends from states that are as likely as this; `None` if it was not played out from all of them.
pub(crate) fn prospects(states: &[(f64, Option<&StateEnds>)]) -> Option<Prospects> {
    let whole: f64 = states.iter().map(|(probability, _)| probability).sum();
    let mut shares: BTreeMap<i32, f64> = BTreeMap::new();
    let (mut playouts, mut is_exact) = (0, true);
    for (probability, ends) in states {
        let ends = (*ends)?;
        let count: u64 = ends.goals.values().sum();
        for (goal, times) in &ends.goals {
            *shares.entry(*goal).or_default() += probability / whole * *times as f64 / count as f64;
        }
        playouts += count;
        is_exact &= ends.is_exact;
    }
    let goals = shares.into_iter().map(|(goal, share)| GoalShare { goal, share }).collect();
    (whole > 0.0).then_some(Prospects { playouts, is_exact, goals })
}

/// How much is not known of each hand before a turn, by holder.
pub(crate) fn steps(turn: usize, held: &[HeldHands]) -> BTreeMap<String, HeldStep> {
    let bits = |probability: f64| if probability > 0.0 { -probability * probability.log2() } else { 0.0 };
    let step = |held: &HeldHands| HeldStep {
        turn,
        hands: held.hands.len(),
        entropy_bits: held.hands.iter().map(|hand| bits(hand.probability)).sum(),
    };
    held.iter().map(|held| (held.of.clone(), step(held))).collect()
}
