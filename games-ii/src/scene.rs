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
