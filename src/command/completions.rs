//! `croupier completions`: what a shell needs to complete the arguments.

use std::io::Write;

use clap::{Args, Command};
use clap_complete::Shell;

use crate::{answer::Answer, failure::Failure};

/// Print a script that completes arguments in a shell
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier completions bash > ~/.local/share/bash-completion/completions/croupier
  croupier completions fish > ~/.config/fish/completions/croupier.fish
  croupier completions zsh > \"${fpath[1]}/_croupier\"")]
pub(crate) struct Arguments {
    /// Which shell
    shell: Shell,
}

pub(crate) fn run(
    arguments: &Arguments,
    mut command_line: Command,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    // The generator panics where it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command_line, "croupier", &mut script);
    out.write_all(&script)?;
    Ok(Answer::Yes)
}
