//! A mean and its interval.

use croupier_games::Payoff;
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// How sure an interval is.
const CONFIDENCE: f64 = 0.95;

/// A mean and how far it can be trusted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// Half the width of the 95 % interval; `None` for a single value, which says nothing of its spread.
    pub margin: Option<f64>,
}

/// The half-width of an interval in standard errors, for this many degrees of freedom.
///
/// For large numbers the quantile is expanded around that of the normal distribution (Abramowitz and Stegun, "Handbook
/// of Mathematical Functions", 26.7.5), to at least nine digits: the general inverse does not always terminate there.
///
/// # Panics
/// With less than one degree of freedom: one value has no spread.
#[must_use]
pub fn student_quantile(freedom: f64) -> f64 {
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
    /// The mean of observations that do not depend on each other, with its 95 % interval by Student's t; `None` for none.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    pub fn of(values: &[f64]) -> Option<Self> {
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
    #[must_use]
    pub fn in_units(self, payoff: &Payoff) -> Self {
        let margin = self.margin.map(|margin| margin / payoff.scale.abs());
        Self { mean: payoff.payoff(self.mean), margin }
    }

    /// Both ends of the interval.
    #[must_use]
    pub fn interval(self) -> Option<[f64; 2]> {
        self.margin.map(|margin| [self.mean - margin, self.mean + margin])
    }
}

#[cfg(test)]
mod tests {
    use super::student_quantile;

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
}
