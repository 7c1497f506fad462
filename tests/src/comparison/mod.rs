//! The engines against the oracle: everything that each of them says along random walks, compared as sets.
//!
//! The oracle plays the walks. The lifted reasoner, as it is and with everything on demand, and the network follow them
//! state by state, and all lanes of a machine at once, a different state in each as far as there are so many. What looks
//! at many states at once is asked for all of them.

mod lanes;
mod many;
mod scalar;
mod walk;

use std::{fmt, ops::AddAssign};

use croupier_engine::{CompileError, Game, GameError, Limits, Options, Severity, game::Backend};

pub use walk::{Moves, Position, Walks};

use crate::oracle::{Terms, View};

/// How far a comparison goes.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// What the walks depend on.
    pub seed: u64,
    /// Walks from the initial state.
    pub walks: usize,
    /// Joint moves of one walk, at most.
    pub turns: usize,
    /// Atoms that the oracle may look at in all.
    pub effort: u64,
    /// The bounds of grounding; what cannot be grounded within them is compared without a network.
    pub limits: Limits,
}

impl Plan {
    /// Limits with which other people's games are grounded in seconds or not at all.
    pub const LIMITS: Limits = Limits { ground_fuel: 30_000_000, ground_rows: 2_000_000, ..Limits::STANDARD };
}

/// How far a comparison went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Coverage {
    /// States in which everything was compared.
    pub states: usize,
    /// Joint moves whose consequences were compared.
    pub turns: usize,
    /// Walks that met a terminal state.
    pub ends: usize,
    /// Terms that the oracle gave in all: moves, goals, percepts and fluents.
    pub terms: usize,
    /// How often the game was a network as well.
    pub networks: usize,
    /// Lanes in which everything was compared.
    pub lanes: usize,
    /// Whether the oracle's effort was spent first.
    pub is_cut_short: bool,
}

impl AddAssign for Coverage {
    fn add_assign(&mut self, other: Self) {
        self.states += other.states;
        self.turns += other.turns;
        self.ends += other.ends;
        self.terms += other.terms;
        self.networks += other.networks;
        self.lanes += other.lanes;
        self.is_cut_short |= other.is_cut_short;
    }
}

/// Where an engine and the oracle differ, and in what.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What differs from the oracle.
    pub engine: &'static str,
    /// Of what they differ.
    pub what: String,
    /// What each of them says.
    pub detail: String,
    /// The walk, and the turns played before; none if there was no walk.
    pub place: Option<[usize; 2]>,
}

impl Difference {
    /// Which engine differs, and in what kind of answer: what stays when a program is made smaller.
    #[must_use]
    pub fn kind(&self) -> (&'static str, &str) {
        (self.engine, self.what.split(' ').next().unwrap_or_default())
    }

    /// The oracle contradicts itself, or has no answer.
    #[must_use]
    pub fn of_oracle(detail: &str) -> Self {
        Self::new("oracle", None, Mismatch::new("answer", detail))
    }

    /// An engine panicked.
    #[must_use]
    pub fn of_panic() -> Self {
        Self::new("engine", None, Mismatch::new("panic", "printed above"))
    }

    fn new(engine: &'static str, place: Option<[usize; 2]>, mismatch: Mismatch) -> Self {
        Self { engine, what: mismatch.what, detail: mismatch.detail, place }
    }
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some([walk, turn]) = self.place {
            write!(f, "walk {walk}, turn {turn}, ")?;
        }
        write!(f, "{}: {}: {}", self.engine, self.what, self.detail)
    }
}

/// Two answers that should be one.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Mismatch {
    what: String,
    detail: String,
}

impl Mismatch {
    fn new(what: impl Into<String>, detail: impl Into<String>) -> Self {
        Self { what: what.into(), detail: detail.into() }
    }
}

/// Compares every engine with the oracle on one rules text; the network if there is one.
///
/// # Errors
/// The first difference.
pub fn compare(text: &str, plan: &Plan) -> Result<Coverage, Difference> {
    compare_texts(text, text, plan)
}

/// The same with one text for the engines and another for the oracle, to see that differences are noticed.
///
/// # Errors
/// The first difference.
pub fn compare_texts(text: &str, oracle_text: &str, plan: &Plan) -> Result<Coverage, Difference> {
    // Compiled first: what is no game is none for the oracle either.
    let engines = compile(text, &plan.limits)?;
    let walks = Walks::of(oracle_text, plan).map_err(|error| Difference::of_oracle(&error.to_string()))?;
    compare_on(&walks, &engines, plan.seed)
}

/// Compares the engines of a game on walks that are known.
///
/// # Errors
/// The first difference.
pub fn compare_on(walks: &Walks, engines: &Engines, seed: u64) -> Result<Coverage, Difference> {
    let Engines { game, on_demand } = engines;
    let mut coverage = Coverage { is_cut_short: walks.is_cut_short, ..Coverage::default() };
    if walks.walks.is_empty() {
        return Ok(coverage);
    }
    let goals = scalar::compare("lifted", game, game.lifted_scratch(), walks)?;
    let of_demand = scalar::compare("on demand", on_demand, on_demand.scratch(), walks)?;
    same_goals("on demand", &of_demand, &goals, walks)?;
    if let Some(network) = game.network() {
        let of_network = scalar::compare("network", game, game.scratch(), walks)?;
        same_goals("network", &of_network, &goals, walks)?;
        // Each width is code of its own.
        coverage.lanes = match seed % 2 {
            0 => lanes::compare::<1>(game, network, walks, &goals, seed)?,
            _ => lanes::compare::<8>(game, network, walks, &goals, seed)?,
        };
        coverage.networks = 1;
    }
    many::compare(game, walks)?;
    for (_, position) in walks.positions() {
        coverage.states += 1;
        coverage.turns += usize::from(position.turn.is_some());
        coverage.ends += usize::from(position.view.is_terminal);
        coverage.terms += terms_of(position);
    }
    Ok(coverage)
}

/// The goals that count are those of the lifted reasoner.
fn same_goals(
    engine: &'static str,
    found: &[scalar::Goals],
    lifted: &[scalar::Goals],
    walks: &Walks,
) -> Result<(), Difference> {
    for ((place, _), (one, other)) in walks.positions().zip(lifted.iter().zip(found)) {
        if one != other {
            let mismatch = Mismatch::new("goals that count", format!("lifted {one:?}, {engine} {other:?}"));
            return Err(Difference::new(engine, Some(place), mismatch));
        }
    }
    Ok(())
}

/// One game in every engine.
#[derive(Debug)]
pub struct Engines {
    /// The lifted reasoner, and the network where there is one.
    pub game: Game,
    /// The lifted reasoner that computes everything on demand.
    pub on_demand: Game,
}

/// Compiles for every engine, but to no network where that is too large.
///
/// # Errors
/// That the text is no game.
pub fn compile(text: &str, limits: &Limits) -> Result<Engines, Difference> {
    let with = |backend, limits| Game::compile(text, &Options { backend, limits, ..Options::PLAY });
    let compiled = match with(Backend::Propnet, *limits) {
        Err(CompileError::Evaluation(GameError::Ground(_))) => with(Backend::Datalog, Limits::STANDARD),
        compiled => compiled,
    };
    let refusal = |error: CompileError| {
        let code = match &error {
            CompileError::Rules(found) => {
                found.iter().find(|one| one.severity == Severity::Error).map(|one| one.code)
            }
            CompileError::Evaluation(_) | CompileError::RealTime | CompileError::TurnBased => None,
        };
        Mismatch::new(code.unwrap_or("evaluation"), error.to_string())
    };
    let refused = |error| Difference::new("compiler", None, refusal(error));
    let on_demand = with(Backend::OnDemand, Limits::STANDARD);
    Ok(Engines { game: compiled.map_err(refused)?.game, on_demand: on_demand.map_err(refused)?.game })
}

/// How many terms the oracle gave at a position.
fn terms_of(position: &Position) -> usize {
    let View { legal, goals, .. } = &position.view;
    let of_turn = position.turn.iter().flat_map(|(_, consequence)| {
        consequence.sees.values().chain([&consequence.successor]).map(Terms::len)
    });
    legal.values().chain(goals.values()).map(Terms::len).chain(of_turn).sum()
}

fn same<T: PartialEq + fmt::Debug>(what: &str, oracle: &T, engine: &T) -> Result<(), Mismatch> {
    if oracle == engine {
        return Ok(());
    }
    Err(Mismatch::new(what, format!("the oracle has {oracle:?}, the engine {engine:?}")))
}

/// An engine's answer where no error is due.
fn fine<T>(what: &str, answer: Result<T, impl fmt::Display>) -> Result<T, Mismatch> {
    answer.map_err(|error| Mismatch::new(what, error.to_string()))
}
