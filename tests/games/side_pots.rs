//! No-limit hold'em for three to six: pots of any shape against a cashier who knows nothing of the rules text, with
//! hands ranked by the crate `rs_poker`, cases worked out by hand, and the betting by the laws that any hand obeys.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{Game, State};
use croupier_games::find_family;
use croupier_tests::table::{Table, below, compile, compile_text};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;
use rs_poker::core::{FlatHand, Rank, Rankable as _};

const NAMES: [&str; 6] = ["alice", "bob", "carol", "dave", "erin", "frank"];

/// A game of the family, and who sits at its table.
struct Seats {
    game: Game,
    /// From the button's left, with their chips; alice has the button.
    players: Vec<(&'static str, i32)>,
    /// Chips that a goal counts as one.
    worth: i32,
}

impl Seats {
    /// The game with these big blinds, from alice on.
    fn new(big_blinds: &[u32]) -> Self {
        let count = u32::try_from(big_blinds.len()).expect("few players");
        let values = [("players", count.into()), ("big-blinds", big_blinds.to_vec().into())];
        let values = values.map(|(name, value)| (name.to_owned(), value)).into();
        let rules = find_family("no-limit-holdem").expect("the family").rules(&values).expect("a member");
        Self::at(compile_text(&rules), big_blinds)
    }

    fn at(game: Game, big_blinds: &[u32]) -> Self {
        let chips = big_blinds.iter().map(|&count| 2 * i32::try_from(count).expect("few chips"));
        let mut players: Vec<(&str, i32)> = NAMES.into_iter().zip(chips).collect();
        players.rotate_left(1);
        let total: i32 = players.iter().map(|(_, chips)| chips).sum();
        let worth = [1, 2, 4].into_iter().find(|worth| total <= 100 * worth).expect("few chips");
        Self { game, players, worth }
    }

    fn count(&self) -> usize {
        self.players.len()
    }

    fn deepest(&self) -> i32 {
        self.players.iter().map(|(_, chips)| *chips).max().expect("players")
    }

    /// What all goals come to.
    fn all_goals(&self) -> i32 {
        let count = i32::try_from(self.count()).expect("few players");
        count * self.deepest() / self.worth
    }

    /// The goals of the players in a terminal state.
    fn goals(&self, state: &State) -> Vec<i32> {
        let mut scratch = self.game.scratch();
        assert_eq!(self.game.is_terminal(state, &mut scratch), Ok(true));
        let goal_of = |(name, _): &(&str, i32)| {
            let role = self.game.roles().find(name).expect("a player of the game");
            self.game.goal(state, role, &mut scratch).expect("one goal").expect("a goal at the end").value()
        };
        self.players.iter().map(goal_of).collect()
    }

    /// The goals with each draw of the chip race, where there is one.
    fn goals_by_draw(&self, position: &Position) -> Vec<Vec<i32>> {
        let goals = |drawn: i32| {
            let mut terms = position.terms(self);
            terms.extend((self.worth > 1).then(|| format!("(race {drawn})")));
            self.goals(&self.game.state_of(terms.iter().map(String::as_str)).expect("ground terms"))
        };
        (0..self.worth).map(goals).collect()
    }
}

fn rank<'c>(cards: impl Iterator<Item = &'c String>) -> Rank {
    let text: String = cards.map(|card| card[..1].to_uppercase() + &card[1..]).collect();
    FlatHand::new_from_str(&text).expect("seven cards").rank()
}

/// A hand that is over, with the players from the button's left: chips put in, who has folded, and the cards, two
/// for each player and the board.
#[derive(Debug)]
struct Position {
    paid: Vec<i32>,
    has_folded: Vec<bool>,
    cards: Vec<String>,
}

impl Position {
    /// Cards of few ranks, so that pots are often split.
    fn random(seats: &Seats, rng: &mut ChaCha8Rng) -> Self {
        let count = seats.count();
        let ranks = 5 + below(rng, 9);
        let mut deck: Vec<String> = "akqjt98765432"[..ranks]
            .chars()
            .flat_map(|rank| ["s", "h", "d", "c"].map(|suit| format!("{rank}{suit}")))
            .collect();
        let cards = (0..2 * count + 5).map(|_| deck.swap_remove(below(rng, deck.len()))).collect();
        let live = 1 + below(rng, count);
        let mut has_folded = vec![true; count];
        while has_folded.iter().filter(|&&folded| !folded).count() < live {
            has_folded[below(rng, count)] = false;
        }
        // Whoever is in has matched the highest bet, or put in everything; who has folded, less.
        let stacks = seats.players.iter().map(|(_, chips)| *chips);
        let deepest = stacks.clone().zip(&has_folded).filter(|(_, folded)| !**folded).map(|(chips, _)| chips);
        let level = 2 + i32::try_from(below(rng, 39)).expect("few chips");
        let level = level.min(deepest.max().expect("somebody is in"));
        let mut pay = |(stack, &has_folded): (i32, &bool)| {
            let most = level.min(stack);
            let folded = below(rng, usize::try_from(most).expect("few chips"));
            if has_folded { i32::try_from(folded).expect("few chips") } else { most }
        };
        let paid = stacks.zip(&has_folded).map(&mut pay).collect();
        Self { paid, has_folded, cards }
    }

    /// What each player takes: the smallest stake of those who are in makes a pot of its own, over and over.
    fn payouts(&self) -> Vec<i32> {
        let mut left = self.paid.clone();
        let mut is_in: Vec<bool> = self.has_folded.iter().map(|folded| !folded).collect();
        let mut payouts = vec![0; left.len()];
        let everyone = 0..left.len();
        while let Some(stake) =
            everyone.clone().filter(|&player| is_in[player]).map(|player| left[player]).min()
        {
            let mut pot = 0;
            for chips in &mut left {
                pot += stake.min(*chips);
                *chips -= stake.min(*chips);
            }
            let live = everyone.clone().filter(|&player| is_in[player]);
            let hands: Vec<(usize, Rank)> = live.map(|player| (player, self.rank(player))).collect();
            let best = hands.iter().map(|(_, rank)| *rank).max().expect("somebody is in");
            let winners: Vec<usize> =
                hands.iter().filter(|(_, rank)| *rank == best).map(|(player, _)| *player).collect();
            let count = i32::try_from(winners.len()).expect("few players");
            for &winner in &winners {
                payouts[winner] += pot / count;
            }
            payouts[winners[0]] += pot % count;
            for player in everyone.clone() {
                is_in[player] &= left[player] > 0;
            }
        }
        payouts
    }

    fn board(&self) -> &[String] {
        &self.cards[2 * self.paid.len()..]
    }

    fn rank(&self, player: usize) -> Rank {
        rank(self.cards[2 * player..2 * player + 2].iter().chain(self.board()))
    }

    fn terms(&self, seats: &Seats) -> Vec<String> {
        let mut terms = vec!["(round showdown)".to_owned()];
        for (player, (name, _)) in seats.players.iter().enumerate() {
            terms.push(format!("(paid {name} {})", self.paid[player]));
            terms.extend(self.has_folded[player].then(|| format!("(folded {name})")));
            let hole = &self.cards[2 * player..2 * player + 2];
            terms.extend(hole.iter().map(|card| format!("(hand {name} {card})")));
        }
        terms.extend(self.board().iter().map(|card| format!("(board {card})")));
        terms
    }
}

/// Over all draws of the race a player's goals come to the chips, and none is further from its share than a point;
/// all goals of a hand come to the same.
fn is_worth(seats: &Seats, by_draw: &[Vec<i32>], won: &[i32], position: &Position) {
    for (player, won) in won.iter().enumerate() {
        let chips = seats.deepest() + won;
        let goals: Vec<i32> = by_draw.iter().map(|goals| goals[player]).collect();
        assert_eq!(goals.iter().sum::<i32>(), chips, "player {player} of {position:?}");
        assert!(goals.iter().all(|goal| (goal * seats.worth - chips).abs() < seats.worth), "{position:?}");
    }
    let sums: Vec<i32> = by_draw.iter().map(|goals| goals.iter().sum()).collect();
    assert!(sums.iter().all(|&sum| sum == seats.all_goals()), "{sums:?}: {position:?}");
}

#[test]
fn every_pot_goes_to_the_best_hands_that_have_paid_for_it() {
    let tables: [(&[u32], usize); 5] = [
        (&[20, 10, 15], 2_000),
        (&[20, 5, 10, 15], 600),
        (&[20, 5, 12, 9, 16], 300),
        (&[20, 12, 16, 20, 4, 8], 300),
        (&[20; 6], 150),
    ];
    for (big_blinds, positions) in tables {
        let seats = Seats::new(big_blinds);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let mut shapes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for _ in 0..positions {
            let position = Position::random(&seats, &mut rng);
            let payouts = position.payouts();
            assert_eq!(payouts.iter().sum::<i32>(), position.paid.iter().sum::<i32>(), "{position:?}");
            let won: Vec<i32> =
                payouts.iter().zip(&position.paid).map(|(payout, paid)| payout - paid).collect();
            is_worth(&seats, &seats.goals_by_draw(&position), &won, &position);
            let stakes = position.paid.iter().zip(&position.has_folded).filter(|(_, folded)| !**folded);
            let stakes: BTreeSet<_> = stakes.map(|(paid, _)| paid).collect();
            let takers = payouts.iter().filter(|&&chips| chips > 0).count();
            *shapes.entry((stakes.len(), takers)).or_default() += 1;
        }
        let different: BTreeSet<u32> = big_blinds.iter().copied().collect();
        let pots = 1..=different.len();
        assert!(pots.clone().all(|pots| shapes.keys().any(|shape| shape.0 == pots)), "{shapes:?}");
        let takers = 1..=3;
        assert!(takers.clone().all(|takers| shapes.keys().any(|shape| shape.1 == takers)), "{shapes:?}");
    }
}

/// A hand that everybody played to the end: cards as `as kd`, first of the players from the button's left.
fn showdown(hands: &[&str], board: &str, paid: &[i32], folded: &[usize]) -> Position {
    let cards = hands.iter().copied().chain([board]).flat_map(str::split_whitespace);
    let has_folded = (0..paid.len()).map(|player| folded.contains(&player)).collect();
    Position { paid: paid.to_vec(), has_folded, cards: cards.map(str::to_owned).collect() }
}

#[test]
fn four_all_in_and_the_shortest_stack_has_the_best_hand() {
    // bob has 10, carol 20, dave 30, alice 40. Of the pot of 40 bob takes all, of the next 30 carol, of the next 20
    // dave, and the last 10 of alice go back to her. So they have 40, 30, 20 and 10 in the end.
    let seats = Seats::new(&[20, 5, 10, 15]);
    let hands = ["as ah", "ks kh", "qs qh", "js jh"];
    let position = showdown(&hands, "2c 5d 8h 9s 3c", &[10, 20, 30, 40], &[]);
    assert_eq!(seats.goals_by_draw(&position), [[70, 50, 30, 10]]);
}

#[test]
fn six_all_in_and_five_pots() {
    // bob has 24, carol 32, dave 40, erin 8, frank 16, alice 40. 48 chips are split by erin and frank; 40 are frank's;
    // 32 and 24 are carol's; 16 are dave's. They win -24, 24, -24, 16, 48 and -40, and two chips are a point.
    let seats = Seats::at(compile("no-limit-holdem-6"), &[20, 12, 16, 20, 4, 8]);
    let hands = ["qs qh", "ks kh", "js jh", "as ah", "ad ac", "td tc"];
    let position = showdown(&hands, "2c 5d 8h 9s 3c", &[24, 32, 40, 8, 16, 40], &[]);
    assert_eq!(seats.goals_by_draw(&position), [[8, 32, 8, 28, 44, 0], [8, 32, 8, 28, 44, 0]]);
}

#[test]
fn chips_that_cannot_be_split_go_to_the_first_after_the_button() {
    // The board plays. Of 38 chips bob gets 14, carol and dave 12 each; erin has lost 5 and alice 3. Counted from
    // 40 that is 44, 42, 42, 35 and 37. In the race erin's odd chip goes on to alice; only if it begins with a chip
    // erin makes a point of hers, and alice's is lost.
    let seats = Seats::new(&[20; 5]);
    let hands = ["2s 3h", "2h 3d", "2d 3c", "7s 8h", "7d 8c"];
    let position = showdown(&hands, "as kd qh jc ts", &[10, 10, 10, 5, 3], &[3, 4]);
    assert_eq!(seats.goals_by_draw(&position), [[22, 21, 21, 17, 19], [22, 21, 21, 18, 18]]);
}

#[test]
fn what_folded_players_have_put_in_belongs_to_the_pot_it_lies_in() {
    // dave, who is all in for 30, plays for the first 30 chips of everybody: 30 of his own, 30 of alice's, and 30 that
    // carol and bob left behind. alice wins nothing of it, and has her last 10 back.
    let seats = Seats::new(&[20, 5, 10, 15]);
    let hands = ["as ah", "ks kh", "qs qh", "js jh"];
    let position = showdown(&hands, "2c 5d 8h 9s 3c", &[10, 20, 30, 40], &[0, 1]);
    assert_eq!(seats.goals_by_draw(&position), [[30, 20, 100, 10]]);
}

/// The number after a name, for each player: `(paid bob 3)`.
fn paid(table: &Table<'_>) -> BTreeMap<String, i32> {
    let fluents = table.fluents();
    let paid = fluents.iter().filter_map(|fluent| fluent.strip_prefix("(paid "));
    let pairs = paid.filter_map(|rest| rest.trim_end_matches(')').split_once(' '));
    pairs.map(|(player, chips)| (player.to_owned(), chips.parse().expect("chips"))).collect()
}

/// Plays a move of a player, calling half of the folds; checks what it does to the chips.
fn speak(table: &mut Table<'_>, (name, stack): (&str, i32), rng: &mut ChaCha8Rng) -> String {
    let before = paid(table);
    let (level, pot) = (before.values().copied().max().unwrap_or(0), before.values().sum::<i32>());
    assert!(table.fluents().contains(&format!("(pot {pot})")), "{before:?}");
    let after_call = pot + level - before[name];
    let legal = table.legal(name);
    assert_eq!(legal.contains("check"), before[name] == level, "{before:?}");
    assert_eq!(legal.contains("fold"), before[name] < level, "{before:?}");
    let mut choice = table.random_move(name, rng);
    if choice == "fold" && below(rng, 2) == 0 {
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
    assert_eq!(paid(table)[name], expected, "{choice} of {name} after {before:?}");
    assert!(expected <= stack && (expected < stack || ["all_in", "call"].contains(&choice.as_str())));
    choice
}

/// Raises are what the pot says, calls match the highest bet as far as the stack goes, nobody puts in more than
/// there is, and all chips are somewhere in the end.
#[test]
fn chips_are_put_in_as_the_moves_say() {
    for (big_blinds, hands) in [(&[20, 10, 15][..], 600), (&[20, 12, 16, 20, 4, 8], 200)] {
        let seats = Seats::new(big_blinds);
        let mut rng = ChaCha8Rng::seed_from_u64(33);
        let mut played: BTreeMap<String, usize> = BTreeMap::new();
        for _ in 0..hands {
            let mut table = Table::new(&seats.game);
            while table.goals().is_none() {
                match seats.players.iter().find(|(name, _)| !table.legal(name).contains("noop")) {
                    Some(&player) => *played.entry(speak(&mut table, player, &mut rng)).or_default() += 1,
                    None => {
                        let drawn = table.random_move("random", &mut rng);
                        table.play(&[("random", &drawn)]);
                    }
                }
            }
            let goals = table.goals().expect("the end");
            assert_eq!(goals.values().sum::<i32>(), seats.all_goals(), "chips are conserved: {goals:?}");
        }
        assert!(played.len() == 6 && played.values().all(|&count| count > 50), "{played:?}");
    }
}
