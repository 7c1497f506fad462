//! Deadlines for waiting.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::{Duration, Instant},
};

use crate::clock;

/// The longest that anyone waits without looking whether it still matters.
pub(crate) const SLICE: Duration = Duration::from_millis(50);

/// How long to wait for a seat: until a deadline, or until its reply is no longer wanted.
#[derive(Clone, Debug)]
pub struct Patience {
    deadline: Instant,
    is_cancelled: Arc<AtomicBool>,
}

impl Patience {
    pub(crate) fn new(deadline: Instant, is_cancelled: &Arc<AtomicBool>) -> Self {
        Self { deadline, is_cancelled: Arc::clone(is_cancelled) }
    }

    /// Whether a reply would come too late, or is no longer wanted. Long operations should check this now and then.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.left().is_zero()
    }

    /// Whether the reply is no longer wanted, in time or not: the match is over.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.is_cancelled.load(Ordering::Relaxed)
    }

    /// The time left; none if the reply is no longer wanted.
    #[must_use]
    pub fn left(&self) -> Duration {
        if self.is_cancelled() {
            return Duration::ZERO;
        }
        self.deadline.saturating_duration_since(clock::now())
    }
}
