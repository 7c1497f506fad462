//! One match by columns, without a referee: what a table plays on, many times faster than a match that keeps a record.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use croupier_engine::{ByRole, GameError, InformationSet, MoveId, RoleId, State, Status, game::Scratch};
use croupier_referee::{Chance, Seed};
use croupier_training::{Features, Space};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::{
    errors::{failed, refused},
    function::observations,
    game::{GameData, PyGame},
    lanes::names_of,
    seed::seed,
    view::PyView,
};

/// What the columns of a game mean, and what a player knows as numbers in their order.
#[pyclass(frozen, module = "croupier._native", name = "Columns")]
#[derive(Debug)]
pub(crate) struct PyColumns {
    data: Arc<GameData>,
    space: Space,
}

#[pymethods]
impl PyColumns {
    #[new]
    fn new(py: Python<'_>, game: &PyGame, observation: &str, last: usize) -> PyResult<Self> {
        let features = match observation {
            "turn" => Features::Turn,
            _ => Features::Percepts { last },
        };
        let data = Arc::clone(&game.data);
        let space = py.detach(|| Space::fitting(&data.game, features)).map_err(|error| failed(&error))?;
        Ok(Self { data, space })
    }

    /// By player, the meaning of each column of the mask.
    fn moves(&self) -> Vec<Vec<String>> {
        names_of(&self.space).0
    }

    /// By player, the meaning of each feature that is 1.
    fn features(&self) -> Vec<Vec<String>> {
        names_of(&self.space).1
    }

    /// What a player knows, as features.
    fn row<'py>(&self, py: Python<'py>, view: &PyView) -> PyResult<Bound<'py, PyArray1<u8>>> {
        view.check(&self.data, view.role)?;
        let known = view.known(&self.data.game)?;
        self.written(py, &known)
    }

    /// What networks and functions are shown in some views, one row each: the player, one-hot, and what it knows.
    fn inputs<'py>(
        &self,
        py: Python<'py>,
        views: Vec<PyRef<'py, PyView>>,
    ) -> PyResult<Bound<'py, PyArray2<f32>>> {
        let known = views.iter().map(|view| {
            view.check(&self.data, view.role)?;
            view.known(&self.data.game)
        });
        let known = known.collect::<PyResult<Vec<InformationSet>>>()?;
        Ok(PyArray2::from_owned_array(py, observations(&self.space, known.iter())?))
    }
}

impl PyColumns {
    fn written<'py>(&self, py: Python<'py>, known: &InformationSet) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let mut row = self.space.row(known).map_err(|error| failed(&error))?;
        let player = self.space.players.iter().find(|player| player.role == known.role);
        row.truncate(player.map_or(0, |player| player.feature_names.len()));
        Ok(PyArray1::from_vec(py, row))
    }
}

/// A match from choice to choice. Chance draws what the referee's match with the same seed draws.
#[pyclass(frozen, module = "croupier._native", name = "Play")]
#[derive(Debug)]
pub(crate) struct PyPlay {
    columns: Py<PyColumns>,
    course: Mutex<Episode>,
}

#[derive(Debug)]
struct Episode {
    data: Arc<GameData>,
    scratch: Scratch,
    chance: Chance,
    state: State,
    /// The legal moves of all roles; `None` when the match is over.
    legal: Option<ByRole<Vec<MoveId>>>,
    /// By player, its goal, if the match ended by the rules.
    goals: Option<Vec<i32>>,
    /// By player, what it knows.
    known: Vec<InformationSet>,
    /// The moves of all roles, turn by turn.
    played: Vec<Vec<MoveId>>,
}

impl Episode {
    fn begin(data: &Arc<GameData>, seed: &Seed) -> Self {
        let game = &data.game;
        let mut course = Self {
            data: Arc::clone(data),
            scratch: game.scratch(),
            chance: Chance::new(seed),
            state: game.initial_state().clone(),
            legal: None,
            goals: None,
            known: game.roles().players().map(InformationSet::initial).collect(),
            played: Vec::new(),
        };
        course.look();
        course.play_on();
        course
    }

    /// Looks at the state: whether the match is over, or who may do what. Rules that fail end the match without goals, as the
    /// referee ends it.
    fn look(&mut self) {
        let game = &self.data.game;
        (self.legal, self.goals) = match game.status(&self.state, &mut self.scratch) {
            Ok(Status::Running { legal }) if self.played.len() < game.limits().turns => (Some(legal), None),
            Ok(Status::Terminal { goals }) => {
                (None, Some(goals.iter().map(|(_, goal)| goal.value()).collect()))
            }
            Ok(Status::Running { .. }) | Err(_) => (None, None),
        };
    }

    /// Plays until some player has a choice, or the match is over.
    fn play_on(&mut self) {
        while self.legal.is_some() && !self.players().any(|role| self.legal_of(role).len() > 1) {
            let forced = self.players().map(|role| self.legal_of(role)[0]).collect::<Vec<MoveId>>();
            self.play(&forced);
        }
    }

    /// Plays a turn, with a legal move of each player.
    fn play(&mut self, chosen: &[MoveId]) {
        let data = Arc::clone(&self.data);
        let (game, turn) = (&data.game, self.played.len());
        let Some(mut legal) = self.legal.take() else { return };
        for (role, &chosen) in game.roles().players().zip(chosen) {
            legal[role] = vec![chosen];
        }
        if let Some(random) = game.roles().random() {
            let number = self.chance.draw(turn as u32, legal[random].len() as u64);
            legal[random] = vec![legal[random][number as usize]];
        }
        self.played.push(legal.iter().map(|(_, moves)| moves[0]).collect());
        let joint_move = game.joint_moves(&legal).next().expect("every role has a move");
        match game.turn(&self.state, &joint_move, &mut self.scratch) {
            Ok(turn) => {
                for known in &mut self.known {
                    known.turns.push((joint_move.of(known.role), turn.percepts[known.role].clone()));
                }
                self.state = turn.successor;
                self.look();
            }
            Err::<_, GameError>(_) => self.goals = None,
        }
    }

    fn players(&self) -> impl Iterator<Item = RoleId> + use<> {
        self.data.game.roles().players()
    }

    fn legal_of(&self, role: RoleId) -> &[MoveId] {
        self.legal.as_ref().map_or(&[], |legal| &legal[role])
    }

    /// The players who have a choice, by index.
    fn acting(&self) -> Vec<usize> {
        let players = self.players().enumerate();
        players.filter(|&(_, role)| self.legal_of(role).len() > 1).map(|(place, _)| place).collect()
    }
}

#[pymethods]
impl PyPlay {
    #[new]
    fn new(py: Python<'_>, columns: Py<PyColumns>, seed_written: &Bound<'_, PyAny>) -> PyResult<Self> {
        let seed = seed(seed_written)?;
        let data = Arc::clone(&columns.get().data);
        let course = py.detach(|| Episode::begin(&data, &seed));
        Ok(Self { columns, course: Mutex::new(course) })
    }

    /// The players who have a choice, by index; none when the match is over.
    fn acting(&self) -> Vec<usize> {
        self.course().acting()
    }

    /// Makes a move for every player who has a choice, and plays up to the next choice: by player a column of its mask, which
    /// is ignored for those without a choice. Returns the first player whose column is not a legal move; nothing is played then.
    fn step(&self, columns: Vec<i64>) -> PyResult<Option<usize>> {
        let mut course = self.course();
        let space = &self.columns.get().space;
        let mut chosen = Vec::with_capacity(columns.len());
        if columns.len() != space.players.len() || course.legal.is_none() {
            return Err(refused("there must be a column for each player of a match that is not over"));
        }
        for (place, (player, column)) in space.players.iter().zip(columns).enumerate() {
            let legal = course.legal_of(player.role);
            let is_it = |&&made: &&MoveId| player.column(made).is_some_and(|own| own as i64 == column);
            match legal {
                [only] => chosen.push(*only),
                _ => match legal.iter().find(is_it) {
                    Some(&made) => chosen.push(made),
                    None => return Ok(Some(place)),
                },
            }
        }
        course.play(&chosen);
        course.play_on();
        Ok(None)
    }

    /// What a player knows, as features.
    fn row<'py>(&self, py: Python<'py>, player: usize) -> PyResult<Bound<'py, PyArray1<u8>>> {
        let course = self.course();
        let known = course.known.get(player).ok_or_else(|| refused("there is no such player"))?;
        self.columns.get().written(py, known)
    }

    /// Which moves of a player are legal: 1 in their columns; zeros when the match is over.
    fn mask<'py>(&self, py: Python<'py>, player: usize) -> PyResult<Bound<'py, PyArray1<i8>>> {
        let course = self.course();
        let space = &self.columns.get().space;
        let player = space.players.get(player).ok_or_else(|| refused("there is no such player"))?;
        let mut mask = vec![0; player.move_names.len()];
        course
            .legal_of(player.role)
            .iter()
            .filter_map(|&made| player.column(made))
            .for_each(|column| mask[column] = 1);
        Ok(PyArray1::from_vec(py, mask))
    }

    /// Which facts of the state are true: 1 in the order of `facts`.
    fn state<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let course = self.course();
        let fluents = course.data.game.network().map_or(&[][..], |network| network.fluents());
        PyArray1::from_vec(
            py,
            fluents.iter().map(|&fluent| u8::from(course.state.contains(fluent))).collect(),
        )
    }

    /// Every fact that a state can have, in the order of `state`.
    fn facts(&self) -> Vec<String> {
        let course = self.course();
        let game = &course.data.game;
        let fluents = game.network().map_or(&[][..], |network| network.fluents());
        fluents.iter().map(|&fluent| game.fluent_text(fluent).to_string()).collect()
    }

    /// By player its goal; `None` unless the match ended by the rules.
    fn goals(&self) -> Option<Vec<i32>> {
        self.course().goals.clone()
    }

    /// The view of a player.
    fn view(&self, player: usize) -> PyResult<PyView> {
        let course = self.course();
        let known = course.known.get(player).ok_or_else(|| refused("there is no such player"))?;
        Ok(PyView::of_known(&course.data, known))
    }

    /// Turn by turn the moves of all players, in their order.
    fn played(&self) -> Vec<Vec<String>> {
        let course = self.course();
        let game = &course.data.game;
        let roles: Vec<usize> = game.roles().players().map(RoleId::index).collect();
        let of_turn =
            |moves: &Vec<MoveId>| roles.iter().map(|&role| game.move_text(moves[role]).to_string()).collect();
        course.played.iter().map(of_turn).collect()
    }
}

impl PyPlay {
    fn course(&self) -> MutexGuard<'_, Episode> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
