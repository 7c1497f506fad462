//! The file of results: a line about the tournament, and one for each match that is over.

use std::{collections::BTreeMap, path::Path};

use serde::{Deserialize, Serialize};

use crate::{failure::Failure, file::read_file};

/// Longest file of results, in bytes.
const FILE_BYTES_MAX: usize = 1 << 30;

/// The format of the file, in its first line.
pub(super) const FORMAT: u32 = 1;

/// What must be the same for results to belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Heading {
    /// [`FORMAT`].
    pub(super) tournament: u32,
    /// What the game is called.
    pub(super) game: String,
    /// The digest of its rules.
    pub(super) rules: String,
    /// The entrants, with all their options.
    pub(super) players: Vec<String>,
    /// Whether seats are rotated on each deal.
    pub(super) duplicate: bool,
    /// What all deals and draws follow from.
    pub(super) seed: String,
    /// Milliseconds a move, if anybody is timed.
    pub(super) play_clock_ms: Option<u64>,
}

/// A match that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MatchResult {
    /// Its place in the schedule, from 0.
    pub(super) index: u64,
    /// What its record calls it.
    pub(super) match_id: String,
    /// The entrant in each seat, by its place in the heading.
    pub(super) seats: Vec<usize>,
    /// How it ended.
    pub(super) status: String,
    /// Joint moves.
    pub(super) turns: u64,
    /// What each seat got, unless the rules failed.
    pub(super) goals: Option<Vec<i32>>,
    /// How many moves were drawn for each seat.
    pub(super) no_moves: Vec<u64>,
    /// Those of each seat by what its reply was; older results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reasons: Option<Vec<BTreeMap<String, u64>>>,
    /// Bytes of the file of records up to the end of this match, if there is one.
    pub(super) record_end: Option<u64>,
}

/// What a file of results holds.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) heading: Heading,
    pub(super) results: Vec<MatchResult>,
    /// Bytes of whole lines: what follows was cut off when it was written.
    pub(super) bytes: u64,
}

/// Reads a file of results; `None` if there is none yet. A last line that is cut off does not count.
///
/// # Errors
/// If it cannot be read, or is no file of results.
pub(super) fn read(path: &Path) -> Result<Option<Known>, Failure> {
    if std::fs::metadata(path).map_or(true, |found| found.len() == 0) {
        return Ok(None);
    }
    let content = read_file(path, FILE_BYTES_MAX)?;
    let whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let bad = |line: usize, error: &serde_json::Error| {
        Failure::refuse("bad-results", format!("this is no result of a tournament: {error}"))
            .at(&format!("{}:{line}", path.display()))
            .help("name another file, or none; results are written by `croupier tournament --results`")
    };
    let mut lines = content[..whole].split_inclusive(|&byte| byte == b'\n').zip(1..);
    let Some((first, _)) = lines.next() else {
        let error = serde_json::from_slice::<Heading>(&content).err();
        return error.map_or(Ok(None), |error| Err(bad(1, &error)));
    };
    let heading: Heading = serde_json::from_slice(first).map_err(|error| bad(1, &error))?;
    let mut results = Vec::new();
    for (line, number) in lines {
        results.push(serde_json::from_slice(line).map_err(|error| bad(number, &error))?);
    }
    Ok(Some(Known { heading, results, bytes: whole as u64 }))
}
