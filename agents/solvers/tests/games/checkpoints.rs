//! Work that is interrupted, divided or done by other threads comes to the same bits.

use croupier_solvers::{Algorithm, Checkpoint, CheckpointError, Solver};
use rayon::ThreadPoolBuilder;

use crate::subject::{KUHN, LEDUC, Subject};

/// Chance deals one of 8,000 hands; who sees it says left or right, the other guesses and sees what was said: levels of
/// thousands of information sets, which threads divide between them.
const WIDE: &str = "(role a) (role b) (role random) (init (turn 1)) (succ 1 2) (succ 2 3) (succ 3 4)
    (digit 0) (digit 1) (digit 2) (digit 3) (digit 4) (digit 5) (digit 6) (digit 7) (digit 8) (digit 9)
    (digit 10) (digit 11) (digit 12) (digit 13) (digit 14) (digit 15) (digit 16) (digit 17) (digit 18) (digit 19)
    (<= (legal random (deal ?x ?y ?z)) (true (turn 1)) (digit ?x) (digit ?y) (digit ?z))
    (<= (legal random noop) (not (true (turn 1))))
    (<= (legal a noop) (not (true (turn 2))))
    (<= (legal a left) (true (turn 2)))
    (<= (legal a right) (true (turn 2)))
    (<= (legal b noop) (not (true (turn 3))))
    (<= (legal b same) (true (turn 3)))
    (<= (legal b other) (true (turn 3)))
    (<= (next (turn ?n)) (true (turn ?m)) (succ ?m ?n))
    (<= (next twins) (does random (deal ?x ?x ?z)))
    (<= (next twins) (true twins))
    (<= (next (first ?x)) (does random (deal ?x ?y ?z)))
    (<= (next (first ?x)) (true (first ?x)))
    (<= (next (guess ?m)) (does b ?m) (distinct ?m noop))
    (<= (sees a (hand ?x ?y ?z)) (does random (deal ?x ?y ?z)))
    (<= (sees b (said ?m)) (does a ?m))
    (<= (sees b (first ?x)) (does random (deal ?x ?y ?z)))
    (<= terminal (true (turn 4)))
    (<= right (true twins) (true (guess same)))
    (<= right (not (true twins)) (true (guess other)))
    (<= (goal b 100) right) (<= (goal b 0) (not right))
    (<= (goal a 0) right) (<= (goal a 100) (not right))";

/// Every algorithm, and those that sample with more samples than one thread draws at once.
const SOLVERS: [(Algorithm, u32); 8] = [
    (Algorithm::Cfr, 1),
    (Algorithm::CfrPlus, 1),
    (Algorithm::LinearCfr, 1),
    (Algorithm::DiscountedCfr, 1),
    (Algorithm::ExternalSampling, 1),
    (Algorithm::OutcomeSampling, 1),
    (Algorithm::ExternalSampling, 50),
    (Algorithm::OutcomeSampling, 50),
];

/// Everything that an algorithm remembers, as text.
fn bits(solver: &Solver<'_>) -> String {
    serde_json::to_string(&solver.checkpoint("game")).unwrap()
}

#[test]
fn an_interrupted_solver_goes_on_bit_by_bit() {
    let leduc = Subject::new(LEDUC);
    for (algorithm, samples) in SOLVERS {
        let mut whole = leduc.sampler(algorithm, samples);
        whole.advance(57);
        let mut first = leduc.sampler(algorithm, samples);
        first.advance(20);
        first.advance(3);
        let saved = bits(&first);
        let read: Checkpoint = serde_json::from_str(&saved).unwrap();
        let mut second = Solver::resume(&leduc.tree, &leduc.form, &read, "game").unwrap();
        assert_eq!(bits(&second), saved, "{algorithm}");
        second.advance(34);
        assert_eq!(bits(&second), bits(&whole), "{algorithm}");
        assert_eq!(second.average_policy(), whole.average_policy());
    }
}

#[test]
fn threads_change_no_bit() {
    let solved = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let leduc = Subject::new(LEDUC);
            let texts: Vec<String> = leduc
                .tree
                .information_sets()
                .map(|id| leduc.game.information_set_text(&leduc.tree.information_set(id)))
                .collect();
            let of = |(algorithm, samples)| {
                let mut solver = leduc.sampler(algorithm, samples);
                solver.advance(10);
                bits(&solver)
            };
            (texts, SOLVERS.map(of))
        })
    };
    assert_eq!(solved(1), solved(5));
}

#[test]
fn threads_that_divide_a_level_change_no_bit() {
    let solved = |threads: usize| {
        let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let wide = Subject::new(WIDE);
            assert_eq!(wide.tree.sizes().information_sets, [8_000, 40]);
            [Algorithm::Cfr, Algorithm::CfrPlus, Algorithm::LinearCfr, Algorithm::DiscountedCfr].map(
                |algorithm| {
                    let mut solver = wide.solver(algorithm);
                    solver.advance(20);
                    bits(&solver)
                },
            )
        })
    };
    assert_eq!(solved(1), solved(3));
}

#[test]
fn what_is_no_checkpoint_of_the_game_is_refused() {
    let (kuhn, leduc) = (Subject::new(KUHN), Subject::new(LEDUC));
    let mut solver = kuhn.solver(Algorithm::Cfr);
    solver.advance(3);
    let good = solver.checkpoint("kuhn");
    let resume =
        |checkpoint: &Checkpoint| Solver::resume(&kuhn.tree, &kuhn.form, checkpoint, "kuhn").map(|_| ());
    assert_eq!(resume(&good), Ok(()));
    let mut other = good.clone();
    other.game = "leduc".to_owned();
    assert!(matches!(resume(&other), Err(CheckpointError::Game { .. })));
    let size = Solver::resume(&leduc.tree, &leduc.form, &good, "kuhn").map(|_| ());
    assert!(matches!(size, Err(CheckpointError::Size { expected: 2_186, .. })), "{size:?}");
    let changed = |member: &str, value: &str| {
        let mut json = serde_json::to_value(&good).unwrap();
        json[member] = value.into();
        serde_json::from_value::<Checkpoint>(json)
    };
    let format = changed("format", "croupier-checkpoint/9").unwrap();
    assert!(matches!(resume(&format), Err(CheckpointError::Format { .. })));
    let numbers = |number: f64| hex::encode(number.to_le_bytes()).repeat(kuhn.form.sequences_count());
    for (member, number) in
        [("regrets", f64::NAN), ("regrets", f64::INFINITY), ("averages", -1.0), ("averages", f64::NAN)]
    {
        let damaged = changed(member, &numbers(number)).unwrap();
        assert_eq!(resume(&damaged), Err(CheckpointError::Number { place: 0 }), "{member} {number}");
    }
    assert!(changed("regrets", "00").is_err());
    assert!(changed("regrets", "not hexadecimal").is_err());
    assert!(changed("algorithm", "cfr++").is_err());
    assert!(changed("seed", "00").is_err());
}
