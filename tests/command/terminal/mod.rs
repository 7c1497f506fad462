//! People at a terminal: matches played by typing, on screens of 34, 80 and 120 columns.

mod cards;
mod certainty;
mod forms;
mod joining;
mod keys;
mod people;
mod screen;

use std::{collections::BTreeSet, thread};

use croupier_tests::size;
use serde_json::Value;

use self::screen::Session;
use crate::program;

/// Terminals that everything has to fit.
const WIDTHS: [u16; 3] = [34, 80, 120];

/// Does something at every width, at the same time: what is waited for is mostly the clock.
fn at_every_width(test: impl Fn(u16) + Sync) {
    thread::scope(|scope| {
        for columns in WIDTHS {
            let test = &test;
            scope.spawn(move || test(columns));
        }
    });
}

/// So wide that no line of words is wrapped.
const WIDE: u16 = 1000;

/// A match against agents, and what is typed in it before `1` at every other prompt.
struct Sitting {
    game: &'static str,
    seat: &'static str,
    others: &'static str,
    typed: &'static [&'static str],
}

const SITTINGS: [Sitting; 6] = [
    Sitting { game: "kuhn", seat: "alice=human", others: "bob=first-legal", typed: &["bet"] },
    Sitting {
        game: "holdem",
        seat: "alice=human",
        others: "bob=first-legal",
        typed: &["help", "call", "rules", "history"],
    },
    Sitting {
        game: "liars-dice",
        seat: "alice=human",
        others: "bob=first-legal",
        typed: &["belief", "bid 1 dice of 3", "liar"],
    },
    Sitting {
        game: "battleship-4x4",
        seat: "blue=human",
        others: "red=first-legal",
        typed: &["1", "1", "b3", "a1", "d4"],
    },
    Sitting {
        game: "chess",
        seat: "white=human",
        others: "black=first-legal",
        typed: &["e4", "Nf3", "d2d4", "help", "quit"],
    },
    Sitting {
        game: "gin-rummy-small",
        seat: "alice=human",
        others: "bob=first-legal",
        typed: &["pass", "draw", "discard", "1", "quit"],
    },
];

impl Sitting {
    /// The whole match in a terminal of so many columns; everything that was shown.
    fn play(&self, test: &str, columns: u16) -> String {
        let program = program(&format!("terminal-{test}-{}-{columns}", self.game));
        let (record, folder) = ("m.jsonl", program.path(""));
        let arguments = [
            "play",
            self.game,
            "--seat",
            self.seat,
            "--seat",
            self.others,
            "--seed",
            "3",
            "--record",
            record,
        ];
        let mut session = Session::new(&folder, columns, &arguments);
        let mut typed = self.typed.iter();
        while session.is_asked("your move>") {
            session.enter(typed.next().unwrap_or(&"1"));
        }
        assert_eq!(session.end(), 0, "{}", session.text());
        session.assert_fits();
        assert!(program.output(&["replay", &program.path(record), "--verify"]).contains("OK"));
        session.text()
    }
}

/// The different words of a text without punctuation: a table of players that is too wide is said in sentences.
fn words(text: &str) -> BTreeSet<String> {
    let plain = |word: &str| word.trim_matches([':', ';', ',', '.', '(', ')', '|']).to_owned();
    text.split_whitespace().map(plain).filter(|word| !word.is_empty()).collect()
}

/// Matches at all widths: no line is too long, and the words are those of lines that were never wrapped.
fn assert_words_are_whole(sitting: &Sitting) {
    let wide = words(&sitting.play("words", WIDE));
    // The narrowest breaks most lines.
    for columns in WIDTHS.into_iter().take(size(1, 3)) {
        let text = sitting.play("words", columns);
        let words = words(&text);
        let differing: Vec<&String> = words.symmetric_difference(&wide).collect();
        assert!(differing.is_empty(), "{} at {columns}: {differing:?}\n{text}", sitting.game);
    }
}

#[test]
fn no_word_of_kuhn_is_broken_and_no_line_too_long() {
    assert_words_are_whole(&SITTINGS[0]);
}

#[test]
fn no_word_of_holdem_is_broken_and_no_line_too_long() {
    assert_words_are_whole(&SITTINGS[1]);
}

#[test]
fn no_word_of_liars_dice_is_broken_and_no_line_too_long() {
    assert_words_are_whole(&SITTINGS[2]);
}

#[test]
fn no_word_of_battleship_is_broken_and_no_line_too_long() {
    assert_words_are_whole(&SITTINGS[3]);
}

#[test]
fn no_word_of_chess_is_broken_and_no_line_too_long() {
    assert_words_are_whole(&SITTINGS[4]);
}

#[test]
fn no_word_of_gin_rummy_is_broken_and_no_line_too_long() {
    assert_words_are_whole(&SITTINGS[5]);
}

/// Cards in a text, as `10s`: with signs on a screen, with letters in a pipe.
fn cards(text: &str) -> BTreeSet<String> {
    let letters: String = text
        .chars()
        .map(|char| match char {
            '♠' => 's',
            '♥' => 'h',
            '♦' => 'd',
            '♣' => 'c',
            other => other,
        })
        .collect();
    let is_card = |word: &&str| {
        let rank = word.strip_suffix(['s', 'h', 'd', 'c']).unwrap_or_default();
        ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"].contains(&rank)
    };
    letters.split(|char: char| !char.is_alphanumeric()).filter(is_card).map(str::to_owned).collect()
}

#[test]
fn no_card_appears_that_the_role_was_not_told_of() {
    for (game, typed) in [("holdem", &["call", "1", "2"][..]), ("gin-rummy-small", &["pass"])] {
        for columns in WIDTHS.into_iter().take(size(1, 3)) {
            let program = program(&format!("terminal-hidden-{game}-{columns}"));
            let arguments = [
                "play",
                game,
                "--seat",
                "alice=human",
                "--seat",
                "bob=random",
                "--seed",
                "5",
                "--record",
                "m.jsonl",
            ];
            let mut session = Session::new(&program.path(""), columns, &arguments);
            for line in typed {
                if session.is_asked("your move>") {
                    session.enter(line);
                }
            }
            let before_the_end = if session.is_asked("your move>") {
                let text = session.text();
                session.enter("quit");
                text
            } else {
                // What is told after the end is told of everybody.
                session.text().split("The match").next().unwrap_or_default().to_owned()
            };
            session.end();
            let record = program.path("m.jsonl");
            let told = cards(&program.output(&["replay", &record, "--role", "alice"]));
            let all = cards(&program.output(&["replay", &record]));
            let shown = cards(&before_the_end);
            assert!(!shown.is_empty() && told.len() < all.len(), "{game}: {told:?} of {all:?}");
            let hidden: Vec<&String> = shown.difference(&told).collect();
            assert!(hidden.is_empty(), "{game} at {columns}: {hidden:?}\n{before_the_end}");
        }
    }
}

#[test]
fn what_can_be_asked_for_tells_what_the_role_may_know() {
    for columns in WIDTHS {
        let program = program(&format!("terminal-told-{columns}"));
        let arguments = ["play", "kuhn", "--seat", "bob=human", "--seat", "alice=first-legal", "--seed", "1"];
        let mut session = Session::new(&program.path(""), columns, &arguments);
        let ask = |line: &str| {
            assert!(session.is_asked("your move>"));
            let before = session.screen().len();
            session.enter(line);
            assert!(session.is_asked("your move>"));
            // Words alone, so that it does not matter where lines end.
            session.screen()[before..].split_whitespace().collect::<Vec<&str>>().join(" ")
        };
        let help = ask("?");
        for word in ["table", "rules", "history", "belief", "quit"] {
            assert!(help.contains(word), "{help}");
        }
        let rules = ask("rules");
        assert!(
            rules.contains("Kuhn") && rules.contains("chips") && rules.contains("croupier show kuhn --rules"),
            "{rules}"
        );
        let belief = ask("belief");
        // One of two cards that Bob does not hold, and Alice has bet whatever she holds.
        assert!(belief.contains("50.00 % each Alice holds the king, the queen"), "{belief}");
        let history = ask("history");
        assert!(history.contains("Alice bets"), "{history}");
        let table = ask("table");
        for text in [history, table] {
            let named = ["the jack", "the queen", "the king"].map(|card| text.contains(card));
            assert_eq!(named.iter().filter(|is_named| **is_named).count(), 1, "{text}");
        }
        session.enter("quit");
        assert_eq!(session.end(), 0);
        session.assert_fits();
    }
}

#[test]
fn a_dumb_terminal_gets_plain_lines() {
    let program = program("terminal-dumb");
    let arguments = ["play", "kuhn", "--seat", "alice=human", "--seat", "bob=first-legal", "--seed", "1"];
    let mut session = Session::with_term(&program.path(""), 34, &arguments, "dumb");
    while session.is_asked("your move>") {
        session.enter("bet");
    }
    assert_eq!(session.end(), 0);
    session.assert_fits();
    assert!(session.text().contains("your move> bet"), "{}", session.text());
}

/// How the only match in a record ended.
fn outcome(program: &croupier_tests::command::Program, record: &str) -> Value {
    let text = program.output(&["replay", &program.path(record), "--json"]);
    let shown: Value = serde_json::from_str(&text).expect("JSON");
    let first = shown.get("matches").map_or(&shown, |matches| &matches[0]);
    first["outcome"].clone()
}
