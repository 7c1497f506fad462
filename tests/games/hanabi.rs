//! Hanabi beside the bookkeeping of somebody who sees all cards, and plays them well enough to come to every end.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::Game;
use croupier_games::find_family;
use croupier_tests::table::{Table, Texts, below, compile, compile_text};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const PLAYERS: [&str; 5] = ["alice", "bob", "carol", "dave", "erin"];
const COLOURS: [&str; 5] = ["red", "yellow", "green", "white", "blue"];

/// Colour and rank.
type Card = (&'static str, usize);

/// The numbers of one game of the family.
#[derive(Clone, Copy)]
struct Size {
    players: usize,
    colours: usize,
    ranks: usize,
    hand: usize,
    hints: usize,
    lives: usize,
}

impl Size {
    fn copies(&self, rank: usize) -> usize {
        match rank {
            1 => 3,
            _ if rank == self.ranks => 1,
            _ => 2,
        }
    }
}

/// A match as it lies on the table.
struct Book {
    size: Size,
    deck: BTreeMap<Card, usize>,
    hands: Vec<Vec<Card>>,
    fireworks: BTreeMap<&'static str, usize>,
    hints: usize,
    lives: usize,
    turn: usize,
    /// Turns since the deck was empty.
    late: usize,
}

impl Book {
    fn new(size: Size) -> Self {
        let colours = &COLOURS[..size.colours];
        let ranks = (1..=size.ranks).map(|rank| (rank, size.copies(rank)));
        Self {
            size,
            deck: ranks
                .flat_map(|(rank, copies)| colours.iter().map(move |c| ((*c, rank), copies)))
                .collect(),
            hands: vec![Vec::new(); size.players],
            fireworks: colours.iter().map(|colour| (*colour, 0)).collect(),
            hints: size.hints,
            lives: size.lives,
            turn: 0,
            late: 0,
        }
    }

    fn has_deck(&self) -> bool {
        self.deck.values().any(|&copies| copies > 0)
    }

    /// Whose card is dealt now.
    fn drawer(&self) -> Option<usize> {
        let is_short = |player: &usize| self.hands[*player].len() < self.size.hand;
        (0..self.size.players).find(is_short).filter(|_| self.has_deck())
    }

    fn is_over(&self) -> bool {
        let is_complete = self.fireworks.values().all(|&rank| rank == self.size.ranks);
        self.lives == 0 || is_complete || self.late == self.size.players
    }

    fn points(&self) -> usize {
        if self.lives == 0 { 0 } else { self.fireworks.values().sum() }
    }

    fn fits(&self, (colour, rank): Card) -> bool {
        self.fireworks[colour] + 1 == rank
    }

    /// What the dealer may do: each copy is a move of its own, so that the chances are right.
    fn deals(&self) -> Texts {
        let copies = |(card, copies): (&Card, &usize)| {
            let (colour, rank) = *card;
            (1..=*copies).map(move |copy| format!("(deal {colour} {rank} {copy})"))
        };
        self.deck.iter().flat_map(copies).collect()
    }

    /// What the player to act may do.
    fn moves(&self) -> Texts {
        let own = 1..=self.hands[self.turn].len();
        let mut moves: Texts = own.clone().map(|place| format!("(play {place})")).collect();
        if self.hints < self.size.hints {
            moves.extend(own.map(|place| format!("(discard {place})")));
        }
        let others = (0..self.size.players).filter(|&other| other != self.turn && self.hints > 0);
        for (other, &(colour, rank)) in
            others.flat_map(|other| self.hands[other].iter().map(move |card| (other, card)))
        {
            moves.insert(format!("(tell {} {colour})", PLAYERS[other]));
            moves.insert(format!("(tell {} {rank})", PLAYERS[other]));
        }
        moves
    }

    /// Deals a card; what everybody is told, with `None` for who draws it.
    fn deal(&mut self, drawer: usize, card: Card) -> String {
        *self.deck.get_mut(&card).expect("a card of the deck") -= 1;
        self.hands[drawer].push(card);
        format!("(draws {} {} {})", PLAYERS[drawer], card.0, card.1)
    }

    /// Plays the move of the player to act; what everybody is told.
    fn act(&mut self, chosen: &str) -> Texts {
        let actor = PLAYERS[self.turn];
        let said: Vec<&str> = chosen.trim_matches(['(', ')']).split(' ').collect();
        let was_empty = !self.has_deck();
        let mut told = Texts::new();
        if said[0] == "tell" {
            self.hints -= 1;
            let other = PLAYERS.iter().position(|player| *player == said[1]).expect("a player");
            for (place, (colour, rank)) in (1..).zip(&self.hands[other]) {
                if *colour == said[2] || rank.to_string() == said[2] {
                    told.insert(format!("(tells {actor} {} {place} {})", said[1], said[2]));
                }
            }
        } else {
            let place: usize = said[1].parse().expect("a place");
            let card = self.hands[self.turn].remove(place - 1);
            told.insert(format!("({}s {actor} {place} {} {})", said[0], card.0, card.1));
            if said[0] == "discard" {
                self.hints += 1;
            } else if self.fits(card) {
                self.fireworks.insert(card.0, card.1);
                let completes = card.1 == self.size.ranks;
                self.hints = (self.hints + usize::from(completes)).min(self.size.hints);
            } else {
                self.lives -= 1;
                told.insert("failure".to_owned());
            }
        }
        self.turn = (self.turn + 1) % self.size.players;
        self.late += usize::from(was_empty);
        told
    }

    /// A move of somebody who sees all cards: mostly those that fit, seldom one that is lost.
    fn choose(&self, rng: &mut ChaCha8Rng) -> String {
        let moves: Vec<String> = self.moves().into_iter().collect();
        let places = 1..=self.hands[self.turn].len();
        let (good, bad): (Vec<usize>, Vec<usize>) =
            places.partition(|&place| self.fits(self.hands[self.turn][place - 1]));
        if !good.is_empty() && below(rng, 4) > 0 {
            return format!("(play {})", good[below(rng, good.len())]);
        }
        let is_spared = |chosen: &&String| !bad.iter().any(|place| **chosen == format!("(play {place})"));
        let spared: Vec<&String> = moves.iter().filter(is_spared).collect();
        if spared.is_empty() || below(rng, 40) == 0 {
            return moves[below(rng, moves.len())].clone();
        }
        spared[below(rng, spared.len())].clone()
    }
}

fn card(dealt: &str) -> Card {
    let said: Vec<&str> = dealt.trim_matches(['(', ')']).split(' ').collect();
    let colour = COLOURS.into_iter().find(|colour| *colour == said[1]).expect("a colour");
    (colour, said[2].parse().expect("a rank"))
}

/// One match; the book as it is closed.
fn play(game: &Game, size: Size, rng: &mut ChaCha8Rng) -> Book {
    let (mut table, mut book) = (Table::new(game), Book::new(size));
    let players = &PLAYERS[..size.players];
    let wait = || Texts::from(["noop".to_owned()]);
    while !book.is_over() {
        assert_eq!(table.goals(), None);
        let drawer = book.drawer();
        let dealt = if drawer.is_some() { book.deals() } else { wait() };
        assert_eq!(table.legal("random"), dealt);
        for (number, player) in players.iter().enumerate() {
            let acts = drawer.is_none() && number == book.turn;
            assert_eq!(table.legal(player), if acts { book.moves() } else { wait() }, "{player}");
        }
        if let Some(drawer) = drawer {
            let dealt = table.random_move("random", rng);
            let told = table.play(&[("random", &dealt)]);
            let shown = book.deal(drawer, card(&dealt));
            for (number, player) in players.iter().enumerate() {
                let expected = if number == drawer { "draw" } else { &shown };
                assert_eq!(told[*player], Texts::from([expected.to_owned()]), "{player}, {dealt}");
            }
        } else {
            let (actor, chosen) = (players[book.turn], book.choose(rng));
            let told = table.play(&[(actor, &chosen)]);
            let expected = book.act(&chosen);
            assert!(
                players.iter().all(|player| told[*player] == expected),
                "{chosen}: {told:?}, not {expected:?}"
            );
        }
    }
    let worth = i32::try_from(book.points() * (100 / (size.colours * size.ranks))).expect("at most 100");
    let goals = table.goals().expect("the end");
    assert!(players.iter().all(|player| goals[*player] == worth), "{goals:?}, not {worth}");
    book
}

/// Plays matches, and gives how many ended with no life, with all fireworks, and after the last turns.
fn ends(game: &Game, size: Size, seed: u64, matches: usize) -> [usize; 3] {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ends = [0; 3];
    let mut points = BTreeSet::new();
    for _ in 0..matches {
        let book = play(game, size, &mut rng);
        let is_complete = book.points() == size.colours * size.ranks;
        ends[if book.lives == 0 {
            0
        } else if is_complete {
            1
        } else {
            2
        }] += 1;
        points.insert(book.points());
    }
    assert!(points.len() > 3, "matches of all kinds: {points:?}");
    ends
}

#[test]
fn hanabi_is_dealt_told_and_counted_as_the_cards_lie() {
    let size = Size { players: 2, colours: 2, ranks: 5, hand: 2, hints: 3, lives: 1 };
    let ends = ends(&compile("hanabi-small"), size, 2_010, 400);
    assert!(ends.iter().all(|&count| count >= 10), "no life, all fireworks, last turns: {ends:?}");
}

#[test]
fn hanabi_of_other_sizes_is_the_same_game() {
    for (seed, [players, colours, ranks, hand, hints, lives]) in
        (1..).zip([[2, 5, 5, 5, 8, 3], [3, 2, 3, 2, 2, 2], [5, 3, 4, 2, 1, 9]])
    {
        let values = [players, colours, ranks, hand, hints, lives];
        let names = ["players", "colours", "ranks", "hand", "hints", "lives"];
        let named = names.into_iter().map(str::to_owned).zip(values.map(Into::into));
        let rules = find_family("hanabi").expect("a family").rules(&named.collect()).expect("a member");
        let [players, colours, ranks, hand, hints, lives] = values.map(|value| value as usize);
        let size = Size { players, colours, ranks, hand, hints, lives };
        let ends = ends(&compile_text(&rules), size, seed, 60);
        assert!(ends[2] > 0, "{ends:?}");
    }
}
