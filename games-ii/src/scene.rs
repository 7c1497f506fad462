//! What somebody knows of a state, as far as words are concerned.

use crate::{
    condition::{Condition, Search},
    term::{Binding, Term},
    value::Value,
    words::Words,
};

/// What somebody knows of a state: what is true for certain, and what may be true. `[values]` of the `game.toml` are
/// worked out from that and belong to it.
///
/// ```
/// let kuhn = croupier_games::find("kuhn").ok_or("the catalogue has it")?.facts()?;
/// let scene = kuhn.scene(["(paid alice 1)", "(paid bob 2)", "(to_act alice)"], []);
/// // A bet of bob's is there to be called, or to fold to.
/// assert_eq!(kuhn.words.move_text_in("bet", &scene), "call");
/// assert_eq!(kuhn.words.move_text("bet"), "bet");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Scene {
    /// In the order in which people name things: that of `[symbols]`.
    pub(crate) certain: Vec<Term>,
    pub(crate) open: Vec<Term>,
}

impl Scene {
    /// The scene of somebody who knows nothing.
    #[must_use]
    pub fn nothing() -> Self {
        Self::default()
    }

    /// What both know: certain is what both are certain of.
    #[must_use]
    pub fn shared(&self, other: &Self) -> Self {
        let (certain, differing): (Vec<Term>, Vec<Term>) =
            self.certain.iter().cloned().partition(|fact| other.certain.contains(fact));
        let alone = other.certain.iter().filter(|fact| !self.certain.contains(fact));
        let open = self.open.iter().chain(&other.open).chain(alone).cloned().chain(differing);
        Self { certain, open: open.collect() }
    }

    pub(crate) fn new<'t>(
        words: &Words,
        values: &[Value],
        certain: impl IntoIterator<Item = &'t str>,
        open: impl IntoIterator<Item = &'t str>,
    ) -> Self {
        let certain = certain.into_iter().filter_map(|text| Term::parse(text).ok()).collect();
        let open = open.into_iter().filter_map(|text| Term::parse(text).ok()).collect();
        let mut scene = Self { certain, open };
        for value in values {
            let worked_out = value.facts(&scene);
            scene.certain.extend(worked_out);
        }
        scene.certain.sort_by_cached_key(|term| words.order(term));
        scene.certain.dedup();
        scene
    }

    /// All ways in which these conditions hold, in the order of the facts.
    pub(crate) fn solutions<'t>(
        &'t self,
        conditions: &[Condition],
        binding: Binding<'t>,
    ) -> Vec<Binding<'t>> {
        Search::new(&self.certain, &self.open).solve(conditions, binding)
    }
}

#[cfg(test)]
mod tests {
    use crate::facts::GameFacts;

    #[test]
    fn what_one_of_two_does_not_know_is_open_to_both() {
        let facts = "title = 'T'\nsummary = 'S'\n[[column]]\nunknown = '?'\nwords = { '(hand ?player ?card)' = '{card}' }";
        let facts = GameFacts::parse(facts).expect("sound facts");
        let alice = facts.scene(["(hand alice ace)", "(hand carol two)"], ["(hand bob king)"]);
        let bob = facts.scene(["(hand bob king)", "(hand carol two)"], ["(hand alice ace)"]);
        let rows = facts.draw(&alice.shared(&bob), &["alice", "bob", "carol"]).players;
        assert_eq!(rows[1..], [["alice", "?"], ["bob", "?"], ["carol", "two"]]);
    }
}
