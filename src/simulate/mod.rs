//! `croupier simulate`: many random playouts, their rate and what they were worth.

mod batch;

mod trace;

mod work;

use std::{
    fs::File,
    io::{BufWriter, Write},
    path::{Path, PathBuf},
    time::Duration,
};

use clap::Args;
use croupier_engine::Game;
use croupier_referee::Seed;
use serde_json::{Value, json};

use self::work::{Simulated, Work};
use crate::{
    Answer, clock,
    engine::{self, Engine},
    failure::Failure,
    interrupt::Interrupt,
    source::Source,
    summary::{self, readable},
    threads::{Threads, progress},
};

/// Play a game at random many times: rates, and what it is worth
///
/// Every role chooses uniformly among its legal moves. What comes out depends on the seed, the engine and the
/// number of playouts, and not on the threads. With a trace games are played one at a time, and are other games than
/// without: a traced playout depends on the seed and its number alone.
#[derive(Args)]
#[command(after_help = "\
The trace has a line for each turn of each playout, a JSON object with terms in prefix syntax and canonical \
order: playout, step, state, terminal, legal, goal and, except in the last line of a playout, joint (the move \
of each role) and sees (the percepts of each player). Where the rules fail, the last line is that of the state in which they do, with what is \
wrong as error. A game without `sees` in its rules has full sight: each player sees \
(did ROLE MOVE) of every role, and the key sees is left out.

Examples:
  croupier simulate leduc
  croupier simulate leduc --playouts 1000 --seed 1 --trace t.jsonl
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
        value_parser = clap::value_parser!(u64).range(1..=1_000_000_000_000)
    )]
    playouts: u64,
    /// An integer or 64 hexadecimal digits; without it one from the operating system, which is shown
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    #[command(flatten)]
    threads: Threads,
    /// What evaluates the rules
    #[arg(long, value_enum, default_value_t = Engine::Auto)]
    engine: Engine,
    /// Write every state, move and percept to this file
    #[arg(long, value_name = "FILE")]
    trace: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// A run of playouts and what there is to say about it.
struct Report<'r> {
    source: &'r Source,
    game: &'r Game,
    threads: usize,
    seed: &'r Seed,
    /// How many playouts were asked for.
    asked: u64,
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
    let seed = clock::seed(arguments.seed.as_deref())?;
    let pool = arguments.threads.pool()?;
    let mut trace = arguments.trace.as_deref().map(create).transpose()?;

    let begun = clock::now();
    let game = source.compile(&arguments.engine.options())?;
    let build = begun.elapsed();

    let key = seed.agent("simulate");
    let bar = progress(arguments.playouts, "playouts");
    interrupt.hold();
    let begun = clock::now();
    let simulated = match game.tape().filter(|_| trace.is_none()) {
        Some(tape) => batch::run(&game, tape, key, arguments.playouts, (&pool, &bar, interrupt)),
        None => {
            let is_traced = trace.is_some();
            let work = Work { game: &game, key, playouts: arguments.playouts, is_traced, interrupt };
            work.run(&pool, &bar, |lines| match (&mut trace, &arguments.trace) {
                (Some(file), Some(path)) => file.write_all(lines).map_err(|error| unwritable(path, &error)),
                _ => Ok(()),
            })
        }
    };
    bar.finish_and_clear();
    if let (Some(mut file), Some(path)) = (trace, &arguments.trace) {
        file.flush().map_err(|error| unwritable(path, &error))?;
    }
    let simulated = simulated?;
    let is_interrupted = simulated.playouts < arguments.playouts;
    let report = Report {
        source: &source,
        game: &game,
        threads: arguments.threads.count(),
        seed: &seed,
        asked: arguments.playouts,
        simulated,
        build,
        elapsed: begun.elapsed(),
    };
    if arguments.json {
        writeln!(out, "{}", report.as_json())?;
    } else {
        report.write(out)?;
    }
    Ok(if is_interrupted { Answer::Interrupted } else { Answer::Yes })
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
        summary::write_table(out, roles, facts, tallies)?;
        writeln!(out)?;
        summary::write_distribution(out, roles, facts, tallies)?;
        if self.simulated.playouts < self.asked {
            writeln!(out, "\ninterrupted: {} of {} playouts were done", self.simulated.playouts, self.asked)?;
        }
        Ok(())
    }

    fn as_json(&self) -> Value {
        let (playouts, turns) = self.rates();
        json!({
            "game": self.source.name,
            "playouts": self.simulated.playouts,
            "playouts_asked": self.asked,
            "interrupted": self.simulated.playouts < self.asked,
            "turns": self.simulated.turns,
            "seconds": self.elapsed.as_secs_f64(),
            "build_seconds": self.build.as_secs_f64(),
            "playouts_per_second": playouts,
            "turns_per_second": turns,
            "engine": engine::chosen(self.game),
            "threads": self.threads,
            "seed": self.seed.reveal(),
            "roles": summary::as_json(self.game.roles(), &self.source.facts, &self.simulated.tallies),
        })
    }
}
