//! A match as requested, and as stored.

use std::collections::BTreeMap;

use croupier_engine::{ByPlayer, Options, Strictness, game::PerceptReading};
use croupier_referee::{Clocks, Header, MatchSetup, Substitution, protocol::check_form};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    cadence::Cadence,
    problem::Problem,
    realtime::RealTimeTerms,
    seat::{Seat, SeatSetup},
    store::NewSeat,
};

/// Default time for players to connect, in seconds.
const JOIN_S: u64 = 600;

/// The number of turns after which an unfinished match ends without goals.
const TURNS_MAX: u32 = 10_000;

/// A request for a match.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchRequest {
    /// A game of the catalogue.
    pub(crate) game: Option<String>,
    /// Or custom rules.
    pub(crate) rules: Option<String>,
    /// The player of each role except `random`.
    pub(crate) seats: BTreeMap<String, SeatSetup>,
    #[serde(default = "start_clock_ms")]
    pub(crate) start_clock_ms: u64,
    #[serde(default = "play_clock_ms")]
    pub(crate) play_clock_ms: u64,
    /// Seconds within which players have to connect.
    #[serde(default = "join_s")]
    pub(crate) join_s: u64,
    /// In a real-time game, the tick in microseconds of game time, to whose multiples moves are rounded up: by default 1000, or 50000
    /// if the rules hide something.
    pub(crate) tick_us: Option<u64>,
    /// In a real-time game, milliseconds of game time per second; by default 1000.
    pub(crate) speed_permille: Option<u32>,
    /// In a real-time game, microseconds of game time after which it ends without goals; by default a day.
    pub(crate) time_max_us: Option<u64>,
    /// What spectators see while it runs; by default moves, if the rules hide nothing.
    pub(crate) spectators: Option<Spectators>,
    /// When messages are sent; by default padded if the rules hide something, and otherwise prompt.
    pub(crate) cadence: Option<Cadence>,
    /// The seed, if the server accepts seeds: for tests and replays.
    pub(crate) seed: Option<String>,
    /// Whether the match changes the ratings of its players. By default it does if its game has a name, all its
    /// players have names or take open seats, and the server chooses the seed.
    pub(crate) rated: Option<bool>,
}

impl MatchRequest {
    /// Whether it has settings that only real-time games have.
    pub(crate) fn asks_for_time(&self) -> bool {
        self.tick_us.is_some() || self.speed_permille.is_some() || self.time_max_us.is_some()
    }

    /// The game in which its players are rated, if they are.
    ///
    /// # Errors
    /// [`Problem`] if it should be rated but cannot be.
    pub(crate) fn rating_pool(&self, seats: &[NewSeat]) -> Result<Option<String>, Problem> {
        let obstacle = if self.game.is_none() {
            Some("only games with a name have ratings; upload the rules first")
        } else if self.seed.is_some() {
            Some("anyone who knows the seed knows the cards; omit `seed`")
        } else if !seats.iter().all(|seat| seat.is_free || seat.player.is_some()) {
            Some("a player has no name; seat registered players or agents, or leave seats open")
        } else {
            None
        };
        match (self.rated, obstacle) {
            (Some(false), _) | (None, Some(_)) => Ok(None),
            (Some(true), Some(obstacle)) => {
                Err(Problem::unfit("unratable", format!("the match cannot be rated: {obstacle}")))
            }
            (_, None) => Ok(self.game.clone()),
        }
    }
}

pub(crate) fn start_clock_ms() -> u64 {
    30_000
}

pub(crate) fn play_clock_ms() -> u64 {
    15_000
}

fn join_s() -> u64 {
    JOIN_S
}

/// What spectators see while a match runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Spectators {
    /// Every joint move.
    Open,
    /// Every joint move, once that many more turns have been played and that much time has passed; all of them at the end.
    Delayed {
        /// The number of turns.
        turns: u32,
        /// The time.
        seconds: u32,
    },
    /// The number of turns played.
    Sealed,
}

/// The stored part of a request besides the rules: enough to resume the match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct StoredSetup {
    pub(crate) game: Option<String>,
    pub(crate) seats: BTreeMap<String, SeatSetup>,
    /// By role, the digest of the token of a seat whose player connects.
    pub(crate) tokens: BTreeMap<String, String>,
    pub(crate) start_clock_ms: u64,
    pub(crate) play_clock_ms: u64,
    pub(crate) join_s: u64,
    pub(crate) spectators: Spectators,
    pub(crate) cadence: Cadence,
    pub(crate) commitment: String,
    /// Whether other matches are played on the same deal: then nonces must not change it and goals must not reveal it.
    #[serde(default)]
    pub(crate) shares_deal: bool,
    /// The real-time settings, if the game is a real-time game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) real_time: Option<RealTimeTerms>,
}

impl StoredSetup {
    /// The stored part of a request; parts that depend on the game are added later.
    pub(crate) fn of(
        request: &MatchRequest,
        seats: BTreeMap<String, SeatSetup>,
        tokens: BTreeMap<String, String>,
    ) -> Self {
        Self {
            game: request.game.clone(),
            seats,
            tokens,
            start_clock_ms: request.start_clock_ms,
            play_clock_ms: request.play_clock_ms,
            join_s: request.join_s,
            spectators: Spectators::Sealed,
            cadence: Cadence::Prompt,
            commitment: String::new(),
            shares_deal: false,
            real_time: None,
        }
    }

    /// By role, the public description of its player, without its address.
    pub(crate) fn public_descriptions(&self) -> BTreeMap<String, String> {
        self.seats.iter().map(|(role, seat)| (role.clone(), seat.public_description())).collect()
    }

    /// By role, the name of its player.
    pub(crate) fn descriptions(&self) -> BTreeMap<String, String> {
        self.seats.iter().map(|(role, seat)| (role.clone(), seat.description())).collect()
    }

    /// The seats of a match, one for each role.
    ///
    /// # Errors
    /// [`Problem`] that names a missing or invalid seat.
    pub(crate) fn sound_seats(&self, header: &Header) -> Result<ByPlayer<Seat>, Problem> {
        ByPlayer::try_from_fn(header.roles(), |role| {
            let name = header.role_name(role);
            let nobody = || Problem::unfit("bad-seat", format!("the role {name} has no player"));
            let seat = self.seats.get(name).ok_or_else(nobody)?.seat(name)?;
            if let Seat::Push { form, .. } = &seat {
                check_form(header, *form)
                    .map_err(|error| Problem::unfit("bad-seat", format!("seat {name}: {error}")))?;
            }
            Ok(seat)
        })
    }

    /// The options with which the rules of every match are compiled.
    pub(crate) fn options() -> Options {
        Self::of_nobody().core("", String::new()).options()
    }

    /// A match without players.
    pub(crate) fn of_nobody() -> Self {
        Self {
            game: None,
            seats: BTreeMap::new(),
            tokens: BTreeMap::new(),
            start_clock_ms: 0,
            play_clock_ms: 0,
            join_s: 0,
            spectators: Spectators::Sealed,
            cadence: Cadence::Prompt,
            commitment: String::new(),
            shares_deal: false,
            real_time: None,
        }
    }

    /// The description of the match for the referee core.
    pub(crate) fn core(&self, id: &str, rules: String) -> MatchSetup {
        MatchSetup {
            match_id: id.to_owned(),
            series: None,
            rules,
            game_name: self.game.clone(),
            players: self.descriptions().into_iter().collect(),
            clocks: Clocks { start_ms: self.start_clock_ms, play_ms: self.play_clock_ms },
            percepts: percept_reading(),
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: TURNS_MAX,
        }
    }
}

/// Percepts are evaluated in the state in which moves were made.
fn percept_reading() -> PerceptReading {
    #[cfg(feature = "mutants")]
    if croupier_referee::mutant::is_on(croupier_referee::mutant::Mutant::PerceptsOfSuccessor) {
        return PerceptReading::NewState;
    }
    PerceptReading::OldState
}
