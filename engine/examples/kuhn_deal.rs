//! The first moves of a game, from its rules.

use croupier_engine::{Game, Options, Status};

fn main() {
    let rules = include_str!("../../games-ii/kuhn/rules.gdl");
    let game = Game::compile(rules, &Options::PLAY).expect("the rules are sound").game;
    let mut scratch = game.scratch();
    let random = game.roles().random().expect("cards are dealt");

    // Before the first deal, chance has one move for each of the three cards.
    let status = game.status(game.initial_state(), &mut scratch).expect("the rules can be evaluated");
    let Status::Running { legal } = status else { panic!("the match has begun") };
    let cards: Vec<_> = legal[random].iter().map(|&card| game.move_text(card)).collect();
    assert_eq!(cards, ["(deal jack)".into(), "(deal king)".into(), "(deal queen)".into()]);
}
