//! Games in which the board is hidden and attempts may fail: an umpire below plays the same moves and says
//! what each player must be told, and a book that is kept from what one player was told says what that
//! player may do.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::Game;
use croupier_tests::{
    corpus::shared,
    table::{Table, Texts, compile, compile_text},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng as _;

/// Column and row, from 1.
type Square = (usize, usize);

fn texts<'t>(terms: impl IntoIterator<Item = &'t str>) -> Texts {
    terms.into_iter().map(str::to_owned).collect()
}

/// The numbers in the text of a term.
fn numbers(term: &str) -> Vec<usize> {
    term.split([' ', '(', ')']).filter_map(|word| word.parse().ok()).collect()
}

fn squares(size: usize) -> Vec<Square> {
    (1..=size).flat_map(|x| (1..=size).map(move |y| (x, y))).collect()
}

const MARKS: [&str; 2] = ["x", "o"];

/// Kriegspiel tic-tac-toe as an umpire with pencil and paper keeps it.
#[derive(Debug)]
struct MarkUmpire {
    size: usize,
    /// Marks side by side that win.
    length: usize,
    board: BTreeMap<Square, usize>,
    /// What each player was refused since the last success.
    refused: [BTreeSet<Square>; 2],
}

impl MarkUmpire {
    fn new(size: usize, length: usize) -> Self {
        Self { size, length, board: BTreeMap::new(), refused: Default::default() }
    }

    /// Whether each of the two attempts succeeds.
    fn turn(&mut self, attempts: [Square; 2]) -> [bool; 2] {
        let is_success =
            attempts.map(|square| !self.board.contains_key(&square) && attempts[0] != attempts[1]);
        for player in [0, 1] {
            if is_success[player] {
                self.board.insert(attempts[player], player);
                self.refused[player].clear();
            } else {
                self.refused[player].insert(attempts[player]);
            }
        }
        is_success
    }

    fn has_line(&self, player: usize) -> bool {
        let is_own = |square: Square| self.board.get(&square) == Some(&player);
        squares(self.size).into_iter().any(|(x, y)| {
            (0..self.length).all(|step| is_own((x + step, y)))
                || (0..self.length).all(|step| is_own((x, y + step)))
        })
    }

    /// Goals of x and o, or `None` while it goes on.
    fn goals(&self) -> Option<[i32; 2]> {
        let may_succeed = |player: usize| {
            let is_closed = |square| self.board.contains_key(square) || self.refused[player].contains(square);
            squares(self.size).iter().any(|square| !is_closed(square))
        };
        match [0, 1].map(|player| self.has_line(player)) {
            [true, false] => Some([100, 0]),
            [false, true] => Some([0, 100]),
            [true, true] => Some([50, 50]),
            [false, false] => (!may_succeed(0) || !may_succeed(1)).then_some([50, 50]),
        }
    }
}

/// One player's notes, from own moves and percepts alone: the cells that are not worth an attempt.
#[derive(Debug, Default)]
struct MarkBook {
    marks: BTreeSet<Square>,
    closed: BTreeSet<Square>,
}

impl MarkBook {
    fn note(&mut self, told: &Texts) {
        let told = told.first().expect("every attempt is answered");
        let numbers = numbers(told);
        let square = (numbers[0], numbers[1]);
        if told.starts_with("(got ") {
            self.marks.insert(square);
            self.closed.clear();
        } else {
            self.closed.insert(square);
        }
    }

    fn legal(&self, size: usize) -> Texts {
        let is_open = |square: &Square| !self.marks.contains(square) && !self.closed.contains(square);
        squares(size)
            .iter()
            .filter(|square| is_open(square))
            .map(|(x, y)| format!("(mark {x} {y})"))
            .collect()
    }
}

/// Plays one match; the goals and the number of attempts that failed.
fn play_marks(game: &Game, size: usize, length: usize, rng: &mut ChaCha8Rng) -> ([i32; 2], usize) {
    let mut table = Table::new(game);
    let mut umpire = MarkUmpire::new(size, length);
    let mut books = [MarkBook::default(), MarkBook::default()];
    let mut failures = 0;
    while umpire.goals().is_none() {
        assert_eq!(table.goals(), None, "{umpire:?}");
        let moves = [0, 1].map(|player: usize| {
            assert_eq!(table.legal(MARKS[player]), books[player].legal(size), "{umpire:?}");
            table.random_move(MARKS[player], rng)
        });
        let told = table.play(&[("x", &moves[0]), ("o", &moves[1])]);
        let attempts = [0, 1].map(|player: usize| {
            let numbers = numbers(&moves[player]);
            (numbers[0], numbers[1])
        });
        let is_success = umpire.turn(attempts);
        for player in [0, 1] {
            let (x, y) = attempts[player];
            let answer = if is_success[player] { "got" } else { "closed" };
            assert_eq!(told[MARKS[player]], Texts::from([format!("({answer} {x} {y})")]), "{umpire:?}");
            books[player].note(&told[MARKS[player]]);
            failures += usize::from(!is_success[player]);
        }
    }
    let goals = table.goals().unwrap_or_else(|| panic!("it is over: {umpire:?}"));
    let goals = MARKS.map(|player| goals[player]);
    assert_eq!(Some(goals), umpire.goals(), "{umpire:?}");
    (goals, failures)
}

#[test]
fn kriegspiel_tic_tac_toe_goes_as_an_umpire_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(4);
    for (name, size, length) in [("krieg-tic-tac-toe-4x4", 4, 3), ("krieg-tic-tac-toe-5x5", 5, 4)] {
        let game = compile(name);
        let (mut ends, mut failures): (BTreeMap<[i32; 2], usize>, _) = (BTreeMap::new(), 0);
        for _ in 0..400 {
            let (goals, failed) = play_marks(&game, size, length, &mut rng);
            *ends.entry(goals).or_default() += 1;
            failures += failed;
        }
        assert!(ends.len() == 3 && ends.values().all(|&count| count > 10), "{name}: {ends:?}");
        assert!(failures > 1_000, "{name}: {failures} attempts failed");
        println!("{name}: {ends:?}, {failures} attempts failed");
    }
}

/// The game of the same name that was played in competitions, by other hands, where it lies beside the
/// checkout. It stops at 30 turns; ours does not, and few matches last so long.
#[test]
fn kriegspiel_tic_tac_toe_goes_as_in_the_competitions() {
    let Some(theirs) = shared("gdl2").into_iter().find(|file| file.name == "kriegTTT_4x4") else {
        croupier_tests::skipped("corpus: the game is not beside the checkout");
        return;
    };
    let (ours, theirs) = (compile("krieg-tic-tac-toe-4x4"), compile_text(&theirs.text));
    let mut rng = ChaCha8Rng::seed_from_u64(44);
    let mut turns = 0;
    for _ in 0..300 {
        let mut tables = (Table::new(&ours), Table::new(&theirs));
        for _ in 1..29 {
            let goals = tables.0.goals().map(|goals| MARKS.map(|player| goals[player]));
            let others = tables.1.goals().map(|goals| ["xplayer", "oplayer"].map(|player| goals[player]));
            assert_eq!(goals, others);
            if goals.is_some() {
                break;
            }
            let moves = [("x", "xplayer"), ("o", "oplayer")].map(|(own, other)| {
                assert_eq!(tables.0.legal(own), tables.1.legal(other));
                tables.0.random_move(own, &mut rng)
            });
            let told = tables.0.play(&[("x", &moves[0]), ("o", &moves[1])]);
            let others = tables.1.play(&[("xplayer", &moves[0]), ("oplayer", &moves[1])]);
            for (own, other) in [("x", "xplayer"), ("o", "oplayer")] {
                let same = |text: &String| text.replace("(yougotit", "(got").replace("(mark", "(closed");
                assert_eq!(told[own], others[other].iter().map(same).collect::<Texts>());
            }
            turns += 1;
        }
    }
    println!("{turns} turns");
}

const PAWNS: [&str; 2] = ["white", "black"];

/// Blind breakthrough as an umpire who sees both boards keeps it.
#[derive(Debug)]
struct PawnUmpire {
    size: usize,
    pawns: [BTreeSet<Square>; 2],
    mover: usize,
}

/// What a move turned out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Outcome {
    Step,
    Capture,
    Bump,
}

/// The row that a pawn of `player` steps to from row `y`; row 0 is no row.
fn ahead(player: usize, y: usize) -> usize {
    if player == 0 { y + 1 } else { y - 1 }
}

fn first_pawns(player: usize, size: usize) -> BTreeSet<Square> {
    let rows = if player == 0 { [1, 2] } else { [size - 1, size] };
    squares(size).into_iter().filter(|(_, y)| rows.contains(y)).collect()
}

impl PawnUmpire {
    fn new(size: usize) -> Self {
        Self { size, pawns: [0, 1].map(|player| first_pawns(player, size)), mover: 0 }
    }

    fn turn(&mut self, from: Square, to: Square) -> Outcome {
        let (own, other) = (self.mover, 1 - self.mover);
        let is_taken = self.pawns[other].contains(&to);
        if is_taken && from.0 == to.0 {
            return Outcome::Bump;
        }
        assert!(self.pawns[own].remove(&from) && self.pawns[own].insert(to), "{from:?} to {to:?}: {self:?}");
        self.pawns[other].remove(&to);
        self.mover = other;
        if is_taken { Outcome::Capture } else { Outcome::Step }
    }

    fn captures(&self) -> BTreeSet<(Square, Square)> {
        let targets = |&(x, y): &Square| {
            let from = (x, y);
            [x - 1, x + 1].map(|to| (from, (to, ahead(self.mover, y))))
        };
        let all = self.pawns[self.mover].iter().flat_map(targets);
        all.filter(|(_, to)| self.pawns[1 - self.mover].contains(to)).collect()
    }

    /// Goals of white and black, or `None` while it goes on.
    fn goals(&self) -> Option<[i32; 2]> {
        if self.pawns[0].iter().any(|&(_, y)| y == self.size) {
            return Some([100, 0]);
        }
        if self.pawns[1].iter().any(|&(_, y)| y == 1) {
            return Some([0, 100]);
        }
        let is_free = |square: Square| self.pawns.iter().all(|pawns| !pawns.contains(&square));
        let can_step = self.pawns[self.mover].iter().any(|&(x, y)| is_free((x, ahead(self.mover, y))));
        (!can_step && self.captures().is_empty()).then_some([50, 50])
    }

    /// What a player must be told of a move with this outcome, which is over.
    fn told(&self, player: usize, from: Square, to: Square, outcome: Outcome) -> Texts {
        let mut told = Texts::from([format!("(to_move {})", PAWNS[self.mover])]);
        let line = format!("{} {} {} {}", from.0, from.1, to.0, to.1);
        match outcome {
            Outcome::Bump if player == self.mover => {
                told.insert(format!("(barred {} {})", from.0, from.1));
            }
            Outcome::Capture => {
                told.insert(format!("(took {} {line})", PAWNS[1 - self.mover]));
            }
            Outcome::Bump | Outcome::Step => {}
        }
        if player == self.mover && outcome != Outcome::Bump {
            let text =
                |(from, to): (Square, Square)| format!("(prey {} {} {} {})", from.0, from.1, to.0, to.1);
            told.extend(self.captures().into_iter().map(text));
        }
        told
    }
}

/// One player's notes, from own moves and percepts alone.
#[derive(Debug)]
struct PawnBook {
    player: usize,
    pawns: BTreeSet<Square>,
    barred: BTreeSet<Square>,
    /// Captures, as moves.
    prey: Texts,
    is_mover: bool,
}

impl PawnBook {
    fn new(player: usize, size: usize) -> Self {
        let pawns = first_pawns(player, size);
        Self { player, pawns, barred: BTreeSet::new(), prey: Texts::new(), is_mover: player == 0 }
    }

    fn legal(&self) -> Texts {
        if !self.is_mover {
            return texts(["noop"]);
        }
        let step = |&(x, y): &Square| ((x, y), (x, ahead(self.player, y)));
        let is_open = |(from, to): &(Square, Square)| !self.barred.contains(from) && !self.pawns.contains(to);
        let steps = self.pawns.iter().map(step).filter(is_open);
        let steps = steps.map(|(from, to)| format!("(move {} {} {} {})", from.0, from.1, to.0, to.1));
        steps.chain(self.prey.iter().cloned()).collect()
    }

    fn note(&mut self, own_move: &str, told: &Texts) {
        if let Some(barred) = told.iter().find(|text| text.starts_with("(barred")).map(|text| numbers(text)) {
            self.barred.insert((barred[0], barred[1]));
            return;
        }
        if let [x1, y1, x2, y2] = numbers(own_move)[..] {
            self.pawns.remove(&(x1, y1));
            self.pawns.insert((x2, y2));
            self.barred.clear();
        } else if let Some(taken) =
            told.iter().find(|text| text.starts_with("(took")).map(|text| numbers(text))
        {
            self.pawns.remove(&(taken[2], taken[3]));
        }
        self.prey = told
            .iter()
            .filter(|text| text.starts_with("(prey"))
            .map(|text| text.replace("prey", "move"))
            .collect();
        self.is_mover = told.contains(&format!("(to_move {})", PAWNS[self.player]));
    }
}

/// Where the pawns of both are, as the rules say it.
fn pawns(table: &Table<'_>) -> [BTreeSet<Square>; 2] {
    let fluents = table.fluents();
    PAWNS.map(|player| {
        let own = fluents.iter().filter(|text| text.starts_with("(cell") && text.contains(player));
        own.map(|text| numbers(text)).map(|numbers| (numbers[0], numbers[1])).collect()
    })
}

/// Plays one match and counts the outcomes of moves; the goals.
fn play_pawns(
    game: &Game,
    size: usize,
    outcomes: &mut BTreeMap<Outcome, usize>,
    rng: &mut ChaCha8Rng,
) -> [i32; 2] {
    let mut table = Table::new(game);
    let mut umpire = PawnUmpire::new(size);
    let mut books = [0, 1].map(|player| PawnBook::new(player, size));
    while umpire.goals().is_none() {
        assert_eq!(table.goals(), None, "{umpire:?}");
        let moves = [0, 1].map(|player: usize| {
            assert_eq!(table.legal(PAWNS[player]), books[player].legal(), "{umpire:?} {:?}", books[player]);
            table.random_move(PAWNS[player], rng)
        });
        let told = table.play(&[("white", &moves[0]), ("black", &moves[1])]);
        let [x1, y1, x2, y2] = numbers(&moves[umpire.mover])[..] else { panic!("no move: {moves:?}") };
        let (from, to) = ((x1, y1), (x2, y2));
        let outcome = umpire.turn(from, to);
        *outcomes.entry(outcome).or_default() += 1;
        for player in [0, 1] {
            assert_eq!(told[PAWNS[player]], umpire.told(player, from, to, outcome), "{moves:?}, {umpire:?}");
            books[player].note(&moves[player], &told[PAWNS[player]]);
        }
        assert_eq!(pawns(&table), umpire.pawns, "{moves:?}");
    }
    let goals = table.goals().unwrap_or_else(|| panic!("it is over: {umpire:?}"));
    let goals = PAWNS.map(|player| goals[player]);
    assert_eq!(Some(goals), umpire.goals(), "{umpire:?}");
    goals
}

#[test]
fn blind_breakthrough_goes_as_an_umpire_says() {
    let mut rng = ChaCha8Rng::seed_from_u64(56);
    for (name, size) in [("blind-breakthrough-5x5", 5), ("blind-breakthrough-6x6", 6)] {
        let game = compile(name);
        let (mut ends, mut outcomes): (BTreeMap<[i32; 2], usize>, _) = (BTreeMap::new(), BTreeMap::new());
        for _ in 0..400 {
            *ends.entry(play_pawns(&game, size, &mut outcomes, &mut rng)).or_default() += 1;
        }
        assert!(ends.len() == 3 && ends.values().all(|&count| count > 5), "{name}: {ends:?}");
        assert!(outcomes.len() == 3 && outcomes.values().all(|&count| count > 500), "{name}: {outcomes:?}");
        println!("{name}: {ends:?}, {outcomes:?}");
    }
}
