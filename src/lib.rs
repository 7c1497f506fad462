//! The command line of Croupier: decode arguments, call, print.
//!
//! `command` has a file or a folder for each command: its arguments, what it does with them, and what it prints. [`run`]
//! turns its result into an exit status. `main.rs` has one line: because the commands are a library, the tests of this package can
//! ask for its feature `cluster`, without which `bench --server` and PostgreSQL are not built.
//!
//! What commands share is in four rooms, each of which uses only those before it: `output`, what is printed; `arguments`, what is
//! given; `sessions`, matches and people; `measurement`, which asks a player for its move in every information set, for `evaluate`
//! and for `solve --evaluate`. None of them depends on a command, and no command imports another; `tests/tidy` checks that.
#![forbid(unsafe_code)]

mod output;
mod arguments;
mod sessions;
mod measurement;
mod command;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use command::CommandLine;
use output::{
    answer::Answer,
    failure::{self, Failure, INTERRUPTED},
};

/// Reads the arguments of this process, does what they ask for, and says how that ended.
#[must_use]
pub fn run() -> ExitCode {
    let command_line = match CommandLine::read() {
        Ok(command_line) => command_line,
        // What was typed cannot be read, but whether a program reads the answer can be seen all the same.
        Err(error) => return failure::report_usage(&error, std::env::args_os().any(|word| word == "--json")),
    };
    let is_json = command_line.is_json();
    // Not locked: a person is asked on another thread where somebody else is timed.
    let mut out = anstream::stdout();
    let result = command_line.run(&mut out).and_then(|answer| {
        out.flush()?;
        Ok(answer)
    });
    match result {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Interrupted) => ExitCode::from(INTERRUPTED),
        // Whoever reads the output has seen enough: `croupier games | head -1` is no failure.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => failure.report_as(is_json),
    }
}
