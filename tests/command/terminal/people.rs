//! Two people at one terminal.

use super::{WIDTHS, screen::Session};
use crate::program;

#[test]
fn a_screen_between_two_people_hides_what_the_first_one_holds() {
    for columns in WIDTHS {
        let program = program(&format!("terminal-people-{columns}"));
        let arguments = ["play", "kuhn", "--seat", "alice=human", "--seat", "bob=human", "--seed", "1"];
        let mut session = Session::new(&program.path(""), columns, &arguments);
        session.wait_for("Hand the keyboard to Alice.");
        assert!(!session.screen().contains("holds"), "{}", session.screen());
        session.enter("");
        assert!(session.is_asked("Alice's move>"));
        assert!(session.screen().contains("Alice holds the") && !session.screen().contains("Bob holds"));
        session.enter("bet");
        session.wait_for("Hand the keyboard to Bob.");
        assert!(!session.screen().contains("holds"), "{}", session.screen());
        session.press("\r");
        assert!(session.is_asked("Bob's move>"));
        let screen = session.screen();
        assert!(screen.contains("Bob holds the") && !screen.contains("Alice holds"), "{screen}");
        assert!(screen.contains("Alice bets"), "Bob is told what happened: {screen}");
        session.enter("1");
        assert_eq!(session.end(), 0, "{}", session.text());
        session.assert_fits();
    }
}

#[test]
fn a_game_without_secrets_needs_no_screen_between() {
    let program = program("terminal-open");
    let arguments = ["play", "tic-tac-toe", "--seat", "x=human", "--seat", "o=human", "--seed", "1"];
    let session = Session::new(&program.path(""), 80, &arguments);
    assert!(session.is_asked("X's move>"), "{}", session.screen());
    session.enter("b2");
    assert!(session.is_asked("O's move>"), "{}", session.screen());
    assert!(session.screen().contains("X's move> b2") && !session.screen().contains("keyboard"));
}

#[test]
fn in_a_pipe_a_line_stands_between_two_people() {
    let program = program("terminal-pipe");
    let ended = program.run_with(
        &["play", "kuhn", "--seat", "alice=human", "--seat", "bob=human", "--seed", "1"],
        "bet\nfold\npass\n",
    );
    assert_eq!(ended.code, 0, "{ended:?}");
    assert!(
        ended.stdout.contains("---- Alice ----") && ended.stdout.contains("---- Bob ----"),
        "{}",
        ended.stdout
    );
    assert!(!ended.stdout.contains(['\x1b', '\x0c']), "{}", ended.stdout);
}
