//! Turn by turn on a board that nobody sees whole: an umpire below plays the same moves and says what each player
//! must be told, and a book that is kept from what one player was told says what that player may do.

use std::collections::{BTreeMap, BTreeSet, btree_map::Entry};

use croupier_engine::Game;
use croupier_tests::table::{Table, Texts, compile};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

/// Column and row, from 1.
type Square = (i32, i32);

/// Whose mark is where, by the player's number.
type Board = BTreeMap<Square, usize>;

fn squares() -> Vec<Square> {
    (1..=3).flat_map(|x| (1..=3).map(move |y| (x, y))).collect()
}

fn square(term: &str) -> Square {
    let numbers: Vec<i32> = term.split([' ', '(', ')']).filter_map(|word| word.parse().ok()).collect();
    (numbers[0], numbers[1])
}

fn texts<const N: usize>(terms: [String; N]) -> Texts {
    terms.into_iter().collect()
}

/// Goals where three in a line win and a full board is a draw.
fn lines_of_three(board: &Board) -> Option<[i32; 2]> {
    let has_line = |player: usize| {
        let is_own = |x, y| board.get(&(x, y)) == Some(&player);
        let steps = [(1, 0), (0, 1), (1, 1), (1, -1)];
        squares().into_iter().any(|(x, y)| {
            steps.iter().any(|(dx, dy)| (0..3).all(|step| is_own(x + step * dx, y + step * dy)))
        })
    };
    match [has_line(0), has_line(1)] {
        [true, _] => Some([100, 0]),
        [_, true] => Some([0, 100]),
        _ => (board.len() == 9).then_some([50, 50]),
    }
}

/// Goals where the first player connects the first row with the last, the second the columns. Cells are numbered
/// by the sets they hang together in, which are merged along every pair of neighbours.
fn connections(board: &Board) -> Option<[i32; 2]> {
    let wins = |player: usize| {
        let mut set: BTreeMap<Square, Square> =
            board.iter().filter(|(_, of)| **of == player).map(|(&cell, _)| (cell, cell)).collect();
        for _ in 0..9 {
            for (x, y) in squares() {
                for neighbour in [(x + 1, y), (x, y + 1), (x + 1, y - 1)] {
                    if let (Some(&one), Some(&other)) = (set.get(&(x, y)), set.get(&neighbour)) {
                        set.values_mut().filter(|of| **of == other).for_each(|of| *of = one);
                    }
                }
            }
        }
        let along = |cell: &Square| if player == 0 { cell.1 } else { cell.0 };
        set.iter().any(|(one, of)| {
            along(one) == 1 && set.iter().any(|(other, same)| along(other) == 3 && of == same)
        })
    };
    if wins(0) {
        return Some([100, 0]);
    }
    wins(1).then_some([0, 100])
}

/// Who fails tries again: phantom tic-tac-toe and dark hex.
#[derive(Clone, Copy)]
struct Dark {
    name: &'static str,
    players: [&'static str; 2],
    goals: fn(&Board) -> Option<[i32; 2]>,
}

const DARK: [Dark; 2] = [
    Dark { name: "phantom-tic-tac-toe", players: ["x", "o"], goals: lines_of_three },
    Dark { name: "dark-hex-3x3", players: ["black", "white"], goals: connections },
];

/// Own notes: cells that are not worth an attempt, and whether it is the own turn.
struct DarkBook {
    closed: BTreeSet<Square>,
    is_mover: bool,
}

impl DarkBook {
    fn note(&mut self, told: &Texts) {
        for text in told {
            if text == "your_turn" {
                self.is_mover = true;
            } else {
                self.closed.insert(square(text));
                self.is_mover = text.starts_with("(taken ");
            }
        }
    }

    fn legal(&self) -> Texts {
        if !self.is_mover {
            return texts(["noop".to_owned()]);
        }
        let open = squares().into_iter().filter(|square| !self.closed.contains(square));
        open.map(|(x, y)| format!("(mark {x} {y})")).collect()
    }
}

/// Plays one match; the goals, and how many attempts failed.
fn play_dark(dark: Dark, game: &Game, rng: &mut ChaCha8Rng) -> ([i32; 2], usize) {
    let mut table = Table::new(game);
    let mut board = Board::new();
    let mut books = [true, false].map(|is_mover| DarkBook { closed: BTreeSet::new(), is_mover });
    let (mut mover, mut failures) = (0, 0);
    while (dark.goals)(&board).is_none() {
        assert_eq!(table.goals(), None, "{}: {board:?}", dark.name);
        for (book, player) in books.iter().zip(dark.players) {
            assert_eq!(table.legal(player), book.legal(), "{}: {board:?}", dark.name);
        }
        let played = table.random_move(dark.players[mover], rng);
        let told = table.play(&[(dark.players[mover], &played)]);
        let (x, y) = square(&played);
        let mut expected = [Texts::new(), Texts::new()];
        match board.entry((x, y)) {
            Entry::Occupied(_) => {
                expected[mover] = texts([format!("(taken {x} {y})")]);
                failures += 1;
            }
            Entry::Vacant(square) => {
                square.insert(mover);
                expected[mover] = texts([format!("(got {x} {y})")]);
                expected[1 - mover] = texts(["your_turn".to_owned()]);
                mover = 1 - mover;
            }
        }
        for player in [0, 1] {
            assert_eq!(told[dark.players[player]], expected[player], "{}: {board:?}", dark.name);
            books[player].note(&expected[player]);
        }
    }
    let goals = table.goals().unwrap_or_else(|| panic!("{}: it is over: {board:?}", dark.name));
    let goals = dark.players.map(|player| goals[player]);
    assert_eq!(Some(goals), (dark.goals)(&board), "{}: {board:?}", dark.name);
    (goals, failures)
}

#[test]
fn who_fails_in_the_dark_tries_again() {
    let mut rng = ChaCha8Rng::seed_from_u64(9);
    for dark in DARK {
        let game = compile(dark.name);
        let (mut ends, mut failures): (BTreeMap<[i32; 2], usize>, _) = (BTreeMap::new(), 0);
        for _ in 0..500 {
            let (goals, failed) = play_dark(dark, &game, &mut rng);
            *ends.entry(goals).or_default() += 1;
            failures += failed;
        }
        // One of the two always connects, but lines may be missed by both.
        let outcomes = if dark.name == "dark-hex-3x3" { 2 } else { 3 };
        assert!(ends.len() == outcomes && ends.values().all(|&count| count > 20), "{}: {ends:?}", dark.name);
        assert!(failures > 500, "{}: {failures} attempts failed", dark.name);
        println!("{}: {ends:?}, {failures} attempts failed", dark.name);
    }
}

const MARKS: [&str; 2] = ["x", "o"];

/// Plays one match of latent tic-tac-toe; the goals, and how many marks were lost.
fn play_latent(game: &Game, rng: &mut ChaCha8Rng) -> ([i32; 2], usize) {
    let mut table = Table::new(game);
    let mut board = Board::new();
    // What each player was told to be taken, by own moves and by the other's.
    let mut known = [BTreeSet::new(), BTreeSet::new()];
    let mut before: Option<Square> = None;
    let (mut mover, mut lost) = (0, 0);
    while lines_of_three(&board).is_none() {
        assert_eq!(table.goals(), None, "{board:?}");
        let open = squares().into_iter().filter(|square| !known[mover].contains(square));
        assert_eq!(table.legal(MARKS[mover]), open.map(|(x, y)| format!("(mark {x} {y})")).collect());
        assert_eq!(table.legal(MARKS[1 - mover]), texts(["noop".to_owned()]));
        let played = table.random_move(MARKS[mover], rng);
        let told = table.play(&[(MARKS[mover], &played)]);
        let (x, y) = square(&played);
        let is_lost = board.contains_key(&(x, y));
        let answer = if is_lost { "lost" } else { "got" };
        let mut expected = texts([format!("({answer} {x} {y})")]);
        expected.extend(before.map(|(x, y)| format!("(tried {} {x} {y})", MARKS[1 - mover])));
        assert_eq!(told[MARKS[mover]], expected, "{board:?}");
        assert!(told[MARKS[1 - mover]].is_empty(), "{board:?}");
        known[mover].extend(expected.iter().map(|text| square(text)));
        board.entry((x, y)).or_insert(mover);
        lost += usize::from(is_lost);
        before = Some((x, y));
        mover = 1 - mover;
    }
    let goals = table.goals().unwrap_or_else(|| panic!("it is over: {board:?}"));
    let goals = MARKS.map(|player| goals[player]);
    assert_eq!(Some(goals), lines_of_three(&board), "{board:?}");
    (goals, lost)
}

#[test]
fn a_latent_move_is_told_a_move_later() {
    let game = compile("latent-tic-tac-toe");
    let mut rng = ChaCha8Rng::seed_from_u64(99);
    let (mut ends, mut lost): (BTreeMap<[i32; 2], usize>, _) = (BTreeMap::new(), 0);
    for _ in 0..600 {
        let (goals, marks) = play_latent(&game, &mut rng);
        *ends.entry(goals).or_default() += 1;
        lost += marks;
    }
    assert!(ends.len() == 3 && ends.values().all(|&count| count > 20), "{ends:?}");
    assert!(lost > 100, "{lost} marks were lost");
    println!("latent-tic-tac-toe: {ends:?}, {lost} marks lost");
}
