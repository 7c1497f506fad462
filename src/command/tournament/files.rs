//! The files that matches are written to as they end.

use std::{
    fs::{File, OpenOptions},
    io::{Seek, SeekFrom, Write},
    path::{Path, PathBuf},
};

use croupier_results::{Heading, MatchResult, ResultsFile};
use serde::Serialize;

use crate::{arguments::file::read_file, output::failure::Failure};

/// Longest file of results, in bytes.
const RESULTS_BYTES_MAX: usize = 1 << 30;

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
        known: Option<&ResultsFile>,
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

/// Reads a file of results; `None` if there is none yet.
///
/// # Errors
/// If it cannot be read, or is no file of results.
pub(super) fn known(path: &Path) -> Result<Option<ResultsFile>, Failure> {
    if std::fs::metadata(path).map_or(true, |found| found.len() == 0) {
        return Ok(None);
    }
    ResultsFile::read(&read_file(path, RESULTS_BYTES_MAX)?).map_err(|error| {
        Failure::refuse("bad-results", error.to_string())
            .at(&format!("{}:{}", path.display(), error.line))
            .help("name another file, or none; results are written by `croupier tournament --results`")
    })
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
