//! The laboratory: how fast games are played beside other programs and beside the limit of the machine, and the page of the
//! documentation that says so. `croupier bench` has our own rates; nothing here is in the program.
//!
//! `bench` runs it. `peers` runs other programs and compares, also with what `published` has; `limit` compares the tape of a game
//! with what the processor can do; `sweep` varies lanes and threads. `page` writes all of it, with the pictures of `plot`.
#![forbid(unsafe_code)]

mod bench;
mod limit;
mod page;
mod peers;
mod plot;
mod published;
mod stopwatch;
mod sweep;
mod table;
mod tapes;
mod width;

use std::{
    error::Error,
    fmt::Display,
    io::{self, Write as _},
    path::PathBuf,
};

use clap::{Args, Parser};
use serde::Serialize;

use self::{bench::Bench, peers::Comparisons, sweep::Sweep, tapes::Tapes};

type Outcome<T> = Result<T, Box<dyn Error>>;

/// What is measured if no game is named.
const GAMES: [&str; 8] =
    ["tic-tac-toe", "connect-four", "breakthrough", "reversi", "chess", "kuhn", "leduc", "holdem"];

/// Measure how fast games are played beside other programs and beside the machine's limit
///
/// Our own rates are those of `croupier bench`: CROUPIER names the binary, or cargo builds one. Other programs run in the Python
/// environment that `laboratory/install` makes (CROUPIER_PEERS says where): OpenSpiel runs random rollouts in C++, Pgx batches
/// compiled by JAX. Everything runs on one thread, several times, and the best counts.
#[derive(Parser)]
enum Experiment {
    /// Compare the tape of each game with what vectors do in the first-level cache
    Limit(Shown),
    /// Compare with OpenSpiel, Pgx and published rates
    Peers(Shown),
    /// Measure against lanes and threads
    Sweep(Shown),
    /// Write the page of benchmarks and its plots
    Page {
        #[command(flatten)]
        measured: Measured,
        /// Where benchmarks.md and the plots go
        #[arg(long, value_name = "DIR", default_value = "docs")]
        folder: PathBuf,
    },
}

/// What is measured, and how long.
#[derive(Args)]
struct Measured {
    /// Names from `croupier games`, or paths of rule files
    #[arg(value_name = "GAME", default_values = GAMES)]
    games: Vec<String>,
    /// About how long each rate is measured
    #[arg(long, value_name = "S", default_value_t = 1.0)]
    seconds: f64,
}

/// What is measured, and how it is printed.
#[derive(Args)]
struct Shown {
    #[command(flatten)]
    measured: Measured,
    /// Print JSON instead of Markdown
    #[arg(long)]
    json: bool,
}

impl Shown {
    fn print<T: Display + Serialize>(&self, measure: impl FnOnce(&Measured) -> Outcome<T>) -> Outcome<()> {
        let found = measure(&self.measured)?;
        let mut out = io::stdout();
        Ok(if self.json {
            writeln!(out, "{}", serde_json::to_string(&found)?)
        } else {
            write!(out, "{found}")
        }?)
    }
}

fn main() -> Outcome<()> {
    match Experiment::parse() {
        Experiment::Limit(shown) => shown.print(Tapes::measure),
        Experiment::Peers(shown) => {
            shown.print(|measured| Comparisons::measure(&Bench::run(measured)?, measured.seconds))
        }
        Experiment::Sweep(shown) => shown.print(Sweep::measure),
        Experiment::Page { measured, folder } => page::write(&folder, &measured),
    }
}
