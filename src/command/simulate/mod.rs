//! `croupier simulate`: many random playouts, their rate and what they were worth.

mod batch;
mod failures;
mod real_time;
mod retold;
mod trace;
mod work;

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    sync::Arc,
    time::Duration,
};

use clap::Args;
use croupier_engine::Game;
use croupier_referee::Seed;
use serde::Serialize;

use self::{
    batch::Batch,
    failures::KindReport,
    work::{Simulated, Work},
};
use crate::{
    answer::Answer,
    clock,
    columns::readable,
    count::count,
    engine::{self, Engine},
    entropy,
    existing::Force,
    failure::Failure,
    interrupt::Interrupt,
    schema::{Output, output},
    source::Source,
    summary::{self, Results},
    threads::{Threads, progress},
};

/// Simulate many random matches: speed, and mean goals
///
/// Every role chooses uniformly among its legal moves. What comes out depends on the seed, the engine and the
/// number of playouts, and not on the threads. With a trace games are played one at a time, and are other games than
/// without: a traced playout depends on the seed and its number alone.
///
/// A playout fails where the rules give a role no goal or no legal move, or a limit is reached. Goals are those of the
/// completed playouts; rates and turns are those of all, and the time includes finding out what failed. Once eight playouts, and a quarter of all, have reached a limit,
/// no more are played.
#[derive(Args)]
#[command(after_help = "\
The trace has a line for each turn of each playout, a JSON object with terms in prefix syntax and canonical \
order: playout, step, state, terminal, legal, goal and, except in the last line of a playout, joint (the move \
of each role) and sees (the percepts of each player). A game without `sees` in its rules has full sight: each player sees \
(did ROLE MOVE) of every role, and the key sees is left out. Where a playout fails, its last line is that of the state in \
which it does, with what is wrong as error and without joint and sees.

Exit status: 0 if every playout was completed, 1 if some failed, 2 if there is nothing to play, 130 after a signal.

Examples:
  croupier simulate leduc
  croupier simulate leduc --playouts 1000 --seed 1 --trace t.jsonl
  croupier simulate chicken --playouts 1000000
  croupier simulate my-game.gdl --playouts 100000 --threads 1 --json")]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// How many playouts
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        default_value_t = 1000,
        value_parser = count::<u64>(1..=1_000_000_000_000)
    )]
    playouts: u64,
    /// An integer or 64 hexadecimal digits; without it one from the operating system, which is shown
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    threads: Threads,
    /// What evaluates the rules
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    engine: Engine,
    /// Write every state, move and percept to this file
    #[arg(long, short = 'o', value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// Random playouts.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SimulateReport<'r> {
    game: &'r str,
    /// That were begun.
    playouts: u64,
    playouts_asked: u64,
    interrupted: bool,
    completed: u64,
    failed: u64,
    not_played: u64,
    turns: u64,
    seconds: f64,
    build_seconds: f64,
    playouts_per_second: f64,
    turns_per_second: f64,
    #[cfg_attr(test, schemars(extend("enum" = ["propnet", "datalog"])))]
    engine: &'static str,
    threads: usize,
    #[cfg_attr(test, schemars(extend("pattern" = crate::schema::tests::HEX)))]
    seed: String,
    /// Results by role.
    roles: BTreeMap<String, Results<'r>>,
    failures: Vec<KindReport<'r>>,
}
output!(Simulate: SimulateReport<'_>);

/// A run of playouts and what there is to say about it.
struct Report<'r> {
    source: &'r Source,
    game: &'r Game,
    threads: usize,
    seed: &'r Seed,
    /// How many playouts were asked for.
    asked: u64,
    /// Whether a signal came before all were played.
    is_interrupted: bool,
    simulated: Simulated,
    build: Duration,
    elapsed: Duration,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    if source.is_real_time() {
        return real_time::run(&source, arguments, interrupt, out);
    }
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let pool = arguments.threads.pool()?;
    if let Some(path) = &arguments.trace {
        arguments.force.existing().check(path)?;
    }
    let mut trace = arguments.trace.as_deref().map(create).transpose()?;

    let begun = clock::now();
    let game = Arc::new(source.compile(&arguments.engine.options())?);
    let build = begun.elapsed();

    let key = seed.agent("simulate");
    let bar = progress(arguments.playouts, "playouts");
    interrupt.hold();
    let begun = clock::now();
    let simulated = match game.network().filter(|_| trace.is_none()) {
        Some(network) => Ok(Batch::new(&game, network, key, arguments.playouts).play(&pool, &bar, interrupt)),
        None => {
            let is_traced = trace.is_some();
            let work = Work { game: &game, key, playouts: arguments.playouts, is_traced, interrupt };
            work.run(&pool, &bar, |lines| match (&mut trace, &arguments.trace) {
                (Some(file), Some(path)) => file.write_all(lines).map_err(|error| unwritable(path, &error)),
                _ => Ok(()),
            })
        }
    };
    let elapsed = begun.elapsed();
    bar.finish_and_clear();
    if let (Some(mut file), Some(path)) = (trace, &arguments.trace) {
        file.flush().map_err(|error| unwritable(path, &error))?;
    }
    let simulated = simulated?;
    let is_interrupted = interrupt.is_raised() && simulated.playouts < arguments.playouts;
    let report = Report {
        source: &source,
        game: &game,
        threads: arguments.threads.count(),
        seed: &seed,
        asked: arguments.playouts,
        is_interrupted,
        simulated,
        build,
        elapsed,
    };
    summary::bounds(&report.simulated.tallies).warn(&source.facts);
    if arguments.json {
        report.report().write_json(out)?;
    } else {
        report.write(out)?;
    }
    Ok(match report.simulated.failures.count() {
        _ if is_interrupted => Answer::Interrupted,
        0 => Answer::Yes,
        _ => Answer::No,
    })
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::file("unwritable-file", path, error)
}

impl Report<'_> {
    /// Playouts and turns a second.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn rates(&self) -> (f64, f64) {
        let seconds = self.elapsed.as_secs_f64().max(1e-9);
        (self.simulated.playouts as f64 / seconds, self.simulated.turns as f64 / seconds)
    }

    fn write(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (playouts, turns) = self.rates();
        let plural = if self.threads == 1 { "" } else { "s" };
        writeln!(
            out,
            "{}: {} playouts of {} turns in {:.2} s on {} thread{plural}, built in {:.3} s ({})",
            self.source.name,
            self.simulated.playouts,
            self.simulated.turns,
            self.elapsed.as_secs_f64(),
            self.threads,
            self.build.as_secs_f64(),
            engine::chosen(self.game),
        )?;
        writeln!(out, "{} playouts/s, {} turns/s", readable(playouts), readable(turns))?;
        writeln!(out, "seed {}\n", self.seed.reveal())?;
        let (roles, facts, tallies) = (self.game.roles(), &self.source.facts, &self.simulated.tallies);
        let failed = self.simulated.failures.count();
        if failed > 0 && failed < self.simulated.playouts {
            let completed = self.simulated.playouts - failed;
            writeln!(out, "{completed} playouts were completed; their goals:")?;
        }
        if failed == 0 || failed < self.simulated.playouts {
            summary::write_table(out, roles, facts, tallies)?;
            writeln!(out)?;
            summary::write_distribution(out, roles, facts, tallies)?;
        }
        if failed > 0 {
            if failed < self.simulated.playouts {
                writeln!(out)?;
            }
            self.simulated.failures.write(self.game, self.source, self.simulated.playouts, out)?;
        }
        if self.is_interrupted {
            writeln!(out, "\ninterrupted: {} of {} playouts were done", self.simulated.playouts, self.asked)?;
        } else if self.not_played() > 0 {
            writeln!(out, "the other {} are not played: they may reach limits too", self.not_played())?;
        }
        Ok(())
    }

    /// How many playouts were asked for and not played, after many that reached a limit or an interrupt.
    fn not_played(&self) -> u64 {
        self.asked - self.simulated.playouts
    }

    fn report(&self) -> SimulateReport<'_> {
        let Simulated { playouts, turns, failures, tallies } = &self.simulated;
        let (playouts_per_second, turns_per_second) = self.rates();
        SimulateReport {
            game: &self.source.name,
            playouts: *playouts,
            playouts_asked: self.asked,
            interrupted: self.is_interrupted,
            completed: playouts - failures.count(),
            failed: failures.count(),
            not_played: self.not_played(),
            turns: *turns,
            seconds: self.elapsed.as_secs_f64(),
            build_seconds: self.build.as_secs_f64(),
            playouts_per_second,
            turns_per_second,
            engine: engine::chosen(self.game),
            threads: self.threads,
            seed: self.seed.reveal(),
            roles: summary::results(self.game.roles(), &self.source.facts, tallies),
            failures: failures.report(self.game, self.source),
        }
    }
}
