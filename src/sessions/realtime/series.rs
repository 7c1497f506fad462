//! Real-time matches one after another, in simulated time or, with somebody at the terminal, by the clock.

use std::sync::Arc;

use croupier_engine::{ByPlayer, Options, RoleId, Roles, Strictness, realtime::RealTimeGame};
use croupier_games::GameFacts;
use croupier_referee::{
    SealKey, Secrets, Seed, SeriesPlace,
    realtime::{
        RealTimeEnd, RealTimeHeader, RealTimePlayed, RealTimeSetup, ReplayUpdate, Watched, run_real_time,
    },
};
use indicatif::ProgressBar;
use rayon::{
    ThreadPool,
    iter::{IntoParallelIterator, ParallelIterator},
};

use super::{RealTimeOccupant, RealTimeSeatSpec, clock::run_by_clock};
use crate::{
    arguments::source::Source,
    output::failure::Failure,
    sessions::{interrupt::Interrupt, series::series_id},
};

/// Matches that are played before any of them is reported.
const BLOCK: u64 = 64;

/// Updates after which a match is stopped.
pub(crate) const REAL_TIME_UPDATES_MAX: u32 = 100_000;

/// Game time after which a match of a tournament is stopped: a day, in microseconds.
const TIME_MAX_US: u64 = 24 * 3_600_000_000;

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

impl RealTimeSettings {
    /// Matches of programs, with the tick and the limits that nobody asked to change.
    pub(crate) fn in_simulated_time(
        seed: Seed,
        total: u64,
        seal_key: Option<SealKey>,
        interrupt: Interrupt,
    ) -> Self {
        let (updates_max, time_max_us) = (REAL_TIME_UPDATES_MAX, TIME_MAX_US);
        Self { seed, seal_key, total, tick_us: 1, updates_max, time_max_us, speed: None, interrupt }
    }
}

/// Matches of a real-time game between these.
pub(crate) struct RealTimeSeries {
    pub(crate) header: RealTimeHeader,
    specs: ByPlayer<RealTimeSeatSpec>,
    settings: Arc<RealTimeSettings>,
    /// The game of the agents, which is not the referee's.
    game: Arc<RealTimeGame>,
    facts: Arc<GameFacts>,
}

/// A match after its end.
pub(crate) struct RealTimeEnded {
    pub(crate) match_id: String,
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
        if specs.iter().filter(|(_, spec)| **spec == RealTimeSeatSpec::Human).count() > 1 {
            let why = "two people cannot share a terminal in real time";
            return Err(Failure::refuse("bad-seat", why).help("seat an agent in one of the roles"));
        }
        let roles = game.roles();
        let players = players(roles, &specs);
        let RealTimeSettings { seed, tick_us, updates_max, time_max_us, .. } = &settings;
        let bound = format!("{players:?} {tick_us} {updates_max} {time_max_us}");
        let setup = RealTimeSetup {
            match_id: series_id(source, seed, &bound),
            series: None,
            session: None,
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
        Ok(Self { header, specs, settings: Arc::new(settings), game, facts })
    }

    /// The same matches between others.
    ///
    /// # Errors
    /// If a record cannot hold what they are called.
    pub(crate) fn with_specs(&self, specs: ByPlayer<RealTimeSeatSpec>) -> Result<Self, Failure> {
        let players = players(self.header.roles(), &specs);
        let setup = RealTimeSetup { players, ..self.header.setup().clone() };
        let header = RealTimeHeader::with_game(setup, Arc::clone(self.header.game()));
        let header = header.map_err(|error| Failure::refuse("bad-match", error.to_string()))?;
        let (settings, game, facts) =
            (Arc::clone(&self.settings), Arc::clone(&self.game), Arc::clone(&self.facts));
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
                let Some(ended) = self.play_match(index, index + 1, true)? else { return Ok(()) };
                take(ended)?;
            }
            return Ok(());
        }
        for first in (0..total).step_by(usize::try_from(BLOCK).expect("a small number")) {
            let indices: Vec<u64> = (first..total.min(first + BLOCK)).collect();
            let block: Result<Vec<_>, Failure> = pool.install(|| {
                let played = |index| self.play_match(index, index + 1, total == 1);
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

    fn secrets(&self, seed: &Seed) -> Secrets {
        match &self.settings.seal_key {
            Some(seal_key) => Secrets { seed: seed.clone(), seal_key: seal_key.clone() },
            None => Secrets::from_seed(seed.clone()),
        }
    }

    /// Plays the match of this number, from 1, with the seed of this index; its states are kept if it `is_told`. `None` if it
    /// was interrupted before it began.
    ///
    /// # Errors
    /// If it cannot begin.
    pub(crate) fn play_match(
        &self,
        index: u64,
        number: u64,
        is_told: bool,
    ) -> Result<Option<RealTimeEnded>, Failure> {
        if self.settings.interrupt.is_raised() {
            return Ok(None);
        }
        let id = self.header.setup().match_id.clone();
        let match_id = format!("{id}-{number}");
        let place = SeriesPlace { id, index: number, total: self.settings.total };
        let header = self.header.with_place(match_id.clone(), place);
        let header = Arc::new(header.map_err(|error| Failure::refuse("bad-match", error.to_string()))?);
        let seed = self.settings.seed.for_match(index);
        let mut seats = ByPlayer::try_from_fn(header.roles(), |role| {
            let (game, seed) = (Arc::clone(&self.game), seed.agent(header.roles().name(role)));
            let interrupt = &self.settings.interrupt;
            RealTimeOccupant::new(self.specs[role], game, &self.facts, role, seed, interrupt).map(Box::new)
        })?;
        let (secrets, mut updates) = (self.secrets(&seed), Vec::new());
        let mut watch = |watched: Watched<'_>| {
            if let (true, Watched::Update { at_us, moves, state }) = (is_told, watched) {
                updates.push(ReplayUpdate { at_us, moves: moves.to_vec(), state: state.clone() });
            }
        };
        let RealTimePlayed { record, end } = match self.settings.speed {
            None => run_real_time(&header, secrets, &mut seats, watch),
            Some(speed) => {
                run_by_clock(&header, secrets, &mut seats, speed, &self.settings.interrupt, &mut watch)
            }
        };
        let errors = seats.iter().filter_map(|(role, seat)| Some((role, seat.error()?.to_owned()))).collect();
        Ok(Some(RealTimeEnded { match_id, seed, record, updates, end, errors }))
    }
}

/// Who plays each role, as the record names them.
fn players(roles: &Roles, specs: &ByPlayer<RealTimeSeatSpec>) -> Vec<(String, String)> {
    specs.iter().map(|(role, spec)| (roles.name(role).to_owned(), spec.to_string())).collect()
}
