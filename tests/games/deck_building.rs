//! The deck-building game beside a pair of merchants who keep their cards in piles: every menu, percept and state of
//! matches at random, no card lost or doubled, and the exact chances of the first hands.

use std::{
    cmp::Ordering,
    collections::{BTreeMap, BTreeSet},
};

use croupier_engine::{Game, State};
use croupier_tests::table::{Table, Texts, any, compile, ends};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const PLAYERS: [&str; 2] = ["alice", "bob"];

/// Every kind: how many a player begins with, how many are for sale, its price, its points.
const KINDS: [(&str, usize, usize, usize, usize); 6] = [
    ("copper", 4, 0, 0, 0),
    ("courier", 0, 3, 2, 0),
    ("duchy", 0, 4, 3, 2),
    ("estate", 2, 0, 0, 1),
    ("province", 0, 3, 5, 4),
    ("silver", 0, 6, 2, 0),
];

fn kind(card: &str) -> (&'static str, usize, usize, usize, usize) {
    KINDS.into_iter().find(|kind| kind.0 == card).expect("a card of the game")
}

fn copies(pile: &[&str], card: &str) -> usize {
    pile.iter().filter(|other| **other == card).count()
}

/// Piles of cards in any order.
#[derive(Clone)]
struct Merchant {
    deck: Vec<&'static str>,
    hand: Vec<&'static str>,
    table: Vec<&'static str>,
    discard: Vec<&'static str>,
}

impl Merchant {
    fn new() -> Self {
        let deck = KINDS.iter().flat_map(|&(card, count, ..)| vec![card; count]).collect();
        Self { deck, hand: Vec::new(), table: Vec::new(), discard: Vec::new() }
    }

    fn points(&self) -> usize {
        let piles = [&self.deck, &self.hand, &self.table, &self.discard];
        piles.into_iter().flatten().map(|card| kind(card).4).sum()
    }

    fn coins(&self) -> usize {
        copies(&self.hand, "copper") + 2 * copies(&self.hand, "silver")
    }
}

/// A match as it is kept at a table.
struct Market {
    merchants: [Merchant; 2],
    for_sale: BTreeMap<&'static str, usize>,
    mover: usize,
    to_draw: usize,
    turns_left: usize,
}

impl Market {
    fn new() -> Self {
        let for_sale = KINDS.iter().filter(|kind| kind.2 > 0).map(|kind| (kind.0, kind.2)).collect();
        let merchants = [Merchant::new(), Merchant::new()];
        Self { merchants, for_sale, mover: 0, to_draw: 3, turns_left: 24 }
    }

    fn is_over(&self) -> bool {
        self.turns_left == 0 || self.for_sale["province"] == 0
    }

    /// What the rules should say that is true.
    fn fluents(&self) -> Texts {
        let mut fluents = Texts::from([format!("(turns_left {})", self.turns_left)]);
        for (merchant, name) in self.merchants.iter().zip(PLAYERS) {
            fluents.insert(format!("(points {name} {})", merchant.points()));
            let piles = [("deck", &merchant.deck), ("hand", &merchant.hand), ("discard", &merchant.discard)];
            for (zone, pile) in piles {
                fluents.extend(KINDS.map(|(card, ..)| {
                    let count = copies(pile, card);
                    format!("(count {name} {zone} {card} {count})")
                }));
            }
            fluents.extend(merchant.table.iter().map(|card| format!("{card}_out")));
        }
        fluents.extend(self.for_sale.iter().map(|(card, count)| format!("(supply {card} {count})")));
        fluents.insert(match (self.to_draw, PLAYERS[self.mover]) {
            (0, name) => format!("(deciding {name})"),
            (count, name) => format!("(drawing {name} {count})"),
        });
        fluents
    }

    /// What may be drawn, or what the merchant in turn may do.
    fn legal(&self) -> Texts {
        let merchant = &self.merchants[self.mover];
        if self.to_draw > 0 {
            let pile = if merchant.deck.is_empty() { &merchant.discard } else { &merchant.deck };
            let draws = KINDS.iter().flat_map(|&(card, ..)| {
                (1..=copies(pile, card)).map(move |copy| format!("(draw {card} {copy})"))
            });
            return draws.collect();
        }
        let on_offer = self.for_sale.iter().filter(|(_, count)| **count > 0);
        let affordable = on_offer.filter(|(card, _)| kind(card).3 <= merchant.coins());
        let sends = merchant.hand.contains(&"courier") && merchant.table.is_empty();
        let courier = sends.then(|| "play_courier".to_owned());
        let buys = affordable.map(|(card, _)| format!("(buy {card})"));
        buys.chain(courier).chain(["buy_nothing".to_owned()]).collect()
    }

    /// Makes a move, of chance or the merchant in turn; what that merchant and the other are told.
    fn play(&mut self, done: &str) -> [Texts; 2] {
        let name = PLAYERS[self.mover];
        let merchant = &mut self.merchants[self.mover];
        let words: Vec<&str> = done.trim_matches(['(', ')']).split(' ').collect();
        let both = |said: String| [Texts::from([said.clone()]), Texts::from([said])];
        match words[0] {
            "draw" => {
                let mut told = [Texts::new(), Texts::new()];
                if merchant.deck.is_empty() {
                    merchant.deck.append(&mut merchant.discard);
                    told = both(format!("(shuffles {name})"));
                }
                let card = kind(words[1]).0;
                let place = merchant.deck.iter().position(|other| *other == card).expect("it is in the deck");
                merchant.hand.push(merchant.deck.swap_remove(place));
                told[0].insert(format!("(you_draw {card})"));
                self.to_draw -= 1;
                return told;
            }
            "play_courier" => {
                let place = merchant.hand.iter().position(|card| *card == "courier").expect("a courier");
                merchant.table.push(merchant.hand.swap_remove(place));
                self.to_draw = 2;
                return both(format!("(sends_courier {name})"));
            }
            _ => {}
        }
        let bought = words.get(1).map(|card| kind(card).0);
        if let Some(card) = bought {
            *self.for_sale.get_mut(card).expect("it is for sale") -= 1;
            merchant.discard.push(card);
        }
        merchant.discard.append(&mut merchant.hand);
        merchant.discard.append(&mut merchant.table);
        self.mover = 1 - self.mover;
        self.to_draw = 3;
        self.turns_left -= 1;
        both(bought.map_or(format!("(buys_nothing {name})"), |card| format!("(buys {name} {card})")))
    }

    fn goals(&self) -> [i32; 2] {
        let [alice, bob] = &self.merchants;
        match alice.points().cmp(&bob.points()) {
            Ordering::Greater => [100, 0],
            Ordering::Equal => [50, 50],
            Ordering::Less => [0, 100],
        }
    }
}

/// Copies of each card in the numbers of the state, wherever they are: a count of its own.
fn cards_in(fluents: &Texts) -> BTreeMap<String, usize> {
    let mut cards = BTreeMap::new();
    for fluent in fluents {
        let words: Vec<&str> = fluent.trim_matches(['(', ')']).split(' ').collect();
        let (card, count) = match words[..] {
            ["count", _, _, card, count] | ["supply", card, count] => {
                (card, count.parse().expect("a number"))
            }
            ["courier_out"] => ("courier", 1),
            _ => continue,
        };
        *cards.entry(card.to_owned()).or_default() += count;
    }
    cards
}

/// One match, with the move of the merchant in turn by `choose`; the goals, and whether turns were left.
fn play(
    game: &Game,
    rng: &mut ChaCha8Rng,
    mut choose: impl FnMut(usize, &Texts, &mut ChaCha8Rng) -> String,
) -> ([i32; 2], bool) {
    let all: BTreeMap<String, usize> =
        KINDS.iter().map(|&(card, own, for_sale, ..)| (card.to_owned(), 2 * own + for_sale)).collect();
    let (mut table, mut market) = (Table::new(game), Market::new());
    loop {
        let fluents = table.fluents();
        assert_eq!(fluents, market.fluents());
        assert_eq!(cards_in(&fluents), all, "a card is lost or doubled");
        if market.is_over() {
            break;
        }
        assert_eq!(table.goals(), None);
        let chance_moves = market.to_draw > 0;
        let in_turn = if chance_moves { "random" } else { PLAYERS[market.mover] };
        let legal = market.legal();
        for role in ["alice", "bob", "random"] {
            let noop = Texts::from(["noop".to_owned()]);
            assert_eq!(table.legal(role), if role == in_turn { legal.clone() } else { noop });
        }
        let mover = market.mover;
        let done = match chance_moves {
            true => table.random_move("random", rng),
            false => choose(mover, &legal, rng),
        };
        let told = table.play(&[(in_turn, &done)]);
        let expected = market.play(&done);
        assert_eq!(told[PLAYERS[mover]], expected[0], "{done}");
        assert_eq!(told[PLAYERS[1 - mover]], expected[1], "{done}");
    }
    let goals = table.goals().expect("the end");
    let goals = PLAYERS.map(|player| goals[player]);
    assert_eq!(goals, market.goals());
    (goals, market.turns_left > 0)
}

#[test]
fn decks_are_built_as_merchants_with_piles_of_cards_do_it() {
    let game = compile("deck-building");
    let ends = ends(2_008, 300, |rng| play(&game, rng, |_, legal, rng| any(legal, rng)).0);
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 20), "{ends:?}");
}

/// What pays: every courier is played, and silver bought until a province can be.
fn thrifty(legal: &Texts) -> String {
    let wanted = ["play_courier", "(buy province)", "(buy silver)", "(buy duchy)", "(buy courier)"];
    (*wanted.iter().find(|done| legal.contains(**done)).unwrap_or(&"buy_nothing")).to_owned()
}

/// Points at once, and nothing else.
fn greedy(legal: &Texts) -> String {
    let wanted = ["(buy province)", "(buy duchy)"];
    (*wanted.iter().find(|done| legal.contains(**done)).unwrap_or(&"buy_nothing")).to_owned()
}

#[test]
fn who_buys_silver_first_beats_who_buys_points_at_once() {
    let game = compile("deck-building");
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let (mut sum, mut sold_out) = (0, 0);
    for number in 0..200 {
        let seat = number % 2;
        let (goals, is_early) =
            play(
                &game,
                &mut rng,
                |mover, legal, _| {
                    if mover == seat { thrifty(legal) } else { greedy(legal) }
                },
            );
        sum += goals[seat];
        sold_out += i32::from(is_early);
    }
    assert!(sum > 200 * 80, "{sum}");
    assert!((20..=180).contains(&sold_out), "matches end in both ways: {sold_out}");
}

/// Every order in which three of six cards can be drawn, by the number of coppers among them.
#[test]
fn the_first_hands_have_the_hypergeometric_distribution() {
    let game = compile("deck-building");
    let mut open: Vec<State> = vec![game.initial_state().clone()];
    for _ in 0..3 {
        let mut after = Vec::new();
        for state in open {
            for drawn in Table::at(&game, state.clone()).legal("random") {
                let mut table = Table::at(&game, state.clone());
                table.play(&[("random", &drawn)]);
                after.push(table.state().clone());
            }
        }
        open = after;
    }
    let mut coppers: BTreeMap<usize, usize> = BTreeMap::new();
    let mut with_silver = BTreeSet::new();
    for state in open {
        let mut table = Table::at(&game, state);
        let fluents = table.fluents();
        let count =
            (0..=3).find(|n| fluents.contains(&format!("(count alice hand copper {n})"))).expect("a number");
        *coppers.entry(count).or_default() += 1;
        if table.legal("alice").contains("(buy silver)") {
            with_silver.insert(count);
        }
    }
    // C(4, k) C(2, 3 - k) hands of C(6, 3), each in six orders.
    assert_eq!(coppers, BTreeMap::from([(1, 6 * 4), (2, 6 * 12), (3, 6 * 4)]));
    assert_eq!(with_silver, BTreeSet::from([2, 3]));
}
