//! `croupier convert --to rtgdl`: what it writes is a real-time game, and what it cannot write it says.

use croupier_engine::{
    Options,
    realtime::{RealTimeGame, RealTimeReport},
};

use crate::program;

fn game(text: &str) -> RealTimeGame {
    RealTimeGame::compile(text, &Options::PLAY).unwrap_or_else(|error| panic!("{error}\n{text}")).game
}

#[test]
fn turn_based_rules_become_those_of_a_game_that_ticks() {
    let program = program("real_time_rules_tick");
    let text = program.output(&["convert", "tic-tac-toe", "--to", "rtgdl", "--play-clock", "2.50"]);
    assert!(text.contains("(init 2.5 clock)"), "{text}");
    let ticking = game(&text);
    assert_eq!(*ticking.build_report(), RealTimeReport::Clocks);
    assert_eq!(ticking.initial_state().next_expiry(), Some(2_500_000));
    // A text that is written in infix stays in infix, and is the same game.
    let infix = program.output(&["convert", "tic-tac-toe", "--to", "infix"]);
    let file = program.file("tictactoe.hrf", infix);
    let text = program.output(&["convert", &file, "--to", "rtgdl"]);
    assert!(text.contains("init(1,clock)") || text.contains("init(1, clock)"), "{text}");
    assert_eq!(game(&text).initial_state().next_expiry(), Some(1_000_000));
    let text = program.output(&["convert", "tic-tac-toe", "--to", "rtgdl", "--silence", "lose"]);
    assert!(text.contains("loses: the match ends"), "{text}");
    game(&text);
}

#[test]
fn clocks_are_added_where_one_role_at_a_time_has_a_choice() {
    let program = program("real_time_rules_clock");
    let arguments = ["convert", "connect-four", "--to", "rtgdl", "--clock", "180,delay=2"];
    let text = program.output(&arguments);
    assert!(text.contains("(init 2 delay)"), "{text}");
    let clocked = game(&text);
    let facts = clocked.state_terms(clocked.initial_state());
    let clocks =
        facts.iter().filter(|(_, fluent)| fluent.starts_with("(remaining ") && fluent.ends_with(" 180)"));
    assert_eq!(clocks.count(), 2, "{facts:?}");
    let refused = program.refusal(&["convert", "goofspiel-4", "--to", "rtgdl", "--clock", "180"]);
    for part in ["choose at the same time", " and ", "--play-clock"] {
        assert!(refused.contains(part), "{refused}");
    }
}

#[test]
fn what_cannot_be_converted_is_said_with_the_cure() {
    let program = program("real_time_rules_refused");
    let cases: [(&[&str], &str); 6] = [
        (&["tic-tac-toe", "--to", "kif", "--clock", "180"], "--clock is for `--to rtgdl`"),
        (&["tic-tac-toe", "--to", "rtgdl", "--clock", "180", "--silence", "lose"], "cannot be used with"),
        (&["tic-tac-toe", "--to", "rtgdl", "--clock", "180,increment=2"], "is not delay=SECONDS"),
        (&["tic-tac-toe", "--to", "rtgdl", "--play-clock", "0"], "more than 0 seconds"),
        (&["tic-tac-toe", "--to", "rtgdl", "--play-clock", "infinity"], "a clock runs out"),
        (&["tic-tac-toe", "--to", "rtgdl", "--play-clock", "0.0000001"], "the resolution is one microsecond"),
    ];
    for (arguments, said) in cases {
        let arguments: Vec<&str> = [&["convert"], arguments].concat();
        let refused = program.refusal(&arguments);
        assert!(refused.contains(said), "{refused}");
    }
    let text = program.output(&["convert", "tic-tac-toe", "--to", "rtgdl"]);
    let file = program.file("twice.gdl", text);
    let refused = program.refusal(&["convert", &file, "--to", "rtgdl"]);
    assert!(refused.contains("they already describe a real-time game"), "{refused}");
}
