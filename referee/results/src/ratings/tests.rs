//! Ratings beside the papers that define them.

use proptest::prelude::*;

use super::{Glicko2, Rating, RatingSystem, Ratings, WengLin};

fn assert_near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() < tolerance, "{found} is not {expected}");
}

#[test]
fn glickmans_worked_example_comes_out() {
    let [player, low, near, high] = [(1500.0, 200.0), (1400.0, 30.0), (1550.0, 100.0), (1700.0, 300.0)]
        .map(|(rating, deviation)| Glicko2 { rating, deviation, volatility: 0.06 });
    // The player beats the first opponent and loses to the two others.
    let after = Glicko2::after_match(&[player, low, near, high], &[50, 0, 100, 100]);
    assert_near(after[0].rating, 1464.06, 0.01);
    assert_near(after[0].deviation, 151.52, 0.01);
    assert_near(after[0].volatility, 0.05999, 0.00001);
}

#[test]
fn equal_newcomers_move_as_algorithm_1_of_weng_and_lin_says_by_hand() {
    // c^2 = 2 * (25/3)^2 + 2 * (25/6)^2 = 173.6111, p = 1/2, delta = sigma^2 / c / 2 = 2.63523,
    // eta = (sigma/c)^3 / 4 = 0.0632456: sigma shrinks by sqrt(1 - eta) against one opponent, sqrt(1 - 2 eta) against two.
    let two = WengLin::after_match(&[WengLin::default(); 2], &[100, 0]);
    assert_near(two[0].mu, 27.63523, 1e-5);
    assert_near(two[1].mu, 22.36477, 1e-5);
    assert_near(two[0].sigma, 8.06551, 1e-5);
    let three = WengLin::after_match(&[WengLin::default(); 3], &[0, 100, 40]);
    assert_near(three[1].mu, 30.27046, 1e-5);
    assert_near(three[2].mu, 25.0, 1e-9);
    assert_near(three[0].mu, 19.72954, 1e-5);
    assert_near(three[2].sigma, 7.78847, 1e-5);
}

/// Algorithm 1 of the paper, written out for players on their own.
fn by_the_paper(before: &[WengLin], goals: &[i32]) -> Vec<WengLin> {
    let (beta, kappa) = (25.0_f64 / 6.0, 1e-6_f64);
    let mut after = Vec::new();
    for (i, one) in before.iter().enumerate() {
        let (mut omega, mut delta) = (0.0, 0.0);
        for (q, other) in before.iter().enumerate().filter(|(q, _)| *q != i) {
            let c = (one.sigma.powi(2) + other.sigma.powi(2) + 2.0 * beta.powi(2)).sqrt();
            let p = (one.mu / c).exp() / ((one.mu / c).exp() + (other.mu / c).exp());
            let s = if goals[i] > goals[q] { 1.0 } else { f64::from(u8::from(goals[i] == goals[q])) / 2.0 };
            omega += one.sigma.powi(2) / c * (s - p);
            delta += one.sigma / c * (one.sigma / c).powi(2) * p * (1.0 - p);
        }
        let sigma = (one.sigma.powi(2) * (1.0 - delta).max(kappa)).sqrt();
        after.push(WengLin { mu: one.mu + omega, sigma });
    }
    after
}

fn weng_lins() -> impl Strategy<Value = Vec<(WengLin, i32)>> {
    let one = (5.0..45.0, 1.0..9.0).prop_map(|(mu, sigma)| WengLin { mu, sigma });
    prop::collection::vec((one, 0..4), 2..6)
}

proptest! {
    #[test]
    fn ratings_by_weng_and_lin_are_those_of_the_paper(players in weng_lins()) {
        let (before, goals): (Vec<_>, Vec<_>) = players.into_iter().unzip();
        for (found, expected) in WengLin::after_match(&before, &goals).iter().zip(by_the_paper(&before, &goals)) {
            assert_near(found.mu, expected.mu, 1e-9);
            assert_near(found.sigma, expected.sigma, 1e-9);
        }
    }

    #[test]
    fn ratings_that_were_stored_and_restored_go_on_as_if_they_had_not_been(
        matches in prop::collection::vec((0..4_usize, 1..4_usize, 0..3, 0..3), 1..20),
        cut in 0..20_usize,
    ) {
        for system in [RatingSystem::WengLin, RatingSystem::Glicko2] {
            let (mut whole, mut stored) = (Ratings::new(system, 4), Ratings::new(system, 4));
            for (number, (one, step, own, theirs)) in matches.iter().enumerate() {
                if number == cut {
                    let text = serde_json::to_string(&stored).expect("plain data is JSON");
                    stored = serde_json::from_str(&text).expect("ratings");
                }
                for ratings in [&mut whole, &mut stored] {
                    ratings.take_match(&[*one, (one + step) % 4], &[*own, *theirs]);
                }
            }
            for entrant in 0..4 {
                let pair = [&whole, &stored].map(|ratings| ratings.mean_and_uncertainty(entrant));
                prop_assert_eq!(pair[0].is_some(), pair[1].is_some());
                for (one, other) in pair[0].into_iter().zip(pair[1]) {
                    assert_near(one.0, other.0, 1e-9);
                    assert_near(one.1, other.1, 1e-9);
                }
            }
        }
    }
}

#[test]
fn the_order_of_seats_changes_no_rating() {
    let mut ratings = [RatingSystem::WengLin, RatingSystem::Glicko2].map(|system| Ratings::new(system, 3));
    let mut turned = ratings.clone();
    for (one, other) in ratings.iter_mut().zip(&mut turned) {
        one.take_match(&[0, 1, 2], &[10, 20, 30]);
        other.take_match(&[2, 0, 1], &[30, 10, 20]);
        for entrant in 0..3 {
            let [(mean, error), (mean_turned, error_turned)] =
                [&*one, &*other].map(|all| all.mean_and_uncertainty(entrant).expect("a rating"));
            assert_near(mean, mean_turned, 1e-9);
            assert_near(error, error_turned, 1e-9);
        }
    }
}

#[test]
fn who_sits_in_two_seats_or_alone_is_not_rated() {
    for system in [RatingSystem::WengLin, RatingSystem::Glicko2] {
        let mut ratings = Ratings::new(system, 2);
        ratings.take_match(&[0, 0, 1], &[10, 20, 30]);
        ratings.take_match(&[1], &[30]);
        assert_eq!(ratings, Ratings::new(system, 2));
    }
}
