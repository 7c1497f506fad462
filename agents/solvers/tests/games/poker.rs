//! Kuhn poker and Leduc hold'em: sizes, values and distances from equilibrium that others have published.

use croupier_solvers::{Algorithm, Evaluation, Policy};

use crate::subject::{KUHN, LEDUC, Subject};

/// Chips by the payoff maps of the catalogue.
fn kuhn_chips(goals: f64) -> f64 {
    (goals - 50.0) / 25.0
}

fn leduc_chips(goals: f64) -> f64 {
    (goals - 50.0) / 3.0
}

#[test]
fn uniform_play_is_as_far_from_equilibrium_as_open_spiel_says() {
    let nash_conv = |rules: &str| {
        let Subject { form, .. } = Subject::new(rules);
        Evaluation::new(&form, &Policy::uniform(&form)).nash_conv()
    };
    // OpenSpiel, nash_conv of the uniform policy of kuhn_poker (11/12) and leduc_poker.
    assert!((nash_conv(KUHN) / 25.0 - 11.0 / 12.0).abs() < 1e-9);
    assert!((nash_conv(LEDUC) / 3.0 - 4.747_222_222_222_222).abs() < 1e-9);
}

#[test]
fn the_value_of_kuhn_is_one_eighteenth_of_a_chip_to_the_second_player() {
    // H. W. Kuhn: A simplified two-person poker (1950).
    let kuhn = Subject::new(KUHN);
    for (algorithm, iterations, near) in [
        (Algorithm::Cfr, 20_000, 2e-3),
        (Algorithm::CfrPlus, 2_000, 1e-3),
        (Algorithm::LinearCfr, 2_000, 1e-3),
        (Algorithm::DiscountedCfr, 2_000, 1e-3),
        (Algorithm::ExternalSampling, 50_000, 1e-2),
        (Algorithm::OutcomeSampling, 100_000, 5e-2),
    ] {
        let evaluation = kuhn.solved(algorithm, iterations);
        let [alice, bob] = [0, 1].map(|player| kuhn_chips(evaluation.players[player].value));
        let nash_conv = evaluation.nash_conv() / 25.0;
        println!("{algorithm}: {alice}, NashConv {nash_conv}");
        assert!((alice + 1.0 / 18.0).abs() < near, "{algorithm}: {alice}");
        assert!((alice + bob).abs() < 1e-12, "{algorithm}: the game is zero-sum");
        assert!(nash_conv < 2.0 * near, "{algorithm}: {nash_conv}");
    }
}

#[test]
fn leduc_is_solved_to_the_published_value() {
    // OpenSpiel, CFR+ on leduc_poker with 10,000 iterations: -0.08560634.
    let leduc = Subject::new(LEDUC);
    let evaluation = leduc.solved(Algorithm::CfrPlus, 10_000);
    assert!((leduc_chips(evaluation.players[0].value) + 0.085_606_34).abs() < 5e-9);
    assert!(evaluation.exploitability() / 3.0 < 1e-4);
    for (algorithm, iterations) in
        [(Algorithm::LinearCfr, 2_000), (Algorithm::DiscountedCfr, 2_000), (Algorithm::Cfr, 5_000)]
    {
        let evaluation = leduc.solved(algorithm, iterations);
        let exploitability = evaluation.exploitability() / 3.0;
        println!("{algorithm}: exploitability {exploitability}");
        assert!(exploitability < 2e-2, "{algorithm}: {exploitability}");
    }
}

/// The mean of many samples is what goes through the whole tree: sampling with many of them is CFR. Bob's averages are
/// compared, which both take before he learns from an iteration; sampling takes Alice's after she has.
#[test]
fn many_samples_an_iteration_are_the_whole_tree() {
    let kuhn = Subject::new(KUHN);
    let mut cfr = kuhn.solver(Algorithm::Cfr);
    cfr.advance(3);
    let exact = cfr.average_policy();
    let farthest = |samples| {
        let mut sampling = kuhn.sampler(Algorithm::ExternalSampling, samples);
        sampling.advance(3);
        let policy = sampling.average_policy();
        let of_bob = kuhn.tree.information_sets().filter(|&id| kuhn.tree.player(id) == 1);
        let differences = of_bob.flat_map(|id| {
            let pairs = policy.of(&kuhn.form, id).iter().zip(exact.of(&kuhn.form, id));
            pairs.map(|(found, expected)| (found - expected).abs()).collect::<Vec<f64>>()
        });
        differences.fold(0.0, f64::max)
    };
    let [few, many] = [1, 20_000].map(farthest);
    println!("farthest from CFR: {few} with one sample, {many} with many");
    assert!(many < 0.02, "{many}");
    assert!(few > 0.2, "{few}");
}
