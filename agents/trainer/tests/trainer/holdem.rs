//! Hold'em: shares of hands on a board, compared with counting cards.

use std::collections::BTreeMap;

use croupier_belief::Opponents;
use croupier_games::{BeliefGrounds, SeatBelief, find};
use croupier_trainer::TrainerOptions;

use crate::enumeration::{game, role, trainer};

const RANKS: &str = "akqjt98765432";

fn belief_on_the_flop() -> SeatBelief {
    belief_after(&[])
}

/// What Alice believes with A♠ K♦ on the flop A♥ 7♣ 2♣, and after these turns.
fn belief_after(more: &[(&str, &[&str])]) -> SeatBelief {
    let game = game("holdem");
    let facts = find("holdem").unwrap().facts().unwrap();
    let alice = role(&game, "alice");
    let mut trainer =
        trainer(&game, alice, TrainerOptions { prospects: 16_384, ..TrainerOptions::brief([0; 32]) })
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
    for (own_move, percepts) in turns.iter().chain(more) {
        trainer.take(own_move, percepts).unwrap();
    }
    let (looks, holders) = (|fluent: &str| facts.look(fluent), |fluent: &str| facts.holder_of(fluent));
    trainer.belief(&looks, &holders, &|fluent| facts.tells(fluent), &mut || false).unwrap()
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
    assert_eq!((prospects.playouts, prospects.is_exact), (16 * 1_081, false));
    let share: f64 = prospects.goals.iter().map(|of| of.share).sum();
    assert!((share - 1.0).abs() < 1e-9);
    // Another program, whose hands compare as those of PokerKit 0.7.7 do, has counted the 1,070,190 boards and hands that are left: A♠ K♦ wins
    // 0.8577 of them and ties 0.0060. Two chips each are in the pot, so a win is worth two chips, which is a goal of 52.
    let of = |goal: i32| prospects.goals.iter().find(|of| of.goal == goal).map_or(0.0, |of| of.share);
    assert_eq!(prospects.goals.len(), 3, "{prospects:?}");
    let equity = of(52) + of(50) / 2.0;
    // Four standard errors of 17,296 playouts.
    assert!((equity - 0.860_73).abs() < 0.0106, "{equity}");
}

/// By class, the equity of Alice's hand, and its standard error.
fn equities(belief: &SeatBelief) -> BTreeMap<String, (f64, Option<f64>)> {
    let facts = find("holdem").unwrap().facts().unwrap();
    let held = belief.held.iter().find(|held| held.of == "(hand bob ?card)").unwrap();
    let range = facts.hand_range(held).unwrap();
    let of = |(class, share): (&croupier_games::HandClass, &croupier_games::HandShare)| {
        let equity = share.equity.unwrap();
        (class.to_string(), (equity.share, equity.error))
    };
    range.classes.iter().map(of).collect()
}

#[test]
fn equities_on_a_complete_board_are_exact() {
    let belief = belief_after(&[
        ("check", &["(did alice check)"]),
        ("noop", &["(board 9s)"]),
        ("noop", &["(did bob check)"]),
        ("check", &["(did alice check)"]),
        ("noop", &["(board 4d)"]),
        ("noop", &["(did bob check)"]),
    ]);
    assert!(belief.prospects.as_ref().unwrap().is_exact);
    // PokerKit 0.7 compares every hand that Bob may have: these beat a pair of aces with a king, two tie, and all others lose.
    let better = "22 42o 42s 44 53o 53s 72o 72s 74o 74s 77 92o 92s 94o 94s 97o 97s 99 A2o A2s A4o A4s A7o A7s A9o A9s AA";
    let better: Vec<&str> = better.split(' ').collect();
    let found = equities(&belief);
    assert_eq!(found.len(), 169);
    for (class, (share, error)) in found {
        let expected: f64 = match class.as_str() {
            "AKo" | "AKs" => 0.5,
            class if better.contains(&class) => 0.0,
            _ => 1.0,
        };
        assert!((share - expected).abs() < 1e-9 && error.is_none(), "{class}: {share} {error:?}");
    }
}

#[test]
fn equities_with_cards_to_come_are_sampled_within_their_errors() {
    let found = equities(&belief_on_the_flop());
    // PokerKit 0.7 on all 990 boards against each hand of the class.
    for (class, expected) in [("AQs", 0.704_545), ("KK", 0.927_273), ("QJs", 0.875_505), ("77", 0.016_162)] {
        let (share, error) = found[class];
        let error = error.expect("two cards are to come");
        assert!(error < 0.1 && (share - expected).abs() <= 4.0 * error, "{class}: {share} ± {error}");
    }
}

#[test]
fn hands_become_fewer_with_every_card_on_the_board() {
    let belief = belief_on_the_flop();
    let held = belief.held.iter().find(|held| held.of == "(hand bob ?card)").unwrap();
    let last = held.steps.last().unwrap();
    assert_eq!(last.hands, 1_081);
    assert!((last.entropy_bits - 1_081_f64.log2()).abs() < 1e-9, "{last:?}");
    // 50 cards are left before the flop, then one less with each of its cards.
    let pairs: Vec<usize> = held.steps.iter().map(|step| step.hands).filter(|&hands| hands > 1_000).collect();
    assert_eq!(pairs, [1_225, 1_176, 1_128, 1_081]);
}
