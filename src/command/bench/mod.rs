//! `croupier bench`: how fast games are here, and how fast others are with them.

mod agreement;
mod child;
mod comparison;
mod figures;
mod limit;
mod machine;
#[cfg(not(feature = "network"))]
mod no_server;
mod page;
mod peers;
mod plot;
mod published;
mod report;
#[cfg(feature = "network")]
mod server;
mod stopwatch;
mod sweep;
mod width;

use std::{
    io::Write,
    path::{Path, PathBuf},
};

use clap::Args;
use croupier_games::printable;
use indicatif::ProgressBar;

#[cfg(not(feature = "network"))]
use self::no_server as server;
use self::{
    comparison::Comparisons,
    figures::Figures,
    limit::Limit,
    machine::Machine,
    peers::{Environment, Peer},
    report::Report,
    stopwatch::Pace,
    sweep::Sweep,
};
use crate::{
    answer::Answer, existing::Force, failure::Failure, interrupt::Interrupt, schema::Schema, source::Source,
    threads::spinner,
};

/// What is measured if no game is named.
const GAMES: [&str; 8] =
    ["tic-tac-toe", "connect-four", "breakthrough", "reversi", "chess", "kuhn", "leduc", "holdem"];

/// About how long each rate is measured if nothing else is said.
const SECONDS: f64 = 1.0;

/// Measure how fast games are simulated, here and by others
///
/// Everything runs on one thread, several times: the best is shown, since other work on the machine only slows things
/// down, and the median beside it. What was played is checked: batches and the lifted reasoner must agree on the
/// mean goals, and with what is known.
#[derive(Args)]
#[command(after_help = "\
Columns: build, seconds to build the game for the lifted reasoner; grounding, seconds more for the network; ops, operations of \
the tape for each turn; KiB, the whole tape; gate-lanes/s, operations times games, in playouts and for the tape alone; of limit, the \
latter as a share of what the machine does in its first-level cache; lifted, playouts/s of the lifted reasoner.

Peers are installed from PyPI once, below --peers-dir: half a gigabyte, after a question that --yes answers. For that python3 with \
its module venv is needed (PYTHON names another interpreter). OpenSpiel runs random rollouts in C++, Pgx batches compiled by JAX.

--server starts `croupier serve` in a temporary folder (TMPDIR says where) and plays matches of two players on it, whose replies are due at instants that are fixed in advance. PLAY overhead is the time from the last reply of a turn to the next message, as the players' sockets see it; PLAY delay is measured from when that reply was due, so that a server that stands still is not spared. After the end every record is compared with the moves that were made. Exit status 1 if a turn was lost.

Examples:
  croupier bench tic-tac-toe kuhn
  croupier bench my-game.gdl --seconds 5 --json
  croupier bench --peers
  croupier bench --server --matches 2000 --seconds 600
  croupier bench --server --matches 1000 --kill --json
  croupier bench --server --spectators 5000
  croupier bench --peers --seconds 3 --markdown --svg docs -o docs/benchmarks.md --force")]
pub(crate) struct Arguments {
    /// Names from `croupier games`, or paths of rule files; without any, eight games of the catalogue
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// About how long each rate is measured, or a server is under load [default: 1, or 30 with --server]
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    #[command(flatten)]
    server: server::LoadArguments,
    /// Measure OpenSpiel and Pgx too, and compare
    #[arg(long)]
    peers: bool,
    /// Where the peers are installed [default: croupier/peers in the user's cache]
    #[arg(long, value_name = "DIR", requires = "peers")]
    peers_dir: Option<PathBuf>,
    /// Download the peers without asking: about half a gigabyte
    #[arg(long, requires = "peers")]
    yes: bool,
    /// Measure against lanes, gates and threads as well, and draw that into this folder
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print a page of Markdown
    #[arg(long, conflicts_with = "json")]
    markdown: bool,
    /// Write to this file instead of standard output
    #[arg(long, short, value_name = "FILE", conflicts_with = "server")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

fn seconds(text: &str) -> Result<f64, String> {
    let seconds: f64 = text.parse().map_err(|_| "a number of seconds is wanted".to_owned())?;
    if (0.001..=600.0).contains(&seconds) { Ok(seconds) } else { Err("from 0.001 to 600".to_owned()) }
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if arguments.server.server {
        return server::run(&arguments.server, arguments.seconds, arguments.json, interrupt, out);
    }
    let seconds = arguments.seconds.unwrap_or(SECONDS);
    let names: Vec<&str> = if arguments.games.is_empty() {
        GAMES.to_vec()
    } else {
        arguments.games.iter().map(String::as_str).collect()
    };
    // What cannot be found is said before anything takes long.
    let sources: Vec<Source> = names.into_iter().map(Source::find).collect::<Result<_, _>>()?;
    let folder = arguments.peers_dir.clone().unwrap_or_else(peers::default_folder);
    // Asked before anything takes long, and before anything is downloaded.
    let may_install = !arguments.peers || arguments.yes || peers::may_install(&folder)?;
    if let Some(path) = &arguments.output {
        arguments.force.existing().check(path)?;
    }
    let bar = spinner("the machine");
    let pace = Pace { seconds, interrupt: interrupt.clone() };
    let (figures, limit) = measure(&sources, &pace, &bar)?;
    let comparing = Comparing { folder: &folder, may_install, pace: &pace, bar: &bar };
    let comparisons = if arguments.peers { Some(comparing.run(&figures)?) } else { None };
    let mut report = Report {
        machine: Machine::new(&limit),
        seconds,
        figures,
        comparisons,
        is_interrupted: interrupt.is_raised(),
    };
    if let Some(folder) = &arguments.svg {
        bar.set_message("lanes and threads");
        match Sweep::measure(&report.figures, &pace) {
            Err(Failure::Interrupted) => report.is_interrupted = true,
            sweep => plot::draw(folder, &report, &sweep?)?,
        }
    }
    bar.finish_and_clear();
    match &arguments.output {
        None => print(arguments, &report, out)?,
        Some(path) => {
            let mut text = Vec::new();
            print(arguments, &report, &mut text)?;
            arguments.force.existing().write(path, &text)?;
        }
    }
    if report.is_interrupted {
        let (measured, all) = (report.figures.len(), sources.len());
        // Nobody is left to be told if standard error is closed.
        let _ = writeln!(anstream::stderr(), "interrupted: {measured} of {all} games were measured");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}

/// Measures the games, as far as no signal comes, and what the machine can do at most.
fn measure(sources: &[Source], pace: &Pace, bar: &ProgressBar) -> Result<(Vec<Figures>, Limit), Failure> {
    let mut limit = Limit::measure(pace)?;
    let mut figures = Vec::new();
    for source in sources {
        bar.set_message(source.name.clone());
        // Once more now and then: the first time may have been a busy one.
        let measured =
            Figures::measure(source, pace).and_then(|game| Ok((game, Limit::measure(&pace.part(0.25))?)));
        match measured {
            // A game that was not measured to the end has no figures; those before it have.
            Err(Failure::Interrupted) => break,
            measured => {
                let (game, again) = measured.map_err(|failure| failure.at(&source.origin))?;
                figures.push(game);
                limit = limit.max(again);
            }
        }
        pace.interrupt.hold();
    }
    Ok((figures, limit))
}

/// Prints what was measured in the form that was asked for.
fn print(arguments: &Arguments, report: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    if arguments.json {
        Schema::Bench.write(out, report.as_json())?;
        Ok(())
    } else if arguments.markdown {
        page::write(out, report, arguments.svg.is_some())
    } else {
        report.write(out)
    }
}

/// How the peers are run.
struct Comparing<'c> {
    folder: &'c Path,
    /// Whether those that are not there may be downloaded.
    may_install: bool,
    pace: &'c Pace,
    bar: &'c ProgressBar,
}

impl Comparing<'_> {
    /// Runs the peers; one that is not available is noted in the report, and the others run all the same. A signal ends whatever
    /// runs, and what was measured before is kept.
    fn run(&self, figures: &[Figures]) -> Result<Comparisons, Failure> {
        let mut comparisons = Comparisons::default();
        for peer in Peer::ALL {
            if self.pace.interrupt.is_raised() {
                break;
            }
            match self.environment(peer) {
                Ok(Some(environment)) => {
                    let progress = |game: &str| self.bar.set_message(format!("{peer}: {game}"));
                    match comparisons.run(peer, &environment, figures, self.pace, progress) {
                        Err(Failure::Interrupted) => break,
                        compared => compared?,
                    }
                }
                Ok(None) => comparisons.miss(peer, None, "not installed".to_owned()),
                Err(Failure::Interrupted) => break,
                Err(failure) => {
                    comparisons.miss(peer, None, "not installed".to_owned());
                    // Said at once, with its advice; the exit status is that of the rest.
                    self.bar.suspend(|| failure.report());
                }
            }
        }
        comparisons.add_published(figures);
        Ok(comparisons)
    }

    /// The packages of a peer; `None` if they are not there and may not be downloaded.
    fn environment(&self, peer: Peer) -> Result<Option<Environment>, Failure> {
        if let Some(found) = Environment::find(peer, self.folder) {
            return Ok(Some(found));
        }
        if !self.may_install {
            return Ok(None);
        }
        let hear = |line: &str| self.bar.set_message(format!("{peer}: {}", printable(line)));
        Environment::install(peer, self.folder, &self.pace.interrupt, &hear).map(Some)
    }
}
