//! A match as requested, and as stored.

use std::collections::BTreeMap;

use croupier_engine::{ByPlayer, Options, Roles, Strictness, game::PerceptReading};
use croupier_referee::{
    Agents, Clocks, Digest, Header, MatchSetup, Nonces, SessionPlace, Substitution,
    protocol::check_form,
    realtime::{TICK_US_MAX, TIME_US_MAX},
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::{
    cadence::Cadence,
    problem::{Problem, ProblemCode, Result},
    realtime::{RealTimeTerms, SPEED_PERMILLE_MAX},
    rights::TokenDigest,
    seat::{Seat, SeatSetup},
};

/// Default time for players to connect, in seconds.
const JOIN_S: u64 = 600;

/// The longest that a clock may be, and that players may take to connect: a week.
const WAIT_S_MAX: u64 = 7 * 24 * 3_600;

/// Rejects times that nobody waits for: numbers near the end of their type would overflow later.
///
/// # Errors
/// [`Problem`] that names the key and its range.
pub(crate) fn demand_times(
    code: ProblemCode,
    start_clock_ms: u64,
    play_clock_ms: u64,
    join_s: u64,
) -> Result<()> {
    let clock_ms_max = WAIT_S_MAX * 1_000;
    let times = [
        ("start_clock_ms", start_clock_ms, clock_ms_max),
        ("play_clock_ms", play_clock_ms, clock_ms_max),
        ("join_s", join_s, WAIT_S_MAX),
    ];
    for (key, value, most) in times {
        if value > most {
            return Err(code.because(format!("`{key}` is {value}: it must be from 0 to {most}")));
        }
    }
    Ok(())
}

/// Milliseconds between the rules and the first move of a match that is made without saying it.
pub const START_CLOCK_MS: u64 = 30_000;

/// Milliseconds for a move in a match that is made without saying it.
pub const PLAY_CLOCK_MS: u64 = 15_000;

/// The number of turns after which an unfinished match ends without goals.
const TURNS_MAX: u32 = 10_000;

/// A request for a match.
#[derive(Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchRequest {
    /// A game of the catalogue.
    pub(crate) game: Option<String>,
    /// Or custom rules.
    pub(crate) rules: Option<String>,
    /// The player of each role except `random`.
    pub(crate) seats: BTreeMap<String, SeatSetup>,
    /// Milliseconds between the rules and the first move: by default 30,000, and at most a week.
    #[serde(default = "start_clock_ms")]
    #[schema(default = 30_000)]
    pub(crate) start_clock_ms: u64,
    /// Milliseconds for a move: by default 15,000, and at most a week. A legal move is drawn for whoever takes longer by more than a second.
    #[serde(default = "play_clock_ms")]
    #[schema(default = 15_000)]
    pub(crate) play_clock_ms: u64,
    /// Seconds within which players have to connect: at most a week.
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
    /// Rejects numbers that are out of range.
    ///
    /// # Errors
    /// [`Problem`] that names the key and its range.
    pub(crate) fn demand_bounds(&self) -> Result<()> {
        demand_times(ProblemCode::BadMatch, self.start_clock_ms, self.play_clock_ms, self.join_s)?;
        let real_time = [
            ("tick_us", self.tick_us, TICK_US_MAX),
            ("time_max_us", self.time_max_us, TIME_US_MAX),
            ("speed_permille", self.speed_permille.map(u64::from), u64::from(SPEED_PERMILLE_MAX)),
        ];
        for (key, value, most) in real_time {
            if value.is_some_and(|value| !(1..=most).contains(&value)) {
                let detail = format!("`{key}` must be from 1 to {most}");
                return Err(ProblemCode::BadMatch.because(detail));
            }
        }
        Ok(())
    }

    /// Whether it has settings that only real-time games have.
    pub(crate) fn asks_for_time(&self) -> bool {
        self.tick_us.is_some() || self.speed_permille.is_some() || self.time_max_us.is_some()
    }

    /// The game in which its players are rated, if they are.
    ///
    /// # Errors
    /// [`Problem`] if it should be rated but cannot be.
    pub(crate) fn rating_pool(&self) -> Result<Option<String>> {
        let obstacle = if self.game.is_none() {
            Some("only games with a name have ratings; upload the rules first")
        } else if self.seed.is_some() {
            Some("anyone who knows the seed knows the cards; omit `seed`")
        } else if !self.seats.values().all(|seat| *seat == SeatSetup::Open || seat.player().is_some()) {
            Some("a player has no name; seat registered players or agents, or leave seats open")
        } else {
            None
        };
        match (self.rated, obstacle) {
            (Some(false), _) | (None, Some(_)) => Ok(None),
            (Some(true), Some(obstacle)) => {
                Err(ProblemCode::Unratable.because(format!("the match cannot be rated: {obstacle}")))
            }
            (_, None) => Ok(self.game.clone()),
        }
    }
}

pub(crate) fn start_clock_ms() -> u64 {
    START_CLOCK_MS
}

pub(crate) fn play_clock_ms() -> u64 {
    PLAY_CLOCK_MS
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
    /// The number of turns played; every joint move when the hand, which is the match, is over, if nobody else plays its deal.
    AfterHand,
    /// The number of turns played.
    Sealed,
}

impl Spectators {
    /// Whether they see joint moves, now or later, of a match that perhaps shares its deal with others.
    pub(crate) fn shows_moves(self, shares_deal: bool) -> bool {
        match self {
            Self::Open | Self::Delayed { .. } => true,
            // The other matches on the deal may go on for days: then its record is there.
            Self::AfterHand => !shares_deal,
            Self::Sealed => false,
        }
    }
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
    /// Whether its players may commit to nonces. Matches that older servers have begun took nonces in the clear.
    #[serde(default)]
    pub(crate) commits_nonces: bool,
    /// The real-time settings, if the game is a real-time game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) real_time: Option<RealTimeTerms>,
    /// The session that it is a match of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) session: Option<SessionHand>,
}

/// A match of a session: which one it is, and who sits where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct SessionHand {
    pub(crate) session: String,
    /// Which match of the session, from 1.
    pub(crate) index: u64,
    /// SHA-256 of the record of the match before it, or of the first line of the session's record.
    pub(crate) before: String,
    /// The seat of each role.
    pub(crate) places: BTreeMap<String, u32>,
    /// By role, who plays: as the record names them.
    pub(crate) players: BTreeMap<String, String>,
    /// Milliseconds that an agent may think about a move: the clock of the match has the time banks of people in it.
    pub(crate) agent_clock_ms: u64,
}

impl SessionHand {
    /// Its place in the session, for its record.
    pub(crate) fn place(&self) -> Option<SessionPlace> {
        let before = Digest::from_hex(&self.before)?;
        Some(SessionPlace { id: self.session.clone(), index: self.index, before })
    }
}

impl StoredSetup {
    /// What the store has of a match.
    ///
    /// # Errors
    /// [`Problem`] if it is no match.
    pub(crate) fn read(stored: &str) -> Result<Self> {
        serde_json::from_str(stored).map_err(|_| Problem::lost())
    }

    /// The stored part of a request; parts that depend on its players and its game are added later.
    pub(crate) fn of(request: &MatchRequest) -> Self {
        Self {
            game: request.game.clone(),
            start_clock_ms: request.start_clock_ms,
            play_clock_ms: request.play_clock_ms,
            join_s: request.join_s,
            ..Self::of_nobody()
        }
    }

    /// By role, the public description of its player, without its address.
    pub(crate) fn public_descriptions(&self) -> BTreeMap<String, String> {
        self.named(SeatSetup::public_description)
    }

    /// By role, the name of its player.
    pub(crate) fn descriptions(&self) -> BTreeMap<String, String> {
        self.named(SeatSetup::description)
    }

    /// By role, what its player is called: in a session as its people know each other.
    fn named(&self, of_seat: impl Fn(&SeatSetup) -> String) -> BTreeMap<String, String> {
        let known = |role: &String| self.session.as_ref()?.players.get(role).cloned();
        let named = |(role, seat): (&String, &SeatSetup)| {
            (role.clone(), known(role).unwrap_or_else(|| of_seat(seat)))
        };
        self.seats.iter().map(named).collect()
    }

    /// The seats of a match, one for each role.
    ///
    /// # Errors
    /// [`Problem`] that names a missing or invalid seat.
    pub(crate) fn sound_seats(&self, header: &Header, agents: &dyn Agents) -> Result<ByPlayer<Seat>> {
        ByPlayer::try_from_fn(header.roles(), |role| {
            let name = header.role_name(role);
            let nobody = || ProblemCode::BadSeat.because(format!("the role {name} has no player"));
            let seat = self.seats.get(name).ok_or_else(nobody)?.seat(name, agents)?;
            if let Seat::Push { form, .. } = &seat {
                check_form(header, *form)
                    .map_err(|error| ProblemCode::BadSeat.because(format!("seat {name}: {error}")))?;
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
            commits_nonces: true,
            real_time: None,
            session: None,
        }
    }

    /// The token of each seat whose player connects.
    pub(crate) fn tokens(&self, roles: &Roles) -> ByPlayer<Option<TokenDigest>> {
        ByPlayer::from_fn(roles, |role| TokenDigest::from_hex(self.tokens.get(roles.name(role))?))
    }

    /// Whether players add nonces to the seed, and how. On a deal that others play too they do not: all are to have the
    /// same cards.
    pub(crate) fn nonces(&self) -> Nonces {
        match (self.commits_nonces, self.shares_deal) {
            (false, _) => Nonces::Clear,
            (true, false) => Nonces::Committed,
            (true, true) => Nonces::Declined,
        }
    }

    /// The description of the match for the referee core.
    pub(crate) fn core(&self, id: &str, rules: String) -> MatchSetup {
        MatchSetup {
            match_id: id.to_owned(),
            series: None,
            session: self.session.as_ref().and_then(SessionHand::place),
            rules,
            game_name: self.game.clone(),
            players: self.descriptions().into_iter().collect(),
            clocks: Clocks::of(self.start_clock_ms, self.play_clock_ms),
            percepts: percept_reading(),
            strictness: Strictness::Compatible,
            substitution: Substitution::Drawn,
            turns_max: TURNS_MAX,
            nonces: self.nonces(),
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
