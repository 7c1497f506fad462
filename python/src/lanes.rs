//! Many matches at once, written into arrays of numpy.
//!
//! In Python `VectorEnv` owns the arrays, and `Lanes` writes into them without holding the interpreter lock. Seats held
//! by a policy, a function or an agent are open in it; `HeldLanes` (`held.py`) chooses for them, and steps the lanes in
//! which nobody else has a choice yet.

use std::sync::{Arc, Mutex, PoisonError};

use croupier_training::{
    Arrays, EnvironmentSettings, Features, PlayerSpace, SeatKind, ShownFeatures, Space, StepChoices,
    TrainingError, VectorEnvironment,
};
use numpy::{
    PyArray1, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3, PyReadwriteArray1, PyReadwriteArray2,
    PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::{exceptions::PyValueError, prelude::*};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    belief::sample,
    errors::{failed, refused},
    function::CalledPolicy,
    game::{GameData, PyGame},
    opponents::WrittenOpponents,
    seed::seed,
    view::PyView,
    work::pool,
};

/// The native part of `VectorEnv`. It owns no arrays: each call writes into the given ones.
#[pyclass(frozen, module = "croupier._native", name = "Lanes")]
pub(crate) struct PyLanes {
    data: Arc<GameData>,
    environment: Mutex<VectorEnvironment>,
    /// The functions by which players are taken to choose.
    functions: Vec<Arc<CalledPolicy>>,
}

/// The arrays that are written: the attributes of a `Step`.
#[derive(FromPyObject)]
struct StepArrays<'py> {
    observation: Observation<'py>,
    mask: PyReadwriteArrayDyn<'py, u8>,
    acting: PyReadwriteArrayDyn<'py, u8>,
    reward: PyReadwriteArrayDyn<'py, f32>,
    done: PyReadwriteArrayDyn<'py, u8>,
    truncated: PyReadwriteArrayDyn<'py, u8>,
    turn: PyReadwriteArrayDyn<'py, u32>,
}

/// The observations of a match, in the type of its features.
#[derive(FromPyObject)]
enum Observation<'py> {
    Bits(PyReadwriteArrayDyn<'py, u8>),
    Probabilities(PyReadwriteArrayDyn<'py, f32>),
}

/// How matches are played: the attributes that `VectorEnv` gives.
#[derive(FromPyObject)]
struct RequestedSettings {
    lanes: usize,
    observation: String,
    last: usize,
    particles: usize,
    views: bool,
    finals: bool,
    is_open: Vec<bool>,
    turns_max: Option<u32>,
    parallel: bool,
}

#[pymethods]
impl PyLanes {
    #[new]
    #[pyo3(signature = (game, wanted, opponents = None))]
    fn new(
        py: Python<'_>,
        game: &Bound<'_, PyGame>,
        wanted: RequestedSettings,
        opponents: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let data = Arc::clone(&game.get().data);
        let read = opponents.map(|written| WrittenOpponents::read(game, written)).transpose()?;
        let WrittenOpponents { policies, functions } = read.unwrap_or_default();
        let game = Arc::clone(&data.game);
        let turns = u32::try_from(game.limits().turns).unwrap_or(u32::MAX);
        let seat = |is_open| if is_open { SeatKind::Open } else { SeatKind::Random };
        let settings = EnvironmentSettings {
            lanes: wanted.lanes,
            seed: [0; 32],
            features: features(&wanted)?,
            seats: wanted.is_open.into_iter().map(seat).collect(),
            turns_max: wanted.turns_max.unwrap_or(turns),
            is_parallel: wanted.parallel,
            traces: false,
            knowledge: wanted.views,
            finals: wanted.finals,
        };
        let environment = py.detach(|| VectorEnvironment::with_opponents(&game, settings, policies));
        let environment = environment.map_err(|error| failed(&error))?;
        Ok(Self { data, environment: Mutex::new(environment), functions })
    }

    /// By player, the meaning of each column of the mask.
    fn moves(&self, py: Python<'_>) -> PyResult<Vec<Vec<String>>> {
        self.with(py, |environment| names_of(environment.space()).0)
    }

    /// By player, the meaning of each feature that is 1, or of which the observation is the probability.
    fn features(&self, py: Python<'_>) -> PyResult<Vec<Vec<String>>> {
        self.with(py, |environment| names_of(environment.space()).1)
    }

    /// Starts all matches anew.
    fn reset(
        &self,
        py: Python<'_>,
        seed_written: &Bound<'_, PyAny>,
        mut written: StepArrays<'_>,
    ) -> PyResult<()> {
        let seed = seed(seed_written)?.agent("lanes");
        let arrays = written.arrays()?;
        let done = self.with(py, |environment| environment.reset(seed, arrays))?;
        self.told(done)
    }

    /// Makes moves in some lanes, or in all; gives how many were drawn because they were not legal.
    #[pyo3(signature = (moves, written, lanes = None))]
    fn step(
        &self,
        py: Python<'_>,
        moves: PyReadonlyArray2<'_, i32>,
        mut written: StepArrays<'_>,
        lanes: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<u64> {
        let moves = moves.as_slice().map_err(|_| scattered("actions"))?;
        let arrays = written.arrays()?;
        let lanes =
            lanes.as_ref().map(|lanes| lanes.as_slice().map_err(|_| scattered("lanes"))).transpose()?;
        let done = self.with(py, |environment| match lanes {
            Some(lanes) => environment.step_in(lanes, moves, arrays),
            None => environment.step(moves, arrays),
        })?;
        self.told(done)
    }

    /// Draws a legal move for every lane and player, by column.
    fn sample(&self, py: Python<'_>, mut columns: PyReadwriteArray2<'_, i32>) -> PyResult<()> {
        let columns = columns.as_slice_mut().map_err(|_| scattered("columns"))?;
        self.with(py, |environment| environment.sample(columns))?.map_err(|error| failed(&error))
    }

    /// Starts the matches of some lanes anew.
    fn restart(
        &self,
        py: Python<'_>,
        lanes: PyReadonlyArray1<'_, bool>,
        mut written: StepArrays<'_>,
    ) -> PyResult<()> {
        let lanes = lanes.as_slice().map_err(|_| scattered("lanes"))?;
        let arrays = written.arrays()?;
        let done = self.with(py, |environment| environment.restart_in(lanes, arrays))?;
        self.told(done)
    }

    /// Forgets what the policies of the others answered, and writes the beliefs at the current choices again if that is wanted.
    #[pyo3(signature = (written = None))]
    fn refresh_opponents(&self, py: Python<'_>, mut written: Option<StepArrays<'_>>) -> PyResult<()> {
        let arrays = written.as_mut().map(StepArrays::arrays).transpose()?;
        let done = self.with(py, |environment| {
            environment.refresh_opponents();
            arrays.map_or(Ok(()), |arrays| environment.write_beliefs(arrays))
        })?;
        self.told(done)
    }

    /// Writes what players knew at the end of the last match of each lane.
    fn finals(&self, py: Python<'_>, mut features: PyReadwriteArrayDyn<'_, u8>) -> PyResult<()> {
        let features = features.as_slice_mut().map_err(|_| scattered("finals"))?;
        self.with(py, |environment| environment.write_finals(features))?.map_err(|error| failed(&error))
    }

    /// What a player knows in some lanes, if views are enabled.
    fn views(&self, py: Python<'_>, player: usize, lanes: Vec<usize>) -> PyResult<Vec<PyView>> {
        self.with(py, |environment| {
            let view = |&lane: &usize| {
                environment.known(lane, player).map(|known| PyView::of_known(&self.data, known))
            };
            lanes.iter().map(view).collect::<Option<Vec<PyView>>>()
        })?
        .ok_or_else(|| refused("there are no views of these lanes"))
    }

    /// All that its matches depend on.
    fn words<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray1<u64>>> {
        Ok(PyArray1::from_vec(py, self.with(py, |environment| environment.words())?))
    }

    /// Continues from the saved words of an environment with the same game and settings.
    fn restore(&self, py: Python<'_>, words: PyReadonlyArray1<'_, u64>) -> PyResult<()> {
        let words = words.as_slice().map_err(|_| scattered("words"))?;
        self.with(py, |environment| environment.restore(words))?.map_err(|error| failed(&error))
    }
}

/// What the choices of a step are read from, as attributes.
#[derive(FromPyObject)]
pub(crate) struct StepShown<'py> {
    observation: ShownObservation<'py>,
    mask: PyReadonlyArray3<'py, u8>,
    acting: PyReadonlyArray2<'py, u8>,
}

/// The observations of a match, in the type of its features.
#[derive(FromPyObject)]
pub(crate) enum ShownObservation<'py> {
    Bits(PyReadonlyArray3<'py, u8>),
    Probabilities(PyReadonlyArray3<'py, f32>),
}

impl StepShown<'_> {
    fn choices(&self) -> PyResult<StepChoices<'_>> {
        Ok(StepChoices {
            acting: self.acting.as_slice().map_err(|_| scattered("acting"))?,
            mask: self.mask.as_slice().map_err(|_| scattered("mask"))?,
            players: self.acting.shape()[1],
            moves: self.mask.shape()[2],
        })
    }
}

/// The choices of a step as rows: what networks are shown, and the legal moves.
#[pyfunction(name = "_choices")]
pub(crate) fn choices(
    step: StepShown<'_>,
    mut inputs: PyReadwriteArray2<'_, f32>,
    mut masks: PyReadwriteArray2<'_, bool>,
) -> PyResult<()> {
    let choices = step.choices()?;
    let inputs = inputs.as_slice_mut().map_err(|_| scattered("inputs"))?;
    let features = match &step.observation {
        ShownObservation::Bits(bits) => {
            ShownFeatures::Bits(bits.as_slice().map_err(|_| scattered("observation"))?)
        }
        ShownObservation::Probabilities(shares) => {
            ShownFeatures::Probabilities(shares.as_slice().map_err(|_| scattered("observation"))?)
        }
    };
    choices.write_inputs(features, inputs).map_err(|error| failed(&error))?;
    let masks = masks.as_slice_mut().map_err(|_| scattered("masks"))?;
    choices.write_masks(masks).map_err(|error| failed(&error))
}

/// Draws a move for every choice of a step from the softmax of its logits over the legal moves: the columns by lane and player, and the
/// logarithms of their probabilities by row. Draws follow from a seed and a number.
#[pyfunction(name = "_draw")]
pub(crate) fn draw(
    step: StepShown<'_>,
    logits: PyReadonlyArray2<'_, f32>,
    seed_written: &Bound<'_, PyAny>,
    number: u64,
    mut columns: PyReadwriteArray2<'_, i32>,
    mut logs: PyReadwriteArray1<'_, f32>,
) -> PyResult<()> {
    let mut generator = ChaCha8Rng::from_seed(seed(seed_written)?.agent("choices"));
    generator.set_stream(number);
    let logits = logits.as_slice().map_err(|_| scattered("logits"))?;
    let columns = columns.as_slice_mut().map_err(|_| scattered("columns"))?;
    let logs = logs.as_slice_mut().map_err(|_| scattered("log-probabilities"))?;
    step.choices()?.draw(logits, &mut generator, columns, logs).map_err(|error| failed(&error))
}

impl PyLanes {
    /// A result, or the exception that a function has raised.
    fn told<T>(&self, done: Result<T, TrainingError>) -> PyResult<T> {
        self.functions.iter().try_for_each(|function| function.raised())?;
        done.map_err(|error| failed(&error))
    }

    /// Runs a closure without the interpreter lock, on the threads of the process if more than one is wanted.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        what: impl FnOnce(&mut VectorEnvironment) -> T + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut held = self.environment.lock().unwrap_or_else(PoisonError::into_inner);
            let environment = &mut *held;
            let EnvironmentSettings { is_parallel, lanes, .. } = *environment.settings();
            if is_parallel && lanes > VectorEnvironment::LANES {
                return Ok(pool().map_err(refused)?.install(|| what(environment)));
            }
            Ok(what(environment))
        })
    }
}

impl StepArrays<'_> {
    fn arrays(&mut self) -> PyResult<Arrays<'_>> {
        let (features, probabilities): (&mut [u8], &mut [f32]) = match &mut self.observation {
            Observation::Bits(bits) => (bits.as_slice_mut().map_err(|_| scattered("observation"))?, &mut []),
            Observation::Probabilities(shares) => {
                (&mut [], shares.as_slice_mut().map_err(|_| scattered("observation"))?)
            }
        };
        Ok(Arrays {
            features,
            probabilities,
            mask: self.mask.as_slice_mut().map_err(|_| scattered("mask"))?,
            acting: self.acting.as_slice_mut().map_err(|_| scattered("acting"))?,
            goals: self.reward.as_slice_mut().map_err(|_| scattered("reward"))?,
            done: self.done.as_slice_mut().map_err(|_| scattered("done"))?,
            truncated: self.truncated.as_slice_mut().map_err(|_| scattered("truncated"))?,
            turn: self.turn.as_slice_mut().map_err(|_| scattered("turn"))?,
        })
    }
}

fn features(wanted: &RequestedSettings) -> PyResult<Features> {
    match &*wanted.observation {
        "percepts" => Ok(Features::Percepts { last: wanted.last }),
        "belief" => Ok(Features::Belief { particles: sample(wanted.particles)?.particles }),
        "turn" => Ok(Features::Turn),
        "state" => Ok(Features::State),
        other => {
            let message =
                format!("unknown observation {other:?}; it must be 'percepts', 'turn', 'belief' or 'state'");
            Err(PyValueError::new_err(message))
        }
    }
}

fn scattered(name: &str) -> PyErr {
    PyValueError::new_err(format!("{name} must be contiguous in memory, in C order"))
}

/// By player, the meaning of each column of the mask, and of each feature.
pub(crate) fn names_of(space: &Space) -> (Vec<Vec<String>>, Vec<Vec<String>>) {
    let moves = |player: &PlayerSpace| player.move_names.iter().map(ToString::to_string).collect();
    let players = &space.players;
    (players.iter().map(moves).collect(), players.iter().map(|player| player.feature_names.clone()).collect())
}
