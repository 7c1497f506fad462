//! Whether records are what happened.

use croupier_referee::{SealCheck, disorders, read_records, replay_all, without_tear};
use pyo3::prelude::*;

use crate::errors::RecordError;

/// Plays the matches of a record again and compares everything that is in it.
///
/// Parameters
/// ----------
/// record : str
///     One record, or several one after another: the result of `Match.record`, or the content of a file that
///     `croupier play --record` wrote.
///
/// Raises
/// ------
/// RecordError
///     If the text is not a record, a match differs from its record, it was cut off, or matches of a series are missing. A torn
///     last line is named once all whole matches before it agree.
#[pyfunction]
pub(crate) fn verify(py: Python<'_>, record: &str) -> PyResult<()> {
    py.detach(|| verified(record)).map_err(RecordError::new_err)
}

fn verified(text: &str) -> Result<(), String> {
    let (lines, tear) = without_tear(text.as_bytes());
    let records = read_records(lines).map_err(|error| format!("not a record: {error}"))?;
    if records.is_empty() {
        return Err("not a record: the text is empty".to_owned());
    }
    for (index, replayed) in replay_all(&records).enumerate() {
        let number = index + 1;
        let replayed = replayed.map_err(|error| format!("match {number} differs at {error}"))?;
        if replayed.seal() == SealCheck::Missing {
            let turns = replayed.turns().len();
            return Err(format!("match {number} is incomplete: {turns} turns agree, then the record ends"));
        }
    }
    if let Some(disorder) = disorders(&records).first() {
        return Err(disorder.to_string());
    }
    let count = records.len();
    tear.map_or(Ok(()), |tear| Err(format!("{tear}; the {count} whole matches agree with their records")))
}
