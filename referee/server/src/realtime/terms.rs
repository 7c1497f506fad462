//! The settings of a real-time match, as requested and as stored.

use std::time::Duration;

use croupier_engine::Strictness;
use croupier_referee::realtime::{
    RealTimeHeader, RealTimeSetup,
    wire::{Opening, RealTimeMessage},
};
use serde::{Deserialize, Serialize};

use crate::{
    pledge::Pledge,
    setup::{MatchRequest, SessionHand, StoredSetup},
};

/// Updates after which a match that is not over ends without goals.
const UPDATES_MAX: u32 = 100_000;

/// Game time after which a match that is not over ends without goals: a day.
const TIME_US: u64 = 24 * 3_600_000_000;

/// The default tick: a millisecond, or, if the rules hide something, more than an update takes, so that
/// game time is never paused for one.
const TICK_US_OPEN: u64 = 1_000;
const TICK_US_HIDDEN: u64 = 50_000;

/// The greatest speed, in thousandths: a thousand times faster than the clock. The least is 1.
pub(crate) const SPEED_PERMILLE_MAX: u32 = 1_000_000;

/// How a real-time match is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct RealTimeTerms {
    tick_us: u64,
    pub(super) speed_permille: u32,
    time_max_us: u64,
}

impl RealTimeTerms {
    /// What a request asks for, whose numbers are in their ranges.
    pub(super) fn of(request: &MatchRequest, has_full_sight: bool) -> Self {
        let usual = if has_full_sight { TICK_US_OPEN } else { TICK_US_HIDDEN };
        Self {
            tick_us: request.tick_us.unwrap_or(usual),
            speed_permille: request.speed_permille.unwrap_or(1000),
            time_max_us: request.time_max_us.unwrap_or(TIME_US),
        }
    }

    /// Microseconds of game time in which the clock of the server runs for that long.
    pub(super) fn game_us(&self, run: Duration) -> u64 {
        let game_us = run.as_micros() * u128::from(self.speed_permille) / 1000;
        u64::try_from(game_us).unwrap_or(u64::MAX)
    }

    /// What the referee core is told of the match.
    pub(super) fn core(&self, setup: &StoredSetup, id: &str, rules: String) -> RealTimeSetup {
        RealTimeSetup {
            match_id: id.to_owned(),
            series: None,
            session: setup.session.as_ref().and_then(SessionHand::place),
            rules,
            game_name: setup.game.clone(),
            players: setup.descriptions().into_iter().collect(),
            strictness: Strictness::Compatible,
            tick_us: self.tick_us,
            updates_max: UPDATES_MAX,
            time_max_us: self.time_max_us,
            nonces_ms: setup.commits_nonces.then_some(setup.start_clock_ms),
        }
    }

    /// What a player is told before the match.
    pub(super) fn start(
        &self,
        setup: &StoredSetup,
        header: &RealTimeHeader,
        role: &str,
        pledge: &Pledge,
    ) -> RealTimeMessage {
        let [commitment, signature, key] = pledge.texts();
        let opening = Opening {
            speed_permille: self.speed_permille,
            start_clock_ms: setup.start_clock_ms,
            commitment: Some(commitment),
            signed: Some([signature, key]),
        };
        RealTimeMessage::start(header, role, opening)
    }
}
