//! The argument `--record`: a file that records are written to, and that is not lost by mistake.

use std::{
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use croupier_referee::read_records;

pub(crate) use crate::existing::{Existing, file_exists, refuse_to_replace};
use crate::{failure::Failure, file::read_file, records::FILE_BYTES_MAX};

/// A file that records are written to.
#[derive(Debug)]
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// Opens it.
    ///
    /// # Errors
    /// If there is a file already that is not to be touched, or that nothing can be written behind, or it cannot be written.
    pub(crate) fn open(path: &Path, existing: Existing) -> Result<Self, Failure> {
        let mut options = OpenOptions::new();
        match existing {
            Existing::Refuse => {
                refuse_to_replace(path, "--append writes behind the records in it, --force replaces it")?;
                options.write(true).create(true).truncate(true)
            }
            Existing::Replace => options.write(true).create(true).truncate(true),
            Existing::Append => {
                check_records(path)?;
                options.append(true).create(true)
            }
        };
        let file = options.open(path).map_err(|error| unwritable(path, &error))?;
        Ok(Self { path: path.to_owned(), file })
    }

    /// Writes a record behind the others.
    ///
    /// # Errors
    /// If that fails.
    pub(crate) fn write(&mut self, record: &[u8]) -> Result<(), Failure> {
        self.file.write_all(record).map_err(|error| unwritable(&self.path, &error))
    }
}

/// That a file, if there is one, has whole records and nothing else in it.
fn check_records(path: &Path) -> Result<(), Failure> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0) {
        return Ok(());
    }
    let bytes = read_file(path, FILE_BYTES_MAX)?;
    let refuse = |message: String| {
        Failure::refuse("bad-record", message).at(&path.display().to_string()).help("name another file")
    };
    let records = read_records(&bytes)
        .map_err(|error| refuse(format!("nothing can be written behind what is no record: {error}")))?;
    match records.last() {
        Some(last) if !last.is_sealed() => Err(refuse("its last record is cut off".to_owned())),
        _ => Ok(()),
    }
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::file("unwritable-file", path, error)
}
