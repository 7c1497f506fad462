//! Strategies in files are played in every copy of their game, whatever it calls things.

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::Namesake;
use croupier_engine::{ByRole, Game, InformationSet, Options, Status};
use croupier_games::{blueprints, find};
use croupier_players::{Budget, PlayerKind, Solutions};
use croupier_tests::renamed::renamed;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

fn game(rules: &str) -> Arc<Game> {
    Arc::new(Game::compile(rules, &Options::PLAY).expect("sound rules").game)
}

/// What players know at their choices in random matches.
fn choices(game: &Game, matches: u64) -> Vec<InformationSet> {
    let (mut rng, mut scratch) = (ChaCha8Rng::seed_from_u64(5), game.scratch());
    let mut choices = Vec::new();
    for _ in 0..matches {
        let mut state = game.initial_state().clone();
        let mut known = ByRole::from_fn(game.roles(), InformationSet::initial);
        while let Status::Running { legal } = game.status(&state, &mut scratch).unwrap() {
            for role in game.roles().players().filter(|&role| legal[role].len() > 1) {
                choices.push(known[role].clone());
            }
            let joint_move = game.random_joint_move(&state, &mut rng, &mut scratch).unwrap().unwrap();
            for role in game.roles().players() {
                let percepts = game.percepts(&state, &joint_move, role, &mut scratch).unwrap();
                known[role].turns.push((joint_move.of(role), percepts));
            }
            state = game.successor(&state, &joint_move, &mut scratch).unwrap();
        }
    }
    choices
}

/// How likely a kind of player plays each move, by the names of the game.
fn strategy(kind: &PlayerKind, game: &Arc<Game>, known: &InformationSet) -> BTreeMap<Arc<str>, f64> {
    let mut player = kind.player(Arc::clone(game), known.role, [1; 32]).unwrap();
    let decision = player.choose(known, &mut Budget::Own).unwrap();
    let strategy = decision.strategy.expect("a mixed strategy");
    decision.moves.iter().zip(strategy).map(|(&played, p)| (game.move_text(played), p)).collect()
}

/// Compares what a kind plays in a game and in a renamed copy, exactly; how many choices were compared.
fn assert_same_play(kind: &PlayerKind, rules: &str, matches: u64) -> usize {
    let copy = game(&renamed(rules, 4));
    let namesake = Namesake::of(&copy, rules).expect("only names differ");
    let original = namesake.other();
    let known = choices(&copy, matches);
    for known in &known {
        let there = strategy(kind, original, &namesake.other_set(known).unwrap());
        let here = strategy(kind, &copy, known);
        let own = |name: &str| namesake.own_move(original.move_id(name).unwrap()).unwrap();
        let expected: BTreeMap<_, f64> =
            there.iter().map(|(name, &p)| (copy.move_text(own(name)), p)).collect();
        assert_eq!(here, expected);
    }
    known.len()
}

#[test]
fn the_blueprint_of_holdem_is_played_under_other_names() {
    let solutions = Solutions::with_blueprints(blueprints());
    let kind = "resolve:deals=1".parse::<PlayerKind>().unwrap().sharing(&solutions);
    assert!(assert_same_play(&kind, find("holdem").unwrap().rules, 8) > 10);
}
