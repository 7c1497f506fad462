//! Exact exploitability in games whose tree does not fit, by a walk that keeps none of it.

use std::{
    error::Error,
    fmt,
    io::Write,
    ops::ControlFlow,
    sync::{
        Arc, Mutex, MutexGuard, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
};

use croupier_engine::{Game, InformationSet, MoveId, RoleId};
use croupier_players::{Coverage, Player, PlayerError, PlayerKind};
use croupier_solvers::{Evaluation, Followed, Walk, WalkError, WalkProgress};
use serde::Serialize;

use super::Arguments;
use crate::{
    arguments::{engine::Engine, source::Source, threads::spinner},
    measurement::{
        figures::{Figures, FiguresReport, PayoffReport},
        walk_refusal,
    },
    output::{
        answer::Answer,
        columns::write_rows,
        coverage::{CoverageReport, StrategyCoverage, player_refusal},
        failure::Failure,
        schema::{Output, output},
    },
    sessions::{clock, interrupt::Interrupt},
};

/// The exploitability of a player.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct EvaluateWalkReport<'w> {
    #[serde(flatten)]
    figures: FiguresReport<'w>,
    /// The same in the game's unit; null if it has none.
    payoff: Option<PayoffReport<'w>>,
    player: String,
    histories: u64,
    information_sets_asked: u64,
    /// Null if no strategy in a file is used.
    coverage: Option<CoverageReport<'w>>,
    seconds: f64,
    threads: usize,
}
output!(EvaluateWalk: EvaluateWalkReport<'_>);

/// A player in every role, asked what it would do.
struct Everyone {
    /// By role; chance has none.
    players: Vec<Option<Mutex<Box<dyn Player>>>>,
    asked: AtomicU64,
}

/// Why a player has no strategy to tell.
#[derive(Debug)]
enum Silent {
    /// It fails.
    Failed(PlayerError),
    /// It chooses and cannot say how probable that was.
    Unknown,
}

/// What a walk came to.
struct Walked {
    evaluation: Evaluation,
    histories: u64,
    asked: u64,
    coverage: Option<Coverage>,
}

/// Walks through the game and prints what the player is worth.
pub(super) fn run(
    arguments: &Arguments,
    kind: &PlayerKind,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let source = Source::find(&arguments.game)?;
    let game = source.compile(&Engine::Auto.options())?;
    let (pool, begun) = (arguments.threads.pool()?, clock::now());
    let bar = spinner("histories");
    let mut progress = |now: WalkProgress| {
        bar.set_message(said(now));
        interrupt.flow()
    };
    let walked = pool.install(|| walk(&game, kind, &mut progress));
    bar.finish_and_clear();
    let Walked { evaluation, histories, asked, coverage } =
        walked.map_err(|error| refusal(&error, kind, &source))?;
    let strategy = coverage.as_ref().map(|coverage| StrategyCoverage::of(kind, coverage));
    if let Some(strategy) = &strategy {
        strategy.check()?;
        strategy.warn();
    }
    let seconds = begun.elapsed().as_secs_f64();
    let roles = game.roles().players().map(|role| game.roles().name(role)).collect();
    let figures = Figures { source: &source, roles, evaluation: &evaluation, information_sets: Vec::new() };
    if arguments.json {
        let report = EvaluateWalkReport {
            figures: figures.report(),
            payoff: figures.payoff_report(),
            player: kind.to_string(),
            histories,
            information_sets_asked: asked,
            coverage: coverage.as_ref().map(CoverageReport::from),
            seconds,
            threads: arguments.threads.count(),
        };
        report.write_json(out)?;
    } else {
        writeln!(out, "{}: {kind}, by a walk through {histories} histories in {seconds:.1} s", source.name)?;
        if let Some(strategy) = &strategy {
            writeln!(out, "{}", strategy.line())?;
        }
        writeln!(out)?;
        write_rows(out, &figures.rows())?;
        writeln!(out, "\n{}", figures.exploitability_line())?;
    }
    Ok(Answer::Yes)
}

/// How far a walk has come, for a person.
fn said(now: WalkProgress) -> String {
    match now.histories {
        0 => format!("{:.0} % of the information sets asked about", 100.0 * now.asked),
        histories => format!("{histories} histories, {:.0} % of the walk", 100.0 * now.walked),
    }
}

fn walk(
    game: &Arc<Game>,
    kind: &PlayerKind,
    progress: &mut (dyn FnMut(WalkProgress) -> ControlFlow<()> + Send),
) -> Result<Walked, WalkError> {
    let mut histories = 0;
    let mut progress = |now: WalkProgress| {
        histories = now.histories;
        progress(now)
    };
    let (walk, mut everyone) = (Walk::new(game)?, None);
    let evaluation = if matches!(kind, PlayerKind::Random) {
        walk.evaluate(Followed::Uniform, &mut progress)?
    } else {
        let everyone =
            everyone.insert(Everyone::new(game, kind).map_err(|error| WalkError::Strategy(Box::new(error)))?);
        let asked =
            |known: &InformationSet, moves: &[MoveId]| everyone.strategy(known, moves).map_err(Box::from);
        walk.evaluate(Followed::Asked(&asked), &mut progress)?
    };
    let coverage = everyone.as_ref().and_then(Everyone::coverage);
    Ok(Walked {
        evaluation,
        histories,
        asked: everyone.map_or(0, |everyone| everyone.asked.into_inner()),
        coverage,
    })
}

impl Everyone {
    fn new(game: &Arc<Game>, kind: &PlayerKind) -> Result<Self, PlayerError> {
        let player = |role: RoleId| {
            let plays = game.roles().players().any(|player| player == role);
            // Whoever knows its strategy says the same with any seed.
            plays.then(|| kind.player(Arc::clone(game), role, [0; 32]).map(Mutex::new)).transpose()
        };
        let players = game.roles().all().map(player).collect::<Result<_, _>>()?;
        Ok(Self { players, asked: AtomicU64::new(0) })
    }

    /// How often a strategy in a file had an entry.
    fn coverage(&self) -> Option<Coverage> {
        Coverage::sum(self.players.iter().flatten().map(|player| asking(player).coverage()))
    }

    /// How probable each of some moves is to whoever knows this.
    fn strategy(&self, known: &InformationSet, moves: &[MoveId]) -> Result<Vec<f64>, Silent> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let player = self.players[known.role.index()].as_ref().expect("only players are asked");
        let said = asking(player).strategy(known, moves);
        let mut strategy = said.map_err(Silent::Failed)?.ok_or(Silent::Unknown)?;
        // What a file says adds up to one except for its rounding.
        let sum: f64 = strategy.iter().sum();
        if sum <= 0.0 {
            return Err(Silent::Unknown);
        }
        strategy.iter_mut().for_each(|probability| *probability /= sum);
        Ok(strategy)
    }
}

fn asking(player: &Mutex<Box<dyn Player>>) -> MutexGuard<'_, Box<dyn Player>> {
    player.lock().unwrap_or_else(PoisonError::into_inner)
}

impl fmt::Display for Silent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(error) => error.fmt(f),
            Self::Unknown => f.write_str("it does not know its mixed strategy"),
        }
    }
}

impl Error for Silent {}

fn refusal(error: &WalkError, kind: &PlayerKind, source: &Source) -> Failure {
    let WalkError::Strategy(cause) = error else { return walk_refusal(error, source) };
    match cause.downcast_ref() {
        Some(error) => player_refusal(error, "unknown-strategy").at(&kind.to_string()),
        None => Failure::refuse("unknown-strategy", format!("{kind}: {error}"))
            .help("use --player random, call, raise, fold, policy:FILE, net:FILE or rule:FILE"),
    }
}
