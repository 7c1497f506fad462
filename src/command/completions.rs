//! `croupier completions`: what a shell needs to complete the arguments, and manual pages.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use clap::{Args, Command};
use clap_complete::Shell;

use crate::output::{answer::Answer, failure::Failure};

/// Print a script that completes arguments in a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier completions bash > ~/.local/share/bash-completion/completions/croupier
  croupier completions fish > ~/.config/fish/completions/croupier.fish
  croupier completions zsh > \"${fpath[1]}/_croupier\"
  croupier completions --man ~/.local/share/man/man1")]
pub(crate) struct Arguments {
    /// Which shell
    #[arg(required_unless_present = "man")]
    shell: Option<Shell>,
    /// Write manual pages into this folder instead: one for the program, and one for each command
    #[arg(long, value_name = "FOLDER", conflicts_with = "shell")]
    man: Option<PathBuf>,
}

pub(crate) fn run(
    arguments: &Arguments,
    mut command_line: Command,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if let Some(folder) = &arguments.man {
        write_manual(folder, command_line.clone())?;
    }
    if let Some(shell) = arguments.shell {
        // The generator panics where it cannot write, so it writes to memory.
        let mut script = Vec::new();
        clap_complete::generate(shell, &mut command_line, "croupier", &mut script);
        out.write_all(&script)?;
    }
    Ok(Answer::Yes)
}

fn write_manual(folder: &Path, command_line: Command) -> Result<(), Failure> {
    let written = fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(command_line, folder));
    written.map_err(|error| Failure::file("unwritable-file", folder, &error))
}
