//! What many matches or playouts were worth: means, intervals, distributions.

use std::{collections::BTreeMap, io, io::Write};

use croupier_engine::{ByPlayer, GoalValue, Roles};
use croupier_games::{GameFacts, Payoff};
use serde_json::{Value, json};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// More distinct goal values than these are not listed one by one for people.
const LISTED_MAX: usize = 16;

/// How often a player got each goal value.
///
/// Means and intervals are computed from these counts, so they do not depend on the order in which
/// matches ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Tally(BTreeMap<i32, u64>);

/// A mean and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Mean {
    /// The mean.
    pub(crate) mean: f64,
    /// Half the width of the 95 % interval; `None` for a single value, which says nothing of its spread.
    pub(crate) margin: Option<f64>,
}

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

/// How many standard errors an interval reaches to either side, for so many degrees of freedom.
///
/// For many of them the quantile is expanded about that of the normal distribution (Abramowitz and Stegun, "Handbook
/// of Mathematical Functions", 26.7.5), to nine digits at the least: the general inverse does not always come to an end there.
fn student_quantile(freedom: f64) -> f64 {
    const MANY: f64 = 1000.0;
    let level = 0.5 + CONFIDENCE / 2.0;
    if freedom < MANY {
        let student = StudentsT::new(0.0, 1.0, freedom).expect("one degree of freedom or more");
        return student.inverse_cdf(level);
    }
    let z = Normal::standard().inverse_cdf(level);
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    z + first / freedom + second / freedom.powi(2)
}

impl Mean {
    /// The mean of observations that do not depend on each other, with its 95 % interval by Student's t.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub(crate) fn of(values: &[f64]) -> Option<Self> {
        let n = values.len() as f64;
        let mean = values.iter().sum::<f64>() / n;
        match values.len() {
            0 => None,
            1 => Some(Self { mean, margin: None }),
            _ => {
                let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
                Some(Self { mean, margin: Some(student_quantile(n - 1.0) * (variance / n).sqrt()) })
            }
        }
    }

    /// The same in the unit of the literature.
    pub(crate) fn in_units(self, payoff: &Payoff) -> Self {
        let margin = self.margin.map(|margin| margin / payoff.scale.abs());
        Self { mean: payoff.payoff(self.mean), margin }
    }

    /// Both ends of the interval.
    pub(crate) fn interval(self) -> Option<[f64; 2]> {
        self.margin.map(|margin| [self.mean - margin, self.mean + margin])
    }
}

/// No goals yet for any player.
pub(crate) fn tallies(roles: &Roles) -> ByPlayer<Tally> {
    ByPlayer::from_fn(roles, |_| Tally::default())
}

/// A table of the players' mean goals, in the unit of the literature too if the game has one.
pub(crate) fn write_table(
    out: &mut dyn Write,
    roles: &Roles,
    facts: &GameFacts,
    tallies: &ByPlayer<Tally>,
) -> io::Result<()> {
    let mut rows = vec![vec!["role".to_owned(), "mean goal".to_owned(), "95 % interval".to_owned()]];
    if let Some(payoff) = &facts.payoff {
        rows[0].push(format!("mean in {}", payoff.unit));
        rows[0].push("95 % interval".to_owned());
    }
    for (role, tally) in tallies.iter() {
        let Some(mean) = tally.mean() else { continue };
        let mut row = vec![facts.words.symbol_text(roles.name(role))];
        row.extend(cells(mean, 2));
        if let Some(payoff) = &facts.payoff {
            row.extend(cells(mean.in_units(payoff), 4));
        }
        rows.push(row);
    }
    write_rows(out, &rows)
}

/// A mean and its interval, for a row of a table.
pub(crate) fn cells(mean: Mean, digits: usize) -> [String; 2] {
    let interval = mean
        .interval()
        .map_or_else(|| "-".to_owned(), |[low, high]| format!("{low:.digits$} .. {high:.digits$}"));
    [format!("{:.digits$}", mean.mean), interval]
}

/// How often each goal value came, one line a player, if there are few enough to read.
pub(crate) fn write_distribution(
    out: &mut dyn Write,
    roles: &Roles,
    facts: &GameFacts,
    tallies: &ByPlayer<Tally>,
) -> io::Result<()> {
    for (role, tally) in tallies.iter() {
        let name = facts.words.symbol_text(roles.name(role));
        let count = tally.count();
        if count == 0 {
            continue;
        }
        if tally.0.len() > LISTED_MAX {
            let (least, most) = (tally.0.keys().next(), tally.0.keys().next_back());
            if let (Some(least), Some(most)) = (least, most) {
                writeln!(out, "{name}: {} different goals from {least} to {most}", tally.0.len())?;
            }
            continue;
        }
        let shares: Vec<String> =
            tally.0.iter().map(|(value, &times)| format!("{value} ({})", percent(times, count))).collect();
        writeln!(out, "{name}: goals {}", shares.join(", "))?;
    }
    Ok(())
}

/// The same facts as data, by the names of the roles.
pub(crate) fn as_json(roles: &Roles, facts: &GameFacts, tallies: &ByPlayer<Tally>) -> Value {
    let of_role = |tally: &Tally| {
        let mean = tally.mean();
        let mut object = json!({
            "mean": mean.map(|mean| mean.mean),
            "interval_95": mean.and_then(Mean::interval),
            "distribution": tally.0.iter().map(|(value, times)| (value.to_string(), json!(times)))
                .collect::<serde_json::Map<_, _>>(),
        });
        if let (Some(payoff), Some(mean)) = (&facts.payoff, mean) {
            let mean = mean.in_units(payoff);
            object["payoff"] = json!({
                "unit": payoff.unit,
                "mean": mean.mean,
                "interval_95": mean.interval(),
            });
        }
        object
    };
    tallies
        .iter()
        .map(|(role, tally)| (roles.name(role).to_owned(), of_role(tally)))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// Rows in columns, each as wide as its widest cell; the first row is the head.
pub(crate) fn write_rows(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    write_columns(out, rows, |cell, width| format!("{cell:width$}"))
}

/// Rows of numbers in columns that end where the widest of them does; the first row is the head.
pub(crate) fn write_numbers(out: &mut dyn Write, rows: &[Vec<String>]) -> io::Result<()> {
    write_columns(out, rows, |cell, width| format!("{cell:>width$}"))
}

fn write_columns(
    out: &mut dyn Write,
    rows: &[Vec<String>],
    padded: fn(&str, usize) -> String,
) -> io::Result<()> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..columns).map(width).collect();
    for row in rows {
        let cells: Vec<String> = row.iter().zip(&widths).map(|(cell, &width)| padded(cell, width)).collect();
        writeln!(out, "{}", cells.join("  ").trim_end())?;
    }
    Ok(())
}

/// A share of a total as a percentage.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn percent(part: u64, total: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / total as f64)
}

/// A number with a thin unit a person can read: 1234567.8 is `1.23 M`.
pub(crate) fn readable(number: f64) -> String {
    match number {
        large if large >= 1e9 => format!("{:.2} G", large / 1e9),
        large if large >= 1e6 => format!("{:.2} M", large / 1e6),
        large if large >= 1e4 => format!("{:.1} k", large / 1e3),
        small => format!("{small:.0}"),
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::GoalValue;

    use super::{Mean, Tally, student_quantile};

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
    fn an_interval_over_very_many_goals_is_found_at_once() {
        // From printed tables of the t distribution.
        for (freedom, quantile) in
            [(999.0, 1.962_341), (1000.0, 1.962_339), (2e7, 1.959_964), (1e15, 1.959_964)]
        {
            let found = student_quantile(freedom);
            assert!((found - quantile).abs() < 1e-6, "{freedom}: {found}");
        }
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
