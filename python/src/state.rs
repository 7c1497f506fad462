//! States of a match, with the moves of chance chosen by the caller.
//!
//! Frameworks that walk through a tree, such as OpenSpiel, use it: a value with the joint moves that led to it and what
//! every player knows.

use std::{collections::BTreeMap, sync::Arc};

use croupier_belief::{BeliefError, Histories, ParticleBelief, ParticleOptions};
use croupier_engine::{Game, GameError, InformationSet, JointMove, MoveId, RoleId, State, Status};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

use crate::{
    belief,
    choice::{IllegalMove, chosen},
    errors::{FinishedError, refused},
    game::{GameData, PyGame, native},
    role,
    seed::seed_or_drawn,
    view::PyView,
};

/// A state of a game and its history, for code that walks the tree: solvers, searches, other frameworks.
///
/// A value: `step` gives another state and leaves this one as it is. Chance is the role `random` and moves like the others,
/// each of its legal moves being as probable as the others. A match with a referee and a record is a `Match`.
///
/// Parameters
/// ----------
/// game : Game
///
/// Examples
/// --------
/// >>> state = croupier.State(croupier.load("kuhn"))
/// >>> state.acting, state.legal("random")
/// (['random'], ['(deal jack)', '(deal king)', '(deal queen)'])
/// >>> state.step({"random": "(deal king)"}).view("alice").turns
/// [('noop', ['(hole king)'])]
#[pyclass(frozen, module = "croupier", name = "State")]
#[derive(Clone, Debug)]
pub(crate) struct PyState {
    data: Arc<GameData>,
    /// The joint moves so far.
    played: Vec<JointMove>,
    state: State,
    status: Status,
    /// What each player knows, in the order of the rules.
    known: Vec<InformationSet>,
}

impl PyState {
    fn initial(data: Arc<GameData>) -> Result<Self, GameError> {
        let game = &data.game;
        let state = game.initial_state().clone();
        let status = game.status(&state, &mut game.scratch())?;
        let known = game.roles().players().map(InformationSet::initial).collect();
        Ok(Self { played: Vec::new(), state, status, known, data })
    }

    /// The state after a joint move.
    fn after(&self, joint_move: JointMove) -> Result<Self, GameError> {
        let game = &self.data.game;
        let mut scratch = game.scratch();
        let turn = game.turn(&self.state, &joint_move, &mut scratch)?;
        let status = game.status(&turn.successor, &mut scratch)?;
        let (mut played, mut known) = (self.played.clone(), self.known.clone());
        for known in &mut known {
            known.turns.push((joint_move.of(known.role), turn.percepts[known.role].clone()));
        }
        played.push(joint_move);
        Ok(Self { data: Arc::clone(&self.data), played, state: turn.successor, status, known })
    }

    /// What a player knows.
    fn known(&self, role: RoleId) -> &InformationSet {
        self.known.iter().find(|known| known.role == role).expect("every player knows something")
    }

    /// A state in which `role` has the same knowledge.
    fn drawn(&self, role: RoleId, options: ParticleOptions, seed: [u8; 32]) -> Result<Self, BeliefError> {
        let mut belief = ParticleBelief::new(Arc::clone(&self.data.game), role, options, seed)?;
        belief.follow(self.known(role))?;
        let mut rng = ChaCha8Rng::from_seed(seed);
        rng.set_stream(u64::MAX);
        let histories = Histories::proportional(belief.histories()).expect("a belief has a history");
        let joint_moves = histories.sample(&mut rng).joint_moves.clone();
        let initial = Self::initial(Arc::clone(&self.data))?;
        Ok(joint_moves.into_iter().try_fold(initial, |state, joint_move| state.after(joint_move))?)
    }

    fn game(&self) -> &Game {
        &self.data.game
    }

    fn legal_of(&self, role: RoleId) -> &[MoveId] {
        match &self.status {
            Status::Running { legal } => &legal[role],
            Status::Terminal { .. } => &[],
        }
    }

    fn texts(&self, moves: &[MoveId]) -> Vec<String> {
        moves.iter().map(|&legal| self.game().move_text(legal).to_string()).collect()
    }

    /// The joint move that these moves make; roles that are left out must have a single legal move.
    fn joint_move(&self, moves: &BTreeMap<RoleId, String>) -> Result<JointMove, IllegalMove> {
        let Status::Running { legal } = &self.status else { unreachable!("the caller looked") };
        let mut legal = legal.clone();
        for (role, moves_of_role) in legal.iter_mut() {
            let name = self.game().roles().name(role);
            let place = chosen(name, self.texts(moves_of_role), moves.get(&role))?;
            *moves_of_role = vec![moves_of_role[place]];
        }
        Ok(self.game().joint_moves(&legal).next().expect("every role has a move"))
    }

    /// A role by its name, chance among them.
    fn role(&self, name: &str) -> PyResult<RoleId> {
        let random = self.game().roles().random().filter(|_| name.eq_ignore_ascii_case("random"));
        random.map_or_else(|| role::player(self.game().roles(), name), Ok)
    }

    fn by_player<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        value: impl Fn(i32) -> T,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let Status::Terminal { goals } = &self.status else { return Ok(None) };
        role::by_player(py, self.game().roles(), goals, value).map(Some)
    }
}

#[pymethods]
impl PyState {
    #[new]
    fn new(py: Python<'_>, game: &PyGame) -> PyResult<Self> {
        let data = Arc::clone(&game.data);
        py.detach(|| Self::initial(data)).map_err(refused)
    }

    /// The game.
    #[getter(game)]
    fn py_game(&self) -> PyGame {
        PyGame { data: Arc::clone(&self.data) }
    }

    /// How many turns were played.
    #[getter]
    fn turn(&self) -> usize {
        self.played.len()
    }

    /// Whether the match is over.
    #[getter]
    fn is_over(&self) -> bool {
        matches!(self.status, Status::Terminal { .. })
    }

    /// The roles that have a choice, `random` among them, in the order of the rules: list of str; empty at the end.
    #[getter]
    fn acting(&self) -> Vec<String> {
        let roles = self.game().roles();
        let acting = roles.all().filter(|&role| self.legal_of(role).len() > 1);
        acting.map(|role| roles.name(role).to_owned()).collect()
    }

    /// The legal moves of a role, or of `random`.
    ///
    /// Parameters
    /// ----------
    /// role : str
    ///
    /// Returns
    /// -------
    /// list of str
    ///     Moves as terms, in canonical order; empty at the end of the match.
    ///
    /// Raises
    /// ------
    /// RoleError
    ///     If the game has no such role.
    fn legal(&self, role: &str) -> PyResult<Vec<String>> {
        Ok(self.texts(self.legal_of(self.role(role)?)))
    }

    /// The state after one turn.
    ///
    /// Parameters
    /// ----------
    /// moves : dict of str to str, optional
    ///     A move for each role; roles with a single legal move may be left out.
    ///
    /// Returns
    /// -------
    /// State
    ///
    /// Raises
    /// ------
    /// IllegalMoveError
    ///     If a move is illegal, or a role with a choice is omitted; see `.role`, `.move` and `.legal`.
    /// RoleError
    ///     If the game has no such role.
    /// FinishedError
    ///     If the match is over.
    /// CroupierError
    ///     If the rules fail in this turn or leave a role without a move or a goal.
    #[pyo3(signature = (moves = None))]
    fn step(&self, py: Python<'_>, moves: Option<BTreeMap<String, String>>) -> PyResult<Self> {
        if self.is_over() {
            return Err(FinishedError::new_err("the match is over: nobody can move"));
        }
        let by_role = role::moves(self.game().roles(), moves, |name| self.role(name))?;
        let joint_move = self.joint_move(&by_role)?;
        py.detach(|| self.after(joint_move)).map_err(refused)
    }

    /// The goal value of each player, from 0 to 100: dict of str to int; None before the end.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.by_player(py, |goal| goal)
    }

    /// The result for each player: dict of str to float, in the game's usual unit (`game.unit`),
    /// or otherwise in goals; None before the end.
    #[getter]
    fn payoffs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.by_player(py, |goal| self.data.payoff(f64::from(goal)))
    }

    /// What a player knows: its own moves and percepts.
    ///
    /// Parameters
    /// ----------
    /// role : str
    ///
    /// Returns
    /// -------
    /// View
    ///
    /// Raises
    /// ------
    /// RoleError
    ///     If the game has no such player.
    fn view(&self, role: &str) -> PyResult<PyView> {
        let role = role::player(self.game().roles(), role)?;
        Ok(PyView::of_known(&self.data, self.known(role)))
    }

    /// A state that a player cannot tell apart from this one, drawn with its probability under the rules if every other player chooses
    /// uniformly.
    ///
    /// Parameters
    /// ----------
    /// role : str
    /// seed : int or str, optional
    ///     Seed of the draw; by default from the operating system.
    /// particles : int, default 1000
    ///     The maximum number of histories from which it is drawn: from all of them if there are fewer.
    ///
    /// Returns
    /// -------
    /// State
    ///
    /// Raises
    /// ------
    /// RoleError
    ///     If the game has no such player.
    #[pyo3(signature = (role, seed = None, particles = 1000))]
    fn resampled(
        &self,
        py: Python<'_>,
        role: &str,
        seed: Option<&Bound<'_, PyAny>>,
        particles: usize,
    ) -> PyResult<Self> {
        let options = belief::sample(particles)?;
        let role = role::player(self.game().roles(), role)?;
        let seed = seed_or_drawn(py, seed)?.agent(self.game().roles().name(role));
        py.detach(|| self.drawn(role, options, seed)).map_err(refused)
    }

    /// The facts that are true, in canonical order: list of str.
    #[getter]
    fn facts(&self) -> Vec<String> {
        self.game().state_terms(&self.state).iter().map(ToString::to_string).collect()
    }

    /// The moves of all roles so far, `random` among them: list of dict of str to str, one for each turn.
    #[getter]
    fn history(&self) -> Vec<BTreeMap<String, String>> {
        let game = self.game();
        let of_turn = |joint_move: &JointMove| {
            let moves = joint_move.moves().iter();
            moves
                .map(|(role, &played)| {
                    (game.roles().name(role).to_owned(), game.move_text(played).to_string())
                })
                .collect()
        };
        self.played.iter().map(of_turn).collect()
    }

    fn __repr__(&self) -> String {
        let (name, turn) = (&self.data.name, self.turn());
        match self.acting().as_slice() {
            _ if self.is_over() => format!("<croupier.State of {name}: over after {turn} turns>"),
            [] => format!("<croupier.State of {name}: turn {turn}, nobody has a choice>"),
            acting => format!("<croupier.State of {name}: turn {turn}, to move: {}>", acting.join(", ")),
        }
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let other = other.get();
            self.data.is_same(&other.data) && self.history() == other.history()
        })
    }

    fn __hash__(&self) -> u64 {
        crate::game::hash_of(&(self.data.rules.len(), self.history()))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        Ok((native(py, "_restore_state")?, (self.py_game(), self.history()).into_pyobject(py)?))
    }
}

/// A state from its pickle.
#[pyfunction(name = "_restore_state")]
pub(crate) fn restore_state(
    py: Python<'_>,
    game: &PyGame,
    history: Vec<BTreeMap<String, String>>,
) -> PyResult<PyState> {
    let mut state = PyState::new(py, game)?;
    for moves in history {
        state = state.step(py, Some(moves))?;
    }
    Ok(state)
}
