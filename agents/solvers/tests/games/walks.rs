//! Walks that keep no tree, beside evaluations of the whole tree.

use std::{
    hash::{BuildHasher as _, BuildHasherDefault},
    ops::ControlFlow,
};

use croupier_engine::{Game, InformationSet, MoveId};
use croupier_solvers::{
    Evaluation, Followed, GameTree, Policy, SequenceForm, StrategyFunction, TreeLimits, Walk, WalkError,
    WalkProgress,
};
use rayon::ThreadPoolBuilder;
use rustc_hash::FxHasher;

use super::subject::game;

const NEAR: f64 = 1e-9;

pub(super) fn compile(name: &str) -> Game {
    game(croupier_games::find(name).unwrap().rules)
}

pub(super) fn go_on(_: WalkProgress) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

pub(super) fn form(game: &Game) -> (GameTree, SequenceForm) {
    let tree = GameTree::new(game, &TreeLimits { histories_max: 2_000_000 }, &mut |_| {}).unwrap();
    let form = SequenceForm::new(&tree);
    (tree, form)
}

/// Probabilities that depend on what is known and on nothing else; about a third of them zero.
fn mixed(game: &Game, known: &InformationSet, moves: &[MoveId]) -> Vec<f64> {
    let hasher = BuildHasherDefault::<FxHasher>::default();
    let text = game.information_set_text(known);
    let share = |played: &MoveId| (hasher.hash_one((&text, game.move_text(*played))) >> 7) % 6;
    let shares: Vec<f64> = moves.iter().map(share).map(|share| share.saturating_sub(1) as f64).collect();
    match shares.iter().sum::<f64>() {
        0.0 => vec![1.0 / moves.len() as f64; moves.len()],
        sum => shares.iter().map(|share| share / sum).collect(),
    }
}

#[track_caller]
fn assert_alike(walked: &Evaluation, whole: &Evaluation, name: &str) {
    for (walked, whole) in walked.players.iter().zip(&whole.players) {
        assert!((walked.value - whole.value).abs() < NEAR, "{name}: {walked:?} and {whole:?}");
        assert!(
            (walked.best_response - whole.best_response).abs() < NEAR,
            "{name}: {walked:?} and {whole:?}"
        );
    }
}

/// Games of one, two and three players, with chance and without, with moves at once and in turns.
const NAMES: [&str; 8] =
    ["monty-hall", "kuhn", "kuhn-3", "leduc", "liars-dice", "goofspiel-4", "tiny-hanabi", "tic-tac-toe"];

#[test]
fn a_walk_says_of_uniform_play_what_the_tree_says() {
    for name in NAMES {
        let game = compile(name);
        let (_, form) = form(&game);
        let whole = Evaluation::new(&form, &Policy::uniform(&form));
        let walked = Walk::new(&game).unwrap().evaluate(Followed::Uniform, &mut go_on).unwrap();
        assert_alike(&walked, &whole, name);
        // Its half a million histories take a second each time.
        let pieces = if name == "tic-tac-toe" { &[1_000][..] } else { &[1, 1_000, 1_000_000] };
        for &piece in pieces {
            let walk = Walk::new(&game).unwrap().with_states_max(0).with_piece(piece);
            let walked = walk.evaluate(Followed::Uniform, &mut go_on).unwrap();
            assert_alike(&walked, &whole, name);
        }
    }
}

/// Phantom tic-tac-toe after four marks, of which each player knows its own two: 80,000 histories.
pub(super) fn phantom() -> Game {
    after_marks("(init (cell 1 1 x)) (init (cell 3 2 o)) (init (cell 2 1 x)) (init (cell 1 3 o))")
}

/// Phantom tic-tac-toe after these marks.
fn after_marks(marks: &str) -> Game {
    game(&format!("{} {marks}", croupier_games::find("phantom-tic-tac-toe").unwrap().rules))
}

#[test]
fn a_walk_of_a_phantom_game_says_what_the_tree_says() {
    let game = phantom();
    let (tree, form) = form(&game);
    let policy = Policy::from_fn(&form, |id, probabilities| {
        probabilities.copy_from_slice(&mixed(&game, &tree.information_set(id), tree.moves(id)));
    });
    let (uniform, whole) = (Evaluation::new(&form, &Policy::uniform(&form)), Evaluation::new(&form, &policy));
    for (piece, states_max) in [(1, 1_000_000), (16_384, 1_000_000), (16_384, 0)] {
        let walk = Walk::new(&game).unwrap().with_piece(piece).with_states_max(states_max);
        let walked = walk.evaluate(Followed::Uniform, &mut go_on).unwrap();
        assert_alike(&walked, &uniform, "phantom, uniform");
        let asked = |known: &InformationSet, moves: &[MoveId]| Ok(mixed(&game, known, moves));
        let walked = walk.evaluate(Followed::Asked(&asked), &mut go_on).unwrap();
        assert_alike(&walked, &whole, "phantom");
    }
}

#[test]
fn settled_histories_are_not_walked_through() {
    let game = phantom();
    let count = |states_max: usize| {
        let mut counted = 0;
        let mut count = |WalkProgress { histories, .. }: WalkProgress| {
            counted = histories;
            ControlFlow::Continue(())
        };
        let walk = Walk::new(&game).unwrap().with_states_max(states_max);
        walk.evaluate(Followed::Uniform, &mut count).unwrap();
        counted
    };
    let (all, open) = (count(0), count(1_000_000));
    assert!(open * 10 < all, "{open} of {all}");
}

#[test]
fn a_walk_can_be_stopped_while_states_are_numbered() {
    let game = compile("phantom-tic-tac-toe");
    let mut asked = 0;
    let mut stop = |WalkProgress { histories, .. }: WalkProgress| {
        asked += 1;
        assert_eq!(histories, 0, "nothing is walked through yet");
        ControlFlow::Break(())
    };
    let stopped = Walk::new(&game).unwrap().evaluate(Followed::Uniform, &mut stop);
    assert!(matches!(stopped, Err(WalkError::Interrupted)), "{stopped:?}");
    assert_eq!(asked, 1);
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let game = phantom();
    let asked = |known: &InformationSet, moves: &[MoveId]| Ok(mixed(&game, known, moves));
    for (states_max, is_asked) in [(1_000_000, true), (1_000_000, false), (0, true)] {
        let walk = Walk::new(&game).unwrap().with_states_max(states_max).with_piece(1);
        let (mut last, mut told) = (WalkProgress::default(), 0);
        let mut progress = |now: WalkProgress| {
            let WalkProgress { histories, asked, walked } = now;
            assert!(histories >= last.histories && asked >= last.asked && walked >= last.walked, "{now:?}");
            // What was asked about is walked through afterwards.
            assert!(walked == 0.0 || asked == last.asked, "{now:?}");
            (last, told) = (now, told + 1);
            ControlFlow::Continue(())
        };
        let followed = if is_asked { Followed::Asked(&asked) } else { Followed::Uniform };
        walk.evaluate(followed, &mut progress).unwrap();
        assert!((last.walked - 1.0).abs() < 1e-9 && told > 10, "{last:?} after {told}");
        let asked = if is_asked && states_max > 0 { 1.0 } else { 0.0 };
        assert!((last.asked - asked).abs() < 1e-9, "{last:?}");
    }
}

#[test]
fn a_match_without_an_end_is_refused() {
    // The states are a cycle, so that they cannot be walked through by number.
    let rules =
        "(role me) (init (at start)) (legal me stay) (legal me leave) (<= (next (at start)) (does me stay))
        (<= (next (at end)) (does me leave)) (<= terminal (true (at end))) (<= (goal me 50) (true (at end)))
        (<= (sees me nothing) (true never))";
    let game = game(rules);
    let error = Walk::new(&game).unwrap().evaluate(Followed::Uniform, &mut go_on).unwrap_err();
    assert!(error.to_string().starts_with("turns of a match: limit "), "{error}");
}

#[test]
fn any_number_of_threads_walks_to_the_same_bits() {
    let game = phantom();
    let walk = Walk::new(&game).unwrap().with_piece(1);
    let on_threads = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let asked = |known: &InformationSet, moves: &[MoveId]| Ok(mixed(&game, known, moves));
        let evaluate = || walk.evaluate(Followed::Asked(&asked), &mut go_on).unwrap();
        pool.install(evaluate)
    };
    let alone = on_threads(1);
    for threads in [2, 3] {
        assert_eq!(on_threads(threads), alone, "{threads} threads");
    }
}

#[test]
fn a_walk_says_of_any_strategy_what_the_tree_says() {
    for name in NAMES {
        let game = compile(name);
        let (tree, form) = form(&game);
        let policy = Policy::from_fn(&form, |id, probabilities| {
            probabilities.copy_from_slice(&mixed(&game, &tree.information_set(id), tree.moves(id)));
        });
        let asked = |known: &InformationSet, moves: &[MoveId]| Ok(mixed(&game, known, moves));
        let whole = Evaluation::new(&form, &policy);
        for states_max in [0, 1_000_000] {
            let walk = Walk::new(&game).unwrap().with_piece(100).with_states_max(states_max);
            let walked = walk.evaluate(Followed::Asked(&asked), &mut go_on).unwrap();
            assert_alike(&walked, &whole, name);
        }
    }
}

#[test]
fn histories_with_the_same_future_become_one() {
    let rules = "(role me) (role other) (legal me wait) (init (turn 0)) (mark a) (mark b) (mark c)
        (<= (legal other (take ?m)) (mark ?m)) (<= (next (taken ?m)) (does other (take ?m)))
        (<= (next (taken ?m)) (true (taken ?m))) (<= (next (turn 1)) (true (turn 0))) (<= (next (turn 2)) (true (turn 1)))
        (<= terminal (true (turn 2))) (goal me 50) (<= (goal other 100) (true (taken a)))
        (<= (goal other 0) (not (true (taken a)))) (<= (sees me nothing) (true never))";
    let game = game(rules);
    let walk = Walk::new(&game).unwrap().with_states_max(0);
    let mut counted = 0;
    let mut count = |WalkProgress { histories, .. }: WalkProgress| {
        counted = histories;
        ControlFlow::Continue(())
    };
    let uniform = walk.evaluate(Followed::Uniform, &mut count).unwrap();
    // Five of nine sequences have an `a`.
    assert!((uniform.players[1].value - 100.0 * 5.0 / 9.0).abs() < NEAR, "{uniform:?}");
    assert!((uniform.players[1].best_response - 100.0).abs() < NEAR, "{uniform:?}");
    // For me there are one, three and six sets of marks; whoever takes them tells nine sequences apart.
    assert_eq!(counted, (1 + 3 + 6) + (1 + 3 + 9));
    let asked = |_: &InformationSet, moves: &[MoveId]| Ok(vec![1.0 / moves.len() as f64; moves.len()]);
    let mut count = |WalkProgress { histories, .. }: WalkProgress| {
        counted = histories;
        ControlFlow::Continue(())
    };
    let asked = walk.evaluate(Followed::Asked(&asked), &mut count).unwrap();
    assert_alike(&asked, &uniform, "marks");
    assert_eq!(counted, 2 * (1 + 3 + 9), "what the other knows tells all nine apart");
}

#[test]
fn information_sets_from_which_players_go_on_alike_are_one() {
    let game = after_marks("(init (cell 1 1 x)) (init (cell 3 2 o))");
    // Whoever remembers what happened and not in which order; and the same with a trace of the order, in the moves that it makes at all.
    let forgetful = |known: &InformationSet, moves: &[MoveId]| {
        let mut known = known.clone();
        known.turns.sort();
        Ok(mixed(&game, &known, moves))
    };
    let nearly = |known: &InformationSet, moves: &[MoveId]| {
        let (said, trace) = (forgetful(known, moves)?, mixed(&game, known, moves));
        Ok(said.iter().zip(trace).map(|(said, trace)| said * (1.0 + 1e-12 * trace)).collect())
    };
    let evaluate = |asked: &StrategyFunction<'_>| {
        let mut counted = 0;
        let mut count = |WalkProgress { histories, .. }: WalkProgress| {
            counted = histories;
            ControlFlow::Continue(())
        };
        let walked = Walk::new(&game).unwrap().evaluate(Followed::Asked(asked), &mut count).unwrap();
        (walked, counted)
    };
    let ((forgetful, fewer), (nearly, all)) = (evaluate(&forgetful), evaluate(&nearly));
    assert_alike(&forgetful, &nearly, "forgetful");
    assert!(fewer * 20 < all * 19, "{fewer} of {all}");
}

#[test]
fn a_strategy_that_fails_ends_the_walk_with_its_words() {
    let game = compile("kuhn");
    let asked = |_: &InformationSet, _: &[MoveId]| Err("nobody knows".into());
    let error = Walk::new(&game).unwrap().evaluate(Followed::Asked(&asked), &mut go_on).unwrap_err();
    assert_eq!(error.to_string(), "nobody knows");
}

#[test]
fn moves_that_a_player_cannot_know_are_refused() {
    let rules = "(role left) (role right) (init begun) (legal left a) (legal left b) (legal right wait)
        (<= (next (went ?m)) (does left ?m)) (<= (legal right c) (true (went a)))
        (<= (legal right d) (true (went b))) (<= terminal (true (went ?m)) (true over))
        (<= (next over) (true (went ?m))) (<= (next (went ?m)) (true (went ?m))) (goal left 50)
        (<= (next (chose ?m)) (does right ?m)) (<= (goal right 100) (true (chose wait)))
        (<= (goal right 0) (not (true (chose wait))))
        (<= (sees left ?m) (does right ?m))";
    let game = Game::compile(rules, &croupier_engine::Options::PLAY).unwrap().game;
    let error = Walk::new(&game).unwrap().evaluate(Followed::Uniform, &mut go_on).unwrap_err();
    assert!(matches!(error, WalkError::UnknownMoves { ref role } if role == "right"), "{error}");
    // Somebody who is asked is noticed in the walk of another.
    let asked = |_: &InformationSet, moves: &[MoveId]| Ok(vec![1.0 / moves.len() as f64; moves.len()]);
    let error = Walk::new(&game).unwrap().evaluate(Followed::Asked(&asked), &mut go_on).unwrap_err();
    assert!(matches!(error, WalkError::UnknownMoves { ref role } if role == "right"), "{error}");
}
