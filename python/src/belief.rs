//! Beliefs: what a role can infer from its view.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use croupier_belief::{
    BeliefError, Believer, Distribution, ExactOptions, Methods, Outlook, ParticleOptions, Query,
};
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_nets::BeliefNet;
use croupier_players::{Model, Models, PlayerKind};
use croupier_referee::Seed;
use pyo3::{
    exceptions::PyTypeError,
    prelude::*,
    types::{PyDict, PyString, PyTuple, PyType},
};

use crate::{
    agent::kind_of_text,
    errors::{refused, unreadable},
    function::CalledPolicy,
    game::{GameData, PyGame},
    html::table,
    policy::PyPolicy,
    role,
    seed::seed,
    term::term,
    view::PyView,
};

/// Most particles of a sample.
const PARTICLES_MAX: usize = 1_000_000;

/// A role's belief about the state of a match: a probability for each state that agrees with its view.
///
/// It is computed only from the rules and the view, never from the true state. Chance, and every player without a model, is assumed to
/// choose each legal move with the same probability. The numbers are those of `croupier belief` with the same options.
///
/// Parameters
/// ----------
/// game : Game
/// role : str
/// view : View
///     What the role did and was told.
/// opponents : Policy, callable, str, or dict of str to those; optional
///     How the other players are assumed to choose: a policy; a function of observations and legal moves, or a torch module, as
///     `FunctionPolicy` takes them; or a model as for `croupier belief --model` (`uniform`, `quantal`, or an agent); for all of them, or by
///     role. Mixed with a little uniform play, so that nothing is impossible. A function is asked once for each information set, for those of
///     a turn at once; its exceptions come through as they are.
/// particles : int, default 2000
///     The sample size, from 1 to 1000000.
/// seed : int or str, default 0
///     Seed of the sample.
/// method : str, default "auto"
///     `exact`: every history that agrees with the view. `particle`: a random sample of them. `auto`: exact, unless there
///     are too many.
/// guide : str, os.PathLike or bytes, optional
///     A belief network, by the path of a file that `learn.BeliefNet.export` wrote, or by its content. A sample whose turns are drawn again keeps histories that
///     lead to what it says more often, and counts them for less: the same belief on the average, by more effective particles if the network is good.
///
/// Raises
/// ------
/// RoleError
///     If the game has no such player.
/// CroupierError
///     If no match can lead to the view, there are too many histories for `exact`, or the guide is no belief network of this game.
/// OSError
///     If the file of the guide cannot be read.
#[pyclass(frozen, module = "croupier", name = "Belief")]
#[derive(Debug)]
pub(crate) struct PyBelief {
    data: Arc<GameData>,
    /// The game that the states are of.
    game: Arc<Game>,
    role: RoleId,
    known: InformationSet,
    /// The data from which the next belief is computed, until it is used.
    believer: Mutex<Option<Believer>>,
    outlook: Outlook,
    proved: Vec<String>,
    /// Facts and their probabilities, in canonical order; computed on first use.
    marginals: OnceLock<BTreeMap<String, f64>>,
    /// The functions by which the others are taken to choose.
    functions: Vec<Arc<CalledPolicy>>,
    /// The arguments of the constructor, in order.
    arguments: Py<PyTuple>,
}

/// The models that a caller wrote, and the functions among them.
#[derive(Default)]
pub(crate) struct WrittenModels {
    pub(crate) models: Models,
    pub(crate) functions: Vec<Arc<CalledPolicy>>,
}

impl WrittenModels {
    pub(crate) fn read(game: &Bound<'_, PyGame>, written: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut read = Self::default();
        let Ok(by_role) = written.cast::<PyDict>() else {
            read.models = Models::of_everyone(read.model(game, written)?);
            return Ok(read);
        };
        let roles = game.get().data.game.roles();
        for (name, written) in by_role {
            let role = role::player(roles, &name.cast::<PyString>()?.to_cow()?)?;
            let model = read.model(game, &written)?;
            read.models.insert(roles.name(role), model);
        }
        Ok(read)
    }

    fn model(&mut self, game: &Bound<'_, PyGame>, written: &Bound<'_, PyAny>) -> PyResult<Model> {
        if let Ok(policy) = written.cast::<PyPolicy>() {
            return Ok(Model::Agent(Box::new(policy.get().kind())));
        }
        if let Some(function) = CalledPolicy::of(game, written)? {
            self.functions.push(Arc::clone(&function));
            return Ok(Model::Agent(Box::new(function.kind())));
        }
        let Ok(text) = written.cast::<PyString>() else {
            let message =
                "opponents must be a Policy, a function, the name of a model, or a dict from roles to those";
            return Err(PyTypeError::new_err(message));
        };
        let mut agent = |text: &str| -> Result<PlayerKind, ModelError> { Ok(kind_of_text(text)?) };
        PlayerKind::read_model(&text.to_cow()?, &mut agent).map_err(|error: ModelError| error.0)
    }
}

/// Why a text is not a model.
struct ModelError(PyErr);

impl From<PyErr> for ModelError {
    fn from(error: PyErr) -> Self {
        Self(error)
    }
}

impl From<croupier_players::KindError> for ModelError {
    fn from(error: croupier_players::KindError) -> Self {
        Self(refused(error))
    }
}

/// The file of a belief network.
#[derive(FromPyObject)]
enum GuideFile {
    Content(Vec<u8>),
    Path(PathBuf),
}

impl GuideFile {
    fn content(self) -> PyResult<Vec<u8>> {
        match self {
            Self::Content(content) => Ok(content),
            Self::Path(path) => fs::read(&path).map_err(|error| unreadable(&path, &error)),
        }
    }
}

/// A sample of this many particles.
///
/// # Errors
/// `CroupierError` if there are none, or too many.
pub(crate) fn sample(particles: usize) -> PyResult<ParticleOptions> {
    match particles {
        1..=PARTICLES_MAX => Ok(ParticleOptions { particles, ..ParticleOptions::STANDARD }),
        _ => Err(refused(format!("particles must be from 1 to {PARTICLES_MAX}, not {particles}"))),
    }
}

fn methods(method: &str, particles: usize, seed: [u8; 32]) -> PyResult<Methods> {
    let sample = Some((sample(particles)?, seed));
    match method {
        "auto" => Ok(Methods { exact: Some(Methods::EXACT), sample }),
        "exact" => Ok(Methods { exact: Some(ExactOptions::STANDARD), sample: None }),
        "particle" => Ok(Methods { exact: None, sample }),
        other => Err(refused(format!("the method must be 'auto', 'exact' or 'particle', not '{other}'"))),
    }
}

/// The role that holds the belief, and the functions by which it takes others to choose.
struct BeliefHolder {
    data: Arc<GameData>,
    game: Arc<Game>,
    role: RoleId,
    functions: Vec<Arc<CalledPolicy>>,
}

/// The places of the view and of the guide among the arguments.
const VIEW: usize = 2;
const GUIDE: usize = 7;

impl PyBelief {
    /// The belief of a role with this knowledge.
    fn of_believer(
        py: Python<'_>,
        BeliefHolder { data, game, role, functions }: BeliefHolder,
        mut believer: Believer,
        known: InformationSet,
        arguments: Py<PyTuple>,
    ) -> PyResult<Self> {
        let followed = py.detach(|| -> Result<(Outlook, Vec<String>), BeliefError> {
            let outlook = believer.follow(&known)?;
            let proved = believer.certainty(&|_| None).proved.into_iter();
            Ok((outlook, proved.map(|fluent| game.fluent_text(fluent).to_string()).collect()))
        });
        functions.iter().try_for_each(|function| function.raised())?;
        let (outlook, proved) = followed.map_err(refused)?;
        py.check_signals()?;
        let (marginals, believer) = (OnceLock::new(), Mutex::new(Some(believer)));
        Ok(Self { data, game, role, known, believer, outlook, proved, marginals, functions, arguments })
    }

    fn distribution(&self) -> &Distribution {
        &self.outlook.distribution
    }

    fn all_marginals(&self) -> &BTreeMap<String, f64> {
        self.marginals.get_or_init(|| {
            let marginals = self.distribution().marginals(&self.game).into_iter();
            marginals.map(|marginal| (marginal.text.to_string(), marginal.probability)).collect()
        })
    }
}

#[pymethods]
impl PyBelief {
    #[new]
    #[pyo3(signature = (game, role, view, opponents = None, particles = 2000, seed = None, method = "auto", guide = None))]
    #[expect(clippy::too_many_arguments, reason = "all but three are named in a call, and have defaults")]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyGame>,
        role: &str,
        view: &Bound<'_, PyView>,
        opponents: Option<&Bound<'_, PyAny>>,
        particles: usize,
        seed: Option<&Bound<'_, PyAny>>,
        method: &str,
        guide: Option<GuideFile>,
    ) -> PyResult<Self> {
        // A dict that is changed later changes nothing here.
        let kept = opponents.map(|written| match written.cast::<PyDict>() {
            Ok(by_role) => by_role.copy().map(Bound::into_any),
            Err(_) => Ok(written.clone()),
        });
        let guide = guide.map(GuideFile::content).transpose()?;
        let arguments = (game, role, view, kept.transpose()?, particles, seed, method, guide.as_deref());
        let arguments = arguments.into_pyobject(py)?.unbind();
        let (data, view) = (Arc::clone(&game.get().data), view.get());
        let role = role::player(data.game.roles(), role)?;
        view.check(&data, role)?;
        let seed = seed.map_or_else(|| Seed::from_text("0").map_err(refused), self::seed)?;
        let methods = methods(method, particles, seed.agent(data.game.roles().name(role)))?;
        let read = opponents.map(|written| WrittenModels::read(game, written)).transpose()?;
        let WrittenModels { models, functions } = read.unwrap_or_default();
        // Terms of its own: what others ask of the game changes nothing here.
        let game = Arc::new(data.game.fork());
        let known = view.known(&game)?;
        let believer = py.detach(|| -> Result<Believer, String> {
            let opponents = models.opponents(&game, role).map_err(|error| error.to_string())?;
            let believer = Believer::new(Arc::clone(&game), role, methods, &opponents);
            let believer = believer.map_err(|error| error.to_string())?;
            let Some(content) = guide else { return Ok(believer) };
            let net = BeliefNet::read(&content).map_err(|error| error.to_string())?;
            let guide = net.guide(&game, role).map_err(|error| error.to_string())?;
            Ok(believer.guided(Arc::new(guide)))
        });
        let believer = believer.map_err(refused)?;
        Self::of_believer(py, BeliefHolder { data, game, role, functions }, believer, known, arguments)
    }

    /// The belief when the role knows more: the same as a new belief with this view and the same arguments, computed from this one
    /// instead of from the start of the match. Works once; a second call starts over, and so does every call with a guide.
    ///
    /// Parameters
    /// ----------
    /// view : View
    ///     A view that continues the view of this belief; with any other view it starts over.
    ///
    /// Returns
    /// -------
    /// Belief
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the view is of another game or role, or contradicts the rules.
    fn follow<'py>(&self, py: Python<'py>, view: &Bound<'py, PyView>) -> PyResult<Bound<'py, PyAny>> {
        view.get().check(&self.data, self.role)?;
        let known = view.get().known(&self.game)?;
        let written = self.arguments.bind(py);
        let mut items: Vec<Bound<'py, PyAny>> = written.iter().collect();
        items[VIEW] = view.clone().into_any();
        let arguments = PyTuple::new(py, items)?;
        // A guided sample is drawn by what is known at the end.
        let is_guided = !written.get_item(GUIDE)?.is_none();
        let believer = match !is_guided && known.turns.starts_with(&self.known.turns) {
            true => self.believer.lock().unwrap_or_else(PoisonError::into_inner).take(),
            false => None,
        };
        let Some(believer) = believer else { return py.get_type::<Self>().call1(arguments) };
        let (data, game, functions) =
            (Arc::clone(&self.data), Arc::clone(&self.game), self.functions.clone());
        let seat = BeliefHolder { data, game, role: self.role, functions };
        let followed = Self::of_believer(py, seat, believer, known, arguments.unbind())?;
        Ok(Bound::new(py, followed)?.into_any())
    }

    /// The name of the role.
    #[getter]
    fn role(&self) -> &str {
        self.data.game.roles().name(self.role)
    }

    /// Whether the belief comes from all histories that agree with the view, and not from a sample.
    #[getter]
    fn exact(&self) -> bool {
        self.outlook.basis.is_exact()
    }

    /// How many histories the belief comes from: all that agree with the view, or the particles of a sample.
    #[getter]
    fn histories(&self) -> u64 {
        self.outlook.basis.count()
    }

    /// How many equally heavy particles would be as good as the sample: float; None if the belief is exact.
    #[getter]
    fn effective_particles(&self) -> Option<f64> {
        self.outlook.basis.effective()
    }

    /// The uncertainty about the state, in bits.
    #[getter]
    fn entropy_bits(&self) -> f64 {
        self.distribution().entropy_bits()
    }

    /// How many equally likely states would be as uncertain.
    #[getter]
    fn effective_states(&self) -> f64 {
        self.distribution().effective_states()
    }

    /// The facts that are proved to be true in every history that agrees with the view: list of str, in canonical order. For a
    /// sample, facts that are true in the whole sample need not be among them.
    #[getter]
    fn certain(&self) -> Vec<String> {
        let mut certain = self.proved.clone();
        certain.sort_unstable();
        certain
    }

    /// The possible states, the most likely first.
    ///
    /// Parameters
    /// ----------
    /// top : int, optional
    ///     Maximum number of states.
    ///
    /// Returns
    /// -------
    /// list of (float, list of str)
    ///     Probability, and the facts that are true, in canonical order. All probabilities together have the sum one.
    #[pyo3(signature = (top = None))]
    fn states(&self, py: Python<'_>, top: Option<usize>) -> Vec<(f64, Vec<String>)> {
        py.detach(|| {
            let count = top.unwrap_or(usize::MAX).min(self.distribution().states_count());
            let states = self.distribution().most_likely(&self.game, count).into_iter();
            let facts = states.map(|(state, probability)| {
                let facts = self.game.state_terms(state);
                (probability, facts.iter().map(ToString::to_string).collect())
            });
            facts.collect()
        })
    }

    /// The probability that a fact is true.
    ///
    /// Parameters
    /// ----------
    /// fact : str
    ///     A fluent as written inside `true`, such as `(hand bob king)`, in any case and spacing.
    ///
    /// Returns
    /// -------
    /// float
    ///     0 if it holds in no possible state.
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If it is not a term without variables.
    fn probability(&self, py: Python<'_>, fact: &str) -> PyResult<f64> {
        let fact = term(fact)?;
        Ok(py.detach(|| self.all_marginals().get(&fact).copied().unwrap_or(0.0)))
    }

    /// Every fact that may be true and its probability.
    ///
    /// Returns
    /// -------
    /// dict of str to float
    ///     In canonical order; above 0, and exactly 1 for facts that are true in every possible state.
    fn marginals(&self, py: Python<'_>) -> BTreeMap<String, f64> {
        py.detach(|| self.all_marginals().clone())
    }

    /// How likely each answer to a question in the language of the rules is.
    ///
    /// Parameters
    /// ----------
    /// rules : str
    ///     Rules for `query`, such as `(<= (query ?card) (true (hand bob ?card)))`.
    ///
    /// Returns
    /// -------
    /// dict of str to float
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If they have errors.
    fn query<'py>(&self, py: Python<'py>, rules: &str) -> PyResult<Bound<'py, PyDict>> {
        let answers = py.detach(|| {
            let query = Query::compile(&self.game, rules);
            let query = query.map_err(|error| error.to_string())?;
            query.answers(&self.game, self.distribution()).map_err(|error| error.to_string())
        });
        let by_answer = PyDict::new(py);
        for (answer, probability) in answers.map_err(refused)? {
            by_answer.set_item(answer, probability)?;
        }
        Ok(by_answer)
    }

    /// The belief as a table, for notebooks: the facts that are not certain, the most likely first.
    fn _repr_html_(&self) -> String {
        let mut uncertain: Vec<(&String, f64)> =
            self.all_marginals().iter().map(|(fact, probability)| (fact, *probability)).collect();
        uncertain.retain(|(_, probability)| *probability < 1.0);
        uncertain.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        let rows = uncertain.iter().map(|(fact, probability)| {
            let words = self.data.facts.words.fluent_text(fact);
            vec![(*fact).clone(), words, format!("{:.2} %", 100.0 * probability)]
        });
        let rows: Vec<Vec<String>> = rows.collect();
        let basis = if self.exact() { "exact" } else { "from a sample" };
        let (role, states) = (self.role(), self.distribution().states_count());
        table(
            &format!("{role} after {} turns: {states} states, {basis}", self.known.turns.len()),
            &["fact", "in words", "probability"],
            &rows,
        )
    }

    fn __copy__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: PyRef<'py, Self>, _memo: &Bound<'py, PyDict>) -> PyRef<'py, Self> {
        slf
    }

    /// The constructor arguments; the belief is recomputed when unpickled.
    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyType>, Bound<'py, PyTuple>) {
        (py.get_type::<Self>(), self.arguments.bind(py).clone())
    }

    fn __len__(&self) -> usize {
        self.distribution().states_count()
    }

    fn __repr__(&self) -> String {
        let (role, name, turns) = (self.role(), &self.data.name, self.known.turns.len());
        let (states, basis) =
            (self.distribution().states_count(), if self.exact() { "exact" } else { "sampled" });
        format!("<croupier.Belief of {role} in {name} after {turns} turns: {states} states, {basis}>")
    }
}
