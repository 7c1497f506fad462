//! What somebody may hold by class, as card players say it: `Bob holds AKs`. The shares are of whole hands, because the two cards of a
//! hand depend on each other.

use std::collections::BTreeMap;

use crate::{
    facts::{GameFacts, Payoff},
    hand::{HandClass, HandKind, HeldCard},
    seat_belief::{HeldHands, LikelyHand},
};

/// How likely each class is that a holder's hand of two cards may have.
#[derive(Clone, Debug, PartialEq)]
pub struct HandRange {
    /// The fluents that say what is held: `(hand bob ?card)`.
    pub of: String,
    /// The strongest class first.
    pub classes: BTreeMap<HandClass, HandShare>,
    /// A card of it, for the words.
    card: HeldCard,
}

/// A share of the hands that somebody may have.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct HandShare {
    /// How likely they are together.
    pub probability: f64,
    /// How many different hands they are.
    pub hands: usize,
    /// What somebody else's hand is worth against them; `None` where that was not played out.
    pub equity: Option<HandEquity>,
}

/// The share of the pot that a hand wins if everybody checks and calls, where a tie is half of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HandEquity {
    /// The share, from 0 to 1.
    pub share: f64,
    /// Its standard error; `None` if all that may follow was counted.
    pub error: Option<f64>,
}

impl GameFacts {
    /// The fluents of the same holder, if a fluent says that a player holds a hole card of poker: `(hand bob ?card)` for
    /// `(hand bob as)`. Elsewhere it matters which suit a card has, so classes would hide what counts.
    #[must_use]
    pub fn holder_of(&self, fluent: &str) -> Option<String> {
        self.hand_history.as_ref()?.hole_card(fluent)?;
        Some(self.words.held_card(fluent)?.of)
    }

    /// What a holder may have by class; `None` if it may be something else than two cards.
    ///
    /// ```
    /// use croupier_games::{HeldHands, LikelyHand};
    /// let facts = croupier_games::find("holdem").ok_or("the catalogue has it")?.facts()?;
    /// let hand = |cards: [&str; 2], probability| LikelyHand {
    ///     facts: cards.map(|card| format!("(hand bob {card})")).into(),
    ///     probability,
    ///     prospects: None,
    /// };
    /// let hands = vec![hand(["ah", "ks"], 0.25), hand(["ah", "kh"], 0.5), hand(["as", "ks"], 0.25)];
    /// let range = facts.hand_range(&HeldHands { of: "(hand bob ?card)".to_owned(), hands, steps: Vec::new() }).ok_or("a range")?;
    /// let named: Vec<_> = range.classes.iter().map(|(class, of)| (class.to_string(), of.probability)).collect();
    /// assert_eq!(named, [("AKs".to_owned(), 0.75), ("AKo".to_owned(), 0.25)]);
    /// assert_eq!((range.hands_count(), range.line("AKs").as_str()), (3, "Bob holds AKs"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn hand_range(&self, held: &HeldHands) -> Option<HandRange> {
        let mut classes: BTreeMap<HandClass, HandShare> = BTreeMap::new();
        let mut grouped: BTreeMap<HandClass, Vec<&LikelyHand>> = BTreeMap::new();
        let mut last = None;
        for hand in &held.hands {
            let [one, other] = hand.facts.as_slice() else { return None };
            let (one, other) = (self.words.held_card(one)?, self.words.held_card(other)?);
            let class = HandClass::of(&one, &other);
            let share = classes.entry(class.clone()).or_default();
            share.probability += hand.probability;
            share.hands += 1;
            grouped.entry(class).or_default().push(hand);
            last = Some(one);
        }
        for (class, share) in &mut classes {
            share.equity = self.payoff.as_ref().and_then(|payoff| HandEquity::of(payoff, &grouped[class]));
        }
        Some(HandRange { of: held.of.clone(), classes, card: last? })
    }
}

impl HandEquity {
    /// The equity against one of several hands; `None` where it was not played out against all of them.
    fn of(payoff: &Payoff, hands: &[&LikelyHand]) -> Option<Self> {
        let whole: f64 = hands.iter().map(|hand| hand.probability).sum();
        let (mut share, mut weights) = (0.0, 0.0);
        let mut is_exact = true;
        for hand in hands.iter().filter(|hand| hand.probability > 0.0) {
            let (prospects, weight) = (hand.prospects.as_ref()?, hand.probability / whole);
            for of in &prospects.goals {
                let units = payoff.payoff(f64::from(of.goal));
                let won = if units > 0.0 {
                    1.0
                } else if units < 0.0 {
                    0.0
                } else {
                    0.5
                };
                share += weight * of.share * won;
            }
            is_exact &= prospects.is_exact;
            weights += weight * weight / prospects.playouts as f64;
        }
        // As many equally heavy playouts would be as good. One more of each kind is counted in (A. Agresti and B. Coull, "Approximate is
        // better than exact", The American Statistician 52, 1998): some that all end alike do not show that all others do.
        let playouts = 1.0 / weights;
        let middle = (share * playouts + 1.0) / (playouts + 2.0);
        let error = (middle * (1.0 - middle) / (playouts + 2.0)).sqrt();
        (whole > 0.0).then_some(Self { share: share.clamp(0.0, 1.0), error: (!is_exact).then_some(error) })
    }
}

impl HandRange {
    /// How many different hands there are.
    #[must_use]
    pub fn hands_count(&self) -> usize {
        self.classes.values().map(|share| share.hands).sum()
    }

    /// What is said of the holder of this: `Bob holds AKs`.
    #[must_use]
    pub fn line(&self, hand: &str) -> String {
        self.card.line(hand)
    }

    /// How likely a pair is, and two ranks of one suit or of two.
    #[must_use]
    pub fn kinds(&self) -> BTreeMap<HandKind, f64> {
        let mut kinds = BTreeMap::new();
        for (class, share) in &self.classes {
            *kinds.entry(class.kind).or_default() += share.probability;
        }
        kinds
    }
}
