//! Hold'em in all its variants against a hand evaluator and a bookkeeper that know nothing of the rules text.
//!
//! The evaluator is the crate `rs_poker`. The bookkeeper is below: blinds of 1 and 2; with limits bets of 2 and 4,
//! at most four bets a round, the big blind being the first; without limits 40 chips each, and bets of half the
//! pot, the pot, or everything.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use croupier_engine::{ByRole, Game, JointMove, Options, RoleId, Scratch, State, Status};
use croupier_tests::corpus::catalogue_game;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng as _, SeedableRng as _};
use rs_poker::core::{FlatHand, Rank, Rankable as _};

const PLAYERS: [&str; 2] = ["alice", "bob"];
const SHOWDOWNS: usize = 4_000;
const HANDS: usize = 2_000;

/// A game of the catalogue, and how it differs from the others.
#[derive(Clone, Copy, Debug)]
struct Variant {
    name: &'static str,
    ranks: &'static str,
    /// What each player has, where that limits the bets.
    stack: Option<i32>,
    /// Categories that can win a showdown, and those that are so often tied that it must come up.
    categories: [usize; 2],
    /// Chips that a player has put in at the end of the most expensive hand.
    most: i32,
}

const VARIANTS: [Variant; 3] = [
    Variant { name: "holdem", ranks: "akqjt98765432", stack: None, categories: [9, 9], most: 48 },
    Variant { name: "royal-holdem", ranks: "akqjt", stack: None, categories: [5, 4], most: 48 },
    Variant {
        name: "no-limit-holdem",
        ranks: "akqjt98765432",
        stack: Some(40),
        categories: [9, 9],
        most: 40,
    },
];

impl Variant {
    fn compile(self) -> Game {
        Game::compile(&catalogue_game(self.name).text, &Options::PLAY)
            .expect("a game of the catalogue compiles")
            .game
    }

    /// The cards as the rules name them: rank, then suit.
    fn deck(self) -> Vec<String> {
        let suits = ["s", "h", "d", "c"];
        self.ranks.chars().flat_map(|rank| suits.map(|suit| format!("{rank}{suit}"))).collect()
    }

    /// Chips that both may have put in at a showdown.
    fn stakes(self, rng: &mut ChaCha8Rng) -> i32 {
        match self.stack {
            None => 2 * (1 + i32::try_from(below(rng, 24)).expect("a small number")),
            Some(stack) => [2, 4, 6, 8, 12, 16, 18, 24, 32, 36, stack][below(rng, 11)],
        }
    }
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
fn nine_cards(variant: Variant, kind: usize, rng: &mut ChaCha8Rng) -> Vec<String> {
    let ranks = variant.ranks.len();
    let first = below(rng, ranks);
    let index = |position: usize| ((position / 4 + ranks - first) % ranks, position % 4);
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
    let mut cards: Vec<_> = variant
        .deck()
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
    for variant in VARIANTS {
        let game = variant.compile();
        let mut rng = ChaCha8Rng::seed_from_u64(52);
        // By category: showdowns won with it, and showdowns that were tied.
        let mut ends = [BTreeMap::<u8, usize>::new(), BTreeMap::new()];
        for showdown in 0..SHOWDOWNS {
            let cards = nine_cards(variant, showdown % 5, &mut rng);
            let hands = [cards[..2].to_vec(), cards[2..4].to_vec()];
            let chips = variant.stakes(&mut rng);
            let won = won_by_alice(&hands, &cards[4..], chips);
            let goals = showdown_goals(&game, &hands, &cards[4..], chips);
            assert_eq!(goals, [50 + won, 50 - won], "{}: {cards:?}", variant.name);
            let best = [0, 1].map(|player: usize| rank(hands[player].iter().chain(&cards[4..])));
            let best = best.into_iter().max().expect("two hands");
            *ends[usize::from(won == 0)].entry(category(best)).or_default() += 1;
        }
        let [winning, tied] = &ends;
        assert_eq!(winning.len(), variant.categories[0], "{}: every category won: {winning:?}", variant.name);
        assert!(tied.len() >= variant.categories[1], "{}: categories tied: {tied:?}", variant.name);
        println!("{}: {SHOWDOWNS} showdowns by category, won {winning:?}, tied {tied:?}", variant.name);
    }
}

/// The two cards that each deal gives to alice: her first, one of two for bob, her second.
fn holdings(game: &Game) -> BTreeSet<Vec<String>> {
    let random = game.roles().random().expect("a dealer");
    let mut scratch = game.scratch();
    let mut states = vec![game.initial_state().clone()];
    // Bob gets one of two cards, so that no card is always missing.
    for most in [usize::MAX, 2, usize::MAX] {
        let mut next = Vec::new();
        for state in &states {
            let Status::Running { legal } = game.status(state, &mut scratch).expect("a status") else {
                panic!("the deal is not the end");
            };
            assert_eq!(game.joint_moves(&legal).count(), legal[random].len(), "only the dealer has a choice");
            for joint_move in game.joint_moves(&legal).take(most) {
                next.push(game.successor(state, &joint_move, &mut scratch).expect("a successor"));
            }
        }
        states = next;
    }
    let card = |term: &str| Some(term.strip_prefix("(hand alice ")?.trim_end_matches(')').to_owned());
    states
        .iter()
        .map(|state| game.state_terms(state).iter().filter_map(|term| card(term)).collect())
        .collect()
}

/// By counting: n ranks in four suits make 4n(4n - 1) / 2 pairs of cards. What is alike but for the names of suits are
/// n pairs of one rank, and for two ranks one hand of one suit and one of two suits: n^2 classes, 169 with 13 ranks.
#[test]
fn the_two_cards_of_a_player_fall_into_169_classes() {
    for variant in VARIANTS {
        let holdings = holdings(&variant.compile());
        let ranks = variant.ranks.len();
        assert_eq!(holdings.len(), 4 * ranks * (4 * ranks - 1) / 2, "{}", variant.name);
        let mut classes: BTreeMap<(String, String, bool), usize> = BTreeMap::new();
        for cards in &holdings {
            let [first, second] = &cards[..] else { panic!("{cards:?} are not two cards") };
            let (mut low, mut high) = (&first[..1], &second[..1]);
            if low > high {
                (low, high) = (high, low);
            }
            *classes.entry((low.to_owned(), high.to_owned(), first[1..] == second[1..])).or_default() += 1;
        }
        assert_eq!(classes.len(), ranks * ranks, "{}", variant.name);
        for ((low, high, is_suited), count) in classes {
            let expected = if low == high {
                6
            } else if is_suited {
                4
            } else {
                12
            };
            assert_eq!(count, expected, "{}: {low}{high}", variant.name);
        }
    }
}

/// Goals where both have put in `chips` and show these hands.
fn showdown_goals(game: &Game, hands: &[Vec<String>; 2], board: &[String], chips: i32) -> [i32; 2] {
    let mut terms = vec!["(round showdown)".to_owned()];
    for (player, hand) in PLAYERS.iter().zip(hands) {
        terms.push(format!("(paid {player} {chips})"));
        terms.extend(hand.iter().map(|card| format!("(hand {player} {card})")));
    }
    terms.extend(board.iter().map(|card| format!("(board {card})")));
    let state = game.state_of(terms.iter().map(String::as_str)).expect("ground terms");
    let mut scratch = game.scratch();
    assert_eq!(game.is_terminal(&state, &mut scratch), Ok(true));
    goals(game, &state, &mut scratch)
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

/// A hand of hold'em as a dealer with pencil and paper keeps it.
#[derive(Debug)]
struct Book {
    variant: Variant,
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
    fn new(variant: Variant) -> Self {
        Self {
            variant,
            dealt: Vec::new(),
            speaker: None,
            paid: [1, 2],
            bets: 0,
            has_checked: false,
            street: 0,
            folded: None,
        }
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
        match (self.variant.stack, self.bets) {
            (None, 0) => moves.push("bet"),
            (None, 1..4) => moves.push("raise"),
            (None, _) => {}
            (Some(stack), _) if self.paid[1 - player] == stack => {}
            (Some(stack), _) => {
                moves.push("all_in");
                let is_less = |size: &&str| self.raised_to(player, size) < stack;
                moves.extend(["half_pot", "pot"].iter().filter(|size| is_less(size)));
            }
        }
        moves.into_iter().collect()
    }

    /// What a player will have put in after calling and adding a bet.
    fn raised_to(&self, player: usize, bet: &str) -> i32 {
        let called = self.paid[1 - player];
        let pot = 2 * called;
        match bet {
            "half_pot" => called + pot / 2,
            "pot" => called + pot,
            "all_in" => self.variant.stack.expect("only without limits"),
            _ if self.street < 2 => called + 2,
            _ => called + 4,
        }
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
        self.has_checked = false;
        if self.variant.stack.is_some_and(|stack| self.paid == [stack; 2]) {
            self.street += usize::from(street == 3);
        } else {
            self.speaker = Some(usize::from(street > 0));
        }
    }

    fn act(&mut self, played: &str) {
        let player = self.speaker.expect("somebody speaks");
        let is_limp = played == "call" && self.street == 0 && self.bets == 1;
        let mut is_round_over = played == "call" && !is_limp;
        match played {
            "fold" => self.folded = Some(player),
            "call" => self.paid[player] = self.paid[1 - player],
            "bet" | "raise" | "half_pot" | "pot" | "all_in" => {
                self.paid[player] = self.raised_to(player, played);
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
                let undealt =
                    self.book.variant.deck().into_iter().filter(|card| !self.book.dealt.contains(card));
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
            let raises = ["bet", "raise", "half_pot", "pot"];
            if is_wild && legal.iter().any(|played| raises.contains(&played.as_str())) {
                legal.retain(|played| raises.contains(&played.as_str()));
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
    for variant in VARIANTS {
        let game = variant.compile();
        let mut rng = ChaCha8Rng::seed_from_u64(1_302_540);
        let (mut showdowns, mut largest, mut turns) = (0, 0, 0);
        for hand in 0..HANDS {
            let (scratch, state) = (game.scratch(), game.initial_state().clone());
            let book = Book::new(variant);
            let mut table = Table { game: &game, scratch, state, book, told: Default::default() };
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
        assert_eq!(largest, variant.most, "some hand has all the bets there can be");
        println!("{}: {HANDS} hands, {turns} turns, {showdowns} showdowns", variant.name);
    }
}
