//! `croupier solve`: an equilibrium of a game that is small enough to be enumerated.

mod abstracted;
mod evaluated;
mod report;
mod saved;
mod walked;

use std::{
    io::Write,
    num::NonZeroU32,
    path::PathBuf,
    time::{Duration, Instant},
};

use clap::{Args, ValueEnum};
use croupier_solvers::{Algorithm, Evaluation, Samples, Solver};
use rayon::ThreadPool;

use self::{report::RunReport, saved::Saved};
use crate::{
    arguments::{
        count::{count, minutes, probability},
        entropy,
        existing::{Existing, Force},
        file::WholeFile,
        threads::{Threads, progress, spinner},
    },
    measurement::unfolded::{TreeArguments, Unfolded},
    output::{answer::Answer, failure::Failure, schema::Output},
    sessions::{clock, interrupt::Interrupt},
};

/// A checkpoint is written so often, and at the end.
const CHECKPOINT_EVERY: Duration = Duration::from_secs(30);

/// Iterations, where neither their number nor a time was asked for.
const ITERATIONS: u64 = 1_000;

/// How long the progress bar stands still.
const STEP: Duration = Duration::from_millis(100);

/// Solve a game by counterfactual regret minimisation
///
/// The whole tree is enumerated first, and its size is printed before the work starts. Then an algorithm plays the game
/// against itself. Its average policy comes as near to an equilibrium as wanted if the game is zero-sum and has two
/// players; in any other game NashConv says how near it came.
///
/// Deals that symmetries of the rules exchange, as suits that no rule tells apart, are enumerated once with their number: the
/// results are those of the whole tree, and the policy has every information set.
///
/// A game with more histories than fit into a tree may have few states: --walk numbers them, and keeps the players' information
/// sets. It shows how the exploitability falls. Where there are 10^10 histories it takes minutes.
///
/// The value of a role is its expected goal under that policy, its gain what it could gain by deviating.
/// NashConv is the sum of the gains, exploitability their mean. All are exact.
#[derive(Args)]
#[command(after_help = "\
What follows from the rules, the algorithm, the number of iterations and, with sampling, the seed, is the same on any
number of threads, and with or without interruptions. SIGINT (control-C), SIGTERM and SIGHUP end the work after the iteration that \
is being made: checkpoint and policy are written as they are then, and the exit status is 130.

Examples:
  croupier solve kuhn
  croupier solve leduc --algorithm discounted-cfr --iterations 10000 --policy leduc.json
  croupier play leduc --seat alice=policy:leduc.json --seat bob=random --matches 1000
  croupier solve leduc --iterations 1000000 --checkpoint leduc.checkpoint    goes on if interrupted
  croupier solve leduc --algorithm external-sampling --samples 256 --seed 1  on all threads
  croupier solve holdem --abstract 200 --algorithm external-sampling --minutes 30 --policy holdem.blueprint
  croupier play holdem --seat alice=policy:holdem.blueprint --seat bob=raise --matches 1000
  croupier solve phantom-tic-tac-toe --walk --minutes 60 --policy pttt.json   10^10 histories, and no tree
  croupier solve leduc --evaluate leduc.onnx                                 how far a strategy in a file is from an equilibrium
  croupier solve my-game.gdl --algorithm external-sampling --seed 1 --json")]
pub(crate) struct Arguments {
    /// A name from `croupier games`, or the path of a rule file
    game: String,
    /// How it is solved
    #[arg(long, short, value_enum, default_value_t = Method::CfrPlus)]
    algorithm: Method,
    /// How many iterations, those of a checkpoint included  [default: 1000, 100 with --walk, or as many as fit into --minutes]
    #[arg(
        long,
        short = 'n',
        value_name = "N",
        value_parser = count::<u64>(0..=1_000_000_000_000)
    )]
    iterations: Option<u64>,
    /// Stop after this many minutes
    #[arg(long, value_name = "MINUTES", value_parser = minutes)]
    minutes: Option<Duration>,
    /// Solve without enumerating: gather each player's hands of a round, unless they are few, into at most N buckets by how
    /// they come out, and sample deals
    #[arg(
        long,
        value_name = "N",
        conflicts_with_all = ["checkpoint", "samples", "histories_max"],
        value_parser = count::<u32>(1..=65_535)
    )]
    r#abstract: Option<u32>,
    /// Solve without a tree: number the states, keep the information sets, and walk through all histories in every iteration
    #[arg(
        long,
        conflicts_with_all = ["abstract", "evaluate", "checkpoint", "histories_max", "no_symmetry"]
    )]
    walk: bool,
    /// With --walk, leave out of the policy what a player's own moves lead to with less than this probability
    #[arg(long, value_name = "P", requires = "walk", default_value_t = 0.0001, value_parser = probability, hide_short_help = true)]
    reach_min: f64,
    /// What samples are drawn from: an integer or 64 hexadecimal digits; without it one from the operating system, which is shown
    #[arg(long, value_name = "SEED")]
    seed: Option<String>,
    /// How many samples each player draws in an iteration, at once and on all threads  [default: 1, or what a checkpoint says]
    #[arg(long, value_name = "N", value_parser = count::<u32>(1..=1_000_000))]
    samples: Option<u32>,
    /// Solve nothing: print the exact exploitability of the strategy in this file, a net if it ends in .onnx and else a policy, as
    /// `croupier evaluate` does
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["algorithm", "iterations", "minutes", "abstract", "seed", "samples", "policy", "checkpoint", "no_symmetry"]
    )]
    evaluate: Option<String>,
    /// Write the average policy to this file, as `--seat ROLE=policy:FILE` reads it
    #[arg(long, short = 'o', value_name = "FILE")]
    policy: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Keep everything in this file now and then, and go on from it if it is there
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Enumerate every deal, also those that symmetries of the rules exchange
    #[arg(long)]
    no_symmetry: bool,
    #[command(flatten)]
    tree: TreeArguments,
    #[command(flatten)]
    threads: Threads,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

/// How a game is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Counterfactual regret minimisation (Zinkevich et al. 2007)
    #[value(name = "cfr")]
    Cfr,
    /// With regrets that never fall below zero, and linear averages (Tammelin 2014)
    #[value(name = "cfr+")]
    CfrPlus,
    /// Iteration t has the weight t (Brown and Sandholm 2019)
    #[value(name = "linear-cfr")]
    LinearCfr,
    /// Old regrets count less, negative ones least: alpha 1.5, beta 0, gamma 2 (Brown and Sandholm 2019)
    #[value(name = "discounted-cfr")]
    DiscountedCfr,
    /// One sampled move of chance and of each opponent, all moves of the player (Lanctot et al. 2009)
    #[value(name = "external-sampling")]
    ExternalSampling,
    /// One sampled match (Lanctot et al. 2009)
    #[value(name = "outcome-sampling")]
    OutcomeSampling,
    /// Sampled moves of chance, all moves of all players (Zinkevich et al. 2007); with --abstract alone
    #[value(name = "chance-sampling")]
    ChanceSampling,
}

impl Method {
    /// The algorithm on a tree, if there is one.
    fn algorithm(self) -> Option<Algorithm> {
        Some(match self {
            Self::Cfr => Algorithm::Cfr,
            Self::CfrPlus => Algorithm::CfrPlus,
            Self::LinearCfr => Algorithm::LinearCfr,
            Self::DiscountedCfr => Algorithm::DiscountedCfr,
            Self::ExternalSampling => Algorithm::ExternalSampling,
            Self::OutcomeSampling => Algorithm::OutcomeSampling,
            Self::ChanceSampling => return None,
        })
    }

    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// What is made of a game, and how much.
struct SolvePlan {
    algorithm: Algorithm,
    /// Iterations at the end, those of a checkpoint included.
    iterations: u64,
    /// When to stop, if it is not done by then.
    time: Option<Duration>,
}

pub(crate) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    if let Some(file) = &arguments.evaluate {
        return evaluated::run(arguments, file, interrupt, out);
    }
    match arguments.r#abstract {
        Some(buckets) => abstracted::run(arguments, buckets as usize, interrupt, out),
        None if arguments.walk => walked::run(arguments, interrupt, out),
        None => enumerated(arguments, interrupt, out),
    }
}

/// Solves a game whose tree fits.
fn enumerated(arguments: &Arguments, interrupt: &Interrupt, out: &mut dyn Write) -> Result<Answer, Failure> {
    let algorithm = arguments.algorithm.algorithm().ok_or_else(|| {
        Failure::refuse("bad-algorithm", "chance-sampling needs --abstract")
            .help("add --abstract 200, or use external-sampling on the whole tree")
    })?;
    let course = SolvePlan {
        algorithm,
        iterations: arguments.iterations.unwrap_or(if arguments.minutes.is_some() {
            u64::MAX
        } else {
            ITERATIONS
        }),
        time: arguments.minutes,
    };
    // What cannot be written is better known now than after hours.
    if let Some(path) = &arguments.policy {
        // A policy that belongs to a checkpoint is written anew with it.
        let is_resumed = arguments.checkpoint.as_ref().is_some_and(|path| path.exists());
        let existing = if is_resumed { Existing::Replace } else { arguments.force.existing() };
        existing.check(path)?;
    }
    let pool = arguments.threads.pool()?;
    let begun = clock::now();
    let unfold = if arguments.no_symmetry { Unfolded::new } else { Unfolded::reduced };
    let unfolded = unfold(&arguments.game, &arguments.tree, &pool)?;
    let build = begun.elapsed();
    let saved = Saved::new(&unfolded, arguments.checkpoint.as_deref());
    let (mut solver, seed) = solver(arguments, &course, &unfolded, &saved)?;
    let (first, threads) = (solver.iterations(), arguments.threads.count());
    let mut report = RunReport::new(&unfolded, &solver, seed, build, threads);
    saved.write(&solver)?;
    if !arguments.json {
        report.write_sizes(out)?;
        out.flush()?;
    }

    let begun = clock::now();
    interrupt.hold();
    iterate(&mut solver, &course, &saved, &pool, interrupt)?;
    let is_interrupted = interrupt.is_raised() && solver.iterations() < course.iterations;
    report.took(solver.iterations() - first, begun.elapsed());
    saved.write(&solver)?;

    let policy = solver.average_policy();
    let evaluation = Evaluation::new(&unfolded.form, &policy);
    // A policy that no iteration has come to says nothing.
    if let Some(path) = arguments.policy.as_ref().filter(|_| solver.iterations() > 0 || !is_interrupted) {
        let text = unfolded.table(&policy)?.to_json();
        WholeFile::write_at(path, text.as_bytes())
            .map_err(|error| Failure::file("unwritable-file", path, &error))?;
    }
    if arguments.json {
        report.with(&evaluation, is_interrupted).write_json(out)?;
    } else {
        report.write_evaluation(&evaluation, out)?;
        if is_interrupted {
            let made = solver.iterations();
            let of = arguments.iterations.map_or_else(String::new, |asked| format!(" of {asked}"));
            let kept = if saved.is_kept() { "; the checkpoint goes on from there" } else { "" };
            writeln!(out, "interrupted: {made}{of} iterations were made{kept}")?;
        }
    }
    Ok(if is_interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Refuses what only sampling depends on.
fn sampling_refusal(arguments: &Arguments, algorithm: Algorithm) -> Result<(), Failure> {
    let given = [("--seed", arguments.seed.clone()), ("--samples", arguments.samples.map(|n| n.to_string()))];
    match given.iter().find(|(_, text)| text.is_some()) {
        Some((option, Some(text))) if !algorithm.is_sampling() => {
            Err(Failure::refuse("no-sampling", format!("{algorithm} draws no samples"))
                .at_argument(option, text)
                .help("leave it out, or use external-sampling or outcome-sampling"))
        }
        _ => Ok(()),
    }
}

/// The solver that goes on from a checkpoint, or a new one; and its seed, if one is known and matters.
fn solver<'u>(
    arguments: &Arguments,
    course: &SolvePlan,
    unfolded: &'u Unfolded,
    saved: &Saved<'_>,
) -> Result<(Solver<'u>, Option<String>), Failure> {
    let SolvePlan { algorithm, iterations, .. } = *course;
    let is_sampling = algorithm.is_sampling();
    sampling_refusal(arguments, algorithm)?;
    let found = saved.read(unfolded, algorithm, iterations)?;
    if !is_sampling {
        let new = || Solver::new(&unfolded.tree, &unfolded.form, algorithm, Samples::single([0; 32]));
        return Ok((found.unwrap_or_else(new), None));
    }
    let per_iteration = arguments.samples.and_then(NonZeroU32::new);
    if let (Some(solver), Some(samples)) = (&found, per_iteration)
        && solver.samples().per_iteration != samples
    {
        return Err(saved.other("number of samples"));
    }
    // The seed of a checkpoint is known by what was derived from it alone.
    let (found, seed) = match (found, arguments.seed.as_deref()) {
        (Some(solver), None) => return Ok((solver, None)),
        (found, text) => (found, entropy::seed(text)?),
    };
    let key = seed.agent("solve");
    match found {
        Some(solver) if solver.samples().seed == key => Ok((solver, Some(seed.reveal()))),
        Some(_) => Err(saved.other("seed")),
        None => {
            let per_iteration = per_iteration.unwrap_or(NonZeroU32::MIN);
            let samples = Samples { seed: key, per_iteration };
            let solver = Solver::new(&unfolded.tree, &unfolded.form, algorithm, samples);
            Ok((solver, Some(seed.reveal())))
        }
    }
}

/// Makes what is missing of the iterations, in steps that a person can follow; fewer if it is interrupted.
fn iterate(
    solver: &mut Solver<'_>,
    course: &SolvePlan,
    saved: &Saved<'_>,
    pool: &ThreadPool,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let SolvePlan { iterations, time, .. } = *course;
    let started = clock::now();
    let bar = match time {
        Some(_) => spinner("iterations"),
        None => progress(iterations, "iterations"),
    };
    bar.set_position(solver.iterations());
    bar.reset_eta();
    let (mut step, mut written): (u64, Instant) = (1, clock::now());
    let is_late = || time.is_some_and(|time| started.elapsed() >= time);
    while solver.iterations() < iterations && !interrupt.is_raised() && !is_late() {
        let begun = clock::now();
        pool.install(|| solver.advance(step.min(iterations - solver.iterations())));
        bar.set_position(solver.iterations());
        // Steps only decide how often the bar moves: they double until they take long enough.
        if begun.elapsed() < STEP {
            step *= 2;
        } else if begun.elapsed() > 4 * STEP {
            step = (step / 2).max(1);
        }
        if written.elapsed() > CHECKPOINT_EVERY {
            saved.write(solver)?;
            written = clock::now();
        }
    }
    bar.finish_and_clear();
    Ok(())
}
