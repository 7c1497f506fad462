//! Distributions of times, from a microsecond to a minute.

use std::time::Duration;

use hdrhistogram::Histogram;
use serde_json::{Value, json};

/// Longest time that is told from longer ones, in microseconds.
const LONGEST_US: u64 = 600_000_000;

/// A distribution of times, each known to three digits.
#[derive(Clone, Debug)]
pub(super) struct Latencies(Histogram<u64>);

impl Default for Latencies {
    fn default() -> Self {
        Self(Histogram::new_with_bounds(1, LONGEST_US, 3).expect("bounds in order"))
    }
}

impl Latencies {
    pub(super) fn add(&mut self, time: Duration) {
        self.0.saturating_record(u64::try_from(time.as_micros()).unwrap_or(LONGEST_US));
    }

    pub(super) fn count(&self) -> u64 {
        self.0.len()
    }

    /// The time that this share of all takes at most, in milliseconds; `None` if there is none.
    pub(super) fn quantile_ms(&self, share: f64) -> Option<f64> {
        (!self.0.is_empty()).then(|| as_ms(self.0.value_at_quantile(share)))
    }

    pub(super) fn max_ms(&self) -> Option<f64> {
        (!self.0.is_empty()).then(|| as_ms(self.0.max()))
    }

    /// Its usual quantiles, under names that begin with this.
    pub(super) fn as_fields(&self, name: &str) -> Vec<(String, Value)> {
        let quantiles = [("p50", 0.5), ("p99", 0.99), ("p999", 0.999)];
        let quantiles = quantiles.map(|(which, share)| (format!("{name}_{which}"), self.quantile_ms(share)));
        let max = (format!("{name}_max"), self.max_ms());
        quantiles.into_iter().chain([max]).map(|(name, ms)| (name, json!(ms))).collect()
    }
}

/// Microseconds as milliseconds.
#[expect(clippy::cast_precision_loss, reason = "a figure for people, far below 2^53")]
fn as_ms(us: u64) -> f64 {
    us as f64 / 1e3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_the_sorted_times() {
        let mut latencies = Latencies::default();
        assert_eq!((latencies.quantile_ms(0.5), latencies.max_ms()), (None, None));
        (1..=1_000).for_each(|ms| latencies.add(Duration::from_millis(ms)));
        assert_eq!(latencies.count(), 1_000);
        for (share, ms) in [(0.5, 500.0), (0.99, 990.0), (0.999, 999.0), (1.0, 1_000.0)] {
            let found = latencies.quantile_ms(share).expect("times");
            assert!((found / ms - 1.0).abs() < 2e-3, "{share}: {found} instead of {ms}");
        }
    }
}
