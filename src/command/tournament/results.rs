//! The file of results: a line about the tournament, and one for each match that is over.

use std::{
    collections::BTreeMap,
    fs::{File, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use serde::{Deserialize, Serialize};

use crate::{failure::Failure, file::read_file};

/// Longest file of results, in bytes.
const FILE_BYTES_MAX: usize = 1 << 30;

/// The format of the file, in its first line.
const FORMAT: u32 = 1;

/// What must be the same for results to belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Heading {
    /// [`FORMAT`].
    tournament: u32,
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

impl Heading {
    pub(super) fn new(
        (game, rules): (String, String),
        players: Vec<String>,
        duplicate: bool,
        seed: String,
        play_clock_ms: Option<u64>,
    ) -> Self {
        Self { tournament: FORMAT, game, rules, players, duplicate, seed, play_clock_ms }
    }
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
    bytes: u64,
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

/// The files that matches are written to as they end.
#[derive(Debug, Default)]
pub(super) struct Files {
    results: Option<(PathBuf, File)>,
    records: Option<(PathBuf, File, u64)>,
}

impl Files {
    /// Opens them behind what is known, which stays.
    ///
    /// # Errors
    /// If they cannot be written, or matches are known whose records are not there.
    pub(super) fn open(
        results: Option<&Path>,
        records: Option<&Path>,
        heading: &Heading,
        known: Option<&Known>,
    ) -> Result<Self, Failure> {
        let mut files = Self::default();
        if let Some(path) = results {
            let mut file = open_at(path, known.map_or(0, |known| known.bytes))?;
            if known.is_none() {
                write_line(path, &mut file, heading)?;
            }
            files.results = Some((path.to_owned(), file));
        }
        if let Some(path) = records {
            let last = known.and_then(|known| known.results.last());
            let end = last.map_or(Some(0), |last| last.record_end);
            let missing = || {
                Failure::refuse("no-records", "the results were begun without records, which cannot be added")
                    .at(&path.display().to_string())
                    .help("leave out --record, or begin again with another file of results")
            };
            let end = end.ok_or_else(missing)?;
            if std::fs::metadata(path).map_or(0, |found| found.len()) < end {
                return Err(missing());
            }
            files.records = Some((path.to_owned(), open_at(path, end)?, end));
        }
        Ok(files)
    }

    /// Writes a match: its record first, so that a result never lacks one.
    ///
    /// # Errors
    /// If that fails.
    pub(super) fn write(&mut self, result: &mut MatchResult, record: &[u8]) -> Result<(), Failure> {
        if let Some((path, file, end)) = &mut self.records {
            file.write_all(record).map_err(|error| Failure::file("unwritable-file", path, &error))?;
            *end += record.len() as u64;
            result.record_end = Some(*end);
        }
        match &mut self.results {
            Some((path, file)) => write_line(path, file, result),
            None => Ok(()),
        }
    }
}

/// A file that is written from this byte on; what stood behind it is gone.
fn open_at(path: &Path, bytes: u64) -> Result<File, Failure> {
    let open = || {
        let mut file = OpenOptions::new().write(true).create(true).truncate(false).open(path)?;
        file.set_len(bytes)?;
        file.seek(SeekFrom::End(0))?;
        Ok(file)
    };
    open().map_err(|error: std::io::Error| Failure::file("unwritable-file", path, &error))
}

fn write_line(path: &Path, file: &mut File, line: &impl Serialize) -> Result<(), Failure> {
    let mut text = serde_json::to_string(line).expect("plain data is JSON");
    text.push('\n');
    file.write_all(text.as_bytes()).map_err(|error| Failure::file("unwritable-file", path, &error))
}
