//! Work that is interrupted, divided or done by other threads comes to the same bits.

use croupier_solvers::{Algorithm, Checkpoint, CheckpointError, Solver};
use rayon::ThreadPoolBuilder;

use crate::subject::{KUHN, LEDUC, Subject};

/// Everything that an algorithm remembers, as text.
fn bits(solver: &Solver<'_>) -> String {
    serde_json::to_string(&solver.checkpoint("game")).unwrap()
}

#[test]
fn an_interrupted_solver_goes_on_bit_by_bit() {
    let leduc = Subject::new(LEDUC);
    for algorithm in Algorithm::ALL {
        let mut whole = leduc.solver(algorithm);
        whole.advance(57);
        let mut first = leduc.solver(algorithm);
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
            let of = |algorithm: Algorithm| {
                let mut solver = leduc.solver(algorithm);
                solver.advance(10);
                bits(&solver)
            };
            (texts, Algorithm::ALL.map(of))
        })
    };
    assert_eq!(solved(1), solved(5));
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
