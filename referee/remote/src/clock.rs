//! The one place of this package that reads the clock, and the clock of a match.

use std::time::{Duration, Instant};

/// Now, on a clock that does not go back.
#[expect(clippy::disallowed_methods, reason = "deadlines of players are real time")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// The clock of a match: milliseconds since it began, excluding pauses.
#[derive(Debug)]
pub(crate) struct MatchClock {
    begun: Instant,
    left_out: Duration,
    /// The start of the current pause, if it is paused.
    stopped: Option<Instant>,
}

impl MatchClock {
    pub(crate) fn start() -> Self {
        Self { begun: now(), left_out: Duration::ZERO, stopped: None }
    }

    /// Leaves out time that has passed.
    pub(crate) fn leave_out(&mut self, time: Duration) {
        self.left_out += time;
    }

    /// Pauses the clock from then on, if it is running.
    pub(crate) fn stop(&mut self, at: Instant) {
        self.stopped.get_or_insert(at);
    }

    /// Resumes the clock.
    pub(crate) fn resume(&mut self) {
        if let Some(stopped) = self.stopped.take() {
            self.leave_out(now().saturating_duration_since(stopped));
        }
    }

    pub(crate) fn ms(&self, at: Instant) -> u64 {
        let at = self.stopped.map_or(at, |stopped| at.min(stopped));
        let elapsed = at.saturating_duration_since(self.begun).saturating_sub(self.left_out);
        u64::try_from(elapsed.as_millis()).unwrap_or(u64::MAX)
    }

    /// The instant at which it will show this; `None` while it is paused.
    pub(crate) fn instant(&self, at_ms: u64) -> Option<Instant> {
        self.stopped.is_none().then(|| self.begun + self.left_out + Duration::from_millis(at_ms))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_of_a_match_shows_nothing_of_the_time_that_it_stood_still() {
        let mut clock = MatchClock::start();
        let at = clock.begun + Duration::from_secs(3);
        assert_eq!(clock.ms(at), 3000);
        clock.stop(clock.begun + Duration::from_secs(2));
        clock.stop(at);
        assert_eq!((clock.ms(at), clock.instant(5000)), (2000, None), "the first stop counts");
        clock.stopped = None;
        clock.leave_out(Duration::from_secs(1));
        assert_eq!((clock.ms(at), clock.instant(2000)), (2000, Some(at)));
    }
}
