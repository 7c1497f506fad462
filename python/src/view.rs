//! Views: everything that one role did and was told.

use std::{fmt::Write as _, sync::Arc};

use croupier_engine::{Game, InformationSet, RoleId};
use croupier_referee::OwnHistory;
use croupier_seat::information_set_of_turns;
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};

use crate::{
    errors::refused,
    game::{GameData, PyGame, hash_of},
    role,
    term::term,
};

/// A turn of a view: the own move, and the percepts in canonical order.
type ViewTurn = (String, Vec<String>);

/// Everything that one role may know about a match: its own moves and its percepts, turn by turn.
///
/// A value: two views are equal if their game, role and turns are, and then no strategy can tell them apart. Created by
/// `Match.view`, or from turns obtained elsewhere.
///
/// Parameters
/// ----------
/// game : Game
/// role : str
///     A player of the game.
/// turns : list of (str, list of str), optional
///     For each turn so far the own move that was executed, and the percepts.
///
/// Raises
/// ------
/// RoleError
///     If the game has no such player.
/// CroupierError
///     If a move or a percept is not a ground term.
#[pyclass(frozen, module = "croupier", name = "View")]
#[derive(Clone, Debug)]
pub(crate) struct PyView {
    pub(crate) data: Arc<GameData>,
    pub(crate) role: RoleId,
    turns: Vec<ViewTurn>,
}

impl PyView {
    pub(crate) fn of(data: &Arc<GameData>, own: &OwnHistory) -> Self {
        let turn = |turn: &croupier_referee::OwnTurn| {
            let mut percepts: Vec<String> = turn.percepts.iter().map(|percept| percept.to_string()).collect();
            percepts.sort_unstable();
            percepts.dedup();
            (turn.own_move.to_string(), percepts)
        };
        Self { data: Arc::clone(data), role: own.role, turns: own.turns.iter().map(turn).collect() }
    }

    /// The same knowledge in the terms of a game.
    pub(crate) fn of_known(data: &Arc<GameData>, known: &InformationSet) -> Self {
        Self::of_known_in(data, &data.game, known)
    }

    /// The same knowledge in the terms of a fork of the game.
    pub(crate) fn of_known_in(data: &Arc<GameData>, game: &Game, known: &InformationSet) -> Self {
        let turn = |(own_move, percepts): &(_, _)| {
            let percepts = game.percept_terms(percepts).iter().map(ToString::to_string).collect();
            (game.move_text(*own_move).to_string(), percepts)
        };
        Self { data: Arc::clone(data), role: known.role, turns: known.turns.iter().map(turn).collect() }
    }

    /// The same in the terms of a game: that of the view, or a fork of it.
    pub(crate) fn known(&self, game: &Game) -> PyResult<InformationSet> {
        let turns = self.turns.iter();
        let turns = turns.map(|(own_move, percepts)| (&**own_move, percepts.iter().map(String::as_str)));
        information_set_of_turns(game, self.role, turns).map_err(refused)
    }

    /// The view as policies write information sets.
    pub(crate) fn key(&self) -> String {
        let mut text = format!("({}", self.role_name());
        for (own_move, percepts) in &self.turns {
            // Writing to a text does not fail.
            let _ = write!(text, " ({own_move}");
            percepts.iter().for_each(|percept| text.extend([" ", percept]));
            text.push(')');
        }
        text.push(')');
        text
    }

    pub(crate) fn role_name(&self) -> &str {
        self.data.game.roles().name(self.role)
    }

    /// That this is a view of `role` of a game.
    ///
    /// # Errors
    /// `CroupierError` that says where the view is from.
    pub(crate) fn check(&self, data: &GameData, role: RoleId) -> PyResult<()> {
        if !self.data.is_same(data) {
            let (own, other) = (&self.data.name, &data.name);
            return Err(refused(format!(
                "the view is from the game '{own}', whose rules differ from '{other}'"
            )));
        }
        if self.role != role {
            let (own, other) = (self.role_name(), data.game.roles().name(role));
            return Err(refused(format!("the view is of the role '{own}', not '{other}'")));
        }
        Ok(())
    }
}

#[pymethods]
impl PyView {
    #[new]
    #[pyo3(signature = (game, role, turns = None))]
    fn new(game: &PyGame, role: &str, turns: Option<Vec<ViewTurn>>) -> PyResult<Self> {
        let role = role::player(game.data.game.roles(), role)?;
        let read = |(own_move, percepts): ViewTurn| -> PyResult<ViewTurn> {
            let mut percepts = percepts.iter().map(|text| term(text)).collect::<PyResult<Vec<_>>>()?;
            percepts.sort_unstable();
            percepts.dedup();
            Ok((term(&own_move)?, percepts))
        };
        let turns = turns.unwrap_or_default().into_iter().map(read).collect::<PyResult<_>>()?;
        Ok(Self { data: Arc::clone(&game.data), role, turns })
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { data: Arc::clone(&self.data) }
    }

    /// The name of the role.
    #[getter]
    fn role(&self) -> &str {
        self.role_name()
    }

    /// For each turn the role's executed move, and what it was told: list of (str, list of str). Percepts are
    /// in canonical order, without repetition.
    #[getter]
    fn turns(&self) -> Vec<ViewTurn> {
        self.turns.clone()
    }

    /// The view as one term, as policies write it: the role, and for each turn a list of move and percepts.
    #[getter]
    fn text(&self) -> String {
        self.key()
    }

    fn __len__(&self) -> usize {
        self.turns.len()
    }

    fn __repr__(&self) -> String {
        format!("<croupier.View of {} in {}: {} turns>", self.role_name(), self.data.name, self.turns.len())
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.role == other.role && self.turns == other.turns && self.data.is_same(&other.data)
        })
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(self.data.rules.len(), self.role, &self.turns))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let class = py.get_type::<Self>().into_any();
        Ok((class, (self.game(), self.role(), &self.turns).into_pyobject(py)?))
    }
}
