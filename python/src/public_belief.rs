//! Public belief states: what everybody knows of a match.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_belief::Basis;
use croupier_engine::{Game, MoveId, Percepts, game::Looker};
use croupier_public::{
    PrivateState, PublicBeliever, PublicError, PublicEyes, PublicLimits, PublicMethods, PublicOutlook,
};
use croupier_referee::{Seed, read_records, replay};
use numpy::{PyArray1, PyArray2, PyArrayMethods};
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString, PyTuple, PyType},
};

use crate::{
    belief::{WrittenModels, sample},
    errors::{RecordError, refused},
    function::CalledPolicy,
    game::{GameData, PyGame},
    html::table,
    one_match::PyMatch,
    role,
    seed::seed,
    view::PyView,
};

/// What everybody knows of a match: what was public in each turn, and how likely each player is to have each of its private states.
///
/// A private state of a player is one of its information sets in which the same was public. Its *range* is how likely the player's own
/// moves, under a policy that everybody knows, lead to each of them: values and policies of a search are functions of what is public and
/// of the ranges of all players. What is public is read off the rules: what `sees` tells all players or none. The numbers are those of
/// `croupier belief --public` with the same options.
///
/// Immutable: `advance` and `of` give others.
///
/// Parameters
/// ----------
/// game : Game
/// policy : Policy, callable, str, or dict of str to these; optional
///     How the players choose, as `opponents` of `Belief`: for all of them, or by role. Mixed with a tenth of uniform play, so that
///     nothing is impossible. By default uniform play.
/// told : list of list of str, optional
///     What was public in each turn so far.
/// particles : int, default 2000
///     The sample size, from 1 to 1000000.
/// seed : int or str, default 0
///     Seed of the sample.
/// method : str, default "auto"
///     `exact`: all histories in which the same was public, up to 500,000. `particle`: a random sample of them. `auto`: exact, unless
///     there are more than 100,000.
///
/// Raises
/// ------
/// CroupierError
///     If what is public cannot be read off the rules, no match leads to what was told, or there are too many histories for `exact`.
///
/// Examples
/// --------
/// >>> kuhn = croupier.load("kuhn")
/// >>> public = croupier.PublicBelief(kuhn, told=[[], [], ["(did alice bet)"]])
/// >>> public.private["bob"]
/// >>> public.range("alice"), public.probabilities("bob")
#[pyclass(frozen, module = "croupier", name = "PublicBelief")]
#[derive(Debug)]
pub(crate) struct PyPublicBelief {
    table: PublicTable,
    /// From which the next one is worked out, until it is used.
    believer: Mutex<Option<PublicBeliever>>,
    outlook: PublicOutlook,
    /// The arguments of the constructor, in order.
    arguments: Py<PyTuple>,
}

/// Private states by history and player, and the probability of each history.
type JointArrays<'py> = (Bound<'py, PyArray2<u32>>, Bound<'py, PyArray1<f64>>);

/// The game that a public belief is of, and the functions by which the players are taken to choose.
#[derive(Clone, Debug)]
struct PublicTable {
    data: Arc<GameData>,
    /// The game that the private states are of.
    game: Arc<Game>,
    functions: Vec<Arc<CalledPolicy>>,
}

/// The place of what was told among the arguments.
const TOLD: usize = 2;

/// Histories that are enumerated before a sample is taken, as for `Belief`.
const AUTO: PublicLimits = PublicLimits { histories: 100_000 };

/// What was public in each turn, as texts.
type Told = Vec<Vec<String>>;

fn methods(method: &str, particles: usize, seed: &Seed) -> PyResult<PublicMethods> {
    let sample = Some((sample(particles)?, seed.agent("public")));
    match method {
        "auto" => Ok(PublicMethods { exact: Some(AUTO), sample }),
        "exact" => Ok(PublicMethods { exact: Some(PublicLimits::STANDARD), sample: None }),
        "particle" => Ok(PublicMethods { exact: None, sample }),
        other => Err(refused(format!("the method must be 'auto', 'exact' or 'particle', not '{other}'"))),
    }
}

impl PyPublicBelief {
    /// The public belief after more turns.
    fn after(
        py: Python<'_>,
        table: PublicTable,
        mut believer: PublicBeliever,
        told: &[Percepts],
        arguments: Py<PyTuple>,
    ) -> PyResult<Self> {
        let outlook = py.detach(|| {
            told.iter().try_for_each(|told| believer.advance(told))?;
            believer.outlook()
        });
        table.functions.iter().try_for_each(|function| function.raised())?;
        let outlook = outlook.map_err(|error: PublicError| refused(error))?;
        py.check_signals()?;
        Ok(Self { table, believer: Mutex::new(Some(believer)), outlook, arguments })
    }

    /// The place of a player among the players.
    fn player(&self, role: &str) -> PyResult<usize> {
        let role = role::player(self.table.data.game.roles(), role)?;
        let players = self.outlook.belief.node().players();
        players.iter().position(|&player| player == role).ok_or_else(|| refused("no player"))
    }

    fn private_states(&self, role: &str) -> PyResult<&[PrivateState]> {
        Ok(self.outlook.belief.node().private(self.player(role)?))
    }

    /// The same with other turns, worked out from the beginning.
    fn again<'py>(&self, py: Python<'py>, told: &Told) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<Self>().call1(self.with_told(py, told)?)
    }

    fn with_told<'py>(&self, py: Python<'py>, told: &Told) -> PyResult<Bound<'py, PyTuple>> {
        let mut items: Vec<Bound<'py, PyAny>> = self.arguments.bind(py).iter().collect();
        items[TOLD] = told.into_pyobject(py)?.into_any();
        PyTuple::new(py, items)
    }

    /// What was public in the first turns of a match, of a player's view of it, or of a record.
    fn told_of(&self, py: Python<'_>, source: &Bound<'_, PyAny>, turn: Option<usize>) -> PyResult<Told> {
        let own = self.outlook.belief.node().players().first();
        let own = own.map(|&role| self.table.data.game.roles().name(role)).unwrap_or_default();
        let view = if let Ok(view) = source.cast::<PyView>() {
            view.get().clone()
        } else if let Ok(played) = source.cast::<PyMatch>() {
            played.get().view(py, own)?
        } else if let Ok(record) = source.cast::<PyString>() {
            let text = record.to_cow()?.into_owned();
            py.detach(|| self.recorded(&text, own)).map_err(RecordError::new_err)?
        } else {
            return Err(PyTypeError::new_err(
                "a public belief is of a Match, a View, or the text of a record",
            ));
        };
        view.check(&self.table.data, view.role)?;
        let known = view.known(&self.table.game)?;
        let turns = turn.unwrap_or(known.turns.len());
        if turns > known.turns.len() {
            return Err(refused(format!("there are {} turns, not {turns}", known.turns.len())));
        }
        let mut eyes = PublicEyes::new(Arc::clone(&self.table.game)).map_err(refused)?;
        let public = known.turns[..turns].iter().map(|(_, percepts)| eyes.public(percepts));
        Ok(public.map(|told| texts(&self.table.game, &told)).collect())
    }

    /// The view of a player in the only match of a record.
    fn recorded(&self, text: &str, role: &str) -> Result<PyView, String> {
        let records = read_records(text.as_bytes()).map_err(|error| format!("not a record: {error}"))?;
        let [record] = records.as_slice() else {
            return Err(format!("a record of one match is expected, not of {}", records.len()));
        };
        let replayed = replay(record).map_err(|error| format!("the match differs at {error}"))?;
        if replayed.header().setup().rules != self.table.data.rules {
            return Err("the record is of a game with other rules".to_owned());
        }
        let role = replayed.header().roles().find(role).ok_or("the record is of other roles")?;
        let own = replayed.own_history(role, replayed.turns().len()).ok_or("nobody has this role")?;
        Ok(PyView::of(&self.table.data, &own))
    }
}

fn texts(game: &Game, told: &Percepts) -> Vec<String> {
    game.percept_terms(told).iter().map(ToString::to_string).collect()
}

#[pymethods]
impl PyPublicBelief {
    #[new]
    #[pyo3(signature = (game, policy = None, told = None, particles = 2000, seed = None, method = "auto"))]
    #[expect(clippy::too_many_arguments, reason = "all but one are named in a call, and have defaults")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyGame>,
        policy: Option<&Bound<'_, PyAny>>,
        told: Option<Told>,
        particles: usize,
        seed: Option<&Bound<'_, PyAny>>,
        method: &str,
    ) -> PyResult<Self> {
        // A dict that is changed later changes nothing here.
        let kept = policy.map(|written| match written.cast::<PyDict>() {
            Ok(by_role) => by_role.copy().map(Bound::into_any),
            Err(_) => Ok(written.clone()),
        });
        let told = told.unwrap_or_default();
        let arguments = (game, kept.transpose()?, &told, particles, seed, method);
        let arguments = arguments.into_pyobject(py)?.unbind();
        let data = Arc::clone(&game.get().data);
        let seed = seed.map_or_else(|| Seed::from_text("0").map_err(refused), self::seed)?;
        let methods = methods(method, particles, &seed)?;
        let read = policy.map(|written| WrittenModels::read(game, written)).transpose()?;
        let WrittenModels { models, functions } = read.unwrap_or_default();
        // Terms of its own: what others ask of the game changes nothing here.
        let game = Arc::new(data.game.fork());
        let percepts =
            |told: &Vec<String>| game.percepts_of(told.iter().map(String::as_str)).map_err(refused);
        let told: Vec<Percepts> = told.iter().map(percepts).collect::<PyResult<_>>()?;
        let believer = py.detach(|| {
            let opponents = models.of_all(&game).map_err(|error| error.to_string())?;
            PublicBeliever::new(Arc::clone(&game), methods, &opponents).map_err(|error| error.to_string())
        });
        let table = PublicTable { data, game, functions };
        Self::after(py, table, believer.map_err(refused)?, &told, arguments)
    }

    /// The public belief after one more turn: the same as a new one that is told this as well, worked out from this one instead of from
    /// the start of the match. Quick once; a second call starts over.
    ///
    /// Parameters
    /// ----------
    /// told : list of str
    ///     What became public, in any order.
    ///
    /// Returns
    /// -------
    /// PublicBelief
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If this cannot become public, or is no term.
    fn advance<'py>(&self, py: Python<'py>, told: Vec<String>) -> PyResult<Bound<'py, PyAny>> {
        let next = self.table.game.percepts_of(told.iter().map(String::as_str)).map_err(refused)?;
        let mut all = self.told();
        all.push(texts(&self.table.game, &next));
        let believer = self.believer.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some(believer) = believer else { return self.again(py, &all) };
        let arguments = self.with_told(py, &all)?.unbind();
        let next = Self::after(py, self.table.clone(), believer, &[next], arguments)?;
        Ok(Bound::new(py, next)?.into_any())
    }

    /// The public belief of a turn of a match, with the same policy and method: what everybody knows, and nothing else of the match.
    ///
    /// Parameters
    /// ----------
    /// source : Match, View or str
    ///     A match; what any player knows of it, which gives the same for all players; or the text of a record of one match.
    /// turn : int, optional
    ///     Turns that were played; by default all of them.
    ///
    /// Returns
    /// -------
    /// PublicBelief
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the match is of another game, or has not come to this turn.
    /// RecordError
    ///     If the text is no record of a match of this game.
    #[pyo3(signature = (source, turn = None))]
    fn of<'py>(
        &self,
        py: Python<'py>,
        source: &Bound<'py, PyAny>,
        turn: Option<usize>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let told = self.told_of(py, source, turn)?;
        self.again(py, &told)
    }

    /// What was public in each turn: list of list of str, in canonical order.
    #[getter]
    fn told(&self) -> Told {
        self.outlook.belief.node().told().iter().map(|told| texts(&self.table.game, told)).collect()
    }

    /// What can become public in the next turn, in canonical order; empty if the match is over.
    ///
    /// Returns
    /// -------
    /// list of list of str
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the public belief is sampled, so that it is not known, or there are too many histories.
    fn outcomes(&self, py: Python<'_>) -> PyResult<Told> {
        let node = self.outlook.belief.node();
        if node.is_sampled() {
            return Err(refused(
                "the public belief is a sample, which does not say what else can become public",
            ));
        }
        let nodes = py.detach(|| {
            let mut eyes = PublicEyes::new(Arc::clone(&self.table.game))?;
            node.expand(&mut eyes, &mut Looker::new(&self.table.game), &PublicLimits::STANDARD)
        });
        let nodes = nodes.map_err(refused)?;
        Ok(nodes
            .iter()
            .filter_map(|node| node.told().last())
            .map(|told| texts(&self.table.game, told))
            .collect())
    }

    /// Whether the public belief comes from all histories in which the same was public, and not from a sample.
    #[getter]
    fn exact(&self) -> bool {
        self.outlook.basis.is_exact()
    }

    /// How many histories the public belief comes from: all, or the particles of a sample. Histories that lead to the same state and to
    /// the same private states are one.
    #[getter]
    fn histories(&self) -> u64 {
        self.outlook.basis.count()
    }

    /// How many equally heavy particles would be as good as the sample: float; None if the public belief is exact.
    #[getter]
    fn effective_particles(&self) -> Option<f64> {
        self.outlook.basis.effective()
    }

    /// For each player the private states that are possible, or were found, as texts of information sets: dict of role to list of str.
    /// The arrays of `range` and `probabilities` are in this order.
    #[getter]
    fn private<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let by_role = PyDict::new(py);
        let node = self.outlook.belief.node();
        for (player, &role) in node.players().iter().enumerate() {
            let states = node.private(player).iter();
            let keys: Vec<String> = states.map(|state| self.view_of(state).key()).collect();
            by_role.set_item(self.table.game.roles().name(role), keys)?;
        }
        Ok(by_role)
    }

    /// The private states of a player as views.
    ///
    /// Parameters
    /// ----------
    /// role : str
    ///
    /// Returns
    /// -------
    /// list of View
    ///     In the order of `private`.
    fn views(&self, role: &str) -> PyResult<Vec<PyView>> {
        let states = self.private_states(role)?.iter();
        Ok(states.map(|state| self.view_of(state)).collect())
    }

    /// The legal moves of a player in each of its private states.
    ///
    /// Parameters
    /// ----------
    /// role : str
    ///
    /// Returns
    /// -------
    /// list of list of str
    ///     In the order of `private`, moves in canonical order; none where the match is over.
    fn moves(&self, role: &str) -> PyResult<Told> {
        let text = |played: &MoveId| self.table.game.move_text(*played).to_string();
        let states = self.private_states(role)?.iter();
        Ok(states.map(|state| state.legal.iter().map(text).collect()).collect())
    }

    /// A player's range.
    ///
    /// Parameters
    /// ----------
    /// role : str
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (private states,)
    ///     For each private state how likely the player's own moves lead to it, up to a common factor: the greatest is 1.
    fn range<'py>(&self, py: Python<'py>, role: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        Ok(PyArray1::from_slice(py, self.outlook.belief.range(self.player(role)?)))
    }

    /// How likely a player is to have each of its private states, given what is public.
    ///
    /// Parameters
    /// ----------
    /// role : str
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (private states,)
    ///     With the sum one. Chance, the range of the player and those of the others are all in it.
    fn probabilities<'py>(&self, py: Python<'py>, role: &str) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let player = self.player(role)?;
        Ok(PyArray1::from_vec(py, py.detach(|| self.outlook.belief.private_probabilities(player))))
    }

    /// Which private states the players have together in each history, and how likely that is.
    ///
    /// Returns
    /// -------
    /// private : ndarray of uint32, shape (histories, players)
    ///     The places of the private states in `private`, players in the order of `Game.roles`.
    /// probabilities : ndarray of float64, shape (histories,)
    ///     With the sum one.
    fn joint<'py>(&self, py: Python<'py>) -> PyResult<JointArrays<'py>> {
        let belief = &self.outlook.belief;
        let histories = belief.node().histories();
        let private: Vec<u32> = histories.iter().flat_map(|history| &history.private).copied().collect();
        let shape = [histories.len(), belief.node().players().len()];
        let private = PyArray1::from_vec(py, private).reshape(shape)?;
        Ok((private, PyArray1::from_vec(py, belief.probabilities())))
    }

    /// The state that each history leads to.
    ///
    /// Returns
    /// -------
    /// list of list of str
    ///     The facts that are true, in canonical order; histories in the order of `joint`.
    fn states(&self, py: Python<'_>) -> Told {
        let facts = |state| self.table.game.state_terms(state).iter().map(ToString::to_string).collect();
        let histories = self.outlook.belief.node().histories();
        py.detach(|| histories.iter().map(|history| facts(&history.state)).collect())
    }

    /// The public belief as a table, for notebooks: the likeliest private states of each player.
    fn _repr_html_(&self) -> String {
        let (belief, node) = (&self.outlook.belief, self.outlook.belief.node());
        let mut rows = Vec::new();
        for (player, &role) in node.players().iter().enumerate() {
            let shares = belief.private_probabilities(player);
            let mut ranked: Vec<(usize, f64)> = shares.into_iter().enumerate().collect();
            ranked.sort_by(|(_, one), (_, other)| other.total_cmp(one));
            let name = self.table.game.roles().name(role);
            for &(place, share) in ranked.iter().take(ROWS_SHOWN) {
                let text = self.view_of(&node.private(player)[place]).key();
                let range = format!("{:.3}", belief.range(player)[place]);
                rows.push(vec![name.to_owned(), text, range, format!("{:.2} %", 100.0 * share)]);
            }
            if let hidden @ 1.. = ranked.len().saturating_sub(ROWS_SHOWN) {
                rows.push(vec![name.to_owned(), format!("{hidden} more"), String::new(), String::new()]);
            }
        }
        table(&self.summary(), &["player", "private state", "range", "probability"], &rows)
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyDict>) -> PyRef<'py, Self> {
        slf
    }

    /// The constructor arguments; the public belief is worked out again when unpickled.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, Bound<'py, PyTuple>) {
        (py.get_type::<Self>(), self.arguments.bind(py).clone())
    }

    fn __len__(&self) -> usize {
        self.outlook.belief.node().told().len()
    }

    fn __repr__(&self) -> String {
        format!("<croupier.PublicBelief of {}>", self.summary())
    }
}

/// Private states of a player that a table shows.
const ROWS_SHOWN: usize = 10;

impl PyPublicBelief {
    fn summary(&self) -> String {
        let turns = self.outlook.belief.node().told().len();
        let basis = match self.outlook.basis {
            Basis::Histories(count) => format!("{count} histories, exact"),
            Basis::Particles { count, effective } => {
                format!("{count} particles, as good as {effective:.0}")
            }
        };
        format!("{} after {turns} turns: {basis}", self.table.data.name)
    }

    fn view_of(&self, state: &PrivateState) -> PyView {
        PyView::of_known_in(&self.table.data, &self.table.game, &state.known)
    }
}
