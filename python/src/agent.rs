//! Agents: every player of the command line, for use from Python.

use std::{
    collections::VecDeque,
    fs,
    path::Path,
    sync::{Arc, LazyLock, Mutex, PoisonError, atomic::Ordering},
};

use croupier_engine::{Game, MoveId, RoleId};
use croupier_games::blueprints;
use croupier_nets::{Net, ValueNet};
use croupier_players::{
    Budget, Decision, KindError, KindFile, KindFormat, Player, PlayerError, PlayerKind, Solutions, StopReason,
};
use croupier_referee::Seed;
use pyo3::{
    IntoPyObjectExt as _,
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString, PyTuple},
};

use crate::{
    errors::{CroupierError, refused, unreadable},
    function::CalledPolicy,
    game::{GameData, PyGame},
    policy::PyPolicy,
    role,
    seed::seed,
    view::PyView,
    work::{attended, interruptible},
};

/// The knowledge shared by all agents of this process: bundled strategies, and solutions computed so far.
static SOLUTIONS: LazyLock<Solutions> = LazyLock::new(|| Solutions::with_blueprints(blueprints()));

/// Why a text is not an agent.
enum NoAgent {
    Kind(KindError),
    Python(PyErr),
}

impl From<KindError> for NoAgent {
    fn from(error: KindError) -> Self {
        Self::Kind(error)
    }
}

impl From<PyErr> for NoAgent {
    fn from(error: PyErr) -> Self {
        Self::Python(error)
    }
}

impl From<NoAgent> for PyErr {
    fn from(error: NoAgent) -> Self {
        match error {
            NoAgent::Kind(error) => refused(error),
            NoAgent::Python(error) => error,
        }
    }
}

/// The kind of agent that a text names, with the files that it names.
///
/// # Errors
/// `CroupierError` if it is not an agent, `OSError` if a file cannot be read.
pub(crate) fn kind_of_text(text: &str) -> PyResult<PlayerKind> {
    Ok(read_kind(text)?.sharing(&SOLUTIONS))
}

fn read_kind(text: &str) -> Result<PlayerKind, NoAgent> {
    let Some(KindFile { file, format }) = KindFile::of(text)? else {
        return PlayerKind::read(text, &mut read_kind);
    };
    let bytes = read(file)?;
    Ok(match format {
        KindFormat::Policy => PlayerKind::of_policy_file(file, bytes).map_err(refused)?,
        KindFormat::Rule => PlayerKind::of_rule_file(file, bytes).map_err(refused)?,
        KindFormat::Net => Net::read(&bytes).map_err(refused)?.into_kind(file),
        KindFormat::Values(search) => {
            return VALUES.kind(text, bytes, |bytes| {
                Ok(ValueNet::read(bytes, search).map_err(refused)?.into_kind(file))
            });
        }
    })
}

/// The latest value nets: what they know of a game takes longer to work out than a match of some games.
static VALUES: ValueKinds = ValueKinds(Mutex::new(VecDeque::new()));

/// Kinds of agents with a value net, the latest last.
struct ValueKinds(Mutex<VecDeque<ValueKind>>);

struct ValueKind {
    text: String,
    bytes: Vec<u8>,
    kind: PlayerKind,
}

impl ValueKinds {
    const KEPT: usize = 4;

    /// The kind that a text with this content of its file names, which `read` reads the first time.
    fn kind(
        &self,
        text: &str,
        bytes: Vec<u8>,
        read: impl FnOnce(&[u8]) -> Result<PlayerKind, NoAgent>,
    ) -> Result<PlayerKind, NoAgent> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = kept.iter().find(|known| known.text == text && known.bytes == bytes) {
            return Ok(known.kind.clone());
        }
        let kind = read(&bytes)?;
        kept.push_back(ValueKind { text: text.to_owned(), bytes, kind: kind.clone() });
        if kept.len() > Self::KEPT {
            kept.pop_front();
        }
        Ok(kind)
    }
}

/// That the content of a file is a net that a seat can compute; the exception says what it cannot.
#[pyfunction(name = "_check_net")]
pub(crate) fn check_net(py: Python<'_>, contents: &[u8]) -> PyResult<()> {
    py.detach(|| Net::read(contents).map(drop)).map_err(refused)
}

fn read(file: &str) -> PyResult<Vec<u8>> {
    let path = Path::new(file);
    fs::read(path).map_err(|error| unreadable(path, &error))
}

/// The kind of agent that a caller wrote: text, a policy or a function; and the function, if it is one.
///
/// # Errors
/// `TypeError` for other types, and as [`kind_of_text`] and [`CalledPolicy::of`].
fn kind(
    game: &Bound<'_, PyGame>,
    written: &Bound<'_, PyAny>,
) -> PyResult<(PlayerKind, Option<Arc<CalledPolicy>>)> {
    if let Ok(policy) = written.cast::<PyPolicy>() {
        return Ok((policy.get().kind(), None));
    }
    if let Some(function) = CalledPolicy::of(game, written)? {
        return Ok((function.kind(), Some(function)));
    }
    let Ok(text) = written.cast::<PyString>() else {
        let message = "an agent must be the text of one, a Policy, a function or a torch module";
        return Err(PyTypeError::new_err(message));
    };
    Ok((kind_of_text(&text.to_cow()?)?, None))
}

/// An agent's choice, and how it was made.
///
/// Attributes
/// ----------
/// chosen : str
///     The move to play.
/// moves : list of str
///     The legal moves, in canonical order.
/// strategy : dict of str to float, or None
///     The probability with which the agent chooses each move, over its seeds. None if the agent does not know them: a search
///     chooses by the results of its samples.
/// estimates : list of (str, int, float or None)
///     For each move that a search evaluated: the move, the number of tries, and their mean goal. Empty without a search.
/// iterations : int
///     Iterations of the search.
/// stop : str
///     Why it stopped: `without_search`, `planned`, `iteration_limit` or `deadline`.
#[pyclass(frozen, get_all, module = "croupier", name = "Decision")]
#[derive(Debug)]
pub(crate) struct PyDecision {
    chosen: String,
    moves: Vec<String>,
    strategy: Option<Py<PyDict>>,
    estimates: Vec<(String, u32, Option<f64>)>,
    iterations: u32,
    stop: &'static str,
}

#[pymethods]
impl PyDecision {
    fn __repr__(&self) -> String {
        let (chosen, count) = (&self.chosen, self.moves.len());
        format!("<croupier.Decision: {chosen} of {count} moves, {} iterations>", self.iterations)
    }
}

/// A program that plays one role of a game: any of the command line's agents.
///
/// Its choices depend only on kind, game, role, seed and view, and not on earlier calls. It is fastest if it is called
/// with the views of one match in order.
///
/// Parameters
/// ----------
/// kind : str, Policy or callable
///     An agent as `croupier play --seat` accepts it, such as `random` or `ismcts:iterations=2000`; a policy; or a function of
///     observations and legal moves, or a torch module, as `FunctionPolicy` takes them. Exceptions of a function come through as they are.
/// game : Game
/// role : str
/// seed : int or str, default 0
///     Seed of its draws: an integer from 0 to 2**128 - 1, or 64 hexadecimal digits. Agents of different roles draw
///     differently from one seed.
///
/// Raises
/// ------
/// RoleError
///     If the game has no such player.
/// CroupierError
///     If there is no such kind of agent, or its file is for another game.
/// OSError
///     If a file cannot be read.
#[pyclass(frozen, module = "croupier", name = "Agent")]
#[derive(Debug)]
pub(crate) struct PyAgent {
    data: Arc<GameData>,
    role: RoleId,
    kind: PlayerKind,
    /// The function that it goes by, if it does.
    function: Option<Arc<CalledPolicy>>,
    /// Whether it may solve games.
    solves: bool,
    seed: Seed,
    /// The agent's own fork of the game.
    game: Arc<Game>,
    player: Mutex<Box<dyn Player>>,
}

impl PyAgent {
    fn of(
        data: Arc<GameData>,
        role: RoleId,
        kind: PlayerKind,
        function: Option<Arc<CalledPolicy>>,
        seed: Seed,
    ) -> Result<Self, PlayerError> {
        let game = Arc::new(data.game.fork());
        let player = kind.player(Arc::clone(&game), role, seed.agent(data.game.roles().name(role)))?;
        let solves = kind.solves();
        Ok(Self { data, role, kind, function, solves, seed, game, player: Mutex::new(player) })
    }

    fn copied(&self, py: Python<'_>) -> PyResult<Self> {
        let (data, kind, seed) = (Arc::clone(&self.data), self.kind.clone(), self.seed.clone());
        let function = self.function.clone();
        py.detach(|| Self::of(data, self.role, kind, function, seed)).map_err(refused)
    }

    fn decision(&self, py: Python<'_>, view: &PyView) -> PyResult<Decision> {
        view.check(&self.data, self.role)?;
        let known = view.known(&self.game)?;
        let choose = |is_over: &mut (dyn FnMut() -> bool + Send)| {
            let mut player = self.player.lock().unwrap_or_else(PoisonError::into_inner);
            player.choose(&known, &mut Budget::Interruptible(is_over))
        };
        let decided = match self.solves {
            true => interruptible(py, |stop| choose(&mut || stop.load(Ordering::Relaxed))),
            false => attended(py, choose),
        };
        let decided = decided?;
        self.function.as_ref().map_or(Ok(()), |function| function.raised())?;
        decided.map_err(|error| CroupierError::new_err(error.to_string()))
    }

    fn text(&self, played: MoveId) -> String {
        self.game.move_text(played).to_string()
    }
}

#[pymethods]
impl PyAgent {
    #[new]
    #[pyo3(signature = (kind, game, role, seed = None))]
    fn new(
        kind: &Bound<'_, PyAny>,
        game: &Bound<'_, PyGame>,
        role: &str,
        seed: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let (kind, function) = self::kind(game, kind)?;
        let data = Arc::clone(&game.get().data);
        let role = role::player(data.game.roles(), role)?;
        let seed = seed.map_or_else(|| Seed::from_text("0").map_err(refused), self::seed)?;
        game.py().detach(|| Self::of(data, role, kind, function, seed)).map_err(refused)
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { data: Arc::clone(&self.data) }
    }

    /// The name of the role.
    #[getter]
    fn role(&self) -> &str {
        self.data.game.roles().name(self.role)
    }

    /// The kind of agent with all of its options, as text; `function` for one that goes by a function.
    #[getter]
    fn kind(&self) -> String {
        if self.function.is_some() { "function".to_owned() } else { self.kind.to_string() }
    }

    /// The move to play.
    ///
    /// Parameters
    /// ----------
    /// view : View
    ///     What its role did and was told; the role must have a legal move.
    ///
    /// Returns
    /// -------
    /// str
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the view is from another game or role, no match can lead to it, or the match is over.
    fn choose(&self, py: Python<'_>, view: &PyView) -> PyResult<String> {
        Ok(self.text(self.decision(py, view)?.chosen))
    }

    /// The move to play, and why.
    ///
    /// Parameters
    /// ----------
    /// view : View
    ///
    /// Returns
    /// -------
    /// Decision
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     As `choose`.
    fn decide(&self, py: Python<'_>, view: &PyView) -> PyResult<PyDecision> {
        let decision = self.decision(py, view)?;
        let moves: Vec<String> = decision.moves.iter().map(|&played| self.text(played)).collect();
        let strategy = match &decision.strategy {
            None => None,
            Some(strategy) => {
                let by_move = PyDict::new(py);
                for (played, probability) in moves.iter().zip(strategy) {
                    by_move.set_item(played, probability)?;
                }
                Some(by_move.unbind())
            }
        };
        let estimates = decision.estimates.iter();
        let estimates = estimates.map(|found| (self.text(found.chosen), found.visits, found.mean_goal));
        Ok(PyDecision {
            chosen: self.text(decision.chosen),
            moves,
            strategy,
            estimates: estimates.collect(),
            iterations: decision.iterations,
            stop: match decision.stop {
                StopReason::WithoutSearch => "without_search",
                StopReason::Planned => "planned",
                StopReason::Proved => "proved",
                StopReason::IterationLimit(_) => "iteration_limit",
                StopReason::Deadline => "deadline",
            },
        })
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Agent {} as {} in {}>", self.kind(), self.role(), self.data.name)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copied(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        self.copied(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let kind = match &self.kind {
            _ if let Some(function) = &self.function => function.function(py).into_bound(py),
            // The table travels with the agent: its file may not be there.
            PlayerKind::Policy { table, .. } => {
                PyPolicy { table: Arc::clone(table) }.into_bound_py_any(py)?
            }
            kind => kind.to_string().into_bound_py_any(py)?,
        };
        let arguments = (kind, self.game(), self.role(), self.seed.reveal());
        Ok((py.get_type::<Self>().into_any(), arguments.into_pyobject(py)?))
    }
}
