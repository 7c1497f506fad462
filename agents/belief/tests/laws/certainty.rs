//! What is said to be certain against the exact belief, in random matches of every game of the catalogue.

use std::{collections::BTreeSet, sync::Arc};

use croupier_belief::{
    Believer, Certainty, ExactBelief, ExactOptions, Methods, Opponents, ParticleBelief, ParticleOptions,
};
use croupier_engine::{FluentId, Game, InformationSet};
use croupier_games::{Drawn, Facts, GameFacts, catalogue};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::tree::{game, random_match, replay};

/// Turns of a match after which it is asked what is certain, beginning with the last.
const TURNS: usize = if cfg!(debug_assertions) { 3 } else { 12 };

/// The exact belief, where it takes a moment.
const EXACT: ExactOptions =
    ExactOptions { histories_max: 20_000, joint_moves_max: 300_000, ..ExactOptions::STANDARD };

/// So few that what they agree in is often a guess.
const FEW: ParticleOptions = ParticleOptions { particles: 4, ..ParticleOptions::STANDARD };

fn exact(game: &Arc<Game>, known: &InformationSet) -> Option<ExactBelief> {
    let mut belief = ExactBelief::new(Arc::clone(game), known.role, EXACT).unwrap();
    for (own_move, percepts) in &known.turns {
        belief.advance(*own_move, percepts).ok()?;
    }
    Some(belief)
}

/// Everything certain is so in all states, and where the game is a network, all that is so in all states is certain.
fn agrees(game: &Game, facts: &GameFacts, exact: &ExactBelief, certainty: &Certainty, place: &str) {
    let all = exact.distribution();
    let known: BTreeSet<FluentId> = all.known_fluents(game).into_iter().collect();
    let possible: BTreeSet<FluentId> = all.marginals(game).iter().map(|marginal| marginal.fluent).collect();
    let proved: BTreeSet<FluentId> = certainty.proved.iter().copied().collect();
    let open: BTreeSet<FluentId> = certainty.open.iter().copied().collect();
    let text = |fluent: &FluentId| game.fluent_text(*fluent);
    for fluent in &proved {
        assert!(known.contains(fluent), "{place}: {} is a guess", text(fluent));
    }
    for fluent in possible.difference(&proved) {
        assert!(!certainty.is_closed || open.contains(fluent), "{place}: not {} is a guess", text(fluent));
    }
    // Copies of a card: as many of each look as there are in every state.
    let look = |fluent: &FluentId| facts.look(&text(fluent)).unwrap();
    for alike in &certainty.alike {
        let look = look(alike);
        let group: Vec<&FluentId> =
            possible.iter().filter(|fluent| facts.look(&text(fluent)).as_ref() == Some(&look)).collect();
        let least = all
            .iter()
            .map(|(state, _)| group.iter().filter(|fluent| state.contains(***fluent)).count())
            .min();
        let shown = |fluents: &[FluentId]| fluents.iter().filter(|fluent| group.contains(fluent)).count();
        assert!(Some(shown(&certainty.alike) + shown(&certainty.proved)) <= least, "{place}: {look}");
    }
}

/// What is so in all states or in none, and not known to be.
fn missing(game: &Game, exact: &ExactBelief, certainty: &Certainty) -> Vec<String> {
    let all = exact.distribution();
    let possible: BTreeSet<FluentId> = all.marginals(game).iter().map(|marginal| marginal.fluent).collect();
    let known = all.known_fluents(game).into_iter().filter(|fluent| !certainty.proved.contains(fluent));
    let denied = certainty.open.iter().copied().filter(|fluent| !possible.contains(fluent));
    known.chain(denied).map(|fluent| game.fluent_text(fluent).to_string()).collect()
}

/// The table of somebody who is certain of this.
fn drawn(game: &Game, facts: &GameFacts, certainty: &Certainty) -> Drawn {
    let texts = |fluents: &[FluentId]| -> Vec<Arc<str>> {
        fluents.iter().map(|fluent| game.fluent_text(*fluent)).collect()
    };
    let (certain, open) = (texts(&certainty.proved), texts(&certainty.open));
    let (alike, copies) = (texts(&certainty.alike), texts(&certainty.copies));
    let scene = facts.scene_of(&Facts {
        certain: certain.iter().map(|text| &**text).collect(),
        open: open.iter().map(|text| &**text).collect(),
        alike: alike.iter().map(|text| &**text).collect(),
        copies: copies.iter().map(|text| &**text).collect(),
        is_vague: !certainty.is_closed,
    });
    let players: Vec<&str> = game.roles().players().map(|role| game.roles().name(role)).collect();
    facts.draw(&scene, &players)
}

#[test]
fn nothing_that_is_guessed_is_certain_and_what_is_so_in_all_histories_is() {
    let (mut compared, mut sampled) = (0, 0);
    let mut unproved = Vec::new();
    for entry in catalogue() {
        let facts = entry.facts().unwrap();
        let game = game(entry.rules);
        if game.has_full_sight() {
            continue;
        }
        let mut scratch = game.scratch();
        let mut rng = ChaCha8Rng::seed_from_u64(28);
        let joint_moves = random_match(&game, &mut rng, &mut scratch);
        for role in game.roles().players() {
            let (whole, _) = replay(&game, role, &joint_moves, &mut scratch);
            let step = (whole.turns.len() / TURNS).max(1);
            for turns in (1..=whole.turns.len()).rev().step_by(step).take(TURNS) {
                let known = InformationSet { role, turns: whole.turns[..turns].to_vec() };
                let Some(exact) = exact(&game, &known) else { continue };
                let exact_certainty = exact.certainty(&|fluent| facts.look(fluent));
                let mut sample = ParticleBelief::with_opponents(
                    Arc::clone(&game),
                    role,
                    &Opponents::uniform(),
                    FEW,
                    [3; 32],
                )
                .unwrap();
                sample.follow(&known).unwrap();
                let place = format!("{} as {} before turn {turns}", entry.name, game.roles().name(role));
                let certainty = sample.certainty(&|fluent| facts.look(fluent));
                agrees(&game, &facts, &exact, &certainty, &place);
                if !sample.is_complete() {
                    sampled += 1;
                    let missing = missing(&game, &exact, &certainty);
                    unproved.extend((!missing.is_empty()).then(|| format!("{place}: {missing:?}")));
                }
                compared += 1;
                let mut believer =
                    Believer::new(Arc::clone(&game), role, Methods::brief([3; 32]), &Opponents::uniform())
                        .unwrap();
                believer.follow(&known).unwrap();
                let certainty = believer.certainty(&|fluent| facts.look(fluent));
                agrees(&game, &facts, &exact, &certainty, &place);
                // Whatever an exact belief shows on a table is on this one.
                let (shown, told) =
                    (drawn(&game, &facts, &certainty), drawn(&game, &facts, &exact_certainty));
                assert_eq!(shown, told, "{place}");
            }
        }
    }
    assert!(compared >= 100, "only {compared} information sets were compared");
    // Proofs give up where they would take long: that is rare, and never a guess.
    assert!(sampled >= 50, "only {sampled} of {compared} beliefs were sampled");
    assert!(
        unproved.len() * 10 <= sampled,
        "of {sampled} sampled, {} are incomplete: {unproved:#?}",
        unproved.len()
    );
}
