//! How players that are absent, busy or at a loss are dealt with, in every command that plays matches.

use std::time::Duration;

use clap::Args;
use croupier_engine::Lifetime;
use croupier_referee::header::GRACE_MS_MAX;
use croupier_remote::Absence;

use crate::{arguments::count::count, sessions::conduct::SeatConduct};

/// Longest time for which a busy player can be waited for, in seconds.
const WAIT_S_MAX: u64 = 24 * 60 * 60;

/// How players that are absent, busy or at a loss are dealt with.
#[derive(Args, Clone, Debug)]
pub(crate) struct HouseRules {
    /// Play even if a player cannot be reached or stays busy, with moves drawn for it; otherwise such a match is void
    #[arg(long, hide_short_help = true)]
    allow_absent: bool,
    /// Seconds for which a player that is busy at START is asked again before it counts as absent
    #[arg(
        long,
        hide_short_help = true,
        value_name = "SECONDS",
        default_value_t = 30,
        value_parser = count::<u64>(0..=WAIT_S_MAX)
    )]
    busy_wait: u64,
    /// Seconds after its clock in which a reply still counts, for the way over the network
    #[arg(long, hide_short_help = true, value_name = "SECONDS", default_value = "1", value_parser = grace_ms)]
    grace: u64,
    /// How many matches a player at an address is given at once; most players take one
    #[arg(
        long,
        hide_short_help = true,
        value_name = "N",
        default_value_t = 1,
        value_parser = count::<u16>(1..=1024)
    )]
    matches_at_once: u16,
    /// Percentage of a player's moves that may be drawn for it; above it the exit status is 1
    #[arg(
        long,
        hide_short_help = true,
        value_name = "PERCENT",
        default_value_t = 10,
        value_parser = count::<u8>(0..=100)
    )]
    substituted_max: u8,
}

impl HouseRules {
    /// What becomes of a match without one of its players.
    pub(crate) fn absence(&self) -> Absence {
        if self.allow_absent { Absence::Played } else { Absence::Void }
    }

    /// How long somebody busy is waited for.
    pub(crate) fn busy_max(&self) -> Duration {
        Duration::from_secs(self.busy_wait)
    }

    /// What is added to each clock before a reply is late, in milliseconds.
    pub(crate) fn grace_ms(&self) -> u64 {
        self.grace
    }

    /// How many matches there may be at one address.
    pub(crate) fn matches_at_once(&self) -> u64 {
        self.matches_at_once.into()
    }

    /// Whether so few of its moves were drawn for a player that its results are still its own.
    pub(crate) fn tolerates(&self, conduct: &SeatConduct) -> bool {
        u128::from(conduct.substituted()) * 100
            <= u128::from(conduct.moves) * u128::from(self.substituted_max)
    }
}

/// Milliseconds of a number of seconds with at most three decimals.
fn grace_ms(text: &str) -> Result<u64, String> {
    let is_zero = text.parse::<f64>() == Ok(0.0);
    let micros = if is_zero { Some(0) } else { text.parse().ok().and_then(Lifetime::micros) };
    let fits = |micros: &u64| micros.is_multiple_of(1000) && micros / 1000 <= GRACE_MS_MAX;
    let micros = micros.filter(fits).ok_or("a number of seconds from 0 to 60, of at most three decimals")?;
    Ok(micros / 1000)
}
