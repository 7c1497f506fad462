//! Bridge and hearts with few cards, each beside a second account of its rules.

use std::collections::BTreeSet;

use croupier_engine::Game;
use croupier_tests::table::{Table, Texts, compile, ends};
use rand_chacha::ChaCha8Rng;

/// The words of a term.
fn words(term: &str) -> Vec<&str> {
    term.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect()
}

/// Lowest first; hearts are the first suit.
const BRIDGE_CARDS: [&str; 8] = ["jh", "qh", "kh", "ah", "js", "qs", "ks", "as"];
const STRAINS: [&str; 3] = ["hearts", "spades", "no_trump"];

/// Four hands in the order of play, and the cards of the trick that is being played with their players.
#[derive(Clone)]
struct Play {
    hands: [Vec<usize>; 4],
    trick: Vec<(usize, usize)>,
    trump: Option<usize>,
}

impl Play {
    fn legal(&self, player: usize) -> Vec<usize> {
        let hand = &self.hands[player];
        let Some(&(_, led)) = self.trick.first() else { return hand.clone() };
        let following: Vec<_> = hand.iter().copied().filter(|card| card / 4 == led / 4).collect();
        if following.is_empty() { hand.clone() } else { following }
    }

    fn winner(&self) -> usize {
        let led = self.trick[0].1 / 4;
        let strength = |card: usize| (Some(card / 4) == self.trump, card / 4 == led, card % 4);
        self.trick.iter().max_by_key(|(_, card)| strength(*card)).expect("a trick").0
    }

    /// Tricks for the first and third players if all know all cards and play for tricks.
    fn tricks(&self, player: usize) -> usize {
        if self.trick.len() == 4 {
            let winner = self.winner();
            let after = Self { trick: Vec::new(), ..self.clone() };
            return usize::from(winner.is_multiple_of(2)) + after.tricks(winner);
        }
        let after = self.legal(player).into_iter().map(|card| {
            let mut after = self.clone();
            after.hands[player].retain(|held| *held != card);
            after.trick.push((player, card));
            after.tricks((player + 1) % 4)
        });
        if player.is_multiple_of(2) { after.max().unwrap_or(0) } else { after.min().unwrap_or(0) }
    }
}

/// Two of these cards, the lower first.
fn pairs(cards: &[usize]) -> Vec<[usize; 2]> {
    let later = |at: usize| cards[at + 1..].iter().map(move |high| [cards[at], *high]);
    (0..cards.len()).flat_map(later).collect()
}

fn bridge_score(bid: usize, made: usize, no_trump: bool) -> i32 {
    let tens = |tricks: usize| 10 * i32::try_from(tricks).expect("a few tricks");
    if made < bid {
        return -2 * tens(bid - made);
    }
    tens(made) + if bid == 2 { 10 } else { 0 } + if bid == 2 && no_trump { 5 } else { 0 }
}

/// West, north, east, south; west or east bids this and all pass.
fn bridge_goals(game: &Game, hands: &[[usize; 2]; 4], bidder: usize, bid: usize, strain: usize) -> [i32; 2] {
    let mut table = Table::new(game);
    let deal = |hand: &[usize; 2]| format!("(deal {} {})", BRIDGE_CARDS[hand[0]], BRIDGE_CARDS[hand[1]]);
    table.play(&[("random", &deal(&hands[0]))]);
    table.play(&[("random", &deal(&hands[2]))]);
    let bid = format!("(bid {bid} {})", STRAINS[strain]);
    let calls: &[_] = if bidder == 0 { &[&bid, "pass"] } else { &["pass", &bid, "pass"] };
    for (call, name) in calls.iter().zip(["west", "east", "west"]) {
        table.play(&[(name, call)]);
    }
    let told = table.play(&[("random", &deal(&hands[1]))]);
    let shows =
        |name: &str, at: usize| hands[at].map(|card| format!("(shows {name} {})", BRIDGE_CARDS[card]));
    assert_eq!(told["west"], shows("north", 1).into_iter().chain(shows("east", 2)).collect());
    assert_eq!(told["east"], shows("north", 1).into_iter().chain(shows("west", 0)).collect());
    let goals = table.goals().expect("the end");
    [goals["west"], goals["east"]]
}

/// All deals, one of the twelve contracts each.
#[test]
fn a_bridge_contract_is_worth_what_it_makes_with_all_hands_open() {
    let game = compile("tiny-bridge");
    let deck: Vec<_> = (0..8).collect();
    let rest = |hands: &[[usize; 2]]| -> Vec<usize> {
        deck.iter().copied().filter(|card| !hands.concat().contains(card)).collect()
    };
    let mut made_of = [0; 3];
    let mut number = 0;
    for west in pairs(&deck) {
        for east in pairs(&rest(&[west])) {
            for north in pairs(&rest(&[west, east])) {
                let south = rest(&[west, east, north]);
                let hands = [west, north, east, [south[0], south[1]]];
                let (bidder, bid, strain) = (number % 2 * 2, number / 2 % 2 + 1, number / 4 % 3);
                let trump = (strain < 2).then_some(strain);
                // The defender before the bidder leads: south before west, north before east.
                let play = Play { hands: hands.map(Vec::from), trick: Vec::new(), trump };
                let made = play.tricks((bidder + 3) % 4);
                let expected = 40 + bridge_score(bid, made, trump.is_none());
                assert_eq!(
                    bridge_goals(&game, &hands, bidder, bid, strain),
                    [expected; 2],
                    "{hands:?}, bid {bid} in {strain} by {bidder}, {made} made"
                );
                made_of[made] += 1;
                number += 1;
            }
        }
    }
    assert_eq!(number, 28 * 15 * 6);
    assert!(made_of.iter().all(|&deals| deals > 100), "{made_of:?}");
}

const PLAYERS: [&str; 3] = ["alice", "bob", "carol"];

/// Clubs, spades and hearts, the lowest of each first.
const HEARTS_CARDS: [&str; 15] =
    ["tc", "jc", "qc", "kc", "ac", "ts", "js", "qs", "ks", "as", "th", "jh", "qh", "kh", "ah"];
const TEN_OF_CLUBS: usize = 0;

fn hearts_card(text: &str) -> usize {
    HEARTS_CARDS.iter().position(|card| *card == text).expect("a card")
}

fn is_heart(card: usize) -> bool {
    card / 5 == 2
}

fn bad_points(card: usize) -> usize {
    if HEARTS_CARDS[card] == "qs" { 5 } else { usize::from(is_heart(card)) }
}

/// Hearts as it is kept at a table, after the pass.
struct Hearts {
    hands: [BTreeSet<usize>; 3],
    leader: usize,
    /// Cards of the trick in the order of play.
    trick: Vec<usize>,
    /// The cards that each has taken.
    taken: [Vec<usize>; 3],
}

impl Hearts {
    fn speaker(&self) -> usize {
        (self.leader + self.trick.len()) % 3
    }

    fn is_first_trick(&self) -> bool {
        self.taken.iter().all(Vec::is_empty)
    }

    /// Those that hold of the cards, or all cards if it holds of none.
    fn prefer(cards: &BTreeSet<usize>, wanted: impl Fn(usize) -> bool) -> BTreeSet<usize> {
        let found: BTreeSet<_> = cards.iter().copied().filter(|&card| wanted(card)).collect();
        if found.is_empty() { cards.clone() } else { found }
    }

    fn legal(&self) -> BTreeSet<usize> {
        let hand = &self.hands[self.speaker()];
        let Some(led) = self.trick.first() else {
            if self.is_first_trick() {
                return BTreeSet::from([TEN_OF_CLUBS]);
            }
            let is_broken = self.taken.iter().flatten().any(|&card| is_heart(card));
            return Self::prefer(hand, |card| is_broken || !is_heart(card));
        };
        let playable = Self::prefer(hand, |card| card / 5 == led / 5);
        if !self.is_first_trick() {
            return playable;
        }
        Self::prefer(&playable, |card| bad_points(card) == 0)
    }

    /// Plays a card; who takes the trick if it is full.
    fn play(&mut self, card: usize) -> Option<usize> {
        let speaker = self.speaker();
        assert!(self.hands[speaker].remove(&card), "{speaker} has no {card}");
        self.trick.push(card);
        if self.trick.len() < 3 {
            return None;
        }
        let suit = self.trick[0] / 5;
        let best = self.trick.iter().filter(|card| *card / 5 == suit).max().expect("the card that was led");
        let place = self.trick.iter().position(|card| card == best).expect("it is there");
        self.leader = (self.leader + place) % 3;
        self.taken[self.leader].append(&mut self.trick);
        Some(self.leader)
    }

    fn goals(&self) -> [i32; 3] {
        let points: Vec<usize> =
            self.taken.iter().map(|taken| taken.iter().map(|&card| bad_points(card)).sum()).collect();
        let moon = points.iter().position(|&points| points == 10);
        [0, 1, 2].map(|player| match moon {
            Some(shooter) => {
                if shooter == player {
                    100
                } else {
                    0
                }
            }
            None => 100 - 10 * i32::try_from(points[player]).expect("a few points"),
        })
    }
}

/// Deals, and passes a card each; everybody is told of the own cards alone.
fn deal_hearts(table: &mut Table<'_>, rng: &mut ChaCha8Rng) -> [BTreeSet<usize>; 3] {
    let mut hands = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
    for number in 0..15 {
        let dealt = table.random_move("random", rng);
        let told = table.play(&[("random", &dealt)]);
        for (player, name) in PLAYERS.iter().enumerate() {
            let hole = (player == number % 3).then(|| format!("(hole {})", words(&dealt)[1]));
            assert_eq!(told[*name], hole.into_iter().collect());
        }
        hands[number % 3].insert(hearts_card(words(&dealt)[1]));
    }
    let passed = PLAYERS.map(|player| table.random_move(player, rng));
    for (player, name) in PLAYERS.iter().enumerate() {
        let expected: Texts =
            hands[player].iter().map(|&card| format!("(pass {})", HEARTS_CARDS[card])).collect();
        assert_eq!(table.legal(name), expected);
    }
    let told = table.play(&[0, 1, 2].map(|player: usize| (PLAYERS[player], passed[player].as_str())));
    for player in 0..3 {
        let (left, card) = ((player + 1) % 3, hearts_card(words(&passed[player])[1]));
        assert_eq!(
            told[PLAYERS[left]],
            [format!("(passes {} {})", PLAYERS[player], HEARTS_CARDS[card])].into()
        );
        assert!(hands[player].remove(&card));
        hands[left].insert(card);
    }
    hands
}

/// One deal; the goals.
fn play_hearts(game: &Game, rng: &mut ChaCha8Rng) -> [i32; 3] {
    let mut table = Table::new(game);
    let hands = deal_hearts(&mut table, rng);
    let leader = hands.iter().position(|hand| hand.contains(&TEN_OF_CLUBS)).expect("it is dealt");
    let mut book = Hearts { hands, leader, trick: Vec::new(), taken: [Vec::new(), Vec::new(), Vec::new()] };
    for _ in 0..15 {
        assert_eq!(table.goals(), None);
        let speaker = book.speaker();
        for (player, name) in PLAYERS.iter().enumerate() {
            let plays =
                book.legal().into_iter().map(|card| format!("(play {})", HEARTS_CARDS[card])).collect();
            let expected = if player == speaker { plays } else { ["noop".to_owned()].into() };
            assert_eq!(table.legal(name), expected);
        }
        let played = table.random_move(PLAYERS[speaker], rng);
        let told = table.play(&[(PLAYERS[speaker], &played)]);
        let card = words(&played)[1];
        let winner = book.play(hearts_card(card)).map(|winner| format!("(trick_for {})", PLAYERS[winner]));
        let expected: Texts =
            winner.into_iter().chain([format!("(plays {} {card})", PLAYERS[speaker])]).collect();
        assert!(PLAYERS.iter().all(|player| told[*player] == expected), "{told:?}");
    }
    let goals = table.goals().expect("the end");
    assert_eq!(PLAYERS.map(|player| goals[player]), book.goals());
    book.goals()
}

#[test]
fn hearts_is_played_as_it_is_kept_at_a_table() {
    let game = compile("hearts-small");
    let ends = ends(13, 500, |rng| play_hearts(&game, rng));
    let moons: usize =
        ends.iter().filter(|(goals, _)| goals.iter().sum::<i32>() == 100).map(|(_, count)| count).sum();
    assert!((1..500).contains(&moons), "{ends:?}");
    assert!(ends.keys().all(|goals| [100, 200].contains(&goals.iter().sum())), "{ends:?}");
}
