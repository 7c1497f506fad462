//! Tricks, drafts and ships: games of many hidden cards or squares, each beside its bookkeeping in Rust.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use croupier_engine::Game;
use croupier_tests::table::{Table, Texts, compile, ends};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

fn texts<const N: usize>(terms: [String; N]) -> Texts {
    terms.into_iter().collect()
}

/// The words of a term.
fn words(term: &str) -> Vec<&str> {
    term.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect()
}

/// Deals `count` cards, each from the whole rest, and says who is told of which.
fn deal(table: &mut Table<'_>, count: usize, rng: &mut ChaCha8Rng) -> Vec<(String, BTreeMap<String, Texts>)> {
    let one = |_| {
        let dealt = table.random_move("random", rng);
        let told = table.play(&[("random", &dealt)]);
        (words(&dealt)[1].to_owned(), told)
    };
    (0..count).map(one).collect()
}

const PLAYERS: [&str; 3] = ["alice", "bob", "carol"];

/// Oh Hell as it is kept at a table.
struct Tricks {
    hands: [BTreeSet<String>; 3],
    trump: char,
    bids: Vec<usize>,
    taken: [usize; 3],
    /// Cards of the trick in the order of play, and who has led it.
    trick: Vec<String>,
    leader: usize,
}

fn suit(card: &str) -> char {
    card.chars().nth(1).expect("a suit")
}

impl Tricks {
    fn speaker(&self) -> usize {
        if self.bids.len() < 3 { self.bids.len() } else { (self.leader + self.trick.len()) % 3 }
    }

    fn legal(&self) -> Texts {
        if self.bids.len() < 3 {
            let said: usize = self.bids.iter().sum();
            let is_free = |bid: &usize| self.bids.len() < 2 || said + bid != 3;
            return (0..=3).filter(is_free).map(|bid| format!("(bid {bid})")).collect();
        }
        let hand = &self.hands[self.speaker()];
        let follows = |card: &&String| self.trick.first().is_some_and(|led| suit(led) == suit(card));
        let following: Vec<_> = hand.iter().filter(follows).collect();
        let playable = if following.is_empty() { hand.iter().collect() } else { following };
        playable.into_iter().map(|card| format!("(play {card})")).collect()
    }

    /// Plays a card; who takes the trick if it is full.
    fn play(&mut self, card: &str) -> Option<usize> {
        let player = self.speaker();
        assert!(self.hands[player].remove(card), "{player} has no {card}");
        self.trick.push(card.to_owned());
        if self.trick.len() < 3 {
            return None;
        }
        let led = suit(&self.trick[0]);
        let strength = |card: &String| {
            let rank = "jqka".find(&card[..1]).expect("a rank");
            (suit(card) == self.trump, suit(card) == led, rank)
        };
        let best = (0..3).max_by_key(|&place| strength(&self.trick[place])).expect("three cards");
        let winner = (self.leader + best) % 3;
        self.taken[winner] += 1;
        self.leader = winner;
        self.trick.clear();
        Some(winner)
    }
}

/// One hand; the goals.
fn play_oh_hell(game: &Game, rng: &mut ChaCha8Rng) -> [i32; 3] {
    let mut table = Table::new(game);
    let mut hands = [BTreeSet::new(), BTreeSet::new(), BTreeSet::new()];
    for (number, (card, told)) in deal(&mut table, 9, rng).into_iter().enumerate() {
        let player = number % 3;
        for (other, name) in PLAYERS.iter().enumerate() {
            let expected = (other == player).then(|| format!("(hole {card})"));
            assert_eq!(told[*name], expected.into_iter().collect(), "who sees {card}?");
        }
        hands[player].insert(card);
    }
    let (up, told) = deal(&mut table, 1, rng).remove(0);
    assert!(told.values().all(|told| *told == texts([format!("(turned_up {up})")])));
    let trump = suit(&up);
    let mut book = Tricks { hands, trump, bids: Vec::new(), taken: [0; 3], trick: Vec::new(), leader: 0 };
    while book.taken.iter().sum::<usize>() < 3 {
        assert_eq!(table.goals(), None);
        let speaker = book.speaker();
        for (player, name) in PLAYERS.iter().enumerate() {
            let expected = if player == speaker { book.legal() } else { texts(["noop".to_owned()]) };
            assert_eq!(table.legal(name), expected);
        }
        let played = table.random_move(PLAYERS[speaker], rng);
        let told = table.play(&[(PLAYERS[speaker], &played)]);
        let said = words(&played);
        let mut expected = texts([format!("({}s {} {})", said[0], PLAYERS[speaker], said[1])]);
        if said[0] == "bid" {
            book.bids.push(said[1].parse().expect("a number"));
        } else if let Some(winner) = book.play(said[1]) {
            expected.insert(format!("(trick_for {})", PLAYERS[winner]));
        }
        assert!(told.values().all(|told| *told == expected), "{told:?}, not {expected:?}");
    }
    let goals = table.goals().expect("the end");
    let points = [0, 1, 2].map(|player| {
        let taken = book.taken[player];
        7 * i32::try_from(if taken == book.bids[player] { 10 + taken } else { taken }).expect("few points")
    });
    assert_eq!(PLAYERS.map(|player| goals[player]), points);
    points
}

#[test]
fn oh_hell_pays_those_who_keep_their_word() {
    let game = compile("oh-hell-small");
    let mut rng = ChaCha8Rng::seed_from_u64(1_930);
    let mut seen = BTreeSet::new();
    for _ in 0..500 {
        let goals = play_oh_hell(&game, &mut rng);
        assert!(goals.iter().any(|goal| *goal < 70), "carol sees to it that somebody fails: {goals:?}");
        seen.extend(goals);
    }
    assert_eq!(seen, BTreeSet::from([0, 7, 14, 21, 70, 77, 84, 91]));
}

/// Points of a collection by definition; maki against those of the other.
fn sushi_points(own: &[String], other: &[String]) -> i32 {
    let count = |cards: &[String], kind: &str| {
        i32::try_from(cards.iter().filter(|card| card.starts_with(kind)).count()).expect("few cards")
    };
    let maki = match (count(own, "maki"), count(other, "maki")) {
        (mine, theirs) if mine > theirs => 6,
        (mine, theirs) if mine == theirs && mine > 0 => 3,
        _ => 0,
    };
    count(own, "egg")
        + 2 * count(own, "salmon")
        + 3 * count(own, "squid")
        + 5 * (count(own, "tempura") / 2)
        + maki
}

/// One draft; the goals.
fn play_sushi(game: &Game, rng: &mut ChaCha8Rng) -> [i32; 2] {
    let mut table = Table::new(game);
    let mut hands = [BTreeSet::new(), BTreeSet::new()];
    for (number, (card, told)) in deal(&mut table, 8, rng).into_iter().enumerate() {
        assert_eq!(told[PLAYERS[number % 2]], texts([format!("(hole {card})")]));
        assert!(told[PLAYERS[1 - number % 2]].is_empty());
        hands[number % 2].insert(card);
    }
    let mut collections = [Vec::new(), Vec::new()];
    while !hands[0].is_empty() {
        assert_eq!(table.goals(), None);
        let moves = [0, 1].map(|player: usize| {
            let expected: Texts = hands[player].iter().map(|card| format!("(take {card})")).collect();
            assert_eq!(table.legal(PLAYERS[player]), expected);
            table.random_move(PLAYERS[player], rng)
        });
        let told = table.play(&[("alice", &moves[0]), ("bob", &moves[1])]);
        for player in 0..2 {
            let card = words(&moves[player])[1].to_owned();
            assert!(hands[player].remove(&card));
            collections[player].push(card);
        }
        hands.swap(0, 1);
        for player in 0..2 {
            let chosen = [0, 1]
                .map(|other: usize| format!("(chooses {} {})", PLAYERS[other], words(&moves[other])[1]));
            let passed = hands[player].iter().map(|card| format!("(passed {card})"));
            assert_eq!(told[PLAYERS[player]], passed.chain(chosen).collect());
        }
    }
    let all: BTreeSet<_> = collections.iter().flatten().collect();
    assert_eq!(all.len(), 8, "no card is lost or doubled");
    let [alice, bob] = &collections;
    let expected = match sushi_points(alice, bob).cmp(&sushi_points(bob, alice)) {
        Ordering::Greater => [100, 0],
        Ordering::Equal => [50, 50],
        Ordering::Less => [0, 100],
    };
    let goals = table.goals().expect("the end");
    assert_eq!(["alice", "bob"].map(|player| goals[player]), expected, "{collections:?}");
    expected
}

#[test]
fn a_draft_of_sushi_is_counted_as_the_cards_say() {
    let game = compile("sushi-draft");
    let ends = ends(2_013, 800, |rng| play_sushi(&game, rng));
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 20), "{ends:?}");
}

type Square = (usize, usize);

const CAPTAINS: [&str; 2] = ["blue", "red"];

/// The squares of a ship, from the text of the move that places it.
fn squares(placed: &str) -> BTreeSet<Square> {
    let said = words(placed);
    let length = if said[1] == "cruiser" { 3 } else { 2 };
    let [x, y] = [3, 4].map(|place: usize| said[place].parse::<usize>().expect("a coordinate"));
    (0..length).map(|step| if said[2] == "across" { (x + step, y) } else { (x, y + step) }).collect()
}

/// All ways to place a ship of this length on squares that are free.
fn berths(ship: &str, taken: &BTreeSet<Square>) -> Texts {
    let all = ["across", "upright"].into_iter().flat_map(|way| {
        (1..=4).flat_map(move |x| (1..=4).map(move |y| format!("(place {ship} {way} {x} {y})")))
    });
    let fits = |placed: &String| {
        let squares = squares(placed);
        squares.iter().all(|&(x, y)| x <= 4 && y <= 4) && squares.is_disjoint(taken)
    };
    all.filter(fits).collect()
}

/// One battle; the goals.
fn play_battleship(game: &Game, rng: &mut ChaCha8Rng) -> [i32; 2] {
    let mut table = Table::new(game);
    // By captain and ship, the squares that are not hit.
    let mut seas = [BTreeMap::new(), BTreeMap::new()];
    for ship in ["cruiser", "destroyer"] {
        let moves = [0, 1].map(|captain: usize| {
            let taken = seas[captain].values().flatten().copied().collect();
            assert_eq!(table.legal(CAPTAINS[captain]), berths(ship, &taken));
            table.random_move(CAPTAINS[captain], rng)
        });
        let told = table.play(&[("blue", &moves[0]), ("red", &moves[1])]);
        assert!(told.values().all(Texts::is_empty));
        for captain in 0..2 {
            seas[captain].insert(ship, squares(&moves[captain]));
        }
    }
    let mut fired = [BTreeSet::new(), BTreeSet::new()];
    while seas.iter().all(|sea| sea.values().any(|squares| !squares.is_empty())) {
        assert_eq!(table.goals(), None);
        let shots = [0, 1].map(|captain: usize| {
            let shot = table.random_move(CAPTAINS[captain], rng);
            assert_eq!(table.legal(CAPTAINS[captain]).len(), 16 - fired[captain].len());
            assert!(fired[captain].insert(shot.clone()), "{shot} was fired before");
            shot
        });
        let told = table.play(&[("blue", &shots[0]), ("red", &shots[1])]);
        let mut expected = [1, 0].map(|other: usize| {
            let said = words(&shots[other]);
            texts([format!("(fire_at {} {})", said[1], said[2])])
        });
        for captain in 0..2 {
            let said = words(&shots[captain]);
            let square = (said[1].parse().expect("a column"), said[2].parse().expect("a row"));
            let sea = &mut seas[1 - captain];
            let hit = sea.iter().find(|(_, squares)| squares.contains(&square)).map(|(ship, _)| *ship);
            expected[captain].insert(if hit.is_some() { "hit" } else { "miss" }.to_owned());
            let Some(squares) = hit.and_then(|ship| sea.get_mut(ship)) else { continue };
            squares.remove(&square);
            let sunk = hit.filter(|_| squares.is_empty());
            expected[captain].extend(sunk.map(|ship| format!("(sunk {ship})")));
        }
        assert_eq!([0, 1].map(|captain: usize| told[CAPTAINS[captain]].clone()), expected);
    }
    let is_lost = [0, 1].map(|captain: usize| seas[captain].values().all(BTreeSet::is_empty));
    let expected = match is_lost {
        [true, true] => [50, 50],
        [false, _] => [100, 0],
        [true, false] => [0, 100],
    };
    let goals = table.goals().expect("the end");
    assert_eq!(CAPTAINS.map(|captain| goals[captain]), expected);
    expected
}

#[test]
fn ships_are_hit_and_sunk_as_an_umpire_says() {
    let game = compile("battleship-4x4");
    let ends = ends(1_931, 600, |rng| play_battleship(&game, rng));
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 20), "{ends:?}");
    let places: usize = berths("cruiser", &BTreeSet::new())
        .iter()
        .map(|placed| berths("destroyer", &squares(placed)).len())
        .sum();
    assert_eq!(places, 264, "what the facts of the game state");
}
