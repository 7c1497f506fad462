//! Files that commands are given, read within bounds; and files that they write, whole or not at all.

use std::{
    fs::{self, File},
    io::{self, BufWriter, Read as _, Write},
    path::{Path, PathBuf},
};

use crate::output::failure::Failure;

/// The contents of a file of at most `bytes_max` bytes.
///
/// # Errors
/// If it cannot be read or is longer.
pub(crate) fn read_file(path: &Path, bytes_max: usize) -> Result<Vec<u8>, Failure> {
    let unreadable = |error: io::Error| Failure::file("unreadable-file", path, &error);
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(unreadable)?;
    file.take(bytes_max as u64 + 1).read_to_end(&mut bytes).map_err(unreadable)?;
    if bytes.len() > bytes_max {
        return Err(Failure::refuse(
            "file-too-large",
            format!("limit {bytes_max} bytes, and the file has more"),
        )
        .at(&path.display().to_string()));
    }
    Ok(bytes)
}

/// Writes a file that only its owner can read, and that was not there.
///
/// # Errors
/// If it is there, or cannot be written.
pub(crate) fn create_private(path: &Path, text: &str) -> io::Result<()> {
    let mut options = File::options();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

/// A file that takes its place when it is whole: until then it is written beside it, and whatever stood there stays.
#[derive(Debug)]
pub(crate) struct WholeFile {
    place: PathBuf,
    /// Where it is written; `None` where the place is a device or a pipe, which nothing can be put in the place of.
    beside: Option<PathBuf>,
    file: BufWriter<File>,
}

impl WholeFile {
    /// Begins to write a file.
    ///
    /// # Errors
    /// If nothing can be written there.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        // A link stays one: what it leads to is written.
        let place = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        if fs::metadata(&place).is_ok_and(|found| !found.is_file()) {
            let file = BufWriter::new(File::options().write(true).open(&place)?);
            return Ok(Self { place, beside: None, file });
        }
        if place.exists() {
            // What must not be written must not be replaced either.
            File::options().write(true).open(&place)?;
        }
        let mut name = place.as_os_str().to_owned();
        name.push(".new");
        let beside = PathBuf::from(name);
        let file = BufWriter::new(File::create(&beside)?);
        Ok(Self { place, beside: Some(beside), file })
    }

    /// Puts it in its place.
    ///
    /// # Errors
    /// If that fails; then whatever stood there is still there.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        match self.beside.take() {
            Some(beside) => fs::rename(&beside, &self.place),
            None => Ok(()),
        }
    }

    /// Writes a file at once.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn write_at(path: &Path, contents: &[u8]) -> io::Result<()> {
        let mut file = Self::create(path)?;
        file.write_all(contents)?;
        file.finish()
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for WholeFile {
    /// What did not become whole is taken away again.
    fn drop(&mut self) {
        if let Some(beside) = &self.beside {
            // It is no worse if it stays.
            let _ = fs::remove_file(beside);
        }
    }
}
