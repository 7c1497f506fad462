//! Moves as people type them.

use super::{WIDTHS, screen::Session};
use crate::program;

/// Types lines one after the other, and gives the moves that the role made, as the record has them.
fn moves_of(test: &str, arguments: &[&str], role: &str, typed: &[&str], columns: u16) -> Vec<String> {
    let program = program(&format!("terminal-forms-{test}-{columns}"));
    let arguments = [&["play"][..], arguments, &["--seed", "1", "--record", "m.jsonl"]].concat();
    let mut session = Session::new(&program.path(""), columns, &arguments);
    for line in typed {
        assert!(session.is_asked("your move>"), "{}", session.screen());
        session.enter(line);
    }
    if session.is_asked("your move>") {
        session.enter("quit");
    }
    assert_eq!(session.end(), 0);
    session.assert_fits();
    let record = String::from_utf8(program.contents("m.jsonl")).expect("UTF-8");
    let replies = record.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let own = replies.filter(|event| event["event"] == "reply" && event["role"] == role);
    let moves = own.filter_map(|event| Some(event["move"].as_str()?.to_owned()));
    moves.filter(|played| played != "noop").collect()
}

#[test]
fn chess_is_typed_as_it_is_written() {
    // Black's first legal moves are those of its pawn and rook on the a file.
    let seats = ["chess", "--seat", "white=human", "--seat", "black=first-legal"];
    let typed = ["e4", "Nf3", "f1-c4", "O-O", "d2d4", "Nbd2"];
    let expected =
        ["(move e2 e4)", "(move g1 f3)", "(move f1 c4)", "(move e1 g1)", "(move d2 d4)", "(move b1 d2)"];
    for columns in WIDTHS {
        assert_eq!(moves_of("chess", &seats, "white", &typed, columns), expected);
    }
}

#[test]
fn a_piece_that_could_be_two_is_asked_for() {
    let program = program("terminal-ambiguous");
    let arguments = ["play", "chess", "--seat", "white=human", "--seat", "black=first-legal", "--seed", "1"];
    let mut session = Session::new(&program.path(""), 80, &arguments);
    for line in ["d4", "Nf3", "Nd2"] {
        assert!(session.is_asked("your move>"));
        session.enter(line);
    }
    session.wait_for("'Nd2' could be: b1 to d2, f3 to d2");
    assert!(session.is_asked("your move>"));
    session.enter("quit");
    assert_eq!(session.end(), 0);
}

#[test]
fn squares_at_sea_have_letters_and_numbers() {
    let seats = ["battleship-4x4", "--seat", "blue=human", "--seat", "red=first-legal"];
    let typed = ["1", "1", "b3", "C 2", "fire 4 4", "(fire 1 1)"];
    let moves = moves_of("battleship", &seats, "blue", &typed, 34);
    assert_eq!(moves[2..], ["(fire 2 3)", "(fire 3 2)", "(fire 4 4)", "(fire 1 1)"]);
}

#[test]
fn bids_are_named_by_any_words_that_are_clear() {
    let seats = ["liars-dice", "--seat", "alice=human", "--seat", "bob=first-legal"];
    assert_eq!(moves_of("dice", &seats, "alice", &["bid 1 3"], 34)[0], "(bid 1 3)");
    assert_eq!(moves_of("dice", &seats, "alice", &["2 sixes"], 34)[0], "(bid 2 6)");
    assert_eq!(moves_of("dice", &seats, "alice", &["1"], 34)[0], "(bid 1 1)");
}
