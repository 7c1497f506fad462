//! Beliefs, compared with all histories of small games.

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::Opponents;
use croupier_engine::{Game, InformationSet, Options, RoleId};
use croupier_games::{BeliefGrounds, SeatBelief, find};
use croupier_trainer::TrainerOptions;

use crate::enumeration::{ReachedHistory, game, histories, trainer};

/// What a role believes in an information set if the others choose uniformly.
fn uniform_belief(game: &Arc<Game>, known: &InformationSet) -> SeatBelief {
    let options = TrainerOptions::brief([0; 32]);
    let mut trainer = trainer(game, known.role, options).with_opponents(Opponents::uniform(), "uniform play");
    trainer.take_all(known);
    trainer.belief(&|_| None, &|_| None, &|_| true, &mut || false).unwrap()
}

fn by_known(all: &[ReachedHistory], role: RoleId) -> BTreeMap<&InformationSet, Vec<&ReachedHistory>> {
    let mut sets: BTreeMap<&InformationSet, Vec<&ReachedHistory>> = BTreeMap::new();
    for history in all {
        sets.entry(&history.known[role]).or_default().push(history);
    }
    sets
}

/// Every information set of a game, each belief compared with the histories in it.
fn compare(name: &str, every: usize) {
    let game = game(name);
    for role in game.roles().players() {
        let all = histories(&game, role, None);
        for (known, of) in by_known(&all, role).into_iter().step_by(every) {
            let belief = uniform_belief(&game, known);
            assert_eq!(belief.grounds, BeliefGrounds::Exact { histories: of.len() as u64 });
            assert_eq!(belief.entropy_bits.len(), known.turns.len() + 1);
            let total: f64 = of.iter().map(|history| history.reach).sum();
            let mut expected: BTreeMap<String, f64> = BTreeMap::new();
            for history in &of {
                for fluent in history.state.fluents() {
                    *expected.entry(game.fluent_text(fluent).to_string()).or_default() +=
                        history.reach / total;
                }
            }
            let found: BTreeMap<String, f64> =
                belief.likely.iter().map(|likely| (likely.fact.clone(), likely.probability)).collect();
            assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
            for (fact, probability) in &expected {
                assert!((found[fact] - probability).abs() < 1e-9, "{fact}: {} {probability}", found[fact]);
            }
            for likely in &belief.likely {
                let everywhere = of.iter().all(|history| {
                    history.state.fluents().any(|fluent| *game.fluent_text(fluent) == *likely.fact)
                });
                assert_eq!(likely.is_proved, everywhere, "{}", likely.fact);
            }
        }
    }
}

#[test]
fn beliefs_of_kuhn_are_those_of_all_histories() {
    compare("kuhn", 1);
}

#[test]
fn beliefs_of_leduc_are_those_of_all_histories() {
    compare("leduc", 23);
}

#[test]
fn where_a_piece_may_be_is_counted_over_all_histories() {
    compare("tiny-bridge", 97);
}

#[test]
fn histories_that_a_role_cannot_tell_apart_give_the_same_bytes() {
    let rules = find("kuhn").unwrap().rules;
    let first = game("kuhn");
    let bob = first.roles().find("bob").unwrap();
    let all = histories(&first, bob, None);
    let mut compared = 0;
    for (known, of) in by_known(&all, bob) {
        let mut answers = Vec::new();
        for history in of {
            // A game of its own, which has met the terms of this history before anything else: numbers of terms tell nothing.
            let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
            for (role, known) in history.known.iter() {
                let _ = (role, first.information_set_text(known));
                for (played, percepts) in &known.turns {
                    let told = first.percept_terms(percepts);
                    game.own_turn(&first.move_text(*played), told.iter().map(|term| &**term)).unwrap();
                }
            }
            let mut trainer = trainer(&game, bob, TrainerOptions::brief([0; 32]));
            for (played, percepts) in &known.turns {
                let told = first.percept_terms(percepts);
                let told: Vec<&str> = told.iter().map(|term| &**term).collect();
                trainer.take(&first.move_text(*played), &told).unwrap();
            }
            let belief = trainer.belief(&|_| None, &|_| None, &|_| true, &mut || false).unwrap();
            let review = trainer.review(&mut || false).unwrap();
            answers.push((serde_json::to_string(&belief).unwrap(), serde_json::to_string(&review).unwrap()));
        }
        compared += answers.len() - 1;
        assert!(answers.windows(2).all(|pair| pair[0] == pair[1]));
    }
    assert!(compared > 10);
}

#[test]
fn an_interrupted_belief_is_none() {
    let game = game("kuhn");
    let bob = game.roles().find("bob").unwrap();
    let mut trainer = trainer(&game, bob, TrainerOptions::brief([0; 32]));
    trainer.belief(&|_| None, &|_| None, &|_| true, &mut || true).unwrap_err();
    // And it can be asked again.
    trainer.belief(&|_| None, &|_| None, &|_| true, &mut || false).unwrap();
}
