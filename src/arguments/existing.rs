//! What becomes of a file that is there already: every command that writes one asks here.

use std::{fs, path::Path};

use clap::Args;

use crate::{arguments::file::WholeFile, output::failure::Failure};

/// What is done with a file that is there already.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Existing {
    /// It is kept, and the command refused.
    Refuse,
    /// It is replaced.
    Replace,
    /// Its records are kept, and others written behind them.
    Append,
    /// Its whole matches are kept, what was cut off behind them is removed, and others are written behind them.
    AppendWhole,
}

/// The option `--force`.
#[derive(Args, Clone, Copy, Debug, Default)]
pub(crate) struct Force {
    /// Replace files that exist
    #[arg(long)]
    force: bool,
}

impl Force {
    /// What is done with a file that is there.
    pub(crate) fn existing(self) -> Existing {
        if self.force { Existing::Replace } else { Existing::Refuse }
    }
}

impl Existing {
    /// That a file may be written here: asked before the work, so that it is not in vain.
    ///
    /// # Errors
    /// If there is one that would be lost, or nothing can be written.
    pub(crate) fn check(self, path: &Path) -> Result<(), Failure> {
        if self == Self::Refuse {
            refuse_to_replace(path, "--force replaces it")?;
        }
        WholeFile::create(path).map(drop).map_err(|error| Failure::file("unwritable-file", path, &error))
    }

    /// Writes a file, whole or not at all.
    ///
    /// # Errors
    /// If there is one that would be lost, or it cannot be written.
    pub(crate) fn write(self, path: &Path, contents: &[u8]) -> Result<(), Failure> {
        self.check(path)?;
        WholeFile::write_at(path, contents).map_err(|error| Failure::file("unwritable-file", path, &error))
    }
}

/// That no file with anything in it is there; devices and pipes hold nothing that could be lost.
///
/// # Errors
/// If there is one.
pub(crate) fn refuse_to_replace(path: &Path, help: &str) -> Result<(), Failure> {
    match fs::metadata(path) {
        Ok(found) if found.is_file() && found.len() > 0 => Err(file_exists(path, help)),
        _ => Ok(()),
    }
}

/// That a file is there which would be lost.
pub(crate) fn file_exists(path: &Path, help: &str) -> Failure {
    Failure::refuse("file-exists", "there is a file of this name, which would be lost")
        .at(&path.display().to_string())
        .help(help)
}
