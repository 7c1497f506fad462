//! The argument `--record`: a file that records are written to, and that is not lost by mistake.

use std::{
    fs::{self, File, OpenOptions},
    io::Write as _,
    path::{Path, PathBuf},
};

use croupier_referee::{
    RecordError,
    record::{Kind, read_records_of},
    whole_matches_bytes, without_tear,
};

pub(crate) use crate::arguments::existing::{Existing, file_exists, refuse_to_replace};
use crate::{
    arguments::{file::read_file, records::FILE_BYTES_MAX},
    output::failure::Failure,
};

/// A file that records are written to.
#[derive(Debug)]
pub(crate) struct RecordFile {
    path: PathBuf,
    file: File,
}

impl RecordFile {
    /// Opens it for records of this kind of match.
    ///
    /// # Errors
    /// If there is a file already that is not to be touched, or that nothing can be written behind, or it cannot be written.
    pub(crate) fn open<K: Kind>(path: &Path, existing: Existing) -> Result<Self, Failure> {
        let mut options = OpenOptions::new();
        match existing {
            Existing::Refuse => {
                refuse_to_replace(path, "--append writes behind the records in it, --force replaces it")?;
                options.write(true).create(true).truncate(true)
            }
            Existing::Replace => options.write(true).create(true).truncate(true),
            Existing::Append | Existing::AppendWhole => options.append(true).create(true),
        };
        let end = match existing {
            Existing::Append => Some(end_of_records::<K>(path, false)?),
            Existing::AppendWhole => Some(end_of_records::<K>(path, true)?),
            Existing::Refuse | Existing::Replace => None,
        };
        let file = options.open(path).map_err(|error| unwritable(path, &error))?;
        if let Some(end) = end.flatten() {
            file.set_len(end).map_err(|error| unwritable(path, &error))?;
        }
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

/// Where the whole matches of a file end, if there is something to be cut off behind them.
///
/// # Errors
/// If the file has anything else than records of this kind in it, or what is cut off and must not be removed.
fn end_of_records<K: Kind>(path: &Path, may_cut: bool) -> Result<Option<u64>, Failure> {
    if !fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() > 0) {
        return Ok(None);
    }
    let bytes = read_file(path, FILE_BYTES_MAX)?;
    let refuse = |message: String| Failure::refuse("bad-record", message).at(&path.display().to_string());
    let (lines, _) = without_tear(&bytes);
    let (matches, whole) = counts::<K>(lines).map_err(|error| {
        refuse(format!("cannot append, because the file is not a Croupier record: {error}"))
            .help("name another file")
    })?;
    let end = whole_matches_bytes(&bytes);
    if end == bytes.len() {
        return Ok(None);
    }
    if may_cut && matches - whole <= 1 {
        return Ok(Some(end as u64));
    }
    let cut = bytes.len() - end;
    let kept = if whole == 1 { "the whole match".to_owned() } else { format!("the {whole} whole matches") };
    Err(refuse(format!("its last record is cut off: {cut} bytes stand behind the last whole match")).help(
        format!("--append --cut-torn removes these {cut} bytes and keeps {kept}; or name another file"),
    ))
}

/// How many matches there are, and how many of them are whole.
fn counts<K: Kind>(lines: &[u8]) -> Result<(usize, usize), RecordError> {
    let records = read_records_of::<K>(lines)?;
    Ok((records.len(), records.iter().filter(|one| one.is_sealed()).count()))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::file("unwritable-file", path, error)
}
