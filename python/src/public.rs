//! Searches on public belief states, and their matches with themselves.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_engine::game::Looker;
use croupier_players::PolicyTable;
use croupier_public::{
    LookAhead, PublicError, PublicEyes, PublicLimits, PublicSpace, SelfPlay, SelfPlaySettings, TreeDepth,
    ValueNetwork, ZeroValues,
};
use numpy::{
    PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray2, PyUntypedArrayMethods,
    ndarray::{Array2, ShapeError},
};
use pyo3::{prelude::*, types::PyDict};

use crate::{
    errors::refused,
    game::{GameData, PyGame},
    policy::PyPolicy,
};

/// Searches on public belief states: what everybody saw of a match, and how likely each player is to have each of its private states.
///
/// A search runs discounted CFR on the public states that follow within `choices` turns with a choice, and takes the values of what lies
/// beyond from a function. It decides for all players at once, and knows nothing of other public states.
///
/// Parameters
/// ----------
/// game : Game
///     All of its public states are looked at once, to number its private states. Where they are too many and chance only deals two players
///     their hands and a board, as in hold'em, hands stand for them, and those of the same strength among all that the board leaves have the same
///     number.
/// choices : int, default 2
///     Turns with a choice that a search looks ahead.
/// iterations : int, default 256
///     Iterations of CFR of each search.
/// exploration : float, default 0.5
///     In matches with itself, the share of searches that begin at any end of the tree of the one before, each as likely.
/// queries : int, default 16
///     In matches with itself, public belief states of each search, drawn among all whose values it asks for, that are searched from and learned.
/// seed : int or str, default 0
/// histories_max : int, default 5000000
///     Histories that the public states may have, all together.
/// boards : int, default 24
///     Ways in which chance deals on, of a search from its turn in a game of hands and a board: so many are drawn if there are more.
/// growth : int, default 0
///     How often the tree of a search grows during the first half of its iterations, each time by one turn with a choice, where matches come to most if all
///     players follow the search half the time and explore otherwise.
///
/// Attributes
/// ----------
/// inputs, outputs : int
///     Numbers of a public belief state, and of its values.
/// features : list of str
///     What the first numbers of a public belief state mean if they are 1; the others are shares of ranges, in the order of the outputs.
/// private : dict of role to list of str
///     For each private state of a player one information set, or how strong hands are; all players together are the outputs, in this order.
/// listed : bool
///     Whether all public states were looked at; if not, hands stand for private states, and `policy` is refused.
/// beyond_shares : bool
///     Whether values are what hands are worth beyond their share of what is at stake if nobody bets more, which the rules tell: of games of
///     hands with few enough pairs, as royal hold'em.
/// symmetries : ndarray of int64 of shape (symmetries, inputs)
///     By symmetry of the rules that is found quickly, the identity too, the place of each number of a row in its image. Values go with the
///     last `outputs` numbers. The image of a public belief has the image of its values.
///
/// Raises
/// ------
/// CroupierError
///     If what is public cannot be read off the rules, or there are too many histories.
#[pyclass(frozen, module = "croupier._native", name = "PublicSearch")]
pub(crate) struct PyPublicSearch {
    data: Arc<GameData>,
    space: Arc<PublicSpace>,
    play: Mutex<SelfPlay>,
}

/// Public belief states, their values, and which of these there are.
type ExampleArrays<'py> = (Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>, Bound<'py, PyArray2<f32>>);

/// A function of Python as a value network.
struct Called<'f> {
    function: &'f Py<PyAny>,
    space: &'f PublicSpace,
    /// The exception that it raised.
    raised: Option<PyErr>,
}

impl ValueNetwork for Called<'_> {
    fn values(&mut self, rows: usize, inputs: &[f32]) -> Result<Vec<f32>, PublicError> {
        let asked = Python::attach(|py| -> PyResult<Vec<f32>> {
            let shaped = Array2::from_shape_vec((rows, self.space.inputs()), inputs.to_vec());
            let shaped = shaped.map_err(|error: ShapeError| refused(error))?;
            let given = self.function.call1(py, (PyArray2::from_owned_array(py, shaped),))?;
            let float32 = py.import("numpy")?.getattr("float32")?;
            let array = py.import("numpy")?.call_method1("ascontiguousarray", (given, float32))?;
            let array: PyReadonlyArray2<'_, f32> = array.extract()?;
            if array.shape() != [rows, self.space.outputs()] {
                let wanted = (rows, self.space.outputs());
                return Err(refused(format!(
                    "values must have the shape {wanted:?}, not {:?}",
                    array.shape()
                )));
            }
            let values = array.as_slice().map_err(|_| refused("values must be contiguous"))?;
            if values.iter().any(|value| !value.is_finite()) {
                return Err(refused("values must be finite; a network that gives others has diverged"));
            }
            Ok(values.to_vec())
        });
        asked.map_err(|error| {
            let text = error.to_string();
            self.raised = Some(error);
            PublicError::PolicyFailed(text)
        })
    }
}

#[pymethods]
impl PyPublicSearch {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "as Python calls it, by name")]
    #[pyo3(signature = (game, *, choices = 2, iterations = 256, exploration = 0.5, queries = 16, seed = None, histories_max = 5_000_000, boards = 24, growth = 0))]
    fn new(
        py: Python<'_>,
        game: &PyGame,
        choices: usize,
        iterations: u32,
        exploration: f64,
        queries: usize,
        seed: Option<&Bound<'_, PyAny>>,
        histories_max: usize,
        boards: usize,
        growth: u32,
    ) -> PyResult<Self> {
        if choices == 0 || iterations == 0 || boards == 0 || !(0.0..=1.0).contains(&exploration) {
            return Err(refused(
                "choices, iterations and boards must be at least 1, and exploration from 0 to 1",
            ));
        }
        let seed = seed.map_or_else(
            || Ok([0; 32]),
            |written| Ok::<_, PyErr>(crate::seed::seed(written)?.agent("public")),
        )?;
        let data = Arc::clone(&game.data);
        let ahead =
            LookAhead { depth: TreeDepth { choices, histories: histories_max, boards }, iterations, growth };
        let settings = SelfPlaySettings { exploration, queries };
        let made = py.detach(|| {
            let game = Arc::clone(&data.game);
            let (mut eyes, mut looker) = (PublicEyes::new(Arc::clone(&game))?, Looker::new(&game));
            let limits = PublicLimits { histories: histories_max };
            let space = Arc::new(PublicSpace::new(&game, &mut eyes, &mut looker, &limits)?);
            Ok((Arc::clone(&space), SelfPlay::new(game, space, ahead, settings, seed)?))
        });
        let (space, play) = made.map_err(|error: PublicError| refused(error))?;
        Ok(Self { data, space, play: Mutex::new(play) })
    }

    /// Numbers of a public belief state.
    #[getter]
    fn inputs(&self) -> usize {
        self.space.inputs()
    }

    /// Numbers of its values: private states of all players.
    #[getter]
    fn outputs(&self) -> usize {
        self.space.outputs()
    }

    /// Whether all public states were looked at; if not, hands stand for private states.
    #[getter]
    fn listed(&self) -> bool {
        self.space.is_listed()
    }

    /// Whether values are what hands are worth beyond what they get of what is at stake if nobody bets more.
    #[getter]
    fn beyond_shares(&self) -> bool {
        self.space.has_shares()
    }

    /// What the first numbers of a public belief state mean if they are 1.
    #[getter]
    fn features(&self) -> Vec<String> {
        self.space.public_names().to_vec()
    }

    /// For each private state of a player one information set, by role.
    #[getter]
    fn private<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let by_role = PyDict::new(py);
        let roles = self.data.game.roles();
        for (role, names) in roles.players().zip(self.space.private_names()) {
            by_role.set_item(roles.name(role), names.clone())?;
        }
        Ok(by_role)
    }

    /// By symmetry of the rules that is found quickly, the identity too, the place of each number of a row in its image.
    #[getter]
    fn symmetries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<i64>>> {
        let found = self.space.symmetries(&self.data.game).map_err(refused)?;
        let all: Vec<i64> = found.iter().flatten().map(|&place| place as i64).collect();
        PyArray1::from_vec(py, all).reshape([found.len(), self.space.inputs()])
    }

    /// How far the draws of its matches have come: an integer, for `go_to` of another one with the same seed.
    #[getter]
    fn position(&self, py: Python<'_>) -> u128 {
        py.detach(|| self.play.lock().unwrap_or_else(PoisonError::into_inner).position())
    }

    /// Goes on with the draws from a position.
    fn go_to(&self, py: Python<'_>, position: u128) {
        py.detach(|| self.play.lock().unwrap_or_else(PoisonError::into_inner).go_to(position));
    }

    /// Plays matches of the search with itself, side by side, each as a player drawn for it plays in a seat, and searches from some of what these
    /// searches ask. The values of the leaves of many searches are asked for together.
    ///
    /// Parameters
    /// ----------
    /// values : callable, optional
    ///     From public belief states, float32 of shape (rows, inputs), to their values, of shape (rows, outputs): for each private state the
    ///     expected goal, from -1 for the least goal of the game to 1 for the greatest; for hands, of what is at stake as long as nobody does
    ///     more than it takes until the hands decide, and beyond what they get then if `beyond_shares` is true. By default everything is worth
    ///     nothing, and the values that are found are whole.
    /// matches : int, default 1
    ///
    /// Returns
    /// -------
    /// rows, values, weights : ndarray of float32
    ///     The public belief states that were searched, of shape (N, inputs); the values that were found, of shape (N, outputs); and the
    ///     probability of chance and of the others' moves, by which a value counts in a search: the greatest of each row is 1, and it is 0
    ///     where there is no value.
    #[pyo3(signature = (values = None, *, matches = 1))]
    fn play<'py>(
        &self,
        py: Python<'py>,
        values: Option<Py<PyAny>>,
        matches: usize,
    ) -> PyResult<ExampleArrays<'py>> {
        let found = self.with(py, values, |play, network| play.play(network, matches))?;
        let rows = |row: fn(&croupier_public::Example) -> &Vec<f32>, width: usize| {
            let all: Vec<f32> = found.iter().flat_map(row).copied().collect();
            PyArray1::from_vec(py, all).reshape([found.len(), width])
        };
        let outputs = self.space.outputs();
        Ok((
            rows(|example| &example.row, self.space.inputs())?,
            rows(|example| &example.values, outputs)?,
            rows(|example| &example.weights, outputs)?,
        ))
    }

    /// What the search does in every information set of the game, if it is played by it from the beginning.
    ///
    /// It decides for the turns that it looks ahead, by average strategies, and is made anew where its tree ends. From there on each
    /// opponent has the choice to take what the search before found it to be worth (continual re-solving, Moravčík et al. 2017).
    ///
    /// Parameters
    /// ----------
    /// values : callable, optional
    ///     As for `play`.
    ///
    /// Returns
    /// -------
    /// Policy
    ///     For `evaluate`: the search itself stores none.
    #[pyo3(signature = (values = None))]
    fn policy(&self, py: Python<'_>, values: Option<Py<PyAny>>) -> PyResult<PyPolicy> {
        let found = self.with(py, values, |play, network| play.strategies(network))?;
        let mut table = PolicyTable::default();
        for strategy in found {
            let moves = strategy.legal.into_iter().zip(strategy.probabilities);
            table.insert_weights(&self.data.game, &strategy.known, moves).map_err(refused)?;
        }
        Ok(PyPolicy::of(table))
    }
}

impl PyPublicSearch {
    /// Runs something with a function of Python, without the interpreter lock but when that is called.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        values: Option<Py<PyAny>>,
        what: impl FnOnce(&mut SelfPlay, &mut dyn ValueNetwork) -> Result<T, PublicError> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut play = self.play.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(function) = &values else {
                let mut zero = ZeroValues { outputs: self.space.outputs() };
                return what(&mut play, &mut zero).map_err(refused);
            };
            let mut called = Called { function, space: &self.space, raised: None };
            let done = what(&mut play, &mut called);
            done.map_err(|error| called.raised.take().unwrap_or_else(|| refused(error)))
        })
    }
}
