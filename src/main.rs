//! The program `croupier`: the command line, which is a library so that tests can ask for it with all its commands.
#![forbid(unsafe_code)]

use std::process::ExitCode;

fn main() -> ExitCode {
    croupier_command_line::run()
}
