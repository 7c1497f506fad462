//! A mean and its interval, as text and as data.

use croupier_games::Payoff;
use croupier_results::Mean;
use serde::Serialize;

use super::GoalBounds;

/// A mean as data.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct MeanReport {
    pub(crate) mean: f64,
    /// The 95 % confidence interval: least and greatest; null if there are too few matches.
    pub(crate) interval_95: Option<[f64; 2]>,
}

/// A mean in the game's unit.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct PayoffEstimate<'p> {
    unit: &'p str,
    #[serde(flatten)]
    of: MeanReport,
}

impl From<Mean> for MeanReport {
    fn from(mean: Mean) -> Self {
        Self { mean: mean.mean, interval_95: mean.interval() }
    }
}

impl MeanReport {
    /// For a row of a table.
    pub(crate) fn cells(&self, digits: usize) -> [String; 2] {
        [format!("{:.digits$}", self.mean), interval_text(self.interval_95, digits)]
    }

    /// A mean goal.
    pub(crate) fn of_goals(mean: Mean, bounds: GoalBounds) -> Self {
        Self { mean: mean.mean, interval_95: goal_interval(mean, bounds) }
    }
}

impl<'p> PayoffEstimate<'p> {
    /// A mean goal in the unit of the literature.
    pub(crate) fn new(mean: Mean, bounds: GoalBounds, payoff: &'p Payoff) -> Self {
        let interval_95 = payoff_interval(mean, bounds, payoff);
        Self { unit: &payoff.unit, of: MeanReport { mean: payoff.payoff(mean.mean), interval_95 } }
    }
}

/// A mean goal and its interval, for a row of a table.
pub(crate) fn goal_cells(mean: Mean, bounds: GoalBounds) -> [String; 2] {
    [format!("{:.2}", mean.mean), interval_text(goal_interval(mean, bounds), 2)]
}

/// The same in the unit of the literature.
pub(crate) fn payoff_cells(mean: Mean, bounds: GoalBounds, payoff: &Payoff) -> [String; 2] {
    [format!("{:.4}", payoff.payoff(mean.mean)), interval_text(payoff_interval(mean, bounds, payoff), 4)]
}

/// The interval of a mean goal. Few matches leave it wide, and goals have bounds.
pub(crate) fn goal_interval(mean: Mean, bounds: GoalBounds) -> Option<[f64; 2]> {
    let (least, most) = (f64::from(bounds.least), f64::from(bounds.most));
    mean.interval().map(|[low, high]| [low.max(least), high.min(most)])
}

/// The same in the unit of the literature.
fn payoff_interval(mean: Mean, bounds: GoalBounds, payoff: &Payoff) -> Option<[f64; 2]> {
    goal_interval(mean, bounds).map(|ends| {
        let [one, other] = ends.map(|goal| payoff.payoff(goal));
        [one.min(other), one.max(other)]
    })
}

fn interval_text(interval: Option<[f64; 2]>, digits: usize) -> String {
    interval.map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.digits$} .. {high:.digits$}"))
}

#[cfg(test)]
mod tests {
    use croupier_games::Payoff;
    use croupier_results::Mean;

    use super::{GoalBounds, goal_cells, goal_interval, payoff_interval};

    #[test]
    fn an_interval_ends_where_goals_do() {
        let few = Mean { mean: 50.0, margin: Some(635.31) };
        let of = |goals: [i32; 2]| GoalBounds::of(goals);
        let usual = of([20, 80]);
        assert_eq!(goal_cells(few, usual), ["50.00", "0.00 .. 100.00"]);
        assert_eq!(goal_cells(few, of([-30, 250])), ["50.00", "-30.00 .. 250.00"]);
        assert_eq!(goal_interval(Mean { mean: 50.0, margin: Some(10.0) }, usual), Some([40.0, 60.0]));
        let payoff = Payoff { unit: "guesses".to_owned(), offset: 100.0, scale: -10.0 };
        assert_eq!(payoff_interval(few, usual, &payoff), Some([0.0, 10.0]));
        assert_eq!(goal_interval(Mean { mean: 50.0, margin: None }, usual), None);
    }
}
