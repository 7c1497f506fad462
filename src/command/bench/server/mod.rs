//! `croupier bench --server`: a server under load, and what it lost.
//!
//! The server runs in a process of its own (`process.rs`), its players reply at instants fixed in advance (`schedule.rs`),
//! and its records are compared with the moves that were made (`requests.rs`).

mod course;
mod disk;
mod latency;
mod schedule;
mod players;
mod process;
mod report;
mod requests;
mod rules;
mod run;
mod spectators;

use std::{io::Write, time::Duration};

use clap::Args;

use self::run::Load;
use crate::{
    arguments::count::count,
    output::{answer::Answer, failure::Failure, schema::Output},
    sessions::interrupt::Interrupt,
};

/// Seconds of load if nothing else is said.
const SECONDS: f64 = 30.0;

/// Files that the process keeps open beside its connections.
const OTHER_FILES: u64 = 200;

/// The load, and what happens meanwhile.
#[derive(Args, Debug)]
pub(super) struct LoadArguments {
    /// Measure a server under load instead of games
    #[arg(long, conflicts_with = "games")]
    pub(super) server: bool,
    /// Matches of two players that run at the same time [default: 200]
    #[arg(long, value_name = "N", requires = "server", value_parser = count::<u32>(1..=100_000))]
    matches: Option<u32>,
    /// Turns that each match plays a second, from 0.01 to 100 [default: 1]
    #[arg(long, value_name = "TURNS", requires = "server", value_parser = rate)]
    rate: Option<f64>,
    /// Spectators that watch the first match in the second half of the time
    #[arg(long, value_name = "K", requires = "server", conflicts_with = "kill", value_parser = count::<u32>(1..=100_000))]
    spectators: Option<u32>,
    /// Kill the server (SIGKILL) at half the time, and start it again
    #[arg(long, requires = "server")]
    kill: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate: f64 = text.parse().map_err(|_| "a number of turns a second is wanted".to_owned())?;
    if (0.01..=100.0).contains(&rate) { Ok(rate) } else { Err("from 0.01 to 100".to_owned()) }
}

/// Measures, and prints a table or JSON; the answer is no if anything was lost.
pub(super) fn run(
    arguments: &LoadArguments,
    seconds: Option<f64>,
    is_json: bool,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let load = arguments.load(seconds.unwrap_or(SECONDS))?;
    // From here on a signal ends the server too, and removes its folder.
    interrupt.hold();
    let report = load.run(interrupt)?;
    if is_json {
        report.write_json(out)?;
    } else {
        report.write(out)?;
    }
    Ok(if report.is_sound() { Answer::Yes } else { Answer::No })
}

impl LoadArguments {
    fn load(&self, seconds: f64) -> Result<Load, Failure> {
        let rate = self.rate.unwrap_or(1.0);
        let turns = (seconds * rate).round().max(1.0);
        if turns > f64::from(rules::TURNS_MAX) {
            let message = format!("matches of {turns} turns are too long: at most {}", rules::TURNS_MAX);
            return Err(Failure::refuse("bad-load", message).help("fewer --seconds, or a lower --rate"));
        }
        let load = Load {
            matches: self.matches.unwrap_or(200),
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 1 to 9,999")]
            turns: turns as u32,
            period: Duration::from_secs_f64(1.0 / rate),
            spectators: self.spectators.unwrap_or(0),
            kill: self.kill,
        };
        load.raise_open_files()?;
        Ok(load)
    }
}

impl Load {
    /// Lets this process, and the server that it starts, have a file for each connection.
    fn raise_open_files(&self) -> Result<(), Failure> {
        let wanted = u64::from(self.matches) * 2 + u64::from(self.spectators) + OTHER_FILES;
        // A system that knows no such limit sets none.
        let had = rlimit::increase_nofile_limit(u64::MAX).unwrap_or(u64::MAX);
        if had >= wanted {
            return Ok(());
        }
        let message = format!("{wanted} open files are needed, and this process may have {had}");
        Err(Failure::refuse("open-files", message)
            .help("raise the hard limit (ulimit -Hn), or take fewer --matches and --spectators"))
    }
}
