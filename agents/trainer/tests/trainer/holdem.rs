//! Hold'em: shares of hands on a board, compared with counting cards.

use std::collections::BTreeMap;

use croupier_belief::Opponents;
use croupier_games::{BeliefGrounds, SeatBelief, find};
use croupier_trainer::TrainerOptions;

use crate::enumeration::{game, role, trainer};

const RANKS: &str = "akqjt98765432";

fn belief_on_the_flop() -> SeatBelief {
    let game = game("holdem");
    let facts = find("holdem").unwrap().facts().unwrap();
    let alice = role(&game, "alice");
    let mut trainer =
        trainer(&game, alice, TrainerOptions { prospects: 16, ..TrainerOptions::brief([0; 32]) })
            .with_opponents(Opponents::uniform(), "uniform play");
    let turns: [(&str, &[&str]); 10] = [
        ("noop", &["(hole as)"]),
        ("noop", &["(dealt bob)"]),
        ("noop", &["(hole kd)"]),
        ("noop", &["(dealt bob)"]),
        ("call", &["(did alice call)"]),
        ("noop", &["(did bob check)"]),
        ("noop", &["(board ah)"]),
        ("noop", &["(board 7c)"]),
        ("noop", &["(board 2c)"]),
        ("noop", &["(did bob check)"]),
    ];
    for (own_move, percepts) in turns {
        trainer.take(own_move, percepts).unwrap();
    }
    trainer.belief(&|fluent| facts.look(fluent), &|fluent| facts.holder_of(fluent), &mut || false).unwrap()
}

#[test]
fn shares_of_hands_on_a_board_are_those_of_counting_cards() {
    let belief = belief_on_the_flop();
    assert_eq!(belief.model, "uniform play");
    assert!(matches!(belief.grounds, BeliefGrounds::Exact { .. }));
    let facts = find("holdem").unwrap().facts().unwrap();
    let held = belief.held.iter().find(|held| held.of == "(hand bob ?card)").unwrap();
    // 47 cards are left, so there are 47 * 46 / 2 hands, all as likely.
    assert_eq!(held.hands.len(), 1_081);
    assert!(held.hands.iter().all(|hand| (hand.probability - 1.0 / 1_081.0).abs() < 1e-12));
    let seen = ["as", "kd", "ah", "7c", "2c"];
    let left: Vec<String> = RANKS
        .chars()
        .flat_map(|rank| "shdc".chars().map(move |suit| format!("{rank}{suit}")))
        .filter(|card| !seen.contains(&card.as_str()))
        .collect();
    let mut expected: BTreeMap<String, usize> = BTreeMap::new();
    for (place, one) in left.iter().enumerate() {
        for other in &left[place + 1..] {
            let (ranks, suits): (Vec<char>, Vec<char>) = [one, other]
                .map(|card| (card.chars().next().unwrap(), card.chars().nth(1).unwrap()))
                .into_iter()
                .unzip();
            let kind = match (ranks[0] == ranks[1], suits[0] == suits[1]) {
                (true, _) => "",
                (false, true) => "s",
                (false, false) => "o",
            };
            *expected
                .entry(format!("{}{kind}", ranks.iter().collect::<String>().to_uppercase()))
                .or_default() += 1;
        }
    }
    let range = facts.hand_range(held).unwrap();
    assert_eq!(range.classes.len(), expected.len());
    for (class, share) in &range.classes {
        let hands = expected[&class.to_string()];
        assert_eq!(share.hands, hands, "{class}");
        assert!((share.probability - hands as f64 / 1_081.0).abs() < 1e-9, "{class}");
    }
}

#[test]
fn a_pair_of_aces_is_a_favourite_against_any_hand() {
    let prospects = belief_on_the_flop().prospects.unwrap();
    assert_eq!(prospects.playouts, 16 * 512);
    let share: f64 = prospects.goals.iter().map(|of| of.share).sum();
    assert!((share - 1.0).abs() < 1e-9);
    // Another program, whose hands compare as those of PokerKit 0.7.7 do, has counted the 1,070,190 boards and hands that are left: A♠ K♦ wins
    // 0.8577 of them and ties 0.0060. Two chips each are in the pot, so a win is worth two chips, which is a goal of 52.
    let of = |goal: i32| prospects.goals.iter().find(|of| of.goal == goal).map_or(0.0, |of| of.share);
    assert_eq!(prospects.goals.len(), 3, "{prospects:?}");
    let equity = of(52) + of(50) / 2.0;
    // Four standard errors of 8,192 playouts.
    assert!((equity - 0.860_73).abs() < 0.0154, "{equity}");
}
