//! The file of a checkpoint.

use std::path::Path;

use croupier_referee::{Digest, json_trouble};
use croupier_solvers::{Algorithm, Checkpoint, Solver};

use crate::{
    arguments::file::{WholeFile, read_file},
    measurement::unfolded::Unfolded,
    output::failure::Failure,
};

/// Longest file of a checkpoint, in bytes.
const FILE_BYTES_MAX: usize = 1 << 33;

/// Where a checkpoint is kept, if anywhere, and of which game.
#[derive(Debug)]
pub(super) struct Saved<'p> {
    path: Option<&'p Path>,
    /// The digest of the rules.
    rules: String,
}

impl<'p> Saved<'p> {
    pub(super) fn new(unfolded: &Unfolded, path: Option<&'p Path>) -> Self {
        Self { path, rules: Digest::of(unfolded.source.rules.as_bytes()).to_string() }
    }

    /// The solver that was kept; `None` if there is none yet.
    ///
    /// # Errors
    /// If the file is no checkpoint of this game and algorithm, or is beyond `iterations` already.
    pub(super) fn read<'u>(
        &self,
        unfolded: &'u Unfolded,
        algorithm: Algorithm,
        iterations: u64,
    ) -> Result<Option<Solver<'u>>, Failure> {
        let Some(path) = self.path.filter(|path| path.exists()) else { return Ok(None) };
        let bytes = read_file(path, FILE_BYTES_MAX)?;
        let checkpoint: Checkpoint = serde_json::from_slice(&bytes)
            .map_err(|error| self.refuse(format!("the file is no checkpoint: {}", json_trouble(&error))))?;
        if checkpoint.algorithm != algorithm {
            return Err(self.other("algorithm"));
        }
        if checkpoint.iterations > iterations {
            let has = checkpoint.iterations;
            return Err(self.refuse(format!(
                "it has {has} iterations already, more than the {iterations} that were asked for"
            )));
        }
        let solver = Solver::resume(&unfolded.tree, &unfolded.form, &checkpoint, &self.rules)
            .map_err(|error| self.refuse(error.to_string()))?;
        Ok(Some(solver))
    }

    /// Keeps a solver, if there is somewhere to keep it. The old file is there until the new one is whole.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn write(&self, solver: &Solver<'_>) -> Result<(), Failure> {
        let Some(path) = self.path else { return Ok(()) };
        let unwritable = |error| Failure::file("unwritable-file", path, &error);
        let text = serde_json::to_string(&solver.checkpoint(&self.rules)).expect("a checkpoint is JSON");
        WholeFile::write_at(path, text.as_bytes()).map_err(unwritable)
    }

    /// Whether a solver is kept anywhere.
    pub(super) fn is_kept(&self) -> bool {
        self.path.is_some()
    }

    /// The refusal of a checkpoint that was made with another one of this.
    pub(super) fn other(&self, what: &str) -> Failure {
        self.refuse(format!("the file has a checkpoint with another {what}"))
    }

    fn refuse(&self, problem: String) -> Failure {
        let place = self.path.map_or_else(String::new, |path| path.display().to_string());
        Failure::refuse("bad-checkpoint", problem)
            .at(&place)
            .help("name another file to start anew, or the arguments that it was made with")
    }
}
