//! Reviews, compared with counterfactual values that are counted from the beginning of the game.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use croupier_games::{ReviewGrounds, ReviewedDecision};
use croupier_players::{Budget, KnownStrategy, ResolveOptions, Solutions};
use croupier_solvers::{Evaluation, GameTree, Policy as TreePolicy, SequenceForm, TreeLimits};
use croupier_trainer::{Trainer, TrainerOptions};

use crate::enumeration::{game, histories, legal, trainer};

/// What a move of an information set is worth, and how likely everybody comes there.
#[derive(Clone, Copy, Debug, Default)]
struct CountedMove {
    value: f64,
    reach: f64,
}

/// The counterfactual values of all moves of a role, by information set, if everybody goes by `strategy`: means of the goals over the
/// histories of the set, each as likely as chance and the others make it.
fn counterfactual(
    game: &Game,
    role: RoleId,
    strategy: &KnownStrategy,
) -> BTreeMap<(InformationSet, MoveId), CountedMove> {
    let all = histories(game, role, Some(strategy));
    let place = game.roles().players().position(|of| of == role).unwrap();
    let mut reached = vec![1.0; all.len()];
    for (index, history) in all.iter().enumerate().skip(1) {
        reached[index] = reached[history.parent.unwrap().0] * history.turn_share;
    }
    // Backwards: children stand behind their parents.
    let mut values: Vec<f64> =
        all.iter().map(|history| history.goals.as_ref().map_or(0.0, |goals| goals[place])).collect();
    let mut after: BTreeMap<(usize, MoveId), f64> = BTreeMap::new();
    for index in (1..all.len()).rev() {
        let (parent, played) = all[index].parent.unwrap();
        values[parent] += all[index].turn_share * values[index];
        let others = if all[parent].reach > 0.0 { all[index].reach / all[parent].reach } else { 0.0 };
        *after.entry((parent, played)).or_default() += others * values[index];
    }
    let mut sums: BTreeMap<(InformationSet, MoveId), (f64, f64, f64)> = BTreeMap::new();
    for ((parent, played), value) in after {
        let key = (all[parent].known[role].clone(), played);
        let sum = sums.entry(key).or_default();
        *sum = (sum.0 + all[parent].reach * value, sum.1 + all[parent].reach, sum.2 + reached[parent]);
    }
    let possible = sums.into_iter().filter(|(_, (_, others, _))| *others > 0.0);
    possible.map(|(key, (sum, others, reach))| (key, CountedMove { value: sum / others, reach })).collect()
}

fn strategy(game: &Arc<Game>) -> KnownStrategy {
    let solutions = Solutions::default();
    KnownStrategy::new(game, ResolveOptions::STANDARD, &solutions, &mut Budget::Own).unwrap()
}

/// The decision of a role that knows this and then plays that.
fn decision(trainer: Trainer, game: &Game, known: &InformationSet, played: MoveId) -> ReviewedDecision {
    let mut trainer = trainer;
    let mut whole = known.clone();
    whole.turns.push((played, game.percepts_of([] as [&str; 0]).unwrap()));
    trainer.take_all(&whole);
    let review = trainer.review(&mut || false).unwrap();
    review.decisions.into_iter().find(|decision| decision.turn == known.turns.len()).unwrap()
}

fn compare(name: &str, every: usize) {
    let game = game(name);
    let strategy = strategy(&game);
    let solutions = Solutions::default();
    let (mut compared, mut in_support) = (0, 0);
    for role in game.roles().players() {
        let values = counterfactual(&game, role, &strategy);
        let mut sets: Vec<&InformationSet> = values.keys().map(|(known, _)| known).collect();
        sets.dedup();
        let sets = sets.into_iter().filter(|known| strategy.entry(known).is_some_and(|of| of.len() > 1));
        for known in sets.step_by(every) {
            for (played, share) in strategy.entry(known).unwrap() {
                let options = TrainerOptions::brief([0; 32]);
                let trainer = Trainer::new(Arc::clone(&game), role, options, solutions.clone());
                let found = decision(trainer, &game, known, played);
                assert!(matches!(found.grounds, ReviewGrounds::Exact { .. }), "{:?}", found.grounds);
                let best = found.moves.iter().filter_map(|of| of.goal).fold(f64::NEG_INFINITY, f64::max);
                for of in &found.moves {
                    let id = game.move_id(&of.term).unwrap();
                    let expected = values[&(known.clone(), id)].value;
                    assert!((of.goal.unwrap() - expected).abs() < 1e-6, "{of:?}, not {expected}");
                }
                let own = values[&(known.clone(), played)];
                assert!((found.given_up.unwrap() - (best - own.value)).abs() < 1e-6);
                compared += 1;
                // Who plays something else here, and nowhere else, gains that: in an equilibrium next to nothing.
                assert!(own.reach * share * found.given_up.unwrap() < 0.05, "{own:?} {found:?}");
                in_support += u32::from(own.reach * share > 0.001);
            }
        }
    }
    assert!(compared > 10 && in_support > 5, "{compared} {in_support}");
}

#[test]
fn what_a_move_of_kuhn_gives_up_is_the_difference_of_counterfactual_values() {
    compare("kuhn", 1);
}

#[test]
fn what_a_move_of_leduc_gives_up_is_the_difference_of_counterfactual_values() {
    compare("leduc", 41);
}

#[test]
fn folding_the_king_gives_up_three_chips_and_calling_with_the_jack_gives_up_one() {
    let game = game("kuhn");
    let bob = game.roles().find("bob").unwrap();
    for (card, played, chips) in [("king", "pass", 3.0), ("king", "bet", 0.0), ("jack", "bet", 1.0)] {
        let mut trainer = trainer(&game, bob, TrainerOptions::brief([0; 32]));
        trainer.take("noop", &["(dealt alice)"]).unwrap();
        trainer.take("noop", &[&*format!("(hole {card})")]).unwrap();
        trainer.take("noop", &["(did alice bet)"]).unwrap();
        trainer.take(played, &[]).unwrap();
        let review = trainer.review(&mut || false).unwrap();
        let [decision] = review.decisions.as_slice() else { panic!("one decision: {review:?}") };
        assert_eq!((decision.turn, decision.played.as_str()), (3, played));
        // A chip is worth 25.
        assert!((decision.given_up.unwrap() / 25.0 - chips).abs() < 1e-9, "{decision:?}");
        assert_eq!(decision.error, None);
    }
}

#[test]
fn the_strategy_of_the_best_player_is_the_one_that_the_solver_evaluates() {
    let game = game("kuhn");
    let strategy = strategy(&game);
    let tree = GameTree::new(&game, &TreeLimits { histories_max: 1_000 }, &mut |_| ()).unwrap();
    let form = SequenceForm::new(&tree);
    let policy = TreePolicy::from_fn(&form, |id, shares| {
        let known = tree.images(&game, id).unwrap().remove(0);
        let entry = strategy.entry(&known).unwrap();
        for (share, played) in shares.iter_mut().zip(tree.moves(id)) {
            *share = entry.iter().find(|(of, _)| of == played).map_or(0.0, |&(_, share)| share);
        }
    });
    let evaluation = Evaluation::new(&form, &policy);
    assert!(evaluation.nash_conv() / 25.0 < 0.01, "{}", evaluation.nash_conv() / 25.0);
    // The value of the game to Alice is -1/18.
    assert!(((evaluation.players[0].value - 50.0) / 25.0 + 1.0 / 18.0).abs() < 0.01);
}

#[test]
fn playouts_come_near_to_the_exact_values() {
    let game = game("leduc");
    let strategy = strategy(&game);
    let solutions = Solutions::default();
    let role = game.roles().players().next().unwrap();
    let all = histories(&game, role, None);
    let decisions = all.iter().filter(|history| {
        history.goals.is_none()
            && legal(&game, &history.state, role).len() > 1
            && history.known[role].turns.len() > 3
    });
    for history in decisions.step_by(257).take(4) {
        let known = &history.known[role];
        let entry = strategy.entry(known).unwrap();
        let ask = |options| {
            let trainer = Trainer::new(Arc::clone(&game), role, options, solutions.clone());
            decision(trainer, &game, known, entry[0].0)
        };
        let exact = ask(TrainerOptions::brief([3; 32]));
        let sampled =
            ask(TrainerOptions { histories_max: 0, playouts: 2_000, ..TrainerOptions::brief([3; 32]) });
        assert!(matches!(sampled.grounds, ReviewGrounds::Playouts { playouts: 2_000, .. }), "{sampled:?}");
        for (exact, sampled) in exact.moves.iter().zip(&sampled.moves) {
            // A goal has a standard deviation of at most 50, so the mean of 2,000 is off by less than four times 50 / sqrt(2000).
            let (exact, sampled) = (exact.goal.unwrap(), sampled.goal.unwrap());
            assert!((exact - sampled).abs() < 4.5, "{exact} {sampled}");
        }
        let difference = exact.given_up.unwrap() - sampled.given_up.unwrap();
        assert!(difference.abs() < 5.0 * sampled.error.unwrap() + 0.5, "{difference} {:?}", sampled.error);
    }
}

#[test]
fn where_no_strategy_is_known_a_search_estimates_the_moves() {
    let game = game("connect-four");
    let role = game.roles().players().next().unwrap();
    let options = TrainerOptions {
        resolve: ResolveOptions { descents: 200, ..ResolveOptions::STANDARD },
        ..TrainerOptions::brief([0; 32])
    };
    let known = InformationSet::initial(role);
    let legal = legal(&game, game.initial_state(), role);
    let found = decision(trainer(&game, role, options), &game, &known, legal[0]);
    assert!(matches!(found.grounds, ReviewGrounds::Search { .. }));
    assert_eq!(found.moves.len(), legal.len());
    assert!(found.given_up.is_none_or(|given_up| given_up >= 0.0));
}

#[test]
fn a_review_tells_how_much_was_not_known_whether_or_not_beliefs_were_asked_for() {
    let game = game("kuhn");
    let bob = game.roles().find("bob").unwrap();
    let after_king = |asks: bool| {
        let mut trainer = trainer(&game, bob, TrainerOptions::brief([0; 32]));
        trainer.take("noop", &["(dealt alice)"]).unwrap();
        trainer.take("noop", &["(hole queen)"]).unwrap();
        trainer.take("noop", &["(did alice bet)"]).unwrap();
        trainer.take("bet", &["(did bob bet)", "(shows alice king)", "(shows bob queen)"]).unwrap();
        if asks {
            trainer.belief(&|_| None, &|_| None, &|_| true, &mut || false).unwrap();
        }
        trainer.review(&mut || false).unwrap().entropy_bits
    };
    let bits = after_king(false);
    assert_eq!(bits, after_king(true));
    // Nothing is dealt; one of three cards; one of two; the jack bets a third as often as the king; the king is shown.
    let quarter: f64 = 0.25;
    let expected = [0.0, 3_f64.log2(), 1.0, -quarter * quarter.log2() - 0.75 * 0.75_f64.log2(), 0.0];
    assert_eq!(bits.len(), expected.len(), "{bits:?}");
    for (found, expected) in bits.iter().zip(expected) {
        assert!((found - expected).abs() < 0.05, "{bits:?}");
    }
}
