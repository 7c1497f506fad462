//! The rules of the real-time games, and the words for their terms.

use croupier_engine::{
    Limits, Options, Strictness,
    realtime::{RealTimeGame, RealTimeReport},
    stages::check::check_text,
};
use croupier_games::GameFacts;

/// Name, rules, and what is known beside the rules.
type Texts = (&'static str, &'static str, &'static str);

macro_rules! texts {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../../games-ii/real-time/", $name, "/rules.gdl")),
            include_str!(concat!("../../../games-ii/real-time/", $name, "/game.toml")),
        )
    };
}

pub(crate) const GAMES: &[Texts] = &[
    texts!("bomb-party"),
    texts!("chicken"),
    texts!("dutch-auction"),
    texts!("pong"),
    texts!("reaction"),
    texts!("real-time-tic-tac-toe"),
    texts!("speed"),
    texts!("war-of-attrition"),
];

/// The options that a game with nothing wrong in it can be compiled with.
pub(crate) const STRICT: Options = Options { strictness: Strictness::Strict, ..Options::PLAY };

/// One of the games.
pub(crate) fn compiled(name: &str) -> RealTimeGame {
    let (_, rules, _) = GAMES.iter().find(|(known, ..)| *known == name).expect("a known name");
    RealTimeGame::compile(rules, &STRICT).expect("sound rules").game
}

#[test]
fn every_game_is_strictly_sound_without_a_warning_and_becomes_a_network() {
    for (name, rules, _) in GAMES {
        let (checked, findings) = check_text(rules, Strictness::Strict, &Limits::STANDARD);
        assert!(findings.is_empty(), "{name}: {findings:#?}");
        assert!(checked.is_some_and(|rules| rules.is_real_time()), "{name}");
        assert_eq!(*compiled(name).build_report(), RealTimeReport::Clocks, "{name}");
    }
}

#[test]
fn every_game_has_facts_that_can_be_read() {
    for (name, _, facts) in GAMES {
        let facts = GameFacts::parse(facts).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(facts.source.is_some() && !facts.known.is_empty(), "{name}");
        assert!(facts.tags.iter().any(|tag| tag == "real-time"), "{name}");
    }
}
