//! Probabilities of states: the answer that every kind of belief gives.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{FluentId, Game, State};
use rand_core::Rng;
use rustc_hash::FxHashMap;

use crate::weighted::Weighted;

/// Distinct states with their probabilities.
///
/// The order of the states is the same in every process, and every sum runs in it, so equal beliefs
/// give equal bits.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// Invariant: distinct states.
    states: Weighted<State>,
}

/// The probability that one fluent is true.
#[derive(Clone, Debug, PartialEq)]
pub struct Marginal {
    /// The fluent.
    pub fluent: FluentId,
    /// Its canonical print.
    pub text: Arc<str>,
    /// How probable it is: above 0, and exactly 1 if it is true in every state held possible.
    pub probability: f64,
}

impl Distribution {
    /// A distribution proportional to `weights`, or `None` if no weight is positive.
    ///
    /// Equal states are merged; a weight of zero is left out.
    pub(crate) fn proportional<'s>(weights: impl IntoIterator<Item = (&'s State, f64)>) -> Option<Self> {
        let mut positions: FxHashMap<&State, usize> = FxHashMap::default();
        let mut merged: Vec<(&State, f64)> = Vec::new();
        for (state, weight) in weights {
            if weight <= 0.0 {
                continue;
            }
            let position = *positions.entry(state).or_insert(merged.len());
            match merged.get_mut(position) {
                Some((_, sum)) => *sum += weight,
                None => merged.push((state, weight)),
            }
        }
        let merged = merged.into_iter().map(|(state, weight)| (state.clone(), weight));
        Weighted::proportional(merged).map(|states| Self { states })
    }

    /// The states and their probabilities, in an order that means nothing but is always the same.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&State, f64)> {
        self.states.entries().iter().map(|(state, probability)| (state, *probability))
    }

    /// How many distinct states are held possible; at least one.
    #[must_use]
    pub fn states_count(&self) -> usize {
        self.states.entries().len()
    }

    /// The probability that `fluent` is true.
    #[must_use]
    pub fn probability(&self, fluent: FluentId) -> f64 {
        if self.states.entries().iter().all(|(state, _)| state.contains(fluent)) {
            return 1.0;
        }
        let holding = self.states.entries().iter().filter(|(state, _)| state.contains(fluent));
        // An empty sum of floating-point numbers is -0.
        holding.fold(0.0, |sum, (_, probability)| sum + probability)
    }

    /// Every fluent that may be true and its probability, in canonical order.
    #[must_use]
    pub fn marginals(&self, game: &Game) -> Vec<Marginal> {
        let mut sums: BTreeMap<FluentId, (f64, usize)> = BTreeMap::new();
        for (state, probability) in self.states.entries() {
            for fluent in state.fluents() {
                let (sum, count) = sums.entry(fluent).or_default();
                *sum += probability;
                *count += 1;
            }
        }
        let certain = self.states.entries().len();
        let marginal = |(fluent, (sum, count)): (FluentId, (f64, usize))| Marginal {
            fluent,
            text: game.fluent_text(fluent),
            probability: if count == certain { 1.0 } else { sum },
        };
        let mut marginals: Vec<Marginal> = sums.into_iter().map(marginal).collect();
        marginals.sort_by(|one, other| one.text.cmp(&other.text));
        marginals
    }

    /// The fluents that are true in every state held possible, in canonical order.
    ///
    /// For an exact belief this is what the role knows. For a particle belief it may also include facts
    /// that merely no particle contradicts.
    #[must_use]
    pub fn known_fluents(&self, game: &Game) -> Vec<FluentId> {
        let everywhere = |marginal: &Marginal| {
            self.states.entries().iter().all(|(state, _)| state.contains(marginal.fluent))
        };
        self.marginals(game)
            .iter()
            .filter(|marginal| everywhere(marginal))
            .map(|found| found.fluent)
            .collect()
    }

    /// Shannon entropy in bits: 0 for a known state, `log2` of their number for equally likely ones.
    #[must_use]
    pub fn entropy_bits(&self) -> f64 {
        let bits: f64 =
            self.states.entries().iter().map(|(_, probability)| -probability * probability.log2()).sum();
        bits.max(0.0)
    }

    /// The number of equally likely states that would be as concentrated: one over the sum of squares.
    #[must_use]
    pub fn effective_states(&self) -> f64 {
        1.0 / self.states.entries().iter().map(|(_, probability)| probability * probability).sum::<f64>()
    }

    /// The `count` most likely states, or all if there are fewer; equally likely ones by their print.
    #[must_use]
    pub fn most_likely(&self, game: &Game, count: usize) -> Vec<(&State, f64)> {
        if count == 0 {
            return Vec::new();
        }
        let mut ranked: Vec<(&State, f64)> = self.iter().collect();
        ranked.sort_by(|(_, likely), (_, more_likely)| more_likely.total_cmp(likely));
        // Only those that are as likely as the last one wanted have to be printed.
        let last = ranked.get(count - 1).map_or(0.0, |(_, probability)| *probability);
        ranked.truncate(ranked.partition_point(|(_, probability)| *probability >= last));
        // Positive doubles compare like their bits.
        ranked.sort_by_cached_key(|(state, probability)| {
            (std::cmp::Reverse(probability.to_bits()), game.state_terms(state))
        });
        ranked.truncate(count);
        ranked
    }

    /// A state drawn with its probability.
    pub fn sample(&self, rng: &mut impl Rng) -> &State {
        &self.states.entries()[self.sample_position(rng)].0
    }

    /// The position in [`iter`](Self::iter) of a state drawn with its probability.
    pub fn sample_position(&self, rng: &mut impl Rng) -> usize {
        self.states.sample_position(rng)
    }

    /// Half the sum of the absolute differences: 0 for equal distributions, 1 for disjoint ones.
    #[must_use]
    pub fn total_variation(&self, other: &Self) -> f64 {
        let known: FxHashMap<&State, f64> = other.iter().collect();
        let mut shared = 0.0;
        for (state, probability) in self.iter() {
            shared += probability.min(known.get(state).copied().unwrap_or(0.0));
        }
        (1.0 - shared).clamp(0.0, 1.0)
    }
}
