//! Small rummy beside a second account of its rules.

use std::collections::BTreeSet;

use croupier_engine::Game;
use croupier_tests::table::{Table, Texts, any, below, compile};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

/// The words of a term.
fn words(term: &str) -> Vec<&str> {
    term.split([' ', '(', ')']).filter(|word| !word.is_empty()).collect()
}

const PLAYERS: [&str; 2] = ["alice", "bob"];
const RANKS: [&str; 5] = ["ace", "two", "three", "four", "five"];
const SUITS: [&str; 4] = ["spades", "clubs", "diamonds", "hearts"];

/// Suit and rank, from 0; its points are one more than the rank.
type Card = (usize, usize);

fn card_text((suit, rank): Card) -> String {
    format!("{}{}", &"a2345"[rank..=rank], &SUITS[suit][..1])
}

fn card(text: &str) -> Card {
    let of = |letters: &str, at: usize| letters.find(&text[at..=at]).expect("a rank or a suit");
    (of("scdh", 1), of("a2345", 0))
}

fn points(cards: &BTreeSet<Card>) -> usize {
    cards.iter().map(|(_, rank)| rank + 1).sum()
}

fn is_meld(cards: &BTreeSet<Card>) -> bool {
    let suits: BTreeSet<_> = cards.iter().map(|card| card.0).collect();
    let ranks: BTreeSet<_> = cards.iter().map(|card| card.1).collect();
    let (low, high) = (ranks.first().unwrap_or(&0), ranks.last().unwrap_or(&0));
    cards.len() >= 3 && (ranks.len() == 1 || suits.len() == 1 && high - low + 1 == cards.len())
}

fn subsets(cards: &BTreeSet<Card>) -> Vec<BTreeSet<Card>> {
    let cards: Vec<_> = cards.iter().copied().collect();
    let subset =
        |bits: usize| (0..cards.len()).filter(|at| bits >> at & 1 == 1).map(|at| cards[at]).collect();
    (0..1 << cards.len()).map(subset).collect()
}

fn melds(cards: &BTreeSet<Card>) -> Vec<BTreeSet<Card>> {
    subsets(cards).into_iter().filter(is_meld).collect()
}

fn deadwood(cards: &BTreeSet<Card>) -> usize {
    let after = melds(cards).into_iter().map(|meld| deadwood(&(cards - &meld)));
    after.chain([points(cards)]).min().expect("all of them")
}

fn meld_text(meld: &BTreeSet<Card>) -> String {
    let (first, last) = (meld.first().expect("cards"), meld.last().expect("cards"));
    if first.0 == last.0 {
        return format!("(run {} {} {})", SUITS[first.0], RANKS[first.1], RANKS[last.1]);
    }
    let missing = (0..4).find(|&suit| !meld.contains(&(suit, first.1)));
    match missing {
        Some(suit) => format!("(three {} {})", RANKS[first.1], SUITS[suit]),
        None => format!("(four {})", RANKS[first.1]),
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Phase {
    /// How many have passed on the first upcard.
    Open(usize),
    Draw,
    Discard,
    KnockDiscard,
    Lay,
    LayOff,
    Meld,
    Wall,
    Over,
}

/// Gin rummy as it is kept at a table.
struct Rummy {
    hands: [BTreeSet<Card>; 2],
    up: Option<Card>,
    left: usize,
    player: usize,
    phase: Phase,
    took: Option<Card>,
    returned: bool,
    takes: usize,
    knocker: Option<usize>,
    laid: Vec<BTreeSet<Card>>,
    laid_off: BTreeSet<Card>,
}

impl Rummy {
    /// The cards from which the player to act could knock.
    fn knocking_hand(&self) -> BTreeSet<Card> {
        let upcard = self.up.filter(|_| self.phase == Phase::Wall);
        self.hands[self.player].iter().copied().chain(upcard).collect()
    }

    fn knock_discards(&self) -> Vec<Card> {
        let hand = self.knocking_hand();
        let without = |card: &Card| deadwood(&(&hand - &BTreeSet::from([*card]))) <= 5;
        hand.iter().copied().filter(without).collect()
    }

    fn fits(&self, card: Card) -> bool {
        let with = |meld: &BTreeSet<Card>, some: &BTreeSet<Card>| {
            is_meld(&(&(meld | some) | &BTreeSet::from([card])))
        };
        let helped = subsets(&self.laid_off);
        self.laid.iter().any(|meld| helped.iter().any(|some| with(meld, some)))
    }

    fn legal(&self) -> Texts {
        let hand = &self.hands[self.player];
        let discards =
            |cards: Vec<Card>| cards.into_iter().map(|card| format!("(discard {})", card_text(card)));
        let lays = |melds: Vec<BTreeSet<Card>>| {
            melds.into_iter().map(|meld| format!("(lay {})", meld_text(&meld))).collect::<Vec<_>>()
        };
        let knock = || (!self.knock_discards().is_empty()).then(|| "knock".to_owned());
        let word = |word: &str| word.to_owned();
        match self.phase {
            Phase::Open(2) => [word("draw")].into(),
            Phase::Open(_) => [word("take"), word("pass")].into(),
            Phase::Draw => [word("take"), word("draw")].into(),
            Phase::Discard => discards(hand.iter().copied().collect()).chain(knock()).collect(),
            Phase::KnockDiscard => discards(self.knock_discards()).collect(),
            Phase::Lay => {
                let leaves_little = |meld: &BTreeSet<Card>| deadwood(&(hand - meld)) <= 5;
                let done = (points(hand) <= 5).then(|| word("done"));
                lays(melds(hand).into_iter().filter(leaves_little).collect())
                    .into_iter()
                    .chain(done)
                    .collect()
            }
            Phase::LayOff => {
                let fitting = hand.iter().filter(|card| self.fits(**card));
                fitting.map(|card| format!("(lay_off {})", card_text(*card))).chain([word("done")]).collect()
            }
            Phase::Meld => lays(melds(hand)).into_iter().chain([word("done")]).collect(),
            Phase::Wall => knock().into_iter().chain([word("pass")]).collect(),
            Phase::Over => Texts::new(),
        }
    }

    /// Makes a move; whether a card from the stock follows.
    fn play(&mut self, played: &str) -> bool {
        let words = words(played);
        match (words[0], self.phase) {
            ("take", phase) => {
                self.takes += usize::from(phase == Phase::Draw);
                if self.takes == 50 {
                    self.phase = Phase::Over;
                    return false;
                }
                self.took = self.up.take();
                self.hands[self.player].extend(self.took);
                self.phase = Phase::Discard;
            }
            ("draw", _) => {
                (self.took, self.up, self.phase) = (None, None, Phase::Discard);
                self.left -= 1;
                return true;
            }
            ("pass", Phase::Open(passed)) => {
                (self.phase, self.player) = (Phase::Open(passed + 1), 1 - self.player)
            }
            ("pass", _) => self.phase = Phase::Over,
            ("knock", phase) => {
                self.hands[self.player].extend(self.up.filter(|_| phase == Phase::Wall));
                (self.knocker, self.phase) = (Some(self.player), Phase::KnockDiscard);
            }
            ("discard", phase) => self.discard(card(words[1]), phase == Phase::KnockDiscard),
            ("lay", phase) => {
                let hand = &self.hands[self.player];
                let meld =
                    melds(hand).into_iter().find(|meld| format!("(lay {})", meld_text(meld)) == played);
                let meld = meld.expect("a meld of the hand");
                self.hands[self.player] = hand - &meld;
                if phase == Phase::Lay {
                    self.laid.push(meld);
                }
            }
            ("lay_off", _) => {
                self.hands[self.player].remove(&card(words[1]));
                self.laid_off.insert(card(words[1]));
            }
            ("done", Phase::Lay) => {
                let is_gin = self.hands[self.player].is_empty();
                (self.phase, self.player) =
                    (if is_gin { Phase::Meld } else { Phase::LayOff }, 1 - self.player);
            }
            ("done", Phase::LayOff) => self.phase = Phase::Meld,
            ("done", _) => self.phase = Phase::Over,
            unknown => panic!("{unknown:?}"),
        }
        false
    }

    fn discard(&mut self, card: Card, knocks: bool) {
        assert!(self.hands[self.player].remove(&card), "{card:?} is in no hand");
        if knocks {
            self.phase = Phase::Lay;
            return;
        }
        let returns = self.took == Some(card);
        let is_over = returns && self.returned;
        (self.up, self.returned, self.player) = (Some(card), returns, 1 - self.player);
        self.phase = if is_over {
            Phase::Over
        } else if self.left == 2 {
            Phase::Wall
        } else {
            Phase::Draw
        };
    }

    fn goals(&self) -> [i32; 2] {
        let Some(knocker) = self.knocker else { return [50, 50] };
        let count = |player: usize| i32::try_from(points(&self.hands[player])).expect("a few points");
        let difference = count(1 - knocker) - count(knocker);
        let bonus = if count(knocker) == 0 { 10 } else { 0 } - if difference < 0 { 10 } else { 0 };
        let won = difference + bonus;
        if knocker == 0 { [50 + won, 50 - won] } else { [50 - won, 50 + won] }
    }
}

/// A rummy deal: the table, and the account of it.
fn deal_rummy<'g>(game: &'g Game, rng: &mut ChaCha8Rng) -> (Table<'g>, Rummy) {
    let mut table = Table::new(game);
    let mut hands = [BTreeSet::new(), BTreeSet::new()];
    let mut one = |table: &mut Table<'g>| {
        let dealt = table.random_move("random", rng);
        (table.play(&[("random", &dealt)]), words(&dealt)[1].to_owned())
    };
    for number in 0..12 {
        let player = number / 6;
        let (told, text) = one(&mut table);
        assert_eq!(told[PLAYERS[player]], [format!("(hole {text})")].into());
        assert!(told[PLAYERS[1 - player]].is_empty(), "{told:?}");
        hands[player].insert(card(&text));
    }
    let (told, text) = one(&mut table);
    assert!(PLAYERS.iter().all(|player| told[*player] == [format!("(turned_up {text})")].into()));
    let book = Rummy {
        hands,
        up: Some(card(&text)),
        left: 7,
        player: 0,
        phase: Phase::Open(0),
        took: None,
        returned: false,
        takes: 0,
        knocker: None,
        laid: Vec::new(),
        laid_off: BTreeSet::new(),
    };
    (table, book)
}

/// Plays to the end as `choose` says, and compares legal moves, percepts and goals all the way.
fn play_rummy(
    game: &Game,
    rng: &mut ChaCha8Rng,
    choose: impl Fn(&Rummy, &Texts, &mut ChaCha8Rng) -> String,
) -> Rummy {
    let (mut table, mut book) = deal_rummy(game, rng);
    while book.phase != Phase::Over {
        assert_eq!(table.goals(), None);
        let (player, phase, legal) = (book.player, book.phase, book.legal());
        assert_eq!(table.legal(PLAYERS[player]), legal, "{phase:?}");
        assert_eq!(table.legal(PLAYERS[1 - player]), ["noop".to_owned()].into());
        let played = choose(&book, &legal, rng);
        let told = table.play(&[(PLAYERS[player], &played)]);
        let draws = book.play(&played);
        let is_told = format!("(did {} {played})", PLAYERS[player]);
        assert!(told.iter().all(
            |(role, told)| told.contains(&is_told) != (role == "random" || phase == Phase::KnockDiscard)
        ));
        if draws {
            let drawn = table.random_move("random", rng);
            let told = table.play(&[("random", &drawn)]);
            let text = words(&drawn)[1];
            assert_eq!(told[PLAYERS[player]], [format!("(hole {text})")].into());
            assert!(told[PLAYERS[1 - player]].is_empty(), "{told:?}");
            book.hands[player].insert(card(text));
        }
    }
    let goals = table.goals().expect("the end");
    assert_eq!(PLAYERS.map(|player| goals[player]), book.goals());
    book
}

#[test]
fn rummy_is_played_as_it_is_kept_at_a_table() {
    let game = compile("gin-rummy-small");
    let mut rng = ChaCha8Rng::seed_from_u64(8);
    let mut met = [0; 5];
    for _ in 0..400 {
        let book = play_rummy(&game, &mut rng, |_, legal, rng| {
            let eager = legal.iter().find(|played| *played == "knock" || played.starts_with("(lay"));
            match eager {
                Some(played) if below(rng, 4) > 0 => played.clone(),
                _ => any(legal, rng),
            }
        });
        let goals = book.goals();
        let is_gin = book.knocker.is_some_and(|knocker| book.hands[knocker].is_empty());
        let is_undercut = book.knocker.is_some_and(|knocker| goals[knocker] < 50);
        let is_two = book.laid.len() == 2;
        let seen = [book.knocker.is_none(), is_gin, is_undercut, !book.laid_off.is_empty(), is_two];
        for (count, seen) in met.iter_mut().zip(seen) {
            *count += usize::from(seen);
        }
    }
    assert!(met.iter().all(|&count| count > 0), "draws, gins, undercuts, cards laid off, two melds: {met:?}");
}

/// Taking the upcard and discarding another card, for ever.
#[test]
fn rummy_ends_when_an_upcard_is_taken_for_the_fiftieth_time() {
    let game = compile("gin-rummy-small");
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    let book = play_rummy(&game, &mut rng, |book, legal, _| {
        let keeps = |played: &&String| {
            book.took.is_none_or(|took| **played != format!("(discard {})", card_text(took)))
        };
        if legal.contains("take") {
            "take".to_owned()
        } else {
            legal.iter().find(keeps).expect("a card").clone()
        }
    });
    assert_eq!((book.takes, book.knocker), (50, None));
}
