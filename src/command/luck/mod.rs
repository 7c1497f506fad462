//! `croupier luck`: what players win, and what they would win without the luck of the deal.

mod finished;
mod report;

use std::{io::Write, path::PathBuf};

use clap::Args;
use croupier_players::LuckError;
use croupier_referee::{Record, Replay};
use indicatif::ProgressBar;
use rayon::prelude::*;

use self::{
    finished::{Meter, ending},
    report::LuckTally,
};
use crate::{
    arguments::{
        records::{Chosen, Networks, RecordWords, Records},
        threads::{Threads, progress},
    },
    output::{answer::Answer, failure::Failure, schema::Output},
    sessions::interrupt::Interrupt,
};

/// Matches that are replayed before their luck is measured on all threads.
const BLOCK: usize = 64;

/// Estimate what players win with the luck of the deal taken out
///
/// Reads records of one game, as `play --record` and `tournament --record` write them, and replays them. For each player, by
/// its name in the records, it prints the mean goal, and the mean without luck: playouts before and after every move of chance say
/// how much better or worse a player stands for it, and as far as goals follow that, it is taken off (a control variate). Both
/// are estimates of the same number; the interval of the second is narrower, as if more matches had been played.
///
/// Matches that have one seed, as those of `tournament --duplicate`, or of `play` with other seats and the same --seed, have
/// the same deal and are one observation.
#[derive(Args)]
#[command(after_help = "\
Examples:
  croupier play holdem --seat alice=resolve --seat bob=call -n 500 --seed 1 --record a.jsonl
  croupier play holdem --seat alice=call --seat bob=resolve -n 500 --seed 1 --record b.jsonl
  croupier luck a.jsonl b.jsonl")]
pub(crate) struct Arguments {
    /// Files of records, all of one game
    #[arg(value_name = "RECORD", required = true)]
    records: Vec<PathBuf>,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let pool = arguments.threads.pool()?;
    let files = arguments.records.iter().map(|path| Records::read(path)).collect::<Result<Vec<_>, _>>()?;
    let chosen = files.iter().map(|file| file.chosen(None)).collect::<Result<Vec<_>, _>>()?;
    let first = check_rules(&chosen)?;
    let matches: usize = chosen.iter().map(|file| file.iter().len()).sum();
    let bar = progress(matches as u64, "matches");
    let words = RecordWords::new(&arguments.records[0], None)?;
    let mut tally = LuckTally::new(words.facts(first));
    for file in &chosen {
        pool.install(|| measure(*file, interrupt, &bar, &mut tally))?;
    }
    bar.finish_and_clear();
    let report = tally.report();
    if arguments.json {
        report.write_json(out)?;
    } else {
        report.write(out)?;
    }
    Ok(Answer::Yes)
}

/// The first record, if all have the same rules.
fn check_rules<'r>(chosen: &[Chosen<'r>]) -> Result<&'r Record, Failure> {
    let mut records =
        chosen.iter().flat_map(|&file| file.iter().map(move |(number, record)| (file, number, record)));
    let (_, _, first) = records.next().expect("a file of records has one");
    match records.find(|(_, _, record)| record.genesis().setup.rules != first.genesis().setup.rules) {
        Some((file, number, _)) => {
            let message = format!("match {number} is of another game than the first one");
            Err(Failure::refuse("other-game", message)
                .at(file.path())
                .help("give the records of each game to a call of its own"))
        }
        None => Ok(first),
    }
}

/// Takes in all matches of a file.
fn measure(
    file: Chosen<'_>,
    interrupt: &Interrupt,
    bar: &ProgressBar,
    tally: &mut LuckTally,
) -> Result<(), Failure> {
    let mut networks = Networks::default();
    let mut replays = file.replays();
    loop {
        let replayed = replays.by_ref().take(BLOCK).map(|(number, _, replayed)| {
            replayed.map(|replayed| (number, replayed)).map_err(|error| file.differs(number, &error))
        });
        let block = replayed.collect::<Result<Vec<(usize, Replay)>, Failure>>()?;
        let Some((_, first)) = block.first() else { return Ok(()) };
        let game = networks.of(first.header())?;
        let one = |meter: &mut Result<Meter<'_>, LuckError>, (number, replayed): (usize, Replay)| {
            if interrupt.is_raised() {
                return Err(Failure::Interrupted);
            }
            bar.inc(1);
            let Some((seed, goals)) = ending(&replayed) else { return Ok(None) };
            let meter = meter.as_mut().map_err(|error| unknown(error, number))?;
            meter.finished(&replayed, seed, goals).map(Some).map_err(|error| unknown(&error, number))
        };
        let block = block.into_par_iter().map_init(|| Meter::new(&game), one);
        let block = block.collect::<Result<Vec<_>, Failure>>()?;
        block.into_iter().for_each(|finished| tally.take(finished));
    }
}

fn unknown(error: &LuckError, number: usize) -> Failure {
    Failure::refuse("luck-unknown", error.to_string())
        .at(&format!("match {number}"))
        .help("the means without it are those that `play` and `tournament` print")
}
