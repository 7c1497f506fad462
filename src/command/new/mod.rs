//! `croupier new`: a game to begin with, or a game of a family, as rules and words in a folder of their own.

mod families;
mod parameters;
mod words;

use std::{
    fs::{self, OpenOptions},
    io::{self, Write},
    path::{Path, PathBuf},
};

use clap::Args;
use croupier_games::{alike, families as all_families, find_family, starter, starter_facts};

use self::{families::refused, parameters::Parameters};
use crate::{
    arguments::record_file::file_exists,
    output::{answer::Answer, failure::Failure},
};

/// Write the rules and words of a new game, to change or to play
///
/// Writes FOLDER/rules.gdl and FOLDER/game.toml. With -o it writes the rules alone, and without either it prints them.
#[derive(Args)]
#[command(after_help = help(), disable_help_flag = true)]
pub(crate) struct Arguments {
    /// Where to write rules.gdl and game.toml; the folder is made if it is not there
    #[arg(conflicts_with = "output")]
    folder: Option<PathBuf>,
    /// Write the rules alone, to this file
    #[arg(long, short = 'o', value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace files that are there
    #[arg(long)]
    force: bool,
    /// A game of a family; `--from FAMILY --help` has its parameters
    #[arg(long, value_name = "FAMILY")]
    from: Option<String>,
    #[command(flatten)]
    parameters: Parameters,
    /// List the families with their parameters
    #[arg(long, conflicts_with_all = ["folder", "output", "from"])]
    list: bool,
    /// Print help, with --from that of a family
    #[arg(long, short = 'h')]
    help: bool,
}

fn help() -> String {
    let width = all_families().iter().map(|family| family.name.len()).max().unwrap_or(0);
    let families =
        all_families().iter().map(|family| format!("  {:width$}  {}\n", family.name, family.summary));
    format!(
        "Families, for --from:\n{}
Examples:
  croupier new my-game && croupier play my-game --seat player=human
  croupier new --from goofspiel --help
  croupier new bids --from goofspiel --cards 6
  croupier new six --from no-limit-holdem --players 6 --big-blinds 20,12,16,20,4,8
  croupier new hand --from no-limit-holdem --players 3 --stacks 200,57,143 --bets all
  croupier new -o krieg.gdl --from krieg-tic-tac-toe --size 6 --line 4",
        families.collect::<String>()
    )
}

impl Arguments {
    /// Whether the help of the command is asked for, and not that of a family.
    pub(crate) fn asks_for_its_help(&self) -> bool {
        self.help && self.from.is_none()
    }
}

/// The two files of a game.
struct Files {
    rules: String,
    facts: String,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    if arguments.list {
        for family in all_families() {
            writeln!(out, "{}", families::described(family))?;
        }
        writeln!(out, "`croupier new FOLDER --from FAMILY --PARAMETER VALUE` writes one of its games.")?;
        return Ok(Answer::Yes);
    }
    let family = arguments.from.as_deref();
    let family = family.map(|name| find_family(name).ok_or_else(|| unknown(name))).transpose()?;
    if let Some(family) = family.filter(|_| arguments.help) {
        write!(out, "{}", families::help(family))?;
        return Ok(Answer::Yes);
    }
    let files = match family {
        Some(family) => {
            let values = arguments.parameters.values();
            let rules = family.rules(values).map_err(|error| refused(family, &error))?;
            Files { facts: words::of_family(family, values, &rules), rules }
        }
        None if !arguments.parameters.values().is_empty() => {
            return Err(Failure::refuse("bad-parameter", "parameters are those of a family")
                .help("name it by --from; `croupier new --list` has all"));
        }
        None => Files { rules: starter().to_owned(), facts: starter_facts().to_owned() },
    };
    match (&arguments.folder, &arguments.output) {
        (Some(folder), _) => write_folder(folder, &files, arguments.force, out)?,
        (None, Some(path)) => write_rules(path, &files.rules, arguments.force, out)?,
        (None, None) => write!(out, "{}", files.rules)?,
    }
    Ok(Answer::Yes)
}

fn write_folder(folder: &Path, files: &Files, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    let (rules, facts) = (folder.join("rules.gdl"), folder.join("game.toml"));
    // Either both are written or none.
    if let Some(there) = [&rules, &facts].into_iter().find(|path| !force && path.exists()) {
        return Err(file_exists(there, "--force replaces it"));
    }
    fs::create_dir_all(folder).map_err(|error| Failure::file("unwritable-file", folder, &error))?;
    create(&rules, &files.rules, force)?;
    create(&facts, &files.facts, force)?;
    let folder = folder.display();
    writeln!(
        out,
        "{} and {} are written; `croupier check {folder}`, `croupier analyze {folder}` and `croupier play {folder}` go on from here",
        rules.display(),
        facts.display()
    )?;
    Ok(())
}

fn write_rules(path: &Path, rules: &str, force: bool, out: &mut dyn Write) -> Result<(), Failure> {
    if path.is_dir() {
        return Err(Failure::refuse("unwritable-file", "it is a folder")
            .at(&path.display().to_string())
            .help(format!("`croupier new {}` writes rules.gdl and game.toml into it", path.display())));
    }
    create(path, rules, force)?;
    let path = path.display();
    writeln!(
        out,
        "{path} is written; `croupier check {path}`, `croupier analyze {path}` and `croupier play {path}` go on from here"
    )?;
    Ok(())
}

fn create(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let failed = |error: &io::Error| Failure::file("unwritable-file", path, error);
    let mut options = OpenOptions::new();
    options.write(true).create_new(!force).create(true).truncate(true);
    let mut file = options.open(path).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => file_exists(path, "--force replaces it"),
        _ => failed(&error),
    })?;
    file.write_all(text.as_bytes()).map_err(|error| failed(&error))
}

fn unknown(name: &str) -> Failure {
    let failure = Failure::refuse("unknown-family", format!("there is no family '{name}'"));
    let names = || all_families().iter().map(|family| family.name);
    match alike(name, names()).first() {
        Some(near) => failure.help(format!("did you mean '{near}'?")),
        None => failure.help(format!("there are {}", names().collect::<Vec<&str>>().join(", "))),
    }
}
