//! Real-time matches one after another, in simulated time or, with somebody at the terminal, by the clock.

use std::sync::Arc;

use croupier_engine::{ByPlayer, Options, RoleId, Strictness, realtime::RealTimeGame};
use croupier_games::GameFacts;
use croupier_referee::{
    SealKey, Secrets, Seed, SeriesPlace,
    realtime::{
        Notice, Plan, RealTimeEnd, RealTimeHeader, RealTimeSeat, RealTimeSetup, ReplayUpdate, Watched,
        run_real_time,
    },
};
use indicatif::ProgressBar;
use rayon::{
    ThreadPool,
    iter::{IntoParallelIterator, ParallelIterator},
};

use super::{
    RealTimePlayerSeat, RealTimeSeatSpec,
    clock::{ClockedMatch, run_by_clock},
    person::RealTimePerson,
};
use crate::{failure::Failure, interrupt::Interrupt, series::series_id, source::Source};

/// Matches that are played before any of them is reported.
const BLOCK: u64 = 64;

/// What real-time matches of a series have in common.
pub(crate) struct RealTimeSettings {
    pub(crate) seed: Seed,
    pub(crate) seal_key: Option<SealKey>,
    /// How many matches there are.
    pub(crate) total: u64,
    pub(crate) tick_us: u64,
    pub(crate) updates_max: u32,
    pub(crate) time_max_us: u64,
    /// How many times faster than the clock game time runs; `None` for simulated time.
    pub(crate) speed: Option<f64>,
    pub(crate) interrupt: Interrupt,
}

/// Matches of a real-time game between these.
pub(crate) struct RealTimeSeries {
    pub(crate) header: RealTimeHeader,
    specs: ByPlayer<RealTimeSeatSpec>,
    settings: RealTimeSettings,
    /// The game of the agents, which is not the referee's.
    game: Arc<RealTimeGame>,
    facts: Arc<GameFacts>,
}

/// A match after its end.
pub(crate) struct RealTimeEnded {
    pub(crate) seed: Seed,
    pub(crate) record: Vec<u8>,
    /// Every state there was, where one match is played alone.
    pub(crate) updates: Vec<ReplayUpdate>,
    pub(crate) end: RealTimeEnd,
    /// Why agents failed, by role.
    pub(crate) errors: Vec<(RoleId, String)>,
}

impl RealTimeSeries {
    /// Matches of a game between these.
    ///
    /// # Errors
    /// If the setup is not one that can be played.
    pub(crate) fn new(
        source: &Source,
        game: Arc<RealTimeGame>,
        specs: ByPlayer<RealTimeSeatSpec>,
        settings: RealTimeSettings,
    ) -> Result<Self, Failure> {
        let roles = game.roles();
        let players = specs.iter().map(|(role, spec)| (roles.name(role).to_owned(), spec.to_string()));
        let players: Vec<_> = players.collect();
        let RealTimeSettings { seed, tick_us, updates_max, time_max_us, .. } = &settings;
        let bound = format!("{players:?} {tick_us} {updates_max} {time_max_us}");
        let setup = RealTimeSetup {
            match_id: series_id(source, seed, &bound),
            series: None,
            rules: source.rules.clone(),
            game_name: Some(source.name.clone()),
            players,
            strictness: Strictness::Compatible,
            tick_us: settings.tick_us,
            updates_max: settings.updates_max,
            time_max_us: settings.time_max_us,
            nonces_ms: None,
        };
        let header = RealTimeHeader::with_game(setup, game);
        let header = header.map_err(|error| Failure::refuse("bad-match", error.to_string()))?;
        let game = source.compile_real_time(&Options::PLAY)?;
        let facts = Arc::new(source.facts.clone());
        Ok(Self { header, specs, settings, game, facts })
    }

    /// Whether somebody at the terminal plays.
    pub(crate) fn has_people(&self) -> bool {
        self.specs.iter().any(|(_, spec)| *spec == RealTimeSeatSpec::Human)
    }

    /// Plays the matches and gives each to `take`, in order; fewer if a signal comes.
    ///
    /// # Errors
    /// Whatever `take` fails with.
    pub(crate) fn play(
        &self,
        pool: &ThreadPool,
        bar: &ProgressBar,
        mut take: impl FnMut(RealTimeEnded) -> Result<(), Failure>,
    ) -> Result<(), Failure> {
        let total = self.settings.total;
        if self.settings.speed.is_some() {
            for index in 0..total {
                if self.settings.interrupt.is_raised() {
                    return Ok(());
                }
                take(self.play_by_clock(index)?)?;
            }
            return Ok(());
        }
        for first in (0..total).step_by(usize::try_from(BLOCK).expect("a small number")) {
            let indices: Vec<u64> = (first..total.min(first + BLOCK)).collect();
            let block: Result<Vec<_>, Failure> = pool.install(|| {
                let played = |index| match self.settings.interrupt.is_raised() {
                    true => Ok(None),
                    false => self.play_one(index, total == 1).map(Some),
                };
                indices.into_par_iter().map(played).collect()
            });
            for ended in block? {
                let Some(ended) = ended else { return Ok(()) };
                bar.inc(1);
                take(ended)?;
            }
        }
        Ok(())
    }

    /// The header and the seed of one match, from 0.
    fn of_match(&self, index: u64) -> Result<(Arc<RealTimeHeader>, Seed), Failure> {
        let (id, number) = (self.header.setup().match_id.clone(), index + 1);
        let match_id = format!("{id}-{number}");
        let place = SeriesPlace { id, index: number, total: self.settings.total };
        let header = self.header.with_place(match_id, place);
        let header = header.map_err(|error| Failure::refuse("bad-match", error.to_string()))?;
        Ok((Arc::new(header), self.settings.seed.for_match(index)))
    }

    fn secrets(&self, seed: &Seed) -> Secrets {
        match &self.settings.seal_key {
            Some(seal_key) => Secrets { seed: seed.clone(), seal_key: seal_key.clone() },
            None => Secrets::from_seed(seed.clone()),
        }
    }

    /// Plays one match in simulated time; its states are kept if it `is_told`.
    fn play_one(&self, index: u64, is_told: bool) -> Result<RealTimeEnded, Failure> {
        let (header, seed) = self.of_match(index)?;
        let mut seats = ByPlayer::from_fn(header.roles(), |role| {
            let name = header.roles().name(role);
            let agent = match self.specs[role] {
                RealTimeSeatSpec::Player(kind) => {
                    Some(RealTimePlayerSeat::new(kind, Arc::clone(&self.game), role, seed.agent(name)))
                }
                RealTimeSeatSpec::Human => None,
            };
            Box::new(RealTimeOccupant { agent, interrupt: self.settings.interrupt.clone() })
        });
        let mut updates = Vec::new();
        let played = run_real_time(&header, self.secrets(&seed), &mut seats, |watched| {
            if let (true, Watched::Update { at_us, moves, state }) = (is_told, watched) {
                updates.push(ReplayUpdate { at_us, moves: moves.to_vec(), state: state.clone() });
            }
        });
        let errors =
            seats.iter().filter_map(|(role, seat)| Some((role, seat.agent.as_ref()?.error()?.to_owned())));
        let errors = errors.collect();
        Ok(RealTimeEnded { seed, record: played.record, updates, end: played.end, errors })
    }

    fn play_by_clock(&self, index: u64) -> Result<RealTimeEnded, Failure> {
        let (header, seed) = self.of_match(index)?;
        let mut agents = Vec::new();
        let mut person = None;
        for (role, spec) in self.specs.iter() {
            let name = header.roles().name(role);
            match spec {
                RealTimeSeatSpec::Player(kind) => {
                    agents.push((
                        role,
                        RealTimePlayerSeat::new(*kind, Arc::clone(&self.game), role, seed.agent(name)),
                    ));
                }
                RealTimeSeatSpec::Human if person.is_none() => {
                    let (game, facts) = (Arc::clone(&self.game), Arc::clone(&self.facts));
                    let interrupt = self.settings.interrupt.clone();
                    person = Some(RealTimePerson::new(game, facts, role, interrupt)?);
                }
                RealTimeSeatSpec::Human => {
                    return Err(Failure::refuse(
                        "bad-seat",
                        "two people cannot share a terminal in real time",
                    )
                    .help("seat an agent in one of the roles"));
                }
            }
        }
        let secrets = self.secrets(&seed);
        let speed = self.settings.speed.unwrap_or(1.0);
        let ClockedMatch { record, updates, end } =
            run_by_clock(&header, secrets, &mut agents, person, speed, &self.settings.interrupt);
        let errors =
            agents.iter().filter_map(|(role, seat)| Some((*role, seat.error()?.to_owned()))).collect();
        Ok(RealTimeEnded { seed, record, updates, end, errors })
    }
}

/// An agent in a match that a signal ends.
struct RealTimeOccupant {
    agent: Option<RealTimePlayerSeat>,
    interrupt: Interrupt,
}

impl RealTimeSeat for RealTimeOccupant {
    fn plan(&mut self, now_us: u64, notice: Option<&Notice>) -> Plan {
        if self.interrupt.is_raised() {
            return Plan::Leave;
        }
        self.agent.as_mut().map_or(Plan::Wait, |agent| agent.plan(now_us, notice))
    }
}
