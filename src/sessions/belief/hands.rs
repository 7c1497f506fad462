//! What somebody may hold by class, as card players say it: `Bob holds AKs`. The shares are of whole hands in the states of the belief,
//! since the cards of a hand depend on each other.

use std::collections::{BTreeMap, BTreeSet};

use croupier_belief::{Distribution, Marginal};
use croupier_engine::FluentId;
use croupier_games::{GameFacts, HandClass, HandKind, HeldCard};
use serde::Serialize;

/// Fewer different hands than these can be read one by one.
const HANDS_MIN: usize = 24;

/// How likely each class is that a holder's hand of two cards may have.
pub(super) struct Hand {
    /// The fluents that say what is held.
    fluents: BTreeSet<FluentId>,
    /// A card of it, for the words.
    card: HeldCard,
    /// The strongest class first.
    classes: BTreeMap<HandClass, f64>,
}

/// A class of hands of two cards.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct ClassReport<'h> {
    /// The fluents that say what is held, such as `(hand bob ?card)`.
    of: &'h str,
    /// `AA`, `AKs` of one suit, `AKo` of two.
    class: String,
    #[cfg_attr(test, schemars(range(min = 0.0, max = 1.0)))]
    probability: f64,
}

impl Hand {
    /// The hands of all holders for whom there is something to say: they have two cards in every state, and many may be theirs. Only the
    /// hole cards of poker are told like this, by what `[hand_history]` says of the game; elsewhere it matters which suit it is.
    pub(super) fn all(facts: &GameFacts, marginals: &[Marginal], distribution: &Distribution) -> Vec<Self> {
        let Some(poker) = &facts.hand_history else { return Vec::new() };
        let held = |marginal: &Marginal| {
            poker.hole_card(&marginal.text)?;
            Some((marginal.fluent, facts.words.held_card(&marginal.text)?))
        };
        let cards: BTreeMap<FluentId, HeldCard> = marginals.iter().filter_map(held).collect();
        let mut holders: BTreeMap<&str, BTreeSet<FluentId>> = BTreeMap::new();
        for (&fluent, card) in &cards {
            holders.entry(&card.of).or_default().insert(fluent);
        }
        let hand = |fluents| Self::of(fluents, &cards, distribution);
        holders.into_values().filter_map(hand).collect()
    }

    fn of(
        fluents: BTreeSet<FluentId>,
        cards: &BTreeMap<FluentId, HeldCard>,
        distribution: &Distribution,
    ) -> Option<Self> {
        let mut classes: BTreeMap<HandClass, f64> = BTreeMap::new();
        let mut hands: BTreeSet<[FluentId; 2]> = BTreeSet::new();
        for (state, probability) in distribution.iter() {
            let mut held = state.fluents().filter(|fluent| fluents.contains(fluent));
            let (Some(one), Some(other), None) = (held.next(), held.next(), held.next()) else { return None };
            hands.insert([one.min(other), one.max(other)]);
            *classes.entry(HandClass::of(&cards[&one], &cards[&other])).or_default() += probability;
        }
        let card = cards.get(fluents.first()?)?.clone();
        (hands.len() >= HANDS_MIN).then_some(Self { fluents, card, classes })
    }

    /// Whether a fluent says that a card is in it.
    pub(super) fn is_told_by(&self, fluent: FluentId) -> bool {
        self.fluents.contains(&fluent)
    }

    /// What is said of a holder of this.
    pub(super) fn line(&self, hand: &str) -> String {
        self.card.line(hand)
    }

    /// How likely a pair is, and two ranks of one suit or of two.
    pub(super) fn kinds(&self) -> BTreeMap<HandKind, f64> {
        let mut kinds = BTreeMap::new();
        for (class, probability) in &self.classes {
            *kinds.entry(class.kind).or_default() += probability;
        }
        kinds
    }

    /// The classes, the likeliest first; of equally likely ones, as they are shown, the strongest.
    pub(super) fn likeliest(&self, share: impl Fn(f64) -> String) -> Vec<(String, Vec<String>)> {
        let mut classes: Vec<(&HandClass, f64)> =
            self.classes.iter().map(|(class, &of)| (class, of)).collect();
        classes.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let mut shares: Vec<(String, Vec<&HandClass>)> = Vec::new();
        for (class, probability) in classes {
            let share = share(probability);
            match shares.last_mut() {
                Some((last, of)) if *last == share => of.push(class),
                _ => shares.push((share, vec![class])),
            }
        }
        let named = |(share, mut of): (String, Vec<&HandClass>)| {
            of.sort();
            (share, of.iter().map(ToString::to_string).collect())
        };
        shares.into_iter().map(named).collect()
    }

    /// Each class as data, the strongest first.
    pub(super) fn report(&self) -> impl Iterator<Item = ClassReport<'_>> {
        self.classes.iter().map(|(class, &probability)| ClassReport {
            of: &self.card.of,
            class: class.to_string(),
            probability,
        })
    }
}
