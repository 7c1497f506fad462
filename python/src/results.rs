//! Means with their intervals and ratings, of the results of matches: those of the command line.

use croupier_results::{Mean, RatingSystem, Ratings};
use pyo3::prelude::*;

use crate::errors::refused;

/// The mean of values that do not depend on each other, and half the width of its 95 % interval; None for that of a single value.
#[pyfunction(name = "_mean")]
pub(crate) fn mean(values: Vec<f64>) -> PyResult<(f64, Option<f64>)> {
    let Mean { mean, margin } =
        Mean::of(&values).ok_or_else(|| refused("there is nothing to be averaged"))?;
    Ok((mean, margin))
}

/// For each entrant its rating and the uncertainty of it, after matches with these seats and results; None for who met nobody.
#[pyfunction(name = "_ratings")]
pub(crate) fn ratings(
    system: &str,
    entrants: usize,
    seats: Vec<Vec<usize>>,
    results: Vec<Vec<i32>>,
) -> PyResult<Vec<Option<(f64, f64)>>> {
    let system = match system {
        "weng-lin" => RatingSystem::WengLin,
        "glicko-2" => RatingSystem::Glicko2,
        other => return Err(refused(format!("the system must be 'weng-lin' or 'glicko-2', not {other:?}"))),
    };
    let is_match = |(seats, results): (&Vec<usize>, &Vec<i32>)| {
        seats.len() == results.len() && seats.iter().all(|&seat| seat < entrants)
    };
    if seats.len() != results.len() || !seats.iter().zip(&results).all(is_match) {
        return Err(refused("every match must have a result for each seat, and every seat an entrant"));
    }
    let mut ratings = Ratings::new(system, entrants);
    seats.iter().zip(&results).for_each(|(seats, results)| ratings.take_match(seats, results));
    Ok((0..entrants).map(|entrant| ratings.mean_and_uncertainty(entrant)).collect())
}
