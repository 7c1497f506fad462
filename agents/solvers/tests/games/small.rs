//! Games whose answers are known by hand: one player, several players, general sums.

use croupier_solvers::{Algorithm, Evaluation, Policy, best_response_policy};

use crate::subject::{MONTY_HALL, Subject};

#[test]
fn who_switches_wins_the_car_two_times_in_three() {
    let monty_hall = Subject::new(MONTY_HALL);
    for (algorithm, iterations, near) in [
        (Algorithm::Cfr, 1_000, 0.2),
        (Algorithm::CfrPlus, 1_000, 1e-3),
        (Algorithm::ExternalSampling, 20_000, 1.0),
        (Algorithm::OutcomeSampling, 100_000, 1.0),
    ] {
        let evaluation = monty_hall.solved(algorithm, iterations);
        let [candidate] = evaluation.players[..] else { panic!("one player") };
        assert!((candidate.best_response - 200.0 / 3.0).abs() < 1e-9);
        assert!(candidate.gain() < near, "{algorithm}: {candidate:?}");
    }
}

#[test]
fn a_best_response_is_worth_what_it_is_said_to_be_worth() {
    let kuhn = Subject::new(crate::subject::KUHN);
    let uniform = Policy::uniform(&kuhn.form);
    for player in 0..2 {
        let said = Evaluation::new(&kuhn.form, &uniform).players[player].best_response;
        let response = best_response_policy(&kuhn.form, &uniform, player);
        let evaluation = Evaluation::new(&kuhn.form, &response);
        assert!((evaluation.players[player].value - said).abs() < 1e-12);
        assert!(evaluation.players[player].gain() < 1e-12);
    }
}

/// Three players say yes or no at once; a majority of the others' opinion decides what each gets.
const THREE: &str = "(role a) (role b) (role c) (init start)
    (<= (legal ?r yes) (role ?r) (true start))
    (<= (legal ?r no) (role ?r) (true start))
    (<= (next (said ?r ?m)) (does ?r ?m))
    (<= terminal (true (said a ?m)))
    (<= (alone ?r) (true (said ?r ?m)) (role ?r) (not (company ?r)))
    (<= (company ?r) (true (said ?r ?m)) (true (said ?q ?m)) (distinct ?r ?q))
    (<= (goal ?r 100) (alone ?r))
    (<= (goal ?r 30) (company ?r))
    (<= (sees ?r over) (role ?r) (true start))";

#[test]
fn three_players_who_want_to_be_alone() {
    let three = Subject::new(THREE);
    let uniform = Evaluation::new(&three.form, &Policy::uniform(&three.form));
    for player in &uniform.players {
        // Two others: alone with probability one quarter whatever one says.
        assert!((player.value - (100.0 + 3.0 * 30.0) / 4.0).abs() < 1e-12);
    }
    assert!(uniform.nash_conv().abs() < 1e-12, "uniform play is an equilibrium");
    // All say yes: each would gain by leaving.
    let all_yes = Policy::from_fn(&three.form, |_, moves| moves.copy_from_slice(&[0.0, 1.0]));
    let evaluation = Evaluation::new(&three.form, &all_yes);
    assert!((evaluation.nash_conv() - 3.0 * 70.0).abs() < 1e-12);
    assert!((evaluation.exploitability() - 70.0).abs() < 1e-12);
}

/// The prisoners' dilemma: whatever the other does, defecting is better.
const DILEMMA: &str = "(role a) (role b) (init start) (other a b) (other b a)
    (<= (legal ?r keep) (role ?r) (true start))
    (<= (legal ?r defect) (role ?r) (true start))
    (<= (next (did ?r ?m)) (does ?r ?m))
    (<= terminal (true (did a ?m)))
    (worth keep keep 60) (worth keep defect 0) (worth defect keep 100) (worth defect defect 20)
    (<= (goal ?r ?n) (other ?r ?q) (true (did ?r ?m)) (true (did ?q ?k)) (worth ?m ?k ?n))
    (<= (sees ?r over) (role ?r) (true start))";

#[test]
fn general_sums_come_to_the_one_equilibrium_where_there_is_one() {
    let dilemma = Subject::new(DILEMMA);
    for algorithm in Algorithm::ALL {
        let evaluation = dilemma.solved(algorithm, 20_000);
        for player in &evaluation.players {
            assert!((player.value - 20.0).abs() < 0.5, "{algorithm}: {player:?}");
        }
        assert!(evaluation.nash_conv() < 0.5, "{algorithm}: {}", evaluation.nash_conv());
    }
}
