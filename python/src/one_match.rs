//! One match: the referee in this process, and a player of Python's in every role.

use std::{
    collections::BTreeMap,
    fs,
    path::PathBuf,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use croupier_engine::{Game, MoveId, RoleId, Roles};
use croupier_games::Scene;
use croupier_picture::Picture;
use croupier_referee::{
    Digest, Effect, Event, Header, MatchState, Outcome, Reply, Request, Secrets, Seed, read_records, replay,
    resume,
};
use croupier_table::{Seen, drawn, scene_of_states};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};

use crate::{
    choice::{IllegalMove, chosen},
    errors::{FinishedError, RecordError, refused},
    game::{GameData, PLAYER, PyGame, native},
    html::table,
    role,
    seed::seed_or_drawn,
    view::PyView,
};

/// Columns that players of a table may have before each is said in words.
const COLUMNS: usize = 100;

/// A match and its record so far.
#[derive(Debug)]
struct RunningMatch {
    state: MatchState,
    /// Lines that end with newlines.
    record: String,
}

/// Why a turn is not played.
enum UnplayedTurn {
    Finished,
    Move(IllegalMove),
}

impl RunningMatch {
    /// A match before its first turn.
    fn begin(header: Arc<Header>, seed: Seed) -> Self {
        let state = MatchState::new(header, Secrets::from_seed(seed));
        let mut course = Self { state, record: String::new() };
        course.give(Event::Begin);
        for role in course.state.awaited() {
            let reply = Reply::Text("READY".to_owned());
            course.give(Event::Reply { role, to: Request::Start, reply });
        }
        course
    }

    fn give(&mut self, event: Event) {
        for effect in self.state.step(0, event) {
            if let Effect::Append(line) = effect {
                self.record.push_str(&line);
                self.record.push('\n');
            }
        }
    }

    fn legal(&self, role: RoleId) -> &[MoveId] {
        self.state.legal().map_or(&[], |legal| &legal[role])
    }

    fn legal_texts(&self, role: RoleId) -> Vec<String> {
        let game = self.state.header().game();
        self.legal(role).iter().map(|&legal| game.move_text(legal).to_string()).collect()
    }

    /// Plays a turn with the moves of some players; players that are omitted must have a single legal move.
    fn play(&mut self, moves: &BTreeMap<RoleId, String>) -> Result<(), UnplayedTurn> {
        let Some((request, _)) = self.state.request() else { return Err(UnplayedTurn::Finished) };
        // Nothing is played before all of it is known to be legal.
        let roles = self.state.header().roles().clone();
        let chosen = roles.players().map(|role| Ok((role, self.chosen(&roles, role, moves.get(&role))?)));
        let chosen: Vec<(RoleId, String)> = chosen.collect::<Result<_, UnplayedTurn>>()?;
        for (role, text) in chosen {
            self.give(Event::Reply { role, to: request, reply: Reply::Text(text) });
        }
        Ok(())
    }

    /// The move of one player: the one that was written, or the only one.
    fn chosen(&self, roles: &Roles, role: RoleId, written: Option<&String>) -> Result<String, UnplayedTurn> {
        let mut legal = self.legal_texts(role);
        let place = chosen(roles.name(role), legal.clone(), written).map_err(UnplayedTurn::Move)?;
        Ok(legal.swap_remove(place))
    }
}

/// One match of a game, with the referee in this process.
///
/// Chance draws from the seed: the same seed and moves give the same match, and the same record, on any machine.
///
/// Parameters
/// ----------
/// game : Game
///     The game to play.
/// seed : int or str, optional
///     An integer from 0 to 2**128 - 1, or 64 hexadecimal digits. By default drawn from the operating system.
/// players : dict of str to str, optional
///     The names of the players in the record; by default `python`.
///
/// Raises
/// ------
/// RoleError
///     If `players` names a role that the game does not have.
/// CroupierError
///     If the seed is out of range.
///
/// Examples
/// --------
/// >>> match = croupier.Match(croupier.load("kuhn"), seed=7)
/// >>> while not match.is_over:
/// ...     match.step({role: match.legal(role)[0] for role in match.acting})
/// >>> match.payoffs
#[pyclass(frozen, module = "croupier", name = "Match")]
#[derive(Debug)]
pub(crate) struct PyMatch {
    data: Arc<GameData>,
    header: Arc<Header>,
    seed: Seed,
    course: Mutex<RunningMatch>,
}

impl PyMatch {
    fn course(&self) -> MutexGuard<'_, RunningMatch> {
        self.course.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs a query on the current match, without the interpreter lock.
    fn look<T: Send>(&self, py: Python<'_>, at: impl FnOnce(&RunningMatch) -> T + Send) -> T {
        py.detach(|| at(&self.course()))
    }

    /// All of the table, drawn by `draw`.
    fn whole_table<T>(&self, draw: impl FnOnce(&Game, &Scene) -> T) -> PyResult<T> {
        let record = self.course().record.clone();
        let records = read_records(record.as_bytes()).map_err(refused)?;
        let replayed = replay(records.first().expect("a match has a record")).map_err(refused)?;
        let (game, facts) = (replayed.header().game(), &self.data.facts);
        let states = replayed.turns().iter().map(|turn| &turn.successor);
        let scene = scene_of_states(game, facts, std::iter::once(game.initial_state()).chain(states));
        Ok(draw(game, &scene))
    }

    /// What a player knows of the table for certain, drawn by `draw`.
    fn known_table<T>(&self, view: &PyView, draw: impl FnOnce(&Game, &Scene) -> T) -> PyResult<T> {
        // A belief adds terms to its game: those of a view that is looked at must not stay.
        let (game, facts) = (Arc::new(self.data.game.fork()), &self.data.facts);
        let known = view.known(&game)?;
        let turns = known.turns.len();
        let mut seen = Seen::new(Arc::clone(&game), known).map_err(refused)?;
        let scene = seen.after(turns, facts).map_err(refused)?;
        Ok(draw(&game, &scene))
    }

    /// The table as a player knows it, or all of it, drawn by `draw`.
    fn table<T: Send>(
        &self,
        py: Python<'_>,
        role: Option<&str>,
        draw: impl FnOnce(&Game, &Scene) -> T + Send,
    ) -> PyResult<T> {
        match role {
            None => py.detach(|| self.whole_table(draw)),
            Some(role) => {
                let view = self.view(py, role)?;
                py.detach(|| self.known_table(&view, draw))
            }
        }
    }

    fn outcome_of(&self, py: Python<'_>) -> Option<Outcome> {
        self.look(py, |course| course.state.outcome().cloned())
    }

    fn of(
        py: Python<'_>,
        data: &Arc<GameData>,
        seed: Seed,
        names: &BTreeMap<String, String>,
    ) -> PyResult<Self> {
        let roles = data.game.roles();
        let mut named = BTreeMap::new();
        for (name, player) in names {
            named.insert(role::player(roles, name)?, player.clone());
        }
        let player = |role: RoleId| named.remove(&role).unwrap_or_else(|| PLAYER.to_owned());
        let players = roles.players().map(|role| (role, roles.name(role).to_owned()));
        let mut player = player;
        let players: Vec<(String, String)> = players.map(|(role, name)| (name, player(role))).collect();
        let match_id = match_id(data, &seed, &players);
        let begun = py.detach(|| {
            let header = Arc::new(data.header(match_id, players)?);
            Ok(Self::begun(data, header, seed))
        });
        begun.map_err(|error: croupier_referee::HeaderError| refused(error))
    }

    fn begun(data: &Arc<GameData>, header: Arc<Header>, seed: Seed) -> Self {
        let course = RunningMatch::begin(Arc::clone(&header), seed.clone());
        Self { data: Arc::clone(data), header, seed, course: Mutex::new(course) }
    }

    /// The match of a record that may end anywhere.
    fn resumed(
        data: &Arc<GameData>,
        header: Arc<Header>,
        seed: Seed,
        record: String,
    ) -> Result<Self, String> {
        let records = read_records(record.as_bytes()).map_err(|error| error.to_string())?;
        let [one] = records.as_slice() else { return Err("a match has one record".to_owned()) };
        let resumed = resume(one, &header, Secrets::from_seed(seed.clone()));
        let (state, effects) = resumed.map_err(|error| error.to_string())?;
        if effects.iter().any(|effect| matches!(effect, Effect::Append(_))) {
            return Err("the record does not end where a match waits".to_owned());
        }
        let course = Mutex::new(RunningMatch { state, record });
        Ok(Self { data: Arc::clone(data), header, seed, course })
    }

    fn copied(&self, py: Python<'_>) -> PyResult<Self> {
        let (header, seed) = (Arc::clone(&self.header), self.seed.clone());
        let copied = py.detach(|| {
            let record = self.course().record.clone();
            Self::resumed(&self.data, header, seed, record)
        });
        copied.map_err(refused)
    }
}

/// A one-word id for a match, the same for the same game, seed and players; a digest, so that it does not reveal the seed.
fn match_id(data: &GameData, seed: &Seed, players: &[(String, String)]) -> String {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || char == '-';
    let word: String =
        data.name.chars().map(|char| if is_plain(char) { char } else { '_' }).take(64).collect();
    let bound = format!("{players:?} {}", data.rules);
    let digest = Digest(seed.agent("match-id")).followed_by(bound.as_bytes()).to_string();
    format!("{word}-{}", &digest[..8])
}

#[pymethods]
impl PyMatch {
    #[new]
    #[pyo3(signature = (game, seed = None, *, players = None))]
    fn new(
        py: Python<'_>,
        game: &PyGame,
        seed: Option<&Bound<'_, PyAny>>,
        players: Option<BTreeMap<String, String>>,
    ) -> PyResult<Self> {
        Self::of(py, &game.data, seed_or_drawn(py, seed)?, &players.unwrap_or_default())
    }

    /// The game.
    #[getter]
    fn game(&self) -> PyGame {
        PyGame { data: Arc::clone(&self.data) }
    }

    /// The id of the match: one word that follows from game, seed and players and does not reveal the seed.
    #[getter]
    fn match_id(&self) -> &str {
        self.header.match_id()
    }

    /// The number of turns played: the index, from 0, of the turn for which moves are requested.
    #[getter]
    fn turn(&self, py: Python<'_>) -> u32 {
        self.look(py, |course| match (course.state.request(), course.state.outcome()) {
            (Some((Request::Play { turn }, _)), _) => turn,
            (_, Some(outcome)) => outcome.turns(),
            _ => 0,
        })
    }

    /// Whether the match has ended, by the rules or otherwise: see `outcome`.
    #[getter]
    fn is_over(&self, py: Python<'_>) -> bool {
        self.look(py, |course| course.state.outcome().is_some())
    }

    /// How the match ended: `terminal` by the rules, `turn_limit` at the limit of turns, `game_error` if the rules give no
    /// sensible continuation; None while it runs.
    #[getter]
    fn outcome(&self, py: Python<'_>) -> Option<&'static str> {
        self.outcome_of(py).map(|outcome| outcome.status())
    }

    /// The problem in the rules, if the outcome is `game_error`; otherwise None.
    #[getter]
    fn error(&self, py: Python<'_>) -> Option<String> {
        match self.outcome_of(py) {
            Some(Outcome::GameError { error, .. }) => Some(error.to_string()),
            _ => None,
        }
    }

    /// The players that have more than one legal move now, in the order of the rules; empty when only chance moves, and at
    /// the end.
    #[getter]
    fn acting(&self, py: Python<'_>) -> Vec<String> {
        self.look(py, |course| {
            let roles = course.state.header().roles();
            let acting = roles.players().filter(|&role| course.legal(role).len() > 1);
            acting.map(|role| roles.name(role).to_owned()).collect()
        })
    }

    /// The legal moves of a player now.
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
    ///     If the game has no such player.
    fn legal(&self, py: Python<'_>, role: &str) -> PyResult<Vec<String>> {
        let role = role::player(self.data.game.roles(), role)?;
        Ok(self.look(py, |course| course.legal_texts(role)))
    }

    /// Plays one turn.
    ///
    /// All players move at once; chance draws from the seed. If anything is wrong nothing is played.
    ///
    /// Parameters
    /// ----------
    /// moves : dict of str to str, optional
    ///     A move for each role; players with a single legal move may be left out.
    ///
    /// Raises
    /// ------
    /// IllegalMoveError
    ///     If a move is not legal, or a player with a choice is left out; `.role`, `.move` and `.legal` say more.
    /// RoleError
    ///     If a role is not a player of the game.
    /// FinishedError
    ///     If the match is over.
    #[pyo3(signature = (moves = None))]
    fn step(&self, py: Python<'_>, moves: Option<BTreeMap<String, String>>) -> PyResult<()> {
        let roles = self.data.game.roles();
        let by_role = role::moves(roles, moves, |name| role::player(roles, name))?;
        let played = py.detach(|| self.course().play(&by_role));
        played.map_err(|refusal| match refusal {
            UnplayedTurn::Finished => FinishedError::new_err("the match is over: nobody can move"),
            UnplayedTurn::Move(illegal) => illegal.into(),
        })
    }

    /// The goal value of each player, from 0 to 100: dict of str to int; None unless the match ended by the rules.
    #[getter]
    fn goals<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.by_player(py, |goal| goal)
    }

    /// The result for each player: dict of str to float, in the game's usual unit (`game.unit`),
    /// or otherwise in goals; None unless the match ended by the rules.
    #[getter]
    fn payoffs<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.by_player(py, |goal| self.data.payoff(f64::from(goal)))
    }

    /// What a player may know: its own moves and percepts, and nothing else of the match.
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
    pub(crate) fn view(&self, py: Python<'_>, role: &str) -> PyResult<PyView> {
        let role = role::player(self.data.game.roles(), role)?;
        let own = self.look(py, |course| course.state.own_history(role).cloned());
        let own = own.ok_or_else(|| refused("the referee knows no such player"))?;
        Ok(PyView::of(&self.data, &own))
    }

    /// The table in words, as the terminal shows it: boards, players, cards.
    ///
    /// Parameters
    /// ----------
    /// role : str, optional
    ///     Only what this player knows for certain; without it all of the table, as whoever deals sees it.
    ///
    /// Returns
    /// -------
    /// str
    ///
    /// Raises
    /// ------
    /// RoleError
    ///     If the game has no such player.
    #[pyo3(signature = (role = None))]
    fn render(&self, py: Python<'_>, role: Option<&str>) -> PyResult<String> {
        self.table(py, role, |game, scene| drawn(game, &self.data.facts, scene).text(COLUMNS))
    }

    /// The table as a picture in SVG that needs nothing else: to save, or to put on a page.
    ///
    /// Parameters
    /// ----------
    /// role : str, optional
    ///     Only what this player knows for certain; without it all of the table, as whoever deals sees it.
    ///
    /// Returns
    /// -------
    /// str
    ///
    /// Raises
    /// ------
    /// RoleError
    ///     If the game has no such player.
    #[pyo3(signature = (role = None))]
    fn svg(&self, py: Python<'_>, role: Option<&str>) -> PyResult<String> {
        let seat = role.map(|role| role::player(self.data.game.roles(), role)).transpose()?;
        self.table(py, role, |game, scene| {
            let roles = game.roles();
            let players: Vec<&str> = roles.players().map(|role| roles.name(role)).collect();
            let seat = seat.map(|role| roles.name(role));
            Picture::of(&self.data.facts, scene, &players, seat, None).svg()
        })
    }

    /// The record so far, in JSON Lines, as `croupier replay` reads it.
    ///
    /// It is complete once the match is over. Before that it is as secret as the hidden cards, but without the seed, which it
    /// reveals only at the end.
    ///
    /// Returns
    /// -------
    /// str
    fn record(&self, py: Python<'_>) -> String {
        self.look(py, |course| course.record.clone())
    }

    /// Writes the record so far to a file, replacing its content.
    ///
    /// Parameters
    /// ----------
    /// path : str or os.PathLike
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If the file cannot be written.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let written = self.look(py, |course| fs::write(&path, &course.record));
        Ok(written?)
    }

    /// The seed as 64 hexadecimal digits; None before the match is over.
    #[getter]
    fn seed(&self, py: Python<'_>) -> Option<String> {
        self.is_over(py).then(|| self.seed.reveal())
    }

    fn __repr__(&self, py: Python<'_>) -> String {
        let (name, turn) = (&self.data.name, self.turn(py));
        match (self.outcome(py), self.acting(py).as_slice()) {
            (Some(outcome), _) => format!("<croupier.Match of {name}: over after {turn} turns, {outcome}>"),
            (None, []) => format!("<croupier.Match of {name}: turn {turn}, nobody has a choice>"),
            (None, acting) => {
                format!("<croupier.Match of {name}: turn {turn}, to move: {}>", acting.join(", "))
            }
        }
    }

    /// The table, and the players' legal moves or their results, for notebooks.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let outcome = self.outcome_of(py);
        let goals = outcome.as_ref().and_then(Outcome::goals);
        let row = |role: RoleId| {
            let told = match (goals.and_then(|goals| goals.get(role)), &outcome) {
                (Some(goal), _) => self.data.payoff(f64::from(goal.value())).to_string(),
                (None, Some(_)) => String::new(),
                (None, None) => self.look(py, |course| course.legal_texts(role)).join(", "),
            };
            vec![self.header.role_name(role).to_owned(), told]
        };
        let rows: Vec<Vec<String>> = self.header.roles().players().map(row).collect();
        let second = if outcome.is_some() { self.data.unit() } else { "legal moves" };
        let (title, turn) = (&self.data.facts.title, self.turn(py));
        let table = table(&format!("{title}, turn {turn}"), &["player", second], &rows);
        Ok(table + &self.svg(py, None)?)
    }

    /// The table as a picture, for notebooks.
    fn _repr_svg_(&self, py: Python<'_>) -> PyResult<String> {
        self.svg(py, None)
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        self.copied(py)
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyDict>) -> PyResult<Self> {
        self.copied(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let setup = self.header.setup();
        let state = (self.game(), &setup.match_id, &setup.players, self.seed.reveal(), self.record(py));
        Ok((native(py, "_restore_match")?, state.into_pyobject(py)?))
    }
}

impl PyMatch {
    /// Something about the goal of each player, once there are goals.
    fn by_player<'py, T: IntoPyObject<'py>>(
        &self,
        py: Python<'py>,
        value: impl Fn(i32) -> T,
    ) -> PyResult<Option<Bound<'py, PyDict>>> {
        let outcome = self.outcome_of(py);
        let goals = outcome.as_ref().and_then(Outcome::goals);
        goals.map(|goals| role::by_player(py, self.header.roles(), goals, value)).transpose()
    }
}

/// A match from its pickle.
#[pyfunction(name = "_restore_match")]
pub(crate) fn restore_match(
    py: Python<'_>,
    game: &PyGame,
    match_id: String,
    players: Vec<(String, String)>,
    seed: &str,
    record: String,
) -> PyResult<PyMatch> {
    let seed = Seed::from_text(seed).map_err(refused)?;
    let data = Arc::clone(&game.data);
    let restored = py.detach(|| {
        let header = data.header(match_id, players).map_err(|error| error.to_string())?;
        PyMatch::resumed(&data, Arc::new(header), seed, record)
    });
    restored.map_err(RecordError::new_err)
}
