//! Stratego beside an umpire who sees all faces, and beside itself with two faces exchanged that nobody has seen.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::Game;
use croupier_tests::table::{Table, Texts, below, compile, ends};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

const PLAYERS: [&str; 2] = ["red", "blue"];

/// In the order in which they are placed.
const PIECES: [&str; 6] = ["flag", "bomb", "spy", "scout", "miner", "marshal"];

/// Column and row, from 1.
type Square = (i32, i32);

/// The player's number and the piece.
type Board = BTreeMap<Square, (usize, &'static str)>;

fn squares() -> impl Iterator<Item = Square> {
    (1..=5).flat_map(|x| (1..=5).map(move |y| (x, y)))
}

fn home(player: usize) -> BTreeSet<Square> {
    let (end, front) = if player == 0 { (1, 2) } else { (5, 4) };
    squares().filter(|&(x, y)| y == end || (x, y) == (3, front)).collect()
}

/// A square as the rules write it.
fn text((x, y): Square) -> String {
    format!("{} {y}", ["a", "b", "c", "d", "e"][usize::try_from(x - 1).expect("a column")])
}

/// The squares that a move has in its text.
fn squares_of(chosen: &str) -> Vec<Square> {
    let all: Vec<Square> = squares().collect();
    let words: Vec<&str> = chosen.split([' ', '(', ')']).collect();
    let square = |pair: &[&str]| all.iter().copied().find(|&square| text(square) == pair.join(" "));
    words.windows(2).filter_map(square).collect()
}

/// Whether the attacker and the defender stay on the board.
fn fight(attacker: &str, defender: &str) -> [bool; 2] {
    let rank = |piece| match piece {
        "marshal" => 10,
        "miner" => 3,
        "scout" => 2,
        _ => 1,
    };
    match (attacker, defender) {
        (_, "flag") | ("miner", "bomb") | ("spy", "marshal") => [true, false],
        (_, "bomb") => [false, true],
        _ => [rank(attacker) > rank(defender), rank(attacker) < rank(defender)],
    }
}

/// From where to where a player may move.
fn ways(board: &Board, player: usize) -> BTreeSet<(Square, Square)> {
    let mut ways = BTreeSet::new();
    for (&(x, y), &(owner, piece)) in board {
        let reach = match piece {
            _ if owner != player => 0,
            "flag" | "bomb" => 0,
            "scout" => 4,
            _ => 1,
        };
        for (dx, dy) in [(0, 1), (0, -1), (1, 0), (-1, 0)] {
            for step in 1..=reach {
                let goal = (x + step * dx, y + step * dy);
                if squares().all(|square| square != goal)
                    || board.get(&goal).is_some_and(|piece| piece.0 == player)
                {
                    break;
                }
                ways.insert(((x, y), goal));
                if board.contains_key(&goal) {
                    break;
                }
            }
        }
    }
    ways
}

/// How a match can end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// This player takes the flag.
    Flag(usize),
    /// This player can move, and the other, who is to move, cannot.
    Stuck(usize),
    NobodyMoves,
    Quiet,
}

impl End {
    fn goals(self) -> [i32; 2] {
        match self {
            Self::Flag(winner) | Self::Stuck(winner) => {
                [0, 1].map(|player| if player == winner { 100 } else { 0 })
            }
            Self::NobodyMoves | Self::Quiet => [50, 50],
        }
    }
}

/// A match after the pieces are placed.
struct Umpire {
    board: Board,
    mover: usize,
    quiet: usize,
}

impl Umpire {
    fn end(&self) -> Option<End> {
        let has_flag = |player| self.board.values().any(|piece| *piece == (player, "flag"));
        let other = 1 - self.mover;
        if !has_flag(self.mover) {
            Some(End::Flag(other))
        } else if ways(&self.board, self.mover).is_empty() {
            Some(if ways(&self.board, other).is_empty() { End::NobodyMoves } else { End::Stuck(other) })
        } else {
            (self.quiet == 40).then_some(End::Quiet)
        }
    }

    fn legal(&self, player: usize) -> Texts {
        if player != self.mover {
            return Texts::from(["noop".to_owned()]);
        }
        let ways = ways(&self.board, player).into_iter();
        ways.map(|(from, to)| format!("(move {} {})", text(from), text(to))).collect()
    }

    /// Plays a move; what both are told, and the squares whose faces have been shown.
    fn play(&mut self, chosen: &str) -> (Texts, Vec<Square>) {
        let [from, to] = squares_of(chosen)[..] else { panic!("{chosen} has two squares") };
        let player = PLAYERS[self.mover];
        let mut told = Texts::from([format!("(moves {player} {} {})", text(from), text(to))]);
        let mover = self.board.remove(&from).expect("a piece");
        let mut shown = Vec::new();
        self.quiet += 1;
        let [mover_stays, defender_stays] = match self.board.remove(&to) {
            None => [true, false],
            Some(defender) => {
                told.insert(format!("(strikes {player} {} {})", mover.1, defender.1));
                shown = vec![from, to];
                self.quiet = 0;
                let [attacker_stays, stays] = fight(mover.1, defender.1);
                if stays {
                    self.board.insert(to, defender);
                }
                [attacker_stays, stays]
            }
        };
        assert!(!(mover_stays && defender_stays), "one square, one piece");
        if mover_stays {
            self.board.insert(to, mover);
        }
        self.mover = 1 - self.mover;
        (told, shown)
    }
}

/// Places the armies as they stand on `board`, one kind of piece at a time.
fn place(table: &mut Table<'_>, board: &Board) {
    for piece in PIECES {
        let place = |player: usize| {
            let mut all = board.iter();
            let (square, _) =
                all.find(|(_, placed)| **placed == (player, piece)).expect("every piece is placed");
            format!("(place {piece} {})", text(*square))
        };
        let told = table.play(&[("red", &place(0)), ("blue", &place(1))]);
        assert!(told.values().all(Texts::is_empty), "nobody sees how the other places: {told:?}");
    }
}

/// Places both armies at random, and compares what is legal on the way.
fn place_at_random(table: &mut Table<'_>, rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::new();
    for piece in PIECES {
        assert_eq!(table.goals(), None);
        let chosen = [0, 1].map(|player: usize| {
            let free = home(player).into_iter().filter(|square| !board.contains_key(square));
            let expected: Texts = free.map(|square| format!("(place {piece} {})", text(square))).collect();
            assert_eq!(table.legal(PLAYERS[player]), expected);
            table.random_move(PLAYERS[player], rng)
        });
        let told = table.play(&[("red", &chosen[0]), ("blue", &chosen[1])]);
        assert!(told.values().all(Texts::is_empty));
        for (player, placed) in chosen.iter().enumerate() {
            board.insert(squares_of(placed)[0], (player, piece));
        }
    }
    board
}

fn cells(board: &Board) -> Texts {
    let cell = |(&square, &(player, piece)): (&Square, &(usize, &str))| {
        format!("(cell {} {} {piece})", text(square), PLAYERS[player])
    };
    board.iter().map(cell).collect()
}

/// One match beside the umpire; how it ended.
fn play(game: &Game, rng: &mut ChaCha8Rng) -> End {
    let mut table = Table::new(game);
    let mut umpire = Umpire { board: place_at_random(&mut table, rng), mover: 0, quiet: 0 };
    loop {
        let on_board: Texts =
            table.fluents().into_iter().filter(|fluent| fluent.starts_with("(cell ")).collect();
        assert_eq!(on_board, cells(&umpire.board));
        let Some(end) = umpire.end() else {
            assert_eq!(table.goals(), None);
            for (player, name) in PLAYERS.iter().enumerate() {
                assert_eq!(table.legal(name), umpire.legal(player));
            }
            let mover = PLAYERS[umpire.mover];
            let chosen = table.random_move(mover, rng);
            let told = table.play(&[(mover, &chosen)]);
            let (expected, _) = umpire.play(&chosen);
            assert!(told.values().all(|told| *told == expected), "{told:?}, not {expected:?}");
            continue;
        };
        let goals = table.goals().expect("the end");
        assert_eq!(PLAYERS.map(|player| goals[player]), end.goals(), "{end:?}");
        return end;
    }
}

#[test]
fn pieces_move_attack_and_win_as_an_umpire_says() {
    let game = compile("stratego-small");
    let ends = ends(1_946, 500, |rng| play(&game, rng));
    assert_eq!(ends.len(), 6, "all kinds of ends: {ends:?}");
}

/// Both armies on their squares, in any order.
fn any_armies(rng: &mut ChaCha8Rng) -> Board {
    let mut board = Board::new();
    for player in 0..2 {
        let mut free: Vec<Square> = home(player).into_iter().collect();
        for piece in PIECES {
            board.insert(free.swap_remove(below(rng, free.len())), (player, piece));
        }
    }
    board
}

/// The moves of a random match of armies that stand so.
fn any_moves(game: &Game, placed: &Board, rng: &mut ChaCha8Rng) -> Vec<String> {
    let mut table = Table::new(game);
    place(&mut table, placed);
    let mut moves = Vec::new();
    while table.goals().is_none() {
        let mover = PLAYERS[moves.len() % 2];
        let chosen = table.random_move(mover, rng);
        table.play(&[(mover, &chosen)]);
        moves.push(chosen);
    }
    moves
}

/// Exchanges the faces of two blue pieces and plays the same moves, as long as they can be played and neither face
/// is shown. Red must not be able to tell. How many moves were compared.
fn compare_with_exchanged(game: &Game, placed: &Board, moves: &[String], pair: [Square; 2]) -> usize {
    let mut exchanged = placed.clone();
    exchanged.insert(pair[0], placed[&pair[1]]);
    exchanged.insert(pair[1], placed[&pair[0]]);
    let (mut table, mut other) = (Table::new(game), Table::new(game));
    place(&mut table, placed);
    place(&mut other, &exchanged);
    let mut umpire = Umpire { board: placed.clone(), mover: 0, quiet: 0 };
    // Where the two pieces are now.
    let mut hidden = pair;
    for (number, chosen) in moves.iter().enumerate() {
        assert_eq!(table.legal("red"), other.legal("red"), "{exchanged:?}: {moves:?} up to {number}");
        let mover = PLAYERS[umpire.mover];
        if !other.legal(mover).contains(chosen) {
            return number;
        }
        let (_, shown) = umpire.play(chosen);
        if shown.iter().any(|square| hidden.contains(square)) {
            return number;
        }
        let [from, to] = squares_of(chosen)[..] else { panic!("{chosen} has two squares") };
        hidden = hidden.map(|square| if square == from { to } else { square });
        let told = [&mut table, &mut other].map(|table| table.play(&[(mover, chosen)]));
        assert_eq!(told[0]["red"], told[1]["red"], "{exchanged:?}: {moves:?} up to {number}");
    }
    moves.len()
}

#[test]
fn no_percept_tells_a_face_that_was_not_shown() {
    let game = compile("stratego-small");
    let mut rng = ChaCha8Rng::seed_from_u64(1_910);
    let (mut compared, mut longest) = (0, 0);
    for _ in 0..20 {
        let placed = any_armies(&mut rng);
        let moves = any_moves(&game, &placed, &mut rng);
        let blue: Vec<Square> = home(1).into_iter().collect();
        for (first, &one) in blue.iter().enumerate() {
            for &two in &blue[first + 1..] {
                let moves = compare_with_exchanged(&game, &placed, &moves, [one, two]);
                compared += moves;
                longest = longest.max(moves);
            }
        }
    }
    assert!(compared > 2_000 && longest > 20, "{compared} moves, at most {longest} in a match");
}
