//! The player that seeks an equilibrium, against numbers that others have computed.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet};
use croupier_players::{Budget, Decision, Player, PlayerKind, StopReason};

use crate::referee::{KUHN, TIC_TAC_TOE, game};

/// What alice is asked first with this card.
fn with_card(game: &Game, card: &str) -> InformationSet {
    let alice = game.roles().find("alice").unwrap();
    let mut known = InformationSet::initial(alice);
    for percept in [format!("(hole {card})").as_str(), "(dealt bob)"] {
        known.turns.push(game.own_turn("noop", [percept]).unwrap());
    }
    known
}

fn player(game: &Arc<Game>, kind: &PlayerKind, seed: u8) -> Box<dyn Player> {
    let alice = game.roles().find("alice").unwrap();
    kind.player(Arc::clone(game), alice, [seed; 32]).unwrap()
}

/// How likely alice bets.
fn bets(game: &Game, decision: &Decision) -> f64 {
    let bet = game.move_id("bet").unwrap();
    let place = decision.moves.iter().position(|&played| played == bet).unwrap();
    decision.strategy.as_ref().unwrap()[place]
}

#[test]
fn in_kuhn_the_first_bets_follow_the_equilibria() {
    // H. W. Kuhn 1950: with the jack a share a of at most 1/3, never with the queen, with the king 3a.
    let game = game(KUHN);
    let kind: PlayerKind = "resolve:iterations=4000".parse().unwrap();
    let mut player = player(&game, &kind, 1);
    let [jack, queen, king] = ["jack", "queen", "king"]
        .map(|card| bets(&game, &player.choose(&with_card(&game, card), &mut Budget::Own).unwrap()));
    assert!(jack < 1.0 / 3.0 + 0.02, "{jack}");
    assert!(queen < 0.02, "{queen}");
    assert!((king - 3.0 * jack).abs() < 0.05, "{king} is not three times {jack}");
}

#[test]
fn a_seed_decides_the_move_and_not_the_strategy() {
    let game = game(KUHN);
    let kind: PlayerKind = "resolve:iterations=50".parse().unwrap();
    let known = with_card(&game, "king");
    let decide = |seed: u8| player(&game, &kind, seed).choose(&known, &mut Budget::Own).unwrap();
    let decisions: Vec<Decision> = (0..40).map(decide).collect();
    assert!(decisions.iter().all(|decision| decision.strategy == decisions[0].strategy));
    assert!(
        decisions.iter().any(|decision| decision.chosen != decisions[0].chosen),
        "a mixed strategy mixes"
    );
    assert_eq!(decide(7), decisions[7]);
    assert_eq!(decisions[0].stop, StopReason::IterationLimit(50));
}

#[test]
fn what_one_player_began_another_one_goes_on_with() {
    let game = game(KUHN);
    let kind: PlayerKind = "resolve:iterations=3000000".parse().unwrap();
    let known = with_card(&game, "king");
    let mut iterations = 0;
    for seed in 0..3 {
        let mut asked = 0;
        let mut is_over = || {
            asked += 1;
            asked > 60
        };
        let mut player = player(&game, &kind, seed);
        let decision = player.choose(&known, &mut Budget::Until(&mut is_over)).unwrap();
        assert_eq!(decision.stop, StopReason::Deadline);
        assert!(decision.iterations > iterations, "{} after {iterations}", decision.iterations);
        iterations = decision.iterations;
        player.release();
    }
}

#[test]
fn a_start_clock_is_used() {
    let game = game(KUHN);
    let kind: PlayerKind = "resolve:iterations=100".parse().unwrap();
    let mut player = player(&game, &kind, 0);
    player.prepare(&mut Budget::Own);
    // There is no time left, and none is needed.
    let decision = player.choose(&with_card(&game, "king"), &mut Budget::Until(&mut || true)).unwrap();
    assert_eq!((decision.iterations, decision.stop), (100, StopReason::IterationLimit(100)));
}

#[test]
fn a_game_that_is_too_large_is_searched() {
    let game = game(TIC_TAC_TOE);
    let kind: PlayerKind = "resolve:histories=1000,descents=50".parse().unwrap();
    let x = game.roles().players().next().unwrap();
    let mut player = kind.player(Arc::clone(&game), x, [0; 32]).unwrap();
    let decision = player.choose(&InformationSet::initial(x), &mut Budget::Own).unwrap();
    assert_eq!((decision.strategy, decision.stop), (None, StopReason::IterationLimit(50)));
}
