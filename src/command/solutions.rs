//! `croupier solutions`: what was learnt of games from deals and kept.

use std::{fs, io::Write};

use clap::Args;
use serde::Serialize;

use crate::{
    arguments::kept::{BYTES_MAX, Folder, Kept, VARIABLE},
    output::{
        answer::Answer,
        columns::write_rows,
        failure::Failure,
        schema::{Output, output},
    },
};

/// List or remove what was learnt of card games
///
/// The default player learns from sampled deals how to play card games that are too large to solve. If the variable
/// CROUPIER_SOLUTIONS names a folder, what it has learnt is kept there when a command ends, and so is what `croupier solve
/// --abstract` has; a player with a clock then plays what was learnt from the most deals, whatever the names in its rules.
/// Without a clock nothing in the folder matters. The folder has at most 256 MiB: the oldest files go first.
#[derive(Args)]
#[command(after_help = "\
Examples:
  export CROUPIER_SOLUTIONS=~/.cache/croupier
  croupier solve no-limit-holdem --abstract 100 --algorithm chance-sampling --minutes 30
  croupier play no-limit-holdem --seat alice=human --play-clock 20
  croupier solutions
  croupier solutions --clear")]
pub(crate) struct Arguments {
    /// Remove all of it
    #[arg(long)]
    clear: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// What was learnt of games from deals and kept.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SolutionsReport {
    folder: String,
    /// The one that was written last first; with --clear, those that were removed.
    solutions: Vec<SolutionReport>,
    /// All of them together are no more after one was added.
    bytes_max: u64,
    cleared: bool,
}
output!(Solutions: SolutionsReport);

/// What was learnt of a game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SolutionReport {
    file: String,
    /// Deals that it was learnt from.
    deals: u64,
    bytes: u64,
}

impl SolutionReport {
    fn of(kept: &Kept) -> Self {
        let file = kept.path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        Self { file, deals: kept.deals(), bytes: kept.bytes }
    }
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let folder = Folder::named().ok_or_else(|| {
        Failure::refuse("no-folder", format!("{VARIABLE} names no folder, so nothing is kept"))
            .help(format!("export {VARIABLE}=FOLDER; it is made when there is something to keep"))
    })?;
    let files = folder.files().map_err(|error| Failure::file("unreadable-file", folder.path(), &error))?;
    if arguments.clear {
        for file in &files {
            fs::remove_file(&file.path)
                .map_err(|error| Failure::file("unwritable-file", &file.path, &error))?;
        }
    }
    if arguments.json {
        let (folder, cleared) = (folder.path().display().to_string(), arguments.clear);
        let solutions = files.iter().map(SolutionReport::of).collect();
        SolutionsReport { folder, solutions, bytes_max: BYTES_MAX, cleared }.write_json(out)?;
        return Ok(Answer::Yes);
    }
    let place = folder.path().display();
    match (files.len(), arguments.clear) {
        (0, _) => writeln!(out, "{place}: nothing is kept")?,
        (count, true) => writeln!(out, "{place}: {count} removed")?,
        (_, false) => write_rows(out, &rows(&files))?,
    }
    Ok(Answer::Yes)
}

fn rows(files: &[Kept]) -> Vec<Vec<String>> {
    let head = ["file", "deals", "bytes"].map(str::to_owned).to_vec();
    let row = |SolutionReport { file, deals, bytes }| vec![file, deals.to_string(), bytes.to_string()];
    std::iter::once(head).chain(files.iter().map(SolutionReport::of).map(row)).collect()
}
