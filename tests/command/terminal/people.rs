//! Two people at one terminal.

use super::{WIDTHS, screen::Session};
use crate::program;

/// The cards of Kuhn poker that can be seen.
fn seen(session: &Session) -> Vec<&'static str> {
    let words = session.screen().split_whitespace().collect::<Vec<&str>>().join(" ");
    ["the jack", "the queen", "the king"].into_iter().filter(|card| words.contains(card)).collect()
}

#[test]
fn a_screen_between_two_people_hides_what_the_first_one_holds() {
    for columns in WIDTHS {
        let program = program(&format!("terminal-people-{columns}"));
        let arguments = ["play", "kuhn", "--seat", "alice=human", "--seat", "bob=human", "--seed", "1"];
        let mut session = Session::new(&program.path(""), columns, &arguments);
        session.wait_for("Hand the keyboard to Alice.");
        assert!(seen(&session).is_empty(), "{}", session.screen());
        session.enter("");
        assert!(session.is_asked("Alice's move>"));
        let of_alice = seen(&session);
        assert_eq!(of_alice.len(), 1, "{}", session.screen());
        session.enter("bet");
        session.wait_for("Hand the keyboard to Bob.");
        assert!(seen(&session).is_empty(), "{}", session.screen());
        session.press("\r");
        assert!(session.is_asked("Bob's move>"));
        let screen = session.screen();
        let of_bob = seen(&session);
        assert!(of_bob.len() == 1 && of_bob != of_alice, "{screen}");
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
