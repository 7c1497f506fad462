//! How often a player got each goal value.

use std::collections::BTreeMap;

use croupier_engine::GoalValue;
use croupier_results::{Mean, student_quantile};

use super::GoalBounds;

/// How often a player got each goal value.
///
/// Means and intervals are computed from these counts, so they do not depend on the order in which
/// matches ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally(pub(super) BTreeMap<i32, u64>);

impl Tally {
    /// Counts one more goal.
    pub(crate) fn add(&mut self, goal: GoalValue) {
        self.add_many(goal, 1);
    }

    /// Counts a goal that came up `times` times.
    pub(crate) fn add_many(&mut self, goal: GoalValue, times: u64) {
        *self.0.entry(goal.value()).or_default() += times;
    }

    /// Counts everything that `other` counted.
    pub(crate) fn merge(&mut self, other: &Self) {
        for (&value, &count) in &other.0 {
            *self.0.entry(value).or_default() += count;
        }
    }

    /// How many goals were counted.
    pub(crate) fn count(&self) -> u64 {
        self.0.values().sum()
    }

    /// The range that they are in.
    pub(super) fn bounds(&self) -> GoalBounds {
        GoalBounds::of(self.0.keys().copied())
    }

    /// The mean with its 95 % interval by Student's t, or `None` if nothing was counted.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(crate) fn mean(&self) -> Option<Mean> {
        let count = self.count();
        if count == 0 {
            return None;
        }
        let n = count as f64;
        let mean = self.0.iter().map(|(&value, &times)| f64::from(value) * times as f64).sum::<f64>() / n;
        if count == 1 {
            return Some(Mean { mean, margin: None });
        }
        let squares = self
            .0
            .iter()
            .map(|(&value, &times)| (f64::from(value) - mean).powi(2) * times as f64)
            .sum::<f64>();
        let variance = squares / (n - 1.0);
        Some(Mean { mean, margin: Some(student_quantile(n - 1.0) * (variance / n).sqrt()) })
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::GoalValue;
    use croupier_results::Mean;

    use super::Tally;

    fn tally(goals: &[i32]) -> Tally {
        let mut tally = Tally::default();
        for &goal in goals {
            tally.add(GoalValue::new(goal));
        }
        tally
    }

    #[test]
    fn the_interval_is_that_of_students_t() {
        // Five values of mean 30 and standard deviation 15.811; t for 4 degrees of freedom is 2.7764.
        let Mean { mean, margin } = tally(&[10, 20, 30, 40, 50]).mean().expect("five goals");
        assert!((mean - 30.0).abs() < 1e-12);
        assert!((margin.expect("more than one goal") - 2.776_445 * 15.811_388 / 5_f64.sqrt()).abs() < 1e-4);
    }

    #[test]
    fn one_goal_has_no_interval_and_none_has_no_mean() {
        assert_eq!(tally(&[75]).mean(), Some(Mean { mean: 75.0, margin: None }));
        assert_eq!(tally(&[]).mean(), None);
    }

    #[test]
    fn equal_goals_are_certain() {
        assert_eq!(tally(&[50; 10]).mean(), Some(Mean { mean: 50.0, margin: Some(0.0) }));
    }

    #[test]
    fn the_order_of_goals_changes_nothing() {
        let mut merged = tally(&[3, 1]);
        merged.merge(&tally(&[2, 1]));
        assert_eq!(merged, tally(&[1, 1, 2, 3]));
    }
}
