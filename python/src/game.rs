//! Games: compiled rules and their metadata.

use std::{
    collections::{BTreeMap, BTreeSet},
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, OnceLock, PoisonError, Weak},
};

use croupier_engine::{
    CompileError, Diagnostic, Game, GameError, Limits, Options, Strictness,
    game::PerceptReading,
    stages::{propnet::Operand, syntax::decode},
};
use croupier_games::{GameFacts, alike, catalogue, find};
use croupier_referee::{Clocks, Digest, Header, HeaderError, MatchSetup, Nonces, Substitution};
use pyo3::{
    prelude::*,
    types::{PyDict, PyTuple},
};

use crate::{
    errors::{UnknownGameError, finding, refused, rules_refused, unreadable},
    html::table,
    role::names,
};

/// Clocks of in-process matches, where nobody waits: an hour, in milliseconds.
const CLOCK_MS: u64 = 3_600_000;

/// The default name of players in a record.
pub(crate) const PLAYER: &str = "python";

/// A game with its text and facts; immutable, and shared by all that play it.
#[derive(Debug)]
pub(crate) struct GameData {
    pub(crate) name: String,
    pub(crate) rules: String,
    facts_toml: Option<String>,
    pub(crate) facts: GameFacts,
    warnings: Vec<Diagnostic>,
    pub(crate) game: Arc<Game>,
    /// A match with unnamed players, whose game is shared by all matches.
    header: OnceLock<Header>,
}

/// Games in use, by a digest of their source, so that a game that is unpickled several times is compiled once.
static HELD: Mutex<BTreeMap<Digest, Weak<GameData>>> = Mutex::new(BTreeMap::new());

/// Why there is no game.
enum NoGame {
    Facts(String),
    Rules(CompileError),
}

impl GameData {
    /// The game of these rules, compiled unless it is already in use.
    fn of(name: String, rules: String, facts_toml: Option<String>) -> Result<Arc<Self>, NoGame> {
        let facts = facts_toml.as_deref().unwrap_or_default();
        let digest = Digest::of_terms(&[name.as_str(), facts, rules.as_str()]);
        let held = || HELD.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(data) = held().get(&digest).and_then(Weak::upgrade) {
            return Ok(data);
        }
        let data = Arc::new(Self::compile(name, rules, facts_toml)?);
        let mut held = held();
        held.retain(|_, data| data.strong_count() > 0);
        held.insert(digest, Arc::downgrade(&data));
        Ok(data)
    }

    fn compile(name: String, rules: String, facts_toml: Option<String>) -> Result<Self, NoGame> {
        let facts = match &facts_toml {
            Some(toml) => GameFacts::parse(toml).map_err(|error| NoGame::Facts(error.to_string()))?,
            None => GameFacts::unknown(&name),
        };
        let compiled = Game::compile(&rules, &Options::PLAY).map_err(NoGame::Rules)?;
        let game = compiled.game;
        let begun = game.status(game.initial_state(), &mut game.scratch());
        begun.map_err(|error: GameError| NoGame::Rules(CompileError::Evaluation(error)))?;
        Ok(Self {
            name,
            rules,
            facts_toml,
            facts,
            warnings: compiled.warnings,
            game: Arc::new(game),
            header: OnceLock::new(),
        })
    }

    /// The header of a match of this game between these players.
    pub(crate) fn header(
        &self,
        match_id: String,
        players: Vec<(String, String)>,
    ) -> Result<Header, HeaderError> {
        let setup = |match_id, players| MatchSetup {
            match_id,
            series: None,
            session: None,
            rules: self.rules.clone(),
            game_name: Some(self.name.clone()),
            players,
            clocks: Clocks::of(CLOCK_MS, CLOCK_MS),
            percepts: PerceptReading::OldState,
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: u32::try_from(self.game.limits().turns).unwrap_or(u32::MAX),
            nonces: Nonces::Clear,
        };
        let shared = match self.header.get() {
            Some(header) => header,
            None => {
                let players = names(self.game.roles()).into_iter().map(|role| (role, PLAYER.to_owned()));
                let header = Header::compile(setup("match".to_owned(), players.collect()))?;
                self.header.get_or_init(|| header)
            }
        };
        shared.with_setup(setup(match_id, players))
    }

    /// What payoffs are counted in.
    pub(crate) fn unit(&self) -> &str {
        self.facts.unit()
    }

    /// A goal value, or a mean of some, in the unit of the literature if the game has one.
    pub(crate) fn payoff(&self, goal: f64) -> f64 {
        self.facts.payoff.as_ref().map_or(goal, |payoff| payoff.payoff(goal))
    }

    /// A difference of goal values in that unit.
    pub(crate) fn payoff_difference(&self, goals: f64) -> f64 {
        self.facts.payoff.as_ref().map_or(goals, |payoff| goals / payoff.scale.abs())
    }

    /// Whether values of the other game mean the same here.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        std::ptr::eq(self, other) || self.rules == other.rules
    }
}

/// Rules of a game, compiled and ready to be played. Made by `load`, `load_file` and `load_text`.
///
/// Immutable; copies are the game itself, and a pickle holds the text of the rules. Two games are equal if their name, rules
/// and facts are.
#[pyclass(frozen, module = "croupier", name = "Game")]
#[derive(Clone, Debug)]
pub(crate) struct PyGame {
    pub(crate) data: Arc<GameData>,
}

#[pymethods]
impl PyGame {
    /// The name in the catalogue, or the name of the file without its ending.
    #[getter]
    fn name(&self) -> &str {
        &self.data.name
    }

    /// What people call the game.
    #[getter]
    fn title(&self) -> &str {
        &self.data.facts.title
    }

    /// One sentence about the game; empty if nothing is known.
    #[getter]
    fn summary(&self) -> &str {
        &self.data.facts.summary
    }

    /// The rules as they were read.
    #[getter]
    fn rules(&self) -> &str {
        &self.data.rules
    }

    /// SHA-256 of the rules, as records have it: 64 hexadecimal digits.
    #[getter]
    fn sha256(&self) -> String {
        Digest::of(self.data.rules.as_bytes()).to_string()
    }

    /// The names of the players in the order of the rules; chance is not among them.
    #[getter]
    fn roles(&self) -> Vec<String> {
        names(self.data.game.roles())
    }

    /// Whether chance takes part, as the role `random`.
    #[getter]
    fn has_chance(&self) -> bool {
        self.data.game.roles().random().is_some()
    }

    /// Every move that chance can ever have, in canonical order: list of str.
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the rules are too large to be compiled to a network of gates, so that their size is unknown.
    #[getter]
    fn chance_moves(&self) -> PyResult<Vec<String>> {
        let game = &self.data.game;
        let Some(random) = game.roles().random() else { return Ok(Vec::new()) };
        let Some(network) = game.network() else {
            return Err(refused("the rules are too large to be compiled to a network of gates"));
        };
        Ok(network.moves(random).iter().map(|&played| game.move_text(played).to_string()).collect())
    }

    /// Every goal value that a player can ever have, as far as the rules show: dict of str to list of int, ascending. Some may
    /// never occur.
    ///
    /// Raises
    /// ------
    /// CroupierError
    ///     If the rules are too large to be compiled to a network of gates.
    #[getter]
    fn goal_values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let game = &self.data.game;
        let Some(network) = game.network() else {
            return Err(refused("the rules are too large to be compiled to a network of gates"));
        };
        let found = PyDict::new(py);
        for role in game.roles().players() {
            let possible =
                network.tape().goals(role).iter().filter(|(_, operand)| *operand != Operand::FALSE);
            let possible: BTreeSet<usize> = possible.map(|(index, _)| *index as usize).collect();
            let values = network.goal_values(role).enumerate();
            let values = values.filter_map(|(index, value)| value.filter(|_| possible.contains(&index)));
            let values: BTreeSet<i32> = values.map(|value| value.value()).collect();
            found.set_item(game.roles().name(role), values.into_iter().collect::<Vec<i32>>())?;
        }
        Ok(found)
    }

    /// What payoffs are counted in, such as `chips`; `goals` if the literature has no unit of its own.
    #[getter]
    fn unit(&self) -> &str {
        self.data.unit()
    }

    /// How goal values become payoffs: the unit, the goal value of a payoff of zero, and goal values per unit; `None`
    /// if the literature has no unit of its own.
    #[getter]
    fn payoff_scale(&self) -> Option<(&str, f64, f64)> {
        let payoff = self.data.facts.payoff.as_ref()?;
        Some((&payoff.unit, payoff.offset, payoff.scale))
    }

    /// Warnings about the rules: a list of `Diagnostic`.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let class = py.import("croupier.errors")?.getattr("Diagnostic")?;
        let found = self.data.warnings.iter().map(|found| finding(found, &self.data.rules));
        found.map(|finding| class.call1(finding)).collect()
    }

    /// Writes the rules to `rules.gdl` in a folder, and what is known of the game to `game.toml` beside it, as `load_file` and every
    /// command read them. The folder is made if it is not there; files of these names are replaced.
    ///
    /// Parameters
    /// ----------
    /// folder : str or os.PathLike
    ///
    /// Raises
    /// ------
    /// OSError
    ///     If a file cannot be written.
    fn save(&self, folder: PathBuf) -> PyResult<()> {
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("rules.gdl"), &self.data.rules)?;
        if let Some(facts) = &self.data.facts_toml {
            fs::write(folder.join("game.toml"), facts)?;
        }
        Ok(())
    }

    fn __repr__(&self) -> String {
        format!("<croupier.Game {}: {}; {}>", self.data.name, self.data.facts.title, self.roles().join(", "))
    }

    /// The game as a table, for notebooks.
    fn _repr_html_(&self) -> String {
        let rows = [
            ("name", self.data.name.clone()),
            ("players", self.roles().join(", ")),
            ("chance", if self.has_chance() { "yes" } else { "no" }.to_owned()),
            ("payoffs in", self.unit().to_owned()),
            ("about", self.data.facts.summary.clone()),
        ];
        let rows: Vec<Vec<String>> = rows.map(|(what, text)| vec![what.to_owned(), text]).to_vec();
        table(&self.data.facts.title, &[], &rows)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| {
            let (one, other) = (&self.data, &other.get().data);
            Arc::ptr_eq(one, other)
                || (&one.name, &one.rules, &one.facts_toml) == (&other.name, &other.rules, &other.facts_toml)
        })
    }

    fn __hash__(&self) -> u64 {
        hash_of(&(&self.data.name, self.data.rules.len()))
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyDict>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let GameData { name, rules, facts_toml, .. } = &*self.data;
        Ok((native(py, "_restore_game")?, (name, rules, facts_toml).into_pyobject(py)?))
    }
}

/// An item of this module, by name: used by pickle.
pub(crate) fn native<'py>(py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("croupier._native")?.getattr(name)
}

/// A hash that is the same in every process.
pub(crate) fn hash_of(value: &impl std::hash::Hash) -> u64 {
    use std::hash::{DefaultHasher, Hasher as _};
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn compiled(py: Python<'_>, name: String, rules: String, facts_toml: Option<String>) -> PyResult<PyGame> {
    let data = py.detach(|| GameData::of(name, rules.clone(), facts_toml));
    let data = data.map_err(|error| match error {
        NoGame::Facts(problem) => refused(format!("the facts beside the rules are refused: {problem}")),
        NoGame::Rules(error) => rules_refused(&error, &rules),
    })?;
    Ok(PyGame { data })
}

/// The names of all games that come with Croupier.
///
/// Returns
/// -------
/// list of str
///     In alphabetical order; `load` takes each.
#[pyfunction]
pub(crate) fn games() -> Vec<&'static str> {
    catalogue().iter().map(|entry| entry.name).collect()
}

/// Loads a game that comes with Croupier.
///
/// Parameters
/// ----------
/// name : str
///     One of `games()`.
///
/// Raises
/// ------
/// UnknownGameError
///     If there is no game with this name; `.suggestions` has similar names.
#[pyfunction]
pub(crate) fn load(py: Python<'_>, name: &str) -> PyResult<PyGame> {
    let Some(entry) = find(name) else {
        let near: Vec<&str> = alike(&name.to_lowercase(), catalogue().iter().map(|entry| entry.name))
            .into_iter()
            .take(3)
            .collect();
        let help = match near.as_slice() {
            [] => "croupier.games() lists them; load_file and load_text load your own rules".to_owned(),
            near => format!("did you mean {}? croupier.games() lists them", near.join(" or ")),
        };
        let message = format!("there is no game called '{name}': {help}");
        let near: Vec<String> = near.into_iter().map(str::to_owned).collect();
        return Err(UnknownGameError::new_err((message, name.to_owned(), near)));
    };
    compiled(py, entry.name.to_owned(), entry.rules.to_owned(), Some(entry.facts_toml.to_owned()))
}

/// Loads a game from a file of rules in GDL-II, in prefix or infix syntax.
///
/// The game is called as the file is, or, if that is `rules`, as its folder. A `game.toml` in the same folder gives the unit of its payoffs.
///
/// Parameters
/// ----------
/// path : str or os.PathLike
///     The file.
///
/// Raises
/// ------
/// RulesError
///     If the rules give no game; `.diagnostics` says why and where.
/// OSError
///     If the file cannot be read.
#[pyfunction]
pub(crate) fn load_file(py: Python<'_>, path: PathBuf) -> PyResult<PyGame> {
    let too_long = |path: &PathBuf| {
        let limit = Limits::STANDARD.source_bytes;
        refused(format!("{} is longer than {limit} bytes, the limit of a rules file", path.display()))
    };
    let read = |path: &PathBuf| -> PyResult<String> {
        let failed = |error: std::io::Error| unreadable(path, &error);
        if fs::metadata(path).map_err(failed)?.len() > Limits::STANDARD.source_bytes as u64 {
            return Err(too_long(path));
        }
        Ok(decode(&fs::read(path).map_err(failed)?).text.into_owned())
    };
    let rules = read(&path)?;
    let beside = path.with_file_name("game.toml");
    let facts_toml = if beside.is_file() { Some(read(&beside)?) } else { None };
    compiled(py, name_of(&path), rules, facts_toml)
}

/// The name of a game in a file; `rules.gdl` says nothing that its folder does not say better.
fn name_of(path: &Path) -> String {
    let text = |name: &OsStr| name.to_string_lossy().into_owned();
    let stem = path.file_stem().map_or_else(|| "game".to_owned(), text);
    if stem != "rules" {
        return stem;
    }
    let whole = path.canonicalize().ok();
    whole.as_deref().and_then(Path::parent).and_then(Path::file_name).map_or(stem, text)
}

/// Loads a game from the text of its rules in GDL-II, in prefix or infix syntax.
///
/// Parameters
/// ----------
/// rules : str
///     The rules.
/// name : str, default "game"
///     What to call it.
/// facts : str, optional
///     What people call the game and how its terms read: the text of a `game.toml`.
///
/// Raises
/// ------
/// RulesError
///     If the rules give no game; `.diagnostics` says why and where.
/// CroupierError
///     If `facts` are not those of a game.
#[pyfunction]
#[pyo3(signature = (rules, name = "game", facts = None))]
pub(crate) fn load_text(
    py: Python<'_>,
    rules: String,
    name: &str,
    facts: Option<String>,
) -> PyResult<PyGame> {
    compiled(py, name.to_owned(), rules, facts)
}

/// A game from its pickle.
#[pyfunction(name = "_restore_game")]
pub(crate) fn restore_game(
    py: Python<'_>,
    name: String,
    rules: String,
    facts_toml: Option<String>,
) -> PyResult<PyGame> {
    compiled(py, name, rules, facts_toml)
}
