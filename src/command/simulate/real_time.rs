//! `croupier simulate` of a real-time game: hundreds of matches at once where the rules are a network, else one by one.

use std::{collections::BTreeMap, io::Write, sync::Arc, time::Duration};

use croupier_engine::{
    ByPlayer, GoalValue,
    realtime::{RealTimeGame, RealTimeLanes},
};
use croupier_games::readable;
use croupier_players::realtime::{Walk, WalkEnd};
use croupier_referee::Digest;
use rand_chacha::{ChaCha8Rng, ChaCha20Rng, rand_core::SeedableRng};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::Serialize;

use super::Arguments;
use crate::{
    arguments::{engine::real_time_engine, entropy, source::Source, threads::progress},
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
        summary,
    },
    sessions::{clock, interrupt::Interrupt},
};

/// Lanes of a block.
const LANES: u64 = 512;

/// Words of a plane of so many lanes.
const WORDS: usize = 8;

/// Matches of a block.
const BLOCK: u64 = 8 * LANES;

/// Matches of a block that plays one by one.
const SCALAR: u64 = 64;

/// Microseconds between two moves of a player, on average.
const MEAN_US: u64 = 1_000_000;

/// Random playouts of a real-time game.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SimulateReport<'r> {
    game: &'r str,
    #[cfg_attr(test, schemars(extend("const" = "real")))]
    time: &'static str,
    engine: &'static str,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: &'r str,
    playouts: u64,
    failed: u64,
    updates: u64,
    seconds: f64,
    updates_per_second: f64,
    build_seconds: f64,
    mean_goals: BTreeMap<String, f64>,
    mean_payoffs: Option<BTreeMap<String, f64>>,
    /// What payoffs are counted in, such as chips; null if the game has goal values alone.
    unit: Option<&'r str>,
}
output!(SimulateRealTime: SimulateReport<'_>);

/// What some matches came to.
#[derive(Clone, Default)]
struct Counts {
    matches: u64,
    updates: u64,
    failed: u64,
    goals: Vec<i64>,
}

impl Counts {
    fn add(&mut self, other: &Self) {
        self.matches += other.matches;
        self.updates += other.updates;
        self.failed += other.failed;
        self.goals.resize(self.goals.len().max(other.goals.len()), 0);
        for (sum, more) in self.goals.iter_mut().zip(&other.goals) {
            *sum += more;
        }
    }
}

/// Plays a real-time game at random many times, and says how fast, and what it is worth.
pub(super) fn run(
    source: &Source,
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if arguments.trace.is_some() {
        return Err(Failure::refuse("no-turns", "a trace is of turns, and nobody takes turns in this game")
            .help(
                "`croupier play GAME --record FILE` and `croupier replay FILE --json` show real-time matches",
            ));
    }
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let begun = clock::now();
    let game = source.compile_real_time(&arguments.engine.options())?;
    let build = begun.elapsed();
    let is_network = game.network().is_some();
    let of_block = if is_network { BLOCK } else { SCALAR };
    let blocks = arguments.playouts.div_ceil(of_block);
    let key = Digest(seed.agent("simulate"));
    let bar = progress(blocks, "blocks");
    interrupt.hold();
    let begun = clock::now();
    let pool = arguments.threads.pool()?;
    let results: Vec<Result<Counts, Failure>> = pool.install(|| {
        (0..blocks)
            .into_par_iter()
            .map(|block| {
                let seed = key.followed_by(&block.to_le_bytes()).0;
                let matches = of_block.min(arguments.playouts - block * of_block);
                let counts = if is_network {
                    on_lanes(&game, seed, matches, interrupt)
                } else {
                    one_by_one(&game, seed, matches, interrupt)
                };
                bar.inc(1);
                counts
            })
            .collect()
    });
    bar.finish_and_clear();
    let mut counts = Counts::default();
    for result in results {
        counts.add(&result?);
    }
    let elapsed = begun.elapsed();
    let run = RealTimeRun { source, game: &game, counts: &counts, build, elapsed, seed: &seed.reveal() };
    if arguments.json {
        run.report().write_json(out)?;
    } else {
        run.write(arguments.threads.count(), out)?;
    }
    Ok(match counts.failed {
        _ if interrupt.is_raised() => Answer::Interrupted,
        0 => Answer::Yes,
        _ => Answer::No,
    })
}

/// So many matches, hundreds at once. Where a fluent has two lifetimes at once, which lanes cannot hold, they are played one by one.
fn on_lanes(
    game: &Arc<RealTimeGame>,
    seed: [u8; 32],
    matches: u64,
    interrupt: &Interrupt,
) -> Result<Counts, Failure> {
    let mut random = ChaCha8Rng::from_seed(seed);
    let lanes = RealTimeLanes::<WORDS>::new(game, MEAN_US, &mut random);
    let Some(mut lanes) = lanes else { return one_by_one(game, seed, matches, interrupt) };
    lanes.run(matches, &mut random, &|| interrupt.is_raised());
    let counts = lanes.counts();
    if counts.doubled > 0 {
        return one_by_one(game, seed, matches, interrupt);
    }
    Ok(Counts {
        matches: counts.matches,
        updates: counts.updates,
        failed: counts.failed,
        goals: game.roles().players().map(|role| counts.goals[role.index()]).collect(),
    })
}

fn one_by_one(
    game: &Arc<RealTimeGame>,
    seed: [u8; 32],
    matches: u64,
    interrupt: &Interrupt,
) -> Result<Counts, Failure> {
    // A game of its own for each block: what its matches make of terms is forgotten with it.
    let mut walk = Walk::new(Arc::new(game.fork()), ChaCha20Rng::from_seed(seed), MEAN_US);
    let fails =
        |error: croupier_engine::realtime::RealTimeError| Failure::refuse("rules-fail", error.to_string());
    let mut counts = Counts { goals: vec![0; game.roles().players().count()], ..Counts::default() };
    for _ in 0..matches {
        if interrupt.is_raised() {
            break;
        }
        let mut position = walk.beginning().map_err(fails)?;
        let end = walk.to_the_end(&mut position).map_err(fails)?;
        match (end, walk.goals(&position)) {
            (WalkEnd::Over, Ok(goals)) => {
                counts.matches += 1;
                add_goals(&mut counts.goals, &goals);
            }
            _ => counts.failed += 1,
        }
    }
    counts.updates = walk.updates();
    Ok(counts)
}

fn add_goals(sums: &mut [i64], goals: &ByPlayer<GoalValue>) {
    for (sum, (_, goal)) in sums.iter_mut().zip(goals.iter()) {
        *sum += i64::from(goal.value());
    }
}

/// A run of real-time playouts, as it is reported.
struct RealTimeRun<'r> {
    source: &'r Source,
    game: &'r RealTimeGame,
    counts: &'r Counts,
    build: Duration,
    elapsed: Duration,
    seed: &'r str,
}

impl RealTimeRun<'_> {
    /// Updates a second.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn rate(&self) -> f64 {
        self.counts.updates as f64 / self.elapsed.as_secs_f64().max(1e-9)
    }

    /// The mean goal of each player.
    #[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
    fn means(&self) -> Vec<(String, f64)> {
        let matches = self.counts.matches.max(1) as f64;
        let roles = self.game.roles();
        let players = roles.players().zip(&self.counts.goals);
        players.map(|(role, &sum)| (roles.name(role).to_owned(), sum as f64 / matches)).collect()
    }

    fn report(&self) -> SimulateReport<'_> {
        let payoff = self.source.facts.payoff.as_ref();
        SimulateReport {
            game: &self.source.name,
            time: "real",
            engine: real_time_engine(self.game),
            seed: self.seed,
            playouts: self.counts.matches + self.counts.failed,
            failed: self.counts.failed,
            updates: self.counts.updates,
            seconds: self.elapsed.as_secs_f64(),
            updates_per_second: self.rate(),
            build_seconds: self.build.as_secs_f64(),
            mean_goals: self.means().into_iter().collect(),
            mean_payoffs: payoff.map(|payoff| {
                self.means().into_iter().map(|(role, mean)| (role, payoff.payoff(mean))).collect()
            }),
            unit: summary::unit(&self.source.facts),
        }
    }

    fn write(&self, threads: usize, out: &mut dyn Write) -> Result<(), Failure> {
        let Counts { matches, updates, failed, .. } = self.counts;
        let plural = if threads == 1 { "" } else { "s" };
        writeln!(
            out,
            "{}: {} playouts of {updates} updates in {:.2} s on {threads} thread{plural}, built in {:.3} s ({})",
            self.source.name,
            matches + failed,
            self.elapsed.as_secs_f64(),
            self.build.as_secs_f64(),
            real_time_engine(self.game)
        )?;
        writeln!(out, "{} updates/s\nseed {}\n", readable(self.rate()), self.seed)?;
        for (name, mean) in self.means() {
            writeln!(out, "{name}: mean goal {mean:.2}")?;
        }
        if *failed > 0 {
            writeln!(out, "{failed} playouts came to no result")?;
        }
        Ok(())
    }
}
