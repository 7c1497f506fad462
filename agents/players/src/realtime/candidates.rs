//! The candidates that a player considers: moves, each at instants at which something can change.

use croupier_engine::MoveId;

use super::walk::TimedPosition;

/// Instants of a grid between now and the horizon.
const GRID: u64 = 6;

/// Horizon where nothing expires, in microseconds.
const HORIZON_US: u64 = 2_000_000;

/// Number of expiries considered.
const EXPIRIES: usize = 3;

/// An action, valid until something is observed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Candidate {
    /// No move; plan again after this many microseconds, if at all.
    Wait { after_us: Option<u64> },
    /// A move after this many microseconds.
    Play { played: MoveId, after_us: u64 },
}

impl Candidate {
    pub(super) fn after_us(self) -> Option<u64> {
        match self {
            Self::Wait { after_us } => after_us,
            Self::Play { after_us, .. } => Some(after_us),
        }
    }
}

/// What to consider with these legal moves in this match: each move at once, just before, at and just after each of the
/// next expiries, and on a grid; and to wait for the first expiry.
pub(super) fn candidates(position: &TimedPosition, now_us: u64, legal: &[MoveId]) -> Vec<Candidate> {
    let mut expiries: Vec<u64> = position
        .state
        .facts()
        .filter_map(|(_, lifetime)| lifetime.micros())
        .map(|left| position.at_us.saturating_add(left).saturating_sub(now_us))
        .filter(|&left| left > 0)
        .collect();
    expiries.sort_unstable();
    expiries.dedup();
    let mut found = vec![Candidate::Wait { after_us: expiries.first().map(|left| left + 1) }];
    if legal.is_empty() {
        return found;
    }
    let horizon = expiries.last().copied().unwrap_or(HORIZON_US).clamp(GRID, 10 * HORIZON_US);
    let mut instants = vec![1];
    for &expiry in expiries.iter().take(EXPIRIES) {
        instants.extend([expiry.saturating_sub(1).max(1), expiry, expiry + 1]);
    }
    instants.extend((1..GRID).map(|step| (horizon * step / GRID).max(1)));
    instants.sort_unstable();
    instants.dedup();
    for &played in legal {
        found.extend(instants.iter().map(|&after_us| Candidate::Play { played, after_us }));
    }
    found
}
