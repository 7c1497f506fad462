//! `croupier export`: a game in the formats of other programs.

mod clingo;

mod dot;

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::PathBuf,
};

use clap::{Args, ValueEnum};
use croupier_engine::{
    CompileError, GameError, Limits, Strictness,
    check::check_text,
    datalog::Reasoner,
    ground::{AtomNames, GroundProgram, ground_named},
    propnet::Network,
};

use crate::{Answer, failure::Failure, source::Source};

/// Write a game without variables, for other programs
///
/// The rules are grounded first: every rule is written once for each way in which it can ever matter. Games
/// that are too large for that are refused, as by `--engine propnet`.
#[derive(Args)]
#[command(after_help = "\
clingo is an answer-set program: add the facts of a state and of a joint move, and its one stable model has what
is legal, what comes next, what each role sees, and what the state is worth; its first lines say more
dot is a drawing of the network of gates, for graphviz

Examples:
  croupier export tic-tac-toe --format clingo --output ttt.lp
  croupier export kuhn --format dot | dot -Tsvg > kuhn.svg")]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// What to write
    #[arg(long, value_enum, value_name = "FORMAT")]
    format: Format,
    /// Write to this file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// What is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    /// The network of gates, for graphviz
    Dot,
    /// The ground rules, for answer-set solvers
    Clingo,
}

/// A game without variables, and the words for it.
struct Grounding {
    name: String,
    reasoner: Reasoner,
    program: GroundProgram,
    names: AtomNames,
    has_full_sight: bool,
}

pub(crate) fn run(arguments: &Arguments, out: &mut dyn Write) -> Result<Answer, Failure> {
    let grounding = Grounding::of(&Source::find(&arguments.game)?)?;
    let Some(path) = &arguments.output else {
        grounding.write(arguments.format, out)?;
        return Ok(Answer::Yes);
    };
    let unwritable = |error| Failure::file("unwritable-file", path, &error);
    let mut file = BufWriter::new(File::create(path).map_err(unwritable)?);
    grounding.write(arguments.format, &mut file).and_then(|()| file.flush()).map_err(unwritable)?;
    Ok(Answer::Yes)
}

impl Grounding {
    fn of(source: &Source) -> Result<Self, Failure> {
        let limits = Limits::STANDARD;
        let (rules, found) = check_text(&source.rules, Strictness::Compatible, &limits);
        let rules = rules.ok_or_else(|| source.refusal(&CompileError::Rules(found)))?;
        let fails = |error: GameError| source.refusal(&CompileError::Evaluation(error));
        let reasoner = Reasoner::new(&rules, &limits).map_err(|error| fails(error.into()))?;
        let (program, names) = ground_named(&rules, reasoner.roles(), reasoner.vocabulary(), &limits)
            .map_err(|error| fails(error.into()))?;
        Ok(Self {
            name: source.name.clone(),
            reasoner,
            program,
            names,
            has_full_sight: rules.has_full_sight(),
        })
    }

    fn write(&self, format: Format, out: &mut dyn Write) -> std::io::Result<()> {
        match format {
            Format::Clingo => clingo::write(self, out),
            Format::Dot => dot::write(self, &Network::of(&self.program), out),
        }
    }

    /// The names of the roles.
    fn roles(&self) -> Vec<String> {
        let vocabulary = self.reasoner.vocabulary();
        self.reasoner.roles().iter().map(|&role| vocabulary.print(role)).collect()
    }
}
