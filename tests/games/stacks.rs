//! No-limit hold'em in chips: what everybody has after the hand, against a cashier who knows nothing of the rules text, and
//! the betting against a bookkeeper: any stacks, any blinds, every amount.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{Game, Options, game::Backend};
use croupier_games::{GameFacts, ParameterValues, find_family};
use croupier_tests::table::{Table, any, below, compile_text};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

use crate::side_pots::{NAMES, Position};

/// Who sits at a table, with how many chips, from alice on; she has the button.
struct Seats {
    stacks: Vec<i32>,
    blinds: (i32, i32),
    values: ParameterValues,
}

impl Seats {
    fn new(stacks: &[i32], blinds: (i32, i32), bets: &str) -> Self {
        let chips = |chips: i32| u32::try_from(chips).expect("chips");
        let values = [
            ("players", u32::try_from(stacks.len()).expect("few players").into()),
            ("stacks", stacks.iter().map(|&stack| chips(stack)).collect::<Vec<_>>().into()),
            ("small-blind", chips(blinds.0).into()),
            ("big-blind", chips(blinds.1).into()),
            ("bets", bets.into()),
        ];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into();
        Self { stacks: stacks.to_vec(), blinds, values }
    }

    fn rules(&self) -> String {
        find_family("no-limit-holdem").expect("the family").rules(&self.values).expect("a member")
    }

    fn facts(&self) -> GameFacts {
        let family = find_family("no-limit-holdem").expect("the family");
        let text = family.facts(&self.values).expect("a member").expect("words");
        GameFacts::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"))
    }

    fn names(&self) -> &'static [&'static str] {
        &NAMES[..self.stacks.len()]
    }

    /// From the button's left, as pots are split, with the chips of each.
    fn seen_from_the_left(&self) -> (Vec<&'static str>, Vec<i32>) {
        let (mut names, mut stacks) = (self.names().to_vec(), self.stacks.clone());
        names.rotate_left(1);
        stacks.rotate_left(1);
        (names, stacks)
    }
}

/// The numbers of a fluent by player: `(stack bob 3)`.
fn chips(table: &Table<'_>, fluent: &str) -> BTreeMap<String, i32> {
    let fluents = table.fluents();
    let prefix = format!("({fluent} ");
    let rest = fluents.iter().filter_map(|term| term.strip_prefix(&prefix)?.strip_suffix(')'));
    let pairs = rest.filter_map(|rest| rest.split_once(' '));
    pairs.map(|(player, chips)| (player.to_owned(), chips.parse().expect("chips"))).collect()
}

/// A hand that is over, before the pots are paid.
fn over(game: &Game, seats: &Seats, position: &Position) -> Vec<String> {
    let (names, stacks) = seats.seen_from_the_left();
    let mut terms = vec!["(round showdown)".to_owned()];
    for (player, name) in names.iter().enumerate() {
        terms.push(format!("(stack {name} {})", stacks[player] - position.paid[player]));
        terms.push(format!("(began {name} {})", stacks[player] - position.paid[player]));
        terms.push(format!("(in_front {name} 0)"));
        terms.extend(position.has_folded[player].then(|| format!("(folded {name})")));
        let hole = &position.cards[2 * player..2 * player + 2];
        terms.extend(hole.iter().map(|card| format!("(hand {name} {card})")));
    }
    let board = &position.cards[2 * names.len()..];
    terms.extend(board.iter().map(|card| format!("(board {card})")));
    assert_eq!(game.roles().players().count(), names.len());
    terms
}

#[test]
fn everybody_has_what_a_cashier_pays_out() {
    let tables: [(&[i32], usize); 6] = [
        (&[40, 40], 300),
        (&[40, 1], 100),
        (&[40, 20, 30], 600),
        (&[1, 2, 3, 4, 5], 300),
        (&[40, 24, 32, 40, 8, 16], 300),
        (&[40, 35, 3, 25, 20, 15, 10, 40, 1], 200),
    ];
    for (stacks, positions) in tables {
        let seats = Seats::new(stacks, (1, 2), "all");
        let game = compile_text(&seats.rules());
        let (names, from_left) = seats.seen_from_the_left();
        let mut rng = ChaCha8Rng::seed_from_u64(8);
        let mut pots = BTreeSet::new();
        for _ in 0..positions {
            let position = Position::random(&from_left, &mut rng);
            let terms = over(&game, &seats, &position);
            let state = game.state_of(terms.iter().map(String::as_str)).expect("ground terms");
            let payouts = position.payouts();
            let expected: BTreeMap<String, i32> = (0..names.len())
                .map(|player| {
                    let left = from_left[player] - position.paid[player];
                    (names[player].to_owned(), left + payouts[player])
                })
                .collect();
            let draws = Table::at(&game, state.clone()).legal("random");
            let mut sums: BTreeMap<String, i32> = BTreeMap::new();
            for draw in &draws {
                let mut table = Table::at(&game, state.clone());
                table.play(&[("random", draw)]);
                assert_eq!(chips(&table, "stack"), expected, "{position:?}");
                let goals = table.goals().expect("the end");
                goals.into_iter().for_each(|(name, goal)| *sums.entry(name).or_default() += goal);
            }
            // Over all draws of the race the goals come to the chips, as if all had begun with the second largest stack.
            let mut sorted = stacks.to_vec();
            sorted.sort_unstable();
            let second = sorted[sorted.len() - 2];
            for (name, stack) in seats.names().iter().zip(stacks) {
                assert_eq!(sums[*name], second + expected[*name] - stack, "{name} of {position:?}");
            }
            let stakes = position.paid.iter().zip(&position.has_folded).filter(|(_, folded)| !**folded);
            pots.insert(stakes.map(|(paid, _)| paid).collect::<BTreeSet<_>>().len());
        }
        assert!(pots.len() >= stacks.len().min(3) - 1, "{pots:?}");
    }
}

/// What a bookkeeper knows of a hand, by the moves alone.
struct Bookkeeper {
    front: BTreeMap<String, i32>,
    behind: BTreeMap<String, i32>,
    folded: BTreeSet<String>,
    last_raise: i32,
    big_blind: i32,
    round: String,
}

impl Bookkeeper {
    fn new(seats: &Seats) -> Self {
        let (left, _) = seats.seen_from_the_left();
        let posts = match left.len() {
            2 => [("alice", seats.blinds.0), ("bob", seats.blinds.1)],
            _ => [(left[0], seats.blinds.0), (left[1], seats.blinds.1)],
        };
        let mut book = Self {
            front: seats.names().iter().map(|name| ((*name).to_owned(), 0)).collect(),
            behind: seats.names().iter().map(|name| (*name).to_owned()).zip(seats.stacks.clone()).collect(),
            folded: BTreeSet::new(),
            last_raise: 0,
            big_blind: seats.blinds.1,
            round: "(round preflop)".to_owned(),
        };
        posts.into_iter().for_each(|(name, blind)| book.put(name, blind));
        book
    }

    /// Chips go in front of a player until so many lie there, or all there are.
    fn put(&mut self, name: &str, amount: i32) {
        let front = self.front.get_mut(name).expect("a player");
        let behind = self.behind.get_mut(name).expect("a player");
        let more = (amount - *front).min(*behind);
        *front += more;
        *behind -= more;
    }

    fn asked(&self) -> i32 {
        let highest = *self.front.values().max().expect("players");
        let can_bet = self.behind.iter().filter(|(name, chips)| **chips > 0 && !self.folded.contains(*name));
        if self.round == "(round preflop)" && can_bet.count() > 1 {
            highest.max(self.big_blind)
        } else {
            highest
        }
    }

    /// The least and the greatest amount that is less than everything, if there are any.
    fn amounts(&self, name: &str) -> std::ops::Range<i32> {
        self.asked() + self.last_raise.max(self.big_blind)..self.front[name] + self.behind[name]
    }

    fn take(&mut self, name: &str, played: &str) {
        let asked = self.asked();
        let everything = self.front[name] + self.behind[name];
        let amount = match played {
            "fold" => {
                self.folded.insert(name.to_owned());
                return;
            }
            "check" => return,
            "call" => asked,
            "all_in" => everything,
            _ => played.trim_matches(['(', ')']).split_once(' ').expect("a number").1.parse().expect("chips"),
        };
        self.put(name, amount);
        if played != "call" && amount - asked >= self.last_raise {
            self.last_raise = amount - asked;
        }
    }

    /// The round that is played at the table: in a new one nobody has bet.
    fn come_to(&mut self, table: &Table<'_>) {
        let fluents = table.fluents();
        let round = fluents.iter().find(|fluent| fluent.starts_with("(round ")).expect("a round");
        if *round != self.round {
            self.front.values_mut().for_each(|chips| *chips = 0);
            self.last_raise = 0;
            self.round.clone_from(round);
        }
    }
}

/// A move that people would make: seldom a raise, and mostly a small one.
fn choice(table: &mut Table<'_>, name: &str, rng: &mut ChaCha8Rng) -> String {
    let legal = table.legal(name);
    let passive = ["check", "call"].into_iter().find(|played| legal.contains(*played)).expect("one of them");
    match below(rng, 8) {
        0 if legal.contains("fold") => "fold".to_owned(),
        0..=4 => passive.to_owned(),
        5 => any(&legal, rng),
        _ => {
            let amount = |played: &String| played.trim_matches(['(', ')']).split_once(' ')?.1.parse().ok();
            let least = legal
                .iter()
                .filter(|played| amount(played).is_some())
                .min_by_key(|played| amount(played).unwrap_or(i32::MAX));
            least.cloned().unwrap_or_else(|| any(&legal, rng))
        }
    }
}

/// Plays a hand beside the bookkeeper, and counts what was played.
fn play(game: &Game, seats: &Seats, rng: &mut ChaCha8Rng, played: &mut BTreeMap<String, usize>) {
    let (mut table, mut book) = (Table::new(game), Bookkeeper::new(seats));
    while table.goals().is_none() {
        let speaker = seats.names().iter().find(|name| !table.legal(name).contains("noop"));
        let Some(&name) = speaker else {
            let drawn = table.random_move("random", rng);
            table.play(&[("random", &drawn)]);
            continue;
        };
        book.come_to(&table);
        assert_eq!(chips(&table, "in_front"), book.front, "{:?}", table.fluents());
        assert_eq!(chips(&table, "stack"), book.behind);
        let legal = table.legal(name);
        let owes = book.asked() > book.front[name];
        assert_eq!(legal.contains("fold"), owes);
        assert_eq!(legal.contains("call"), owes);
        assert_eq!(legal.contains("check"), !owes);
        let verb = if book.asked() == 0 { "bet" } else { "raise_to" };
        let amounts: BTreeSet<String> = legal.iter().filter(|played| played.contains(' ')).cloned().collect();
        if legal.contains("all_in") {
            let expected = book.amounts(name).map(|amount| format!("({verb} {amount})")).collect();
            assert_eq!(amounts, expected, "{:?}", table.fluents());
        } else {
            assert!(amounts.is_empty());
        }
        let choice = choice(&mut table, name, rng);
        table.play(&[(name, &choice)]);
        book.take(name, &choice);
        *played.entry(choice.split(' ').next().unwrap_or_default().to_owned()).or_default() += 1;
    }
    let sum: i32 = seats.stacks.iter().sum();
    assert_eq!(chips(&table, "stack").values().sum::<i32>(), sum, "chips are conserved");
}

#[test]
fn every_amount_is_what_a_bookkeeper_allows() {
    let tables: [(&[i32], (i32, i32), usize); 5] = [
        (&[60, 60], (1, 2), 200),
        (&[60, 9, 30], (1, 2), 200),
        (&[40, 1, 1, 40], (2, 5), 150),
        (&[30, 20, 2, 60, 7, 45], (1, 3), 100),
        (&[3, 50, 20, 9, 31, 2, 40, 12, 60], (2, 4), 60),
    ];
    let mut played = BTreeMap::new();
    for (stacks, blinds, hands) in tables {
        let seats = Seats::new(stacks, blinds, "all");
        let game = compile_text(&seats.rules());
        let mut rng = ChaCha8Rng::seed_from_u64(5);
        (0..hands).for_each(|_| play(&game, &seats, &mut rng, &mut played));
    }
    assert!(played.len() == 6 && played.values().all(|&count| count > 50), "{played:?}");
}

/// The largest tables that are promised have a network within the limits of every game.
#[test]
fn nine_players_with_two_hundred_big_blinds_have_a_network() {
    let seats = Seats::new(&[400; 9], (1, 2), "all");
    let options = Options { backend: Backend::Propnet, ..Options::PLAY };
    let game = Game::compile(&seats.rules(), &options).expect("a network").game;
    let mut table = Table::new(&game);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..18 {
        let drawn = table.random_move("random", &mut rng);
        table.play(&[("random", &drawn)]);
    }
    let raises = table.legal("dave").into_iter().filter(|played| played.starts_with("(raise_to ")).count();
    assert_eq!(raises, 396, "from 4 to 399");
}

#[test]
fn moves_and_pots_are_told_in_chips() {
    // bob has 1 chip and posts it; carol posts 2 of her 5.
    let seats = Seats::new(&[40, 1, 5, 40], (1, 2), "all");
    let facts = seats.facts();
    let game = compile_text(&seats.rules());
    let mut table = Table::new(&game);
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    for _ in 0..8 {
        let drawn = table.random_move("random", &mut rng);
        table.play(&[("random", &drawn)]);
    }
    let scene = |table: &Table<'_>| facts.scene(table.fluents().iter().map(String::as_str), []);
    let said = |table: &Table<'_>, played: &str| facts.words.move_text_in(played, &scene(table));
    let lines = |table: &Table<'_>| facts.draw(&scene(table), seats.names()).lines;
    assert_eq!(said(&table, "call"), "call 2");
    assert_eq!(said(&table, "(raise_to 12)"), "raise to 12");
    assert_eq!(said(&table, "(bet 6)"), "bet 6");
    table.play(&[("dave", "(raise_to 12)")]);
    table.play(&[("alice", "call")]);
    // carol has 3 chips left.
    assert_eq!(said(&table, "call"), "call 3");
    assert!(lines(&table).contains(&"3 to call".to_owned()), "{:?}", lines(&table));
    table.play(&[("carol", "call")]);
    // bob plays for a chip of everybody, carol for five of all others.
    let told = lines(&table);
    assert!(told.contains(&"pot 30".to_owned()), "{told:?}");
    let columns = facts.draw(&scene(&table), seats.names());
    let columns = format!("{columns:?}");
    assert!(columns.contains("all in for 4") && columns.contains("all in for 16"), "{columns}");
}
