//! Rules in other words are the same game.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, Options};
use croupier_games::{SeatBelief, SeatReview, find};
use croupier_trainer::TrainerOptions;

use crate::enumeration::trainer;

/// Names of the rules of Kuhn poker and others for them; canonical order is another one with them.
const NAMES: [(&str, &str); 6] =
    [("jack", "zebra"), ("queen", "yak"), ("king", "ant"), ("bet", "zap"), ("pass", "yell"), ("hand", "paw")];

fn renamed(text: &str) -> String {
    let mut renamed = String::new();
    let mut word = String::new();
    for char in text.chars().chain(['\n']) {
        if char.is_alphanumeric() || char == '_' {
            word.push(char);
            continue;
        }
        let other = NAMES.iter().find(|(name, _)| *name == word).map(|(_, other)| (*other).to_owned());
        renamed.push_str(&other.unwrap_or_else(|| word.clone()));
        word.clear();
        renamed.push(char);
    }
    renamed.pop();
    renamed
}

fn answers(rules: &str, turns: &[(String, Vec<String>)]) -> (SeatBelief, SeatReview) {
    let game = Arc::new(Game::compile(rules, &Options::PLAY).unwrap().game);
    let bob = game.roles().find("bob").unwrap();
    let mut trainer = trainer(&game, bob, TrainerOptions::brief([0; 32]));
    for (own_move, percepts) in turns {
        trainer.take(own_move, &percepts.iter().map(String::as_str).collect::<Vec<_>>()).unwrap();
    }
    (
        trainer.belief(&|_| None, &|_| None, &|_| true, &mut || false).unwrap(),
        trainer.review(&mut || false).unwrap(),
    )
}

#[test]
fn rules_in_other_words_give_the_same_answers_in_other_words() {
    let rules = find("kuhn").unwrap().rules;
    let turn = |own_move: &str, percept: &str| (own_move.to_owned(), vec![percept.to_owned()]);
    let turns = [
        turn("noop", "(dealt alice)"),
        turn("noop", "(hole queen)"),
        turn("noop", "(did alice pass)"),
        turn("bet", "(did bob bet)"),
    ];
    let others: Vec<(String, Vec<String>)> = turns
        .iter()
        .map(|(own_move, percepts)| {
            (renamed(own_move), percepts.iter().map(|percept| renamed(percept)).collect())
        })
        .collect();
    let (belief, review) = answers(rules, &turns);
    let (other_belief, other_review) = answers(&renamed(rules), &others);
    let shares = |belief: &SeatBelief, word: &dyn Fn(&str) -> String| -> BTreeMap<String, f64> {
        belief.likely.iter().map(|likely| (word(&likely.fact), likely.probability)).collect()
    };
    let (expected, found) = (shares(&belief, &|fact| renamed(fact)), shares(&other_belief, &str::to_owned));
    assert_eq!(expected.keys().collect::<Vec<_>>(), found.keys().collect::<Vec<_>>());
    for (fact, probability) in &expected {
        assert!((found[fact] - probability).abs() < 1e-6, "{fact}");
    }
    assert_eq!((belief.grounds, belief.model), (other_belief.grounds, other_belief.model));
    let [one, other] = [&review, &other_review].map(|review| &review.decisions[0]);
    assert_eq!(renamed(&one.played), other.played);
    assert!((one.given_up.unwrap() - other.given_up.unwrap()).abs() < 1e-6);
    for of in &one.moves {
        let same = other.moves.iter().find(|other| other.term == renamed(&of.term)).unwrap();
        assert!((of.goal.unwrap() - same.goal.unwrap()).abs() < 1e-6);
        assert!((of.share.unwrap() - same.share.unwrap()).abs() < 1e-6);
    }
}
