//! Solving games that are small enough to be enumerated.

use std::{
    num::NonZeroU32,
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use croupier_engine::Game;
use croupier_players::{PolicyTable, PolicyTableError, policy_table};
use croupier_referee::Seed;
use croupier_solvers::{
    Algorithm, Evaluation, GameTree, Samples, SequenceForm, Solver, TreeError, TreeLimits, UnknownAlgorithm,
};
use pyo3::prelude::*;

use crate::{
    errors::refused,
    evaluation::{Coverage, PyEvaluation},
    game::{GameData, PyGame},
    policy::PyPolicy,
    seed::seed,
};

/// Numbers that are computed before anybody looks whether to stop.
const NUMBERS_PER_STEP: u64 = 1 << 22;

/// Most samples that a player draws in an iteration.
const SAMPLES_MAX: u32 = 1_000_000;

/// A solved game: an average policy, and its exact `Evaluation`, whose attributes a solution has too.
///
/// Attributes
/// ----------
/// policy : Policy
/// algorithm : str
/// iterations : int
/// information_sets : int
///     The number of information sets in which a player has a choice, up to symmetries of the rules.
#[pyclass(frozen, get_all, extends = PyEvaluation, module = "croupier", name = "Solution")]
#[derive(Debug)]
pub(crate) struct PySolution {
    policy: PyPolicy,
    algorithm: &'static str,
    iterations: u64,
    information_sets: usize,
}

#[pymethods]
impl PySolution {
    fn __repr__(slf: &Bound<'_, Self>) -> String {
        let Self { algorithm, iterations, .. } = slf.get();
        let PyEvaluation { exploitability, unit, .. } = slf.as_super().get();
        format!(
            "<croupier.Solution: {iterations} iterations of {algorithm}, exploitability {exploitability:.3e} {unit}>"
        )
    }
}

/// How a game is solved.
struct SolvePlan {
    algorithm: Algorithm,
    iterations: u64,
    samples: Samples,
    histories_max: u64,
}

/// The result.
struct Solved {
    table: PolicyTable,
    evaluation: Evaluation,
    roles: Vec<String>,
    information_sets: usize,
}

/// Why nothing did.
enum Unsolved {
    Tree(TreeError),
    Table(PolicyTableError),
}

impl From<TreeError> for Unsolved {
    fn from(error: TreeError) -> Self {
        Self::Tree(error)
    }
}

impl From<PolicyTableError> for Unsolved {
    fn from(error: PolicyTableError) -> Self {
        Self::Table(error)
    }
}

impl SolvePlan {
    fn solve(&self, game: &Game, stop: &AtomicBool) -> Result<Solved, Unsolved> {
        let tree = self.tree(game, stop)?;
        let form = SequenceForm::new(&tree);
        let mut solver = Solver::new(&tree, &form, self.algorithm, self.samples);
        let step = (NUMBERS_PER_STEP / form.sequences_count().max(1) as u64).max(1);
        while solver.iterations() < self.iterations {
            if stop.load(Ordering::Relaxed) {
                return Err(Unsolved::Tree(TreeError::Interrupted));
            }
            solver.advance(step.min(self.iterations - solver.iterations()));
        }
        let policy = solver.average_policy();
        Ok(Solved {
            table: policy_table(game, &tree, &form, &policy)?,
            evaluation: Evaluation::new(&form, &policy),
            roles: tree.players().iter().map(|&role| game.roles().name(role).to_owned()).collect(),
            information_sets: tree.information_sets_count(),
        })
    }

    /// The tree with one deal in the place of all that symmetries of the rules exchange with it.
    fn tree(&self, game: &Game, stop: &AtomicBool) -> Result<GameTree, TreeError> {
        let limits = TreeLimits { histories_max: self.histories_max };
        let mut progress = |_| match stop.load(Ordering::Relaxed) {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        GameTree::compact(game, &limits, &mut progress)
    }
}

/// Solves a game by counterfactual regret minimisation.
///
/// The whole game is enumerated first, up to symmetries of its deals. In two-player zero-sum games the average policy converges to an
/// equilibrium; in other games `nash_conv` shows how close it came. The result is the
/// same on any number of threads. Ctrl-C stops it.
///
/// Parameters
/// ----------
/// game : Game
/// algorithm : str, default "cfr+"
///     `cfr`, `cfr+`, `linear-cfr`, `discounted-cfr`, `external-sampling` or `outcome-sampling`.
/// iterations : int, default 1000
/// seed : int or str, default 0
///     What samples are drawn from; only the last two algorithms draw any.
/// samples : int, default 1
///     How many samples each player draws in an iteration, from 1 to 1000000.
/// histories_max : int, default 5000000
///     Most histories that the game may have; each takes some 50 bytes.
///
/// Returns
/// -------
/// Solution
///
/// Raises
/// ------
/// CroupierError
///     If the game is too large, a player cannot know its legal moves, or there is no such algorithm.
#[pyfunction]
#[pyo3(signature = (game, algorithm = "cfr+", *, iterations = 1000, seed = None, samples = 1, histories_max = 5_000_000))]
#[expect(clippy::too_many_arguments, reason = "all but two are named in a call, and have defaults")]
pub(crate) fn solve(
    py: Python<'_>,
    game: &PyGame,
    algorithm: &str,
    iterations: u64,
    seed: Option<&Bound<'_, PyAny>>,
    samples: u32,
    histories_max: u64,
) -> PyResult<Py<PySolution>> {
    let algorithm: Algorithm = algorithm.parse().map_err(|error: UnknownAlgorithm| refused(error))?;
    let per_iteration = NonZeroU32::new(samples).filter(|samples| samples.get() <= SAMPLES_MAX);
    let per_iteration = per_iteration
        .ok_or_else(|| refused(format!("samples must be from 1 to {SAMPLES_MAX}, not {samples}")))?;
    let seed = seed.map_or_else(|| Seed::from_text("0").map_err(refused), self::seed)?;
    let samples = Samples { seed: seed.agent("solve"), per_iteration };
    let course = SolvePlan { algorithm, iterations, samples, histories_max };
    let data: &Arc<GameData> = &game.data;
    let solved = crate::work::interruptible(py, |stop| course.solve(&data.game, stop))?;
    let Solved { table, evaluation, roles, information_sets } = solved.map_err(unsolved)?;
    let coverage = Coverage { met: table.len(), known: table.len() };
    let evaluation = PyEvaluation::of(py, data, &roles, &evaluation, coverage)?;
    let policy = PyPolicy::of(table);
    let solution = PySolution { policy, algorithm: algorithm.name(), iterations, information_sets };
    Py::new(py, PyClassInitializer::from(evaluation).add_subclass(solution))
}

fn unsolved(error: Unsolved) -> PyErr {
    match error {
        Unsolved::Tree(error @ TreeError::TooLarge { .. }) => refused(format!(
            "{error}; histories_max allows more, and agents such as 'ismcts' play larger games"
        )),
        Unsolved::Tree(error) => refused(error),
        Unsolved::Table(error) => refused(error),
    }
}
