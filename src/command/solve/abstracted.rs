//! `croupier solve --abstract`: a strategy for a game that is too large to be enumerated, where chance is a deal.

use std::{
    io::Write,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_players::BlueprintFile;
use croupier_solvers::{AbstractSolver, DealError, DealSampling, MoveTree};
use serde::Serialize;

use super::{Arguments, Method};
use crate::{
    arguments::{
        effort::Effort, engine::Engine, entropy, file::WholeFile, kept::Folder, source::Source,
        threads::spinner,
    },
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{clock, interrupt::Interrupt},
};

/// A strategy for a game of deals.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SolveAbstractReport<'r> {
    game: &'r str,
    algorithm: &'r str,
    #[cfg_attr(test, schemars(extend("pattern" = crate::output::schema::tests::HEX)))]
    seed: &'r str,
    /// At most this many for each player and round.
    buckets_each: u32,
    /// In all information sets.
    buckets: usize,
    iterations: u64,
    deals: u64,
    seconds: f64,
    interrupted: bool,
}
output!(SolveAbstract: SolveAbstractReport<'_>);

/// The blueprint is written so often, and at the end.
const WRITE_EVERY: Duration = Duration::from_secs(60);

/// Solves the game that was asked for, with at most so many buckets for each player and round.
pub(super) fn run(
    arguments: &Arguments,
    buckets: usize,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let sampling = match arguments.algorithm {
        Method::ChanceSampling => DealSampling::Chance,
        Method::ExternalSampling => DealSampling::External,
        _ => return Err(unfit_algorithm()),
    };
    if let Some(path) = &arguments.policy {
        arguments.force.existing().check(path)?;
    }
    let folder = Folder::named();
    if let Some(folder) = &folder {
        folder.make()?;
    }
    let pool = arguments.threads.pool()?;
    let source = Source::find(&arguments.game)?;
    let game = source.compile(&Engine::Auto.options())?;
    let seed = entropy::seed(arguments.seed.as_deref())?;
    let tree = MoveTree::new(&game, BlueprintFile::NODES_MAX).map_err(|error| refusal(error, &source))?;
    if !arguments.json {
        writeln!(
            out,
            "{}: the players' moves have {} histories and {} information sets but for the deal",
            source.name,
            tree.nodes_count(),
            tree.sets_count()
        )?;
        out.flush()?;
    }
    let begun = clock::now();
    let bar = spinner("gathering hands");
    let key = seed.agent("solve");
    let mut solver = pool.install(|| AbstractSolver::new(Arc::new(tree), buckets, sampling, key));
    bar.finish_and_clear();
    let gathered = begun.elapsed();
    if !arguments.json {
        writeln!(out, "gathered into {} buckets in {:.1} s", solver.buckets_count(), gathered.as_secs_f64())?;
        out.flush()?;
    }
    interrupt.hold();
    let begun = clock::now();
    let is_interrupted = iterate(&mut solver, arguments, &pool, interrupt)?;
    let took = begun.elapsed();
    if let Some(path) = &arguments.policy {
        write(&solver, path)?;
    }
    if let Some(folder) = folder {
        let kept = folder.keep(&game, &solver.blueprint());
        kept.map_err(|error| Failure::file("unwritable-file", folder.path(), &error))?;
    }
    report(arguments, &solver, &seed.reveal(), took, is_interrupted, out)?;
    Ok(if is_interrupted { Answer::Interrupted } else { Answer::Yes })
}

/// Says what was made, and how fast.
fn report(
    arguments: &Arguments,
    solver: &AbstractSolver,
    seed: &str,
    took: Duration,
    is_interrupted: bool,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let (iterations, deals) = (solver.iterations(), solver.iterations() * AbstractSolver::deals_each());
    let (name, seconds) = (arguments.algorithm.name(), took.as_secs_f64());
    if arguments.json {
        let (game, buckets_each) = (&*arguments.game, arguments.r#abstract.unwrap_or_default());
        let (algorithm, buckets, interrupted) = (&*name, solver.buckets_count(), is_interrupted);
        SolveAbstractReport {
            game,
            algorithm,
            seed,
            buckets_each,
            buckets,
            iterations,
            deals,
            seconds,
            interrupted,
        }
        .write_json(out)?;
    } else {
        let rate = deals as f64 / seconds.max(1e-9);
        writeln!(out, "{name}: {iterations} iterations, {deals} deals, {rate:.0} deals/s, seed {seed}")?;
        writeln!(out, "how far that is from an equilibrium is not known: the game was not enumerated")?;
    }
    Ok(())
}

/// Makes the iterations that were asked for, or as many as fit into the minutes; whether that was interrupted.
fn iterate(
    solver: &mut AbstractSolver,
    arguments: &Arguments,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
) -> Result<bool, Failure> {
    let begun: Instant = clock::now();
    let effort = Effort::new(arguments.iterations, arguments.minutes, super::ITERATIONS, begun);
    let mut written = begun;
    while !effort.is_over(solver.iterations()) && !interrupt.is_raised() {
        pool.install(|| solver.advance(1));
        effort.show(solver.iterations());
        if let Some(path) = arguments.policy.as_ref().filter(|_| written.elapsed() > WRITE_EVERY) {
            write(solver, path)?;
            written = clock::now();
        }
    }
    Ok(interrupt.is_raised())
}

fn write(solver: &AbstractSolver, path: &Path) -> Result<(), Failure> {
    WholeFile::write_at(path, &solver.blueprint().to_bytes())
        .map_err(|error| Failure::file("unwritable-file", path, &error))
}

fn unfit_algorithm() -> Failure {
    Failure::refuse("bad-algorithm", "--abstract solves by sampled deals")
        .help("use --algorithm chance-sampling or --algorithm external-sampling")
}

fn refusal(error: DealError, source: &Source) -> Failure {
    let help = match error {
        DealError::NoNetwork => "`croupier check` says why the game is no network",
        DealError::TooLarge { .. } => "players that search can play it: --seat ROLE=resolve",
        _ => {
            "--abstract is for games in which chance deals and does nothing else, as in hold'em; \
              without it smaller games are enumerated"
        }
    };
    Failure::refuse("no-deal", error.to_string()).at(&source.origin).help(help)
}
