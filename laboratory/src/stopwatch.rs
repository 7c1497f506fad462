//! Rates of work that is repeated.

use std::time::Instant;

/// How often work is repeated: at least, and if it is short. Other work on the machine only slows it down, so the best
/// of many short repetitions is what it takes.
const REPETITIONS: [u32; 2] = [3, 21];

/// How many units of work are done in a second, measured for about so many seconds.
///
/// Work does as many units as it is asked for, `units_min` at least. It runs twice before anything counts, which warms it up and
/// shows how many units fit.
pub(crate) fn rate(seconds: f64, units_min: u64, mut work: impl FnMut(u64)) -> f64 {
    let [repetitions_min, repetitions_max] = REPETITIONS;
    let mut timed = |units| {
        let begun = now();
        work(units);
        begun.elapsed().as_secs_f64().max(1e-9)
    };
    let mut units = units_min;
    for _ in 0..2 {
        let share = seconds / f64::from(repetitions_max) / timed(units);
        units = ((units as f64 * share) as u64).max(units_min);
    }
    let (mut best, mut spent, mut repetitions) = (0.0_f64, 0.0, 0);
    while repetitions < repetitions_min || (repetitions < repetitions_max && spent < seconds) {
        let taken = timed(units);
        best = best.max(units as f64 / taken);
        spent += taken;
        repetitions += 1;
    }
    best
}

#[expect(clippy::disallowed_methods, reason = "rates are all that the laboratory is for")]
fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::{thread::sleep, time::Duration};

    use super::rate;

    #[test]
    fn a_rate_is_units_a_second_and_work_is_asked_for_often_enough() {
        let mut asked = Vec::new();
        let found = rate(1e-6, 4, |units| {
            asked.push(units);
            sleep(Duration::from_millis(units));
        });
        assert!((5..=23).contains(&asked.len()) && asked.iter().all(|units| *units == 4), "{asked:?}");
        assert!((1.0..=1_000.0).contains(&found), "{found} milliseconds a second");
    }
}
