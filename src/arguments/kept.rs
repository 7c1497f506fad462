//! The folder of what was learnt of games from deals: `CROUPIER_SOLUTIONS`.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use croupier_engine::Game;
use croupier_players::BlueprintFile;
use croupier_referee::Digest;
use croupier_solvers::Blueprint;

use crate::{
    arguments::file::{WholeFile, read_file},
    output::failure::Failure,
};

/// The variable that names the folder; without it nothing is kept.
pub(crate) const VARIABLE: &str = "CROUPIER_SOLUTIONS";

/// All files of the folder together, in bytes, after one was added.
pub(crate) const BYTES_MAX: u64 = 1 << 28;

/// The longest file that is read, in bytes.
const FILE_BYTES_MAX: usize = 1 << 26;

/// How the names of its files end.
const ENDING: &str = "blueprint";

/// Digits of a digest in the name of a file.
const DIGITS: usize = 16;

/// A folder of blueprints.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

/// A file of the folder.
#[derive(Debug)]
pub(crate) struct Kept {
    pub(crate) path: PathBuf,
    pub(crate) bytes: u64,
    written: SystemTime,
    blueprint: BlueprintFile,
}

impl Kept {
    /// How many deals it was learnt from.
    pub(crate) fn deals(&self) -> u64 {
        self.blueprint.deals()
    }
}

impl Folder {
    /// The folder that the environment names.
    pub(crate) fn named() -> Option<Self> {
        env::var_os(VARIABLE).filter(|name| !name.is_empty()).map(|name| Self(name.into()))
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Makes the folder, unless there is one.
    ///
    /// # Errors
    /// If it cannot be made.
    pub(crate) fn make(&self) -> Result<(), Failure> {
        fs::create_dir_all(&self.0).map_err(|error| Failure::file("unwritable-file", &self.0, &error))
    }

    /// Its files, the one that was written last first; none if there is no folder yet. What is no blueprint is left out.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub(crate) fn files(&self) -> io::Result<Vec<Kept>> {
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut files = Vec::new();
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == ENDING) {
                files.extend(kept(path));
            }
        }
        files.sort_by(|one, other| (other.written, &one.path).cmp(&(one.written, &other.path)));
        Ok(files)
    }

    /// The blueprints of its files; none if it cannot be read.
    pub(crate) fn blueprints(&self) -> Vec<BlueprintFile> {
        self.files().unwrap_or_default().into_iter().map(|kept| kept.blueprint).collect()
    }

    /// Adds what was learnt of a game, unless a file has as much of it; files that have less of it go, and the oldest of others if all
    /// are more than [`BYTES_MAX`].
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn keep(&self, game: &Arc<Game>, blueprint: &Blueprint) -> io::Result<()> {
        fs::create_dir_all(&self.0)?;
        let mut others = self.files()?;
        let same: Vec<Kept> = others.extract_if(.., |file| file.blueprint.is_of(game)).collect();
        if same.iter().any(|file| file.deals() >= blueprint.deals()) {
            return Ok(());
        }
        let bytes = blueprint.to_bytes();
        let digest = Digest::of(blueprint.rules().unwrap_or_default().as_bytes()).to_string();
        let name = format!("{}-{}.{ENDING}", &digest[..DIGITS], blueprint.deals());
        WholeFile::write_at(&self.0.join(name), &bytes)?;
        let mut sum = bytes.len() as u64;
        let too_many = others.into_iter().filter(|file| {
            sum += file.bytes;
            sum > BYTES_MAX
        });
        for file in same.into_iter().chain(too_many) {
            // Another process may have taken it away.
            let _ = fs::remove_file(file.path);
        }
        Ok(())
    }
}

fn kept(path: PathBuf) -> Option<Kept> {
    let metadata = fs::metadata(&path).ok()?;
    let blueprint = BlueprintFile::new(read_file(&path, FILE_BYTES_MAX).ok()?.into()).ok()?;
    let written = metadata.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    Some(Kept { path, bytes: metadata.len(), written, blueprint })
}
