//! Rates of work that is repeated.

use serde::Serialize;

use crate::{
    output::failure::Failure,
    sessions::{clock, interrupt::Interrupt},
};

/// How often work is repeated: at least, and if it is short. Other work on the machine only slows it down, so the best
/// of many short repetitions is what it takes, and the median tells how much it was disturbed.
const REPETITIONS: [usize; 2] = [3, 21];

/// How long each rate is measured, and whether anybody still wants to know.
#[derive(Clone, Debug)]
pub(super) struct Pace {
    /// About so many seconds.
    pub(super) seconds: f64,
    pub(super) interrupt: Interrupt,
}

/// How much is done in a second.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(super) struct Rate {
    /// The best of the repetitions.
    pub(super) best: f64,
    /// The one in their middle.
    pub(super) median: f64,
}

impl Rate {
    /// The rate of what is done `factor` times in each unit of this.
    pub(super) fn times(self, factor: f64) -> Self {
        Self { best: self.best * factor, median: self.median * factor }
    }

    /// The best and the middle of rates, of which there is one at least.
    fn of(mut rates: Vec<f64>) -> Self {
        rates.sort_by(f64::total_cmp);
        let at = |place: usize| rates.get(place).copied().unwrap_or(0.0);
        Self { best: at(rates.len().saturating_sub(1)), median: at(rates.len() / 2) }
    }
}

/// What some work gave, and the seconds that it took.
pub(super) fn timed<T>(work: impl FnOnce() -> T) -> (T, f64) {
    let begun = clock::now();
    let result = work();
    (result, begun.elapsed().as_secs_f64().max(1e-9))
}

/// The rate of work that does as many units as it is asked for, at this pace.
///
/// It runs twice before anything counts, which warms it up and shows how many units fit. `units_max` bounds
/// what is asked for at once.
///
/// # Errors
/// Those of the work, and [`Failure::Interrupted`].
pub(super) fn rate(
    pace: &Pace,
    [units_min, units_max]: [u64; 2],
    mut work: impl FnMut(u64) -> Result<(), Failure>,
) -> Result<Rate, Failure> {
    let [repetitions_min, repetitions_max] = REPETITIONS;
    let share = pace.seconds / as_float(repetitions_max as u64);
    let mut units = units_min;
    for _ in 0..2 {
        let taken = timed_once(pace, units, &mut work)?;
        units = fitting(units, share / taken).clamp(units_min, units_max);
    }
    let (mut rates, mut spent) = (Vec::new(), 0.0);
    while rates.len() < repetitions_min || (rates.len() < repetitions_max && spent < pace.seconds) {
        let taken = timed_once(pace, units, &mut work)?;
        rates.push(as_float(units) / taken);
        spent += taken;
    }
    Ok(Rate::of(rates))
}

/// The seconds that some work takes.
fn timed_once(
    pace: &Pace,
    units: u64,
    work: &mut impl FnMut(u64) -> Result<(), Failure>,
) -> Result<f64, Failure> {
    if pace.interrupt.is_raised() {
        return Err(Failure::Interrupted);
    }
    let (result, taken) = timed(|| work(units));
    result.map(|()| taken)
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a positive number far below 2^63; what is above is cut off, as it should be"
)]
fn fitting(units: u64, factor: f64) -> u64 {
    (as_float(units) * factor) as u64
}

/// A count as a number to reckon with.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(super) fn as_float(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::{Interrupt, Pace, Rate, rate};

    #[test]
    fn the_best_rate_is_the_highest_and_the_median_in_the_middle() {
        assert_eq!(Rate::of(vec![3.0, 9.0, 1.0]), Rate { best: 9.0, median: 3.0 });
        assert_eq!(Rate::of(vec![5.0]), Rate { best: 5.0, median: 5.0 });
    }

    #[test]
    fn work_is_asked_for_within_its_bounds() {
        let mut asked = Vec::new();
        let work = |units| {
            asked.push(units);
            Ok(())
        };
        let pace = Pace { seconds: 1e-6, interrupt: Interrupt::default() };
        rate(&pace, [4, 8], work).expect("work that cannot fail");
        assert!((5..=23).contains(&asked.len()), "{asked:?}");
        assert!(asked.iter().all(|units| (4..=8).contains(units)), "{asked:?}");
    }
}
