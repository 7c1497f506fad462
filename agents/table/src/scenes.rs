//! What somebody knows, from a state or from what is certain.

use std::sync::Arc;

use croupier_belief::Certainty;
use croupier_engine::{FluentId, Game, State};
use croupier_games::{Drawn, Facts, GameFacts, Scene};

/// What somebody knows who knows the state.
#[must_use]
pub fn scene_of_state(game: &Game, facts: &GameFacts, state: &State) -> Scene {
    let terms = game.state_terms(state);
    facts.scene(terms.iter().map(|term| &**term), [])
}

/// What somebody knows after a match so far who saw the states of all its turns: lists are in the order of appearance.
#[must_use]
pub fn scene_of_states<'s>(
    game: &Game,
    facts: &GameFacts,
    mut states: impl DoubleEndedIterator<Item = &'s State>,
) -> Scene {
    let next = |scene: Scene, state| scene_of_state(game, facts, state).after(&scene);
    match facts.words.gather() {
        true => states.fold(Scene::nothing(), next),
        false => states.next_back().into_iter().fold(Scene::nothing(), next),
    }
}

/// What somebody knows who is certain of this; `more` is known beside it.
#[must_use]
pub fn scene_of_certainty(game: &Game, facts: &GameFacts, certainty: &Certainty, more: &[String]) -> Scene {
    let texts = |fluents: &[FluentId]| -> Vec<Arc<str>> {
        fluents.iter().map(|&fluent| game.fluent_text(fluent)).collect()
    };
    let (certain, open) = (texts(&certainty.proved), texts(&certainty.open));
    let (alike, copies) = (texts(&certainty.alike), texts(&certainty.copies));
    facts.scene_of(&Facts {
        certain: certain.iter().map(|text| &**text).chain(more.iter().map(String::as_str)).collect(),
        open: open.iter().map(|text| &**text).collect(),
        alike: alike.iter().map(|text| &**text).collect(),
        copies: copies.iter().map(|text| &**text).collect(),
        is_vague: !certainty.is_closed,
    })
}

/// The table as far as a scene has it.
#[must_use]
pub fn drawn(game: &Game, facts: &GameFacts, scene: &Scene) -> Drawn {
    let roles = game.roles();
    let players: Vec<&str> = roles.players().map(|role| roles.name(role)).collect();
    facts.draw(scene, &players)
}
