//! Board games of full sight against counts and lines of play that others have published.

use std::collections::{BTreeMap, BTreeSet};

use croupier_engine::{ByRole, Game, JointMove, Options, Scratch, State, Status};
use croupier_tests::{
    corpus::{catalogue_game, shared},
    size,
};

fn compile(name: &str) -> Game {
    Game::compile(&catalogue_game(name).text, &Options::PLAY).expect("a game of the catalogue compiles").game
}

/// The joint moves of a state; none at the end.
fn joint_moves(game: &Game, state: &State, scratch: &mut Scratch) -> Vec<JointMove> {
    match game.status(state, scratch).expect("a status") {
        Status::Terminal { .. } => Vec::new(),
        Status::Running { legal } => game.joint_moves(&legal).collect(),
    }
}

/// Lines of exactly `length` joint moves from `state`, what chess programmers call perft; matches that end
/// earlier do not count.
fn lines(game: &Game, state: &State, length: usize, scratch: &mut Scratch) -> u64 {
    let joint_moves = joint_moves(game, state, scratch);
    if length == 1 {
        return joint_moves.len() as u64;
    }
    let mut count = 0;
    for joint_move in &joint_moves {
        let successor = game.successor(state, joint_move, scratch).expect("a successor");
        count += lines(game, &successor, length - 1, scratch);
    }
    count
}

/// Most lines of one length that are counted for every change: the next length takes thirty times as long.
const LINES_MAX: u64 = 250_000;

/// Compares the lines of 1, 2, 3... joint moves with the numbers given, the longest only with `CROUPIER_SLOW=1`.
fn expect_lines(game: &Game, state: &State, expected: &[u64], what: &str) {
    let mut scratch = game.scratch();
    let most = size(LINES_MAX, u64::MAX);
    let expected = &expected[..expected.iter().take_while(|&&lines| lines <= most).count()];
    let counted = (1..=expected.len()).map(|length| lines(game, state, length, &mut scratch));
    assert_eq!(counted.collect::<Vec<_>>(), expected, "{what}");
}

fn expect_lines_from_the_start(name: &str, expected: &[u64]) {
    let game = compile(name);
    expect_lines(&game, game.initial_state(), expected, name);
}

/// The states that can be reached by 0, 1, 2... joint moves, each once.
fn states_by_turn(game: &Game, turns: usize) -> Vec<Vec<State>> {
    let mut scratch = game.scratch();
    let mut layers = vec![vec![game.initial_state().clone()]];
    for turn in 0..turns {
        let mut found = Vec::new();
        for state in &layers[turn] {
            for joint_move in joint_moves(game, state, &mut scratch) {
                found.push(game.successor(state, &joint_move, &mut scratch).expect("a successor"));
            }
        }
        found.sort_unstable_by_key(State::stable_hash);
        found.dedup();
        layers.push(found);
    }
    layers
}

/// The state after a line in which one player moves at a time and the other waits.
fn play(game: &Game, state: &State, line: &[String]) -> State {
    let mut scratch = game.scratch();
    let mut state = state.clone();
    for played in line {
        let moves = ByRole::from_fn(game.roles(), |role| {
            let found = ["noop", played].map(|text| game.find_move(&state, role, text, &mut scratch).ok());
            found.into_iter().flatten().next().unwrap_or_else(|| panic!("{played} is not legal in {line:?}"))
        });
        let joint_move = game.joint_move(&state, moves, &mut scratch).expect("legal moves");
        state = game.successor(&state, &joint_move, &mut scratch).expect("a successor");
    }
    state
}

/// Goals by role where the match is over, else `None`.
fn goals(game: &Game, state: &State) -> Option<BTreeMap<String, i32>> {
    match game.status(state, &mut game.scratch()).expect("a status") {
        Status::Running { .. } => None,
        Status::Terminal { goals } => {
            let named = goals.iter().map(|(role, goal)| (game.roles().name(role).to_owned(), goal.value()));
            Some(named.collect())
        }
    }
}

fn expect_goals(game: &Game, state: &State, expected: [(&str, i32); 2]) {
    let expected = expected.map(|(role, goal)| (role.to_owned(), goal));
    assert_eq!(goals(game, state), Some(BTreeMap::from(expected)));
}

/// The matches that these lines end in are 255,168 (OEIS A061526), as `tests/games/counts.rs` compares.
#[test]
fn tic_tac_toe_has_the_lines_of_openspiel() {
    let expected = [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872];
    expect_lines_from_the_start("tic-tac-toe", &expected);
}

/// Positions up to rotation and reflection: OEIS A008907. All positions: counted by OpenSpiel.
#[test]
fn tic_tac_toe_has_the_published_number_of_positions() {
    let game = compile("tic-tac-toe");
    let layers = states_by_turn(&game, 9);
    assert_eq!(layers.iter().map(Vec::len).sum::<usize>(), 5_478);
    let classes = layers.iter().map(|layer| {
        let boards = layer.iter().map(|state| smallest_image(&board(&game, state)));
        boards.collect::<BTreeSet<_>>().len()
    });
    assert_eq!(classes.collect::<Vec<_>>(), [1, 3, 12, 38, 108, 174, 204, 153, 57, 15]);
}

/// Who has marked which of the nine cells.
type Board = [[char; 3]; 3];

fn board(game: &Game, state: &State) -> Board {
    let mut board = [['.'; 3]; 3];
    for text in game.state_terms(state) {
        if let Some(cell) = text.strip_prefix("(cell ") {
            let [column, row] = [0, 2].map(|at| usize::from(cell.as_bytes()[at] - b'1'));
            board[row][column] = char::from(cell.as_bytes()[4]);
        }
    }
    board
}

/// Of the eight images of a board under rotation and reflection, the first.
fn smallest_image(board: &Board) -> Board {
    let mut images = vec![*board];
    for _ in 0..3 {
        let last = images[images.len() - 1];
        images.push([0, 1, 2].map(|row| [0, 1, 2].map(|column: usize| last[2 - column][row])));
    }
    let mirrored: Vec<Board> = images.iter().map(|image| [image[2], image[1], image[0]]).collect();
    images.into_iter().chain(mirrored).min().expect("eight images")
}

/// Nobody wins before the seventh disc. Until then the columns alone bound the lines: of 7 to the 7th, seven
/// put all discs into one column, which holds six.
#[test]
fn connect_four_has_the_lines_that_fit_its_columns() {
    expect_lines_from_the_start("connect-four", &[7, 49, 343, 2_401, 16_807, 117_649, 823_536]);
}

/// J. Tromp, OEIS A212693.
#[test]
fn connect_four_has_the_positions_that_tromp_counted() {
    let layers = states_by_turn(&compile("connect-four"), size(7, 8));
    let counted: Vec<usize> = layers.iter().map(Vec::len).collect();
    assert_eq!(counted, [1, 7, 49, 238, 1_120, 4_263, 16_422, 54_859, 184_275][..counted.len()]);
    assert!(counted.len() >= 8, "{counted:?}");
}

#[test]
fn breakthrough_has_the_lines_of_openspiel() {
    expect_lines_from_the_start("breakthrough", &[22, 484, 11_132, 256_036]);
}

/// A. Bik: Perft for Reversi (2009).
#[test]
fn reversi_has_the_lines_that_bik_published() {
    expect_lines_from_the_start("reversi", &[4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]);
}

/// Squares of a reversi board as they are usually named, `d3`, as moves.
fn placed(squares: &str) -> Vec<String> {
    let square = |name: &str| {
        let column = name.as_bytes()[0] - b'a' + 1;
        format!("(place {column} {})", &name[1..])
    };
    squares.split(' ').map(square).collect()
}

/// The shortest line to a pass that OpenSpiel's game of othello finds.
#[test]
fn who_cannot_put_a_disc_in_reversi_passes() {
    let game = compile("reversi");
    let state = play(&game, game.initial_state(), &placed("d3 c3 b3 b2 f5 a3 a1 c1"));
    let mut scratch = game.scratch();
    for (role, expected) in [("black", "pass"), ("white", "noop")] {
        let role = game.roles().find(role).expect("a role of the game");
        let legal = game.legal_moves(&state, role, &mut scratch).expect("legal moves");
        let legal: Vec<_> = legal.iter().map(|&id| game.move_text(id).to_string()).collect();
        assert_eq!(legal, [expected]);
    }
}

/// The shortest match there is: nine turns, and white has no disc left.
#[test]
fn reversi_ends_when_nobody_can_put_a_disc() {
    let game = compile("reversi");
    let line = placed("e6 f4 e3 f6 g5 d6 e7 f5 c5");
    assert_eq!(goals(&game, &play(&game, game.initial_state(), &line[..8])), None);
    expect_goals(&game, &play(&game, game.initial_state(), &line), [("black", 100), ("white", 0)]);
}

/// Lines of exactly `length` turns; in checkers a turn is over when the piece need not go on jumping.
fn lines_of_turns(game: &Game, state: &State, length: usize, scratch: &mut Scratch) -> u64 {
    let mut count = 0;
    for joint_move in &joint_moves(game, state, scratch) {
        let successor = game.successor(state, joint_move, scratch).expect("a successor");
        let goes_on =
            game.state_terms(&successor).iter().any(|term| term.to_string().starts_with("(jumping "));
        count += match length {
            _ if goes_on => lines_of_turns(game, &successor, length, scratch),
            1 => 1,
            _ => lines_of_turns(game, &successor, length - 1, scratch),
        };
    }
    count
}

/// A. J. C. Bik, Computing deep perft and divide numbers for checkers, ICGA Journal 35 (2012).
#[test]
fn checkers_has_the_lines_that_bik_published() {
    let game = compile("checkers");
    let mut scratch = game.scratch();
    for (length, lines) in (1..).zip([7, 49, 302, 1_469, 7_361, 36_768]).take(size(5, 6)) {
        assert_eq!(
            lines_of_turns(&game, game.initial_state(), length, &mut scratch),
            lines,
            "{length} turns"
        );
    }
}

/// Each of the four amazons has twenty squares to go to; with the arrow, those are the well-known 2176 first moves.
#[test]
fn amazons_has_2176_first_moves() {
    expect_lines_from_the_start("amazons", &[4, 80, 2_176]);
}

const CHESS_AT_FIRST: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0";
const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0";

/// Positions 3 to 6 of the Chess Programming Wiki, Perft Results, and their lines. Position 4 comes with its
/// mirror image.
const CHESS_PROBLEMS: &[(&str, &[u64])] = &[
    ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0", &[14, 191, 2_812, 43_238, 674_624]),
    ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0", &[6, 264, 9_467, 422_333]),
    ("r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0", &[6, 264, 9_467]),
    ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1", &[44, 1_486, 62_379, 2_103_487]),
    ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0", &[46, 2_079, 89_890]),
];

/// S. J. Edwards, OEIS A048987.
#[test]
fn chess_has_the_published_lines() {
    let game = compile("chess");
    assert_eq!(&chess_state(&game, CHESS_AT_FIRST), game.initial_state());
    expect_lines(&game, game.initial_state(), &[20, 400, 8_902, 197_281, 4_865_609], "chess");
}

/// The same lines by the rules that others wrote, which are slow to evaluate.
#[test]
fn chess_by_other_people_has_the_published_lines() {
    for file in shared("gdl").iter().filter(|file| file.name.starts_with("chess")) {
        let game = Game::compile(&file.text, &Options::PLAY).expect("a game of the corpus compiles").game;
        expect_lines(&game, game.initial_state(), &[20, 400, 8_902, 197_281], &file.name);
    }
}

/// A position by P. McKenzie in which almost every rule is at work at once.
#[test]
fn chess_has_the_published_lines_from_kiwipete() {
    let game = compile("chess");
    let state = chess_state(&game, KIWIPETE);
    expect_lines(&game, &state, &[48, 2_039, 97_862, 4_085_603], KIWIPETE);
}

#[test]
fn chess_has_the_published_lines_from_every_problem_of_the_wiki() {
    let game = compile("chess");
    for (position, expected) in CHESS_PROBLEMS {
        expect_lines(&game, &chess_state(&game, position), expected, position);
    }
}

/// The state of a position in Forsyth-Edwards notation, without the number of the move.
fn chess_state(game: &Game, position: &str) -> State {
    let fields: Vec<&str> = position.split(' ').collect();
    let [board, colour, castling, en_passant, quiet_turns] = fields[..] else { panic!("{position}") };
    let mut terms = vec![
        format!("(control {})", if colour == "w" { "white" } else { "black" }),
        format!("(quiet_turns {quiet_turns})"),
    ];
    for (rank, row) in (1..=8).rev().zip(board.split('/')) {
        let mut files = 'a'..='h';
        for letter in row.chars() {
            if let Some(empty) = letter.to_digit(10) {
                files.by_ref().take(empty as usize).for_each(drop);
            } else {
                let file = files.next().expect("eight files");
                terms.push(format!("(cell {file}{rank} {} {})", colour_of(letter), kind_of(letter)));
            }
        }
    }
    for letter in castling.chars().filter(|&letter| letter != '-') {
        terms.push(format!("(castling {} {}side)", colour_of(letter), kind_of(letter)));
    }
    if en_passant != "-" {
        terms.push(format!("(en_passant {en_passant})"));
    }
    game.state_of(terms.iter().map(String::as_str)).expect("ground terms")
}

fn colour_of(letter: char) -> &'static str {
    if letter.is_ascii_uppercase() { "white" } else { "black" }
}

fn kind_of(letter: char) -> &'static str {
    match letter.to_ascii_lowercase() {
        'p' => "pawn",
        'n' => "knight",
        'b' => "bishop",
        'r' => "rook",
        'q' => "queen",
        _ => "king",
    }
}

fn chess_line(squares: &str) -> Vec<String> {
    squares.split(' ').map(|pair| format!("(move {} {})", &pair[..2], &pair[2..])).collect()
}

#[test]
fn the_shortest_mate_in_chess_is_a_mate() {
    let game = compile("chess");
    let line = chess_line("f2f3 e7e5 g2g4 d8h4");
    assert_eq!(goals(&game, &play(&game, game.initial_state(), &line[..3])), None);
    expect_goals(&game, &play(&game, game.initial_state(), &line), [("white", 0), ("black", 100)]);
}

/// S. Loyd's stalemate in ten moves.
#[test]
fn the_shortest_stalemate_in_chess_is_a_draw() {
    let game = compile("chess");
    let line =
        "e2e3 a7a5 d1h5 a8a6 h5a5 h7h5 a5c7 a6h6 h2h4 f7f6 c7d7 e8f7 d7b7 d8d3 b7b8 d3h7 b8c8 f7g6 c8e6";
    let state = play(&game, game.initial_state(), &chess_line(line));
    expect_goals(&game, &state, [("white", 50), ("black", 50)]);
}

#[test]
fn the_hundredth_quiet_turn_of_chess_ends_it_unless_it_mates() {
    let game = compile("chess");
    let after = |position: &str, quiet_turns: usize, played: &str| {
        let state = chess_state(&game, &format!("{position} w - - {quiet_turns}"));
        assert_eq!(goals(&game, &state), None, "{position}");
        play(&game, &state, &chess_line(played))
    };
    let ladder = "7k/R7/8/8/8/8/4P3/1R2K3";
    assert_eq!(goals(&game, &after(ladder, 98, "b1b2")), None);
    expect_goals(&game, &after(ladder, 99, "b1b2"), [("white", 50), ("black", 50)]);
    expect_goals(&game, &after(ladder, 99, "b1b8"), [("white", 100), ("black", 0)]);
    assert_eq!(goals(&game, &after(ladder, 99, "e2e3")), None, "a pawn's move is not quiet");
}
