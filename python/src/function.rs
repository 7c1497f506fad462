//! Functions of Python as policies: from what players know to arrays, and from arrays to the probabilities of their moves.
//!
//! `croupier.FunctionPolicy` holds the function and checks what it gives; this is the one place that asks it. Many information sets are
//! asked in one call wherever they are known at once: `evaluate` asks for all of a game, a belief for those of a whole turn. The others,
//! such as an agent's, are asked one by one. Answers are kept, so that no policy is asked twice for the same.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
};

use croupier_belief::{Answers, ByGame, Policy, PolicyQuestion};
use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use croupier_players::{Brought, BroughtStrategy, PlayerError, PlayerKind, StrategyFile};
use croupier_training::{Features, PlayerSpace, Space, TrainingError};
use numpy::{PyArray2, PyReadonlyArray2, PyUntypedArrayMethods, ndarray::Array2};
use pyo3::prelude::*;

use crate::{
    errors::{failed, refused},
    game::PyGame,
    policy::PyPolicy,
};

/// Information sets that a function is asked for in one call, at most.
const ROWS_MAX: usize = 1 << 14;

/// The name by which agents that go by a function are known.
const NAME: &str = "function";

/// A function of Python as a policy.
pub(crate) struct CalledPolicy {
    /// A `croupier.FunctionPolicy`.
    function: Py<PyAny>,
    /// How many recent turns its observations distinguish.
    last: usize,
    spaces: ByGame<Arc<Space>>,
    /// The first exception that nobody was told of yet.
    raised: Mutex<Option<PyErr>>,
}

impl fmt::Debug for CalledPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CalledPolicy").field("last", &self.last).finish_non_exhaustive()
    }
}

impl CalledPolicy {
    /// The function that a caller wrote as a policy of a game; `None` if it is no function.
    ///
    /// # Errors
    /// `CroupierError` if it was made for another game, or the game has no observations.
    pub(crate) fn of(game: &Bound<'_, PyGame>, written: &Bound<'_, PyAny>) -> PyResult<Option<Arc<Self>>> {
        if !written.is_callable() {
            return Ok(None);
        }
        let class = game.py().import("croupier.functions")?.getattr("FunctionPolicy")?;
        let function = class.call_method1("of", (game, written))?;
        let last = function.getattr("last")?.extract()?;
        let function = function.unbind();
        Ok(Some(Arc::new(Self { function, last, spaces: ByGame::default(), raised: Mutex::new(None) })))
    }

    /// Whether something is a function as policies are written.
    pub(crate) fn is_one(written: &Bound<'_, PyAny>) -> bool {
        written.is_callable() && !written.is_instance_of::<PyPolicy>()
    }

    /// Keeps an exception for whoever asks for it.
    pub(crate) fn raise(&self, error: PyErr) {
        self.raised.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// The players that go by it.
    pub(crate) fn kind(self: &Arc<Self>) -> PlayerKind {
        let source: Arc<Self> = Arc::clone(self);
        PlayerKind::Brought(Brought::new(NAME, "", Arc::new(CalledFile(source))))
    }

    /// The `croupier.FunctionPolicy`.
    pub(crate) fn function(&self, py: Python<'_>) -> Py<PyAny> {
        self.function.clone_ref(py)
    }

    /// The exception that it raised since this was asked last.
    pub(crate) fn raised(&self) -> PyResult<()> {
        let raised = self.raised.lock().unwrap_or_else(PoisonError::into_inner).take();
        raised.map_or(Ok(()), Err)
    }

    /// The columns of a game.
    pub(crate) fn space(&self, game: &Arc<Game>) -> Result<Arc<Space>, TrainingError> {
        self.spaces
            .get_or_try(game, || Ok(Arc::new(Space::fitting(game, Features::Percepts { last: self.last })?)))
    }

    /// The probability of each legal move in each of some information sets.
    ///
    /// # Errors
    /// The exception of the function, or what is wrong with its answer.
    pub(crate) fn ask(
        &self,
        py: Python<'_>,
        space: &Space,
        questions: &[PolicyQuestion<'_>],
    ) -> PyResult<Vec<Vec<f64>>> {
        let mut found = Vec::with_capacity(questions.len());
        for questions in questions.chunks(ROWS_MAX) {
            let asked = AskedArrays::new(space, questions)?;
            let arrays = (
                PyArray2::from_owned_array(py, asked.observations),
                PyArray2::from_owned_array(py, asked.masks),
            );
            let given: PyReadonlyArray2<'_, f64> = self.function.call1(py, arrays)?.extract(py)?;
            let width = given.shape()[1];
            let given = given.as_slice().map_err(|_| refused("probabilities must be contiguous"))?;
            let rows = given.chunks(width).zip(asked.columns);
            found.extend(rows.map(|(row, columns)| columns.into_iter().map(|column| row[column]).collect()));
        }
        Ok(found)
    }
}

/// The arrays of a call.
struct AskedArrays {
    observations: Array2<f32>,
    masks: Array2<bool>,
    /// By row, the columns of the legal moves.
    columns: Vec<Vec<usize>>,
}

impl AskedArrays {
    fn new(space: &Space, questions: &[PolicyQuestion<'_>]) -> PyResult<Self> {
        let mut masks = Array2::from_elem((questions.len(), space.moves_count()), false);
        let mut columns = Vec::with_capacity(questions.len());
        for (mut mask, PolicyQuestion { known, legal }) in masks.outer_iter_mut().zip(questions) {
            let (_, player) =
                player_of(space, known.role).ok_or_else(|| failed(&TrainingError::NoKnowledge))?;
            let found: Option<Vec<usize>> = legal.iter().map(|&played| player.column(played)).collect();
            let found = found.ok_or_else(|| refused("there is no column for a legal move"))?;
            found.iter().for_each(|&column| mask[column] = true);
            columns.push(found);
        }
        let known = questions.iter().map(|question| question.known);
        Ok(Self { observations: observations(space, known)?, masks, columns })
    }
}

fn player_of(space: &Space, role: RoleId) -> Option<(usize, &PlayerSpace)> {
    space.players.iter().enumerate().find(|(_, player)| player.role == role)
}

/// What networks and functions are shown, one row for each information set: the player, one-hot, and what it knows.
///
/// # Errors
/// `CroupierError` if an information set is of no player.
pub(crate) fn observations<'k>(
    space: &Space,
    known: impl ExactSizeIterator<Item = &'k InformationSet>,
) -> PyResult<Array2<f32>> {
    let players = space.players.len();
    let mut rows = Array2::zeros((known.len(), players + space.features_count()));
    for (mut row, known) in rows.outer_iter_mut().zip(known) {
        let (player, _) = player_of(space, known.role).ok_or_else(|| failed(&TrainingError::NoKnowledge))?;
        let features = space.row(known).map_err(|error| failed(&error))?;
        row[player] = 1.0;
        row.iter_mut().skip(players).zip(features).for_each(|(place, feature)| *place = f32::from(feature));
    }
    Ok(rows)
}

/// A function in the place of a file of strategies.
#[derive(Debug)]
struct CalledFile(Arc<CalledPolicy>);

impl StrategyFile for CalledFile {
    fn strategy(
        &self,
        game: &Arc<Game>,
        role: RoleId,
        _seed: Option<[u8; 32]>,
    ) -> Result<Arc<dyn BroughtStrategy>, PlayerError> {
        let failed = |error: TrainingError| PlayerError::Brought { problem: error.to_string() };
        let space = self.0.space(game).map_err(failed)?;
        Ok(Arc::new(CalledStrategy { policy: Arc::clone(&self.0), space, role, answers: Answers::default() }))
    }
}

/// A function as the strategy of a role.
#[derive(Debug)]
struct CalledStrategy {
    policy: Arc<CalledPolicy>,
    space: Arc<Space>,
    role: RoleId,
    answers: Answers,
}

impl CalledStrategy {
    /// Asks for some information sets, and keeps the answers; an exception is kept for whoever asks for it.
    fn ask(&self, questions: &[PolicyQuestion<'_>]) -> Result<Vec<Vec<f64>>, PlayerError> {
        let found = Python::attach(|py| self.policy.ask(py, &self.space, questions));
        match found {
            Ok(found) => {
                for (question, answer) in questions.iter().zip(&found) {
                    self.answers.keep(question.known, answer.clone());
                }
                Ok(found)
            }
            Err(error) => {
                let problem = format!("the function fails: {error}");
                self.policy.raise(error);
                Err(PlayerError::Brought { problem })
            }
        }
    }
}

impl BroughtStrategy for CalledStrategy {
    /// A single legal move needs no call.
    fn try_probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Result<Vec<f64>, PlayerError> {
        if known.role != self.role {
            return Err(PlayerError::OtherRole);
        }
        if legal.len() < 2 {
            return Ok(vec![1.0; legal.len()]);
        }
        if let Some(answer) = self.answers.get(known, legal.len()) {
            return Ok(answer);
        }
        Ok(self.ask(&[PolicyQuestion { known, legal }])?.remove(0))
    }
}

impl Policy for CalledStrategy {
    /// Uniform once it has failed: whoever asked is told so by the exception.
    fn probabilities(&self, known: &InformationSet, legal: &[MoveId]) -> Vec<f64> {
        let found = self.try_probabilities(known, legal);
        found.unwrap_or_else(|_| vec![1.0 / legal.len() as f64; legal.len()])
    }

    fn asks_at_once(&self) -> bool {
        true
    }

    fn prepare(&self, questions: &[PolicyQuestion<'_>]) {
        let is_open = |question: &&PolicyQuestion<'_>| {
            question.legal.len() > 1 && self.answers.get(question.known, question.legal.len()).is_none()
        };
        let open: Vec<PolicyQuestion<'_>> = questions.iter().filter(is_open).copied().collect();
        if !open.is_empty() {
            // What failed is told at the end.
            let _ = self.ask(&open);
        }
    }
}
