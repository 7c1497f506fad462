//! Iterations on numbered states, beside those on the whole tree.

use std::{collections::BTreeMap, ops::ControlFlow};

use croupier_engine::{Game, InformationSet, MoveId};
use croupier_solvers::{Algorithm, Evaluation, GameTree, Samples, Solver, Walk, WalkError, WalkSolver};
use rayon::ThreadPoolBuilder;

use super::{
    subject::game,
    walks::{compile, form, go_on, phantom},
};

/// Probabilities by what is known.
type Strategy = BTreeMap<String, Vec<f64>>;

fn new<'g>(game: &'g Game, algorithm: Algorithm) -> WalkSolver<'g> {
    WalkSolver::new(&Walk::new(game).unwrap().with_piece(1), algorithm, &mut go_on).unwrap()
}

/// The average strategy in information sets that a player gets to by itself with at least some probability.
fn average(game: &Game, solver: &mut WalkSolver<'_>, reach_min: f64) -> Strategy {
    let mut strategy = Strategy::new();
    let visit = |known: &InformationSet, _: &[MoveId], probabilities: &[f64]| {
        strategy.insert(game.information_set_text(known), probabilities.to_vec());
        Ok::<(), ()>(())
    };
    solver.each_average(reach_min, visit).unwrap();
    strategy
}

/// What the solver on the tree comes to.
fn on_tree(game: &Game, algorithm: Algorithm, iterations: u64) -> (Evaluation, Strategy) {
    let (tree, form) = form(game);
    let mut solver = Solver::new(&tree, &form, algorithm, Samples::single([0; 32]));
    solver.advance(iterations);
    let policy = solver.average_policy();
    let strategy = |tree: &GameTree| {
        let of = |id| (game.information_set_text(&tree.information_set(id)), policy.of(&form, id).to_vec());
        tree.information_sets().map(of).collect()
    };
    (Evaluation::new(&form, &policy), strategy(&tree))
}

#[test]
fn iterations_of_a_walk_come_to_what_those_of_the_tree_come_to() {
    let full = Algorithm::ALL.into_iter().filter(|algorithm| !algorithm.is_sampling());
    // Ties are broken by rounding sooner or later, and from then on strategies differ.
    let games = [("kuhn", 50), ("kuhn-3", 4), ("tiny-hanabi", 20), ("goofspiel-4", 4), ("liars-dice", 3)];
    let cases = full.flat_map(|algorithm| games.map(|(name, n)| (algorithm, name, compile(name), n)));
    let phantoms = [Algorithm::CfrPlus, Algorithm::DiscountedCfr].map(|of| (of, "phantom", phantom(), 2));
    for (algorithm, name, game, iterations) in cases.chain(phantoms) {
        let (whole, strategy) = on_tree(&game, algorithm, iterations);
        let mut solver = new(&game, algorithm);
        solver.advance(1, &mut |_| {}).unwrap();
        // An evaluation between iterations changes nothing.
        solver.evaluate(&mut go_on).unwrap();
        solver.advance(iterations - 1, &mut |_| {}).unwrap();
        assert_eq!(solver.iterations(), iterations);
        let walked = solver.evaluate(&mut go_on).unwrap();
        for (walked, whole) in walked.players.iter().zip(&whole.players) {
            let far = (walked.value - whole.value).abs() + (walked.best_response - whole.best_response).abs();
            assert!(far < 1e-3, "{algorithm} in {name}: {walked:?} and {whole:?}");
        }
        let average = average(&game, &mut solver, 0.0);
        assert!(!average.is_empty(), "{name}");
        for (known, probabilities) in average {
            let whole = &strategy[&known];
            let far =
                probabilities.iter().zip(whole).map(|(walked, whole)| (walked - whole).abs()).sum::<f64>();
            assert!(far < 1e-3, "{algorithm} in {name}, {known}: {probabilities:?} and {whole:?}");
        }
    }
}

#[test]
fn what_a_player_avoids_is_left_out_of_its_strategy() {
    let game = phantom();
    let mut solver = new(&game, Algorithm::CfrPlus);
    solver.advance(40, &mut |_| {}).unwrap();
    let sets: usize = solver.information_sets().iter().sum();
    let (all, kept) = (average(&game, &mut solver, 0.0), average(&game, &mut solver, 0.01));
    assert_eq!(all.len(), sets, "every set in which there is a choice");
    assert!(kept.len() * 2 < all.len(), "{} of {sets}", kept.len());
    assert!(kept.iter().all(|(known, probabilities)| all[known] == *probabilities));
}

#[test]
fn any_number_of_threads_iterates_to_the_same_bits() {
    let game = phantom();
    let on_threads = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut solver = new(&game, Algorithm::CfrPlus);
            solver.advance(6, &mut |_| {}).unwrap();
            average(&game, &mut solver, 0.0)
        })
    };
    let alone = on_threads(1);
    assert_eq!(on_threads(3), alone);
}

#[test]
fn what_cannot_be_iterated_over_is_refused() {
    let kuhn = compile("kuhn");
    let walk = Walk::new(&kuhn).unwrap();
    let refused = |walk: &Walk<'_>, algorithm| WalkSolver::new(walk, algorithm, &mut go_on).unwrap_err();
    assert!(matches!(refused(&walk, Algorithm::OutcomeSampling), WalkError::Sampling { .. }));
    let small = walk.with_states_max(5);
    assert!(matches!(refused(&small, Algorithm::CfrPlus), WalkError::NotNumbered { limit: 5 }));
    let mut stop = |_| ControlFlow::Break(());
    let stopped = WalkSolver::new(&Walk::new(&kuhn).unwrap(), Algorithm::Cfr, &mut stop).unwrap_err();
    assert!(matches!(stopped, WalkError::Interrupted), "{stopped}");
    let trivial =
        game("(role me) (legal me a) (legal me b) (goal me 0) terminal (<= (sees me nothing) (true never))");
    let mut solver = new(&trivial, Algorithm::Cfr);
    solver.advance(1, &mut |_| {}).unwrap();
    assert_eq!(solver.evaluate(&mut go_on).unwrap().nash_conv(), 0.0);
    assert_eq!(average(&trivial, &mut solver, 0.0).len(), 0, "nobody chooses");
}
