//! Which of several moves to try next, given what came of each so far.

use croupier_engine::GoalValue;

/// The tries of one decision, by the position of the move among the legal ones.
///
/// # Sources
/// UCB1: P. Auer, N. Cesa-Bianchi and P. Fischer, "Finite-time Analysis of the Multiarmed Bandit
/// Problem", Machine Learning 47, 2002, figure 1. Its rewards lie between 0 and 1; here goals are
/// scaled by the least and the greatest one seen in this decision, since a game may use a small part
/// of the range (or, with a payoff map, another one). The bound of the paper is therefore not claimed.
#[derive(Clone, Debug)]
pub(crate) struct Bandit {
    arms: Vec<Arm>,
    tries: u32,
    least: i64,
    greatest: i64,
}

#[derive(Clone, Copy, Debug, Default)]
struct Arm {
    visits: u32,
    goals: i64,
}

impl Bandit {
    /// The factor before `ln n / n_j` under the root, as in the paper.
    const EXPLORATION: f64 = 2.0;

    /// So many moves, none of them tried.
    pub(crate) fn new(moves: usize) -> Self {
        Self { arms: vec![Arm::default(); moves], tries: 0, least: i64::MAX, greatest: i64::MIN }
    }

    /// The move to try next: one that was not tried yet, else the one with the greatest upper
    /// confidence bound; the first of equals.
    pub(crate) fn next(&self) -> usize {
        if let Some(untried) = self.arms.iter().position(|arm| arm.visits == 0) {
            return untried;
        }
        let log = natural_logarithm(self.tries);
        let mut best = (0, f64::NEG_INFINITY);
        for (index, arm) in self.arms.iter().enumerate() {
            let bound = self.scaled_mean(*arm) + (Self::EXPLORATION * log / f64::from(arm.visits)).sqrt();
            if bound > best.1 {
                best = (index, bound);
            }
        }
        best.0
    }

    /// Notes what came of a try.
    pub(crate) fn note(&mut self, index: usize, goal: GoalValue) {
        let goal = i64::from(goal.value());
        self.arms[index].visits += 1;
        self.arms[index].goals += goal;
        self.tries += 1;
        self.least = self.least.min(goal);
        self.greatest = self.greatest.max(goal);
    }

    /// The move that was tried most; of equals the one with the greater mean, then the first.
    pub(crate) fn most_visited(&self) -> usize {
        let mut best = 0;
        for (index, arm) in self.arms.iter().enumerate() {
            let incumbent = self.arms[best];
            let is_better = arm.visits > incumbent.visits
                || arm.visits == incumbent.visits && arm.visits > 0 && arm.goals > incumbent.goals;
            if is_better {
                best = index;
            }
        }
        best
    }

    /// How often a move was tried.
    pub(crate) fn visits(&self, index: usize) -> u32 {
        self.arms[index].visits
    }

    /// The mean goal of a move that was tried.
    pub(crate) fn mean_goal(&self, index: usize) -> Option<f64> {
        let arm = self.arms[index];
        (arm.visits > 0).then(|| arm.goals as f64 / f64::from(arm.visits))
    }

    fn scaled_mean(&self, arm: Arm) -> f64 {
        let range = self.greatest - self.least;
        if range == 0 {
            return 0.0;
        }
        let visits = i64::from(arm.visits);
        (arm.goals - self.least * visits) as f64 / (range * visits) as f64
    }
}

/// The natural logarithm of a positive number, by operations that give the same bits on every machine.
///
/// The one of the standard library may differ in its last bit between platforms, and a player must
/// not. With `n = m * 2^e` and `m` from 1 to 2 it is `e ln 2 + 2 artanh((m - 1) / (m + 1))`; the argument is at
/// most 1/3, so 18 terms leave an error below one in 10^17.
fn natural_logarithm(n: u32) -> f64 {
    let exponent = n.max(1).ilog2();
    let mantissa = f64::from(n.max(1)) / f64::from(1_u32 << exponent);
    let argument = (mantissa - 1.0) / (mantissa + 1.0);
    let square = argument * argument;
    let series = (0..18).rev().fold(0.0, |sum, term| sum * square + 1.0 / f64::from(2 * term + 1));
    f64::from(exponent) * std::f64::consts::LN_2 + 2.0 * argument * series
}

#[cfg(test)]
mod tests {
    use croupier_engine::GoalValue;

    use super::{Bandit, natural_logarithm};

    #[test]
    fn logarithm_agrees_with_the_one_of_the_platform() {
        for n in (1..5_000).chain([1 << 20, u32::MAX / 3, u32::MAX]) {
            let difference = natural_logarithm(n) - f64::from(n).ln();
            assert!(difference.abs() < 1e-14, "n = {n}: {difference:e}");
        }
    }

    #[test]
    fn every_move_is_tried_before_one_is_tried_again() {
        let mut bandit = Bandit::new(4);
        for expected in 0..4 {
            assert_eq!(bandit.next(), expected);
            bandit.note(expected, GoalValue::new(50));
        }
    }

    #[test]
    fn the_best_arm_is_found_also_in_a_small_part_of_the_range() {
        // Goals 50, 51 and 52: on a scale of 100 the differences would drown in the exploration term.
        let mut bandit = Bandit::new(3);
        for _ in 0..300 {
            let index = bandit.next();
            bandit.note(index, GoalValue::new([50, 52, 51][index]));
        }
        assert_eq!(bandit.most_visited(), 1);
        assert!(bandit.visits(1) > 200, "{}", bandit.visits(1));
    }

    #[test]
    fn equal_arms_are_tried_equally_often_and_the_first_is_played() {
        let mut bandit = Bandit::new(3);
        for _ in 0..90 {
            let index = bandit.next();
            bandit.note(index, GoalValue::new(100));
        }
        assert_eq!([0, 1, 2].map(|index| bandit.visits(index)), [30, 30, 30]);
        assert_eq!(bandit.most_visited(), 0);
    }
}
