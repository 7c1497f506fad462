//! How good a policy is, exactly, and every information set that has a choice: both by enumerating the game.

use croupier_engine::InformationSet;
use croupier_solvers::{Evaluation, GoalSum, PlayerValue, TreeError};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    game::{GameData, PyGame},
    recall::smallest_last,
    strategies::{Enumerated, Strategies, untreed, whole_tree},
    view::PyView,
    work::interruptible,
};

/// How good a policy is against players who know it; exact.
///
/// Attributes
/// ----------
/// unit : str
///     The unit of the values: `game.unit`.
/// values : dict of str to float
///     Each player's expected result if all follow the policy.
/// best_responses : dict of str to float
///     Each player's expected result if it plays a best response to the others, who follow the policy.
/// nash_conv : float
///     The sum of the players' gains from that: 0 exactly in an equilibrium.
/// exploitability : float
///     Its mean over the players.
/// met : int
///     Information sets of the game in which a player has a choice.
/// known : int
///     Those for which the policy has an entry. In the others each legal move is equally likely, so figures of a policy that
///     knows few are mostly those of uniform play.
#[pyclass(frozen, get_all, subclass, module = "croupier", name = "Evaluation")]
#[derive(Debug)]
pub(crate) struct PyEvaluation {
    pub(crate) unit: String,
    values: Py<PyDict>,
    best_responses: Py<PyDict>,
    nash_conv: f64,
    pub(crate) exploitability: f64,
    met: usize,
    known: usize,
}

/// How many information sets of a game have a choice, and how many of them a policy has an entry for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Coverage {
    pub(crate) met: usize,
    pub(crate) known: usize,
}

impl PyEvaluation {
    /// An evaluation in the unit of the literature; `roles` are the players in their order.
    pub(crate) fn of(
        py: Python<'_>,
        data: &GameData,
        roles: &[String],
        evaluation: &Evaluation,
        coverage: Coverage,
    ) -> PyResult<Self> {
        let by_role = |value: fn(&PlayerValue) -> f64| -> PyResult<Py<PyDict>> {
            let values = PyDict::new(py);
            for (role, player) in roles.iter().zip(&evaluation.players) {
                values.set_item(role, data.payoff(value(player)))?;
            }
            Ok(values.unbind())
        };
        Ok(Self {
            unit: data.unit().to_owned(),
            values: by_role(|player| player.value)?,
            best_responses: by_role(|player| player.best_response)?,
            nash_conv: data.payoff_difference(evaluation.nash_conv()),
            exploitability: data.payoff_difference(evaluation.exploitability()),
            met: coverage.met,
            known: coverage.known,
        })
    }
}

#[pymethods]
impl PyEvaluation {
    fn __repr__(&self) -> String {
        let Self { nash_conv, exploitability, unit, .. } = self;
        format!("<croupier.Evaluation: NashConv {nash_conv:.3e}, exploitability {exploitability:.3e} {unit}>")
    }
}

/// Evaluates a policy exactly: its value, and what each player could gain by deviating.
///
/// The whole game is enumerated, as in `croupier evaluate`. Where the policy has no entry, every legal move is equally
/// likely, as when an agent plays it. A function is asked for all information sets in one call, or a few. Ctrl-C stops it.
///
/// Parameters
/// ----------
/// game : Game
/// policy : Policy, callable, or dict of str to those
///     For all players, or by role; who is not in the dict plays uniformly. A callable is a function of observations and legal moves, or a
///     torch module, as `FunctionPolicy` takes them.
/// histories_max : int, default 5000000
///     Most histories that the game may have; each takes some 50 bytes.
///
/// Returns
/// -------
/// Evaluation
///
/// Raises
/// ------
/// CroupierError
///     If the game is too large, a player cannot know its legal moves, the policy plays an illegal one, or it has entries and
///     none of them is for an information set of this game. Exceptions of a function come through as they are.
#[pyfunction]
#[pyo3(signature = (game, policy, *, histories_max = 5_000_000))]
pub(crate) fn evaluate(
    game: &Bound<'_, PyGame>,
    policy: &Bound<'_, PyAny>,
    histories_max: u64,
) -> PyResult<PyEvaluation> {
    let py = game.py();
    let whole = Enumerated::of(py, game.get(), histories_max)?;
    let Strategies { policy, coverage } = whole.strategies(game, policy)?;
    let evaluation = py.detach(|| Evaluation::new(&whole.form, &policy));
    PyEvaluation::of(py, &whole.data, &whole.roles(), &evaluation, coverage)
}

/// Lists every information set in which a player has a choice.
///
/// The whole game is enumerated. Ctrl-C stops it.
///
/// Parameters
/// ----------
/// game : Game
/// histories_max : int, default 5000000
///     Most histories that the game may have; each takes some 50 bytes.
///
/// Returns
/// -------
/// list of (View, list of str)
///     What the player did and was told, and its legal moves in canonical order, of which there are at least two; the same
///     order in every process.
///
/// Raises
/// ------
/// CroupierError
///     If the game is too large, or a player cannot know its legal moves.
///
/// Examples
/// --------
/// >>> import croupier
/// >>> len(croupier.information_sets(croupier.load("kuhn")))
/// 12
#[pyfunction]
#[pyo3(signature = (game, *, histories_max = 5_000_000))]
pub(crate) fn information_sets(
    py: Python<'_>,
    game: &PyGame,
    histories_max: u64,
) -> PyResult<Vec<(PyView, Vec<String>)>> {
    let data = &game.data;
    let found = interruptible(py, |stop| {
        let tree = whole_tree(&data.game, histories_max, stop)?;
        let set = |id| {
            let moves = tree.moves(id).iter().map(|&legal| data.game.move_text(legal).to_string());
            (PyView::of_known(data, &tree.information_set(id)), moves.collect())
        };
        Ok(tree.information_sets().map(set).collect())
    })?;
    found.map_err(|error: TreeError| untreed(&error))
}

/// What is true of all matches of a game, found by enumeration.
///
/// Parameters
/// ----------
/// game : Game
/// histories_max : int, default 5000000
///     Most histories that the game may have.
///
/// Returns
/// -------
/// dict
///     `choices_most` and `chances_most`, the most choices that players and chance make in one match; `has_perfect_information`, whether
///     whoever chooses knows the history; `goal_sum`, what the goals of all players add up to: `identical` if all always have
///     the same goal, a number if it is always the same sum, otherwise None; `goals`, by role the least and the greatest goal;
///     `smallest_last`, the fewest recent turns that `percepts` must distinguish so that no two information sets with a choice
///     look the same, None if there is no such number up to 32.
///
/// Raises
/// ------
/// CroupierError
///     If the game is too large, or a player cannot know its legal moves.
#[pyfunction]
#[pyo3(signature = (game, *, histories_max = 5_000_000))]
pub(crate) fn properties<'py>(
    py: Python<'py>,
    game: &PyGame,
    histories_max: u64,
) -> PyResult<Bound<'py, PyDict>> {
    let data = &game.data;
    let found = interruptible(py, |stop| {
        let tree = whole_tree(&data.game, histories_max, stop)?;
        let known =
            tree.information_sets().map(|id| tree.information_set(id)).collect::<Vec<InformationSet>>();
        Ok((tree.players().to_vec(), tree.properties(), smallest_last(&data.game, &known)))
    })?;
    let (players, found, last) = found.map_err(|error: TreeError| untreed(&error))?;
    let dict = PyDict::new(py);
    dict.set_item("choices_most", found.choices_most)?;
    dict.set_item("chances_most", found.chances_most)?;
    dict.set_item("has_perfect_information", found.has_perfect_information)?;
    match found.goal_sum {
        GoalSum::Identical => dict.set_item("goal_sum", "identical")?,
        GoalSum::Constant(sum) => dict.set_item("goal_sum", sum)?,
        GoalSum::General => dict.set_item("goal_sum", py.None())?,
    }
    let goals = PyDict::new(py);
    for (role, bounds) in players.into_iter().zip(found.goals) {
        goals.set_item(data.game.roles().name(role), bounds)?;
    }
    dict.set_item("goals", goals)?;
    dict.set_item("smallest_last", last)?;
    Ok(dict)
}
