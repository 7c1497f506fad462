//! Runs as records: players move at the instants of the run, and a seed is looked for with which chance draws what it says.

use std::sync::Arc;

use croupier_engine::{ByPlayer, RoleId, Strictness, realtime::RealTimeGame};
use croupier_proofs::{TimedExamination, TimedRun};
use croupier_referee::{
    Secrets,
    realtime::{Notice, Plan, RealTimeHeader, RealTimeSeat, RealTimeSetup, run_real_time},
};

use crate::{
    arguments::source::Source,
    command::analyze::witness::{Witness, Witnesses, plain, seed_of},
    output::failure::Failure,
    sessions::series::series_id,
};

/// The longest run that becomes a record.
const UPDATES_MAX: usize = 5_000;

/// The runs of answers as records.
///
/// # Errors
/// If the rules are not ones that players can be sent.
pub(super) fn witnesses(
    source: &Source,
    game: &Arc<RealTimeGame>,
    found: &TimedExamination,
) -> Result<Witnesses, Failure> {
    let mut all = Vec::new();
    for shown in &found.answers {
        let dashed = |text: &str| format!("-{}", plain(text));
        let role = shown.role.map_or(String::new(), |role| dashed(game.roles().name(role)));
        let about = shown.about.as_deref().map_or(String::new(), dashed);
        for (number, run) in shown.runs.iter().enumerate() {
            let number = if shown.runs.len() > 1 { format!("-{}", number + 1) } else { String::new() };
            let name = format!("{}{role}{about}{number}", shown.question.name());
            all.push(Witness { name, record: record(source, game, run)? });
        }
    }
    Ok(Witnesses(all))
}

/// The index of the move of chance among its legal ones, and their number, update by update, 0 of 1 where players move; `None` if the run
/// cannot be played.
fn draws(game: &RealTimeGame, run: &TimedRun) -> Option<Vec<(u64, u64)>> {
    let mut scratch = game.scratch();
    let mut state = game.initial_state().clone();
    let (mut found, mut now) = (Vec::new(), 0);
    for event in &run.events {
        let random = event.moves.iter().find(|(role, _)| game.roles().random() == Some(*role));
        found.push(match random {
            None => (0, 1),
            Some(&(random, played)) => {
                let legal = &game.legal_moves(&state, &mut scratch).ok()?[random];
                (legal.iter().position(|&other| other == played)? as u64, legal.len() as u64)
            }
        });
        let update = game.update(&state, event.at_us - now, &event.moves, &mut scratch);
        // A run may end with an update that fails.
        let Ok(update) = update else { break };
        state = update.successor;
        now = event.at_us;
    }
    Some(found)
}

/// The record of a match that goes as the run does and is stopped where it ends.
fn record(source: &Source, game: &Arc<RealTimeGame>, run: &TimedRun) -> Result<Option<Vec<u8>>, Failure> {
    if run.events.len() > UPDATES_MAX {
        return Ok(None);
    }
    let Some(seed) = draws(game, run).and_then(|draws| seed_of(&draws)) else { return Ok(None) };
    let roles = game.roles();
    let setup = RealTimeSetup {
        match_id: series_id(source, &seed, "analyze"),
        series: None,
        session: None,
        rules: source.rules.clone(),
        game_name: Some(source.name.clone()),
        players: roles.players().map(|role| (roles.name(role).to_owned(), "witness".to_owned())).collect(),
        strictness: Strictness::Compatible,
        tick_us: 1,
        updates_max: u32::try_from(run.events.len().max(1)).unwrap_or(u32::MAX),
        time_max_us: run.events.last().map_or(1, |last| last.at_us.max(1)),
        nonces_ms: None,
    };
    let header = RealTimeHeader::with_game(setup, Arc::clone(game))
        .map_err(|error| Failure::refuse("bad-match", error.to_string()).at(&source.origin))?;
    let mut seats: ByPlayer<Box<dyn RealTimeSeat>> =
        ByPlayer::from_fn(roles, |role| Box::new(RunSeat::of(game, run, role)) as Box<dyn RealTimeSeat>);
    let played = run_real_time(&Arc::new(header), Secrets::from_seed(seed), &mut seats, |_| {});
    Ok(Some(played.record))
}

/// Plays the moves of a run in one role.
struct RunSeat {
    moves: Vec<Plan>,
}

impl RunSeat {
    fn of(game: &RealTimeGame, run: &TimedRun, role: RoleId) -> Self {
        let own = run.events.iter().flat_map(|event| {
            let own = event.moves.iter().filter(move |(mover, _)| *mover == role);
            own.map(|&(_, played)| Plan::Move {
                text: game.move_text(played).to_string(),
                at_us: event.at_us,
            })
        });
        Self { moves: own.collect() }
    }
}

impl RealTimeSeat for RunSeat {
    fn plan(&mut self, now_us: u64, _: Option<&Notice>) -> Plan {
        let next = self.moves.iter().find(|plan| plan.at_us().is_some_and(|at_us| at_us > now_us));
        next.cloned().unwrap_or(Plan::Wait)
    }
}
