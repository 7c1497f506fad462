//! How good a policy is, exactly, and every information set that has a choice: both by enumerating the game.

use std::{
    ops::ControlFlow,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use croupier_engine::{Game, InformationSet, MoveId};
use croupier_players::TablePolicy;
use croupier_solvers::{
    Evaluation, GameTree, GoalSum, InformationSetId, PlayerValue, Policy, SequenceForm, TreeError, TreeLimits,
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    errors::refused,
    game::{GameData, PyGame},
    policy::PyPolicy,
    recall::smallest_last,
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

/// Why the evaluation failed.
enum Unevaluated {
    Tree(TreeError),
    /// The policy plays an illegal move.
    Move {
        information_set: String,
        played: String,
    },
    /// It has entries, and none of them for this game.
    Unfit {
        /// Information sets of the game.
        met: usize,
    },
}

/// The whole tree, with every deal: a policy may distinguish what symmetries of the rules exchange.
pub(crate) fn whole_tree(game: &Game, histories_max: u64, stop: &AtomicBool) -> Result<GameTree, TreeError> {
    let mut progress = |_| match stop.load(Ordering::Relaxed) {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    GameTree::within(game, &TreeLimits { histories_max }, &mut progress)
}

/// A table's probability of each of the moves; `None` if it has no entry.
///
/// # Errors
/// The information set, and a move with a probability that is not among them.
fn probabilities(
    game: &Game,
    tree: &GameTree,
    id: InformationSetId,
    table: &TablePolicy,
) -> Result<Option<Vec<f64>>, Unevaluated> {
    let moves = tree.moves(id);
    let known = tree.information_set(id);
    let Some(entry) = table.entry(&known) else {
        return Ok(None);
    };
    let texts: Vec<Arc<str>> = moves.iter().map(|&legal: &MoveId| game.move_text(legal)).collect();
    let is_legal = |played: &str| texts.iter().any(|text| **text == *played);
    if let Some((played, _)) = entry.iter().find(|(played, p)| **p > 0.0 && !is_legal(played)) {
        let information_set = game.information_set_text(&known);
        return Err(Unevaluated::Move { information_set, played: played.clone() });
    }
    Ok(Some(texts.iter().map(|text| entry.get(&**text).copied().unwrap_or(0.0)).collect()))
}

/// The players' names, the value of the policy for them, and how much of the game it knows.
fn evaluated(
    game: &Game,
    table: &TablePolicy,
    histories_max: u64,
    stop: &AtomicBool,
) -> Result<(Vec<String>, Evaluation, Coverage), Unevaluated> {
    let tree = whole_tree(game, histories_max, stop).map_err(Unevaluated::Tree)?;
    let form = SequenceForm::new(&tree);
    let said: Result<Vec<Option<Vec<f64>>>, Unevaluated> =
        tree.information_sets().map(|id| probabilities(game, &tree, id, table)).collect();
    let said = said?;
    let coverage = Coverage { met: said.len(), known: said.iter().flatten().count() };
    // A policy without entries is uniform play, as it was written.
    if coverage.known == 0 && coverage.met > 0 && !table.table().is_empty() {
        return Err(Unevaluated::Unfit { met: coverage.met });
    }
    let policy = Policy::from_fn(&form, |id, written| match &said[id.index()] {
        Some(said) => written.copy_from_slice(said),
        None => written.fill(1.0 / written.len() as f64),
    });
    let roles = tree.players().iter().map(|&role| game.roles().name(role).to_owned());
    Ok((roles.collect(), Evaluation::new(&form, &policy), coverage))
}

/// Evaluates a policy exactly: its value, and what each player could gain by deviating.
///
/// The whole game is enumerated, as in `croupier evaluate`. Where the policy has no entry, every legal move is equally
/// likely, as when an agent plays it. Ctrl-C stops it.
///
/// Parameters
/// ----------
/// game : Game
/// policy : Policy
///     The same for all players.
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
///     none of them is for an information set of this game.
#[pyfunction]
#[pyo3(signature = (game, policy, *, histories_max = 5_000_000))]
pub(crate) fn evaluate(
    py: Python<'_>,
    game: &PyGame,
    policy: &PyPolicy,
    histories_max: u64,
) -> PyResult<PyEvaluation> {
    let data = &game.data;
    let table = &Arc::clone(&policy.table).into_policy(Arc::clone(&data.game)).map_err(refused)?;
    let found = interruptible(py, |stop| evaluated(&data.game, table, histories_max, stop))?;
    let (roles, evaluation, coverage) = found.map_err(|error| match error {
        Unevaluated::Tree(error) => untreed(&error),
        Unevaluated::Move { information_set, played } => {
            refused(format!("the policy plays '{played}' in {information_set}, where it is not legal"))
        }
        Unevaluated::Unfit { met } => refused(format!(
            "the policy knows 0 of {met} information sets: it was made for another game or for other rules"
        )),
    })?;
    PyEvaluation::of(py, data, &roles, &evaluation, coverage)
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

/// The error if the game cannot be enumerated.
pub(crate) fn untreed(error: &TreeError) -> PyErr {
    match error {
        TreeError::TooLarge { .. } => refused(format!("{error}; histories_max allows more")),
        error => refused(error),
    }
}
