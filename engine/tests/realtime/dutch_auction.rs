//! The Dutch auction: whose price it is at each instant, and what to take in equilibrium.

use crate::{
    games::compiled,
    play::Play,
    values::{Choice, Contest, STEPS},
};

#[test]
fn an_instant_belongs_to_the_price_that_ends_with_it() {
    let game = compiled("dutch-auction");
    for (instant, price) in [(0, 10), (1_000_000, 10), (1_000_001, 9), (10_000_001, 0), (11_000_000, 0)] {
        let mut play = Play::new(&game, &["(value 7)", "(value 2)"]);
        assert_eq!(play.at(instant, &[("ann", "take")]), 1, "{instant}");
        assert!(play.is_over() && play.holds(&format!("(paid {price})")), "{instant}");
        assert_eq!(play.goals(), [50 + 5 * (7 - price), 50]);
        assert_eq!(play.told("bob").last(), Some(&(instant, "(takes ann)".to_owned())));
    }
}

#[test]
fn the_price_falls_to_nothing_and_then_nobody_has_it() {
    let game = compiled("dutch-auction");
    let mut play = Play::new(&game, &["(value 7)", "(value 2)"]);
    assert_eq!(play.run_out(), [50, 50]);
    assert_eq!(play.now(), 11_000_000);
    let calls = (0..11).map(|second| (second * 1_000_000, format!("(asks {})", 10 - second)));
    assert_eq!(play.told("ann")[1..], calls.collect::<Vec<_>>());
}

#[test]
fn both_at_once_are_one_buyer_by_lot_at_that_price() {
    let game = compiled("dutch-auction");
    let contest = Contest::auction(&game);
    assert_eq!(contest.play([9, 5], [Some(4), Some(4)], "ann").goals(), [75, 50]);
    assert_eq!(contest.play([9, 5], [Some(4), Some(4)], "bob").goals(), [50, 55]);
}

/// Vickrey (1961): with two bidders and uniform values, one bids half the value.
#[test]
fn in_equilibrium_one_takes_within_one_step_of_half_the_value() {
    let game = compiled("dutch-auction");
    let choices: Vec<Choice> = std::iter::once(None).chain((0..STEPS).map(Some)).collect();
    let payoffs = Contest::auction(&game).payoffs(&choices);
    let mixture = payoffs.fictitious_play(4_000);
    assert!(payoffs.regret(&mixture) < 0.02, "{}", payoffs.regret(&mixture));
    for value in 1..STEPS {
        for place in mixture.support(value, 0.05) {
            let price = choices[place].expect("a value above 0 takes at some price");
            assert!((2 * price).abs_diff(value) <= 2, "{value} takes at {price}");
        }
    }
    // Continuous prices leave a bidder a sixth of the range of values; prices in steps, up to half a step more.
    let value = payoffs.value(&mixture);
    assert!((0.0..0.5).contains(&(value - 10.0 / 6.0)), "{value}");
}
