//! `croupier solve --walk`: an equilibrium of a game whose states can be numbered and whose histories are too many for a tree.

use std::{
    io::Write,
    ops::ControlFlow,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use croupier_engine::{Game, InformationSet, MoveId};
use croupier_players::PolicyTable;
use croupier_solvers::{Algorithm, Evaluation, Walk, WalkError, WalkProgress, WalkSolver};
use indicatif::ProgressBar;
use rayon::ThreadPool;
use serde::Serialize;

use super::{Arguments, sampling_refusal};
use crate::{
    arguments::{effort::Effort, engine::Engine, file::WholeFile, source::Source, threads::spinner},
    measurement::{
        figures::{Figures, FiguresReport, PayoffReport},
        walk_refusal,
    },
    output::{
        answer::Answer,
        bytes::bytes,
        columns::write_rows,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{clock, interrupt::Interrupt},
};

/// Iterations, where neither their number nor a time was asked for.
const ITERATIONS: u64 = 100;

/// An equilibrium without the tree in memory.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct SolveWalkReport<'w> {
    #[serde(flatten)]
    figures: FiguresReport<'w>,
    /// The same in the game's unit; null if it has none.
    payoff: Option<PayoffReport<'w>>,
    #[cfg_attr(test, schemars(with = "String"))]
    algorithm: Algorithm,
    iterations: u64,
    seconds: f64,
    /// How long states and information sets were numbered.
    build_seconds: f64,
    threads: usize,
    #[cfg_attr(test, schemars(range(min = 1)))]
    states: usize,
    /// Those with a choice that can matter, of all roles.
    information_sets: u64,
    bytes: u64,
    /// How far the average strategy was from an equilibrium; the last entry is the end.
    curve: Vec<PointReport>,
    /// In the policy that was written.
    policy_information_sets: Option<usize>,
    interrupted: bool,
}
output!(SolveWalk: SolveWalkReport<'_>);

/// A point of the curve.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct PointReport {
    iterations: u64,
    /// Since the first iteration began.
    seconds: f64,
    /// In goal values.
    exploitability: f64,
}

/// A game that is being solved, and what came of it so far.
struct Work<'w> {
    arguments: &'w Arguments,
    source: &'w Source,
    game: &'w Game,
    pool: &'w ThreadPool,
    interrupt: &'w Interrupt,
    solver: WalkSolver<'w>,
    numbered: Duration,
    begun: Instant,
    curve: Vec<Point>,
}

/// How far the average strategy is from an equilibrium.
struct Point {
    iterations: u64,
    took: Duration,
    evaluation: Evaluation,
}

/// Solves the game that was asked for.
pub(super) fn run(
    arguments: &Arguments,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let Some(algorithm) = arguments.algorithm.algorithm().filter(|algorithm| !algorithm.is_sampling()) else {
        return Err(Failure::refuse("bad-algorithm", "--walk visits every history, and draws no samples")
            .help("use --algorithm cfr+, cfr, linear-cfr or discounted-cfr"));
    };
    sampling_refusal(arguments, algorithm)?;
    if let Some(path) = &arguments.policy {
        arguments.force.existing().check(path)?;
    }
    let pool = arguments.threads.pool()?;
    let source = Source::find(&arguments.game)?;
    let game: Arc<Game> = source.compile(&Engine::Auto.options())?;
    let (bar, begun) = (spinner("numbering states and information sets"), clock::now());
    let mut go_on = |_| interrupt.flow();
    let solver = Walk::new(&game).and_then(|walk| WalkSolver::new(&walk, algorithm, &mut go_on));
    bar.finish_and_clear();
    let solver = solver.map_err(|error| walk_refusal(&error, &source))?;
    let (numbered, begun, curve) = (begun.elapsed(), clock::now(), Vec::new());
    let work = Work {
        arguments,
        source: &source,
        game: &game,
        pool: &pool,
        interrupt,
        solver,
        numbered,
        begun,
        curve,
    };
    work.run(out)
}

impl Work<'_> {
    fn run(mut self, out: &mut dyn Write) -> Result<Answer, Failure> {
        if !self.arguments.json {
            self.write_sizes(out)?;
        }
        self.interrupt.hold();
        let is_done = self.iterate(out)?;
        // The last point is of what is written.
        if self.curve.last().is_none_or(|point| point.iterations < self.solver.iterations()) {
            let point = self.point(&mut |_| ControlFlow::Continue(()))?;
            self.note(point, out)?;
        }
        let policy = self.arguments.policy.as_deref().map(|path| self.write_policy(path)).transpose()?;
        if self.arguments.json {
            self.write_json(policy, !is_done, out)?;
        } else {
            self.write_end(policy, out)?;
            if !is_done {
                writeln!(out, "interrupted: {} iterations were made", self.solver.iterations())?;
            }
        }
        Ok(if is_done { Answer::Yes } else { Answer::Interrupted })
    }

    /// Makes iterations, with an evaluation whenever there are twice as many; whether all were made that were asked for.
    fn iterate(&mut self, out: &mut dyn Write) -> Result<bool, Failure> {
        let Arguments { iterations, minutes, .. } = self.arguments;
        let effort = Effort::new(*iterations, *minutes, ITERATIONS, self.begun);
        while !effort.is_over(self.solver.iterations()) && !self.interrupt.is_raised() {
            let Self { pool, solver, source, .. } = self;
            pool.install(|| solver.advance(1, &mut |_| {})).map_err(|error| walk_refusal(&error, source))?;
            let made = self.solver.iterations();
            effort.show(made);
            if made.is_power_of_two() || effort.is_last(made) {
                self.look(&effort.bar, out)?;
            }
        }
        Ok(!self.interrupt.is_raised() || effort.is_over(self.solver.iterations()))
    }

    /// Evaluates what there is, unless that is interrupted.
    fn look(&mut self, bar: &ProgressBar, out: &mut dyn Write) -> Result<(), Failure> {
        let interrupt = self.interrupt;
        let mut go_on = |_| interrupt.flow();
        match self.point(&mut go_on) {
            Err(Failure::Interrupted) => Ok(()),
            point => bar.suspend(|| self.note(point?, out)),
        }
    }

    fn point(
        &mut self,
        progress: &mut (dyn FnMut(WalkProgress) -> ControlFlow<()> + Send),
    ) -> Result<Point, Failure> {
        let Self { pool, solver, source, begun, .. } = self;
        let took = begun.elapsed();
        let evaluation = pool.install(|| solver.evaluate(progress));
        let evaluation = evaluation.map_err(|error: WalkError| walk_refusal(&error, source))?;
        Ok(Point { iterations: solver.iterations(), took, evaluation })
    }

    /// Shows a point of the curve and keeps it.
    fn note(&mut self, point: Point, out: &mut dyn Write) -> Result<(), Failure> {
        if !self.arguments.json {
            let figures = self.figures(&point.evaluation);
            let far = point.evaluation.exploitability() / figures.scale();
            let seconds = point.took.as_secs_f64();
            writeln!(out, "{:>10} {seconds:>9.1} s  {far:.5} {}", point.iterations, figures.unit())?;
            out.flush()?;
        }
        self.curve.push(point);
        Ok(())
    }

    /// Writes the average strategy, and counts its information sets.
    fn write_policy(&mut self, path: &Path) -> Result<usize, Failure> {
        let (game, mut table) = (self.game, PolicyTable::of_game(self.game));
        let visit = |known: &InformationSet, moves: &[MoveId], strategy: &[f64]| {
            table.insert_weights(game, known, moves.iter().copied().zip(strategy.iter().copied()))
        };
        self.solver
            .each_average(self.arguments.reach_min, visit)
            .map_err(|error| Failure::refuse("bad-policy", error.to_string()))?;
        WholeFile::write_at(path, table.to_json().as_bytes())
            .map_err(|error| Failure::file("unwritable-file", path, &error))?;
        Ok(table.len())
    }

    fn figures<'f>(&'f self, evaluation: &'f Evaluation) -> Figures<'f> {
        let roles = self.solver.players().map(|role| self.game.roles().name(role)).collect();
        let information_sets = self.solver.information_sets().iter().map(|&sets| sets as u64).collect();
        Figures { source: self.source, roles, evaluation, information_sets }
    }

    fn write_sizes(&self, out: &mut dyn Write) -> Result<(), Failure> {
        let (words, sets) = (&self.source.facts.words, self.solver.information_sets());
        let each = self.solver.players().zip(&sets);
        let each =
            each.map(|(role, sets)| format!("{} {sets}", words.symbol_text(self.game.roles().name(role))));
        writeln!(
            out,
            "{}: {} states; {} information sets with a choice that matters ({})",
            self.source.name,
            self.solver.states(),
            sets.iter().sum::<usize>(),
            each.collect::<Vec<_>>().join(", "),
        )?;
        let (algorithm, memory) = (self.solver.algorithm(), bytes(self.solver.bytes()));
        let seconds = self.numbered.as_secs_f64();
        writeln!(out, "numbered in {seconds:.1} s; {algorithm} takes {memory}\n")?;
        writeln!(out, "iterations      time  exploitability")?;
        out.flush()?;
        Ok(())
    }

    fn write_end(&self, policy: Option<usize>, out: &mut dyn Write) -> Result<(), Failure> {
        let Some(last) = self.curve.last() else { return Ok(()) };
        let figures = self.figures(&last.evaluation);
        writeln!(out)?;
        write_rows(out, &figures.rows())?;
        writeln!(out, "\n{}", figures.exploitability_line())?;
        self.source.write_known(out)?;
        if let Some(kept) = policy {
            let least = self.arguments.reach_min;
            writeln!(
                out,
                "policy: {kept} information sets, those that a player's own moves lead to with a probability of {least} or more; \
                 `croupier evaluate --walk` says what it is worth"
            )?;
        }
        Ok(())
    }

    fn write_json(
        &self,
        policy: Option<usize>,
        interrupted: bool,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        let Some(last) = self.curve.last() else { return Ok(()) };
        let figures = self.figures(&last.evaluation);
        let point = |point: &Point| PointReport {
            iterations: point.iterations,
            seconds: point.took.as_secs_f64(),
            exploitability: point.evaluation.exploitability(),
        };
        let report = SolveWalkReport {
            figures: figures.report(),
            payoff: figures.payoff_report(),
            algorithm: self.solver.algorithm(),
            iterations: self.solver.iterations(),
            seconds: self.begun.elapsed().as_secs_f64(),
            build_seconds: self.numbered.as_secs_f64(),
            threads: self.arguments.threads.count(),
            states: self.solver.states(),
            information_sets: figures.information_sets.iter().sum(),
            bytes: self.solver.bytes(),
            curve: self.curve.iter().map(point).collect(),
            policy_information_sets: policy,
            interrupted,
        };
        Ok(report.write_json(out)?)
    }
}
