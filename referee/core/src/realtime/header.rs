//! Everything that is fixed before a real-time match starts.

use std::sync::Arc;

use crate::{
    digest::Digest,
    header::{
        CLOCK_MS_MAX, HeaderError, SeriesPlace, SessionPlace, check_bounds, check_match_id, check_series,
        check_session, players_by_role,
    },
};
use croupier_engine::{
    ByPlayer, Limits, Options, Roles, Strictness,
    game::{Backend, PerceptReading},
    realtime::RealTimeGame,
};

/// Longest tick: an hour, in microseconds.
pub const TICK_US_MAX: u64 = 3_600_000_000;

/// Longest match: a year of game time, in microseconds.
pub const TIME_US_MAX: u64 = 366 * 24 * 3_600_000_000;

/// Most updates of a match.
pub const UPDATES_MAX: u32 = 10_000_000;

/// A real-time match as anyone can write it down; [`RealTimeHeader`] is one that can be played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTimeSetup {
    /// One word of ASCII letters, digits, `_`, `-` and `.`, as for any match.
    pub match_id: String,
    /// Its place in a series; `None` for a match on its own.
    pub series: Option<SeriesPlace>,
    /// Its place in a session; a match is in a series or in a session, not in both.
    pub session: Option<SessionPlace>,
    /// The rules as text.
    pub rules: String,
    /// The name of the game in a catalogue, for people.
    pub game_name: Option<String>,
    /// The players: name of the role and a description for people, one for each role except `random`.
    pub players: Vec<(String, String)>,
    /// Whether departures of the rules from the specification are rejected.
    pub strictness: Strictness,
    /// Instants of moves are rounded up to whole ticks, in microseconds: from 1, the paper's first execution model, up to
    /// [`TICK_US_MAX`]; with 50,000 it is its second.
    pub tick_us: u64,
    /// Updates after which a match that is not over ends without goals, up to [`UPDATES_MAX`].
    pub updates_max: u32,
    /// Game time after which a match that is not over ends without goals, up to [`TIME_US_MAX`].
    pub time_max_us: u64,
    /// In a match whose players may commit to nonces, how long they have for that, and again to disclose them, in
    /// milliseconds of the clock; `None` where nobody adds to the seed.
    pub nonces_ms: Option<u64>,
}

impl RealTimeSetup {
    /// How the rules text of this match is compiled.
    #[must_use]
    pub fn options(&self) -> Options {
        Options {
            limits: Limits::STANDARD,
            strictness: self.strictness,
            percepts: PerceptReading::OldState,
            backend: Backend::Auto,
        }
    }
}

/// A real-time match that can be played.
#[derive(Clone, Debug)]
pub struct RealTimeHeader {
    setup: RealTimeSetup,
    game: Arc<RealTimeGame>,
    game_digest: Digest,
    players: ByPlayer<String>,
}

impl RealTimeHeader {
    /// A match with the game that the rules of `setup` give.
    ///
    /// # Errors
    /// [`HeaderError`] for the first thing that is wrong.
    pub fn compile(setup: RealTimeSetup) -> Result<Self, HeaderError> {
        let game = RealTimeGame::compile(&setup.rules, &setup.options())?.game;
        Self::with_game(setup, Arc::new(game))
    }

    /// The same with a game that was compiled from the same rules before.
    ///
    /// # Errors
    /// [`HeaderError`] for the first thing that is wrong.
    pub fn with_game(setup: RealTimeSetup, game: Arc<RealTimeGame>) -> Result<Self, HeaderError> {
        check_match_id(&setup.match_id)?;
        check_series(setup.series.as_ref())?;
        check_session(setup.session.as_ref(), setup.series.as_ref())?;
        check_bounds("the tick in microseconds", setup.tick_us, 1..=TICK_US_MAX)?;
        check_bounds("the limit of updates", u64::from(setup.updates_max), 1..=u64::from(UPDATES_MAX))?;
        check_bounds("the limit of game time in microseconds", setup.time_max_us, 1..=TIME_US_MAX)?;
        check_bounds("the time for nonces in milliseconds", setup.nonces_ms.unwrap_or(0), 0..=CLOCK_MS_MAX)?;
        let players = players_by_role(&setup.players, game.roles())?;
        let game_digest = Digest::of(setup.rules.as_bytes());
        Ok(Self { setup, game, game_digest, players })
    }

    /// The same match under another id and in another place: for the matches of a series, which share the game.
    ///
    /// # Errors
    /// [`HeaderError::MatchId`], [`HeaderError::SeriesId`] and [`HeaderError::OutOfBounds`].
    pub fn with_place(&self, match_id: String, series: SeriesPlace) -> Result<Self, HeaderError> {
        check_match_id(&match_id)?;
        check_series(Some(&series))?;
        let mut other = self.clone();
        other.setup.match_id = match_id;
        other.setup.series = Some(series);
        Ok(other)
    }

    /// The setup that this was made from.
    #[must_use]
    pub fn setup(&self) -> &RealTimeSetup {
        &self.setup
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<RealTimeGame> {
        &self.game
    }

    /// The roles in the order of the rules.
    #[must_use]
    pub fn roles(&self) -> &Roles {
        self.game.roles()
    }

    /// SHA-256 of the rules text.
    #[must_use]
    pub fn game_digest(&self) -> Digest {
        self.game_digest
    }

    /// The players by role.
    #[must_use]
    pub fn players(&self) -> &ByPlayer<String> {
        &self.players
    }

    /// The instant at which a move counts that arrives at another: the end of its tick.
    #[must_use]
    pub fn instant_of(&self, arrival_us: u64) -> u64 {
        arrival_us.div_ceil(self.setup.tick_us).saturating_mul(self.setup.tick_us)
    }
}
