//! Speed: cards go where they fit, are in one place, and are seen by whom they concern.

use std::collections::BTreeSet;

use croupier_engine::draw::draw_index;
use rand_chacha::{ChaCha8Rng, rand_core::SeedableRng as _};

use crate::{games::compiled, play::Play};

/// The deal to ann, to bob and onto both piles, as chance draws it.
fn deal(cards: [&str; 8]) -> Vec<String> {
    let places = ["ann", "ann", "ann", "bob", "bob", "bob", "left", "right"];
    places.into_iter().zip(cards).map(|(place, card)| format!("(deal {place} (card {card}))")).collect()
}

fn play<'g>(game: &'g croupier_engine::realtime::RealTimeGame, draws: &[String]) -> Play<'g> {
    Play::new(game, &draws.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn who_is_rid_of_five_cards_wins() {
    let game = compiled("speed");
    let mut draws = deal(["2 red", "3 red", "4 red", "6 red", "6 black", "7 red", "1 red", "8 black"]);
    draws.extend(["(deal ann (card 5 red))".to_owned(), "(deal ann (card 4 black))".to_owned()]);
    let mut play = play(&game, &draws);
    for (instant, card) in (1..).zip(["2 red", "3 red", "4 red", "5 red", "4 black"]) {
        assert!(!play.is_over());
        assert_eq!(play.at(instant, &[("ann", &format!("(put (card {card}) left)"))]), 1, "{card}");
    }
    assert!(play.is_over() && play.holds("(has ann 0)") && play.holds("(has bob 5)"));
    assert_eq!(play.goals(), [100, 0]);
}

#[test]
fn ranks_are_a_ring() {
    let game = compiled("speed");
    let draws = deal(["1 red", "7 red", "4 red", "8 red", "2 red", "5 red", "8 black", "1 black"]);
    let mut play = play(&game, &draws);
    assert_eq!(play.legal("ann"), ["(put (card 1 red) left)", "(put (card 7 red) left)"]);
    assert_eq!(play.legal("bob"), ["(put (card 2 red) right)", "(put (card 8 red) right)"]);
}

#[test]
fn both_on_one_pile_at_once_take_their_cards_back() {
    let game = compiled("speed");
    let mut draws = deal(["2 red", "7 red", "8 red", "4 red", "1 red", "6 red", "3 red", "1 black"]);
    draws.extend(["(deal ann (card 8 black))".to_owned(), "(deal bob (card 5 black))".to_owned()]);
    let mut play = play(&game, &draws);
    let before = play.fluents();
    let moves = [("ann", "(put (card 2 red) left)"), ("bob", "(put (card 4 red) left)")];
    assert_eq!(play.at(100, &moves), 2);
    assert_eq!(play.fluents(), before);
    assert_eq!(play.told("bob").last(), Some(&(100, "(collision left)".to_owned())));
    // On two piles both go.
    let moves = [("ann", "(put (card 8 red) right)"), ("bob", "(put (card 4 red) left)")];
    assert_eq!(play.at(200, &moves), 2);
    assert!(play.holds("(top left (card 4 red))") && play.holds("(top right (card 8 red))"));
    assert!(play.holds("(hand ann (card 8 black))") && play.holds("(hand bob (card 5 black))"));
}

#[test]
fn if_nobody_can_put_a_card_new_ones_are_turned_after_a_second() {
    let game = compiled("speed");
    let mut draws = deal(["1 red", "1 black", "5 red", "5 black", "6 red", "6 black", "3 red", "3 black"]);
    draws.extend(["call_pause", "(deal left (card 7 red))", "(deal right (card 8 red))"].map(str::to_owned));
    let mut play = play(&game, &draws);
    assert!(play.holds("pause") && play.legal("ann").is_empty() && play.legal("bob").is_empty());
    assert_eq!(play.told("ann").last(), Some(&(0, "nobody_can".to_owned())));
    assert_eq!(play.at(1_000_000, &[]), 0);
    assert_eq!(play.legal("ann"), ["(put (card 1 black) right)", "(put (card 1 red) right)"]);
    assert_eq!(play.legal("bob"), ["(put (card 6 black) left)", "(put (card 6 red) left)"]);
    assert!(play.holds("(turns 1)") && !play.holds("pause"));
    let told = [(1_000_000, "(turned left (card 7 red))"), (1_000_000, "(turned right (card 8 red))")];
    assert_eq!(play.told("bob")[6..], told.map(|(instant, text)| (instant, text.to_owned())));
}

/// The cards of fluents of which this is the beginning.
fn cards(fluents: &[String], beginning: &str) -> BTreeSet<String> {
    let cards = fluents.iter().filter(|fluent| fluent.starts_with(beginning));
    cards.map(|fluent| fluent[fluent.find("(card").expect("a card")..].replace(')', "")).collect()
}

/// Asserts where cards are, and that nobody was told at this update what the other holds.
fn assert_sound(play: &Play<'_>, told_before: [usize; 2]) {
    let fluents = play.fluents();
    let [ann, bob, left, right, unseen] =
        ["(hand ann ", "(hand bob ", "(top left ", "(top right ", "(unseen "]
            .map(|part| cards(&fluents, part));
    let all: Vec<&String> = [&ann, &bob, &left, &right, &unseen].into_iter().flatten().collect();
    assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "a card is in one place: {fluents:?}");
    for (player, hand) in [("ann", &ann), ("bob", &bob)] {
        let has = (0..=5).find(|n| play.holds(&format!("(has {player} {n})"))).expect("a number");
        // The match may end before a card is drawn.
        let owed = usize::from(play.holds(&format!("(owed {player} 1)")));
        assert_eq!(hand.len() + owed, has.min(3), "{fluents:?}");
    }
    for ((player, theirs), before) in [("ann", &bob), ("bob", &ann)].into_iter().zip(told_before) {
        for (_, percept) in &play.told(player)[before..] {
            let told = percept.replace(')', "");
            assert!(!theirs.iter().any(|card| told.contains(card.as_str())), "{player} is told {percept}");
        }
    }
}

#[test]
fn cards_are_in_one_place_hands_stay_hidden_and_matches_end_in_every_way() {
    let game = compiled("speed");
    let mut ends = BTreeSet::new();
    for seed in 0..400 {
        let mut rng = ChaCha8Rng::seed_from_u64(1_000 + seed);
        let mut play = Play::seeded(&game, seed);
        assert_sound(&play, [0, 0]);
        // In some matches nobody does anything; in the others somebody always does.
        let is_idle = seed % 8 == 0;
        while !play.is_over() {
            let told = ["ann", "bob"].map(|player| play.told(player).len());
            let mut moves: Vec<(&str, String)> = Vec::new();
            for player in ["ann", "bob"] {
                let mut legal = play.legal(player);
                if !legal.is_empty() && !is_idle {
                    moves.push((player, legal.swap_remove(draw_index(legal.len(), &mut rng))));
                }
            }
            if moves.len() == 2 && draw_index(3, &mut rng) > 0 {
                moves.swap_remove(draw_index(2, &mut rng));
            }
            let expiry = play.next_expiry().expect("the clock runs");
            let instant = if moves.is_empty() { expiry } else { expiry.min(play.now() + 300_000) };
            let moves: Vec<(&str, &str)> =
                moves.iter().map(|(player, text)| (*player, text.as_str())).collect();
            play.at(instant, &moves);
            assert_sound(&play, told);
        }
        ends.insert(match (play.holds("(has ann 0)") || play.holds("(has bob 0)"), play.now()) {
            (true, _) => "rid",
            (false, 60_000_000) => "late",
            (false, _) => "blocked",
        });
    }
    assert_eq!(ends.into_iter().collect::<Vec<_>>(), ["blocked", "late", "rid"]);
}
