//! No-limit hold'em for three: pots of any shape against a cashier who knows nothing of the rules text, with hands
//! ranked by the crate `rs_poker`, and the betting by the laws that any hand obeys.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::Game;
use croupier_tests::table::{Table, below, compile};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;
use rs_poker::core::{FlatHand, Rank, Rankable as _};

/// From the button's left, with what they have.
const PLAYERS: [(&str, i32); 3] = [("bob", 20), ("carol", 30), ("alice", 40)];

fn rank<'c>(cards: impl Iterator<Item = &'c String>) -> Rank {
    let text: String = cards.map(|card| card[..1].to_uppercase() + &card[1..]).collect();
    FlatHand::new_from_str(&text).expect("seven cards").rank()
}

/// A terminal position: chips put in, who has folded, and eleven cards.
#[derive(Debug)]
struct Position {
    paid: [i32; 3],
    has_folded: [bool; 3],
    cards: Vec<String>,
}

impl Position {
    /// Cards of few ranks, so that pots are often split.
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let ranks = 4 + below(rng, 10);
        let mut deck: Vec<String> = "akqjt98765432"[..ranks.min(13)]
            .chars()
            .flat_map(|rank| ["s", "h", "d", "c"].map(|suit| format!("{rank}{suit}")))
            .collect();
        let cards = (0..11).map(|_| deck.swap_remove(below(rng, deck.len()))).collect();
        let live = 1 + below(rng, 3);
        let mut has_folded = [true; 3];
        while has_folded.iter().filter(|&&folded| !folded).count() < live {
            has_folded[below(rng, 3)] = false;
        }
        // Whoever is in has matched the highest bet, or put in everything; who has folded, less.
        let deepest = (0..3).filter(|&player| !has_folded[player]).map(|player| PLAYERS[player].1).max();
        let level = 2 + i32::try_from(below(rng, 39)).expect("few chips");
        let level = level.min(deepest.expect("somebody is in"));
        let paid = [0, 1, 2].map(|player: usize| {
            let most = level.min(PLAYERS[player].1);
            let folded = below(rng, usize::try_from(most).expect("few chips"));
            if has_folded[player] { i32::try_from(folded).expect("few chips") } else { most }
        });
        Self { paid, has_folded, cards }
    }

    /// What each player takes: the smallest stake of those who are in makes a pot of its own, over and over.
    fn payouts(&self) -> [i32; 3] {
        let mut left = self.paid;
        let mut is_in = self.has_folded.map(|folded| !folded);
        let mut payouts = [0; 3];
        while let Some(stake) = (0..3).filter(|&player| is_in[player]).map(|player| left[player]).min() {
            let mut pot = 0;
            for chips in &mut left {
                pot += stake.min(*chips);
                *chips -= stake.min(*chips);
            }
            let hands: Vec<(usize, Rank)> =
                (0..3).filter(|&player| is_in[player]).map(|player| (player, self.rank(player))).collect();
            let best = hands.iter().map(|(_, rank)| *rank).max().expect("somebody is in");
            let winners: Vec<usize> =
                hands.iter().filter(|(_, rank)| *rank == best).map(|(player, _)| *player).collect();
            let count = i32::try_from(winners.len()).expect("at most three");
            for &winner in &winners {
                payouts[winner] += pot / count;
            }
            payouts[winners[0]] += pot % count;
            for player in 0..3 {
                is_in[player] &= left[player] > 0;
            }
        }
        payouts
    }

    fn rank(&self, player: usize) -> Rank {
        rank(self.cards[2 * player..2 * player + 2].iter().chain(&self.cards[6..]))
    }

    fn terms(&self) -> Vec<String> {
        let mut terms = vec!["(round showdown)".to_owned()];
        for (player, (name, _)) in PLAYERS.iter().enumerate() {
            terms.push(format!("(paid {name} {})", self.paid[player]));
            terms.extend(self.has_folded[player].then(|| format!("(folded {name})")));
            let hole = &self.cards[2 * player..2 * player + 2];
            terms.extend(hole.iter().map(|card| format!("(hand {name} {card})")));
        }
        terms.extend(self.cards[6..].iter().map(|card| format!("(board {card})")));
        terms
    }
}

fn goals_of(game: &Game, position: &Position) -> [i32; 3] {
    let mut scratch = game.scratch();
    let terms = position.terms();
    let state = game.state_of(terms.iter().map(String::as_str)).expect("ground terms");
    assert_eq!(game.is_terminal(&state, &mut scratch), Ok(true));
    PLAYERS.map(|(name, _)| {
        let role = game.roles().find(name).expect("a player of the game");
        game.goal(&state, role, &mut scratch).expect("one goal").expect("a goal at the end").value()
    })
}

#[test]
fn every_pot_goes_to_the_best_hands_that_have_paid_for_it() {
    let game = compile("no-limit-holdem-3");
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let mut shapes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for _ in 0..4_000 {
        let position = Position::random(&mut rng);
        let payouts = position.payouts();
        assert_eq!(payouts.iter().sum::<i32>(), position.paid.iter().sum::<i32>(), "{position:?}");
        let expected = [0, 1, 2].map(|player: usize| 40 - position.paid[player] + payouts[player]);
        assert_eq!(goals_of(&game, &position), expected, "{position:?}");
        let stakes: BTreeSet<_> = (0..3)
            .filter(|&player| !position.has_folded[player])
            .map(|player| position.paid[player])
            .collect();
        let takers = payouts.iter().filter(|&&chips| chips > 0).count();
        *shapes.entry((stakes.len(), takers)).or_default() += 1;
    }
    let all = (1..=3).flat_map(|pots| (1..=3).map(move |takers| (pots, takers)));
    assert!(all.into_iter().all(|shape| shapes.get(&shape).is_some_and(|&count| count > 10)), "{shapes:?}");
}

/// The number after a name, for each player: `(paid bob 3)`.
fn paid(table: &Table<'_>) -> BTreeMap<String, i32> {
    let fluents = table.fluents();
    let paid = fluents.iter().filter_map(|fluent| fluent.strip_prefix("(paid "));
    let pairs = paid.filter_map(|rest| rest.trim_end_matches(')').split_once(' '));
    pairs.map(|(player, chips)| (player.to_owned(), chips.parse().expect("chips"))).collect()
}

/// Raises are what the pot says, calls match the highest bet as far as the stack goes, nobody puts in more than
/// there is, and all chips are somewhere in the end.
#[test]
fn chips_are_put_in_as_the_moves_say() {
    let game = compile("no-limit-holdem-3");
    let mut rng = ChaCha8Rng::seed_from_u64(33);
    let mut played: BTreeMap<String, usize> = BTreeMap::new();
    for _ in 0..600 {
        let mut table = Table::new(&game);
        while table.goals().is_none() {
            let speaker = PLAYERS.iter().find(|(name, _)| !table.legal(name).contains("noop"));
            let Some(&(name, stack)) = speaker else {
                let dealt = table.random_move("random", &mut rng);
                table.play(&[("random", &dealt)]);
                continue;
            };
            let before = paid(&table);
            let (level, pot) = (before.values().copied().max().unwrap_or(0), before.values().sum::<i32>());
            let after_call = pot + level - before[name];
            let legal = table.legal(name);
            assert_eq!(legal.contains("check"), before[name] == level, "{before:?}");
            assert_eq!(legal.contains("fold"), before[name] < level, "{before:?}");
            let mut choice = table.random_move(name, &mut rng);
            if choice == "fold" && below(&mut rng, 2) == 0 {
                choice = "call".to_owned();
            }
            table.play(&[(name, &choice)]);
            let expected = match choice.as_str() {
                "call" => level.min(stack),
                "half_pot" => level + after_call / 2,
                "pot" => level + after_call,
                "all_in" => stack,
                _ => before[name],
            };
            assert_eq!(paid(&table)[name], expected, "{choice} of {name} after {before:?}");
            assert!(expected <= stack && (expected < stack || ["all_in", "call"].contains(&choice.as_str())));
            *played.entry(choice).or_default() += 1;
        }
        let goals = table.goals().expect("the end");
        assert_eq!(goals.values().sum::<i32>(), 120, "chips are conserved: {goals:?}");
    }
    assert!(played.len() == 6 && played.values().all(|&count| count > 50), "{played:?}");
}
