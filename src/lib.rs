//! The command line of Croupier: decode arguments, call, print.
#![forbid(unsafe_code)]
#![cfg_attr(
    not(feature = "network"),
    expect(dead_code, reason = "some of what commands share is for those of the network alone")
)]

mod answer;
mod failure;
#[cfg(not(feature = "network"))]
mod absent;
mod bytes;
mod clock;
mod entropy;
mod interrupt;
#[cfg(feature = "network")]
mod log;
mod file;
mod foreign;
mod existing;
mod key_file;
mod token_file;
mod lines;
mod render;
mod facts;
mod source;
mod columns;
mod count;
mod summary;
mod threads;
mod effort;
mod unfolded;
mod measurement;
mod engine;
mod records;
mod record_file;
mod conduct;
mod coverage;
mod kept;
mod approach;
mod fault;
mod relations;
mod signs;
mod story;
mod telling;
mod terminal;
mod belief;
mod seat;
mod seating;
mod series;
mod realtime;
mod sarif;
mod schema;
mod command;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use answer::Answer;
use command::CommandLine;
use failure::{Failure, INTERRUPTED};

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
