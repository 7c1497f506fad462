//! The player that seeks an equilibrium, against numbers that others have computed.

use std::sync::Arc;

use croupier_engine::{Game, InformationSet};
use croupier_players::{Budget, Decision, Player, PlayerKind, StopReason};
use croupier_solvers::{Evaluation, GameTree, Policy, SequenceForm, TreeLimits};

use crate::referee::{KUHN, LEDUC, TIC_TAC_TOE, game, play};

const PHANTOM_TIC_TAC_TOE: &str = include_str!("../../../../games-ii/phantom-tic-tac-toe/rules.gdl");
const LIARS_DICE_2: &str = include_str!("../../../../games-ii/liars-dice-2/rules.gdl");

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

/// A search makes its descents, and many times as many where a clock offers time for them; a player with a number of iterations of its
/// own keeps to it.
#[test]
fn time_that_is_offered_is_used() {
    let game = game(PHANTOM_TIC_TAC_TOE);
    let x = game.roles().players().next().unwrap();
    let decide = |kind: &str, budget: &mut Budget<'_>| {
        let kind: PlayerKind = kind.parse().unwrap();
        let mut player = kind.player(Arc::clone(&game), x, [0; 32]).unwrap();
        let decision = player.choose(&InformationSet::initial(x), budget).unwrap();
        (decision.iterations, decision.stop)
    };
    let whole = |iterations: u32| (iterations, StopReason::IterationLimit(iterations));
    let resolve = "resolve:histories=1,subgame=1,descents=20";
    assert_eq!(decide(resolve, &mut Budget::Own), whole(20));
    assert_eq!(decide(resolve, &mut Budget::Until(&mut || false)), whole(20));
    assert_eq!(decide(resolve, &mut Budget::Offered(&mut || false)), whole(20 * 64));
    assert_eq!(decide("ismcts:iterations=20", &mut Budget::Offered(&mut || false)), whole(20));
    let mut asked = 0;
    let mut is_over = || {
        asked += 1;
        asked > 200
    };
    let (iterations, stop) = decide(resolve, &mut Budget::Offered(&mut is_over));
    assert_eq!(stop, StopReason::Deadline);
    assert!(iterations < 20 * 64, "{iterations}");
}

/// What the policy of a kind of player in a whole game loses to a best response, in the mean of all players.
pub(crate) fn exploitability(game: &Arc<Game>, kind: &PlayerKind) -> f64 {
    let tree = GameTree::new(game, &TreeLimits { histories_max: 20_000 }, &mut |_| {}).unwrap();
    let form = SequenceForm::new(&tree);
    let player = |&role| kind.player(Arc::clone(game), role, [3; 32]).unwrap();
    let mut players: Vec<Box<dyn Player>> = tree.players().iter().map(player).collect();
    let policy = Policy::from_fn(&form, |id, probabilities| {
        let known = tree.information_set(id);
        let decision = players[tree.player(id)].choose(&known, &mut Budget::Own).unwrap();
        assert_eq!(decision.moves, tree.moves(id));
        probabilities.copy_from_slice(&decision.strategy.expect("it is solved"));
    });
    Evaluation::new(&form, &policy).exploitability()
}

#[test]
fn subgames_that_go_on_to_the_end_are_an_equilibrium_of_the_whole() {
    for (rules, most) in [(KUHN, 0.02), (LEDUC, 0.1)] {
        let kind = "resolve:histories=1,iterations=300,deals=0".parse().unwrap();
        let exploitability = exploitability(&game(rules), &kind);
        assert!(exploitability < most, "{exploitability} of a hundred");
    }
}

#[test]
fn subgames_that_are_cut_are_solved_safely() {
    let exploitability = exploitability(
        &game(LEDUC),
        &"resolve:histories=1,subgame=6000,iterations=100,deals=0".parse().unwrap(),
    );
    // `pooled-ismcts` loses 1.7, and subgames that opponents cannot decline lose 1.5.
    assert!(exploitability < 0.75, "{exploitability} of a hundred");
}

#[test]
fn a_game_of_which_a_subgame_shows_little_is_searched() {
    let game = game(LIARS_DICE_2);
    let mut first = None;
    play(&game, &["random", "random"], 1, |known, decision| {
        if decision.moves.len() > 1 {
            first.get_or_insert_with(|| known.clone());
        }
    });
    let known = first.unwrap();
    let kind: PlayerKind = "resolve:histories=1,descents=50".parse().unwrap();
    let decision = kind
        .player(Arc::clone(&game), known.role, [0; 32])
        .unwrap()
        .choose(&known, &mut Budget::Own)
        .unwrap();
    assert_eq!((decision.strategy, decision.stop), (None, StopReason::IterationLimit(50)));
}

#[test]
fn a_clock_that_was_too_short_does_not_change_what_comes_without_one() {
    let game = game(LEDUC);
    let mut known = None;
    play(&game, &["random", "random"], 1, |asked, decision| {
        if decision.moves.len() > 1 {
            known = Some(asked.clone());
        }
    });
    let known = known.unwrap();
    let kind: PlayerKind = "resolve:histories=1,iterations=20,deals=0".parse().unwrap();
    let player = || kind.player(Arc::clone(&game), known.role, [0; 32]).unwrap();
    let mut hurried = player();
    hurried.choose(&known, &mut Budget::Until(&mut || true)).unwrap();
    let calm = hurried.choose(&known, &mut Budget::Own).unwrap();
    assert!(calm.strategy.is_some(), "it is solved by a subgame");
    assert_eq!(calm, player().choose(&known, &mut Budget::Own).unwrap());
}

#[test]
fn a_longer_clock_never_takes_an_answer_away() {
    let game = game(LEDUC);
    let mut known = None;
    play(&game, &["random", "random"], 1, |asked, decision| {
        if decision.moves.len() > 1 {
            known.get_or_insert_with(|| asked.clone());
        }
    });
    let known = known.unwrap();
    // Smaller subgames than this one are solved first; its iterations are fewer than make up for a smaller one.
    let kind: PlayerKind = "resolve:histories=1,iterations=20,descents=1,deals=0".parse().unwrap();
    let answers = |calls: u32| {
        let mut left = calls;
        let mut is_over = || {
            left = left.saturating_sub(1);
            left == 0
        };
        let mut player = kind.player(Arc::clone(&game), known.role, [0; 32]).unwrap();
        player.choose(&known, &mut Budget::Until(&mut is_over)).unwrap().strategy.is_some()
    };
    let answers: Vec<bool> = (0..16).map(|power| answers(1 << power)).collect();
    assert!(answers.is_sorted(), "{answers:?}");
    assert!(!answers[0] && answers[15], "{answers:?}");
}
