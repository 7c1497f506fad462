//! Strategies that sampled deals come to, judged on the whole tree.

use std::sync::Arc;

use croupier_solvers::{
    AbstractSolver, Blueprint, BlueprintError, DealError, DealSampling, Evaluation, MoveTree, Policy,
};
use rayon::ThreadPoolBuilder;

use crate::subject::{KUHN, LEDUC, MONTY_HALL, Subject, TIC_TAC_TOE, game};

const HANDS_APART: usize = 1_000;

fn solver(rules: &str, buckets: usize, sampling: DealSampling) -> (Arc<MoveTree>, AbstractSolver) {
    let tree = Arc::new(MoveTree::new(&game(rules), 10_000).unwrap());
    (Arc::clone(&tree), AbstractSolver::new(tree, buckets, sampling, [3; 32]))
}

/// The exact exploitability of a blueprint, after it was written and read, in goal values.
fn exploitability(subject: &Subject, moves: &MoveTree, blueprint: &Blueprint) -> f64 {
    // The tree has to be of the game whose numbers the subject's information sets have.
    let blueprint = Blueprint::from_bytes(&blueprint.to_bytes(), moves).unwrap();
    let policy = Policy::from_fn(&subject.form, |id, probabilities| {
        let known = subject.tree.information_set(id);
        let strategy =
            blueprint.strategy(moves, &known).expect("every information set of the tree has a place");
        assert!(strategy.iter().map(|(played, _)| played).eq(subject.tree.moves(id)));
        probabilities.iter_mut().zip(strategy).for_each(|(place, (_, probability))| *place = probability);
    });
    Evaluation::new(&subject.form, &policy).exploitability()
}

/// What sampling comes to with a bucket for every hand.
fn solved(rules: &str, sampling: DealSampling, iterations: u64) -> f64 {
    let subject = Subject::new(rules);
    let moves = Arc::new(MoveTree::new(&subject.game, 10_000).unwrap());
    let mut solver = AbstractSolver::new(Arc::clone(&moves), HANDS_APART, sampling, [3; 32]);
    let before = exploitability(&subject, &moves, &solver.blueprint());
    solver.advance(iterations);
    let after = exploitability(&subject, &moves, &solver.blueprint());
    assert!(after < before / 5.0, "{sampling:?}: {before} and then {after}");
    after
}

#[test]
fn kuhn_is_nearly_solved_by_sampled_deals() {
    // A chip is worth 25 there: uniform play loses 11.5.
    for sampling in [DealSampling::Chance, DealSampling::External] {
        let left = solved(KUHN, sampling, 100);
        assert!(left < 1.0, "{sampling:?}: {left}");
    }
}

/// A card, then all in on the next one or a look at it first. All in takes the fewest choices, and leaves nobody to tell of the second card.
const ALL_IN: &str = "(role alice) (role random) (card a) (card b) (init (step 0))
    (succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4)
    (<= (legal random (deal ?c)) (true (step 0)) (card ?c))
    (<= (legal random (deal ?c)) (true (step 2)) (card ?c))
    (<= (legal random noop) (true (step 1)))
    (<= (legal random noop) (true (step 3)))
    (<= (legal alice noop) (true (step 0)))
    (<= (legal alice noop) (true (step 2)))
    (<= (legal alice all_in) (true (step 1)))
    (<= (legal alice look) (true (step 1)))
    (<= (legal alice bet) (true (step 3)))
    (<= (legal alice pass) (true (step 3)))
    (<= (next (step ?m)) (true (step ?n)) (succ ?n ?m))
    (<= (next (hole ?c)) (true (step 0)) (does random (deal ?c)))
    (<= (next (board ?c)) (true (step 2)) (does random (deal ?c)))
    (<= (next (hole ?c)) (true (hole ?c)))
    (<= (next (board ?c)) (true (board ?c)))
    (<= (next looks) (does alice look))
    (<= (next looks) (true looks))
    (<= (next passed) (does alice pass))
    (<= (sees alice (told ?c)) (does random (deal ?c)))
    (<= pair (true (hole ?c)) (true (board ?c)))
    (<= terminal (true (step 4)))
    (<= terminal (true (step 3)) (not (true looks)))
    (<= (goal alice 60) (true passed))
    (<= (goal alice 100) (not (true passed)) pair)
    (<= (goal alice 0) (not (true passed)) (not pair))";

#[test]
fn what_chance_tells_is_learnt_though_the_quietest_line_leaves_nobody_a_choice() {
    let tree = MoveTree::new(&game(ALL_IN), 100).unwrap();
    // Two first turns; all in, its deal and its end; the look, its deal, the choice and two ends.
    assert_eq!((tree.nodes_count(), tree.sets_count()), (8, 2));
    // The best play is to look, and to bet on a pair: 80. Uniform play is worth 52.5.
    let left = solved(ALL_IN, DealSampling::Chance, 60);
    assert!(left < 1.0, "{left}");
}

#[test]
fn leduc_is_nearly_solved_by_sampled_deals() {
    // A chip is worth 3 there: uniform play loses 7.1.
    let left = solved(LEDUC, DealSampling::Chance, 60);
    assert!(left < 1.2, "{left}");
}

#[test]
fn few_buckets_are_worse_and_still_far_from_uniform() {
    let subject = Subject::new(LEDUC);
    let moves = Arc::new(MoveTree::new(&subject.game, 10_000).unwrap());
    let mut solver = AbstractSolver::new(Arc::clone(&moves), 3, DealSampling::Chance, [3; 32]);
    solver.advance(60);
    let left = exploitability(&subject, &moves, &solver.blueprint());
    assert!((0.8..5.0).contains(&left), "{left}");
}

#[test]
fn threads_and_the_division_into_calls_change_no_byte() {
    let run = |threads: usize, calls: &[u64]| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (_, mut solver) = solver(LEDUC, 4, DealSampling::External);
            calls.iter().for_each(|&iterations| solver.advance(iterations));
            solver.blueprint().to_bytes()
        })
    };
    let one = run(1, &[6]);
    assert_eq!(run(4, &[6]), one);
    assert_eq!(run(2, &[1, 5]), one);
    assert_ne!(run(1, &[7]), one);
}

#[test]
fn what_is_no_deal_is_refused_with_the_reason() {
    let error = |rules: &str, nodes_max: usize| MoveTree::new(&game(rules), nodes_max).unwrap_err();
    // The host opens another door than the guest has chosen.
    assert!(matches!(error(MONTY_HALL, 10_000), DealError::LegalMoves { .. }));
    assert_eq!(error(TIC_TAC_TOE, 10_000), DealError::TooLarge { nodes_max: 10_000 });
    // Whether there is a choice depends on the card.
    let telling = "(role a) (role random) (init (at 0)) (legal a wait) (legal random left) (legal random right)
        (<= (next (at 1)) (true (at 0))) (<= (next (at 2)) (true (at 1))) (<= (next (side ?s)) (does random ?s) (true (at 0)))
        (<= (next (side ?s)) (true (side ?s))) (<= (legal a go) (true (at 1)) (true (side left)))
        (<= (sees a (went ?s)) (does random ?s)) (<= terminal (true (at 2))) (goal a 50)";
    assert!(matches!(error(telling, 100), DealError::LegalMoves { .. }));
}

#[test]
fn bytes_that_are_no_blueprint_of_the_game_are_refused() {
    let (kuhn, solver) = solver(KUHN, 10, DealSampling::Chance);
    let bytes = solver.blueprint().to_bytes();
    assert_eq!(Blueprint::from_bytes(&bytes, &kuhn), Ok(solver.blueprint()));
    let leduc = MoveTree::new(&game(LEDUC), 10_000).unwrap();
    assert_eq!(Blueprint::from_bytes(&bytes, &leduc), Err(BlueprintError::Rules));
    // Older files have no rules: names tell.
    let from = bytes.windows(9).position(|part| part == b",\"rules\":").unwrap();
    let to = bytes.windows(9).position(|part| part == b",\"shape\":").unwrap();
    let older = [&bytes[..from], &bytes[to..]].concat();
    assert!(Blueprint::from_bytes(&older, &kuhn).is_ok());
    assert_eq!(Blueprint::from_bytes(&older, &leduc), Err(BlueprintError::Vocabulary));
    for end in 0..bytes.len() {
        assert!(Blueprint::from_bytes(&bytes[..end], &kuhn).is_err(), "{end} bytes of {}", bytes.len());
    }
    let longer: Vec<u8> = bytes.iter().copied().chain([0]).collect();
    assert!(matches!(Blueprint::from_bytes(&longer, &kuhn), Err(BlueprintError::Other { .. })));
}
