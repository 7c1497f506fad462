//! `croupier bench`: how fast games are simulated, and with `--server` how a server bears a load.

mod agreement;
mod figures;
#[cfg(not(feature = "cluster"))]
mod no_server;
mod report;
#[cfg(feature = "cluster")]
mod server;
mod stopwatch;

use std::{io::Write, path::PathBuf};

use clap::Args;

#[cfg(not(feature = "cluster"))]
use self::no_server as server;
use self::{figures::GameFigures, report::BenchReport, stopwatch::Pace};
use crate::{
    arguments::{existing::Force, source::Source, threads::spinner},
    output::{answer::Answer, failure::Failure, schema::Output},
    sessions::interrupt::Interrupt,
};

/// What is measured if no game is named.
const GAMES: [&str; 8] =
    ["tic-tac-toe", "connect-four", "breakthrough", "reversi", "chess", "kuhn", "leduc", "holdem"];

/// About how long each rate is measured if nothing else is said.
const SECONDS: f64 = 1.0;

/// Measure how fast games are simulated, or a server under load
///
/// Everything runs on one thread, several times: the best is shown, since other work on the machine only slows things
/// down, and the median beside it. What was played is checked: batches and the lifted reasoner must agree on the
/// mean goals.
#[derive(Args)]
#[command(after_help = "\
Columns: build, seconds to build the game for the lifted reasoner; grounding, seconds more for the network; ops, operations of \
the tape for each turn; KiB, the whole tape; gate-lanes/s, operations times games; lifted, playouts/s of the lifted reasoner. In a clone of the repository, `cargo laboratory` \
compares with other programs and with the limit of the machine.

--server starts `croupier serve` in a temporary folder (TMPDIR says where) and plays matches of two players on it, whose replies are due at instants that are fixed in advance. PLAY overhead is the time from the last reply of a turn to the next message, as the players' sockets see it; PLAY delay is measured from when that reply was due, so that a server that stands still is not spared. After the end every record is compared with the moves that were made. Exit status 1 if a turn was lost.

Examples:
  croupier bench tic-tac-toe kuhn
  croupier bench my-game.gdl --seconds 5 --json
  croupier bench --server --matches 2000 --seconds 600
  croupier bench --server --matches 1000 --kill --json
  croupier bench --server --spectators 5000")]
pub(crate) struct Arguments {
    /// Names from `croupier games`, or paths of rule files; without any, eight games of the catalogue
    #[arg(value_name = "GAME")]
    games: Vec<String>,
    /// About how long each rate is measured, or a server is under load [default: 1, or 30 with --server]
    #[arg(long, value_name = "S", value_parser = seconds)]
    seconds: Option<f64>,
    #[command(flatten)]
    server: server::LoadArguments,
    /// Print JSON
    #[arg(long)]
    json: bool,
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
    let named = arguments.games.iter().map(String::as_str);
    let names: Vec<&str> = if arguments.games.is_empty() { GAMES.to_vec() } else { named.collect() };
    // What cannot be found is said before anything takes long.
    let sources: Vec<Source> = names.into_iter().map(Source::find).collect::<Result<_, _>>()?;
    if let Some(path) = &arguments.output {
        arguments.force.existing().check(path)?;
    }
    let pace = Pace { seconds: arguments.seconds.unwrap_or(SECONDS), interrupt: interrupt.clone() };
    let games = measure(&sources, &pace)?;
    let report = BenchReport::new(pace.seconds, interrupt.is_raised(), games);
    let mut text = Vec::new();
    if arguments.json {
        report.write_json(&mut text)?;
    } else {
        report.write(&mut text)?;
    }
    match &arguments.output {
        None => out.write_all(&text)?,
        Some(path) => arguments.force.existing().write(path, &text)?,
    }
    if report.interrupted {
        let (measured, all) = (report.games.len(), sources.len());
        // Nobody is left to be told if standard error is closed.
        let _ = writeln!(anstream::stderr(), "interrupted: {measured} of {all} games were measured");
        return Ok(Answer::Interrupted);
    }
    Ok(Answer::Yes)
}

/// Measures the games, as far as no signal comes.
fn measure(sources: &[Source], pace: &Pace) -> Result<Vec<GameFigures>, Failure> {
    let bar = spinner("");
    let mut games = Vec::new();
    for source in sources {
        bar.set_message(source.name.clone());
        match GameFigures::measure(source, pace) {
            // A game that was not measured to the end has no figures; those before it have.
            Err(Failure::Interrupted) => break,
            measured => games.push(measured.map_err(|failure| failure.at(&source.origin))?),
        }
        pace.interrupt.hold();
    }
    bar.finish_and_clear();
    Ok(games)
}
