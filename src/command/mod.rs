//! The commands: what each takes, and which of them was asked for.
//!
//! A command imports what commands share, which is above this folder, and no other command.
//!
//! `croupier help COMMAND` prints that command's own help; what `--help` leaves out to fit a screen, and topics such as
//! `croupier help agents`, are in `help.rs`.

mod agent;
mod analyze;
mod bench;
mod belief;
mod check;
mod completions;
mod convert;
mod evaluate;
mod explain;
mod export;
mod games;
mod help;
mod host;
mod join;
mod key;
mod luck;
mod new;
mod play;
mod replay;
mod review;
mod schema;
mod serve;
mod show;
mod simulate;
mod solutions;
mod solve;
mod tournament;

use std::io::Write;

use clap::{ArgMatches, CommandFactory, FromArgMatches, Parser, Subcommand};

use crate::{
    arguments::seating::keep_solutions,
    output::{answer::Answer, failure::Failure},
    sessions::interrupt::Interrupt,
};

/// Play, simulate and solve hidden-information games from their rules.
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
  croupier host holdem
  croupier play holdem --seat alice=belief --matches 20 --record m.jsonl
  croupier replay m.jsonl --verify
  croupier belief m.jsonl --role alice --turn 12

GAME is a name from `croupier games` or the path of a rule file.
Exit status: 0 success, 1 check failed, 2 bad usage or input, 130 interrupted.
`croupier help COMMAND` shows the details of a command, `croupier help agents` those of the players."
)]
pub(crate) struct CommandLine {
    #[command(subcommand)]
    command: Command,
    /// Whether a program reads the answer.
    #[arg(skip)]
    is_json: bool,
}

#[derive(Subcommand)]
enum Command {
    Games(games::Arguments),
    New(new::Arguments),
    Show(show::Arguments),
    Check(check::Arguments),
    Analyze(analyze::Arguments),
    Explain(explain::Arguments),
    Play(play::Arguments),
    Agent(agent::Arguments),
    Host(host::Arguments),
    Serve(serve::Arguments),
    Join(join::Arguments),
    Replay(replay::Arguments),
    Key(key::Arguments),
    Luck(luck::Arguments),
    Tournament(tournament::Arguments),
    Simulate(simulate::Arguments),
    Solve(solve::Arguments),
    Solutions(solutions::Arguments),
    Evaluate(evaluate::Arguments),
    Belief(belief::Arguments),
    Review(review::Arguments),
    Convert(convert::Arguments),
    Bench(bench::Arguments),
    Export(export::Arguments),
    Schema(schema::Arguments),
    Completions(completions::Arguments),
    Help(help::Arguments),
}

impl CommandLine {
    /// What was typed.
    ///
    /// # Errors
    /// What clap says of it, which may be help that was asked for.
    pub(crate) fn read() -> Result<Self, clap::Error> {
        let matches = help::grouped(Self::command()).try_get_matches()?;
        let command_line = Self::from_arg_matches(&matches)?;
        Ok(Self { is_json: has_json(&matches), ..command_line })
    }

    /// Whether JSON was asked for, so that errors are JSON too.
    pub(crate) fn is_json(&self) -> bool {
        self.is_json
    }

    /// Does what was asked for, and keeps what players have learnt by it.
    pub(crate) fn run(self, out: &mut dyn Write) -> Result<Answer, Failure> {
        let answer = self.command.run(out)?;
        keep_solutions();
        Ok(answer)
    }
}

impl Command {
    fn run(self, out: &mut dyn Write) -> Result<Answer, Failure> {
        match self {
            Command::Games(arguments) => games::run(&arguments, out),
            // Its own help is that of a family, where one is named.
            Command::New(arguments) if arguments.asks_for_its_help() => {
                help::run(&help::Arguments::about("new"), help::grouped(CommandLine::command()), out)
            }
            Command::New(arguments) => new::run(&arguments, out),
            Command::Show(arguments) => show::run(&arguments, &Interrupt::listen()?, out),
            Command::Check(arguments) => check::run(&arguments, &Interrupt::listen()?, out),
            Command::Analyze(arguments) => analyze::run(&arguments, &Interrupt::listen()?, out),
            Command::Explain(arguments) => explain::run(&arguments, out),
            Command::Play(arguments) => play::run(&arguments, &Interrupt::listen()?, out),
            Command::Agent(arguments) => agent::run(&arguments, &Interrupt::listen()?, out),
            Command::Host(arguments) => host::run(&arguments, &Interrupt::listen()?, out),
            Command::Serve(arguments) => serve::run(&arguments, &Interrupt::listen()?, out),
            Command::Join(arguments) => join::run(&arguments, &Interrupt::listen()?, out),
            Command::Replay(arguments) => replay::run(&arguments, &Interrupt::listen()?, out),
            Command::Key(arguments) => key::run(&arguments, out),
            Command::Luck(arguments) => luck::run(&arguments, &Interrupt::listen()?, out),
            Command::Tournament(arguments) => tournament::run(&arguments, &Interrupt::listen()?, out),
            Command::Simulate(arguments) => simulate::run(&arguments, &Interrupt::listen()?, out),
            Command::Solutions(arguments) => solutions::run(&arguments, out),
            Command::Solve(arguments) => solve::run(&arguments, &Interrupt::listen()?, out),
            Command::Evaluate(arguments) => evaluate::run(&arguments, &Interrupt::listen()?, out),
            Command::Belief(arguments) => {
                // A belief that is not complete is none: there is nothing to keep.
                Interrupt::listen()?;
                belief::run(&arguments, out)
            }
            Command::Review(arguments) => review::run(&arguments, &Interrupt::listen()?, out),
            Command::Convert(arguments) => convert::run(&arguments, out),
            Command::Bench(arguments) => bench::run(&arguments, &Interrupt::listen()?, out),
            Command::Export(arguments) => export::run(&arguments, &Interrupt::listen()?, out),
            Command::Schema(arguments) => schema::run(&arguments, out),
            Command::Completions(arguments) => completions::run(&arguments, CommandLine::command(), out),
            Command::Help(arguments) => help::run(&arguments, help::grouped(CommandLine::command()), out),
        }
    }
}

/// Whether `--json` stands among the arguments of the command, or of the command below it.
fn has_json(matches: &ArgMatches) -> bool {
    let is_set = matches.try_get_one::<bool>("json").ok().flatten() == Some(&true);
    is_set || matches.subcommand().is_some_and(|(_, below)| has_json(below))
}
