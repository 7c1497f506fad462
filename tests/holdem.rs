//! Hold'em against a hand evaluator and a bookkeeper that know nothing of the rules text.
//!
//! The evaluator is the crate `rs_poker`. The bookkeeper is below: blinds of 1 and 2, bets of 2 and 4, at
//! most four bets a round, the big blind being the first.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use croupier_engine::{ByRole, Game, JointMove, Options, RoleId, Scratch, State};
use croupier_tests::corpus::catalogue_game;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use rs_poker::core::{FlatHand, Rank, Rankable as _};

const PLAYERS: [&str; 2] = ["alice", "bob"];
const SHOWDOWNS: usize = 4_000;
const HANDS: usize = 2_000;

fn holdem() -> Game {
    Game::compile(&catalogue_game("holdem").text, &Options::PLAY)
        .expect("a game of the catalogue compiles")
        .game
}

/// The 52 cards as the rules name them: rank, then suit.
fn deck() -> Vec<String> {
    let suits = ["s", "h", "d", "c"];
    "akqjt98765432".chars().flat_map(|rank| suits.map(|suit| format!("{rank}{suit}"))).collect()
}

fn rank<'c>(cards: impl Iterator<Item = &'c String>) -> Rank {
    let text: String = cards.map(|card| card[..1].to_uppercase() + &card[1..]).collect();
    FlatHand::new_from_str(&text).expect("seven cards").rank()
}

/// What alice wins with these hands when both have put in `chips`.
fn won_by_alice(hands: &[Vec<String>; 2], board: &[String], chips: i32) -> i32 {
    let [alice, bob] = [0, 1].map(|player: usize| rank(hands[player].iter().chain(board)));
    match alice.cmp(&bob) {
        Ordering::Greater => chips,
        Ordering::Equal => 0,
        Ordering::Less => -chips,
    }
}

fn below(rng: &mut ChaCha8Rng, bound: usize) -> usize {
    let bound = u64::try_from(bound).expect("a small bound");
    usize::try_from(rng.next_u64() % bound).expect("it is below the bound")
}

fn shuffle(cards: &mut [String], rng: &mut ChaCha8Rng) {
    for end in (1..cards.len()).rev() {
        cards.swap(end, below(rng, end + 1));
    }
}

/// Nine cards: from the whole deck, from few ranks, from few suits, or from one end of the ranks and few
/// suits, so that every category and every kind of tie is frequent.
fn nine_cards(kind: usize, rng: &mut ChaCha8Rng) -> Vec<String> {
    let first = below(rng, 13);
    let index = |position: usize| ((position / 4 + 13 - first) % 13, position % 4);
    let is_wanted = |position: usize| {
        let (rank, suit) = index(position);
        match kind {
            0 => true,
            1 => rank < 4,
            2 => suit < 2,
            3 => rank < 7,
            _ => rank < 8 && suit < 2,
        }
    };
    let mut cards: Vec<_> = deck()
        .into_iter()
        .enumerate()
        .filter(|(position, _)| is_wanted(*position))
        .map(|(_, card)| card)
        .collect();
    shuffle(&mut cards, rng);
    cards.truncate(9);
    cards
}

fn goals(game: &Game, state: &State, scratch: &mut Scratch) -> [i32; 2] {
    PLAYERS.map(|player| {
        let role = game.roles().find(player).expect("a player of the game");
        let goal = game.goal(state, role, scratch).expect("one goal");
        goal.expect("a goal in a terminal state").value()
    })
}

#[test]
fn showdowns_go_to_the_hand_that_another_evaluator_ranks_higher() {
    let game = holdem();
    let mut scratch = game.scratch();
    let mut rng = ChaCha8Rng::seed_from_u64(52);
    let mut winning: BTreeMap<u8, usize> = BTreeMap::new();
    let mut tied: BTreeMap<u8, usize> = BTreeMap::new();
    for showdown in 0..SHOWDOWNS {
        let cards = nine_cards(showdown % 5, &mut rng);
        let hands = [cards[..2].to_vec(), cards[2..4].to_vec()];
        let board = &cards[4..];
        let chips = 2 * (1 + i32::try_from(below(&mut rng, 24)).expect("a small number"));
        let mut terms = vec!["(round showdown)".to_owned()];
        for (player, hand) in PLAYERS.iter().zip(&hands) {
            terms.push(format!("(paid {player} {chips})"));
            terms.extend(hand.iter().map(|card| format!("(hand {player} {card})")));
        }
        terms.extend(board.iter().map(|card| format!("(board {card})")));
        let state = game.state_of(terms.iter().map(String::as_str)).expect("ground terms");
        assert_eq!(game.is_terminal(&state, &mut scratch), Ok(true));
        let won = won_by_alice(&hands, board, chips);
        assert_eq!(goals(&game, &state, &mut scratch), [50 + won, 50 - won], "{hands:?} {board:?}");
        let best = [0, 1].map(|player: usize| rank(hands[player].iter().chain(board))).into_iter().max();
        let counts = if won == 0 { &mut tied } else { &mut winning };
        *counts.entry(category(best.expect("two hands"))).or_default() += 1;
    }
    assert_eq!(winning.len(), 9, "every category won a showdown: {winning:?}");
    assert_eq!(tied.len(), 9, "every category was tied: {tied:?}");
    println!("{SHOWDOWNS} showdowns by category, won {winning:?}, tied {tied:?}");
}

fn category(rank: Rank) -> u8 {
    match rank {
        Rank::HighCard(_) => 0,
        Rank::OnePair(_) => 1,
        Rank::TwoPair(_) => 2,
        Rank::ThreeOfAKind(_) => 3,
        Rank::Straight(_) => 4,
        Rank::Flush(_) => 5,
        Rank::FullHouse(_) => 6,
        Rank::FourOfAKind(_) => 7,
        Rank::StraightFlush(_) => 8,
    }
}

/// What the nine cards are: whose hole card, or `None` on the board.
const SEATS: [Option<usize>; 9] = [Some(0), Some(1), Some(0), Some(1), None, None, None, None, None];

/// A hand of limit hold'em as a dealer with pencil and paper keeps it.
#[derive(Debug, Default)]
struct Book {
    dealt: Vec<String>,
    /// Whoever is to speak; nobody while cards are dealt.
    speaker: Option<usize>,
    paid: [i32; 2],
    bets: usize,
    has_checked: bool,
    street: usize,
    folded: Option<usize>,
}

impl Book {
    fn new() -> Self {
        Self { paid: [1, 2], ..Self::default() }
    }

    fn is_over(&self) -> bool {
        self.folded.is_some() || self.street == 4
    }

    fn legal(&self, player: usize) -> BTreeSet<&'static str> {
        if self.speaker != Some(player) {
            return BTreeSet::from(["noop"]);
        }
        let owes = self.paid[player] < self.paid[1 - player];
        let mut moves = if owes { vec!["fold", "call"] } else { vec!["check"] };
        match self.bets {
            0 => moves.push("bet"),
            1..4 => moves.push("raise"),
            _ => {}
        }
        moves.into_iter().collect()
    }

    fn deal(&mut self, card: &str) {
        self.dealt.push(card.to_owned());
        let street = match self.dealt.len() {
            4 => 0,
            7 => 1,
            8 => 2,
            9 => 3,
            _ => return,
        };
        self.street = street;
        self.bets = usize::from(street == 0);
        self.speaker = Some(usize::from(street > 0));
        self.has_checked = false;
    }

    fn act(&mut self, played: &str) {
        let player = self.speaker.expect("somebody speaks");
        let is_limp = played == "call" && self.street == 0 && self.bets == 1;
        let mut is_round_over = played == "call" && !is_limp;
        match played {
            "fold" => self.folded = Some(player),
            "call" => self.paid[player] = self.paid[1 - player],
            "bet" | "raise" => {
                let size = if self.street < 2 { 2 } else { 4 };
                self.paid[player] = self.paid[1 - player] + size;
                self.bets += 1;
            }
            _ => {
                is_round_over = self.has_checked || (self.street == 0 && player == 1);
                self.has_checked = true;
            }
        }
        self.speaker = Some(1 - player);
        if is_round_over || self.folded.is_some() {
            self.speaker = None;
            self.street += usize::from(self.street == 3);
        }
    }

    fn hands(&self) -> [Vec<String>; 2] {
        [0, 1].map(|player| self.seats(Some(player)))
    }

    fn seats(&self, seat: Option<usize>) -> Vec<String> {
        self.dealt.iter().zip(SEATS).filter(|(_, of)| *of == seat).map(|(card, _)| card.clone()).collect()
    }

    fn won_by_alice(&self) -> i32 {
        match self.folded {
            Some(0) => -self.paid[0],
            Some(_) => self.paid[1],
            None => won_by_alice(&self.hands(), &self.seats(None), self.paid[0]),
        }
    }
}

/// One hand at the engine's table, with the book beside it.
struct Table<'g> {
    game: &'g Game,
    scratch: Scratch,
    state: State,
    book: Book,
    /// All that each player was told.
    told: [Vec<String>; 2],
}

impl Table<'_> {
    fn role(&self, name: &str) -> RoleId {
        self.game.roles().find(name).expect("a role of the game")
    }

    fn legal(&mut self, role: &str) -> BTreeSet<String> {
        let legal =
            self.game.legal_moves(&self.state, self.role(role), &mut self.scratch).expect("legal moves");
        legal.iter().map(|&id| self.game.move_text(id).to_string()).collect()
    }

    fn compare_legal(&mut self) {
        for (player, name) in PLAYERS.iter().enumerate() {
            let expected: BTreeSet<_> = self.book.legal(player).into_iter().map(str::to_owned).collect();
            assert_eq!(self.legal(name), expected, "{name}, {:?}", self.book);
        }
        let expected: BTreeSet<_> = match self.book.speaker {
            Some(_) => BTreeSet::from(["noop".to_owned()]),
            None => {
                let undealt = deck().into_iter().filter(|card| !self.book.dealt.contains(card));
                undealt.map(|card| format!("(deal {card})")).collect()
            }
        };
        assert_eq!(self.legal("random"), expected, "{:?}", self.book);
    }

    /// Cards at random; players fold less than they might, so that most hands reach a showdown, and in
    /// some hands they always raise.
    fn turn(&mut self, is_wild: bool, rng: &mut ChaCha8Rng) {
        self.compare_legal();
        let moves = ["alice", "bob", "random"].map(|role| {
            let mut legal: Vec<_> = self.legal(role).into_iter().collect();
            if legal.len() > 1 && below(rng, 12) > 0 {
                legal.retain(|played| played != "fold");
            }
            if is_wild && legal.iter().any(|played| played == "bet" || played == "raise") {
                legal.retain(|played| played == "bet" || played == "raise");
            }
            (role, legal.swap_remove(below(rng, legal.len())))
        });
        let joint_move = self.joint_move(&moves.clone().into());
        match self.book.speaker {
            None => self.book.deal(moves[2].1.trim_start_matches("(deal ").trim_end_matches(')')),
            Some(player) => self.book.act(&moves[player].1),
        }
        let turn = self.game.turn(&self.state, &joint_move, &mut self.scratch).expect("a turn");
        for (told, name) in self.told.iter_mut().zip(PLAYERS) {
            let role = self.game.roles().find(name).expect("a player of the game");
            told.extend(self.game.percept_terms(&turn.percepts[role]).iter().map(ToString::to_string));
        }
        self.state = turn.successor;
    }

    fn joint_move(&mut self, moves: &BTreeMap<&str, String>) -> JointMove {
        let found = ByRole::try_from_fn(self.game.roles(), |role| {
            let text = &moves[self.game.roles().name(role)];
            self.game.find_move(&self.state, role, text, &mut self.scratch)
        });
        let found = found.expect("legal moves");
        self.game.joint_move(&self.state, found, &mut self.scratch).expect("a joint move")
    }

    /// Own hole cards and the board are told; the opponent's are told only at a showdown.
    fn compare_told(&self) {
        let hands = self.book.hands();
        for player in [0, 1] {
            let told = self.told[player].join(" ");
            let is_told = |card: &String| told.split([' ', '(', ')']).any(|word| word == card);
            assert!(hands[player].iter().all(is_told), "{told}");
            assert!(self.book.seats(None).iter().all(is_told), "{told}");
            let shown = hands[1 - player].iter().filter(|card| is_told(card)).count();
            let expected = if self.book.folded.is_some() { 0 } else { 2 };
            assert_eq!(shown, expected, "cards of the opponent that {} was told: {told}", PLAYERS[player]);
        }
    }
}

#[test]
fn betting_pot_and_percepts_agree_with_a_bookkeeper() {
    let game = holdem();
    let mut rng = ChaCha8Rng::seed_from_u64(1_302_540);
    let (mut showdowns, mut largest, mut turns) = (0, 0, 0);
    for hand in 0..HANDS {
        let (scratch, state) = (game.scratch(), game.initial_state().clone());
        let mut table = Table { game: &game, scratch, state, book: Book::new(), told: Default::default() };
        while !table.game.is_terminal(&table.state, &mut table.scratch).expect("an answer") {
            assert!(!table.book.is_over(), "the book is closed: {:?}", table.book);
            table.turn(hand % 8 == 0, &mut rng);
            turns += 1;
        }
        assert!(table.book.is_over(), "the book is open: {:?}", table.book);
        let won = table.book.won_by_alice();
        let goals = goals(&game, &table.state, &mut table.scratch);
        assert_eq!(goals, [50 + won, 50 - won], "{:?}", table.book);
        assert_eq!(goals.iter().sum::<i32>(), 100, "chips are conserved");
        table.compare_told();
        showdowns += usize::from(table.book.folded.is_none());
        largest = largest.max(table.book.paid[0]);
    }
    assert!(showdowns * 2 > HANDS, "most hands reach a showdown: {showdowns}");
    assert_eq!(largest, 48, "some hand has all sixteen bets");
    println!("{HANDS} hands, {turns} turns, {showdowns} showdowns");
}
