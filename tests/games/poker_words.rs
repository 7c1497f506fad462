//! What people are told at a poker table, against an evaluator and a bookkeeper that know nothing of `game.toml`.
//!
//! Hands are named by the best of the 21 choices of five cards, whose order is that of the crate `rs_poker`; the pot and the amount
//! to call are counted from the moves alone.

use std::collections::{BTreeMap, BTreeSet};

use croupier_belief::Query;
use croupier_engine::{ByRole, Game, Options, Status, game::Backend};
use croupier_games::{GameFacts, find};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use rs_poker::core::{FlatHand, Rank, Rankable as _};

const SHOWDOWNS: usize = 600;
const HANDS: usize = 200;

const ONE: [&str; 13] =
    ["two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace"];
const SEVERAL: [&str; 13] = [
    "twos", "threes", "fours", "fives", "sixes", "sevens", "eights", "nines", "tens", "jacks", "queens",
    "kings", "aces",
];

fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    usize::try_from(rng.next_u64() % u64::try_from(bound).expect("a small bound")).expect("below the bound")
}

fn rank_of(cards: &[String]) -> Rank {
    let text: String = cards.iter().map(|card| card[..1].to_uppercase() + &card[1..]).collect();
    FlatHand::new_from_str(&text).expect("cards").rank()
}

/// The best five of seven cards: what kind of hand they are, and the ranks beside it, from the highest.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Hand {
    name: String,
    kickers: Vec<usize>,
}

impl Hand {
    fn of(seven: &[String]) -> Self {
        let fives = (0_u32..1 << 7).filter(|choice| choice.count_ones() == 5);
        let five = |choice: u32| -> Vec<String> {
            (0..7).filter(|index| choice >> index & 1 == 1).map(|index| seven[index].clone()).collect()
        };
        let best = fives.map(five).max_by_key(|five| rank_of(five)).expect("21 choices");
        let rank = |card: &String| "23456789tjqka".find(&card[..1]).expect("a rank");
        let mut times = BTreeMap::<usize, usize>::new();
        best.iter().for_each(|card| *times.entry(rank(card)).or_default() += 1);
        let mut ranks: Vec<(usize, usize)> = times.iter().map(|(&rank, &times)| (times, rank)).collect();
        ranks.sort_unstable_by(|one, other| other.cmp(one));
        // A wheel is five high.
        let is_wheel = times.contains_key(&12) && times.contains_key(&0);
        let row = if is_wheel { 3 } else { ranks[0].1 };
        let (one, several) = (ONE[ranks[0].1], SEVERAL[ranks[0].1]);
        let kind = rank_of(&best);
        let name = match kind {
            Rank::StraightFlush(_) if row == 12 => "a royal flush".to_owned(),
            Rank::StraightFlush(_) => format!("a straight flush, {} high", ONE[row]),
            Rank::FourOfAKind(_) => format!("four {several}"),
            Rank::FullHouse(_) => format!("a full house, {several} full of {}", SEVERAL[ranks[1].1]),
            Rank::Flush(_) => format!("a flush, {one} high"),
            Rank::Straight(_) => format!("a straight, {} high", ONE[row]),
            Rank::ThreeOfAKind(_) => format!("three {several}"),
            Rank::TwoPair(_) => format!("two pair, {several} and {}", SEVERAL[ranks[1].1]),
            Rank::OnePair(_) => format!("a pair of {several}"),
            Rank::HighCard(_) => format!("{one} high"),
        };
        let kickers = match kind {
            Rank::StraightFlush(_) | Rank::FullHouse(_) | Rank::Straight(_) => Vec::new(),
            _ => ranks.iter().filter(|(times, _)| *times == 1).map(|(_, rank)| *rank).collect(),
        };
        Self { name, kickers }
    }

    /// What is said of it beside another hand.
    fn beside(&self, other: &Self) -> String {
        let cards = self.kickers.iter().map(|&rank| ONE[rank]).collect::<Vec<_>>().join(" ");
        let is_both = |kind: &str| self.name.starts_with(kind) && other.name.starts_with(kind);
        match self.kickers.len() {
            5 if is_both("a flush") => format!("a flush, {cards} high"),
            5 if !self.name.starts_with("a flush")
                && other.kickers.len() == 5
                && !other.name.starts_with("a flush") =>
            {
                format!("{cards} high")
            }
            1 if self.name == other.name => format!("{}, {cards} kicker", self.name),
            2 | 3 if self.name == other.name => format!("{}, {cards} kickers", self.name),
            _ => self.name.clone(),
        }
    }
}

fn facts(game: &str) -> GameFacts {
    find(game).expect("a game of the catalogue").facts().expect("sound facts")
}

/// Nine cards of `ranks` ranks and `suits` suits, so that every kind of hand comes up.
fn nine_cards(deck: &str, ranks: usize, suits: usize, rng: &mut ChaCha8Rng) -> Vec<String> {
    let first = below(rng, deck.len() - ranks + 1);
    let names = deck[first..first + ranks].chars();
    let mut cards: Vec<String> =
        names.flat_map(|rank| "shdc"[..suits].chars().map(move |suit| format!("{rank}{suit}"))).collect();
    for end in (1..cards.len()).rev() {
        cards.swap(end, below(rng, end + 1));
    }
    cards.truncate(9);
    cards
}

#[test]
fn hands_have_the_names_that_another_evaluator_gives_them() {
    for (name_of_game, deck, kinds) in [
        ("holdem", "23456789tjqka", vec![(13, 4), (4, 4), (13, 2), (7, 4), (8, 2), (6, 2)]),
        ("no-limit-holdem-3", "23456789tjqka", vec![(13, 4), (8, 2)]),
        ("royal-holdem", "tjqka", vec![(5, 4), (5, 2)]),
    ] {
        let entry = find(name_of_game).expect("a game of the catalogue");
        let facts = facts(name_of_game);
        let options = Options { backend: Backend::Datalog, ..Options::PLAY };
        let game = Game::compile(entry.rules, &options).expect("sound rules").game;
        let query = facts.query().expect("relations");
        let query = Query::compile(&game, &query).expect("sound rules");
        let mut rng = ChaCha8Rng::seed_from_u64(52);
        let mut names = BTreeSet::new();
        for showdown in 0..SHOWDOWNS {
            let (ranks, suits) = kinds[showdown % kinds.len()];
            let cards = nine_cards(deck, ranks, suits, &mut rng);
            let mut fluents: Vec<String> = cards[..4]
                .iter()
                .zip(["alice", "alice", "bob", "bob"])
                .map(|(card, player)| format!("(hand {player} {card})"))
                .collect();
            fluents.extend(cards[4..].iter().map(|card| format!("(board {card})")));
            // Whoever else sits at the table has folded.
            fluents.extend(["(round showdown)".to_owned(), "(folded carol)".to_owned()]);
            let state = game.state_of(fluents.iter().map(String::as_str)).expect("terms");
            let answers = query.answers_in(&game, &state).expect("sound rules");
            let known = answers.iter().map(|answer| &answer["(query ".len()..answer.len() - 1]);
            let scene = facts.scene(fluents.iter().map(String::as_str).chain(known), []);
            let hands = [0..2, 2..4]
                .map(|hole| -> Vec<String> { cards[hole].iter().chain(&cards[4..]).cloned().collect() });
            let [alice, bob] = [Hand::of(&hands[0]), Hand::of(&hands[1])];
            for (player, expected) in [("alice", alice.beside(&bob)), ("bob", bob.beside(&alice))] {
                let told = facts.result_text(player, &scene);
                assert_eq!(told.as_deref(), Some(&*format!("with {expected}")), "{name_of_game}: {cards:?}");
                names.insert(expected.split([' ', ',']).take(2).collect::<Vec<_>>().join(" "));
            }
        }
        assert!(names.len() >= 5, "{names:?}");
    }
}

/// What the players have put in, counted as at a table with limits: a bet is 2 chips before and on the flop, then 4.
struct Bookkeeper {
    paid: BTreeMap<&'static str, i64>,
}

impl Bookkeeper {
    fn take(&mut self, player: &'static str, played: &str, board: usize) {
        let most = *self.paid.values().max().expect("players");
        let bet = if board < 4 { 2 } else { 4 };
        let paid = match played {
            "call" => most,
            "bet" | "raise" => most + bet,
            _ => return,
        };
        self.paid.insert(player, paid);
    }
}

#[test]
fn the_pot_and_the_amount_to_call_are_what_a_bookkeeper_counts() {
    let facts = facts("holdem");
    let entry = find("holdem").expect("a game of the catalogue");
    let game = Game::compile(entry.rules, &Options::PLAY).expect("sound rules").game;
    let mut scratch = game.scratch();
    let mut rng = ChaCha8Rng::seed_from_u64(16);
    let mut calls = 0;
    for _ in 0..HANDS {
        let mut state = game.initial_state().clone();
        let mut book = Bookkeeper { paid: BTreeMap::from([("alice", 1), ("bob", 2)]) };
        while let Status::Running { legal } = game.status(&state, &mut scratch).expect("sound rules") {
            let terms = game.state_terms(&state);
            let board = terms.iter().filter(|term| term.starts_with("(board ")).count();
            let lines =
                facts.draw(&facts.scene(terms.iter().map(|term| &**term), []), &["alice", "bob"]).lines;
            let pot: i64 = book.paid.values().sum();
            assert!(lines.contains(&format!("pot {pot}")), "{lines:?} {terms:?}");
            let to_act = ["alice", "bob"]
                .into_iter()
                .find(|name| terms.iter().any(|term| **term == *format!("(to_act {name})")));
            let owed = to_act.map_or(0, |name| book.paid.values().max().expect("players") - book.paid[name]);
            let line = lines.iter().find(|line| line.ends_with(" to call"));
            let expected = (owed > 0).then(|| format!("{owed} to call"));
            assert_eq!(line, expected.as_ref(), "{lines:?} {terms:?}");
            calls += owed;
            let moves = ByRole::from_fn(game.roles(), |role| legal[role][below(&mut rng, legal[role].len())]);
            if let Some(name) = to_act {
                let role = game.roles().find(name).expect("a role");
                book.take(name, &game.move_text(moves[role]), board);
            }
            let joint_move = game.joint_move(&state, moves, &mut scratch).expect("legal moves");
            state = game.successor(&state, &joint_move, &mut scratch).expect("sound rules");
        }
    }
    assert!(calls > 0, "nobody had anything to call");
}
