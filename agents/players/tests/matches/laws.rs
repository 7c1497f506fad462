//! Laws that hold for players of every kind in every game.

use std::sync::Arc;

use croupier_belief::BeliefError;
use croupier_engine::{Game, InformationSet};
use croupier_players::{Budget, Decision, PlayerError, PlayerKind, StopReason};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::referee::{
    BREAKTHROUGH, CHESS, CONNECT_FOUR, HOLDEM, KUHN, LEDUC, MONTY_HALL, REVERSI, TIC_TAC_TOE, game, play,
    player, role,
};

#[test]
fn moves_are_legal_in_every_game() {
    // The referee asserts it at each move.
    for rules in [KUHN, LEDUC, HOLDEM, TIC_TAC_TOE] {
        let game = game(rules);
        for help in PlayerKind::HELP.iter().filter(|help| !help.is_file) {
            let kind = match help.name {
                "hyperplay-ii" => "hyperplay-ii:iterations=2,models=2,particles=10",
                "resolve" => "resolve:iterations=20,histories=20000,descents=20,deals=1",
                name if help.options.is_empty() => name,
                name => &format!("{name}:iterations=20,particles=20"),
            };
            let matches = if rules == HOLDEM { 1 } else { 4 };
            for seed in 0..matches {
                play(&game, &["random", kind], seed, |_, _| ());
                play(&game, &[kind, "random"], seed, |_, _| ());
            }
        }
    }
}

#[test]
fn large_games_are_opened_legally() {
    for rules in [CONNECT_FOUR, BREAKTHROUGH, REVERSI, CHESS] {
        let game = game(rules);
        let mut scratch = game.scratch();
        for help in PlayerKind::HELP.iter().filter(|help| !help.is_file) {
            let kind = match help.name {
                "hyperplay-ii" => "hyperplay-ii:iterations=1,models=1,particles=2,playouts=1",
                "resolve" => "resolve:iterations=3,histories=10,descents=3",
                name if help.options.is_empty() => name,
                name => &format!("{name}:iterations=3,particles=2,playouts=2"),
            };
            for role in game.roles().players() {
                let name = game.roles().name(role);
                // An imagined match of chess is hundreds of decisions: its deadline is what is looked at.
                let mut asked = 0;
                let mut is_over = || {
                    asked += 1;
                    asked > 2_000
                };
                let mut budget = Budget::Until(&mut is_over);
                let known = InformationSet::initial(role);
                let decision = player(&game, name, kind, 1).choose(&known, &mut budget).unwrap();
                let legal = game.legal_moves(game.initial_state(), role, &mut scratch).unwrap();
                assert!(legal.contains(&decision.chosen), "{kind}");
            }
        }
    }
}

/// Plays five matches and prints each decision with what it was based on.
fn decisions(game: &Arc<Game>, kinds: &[&str]) -> Vec<String> {
    let mut decisions = Vec::new();
    for seed in 0..5 {
        play(game, kinds, seed, |_, decision| {
            let estimates = decision.estimates.iter().map(|found| {
                format!("{} {} {:?}", game.move_text(found.chosen), found.visits, found.mean_goal)
            });
            let estimates: Vec<String> = estimates.collect();
            decisions.push(format!("{}: {estimates:?}", game.move_text(decision.chosen)));
        });
    }
    decisions
}

#[test]
fn same_inputs_give_the_same_decisions() {
    let of_leduc = [
        ["belief:iterations=50", "random"],
        ["ismcts:iterations=100", "mo-ismcts:iterations=100"],
        ["hyperplay:iterations=100", "hyperplay-ii:iterations=8,models=4"],
    ];
    let of_leduc = of_leduc.into_iter().map(|kinds| (LEDUC, kinds));
    for (rules, kinds) in of_leduc.chain([(KUHN, ["belief", "uct"])]) {
        let fresh = decisions(&game(rules), &kinds);
        // Another game value, whose ids have other numbers, since it met the terms in another order.
        let warm = game(rules);
        let mut scratch = warm.scratch();
        for text in ["raise", "(hand bob kh)", "(hand alice king)", "(deal qh)", "(dealt bob)"] {
            warm.fluent_id(text).unwrap();
            warm.move_id(text).unwrap();
        }
        let mut rng = ChaCha8Rng::from_seed([99; 32]);
        for _ in 0..20 {
            warm.playout(warm.initial_state(), &mut rng, &mut scratch).unwrap();
        }
        assert_eq!(decisions(&warm, &kinds), fresh);
    }
}

#[test]
fn an_answer_does_not_depend_on_what_was_asked_before() {
    let game = game(LEDUC);
    for kind in [
        "random",
        "first-legal",
        "raise",
        "belief:iterations=60,particles=40",
        "uct:iterations=60,particles=40",
        "hyperplay:iterations=60,particles=40",
        "hyperplay-ii:iterations=6,particles=40,models=4",
        "ismcts:iterations=60,particles=40",
        "mo-ismcts:iterations=60,particles=40",
        "resolve:histories=1,iterations=20,deals=1",
        "resolve:histories=1,subgame=6000,iterations=20,descents=60,deals=1",
    ] {
        let mut asked: Vec<(InformationSet, Decision)> = Vec::new();
        let alice = role(&game, "alice");
        play(&game, &[kind, "random"], 3, |known, decision| {
            if known.role == alice {
                asked.push((known.clone(), decision.clone()));
            }
        });
        // The seed that the referee gives alice in that match.
        let mut one = player(&game, "alice", kind, 3 * 5 + 1);
        for (known, expected) in asked.iter().rev() {
            assert_eq!(one.choose(known, &mut Budget::Own).as_ref(), Ok(expected), "{kind}");
        }
    }
}

#[test]
fn the_budget_bounds_the_search_and_the_reason_is_told() {
    let game = game(MONTY_HALL);
    let mut known = InformationSet::initial(role(&game, "candidate"));
    known.turns.push((game.move_id("noop").unwrap(), game.percepts_of([]).unwrap()));
    let mut candidate = player(&game, "candidate", "belief:iterations=40", 0);

    let decision = candidate.choose(&known, &mut Budget::Own).unwrap();
    assert_eq!((decision.iterations, decision.stop), (40, StopReason::IterationLimit(40)));
    // Whoever knows nothing need not tell the doors apart: what was tried of one is known of all three.
    assert_eq!(decision.estimates.iter().map(|estimate| estimate.visits).collect::<Vec<_>>(), [40; 3]);

    let decision = candidate.choose(&known, &mut Budget::Iterations(7)).unwrap();
    assert_eq!((decision.iterations, decision.stop), (7, StopReason::IterationLimit(7)));

    // The first rounds have one descent each, and each looks at the clock once more in its playouts: their states
    // are the last but one.
    let mut asked = 0;
    let mut is_over = || {
        asked += 1;
        asked > 6
    };
    let decision = candidate.choose(&known, &mut Budget::Until(&mut is_over)).unwrap();
    assert!((1..=6).contains(&decision.iterations), "{}", decision.iterations);
    assert_eq!(decision.stop, StopReason::Deadline);
    assert!(decision.estimates.iter().all(|estimate| estimate.visits == decision.iterations), "{decision:?}");

    // Without any time there is still a legal move: the first.
    let decision = candidate.choose(&known, &mut Budget::Until(&mut || true)).unwrap();
    assert_eq!(&*game.move_text(decision.chosen), "(choose 1)");
    assert!(decision.estimates.iter().all(|estimate| estimate.mean_goal.is_none()));

    // One legal move is played at once.
    let decision = candidate.choose(&InformationSet::initial(known.role), &mut Budget::Own).unwrap();
    assert_eq!(&*game.move_text(decision.chosen), "noop");
    assert_eq!((decision.iterations, decision.stop), (0, StopReason::WithoutSearch));
}

#[test]
fn what_cannot_be_answered_is_refused() {
    let game = game(KUHN);
    let [alice, bob, random] = ["alice", "bob", "random"].map(|name| role(&game, name));
    for help in PlayerKind::HELP.iter().filter(|help| !help.is_file) {
        let kind: PlayerKind = help.name.parse().unwrap();
        let refused = kind.player(game.clone(), random, [0; 32]).unwrap_err();
        assert_eq!(refused, PlayerError::RandomRole);

        let mut player = player(&game, "alice", help.name, 0);
        let choose = player.choose(&InformationSet::initial(bob), &mut Budget::Own);
        assert_eq!(choose, Err(PlayerError::OtherRole));

        let mut known = InformationSet::initial(alice);
        known.turns.push((game.move_id("noop").unwrap(), game.percepts_of(["(hole ace)"]).unwrap()));
        let choose = player.choose(&known, &mut Budget::Own);
        assert_eq!(choose, Err(PlayerError::Belief(BeliefError::Inconsistent { turn: 0 })));

        // The player can be asked again.
        assert!(player.choose(&InformationSet::initial(alice), &mut Budget::Own).is_ok());
    }
}

#[test]
fn after_the_end_there_is_nothing_to_play() {
    let game = game(KUHN);
    let percepts = ["(hole king)", "(dealt bob)", "(did alice bet)", "(did bob pass)"];
    let own_moves = ["noop", "noop", "bet", "noop"];
    let turn = |(own_move, percept): (&str, &str)| {
        (game.move_id(own_move).unwrap(), game.percepts_of([percept]).unwrap())
    };
    let turns = own_moves.into_iter().zip(percepts).map(turn).collect();
    let known = InformationSet { role: role(&game, "alice"), turns };
    let choose = player(&game, "alice", "random", 0).choose(&known, &mut Budget::Own);
    assert_eq!(choose, Err(PlayerError::NothingToPlay { turn: 4 }));
}
