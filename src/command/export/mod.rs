//! `croupier export`: a game in the formats of other programs.

mod clingo;
mod dot;
mod efg;
mod grounding;

use std::{
    io::{self, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use croupier_engine::stages::propnet::Network;
use croupier_solvers::Policy;

use self::grounding::Grounding;
use crate::{
    arguments::{existing::Force, file::WholeFile, source::Source, threads::Threads},
    measurement::unfolded::{TreeArguments, Unfolded},
    output::{answer::Answer, failure::Failure},
    sessions::interrupt::Interrupt,
};

/// Write a game for other programs
///
/// For clingo and dot the rules are grounded first: every rule is written once for each way in which it can ever matter.
/// Games that are too large for that are refused, as by `--engine propnet`.
///
/// For efg and policy every history is enumerated first, and games with too many are refused.
#[derive(Args)]
#[command(after_help = "\
clingo is an answer-set program: add the facts of a state and of a joint move, and its one stable model has what
is legal, what comes next, what each role sees, and what the state is worth; its first lines say more
dot is a drawing of the network of gates, for graphviz
efg is the whole tree for Gambit and OpenSpiel (efg_game): chance as fractions, information sets numbered for each
player and named as in policies, moves labelled ROLE:MOVE, payoffs in the unit of the literature, exactly
policy is a table of what to play in each information set, every move as likely, to start one's own from

Examples:
  croupier export tic-tac-toe --format clingo -o ttt.lp
  croupier export kuhn --format dot | dot -Tsvg > kuhn.svg
  croupier export leduc --format efg -o leduc.efg
  croupier export kuhn --format policy -o kuhn.json")]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: ExportFormat,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    tree: TreeArguments,
    #[command(flatten)]
    threads: Threads,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum ExportFormat {
    /// The network of gates, for graphviz
    Dot,
    /// The ground rules, for answer-set solvers
    Clingo,
    /// The tree in extensive form, for Gambit and OpenSpiel
    Efg,
    /// Uniform play, as a table that players read
    Policy,
}

/// A game as it is written.
enum Written {
    Drawing(Box<Grounding>, Network),
    Clingo(Box<Grounding>),
    Tree(Box<Unfolded>, efg::ExactPayoff),
    Policy(String),
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if let Some(path) = &arguments.output {
        arguments.force.existing().check(path)?;
    }
    let written = Written::of(arguments)?;
    // A file that is not whole is taken away again, which the first signal leaves time for.
    interrupt.hold();
    let result = match &arguments.output {
        None => written.write(&mut Interruptible { out, interrupt }).map_err(Failure::from),
        Some(path) => {
            let write = || {
                let mut file = WholeFile::create(path)?;
                written.write(&mut Interruptible { out: &mut file, interrupt })?;
                file.finish()
            };
            write().map_err(|error| Failure::file("unwritable-file", path, &error))
        }
    };
    match result {
        Err(_) if interrupt.is_raised() => Err(Failure::Interrupted),
        result => result.map(|()| Answer::Yes),
    }
}

/// Where something is written until a signal comes.
struct Interruptible<'w> {
    out: &'w mut dyn Write,
    interrupt: &'w Interrupt,
}

impl Write for Interruptible<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.interrupt.is_raised() { Err(io::Error::other("interrupted")) } else { self.out.write(bytes) }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Written {
    fn of(arguments: &Arguments) -> Result<Self, Failure> {
        let grounding = || Grounding::of(&Source::find(&arguments.game)?).map(Box::new);
        let unfolded = || Unfolded::new(&arguments.game, &arguments.tree, &arguments.threads.pool()?);
        Ok(match arguments.format {
            ExportFormat::Clingo => Self::Clingo(grounding()?),
            ExportFormat::Dot => {
                let grounding = grounding()?;
                let network = Network::of(&grounding.program);
                Self::Drawing(grounding, network)
            }
            ExportFormat::Efg => {
                let unfolded = unfolded()?;
                let payoff = efg::ExactPayoff::new(unfolded.payoff())?;
                Self::Tree(Box::new(unfolded), payoff)
            }
            ExportFormat::Policy => {
                let unfolded = unfolded()?;
                Self::Policy(unfolded.table(&Policy::uniform(&unfolded.form))?.to_json())
            }
        })
    }

    fn write(&self, out: &mut dyn Write) -> std::io::Result<()> {
        match self {
            Self::Clingo(grounding) => clingo::write(grounding, out),
            Self::Drawing(grounding, network) => dot::write(grounding, network, out),
            Self::Tree(unfolded, payoff) => efg::write(unfolded, payoff, out),
            Self::Policy(table) => out.write_all(table.as_bytes()),
        }
    }
}
