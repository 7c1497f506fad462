//! How long a player may take for a reply.

use croupier_players::Budget;

/// Share of the time for a reply that a player leaves unused, so that its move arrives in time.
pub const RESERVE: f64 = 0.1;

/// How long a player may take for a reply.
pub enum Time<'t> {
    /// No clock counts: the player makes its own number of iterations, unless the closure says that nobody wants the reply any more.
    Untimed(&'t mut (dyn FnMut() -> bool + Send)),
    /// A clock: the player ends early if its own number of iterations takes too long. The closure says whether a share of the time has
    /// passed, or nobody wants the reply any more.
    Limited(&'t mut (dyn FnMut(f64) -> bool + Send)),
    /// The same clock, whose time nobody else has a use for: the player may make more than its own number of iterations.
    Offered(&'t mut (dyn FnMut(f64) -> bool + Send)),
}

impl Time<'_> {
    /// Whether a clock counts.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        !matches!(self, Self::Untimed(_))
    }

    /// Does something within the time, less the [`RESERVE`].
    pub(crate) fn spend<T>(&mut self, work: impl FnOnce(&mut Budget<'_>) -> T) -> T {
        match self {
            Self::Untimed(is_over) => work(&mut Budget::Interruptible(&mut **is_over)),
            Self::Limited(has_passed) => work(&mut Budget::Until(&mut || has_passed(1.0 - RESERVE))),
            Self::Offered(has_passed) => work(&mut Budget::Offered(&mut || has_passed(1.0 - RESERVE))),
        }
    }
}
