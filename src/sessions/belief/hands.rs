//! What somebody may hold by class, as card players say it: `Bob holds AKs`.

use croupier_belief::{Distribution, Marginal};
use croupier_games::{GameFacts, HandClass, HandRange};
use croupier_trainer::held_hands;
use serde::Serialize;

/// Fewer different hands than these can be read one by one.
const HANDS_MIN: usize = 24;

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

/// The ranges of all holders for whom there is something to say: they have two cards in every state, and many may be theirs.
pub(super) fn ranges(
    facts: &GameFacts,
    marginals: &[Marginal],
    distribution: &Distribution,
) -> Vec<HandRange> {
    let held = held_hands(marginals, distribution, &|fluent| facts.holder_of(fluent));
    let ranges = held.iter().filter_map(|held| facts.hand_range(held));
    ranges.filter(|range| range.hands_count() >= HANDS_MIN).collect()
}

/// The classes, the likeliest first; of equally likely ones, as they are shown, the strongest.
pub(super) fn likeliest(range: &HandRange, share: impl Fn(f64) -> String) -> Vec<(String, Vec<String>)> {
    let mut classes: Vec<(&HandClass, f64)> =
        range.classes.iter().map(|(class, of)| (class, of.probability)).collect();
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
pub(super) fn report(range: &HandRange) -> impl Iterator<Item = ClassReport<'_>> {
    range.classes.iter().map(|(class, of)| ClassReport {
        of: &range.of,
        class: class.to_string(),
        probability: of.probability,
    })
}
