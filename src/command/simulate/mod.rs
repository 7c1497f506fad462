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
};

use clap::Args;
use croupier_engine::Game;
use croupier_games::readable;
use rayon::ThreadPool;
use serde::Serialize;

use self::{
    batch::Batch,
    failures::KindReport,
    work::{Simulated, Work},
};
use crate::{
    arguments::{
        count::count,
        engine::{self, Engine},
        entropy,
        existing::Force,
        source::Source,
        threads::{Threads, progress},
    },
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
        summary::{self, Results},
    },
    sessions::{clock, interrupt::Interrupt},
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
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: String,
    /// Results by role.
    roles: BTreeMap<String, Results<'r>>,
    failures: Vec<KindReport<'r>>,
}
output!(Simulate: SimulateReport<'_>);

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
    let trace = arguments.trace.as_deref().map(create).transpose()?;

    let begun = clock::now();
    let game = Arc::new(source.compile(&arguments.engine.options())?);
    let build_seconds = begun.elapsed().as_secs_f64();

    interrupt.hold();
    let begun = clock::now();
    let simulated = play(arguments, &game, seed.agent("simulate"), trace, &pool, interrupt)?;
    let (seconds, failed) = (begun.elapsed().as_secs_f64(), simulated.failures.count());
    let Simulated { playouts, turns, tallies, failures } = &simulated;
    let report = SimulateReport {
        game: &source.name,
        playouts: *playouts,
        playouts_asked: arguments.playouts,
        interrupted: interrupt.is_raised() && *playouts < arguments.playouts,
        completed: playouts - failed,
        failed,
        not_played: arguments.playouts - playouts,
        turns: *turns,
        seconds,
        build_seconds,
        playouts_per_second: rate(*playouts, seconds),
        turns_per_second: rate(*turns, seconds),
        engine: engine::chosen(&game),
        threads: arguments.threads.count(),
        seed: seed.reveal(),
        roles: summary::results(game.roles(), &source.facts, tallies),
        failures: failures.report(&game, &source),
    };
    summary::bounds(tallies).warn(&source.facts);
    if arguments.json {
        report.write_json(out)?;
    } else {
        report.write(&source, &game, &simulated, out)?;
    }
    Ok(match failed {
        _ if report.interrupted => Answer::Interrupted,
        0 => Answer::Yes,
        _ => Answer::No,
    })
}

/// Plays what was asked for, and writes what happens to the trace.
fn play(
    arguments: &Arguments,
    game: &Arc<Game>,
    key: [u8; 32],
    mut trace: Option<BufWriter<File>>,
    pool: &ThreadPool,
    interrupt: &Interrupt,
) -> Result<Simulated, Failure> {
    let Arguments { playouts, trace: path, .. } = arguments;
    let path = path.as_deref().unwrap_or(Path::new(""));
    let bar = progress(*playouts, "playouts");
    let simulated = match game.network().filter(|_| trace.is_none()) {
        Some(network) => Ok(Batch::new(game, network, key, *playouts).play(pool, &bar, interrupt)),
        None => {
            let work = Work { game, key, playouts: *playouts, is_traced: trace.is_some(), interrupt };
            work.run(pool, &bar, |lines| match &mut trace {
                Some(file) => file.write_all(lines).map_err(|error| unwritable(path, &error)),
                None => Ok(()),
            })
        }
    };
    bar.finish_and_clear();
    trace.map(|mut file| file.flush().map_err(|error| unwritable(path, &error))).transpose()?;
    simulated
}

/// So many in a second.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
fn rate(count: u64, seconds: f64) -> f64 {
    count as f64 / seconds.max(1e-9)
}

fn create(path: &Path) -> Result<BufWriter<File>, Failure> {
    File::create(path).map(BufWriter::new).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &std::io::Error) -> Failure {
    Failure::file("unwritable-file", path, error)
}

impl SimulateReport<'_> {
    fn write(
        &self,
        source: &Source,
        game: &Game,
        simulated: &Simulated,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Self { playouts, completed, failed, not_played, threads, .. } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        writeln!(
            out,
            "{}: {playouts} playouts of {} turns in {:.2} s on {threads} thread{plural}, built in {:.3} s ({})",
            self.game, self.turns, self.seconds, self.build_seconds, self.engine,
        )?;
        let [playouts_rate, turns_rate] = [self.playouts_per_second, self.turns_per_second].map(readable);
        writeln!(out, "{playouts_rate} playouts/s, {turns_rate} turns/s")?;
        writeln!(out, "seed {}\n", self.seed)?;
        if *failed > 0 && *completed > 0 {
            writeln!(out, "{completed} playouts were completed; their goals:")?;
        }
        if *failed == 0 || *completed > 0 {
            let (roles, facts, tallies) = (game.roles(), &source.facts, &simulated.tallies);
            summary::write_table(out, roles, facts, tallies)?;
            writeln!(out)?;
            summary::write_distribution(out, roles, facts, tallies)?;
        }
        if *failed > 0 {
            if *completed > 0 {
                writeln!(out)?;
            }
            simulated.failures.write(game, source, *playouts, out)?;
        }
        if self.interrupted {
            writeln!(out, "\ninterrupted: {playouts} of {} playouts were done", self.playouts_asked)?;
        } else if *not_played > 0 {
            writeln!(out, "the other {not_played} are not played: they may reach limits too")?;
        }
        Ok(())
    }
}
