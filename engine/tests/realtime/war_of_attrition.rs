//! The war of attrition: who pays what, and for how long to stay in equilibrium.

use crate::{
    games::compiled,
    play::Play,
    values::{Choice, Contest, STEPS},
};

#[test]
fn both_pay_for_the_time_of_the_one_who_gives_up() {
    let game = compiled("war-of-attrition");
    for (instant, cost) in [(0, 0), (1_000_000, 0), (1_000_001, 1), (5_500_000, 5), (11_000_000, 10)] {
        let mut play = Play::new(&game, &["(value 7)", "(value 2)"]);
        assert_eq!(play.at(instant, &[("bob", "give_up")]), 1, "{instant}");
        assert!(play.is_over(), "{instant}");
        assert_eq!(play.goals(), [50 + 5 * (7 - cost), 50 - 5 * cost]);
    }
}

#[test]
fn if_nobody_gives_up_or_both_do_a_lot_decides() {
    let game = compiled("war-of-attrition");
    let contest = Contest::war(&game);
    assert_eq!(contest.play([9, 5], [Some(4), Some(4)], "ann").goals(), [75, 30]);
    let mut play = contest.play([9, 5], [None, None], "bob");
    assert_eq!((play.goals(), play.now()), (vec![0, 25], 11_000_000));
}

/// Bishop, Cannings and Maynard Smith (1978): one stays until the cost is `-v - V ln(1 - v/V)`, if cost has no end. Here it
/// ends at 10, and those who would stay until it is 8 or more stay to the end.
#[test]
fn in_equilibrium_one_stays_longer_the_more_it_is_worth_and_as_long_as_the_theory_says() {
    let game = compiled("war-of-attrition");
    let choices: Vec<Choice> = (0..STEPS).map(Some).chain([None]).collect();
    let payoffs = Contest::war(&game).payoffs(&choices);
    let mixture = payoffs.fictitious_play(4_000);
    assert!(payoffs.regret(&mixture) < 0.02, "{}", payoffs.regret(&mixture));
    let supports: Vec<Vec<usize>> = (0..STEPS).map(|value| mixture.support(value, 0.05)).collect();
    assert!(supports.windows(2).all(|pair| pair[0].last() <= pair[1].first()), "{supports:?}");
    for (value, support) in supports.iter().enumerate().take(8) {
        let share = value as f64 / 10.0;
        let stays = -10.0 * (share + (1.0 - share).ln());
        let is_near = |&cost: &usize| (cost as f64 - stays.round()).abs() <= 1.0;
        assert!(support.iter().all(is_near), "{value}: {support:?}, {stays}");
    }
    // As `game.toml` says.
    let never = choices.len() - 1;
    let mostly: Vec<Vec<usize>> = (0..STEPS).map(|value| mixture.support(value, 0.1)).collect();
    let known = [&[0][..], &[0], &[0], &[0, 1], &[1], &[2], &[3], &[4, 5], &[never], &[never], &[never]];
    assert_eq!(mostly, known);
}
