//! The command line of Croupier: decode arguments, call, print.
//!
//! `command` has a file or a folder for each command: its arguments, what it does with them, and what it prints. [`run`]
//! turns its result into an exit status. Code that commands share is in this folder and does not depend on any command,
//! and no command imports another; `tests/tidy` checks both. `main.rs` has one line: because the commands are a library,
//! the tests of this package can ask for its feature `network`, without which `serve`, `join`, `agent` and
//! `bench --server` are not built and `absent.rs` says how to get them.
//!
//! - *Arguments.* `source.rs` and `records` parse the arguments GAME and RECORD; `seating.rs` parses `--seat ROLE=AGENT`;
//!   `count.rs` reads every count. `foreign.rs` names files that are neither rules nor records; `existing.rs` decides for
//!   every command what happens to a file that exists.
//! - *Matches.* `seat` holds every kind of player that can sit in a role, with its clock, and `series` plays the matches
//!   of one call. `interrupt.rs` handles signals and passes them down as a value or a closure.
//! - *People.* `terminal` is what a person sits at: lines wrapped by words, an edited line, and a keyboard that is given
//!   up at a deadline. `seat/choices.rs` maps what was typed to a legal move, in turns and in real time. `story.rs`,
//!   `telling.rs`, `signs.rs`, `summary` and `columns.rs` describe what happened, in the words, values and columns that
//!   `croupier-games` reads from `game.toml`, and with the tables that `croupier-table` makes of them. `failure.rs`
//!   explains why a command failed.
//! - *Rules and strategies.* `facts` compares a `game.toml` with the rules, for `check`. `unfolded.rs` builds trees for
//!   `solve` and for the exports that need one. `measurement` asks a player for its move in every information set, for
//!   `evaluate` and for `solve --evaluate`; `measurement/figures.rs` reports the results, also those of a walk.
//! - *Data.* `schema.rs` names every kind of JSON that is printed and writes its version.
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
mod role;
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
