//! Distributions of times, from a microsecond to ten minutes.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde::Serialize;

/// Longest time that is told from longer ones, in microseconds.
const LONGEST_US: u64 = 600_000_000;

/// A distribution of times, each known to three digits.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(into = "Quantiles")]
pub(super) struct Latencies(#[cfg_attr(test, schemars(with = "Quantiles"))] Histogram<u64>);

/// What is said of a distribution: how many times there are, and what they are at most, in milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Quantiles {
    pub(super) count: u64,
    pub(super) p50: Option<f64>,
    pub(super) p99: Option<f64>,
    pub(super) p999: Option<f64>,
    pub(super) max: Option<f64>,
}

impl Default for Latencies {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST_US, 3).expect("bounds in order"))
    }
}

impl Latencies {
    pub(super) fn add(&mut self, time: Duration) {
        self.0.saturating_record(u64::try_from(time.as_micros()).unwrap_or(LONGEST_US));
    }

    pub(super) fn quantiles(&self) -> Quantiles {
        #[expect(clippy::cast_precision_loss, reason = "a figure for people, far below 2^53")]
        let ms = |us: u64| (!self.0.is_empty()).then_some(us as f64 / 1e3);
        let quantile = |share| ms(self.0.value_at_quantile(share));
        Quantiles {
            count: self.0.len(),
            p50: quantile(0.5),
            p99: quantile(0.99),
            p999: quantile(0.999),
            max: ms(self.0.max()),
        }
    }
}

impl From<Latencies> for Quantiles {
    fn from(latencies: Latencies) -> Self {
        latencies.quantiles()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_times() {
        let mut latencies = Latencies::default();
        let nothing = Quantiles { count: 0, p50: None, p99: None, p999: None, max: None };
        assert_eq!(latencies.quantiles(), nothing);
        (1..=1_000).for_each(|ms| latencies.add(Duration::from_millis(ms)));
        let Quantiles { count, p50, p99, p999, max } = latencies.quantiles();
        assert_eq!(count, 1_000);
        for (found, ms) in [(p50, 500.0), (p99, 990.0), (p999, 999.0), (max, 1_000.0)] {
            let found: f64 = found.expect("times");
            assert!((found / ms - 1.0).abs() < 2e-3, "{found} instead of {ms}");
        }
    }
}
