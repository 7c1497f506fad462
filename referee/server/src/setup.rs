//! A match as it is asked for, and as it is kept.

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

/// How long players that connect have for that, in seconds, if nothing else is said.
const JOIN_S: u64 = 600;

/// Turns after which a match that is not over ends without goals.
const TURNS_MAX: u32 = 10_000;

/// A match as it is asked for.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchRequest {
    /// A game of the catalogue.
    pub(crate) game: Option<String>,
    /// Or rules of one's own.
    pub(crate) rules: Option<String>,
    /// Who sits in each role but `random`.
    pub(crate) seats: BTreeMap<String, SeatSetup>,
    #[serde(default = "start_clock_ms")]
    pub(crate) start_clock_ms: u64,
    #[serde(default = "play_clock_ms")]
    pub(crate) play_clock_ms: u64,
    /// Seconds in which players that connect have to.
    #[serde(default = "join_s")]
    pub(crate) join_s: u64,
    /// In a real-time game, microseconds of game time to whose multiples moves are rounded up: 1000 if nothing is said, 50000
    /// where the rules hide something.
    pub(crate) tick_us: Option<u64>,
    /// In a real-time game, milliseconds of game time in a second; 1000 if nothing is said.
    pub(crate) speed_permille: Option<u32>,
    /// In a real-time game, microseconds of game time after which it ends without goals; a day if nothing is said.
    pub(crate) time_max_us: Option<u64>,
    /// What spectators see while it runs; by default moves where the rules hide nothing.
    pub(crate) spectators: Option<Spectators>,
    /// When messages go out; by default padded where the rules hide something, and prompt where they do not.
    pub(crate) cadence: Option<Cadence>,
    /// Where chance comes from, if the server takes such seeds: for tests and replays.
    pub(crate) seed: Option<String>,
    /// Whether the match changes the ratings of its players. It does if nothing is said, its game has a name, everybody who
    /// plays has one or takes an open seat, and its chance is the server's own.
    pub(crate) rated: Option<bool>,
}

impl MatchRequest {
    /// Whether it asks for something that only real-time games have.
    pub(crate) fn asks_for_time(&self) -> bool {
        self.tick_us.is_some() || self.speed_permille.is_some() || self.time_max_us.is_some()
    }

    /// The game in which its players are rated by it, if they are.
    ///
    /// # Errors
    /// [`Problem`] if it is to be rated and cannot.
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
    /// Every joint move, when that many turns more were played and that much time has passed; all of them at the end.
    Delayed {
        /// How many turns.
        turns: u32,
        /// How much time.
        seconds: u32,
    },
    /// How many turns were played.
    Sealed,
}

/// What is kept of a request beside the rules: enough to go on with the match.
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
    /// Whether other matches are played on the same deal: neither nonces nor goals may tell them apart or tell of them.
    #[serde(default)]
    pub(crate) shares_deal: bool,
    /// How it is run, if its game is one in real time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) real_time: Option<RealTimeTerms>,
}

impl StoredSetup {
    /// What is kept of a request; what depends on the game is added later.
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

    /// By role, what anybody may know of who sits there: not where it is called.
    pub(crate) fn public_descriptions(&self) -> BTreeMap<String, String> {
        self.seats.iter().map(|(role, seat)| (role.clone(), seat.public_description())).collect()
    }

    /// By role, what those are called who sit there.
    pub(crate) fn descriptions(&self) -> BTreeMap<String, String> {
        self.seats.iter().map(|(role, seat)| (role.clone(), seat.description())).collect()
    }

    /// The seats of a match, one for each role.
    ///
    /// # Errors
    /// [`Problem`] that names a seat that is missing or not sound.
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

    /// How the rules of every match are compiled.
    pub(crate) fn options() -> Options {
        Self::of_nobody().core("", String::new()).options()
    }

    /// A match in which nobody sits.
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

    /// What the referee core is told of the match.
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

/// Percepts are those of the state in which moves were made.
fn percept_reading() -> PerceptReading {
    #[cfg(feature = "mutants")]
    if croupier_referee::mutant::is_on(croupier_referee::mutant::Mutant::PerceptsOfSuccessor) {
        return PerceptReading::NewState;
    }
    PerceptReading::OldState
}
