//! The command line of Croupier: decode arguments, call, print.
#![forbid(unsafe_code)]

mod alike;

mod clock;

mod interrupt;

mod failure;

mod file;

mod lines;

mod render;

mod source;

mod summary;

mod threads;

mod unfolded;

mod tournament;

mod engine;

mod outlook;

mod records;

mod record_file;

mod conduct;

mod dialects;

mod fault;

mod house_rules;

mod table;

mod story;

mod belief;

mod seat;

mod human;

mod seating;

mod series;

mod sarif;

mod agent;

mod bench;

mod check;

mod completions;

mod convert;

mod explain;

mod export;

mod games;

mod new;

mod play;

mod replay;

mod show;

mod simulate;

mod solve;

use std::{
    io::{self, Write},
    process::ExitCode,
};

use clap::{Parser, Subcommand};

use failure::Failure;
use interrupt::{INTERRUPTED, Interrupt};

/// Runs games of imperfect information from their rules alone.
///
/// Rules are text in GDL-II. Croupier deals, tells every player exactly what the rules let it see, seats
/// agents that keep a belief about what they cannot see, and keeps a record that replays bit for bit.
#[derive(Parser)]
#[command(
    name = "croupier",
    version,
    arg_required_else_help = true,
    disable_help_subcommand = true,
    after_help = "\
Examples:
  croupier games
  croupier play kuhn --seat alice=human
  croupier play holdem --seat alice=belief --seat bob=random --seed 7 --matches 20 --record m.jsonl
  croupier replay m.jsonl --verify
  croupier belief m.jsonl --role alice --turn 12

GAME is a name from `croupier games` or the path of a rule file.
Exit status: 0, or 1 if the answer is no, or 2 for bad usage or input, or 130 if it was interrupted.
`croupier COMMAND --help` says more."
)]
struct CommandLine {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Arguments),
    New(new::Arguments),
    Show(show::Arguments),
    Check(check::Arguments),
    Explain(explain::Arguments),
    Play(play::Arguments),
    Agent(agent::Arguments),
    Replay(replay::Arguments),
    Tournament(tournament::Arguments),
    Simulate(simulate::Arguments),
    Solve(solve::Arguments),
    Belief(belief::Arguments),
    Convert(convert::Arguments),
    Bench(bench::Arguments),
    Export(export::Arguments),
    Completions(completions::Arguments),
}

/// What a command found out, for the exit status.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Yes,
    No,
    /// A signal came before everything was found out.
    Interrupted,
}

fn main() -> ExitCode {
    let command_line = match CommandLine::try_parse() {
        Ok(command_line) => command_line,
        Err(error) => return failure::report_usage(&error),
    };
    // Not locked: a person is asked on another thread where somebody else is timed.
    let mut out = anstream::stdout();
    let result = run(command_line.command, &mut out).and_then(|answer| {
        out.flush()?;
        Ok(answer)
    });
    match result {
        Ok(Answer::Yes) => ExitCode::SUCCESS,
        Ok(Answer::No) => ExitCode::from(1),
        Ok(Answer::Interrupted) => ExitCode::from(INTERRUPTED),
        // Whoever reads the output has seen enough: `croupier games | head -1` is no failure.
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn run(command: Command, out: &mut dyn Write) -> Result<Answer, Failure> {
    match command {
        Command::Games(arguments) => games::run(&arguments, out),
        Command::New(arguments) => new::run(&arguments, out),
        Command::Show(arguments) => show::run(&arguments, &Interrupt::listen()?, out),
        Command::Check(arguments) => check::run(&arguments, &Interrupt::listen()?, out),
        Command::Explain(arguments) => explain::run(&arguments, out),
        Command::Play(arguments) => play::run(&arguments, &Interrupt::listen()?, out),
        Command::Agent(arguments) => agent::run(&arguments, &Interrupt::listen()?, out),
        Command::Replay(arguments) => replay::run(&arguments, &Interrupt::listen()?, out),
        Command::Tournament(arguments) => tournament::run(&arguments, &Interrupt::listen()?, out),
        Command::Simulate(arguments) => simulate::run(&arguments, &Interrupt::listen()?, out),
        Command::Solve(arguments) => solve::run(&arguments, &Interrupt::listen()?, out),
        Command::Belief(arguments) => {
            // A belief that is not complete is none: there is nothing to keep.
            Interrupt::listen()?;
            belief::run(&arguments, out)
        }
        Command::Convert(arguments) => convert::run(&arguments, out),
        Command::Bench(arguments) => bench::run(&arguments, &Interrupt::listen()?, out),
        Command::Export(arguments) => export::run(&arguments, &Interrupt::listen()?, out),
        Command::Completions(arguments) => completions::run(&arguments, out),
    }
}
