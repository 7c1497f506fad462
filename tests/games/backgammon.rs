//! Backgammon beside a second reading of its rules, which looks for the longest turns by trying all of them.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{Game, Options, game::Backend};
use croupier_tests::{
    corpus::catalogue_game,
    size,
    table::{Table, Texts, below, compile, compile_text},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const PLAYERS: [&str; 2] = ["white", "black"];
const BAR: usize = 25;

/// Where the checkers of each player are, as points to go until they are off the board: 1 to 24, or 25 on the bar.
#[derive(Clone, Debug)]
struct Position([[usize; 26]; 2]);

/// A checker so many points from the end, and the die that moves it.
type Move = (usize, usize);

impl Position {
    fn initial() -> Self {
        let mut one = [0; 26];
        (one[24], one[13], one[8], one[6]) = (2, 5, 3, 5);
        Self([one, one])
    }

    /// What one die can be used for, if nothing else is asked.
    fn moves(&self, player: usize, die: usize) -> Vec<usize> {
        let (own, other) = (&self.0[player], &self.0[1 - player]);
        let farthest = (1..=BAR).rev().find(|&from| own[from] > 0).unwrap_or(0);
        let can = |from: usize| match from.checked_sub(die) {
            _ if own[BAR] > 0 && from != BAR => false,
            Some(to) if to > 0 => other[25 - to] < 2,
            Some(_) => farthest <= 6,
            None => farthest == from,
        };
        (1..=BAR).filter(|&from| own[from] > 0 && can(from)).collect()
    }

    fn after(&self, player: usize, (from, die): Move) -> Self {
        let mut after = self.clone();
        let [own, other] = &mut after.0;
        let (own, other) = if player == 0 { (own, other) } else { (other, own) };
        own[from] -= 1;
        let to = from.saturating_sub(die);
        own[to] += 1;
        if to > 0 && other[25 - to] > 0 {
            other[25 - to] -= 1;
            other[BAR] += 1;
        }
        after
    }

    /// How many of these dice can be used at most, in any order.
    fn longest(&self, player: usize, dice: &[usize]) -> usize {
        let turns = choices(dice).into_iter().flat_map(|(die, rest)| {
            self.moves(player, die)
                .into_iter()
                .map(move |from| 1 + self.after(player, (from, die)).longest(player, &rest))
        });
        let mut longest = 0;
        for turn in turns {
            longest = longest.max(turn);
            if longest == dice.len() {
                break;
            }
        }
        longest
    }

    /// The moves that begin one of the longest turns; if that is one move of either die, with the greater.
    fn legal(&self, player: usize, dice: &[usize]) -> BTreeSet<Move> {
        let longest = self.longest(player, dice);
        let mut legal = BTreeSet::new();
        for (die, rest) in choices(dice) {
            for from in self.moves(player, die) {
                if 1 + self.after(player, (from, die)).longest(player, &rest) == longest {
                    legal.insert((from, die));
                }
            }
        }
        let greatest = legal.iter().map(|&(_, die)| die).max();
        legal.retain(|&(_, die)| longest > 1 || Some(die) == greatest);
        legal
    }

    fn fluents(&self) -> Texts {
        let mut fluents = Texts::new();
        for (player, name) in PLAYERS.iter().enumerate() {
            for (place, &count) in self.0[player].iter().enumerate().filter(|(_, count)| **count > 0) {
                fluents.insert(format!("(checkers {name} {} {count})", place_name(player, place)));
            }
        }
        fluents
    }
}

/// Which die can be used first, and what is left then.
fn choices(dice: &[usize]) -> Vec<(usize, Vec<usize>)> {
    let different: BTreeSet<usize> = dice.iter().copied().collect();
    let without = |die: usize| {
        let mut rest = dice.to_vec();
        rest.swap_remove(dice.iter().position(|&one| one == die).expect("one of them"));
        rest
    };
    different.into_iter().map(|die| (die, without(die))).collect()
}

/// The game counts the points in the direction of white.
fn place_name(player: usize, place: usize) -> String {
    match place {
        0 => "off".to_owned(),
        BAR => "bar".to_owned(),
        _ if player == 0 => place.to_string(),
        _ => (25 - place).to_string(),
    }
}

fn move_text(player: usize, (from, die): Move) -> String {
    format!("(move {} {die})", place_name(player, from))
}

fn dice_of(throw: &str) -> Vec<usize> {
    throw.chars().filter_map(|char| char.to_digit(10)).map(|digit| digit as usize).collect()
}

fn uses(dice: &[usize]) -> Vec<usize> {
    if dice[0] == dice[1] { vec![dice[0]; 4] } else { dice.to_vec() }
}

fn checkers(table: &Table<'_>) -> Texts {
    table.fluents().into_iter().filter(|fluent| fluent.starts_with("(checkers ")).collect()
}

/// One turn at random. How it went: the number of moves, and how many were not legal that one die alone would allow.
fn play_turn(
    table: &mut Table<'_>,
    position: &mut Position,
    player: usize,
    mut dice: Vec<usize>,
    rng: &mut ChaCha8Rng,
) -> (usize, usize) {
    let name = PLAYERS[player];
    let (mut moved, mut forbidden) = (0, 0);
    while !dice.is_empty() && position.0[player][0] < 15 {
        let legal = position.legal(player, &dice);
        let alone: usize = choices(&dice).iter().map(|(die, _)| position.moves(player, *die).len()).sum();
        forbidden += alone - legal.len();
        let texts: Texts = legal.iter().map(|&one| move_text(player, one)).collect();
        let texts = if texts.is_empty() { Texts::from(["pass".to_owned()]) } else { texts };
        assert_eq!(table.legal(name), texts, "{name} with {dice:?} in {position:?}");
        let Some(&chosen) = legal.iter().nth(below(rng, legal.len().max(1))) else {
            table.play(&[(name, "pass")]);
            break;
        };
        let said = move_text(player, chosen);
        let told = table.play(&[(name, &said)]);
        assert!(told.values().all(|told| *told == Texts::from([format!("(did {name} {said})")])));
        *position = position.after(player, chosen);
        assert_eq!(checkers(table), position.fluents(), "after {said} of {name}");
        dice.swap_remove(dice.iter().position(|&die| die == chosen.1).expect("a die to use"));
        moved += 1;
    }
    (moved, forbidden)
}

#[test]
fn turns_use_as_many_dice_as_can_be_used() {
    let game = compile("backgammon");
    let mut rng = ChaCha8Rng::seed_from_u64(24);
    let (mut lengths, mut forbidden, mut winners) = (BTreeMap::new(), 0, BTreeSet::new());
    for _ in 0..12 {
        let mut table = Table::new(&game);
        let mut position = Position::initial();
        let throw = table.random_move("random", &mut rng);
        table.play(&[("random", &throw)]);
        let mut dice = dice_of(&throw);
        let mut player = usize::from(dice[0] < dice[1]);
        while table.goals().is_none() {
            let went = play_turn(&mut table, &mut position, player, uses(&dice), &mut rng);
            *lengths.entry(went.0).or_insert(0) += 1;
            forbidden += went.1;
            if position.0[player][0] < 15 {
                player = 1 - player;
                assert_eq!(table.legal("random").len(), 36);
                let throw = table.random_move("random", &mut rng);
                table.play(&[("random", &throw)]);
                dice = dice_of(&throw);
            }
        }
        let goals = table.goals().expect("the end");
        assert_eq!((goals[PLAYERS[player]], goals[PLAYERS[1 - player]]), (100, 0));
        winners.insert(player);
    }
    assert_eq!(winners.len(), 2);
    assert!(lengths.len() == 5, "{lengths:?}");
    assert!(forbidden > 3, "{forbidden}");
}

/// Thirty throws without doubles: the higher number begins.
#[test]
fn the_player_with_the_higher_number_begins() {
    let game = compile("backgammon");
    let throws = Table::new(&game).legal("random");
    let mut begun = [0; 2];
    for throw in &throws {
        let dice = dice_of(throw);
        let mut table = Table::new(&game);
        let told = table.play(&[("random", throw)]);
        assert!(told.values().all(|told| *told == Texts::from([format!("(did random {throw})")])));
        let player = usize::from(dice[0] < dice[1]);
        begun[player] += 1;
        let legal: Texts =
            Position::initial().legal(player, &dice).into_iter().map(|one| move_text(player, one)).collect();
        assert_eq!(table.legal(PLAYERS[player]), legal, "{throw}");
    }
    assert_eq!(begun, [15, 15]);
}

/// Few checkers, many of them at home, and points that the other holds among them: where a die may be used with one
/// checker and not with another, or only before the other die or only after it.
fn crowded(rng: &mut ChaCha8Rng) -> Position {
    let mut position = Position([[0; 26]; 2]);
    for player in 0..2 {
        let mut left = 1 + below(rng, 5);
        position.0[player][0] = 15 - left;
        while left > 0 {
            let width = [6, 6, 9, 24, 26][below(rng, 5)].min(BAR);
            let place = if player == 0 { 1 + below(rng, width) } else { 24 - below(rng, 8) };
            let free = place == BAR || position.0[1 - player][25 - place] == 0;
            let count = left.min(1 + below(rng, 2));
            if free {
                position.0[player][place] += count;
                left -= count;
            }
        }
    }
    position
}

fn compile_at(rules: &str, position: &Position) -> Game {
    let before: Vec<&str> = rules.lines().filter(|line| !line.starts_with("(init (checkers ")).collect();
    let init: Vec<String> = position.fluents().into_iter().map(|fluent| format!("(init {fluent})")).collect();
    // The network would be built for a few turns only.
    let options = Options { backend: Backend::Datalog, ..Options::PLAY };
    let rules = [before.join("\n"), init.join("\n")].join("\n");
    Game::compile(&rules, &options).expect("rules that compile").game
}

/// Small positions, thousands in the long version, each with both orders of two dice: all that decides which die must be used, and when
/// checkers are borne off, is rare in matches from the start.
#[test]
fn the_greater_die_is_used_if_either_is_and_both_if_both_can_be() {
    let rules = catalogue_game("backgammon").text;
    let mut rng = ChaCha8Rng::seed_from_u64(15);
    let (mut single, mut sole, mut forbidden) = (0, 0, 0);
    for _ in 0..size(25, 60) {
        let position = crowded(&mut rng);
        let game = compile_at(&rules, &position);
        for throw in Table::new(&game).legal("random") {
            let dice = dice_of(&throw);
            if dice[0] < dice[1] {
                continue;
            }
            let mut table = Table::new(&game);
            table.play(&[("random", &throw)]);
            let either = dice.iter().filter(|&&die| !position.moves(0, die).is_empty()).count();
            let went = play_turn(&mut table, &mut position.clone(), 0, dice, &mut rng);
            single += usize::from(went.0 == 1 && either == 2);
            sole += usize::from(went.0 == 1 && either == 1);
            forbidden += usize::from(went.1 > 0);
        }
    }
    let [few, some] = size([0, 10], [10, 50]);
    assert!(single > few && sole > few && forbidden > some, "{single} {sole} {forbidden}");
}

/// The limit is too far to be reached here, so it is put nearer.
#[test]
fn a_match_that_nobody_wins_in_time_is_drawn() {
    let rules = catalogue_game("backgammon").text;
    let game = compile_text(&rules.replace("(true (turns hundreds 5))", "(true (turns tens 3))"));
    let mut rng = ChaCha8Rng::seed_from_u64(500);
    let mut table = Table::new(&game);
    let mut turns = 0;
    while table.goals().is_none() {
        let throws = table.legal("random").len() > 1;
        turns += usize::from(throws);
        let roles: &[&str] = if throws { &["random"] } else { &PLAYERS };
        let chosen: Vec<String> = roles.iter().map(|role| table.random_move(role, &mut rng)).collect();
        let moves: Vec<(&str, &str)> = roles.iter().copied().zip(chosen.iter().map(String::as_str)).collect();
        table.play(&moves);
    }
    assert_eq!(turns, 30);
    assert!(table.goals().expect("the end").values().all(|&goal| goal == 50));
}
