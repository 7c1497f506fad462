//! Game time by the clock of the server.

use std::time::{Duration, Instant};

use crate::clock;

/// The game time of one match: this many milliseconds of it per second. It can be paused.
#[derive(Clone, Copy, Debug)]
pub(crate) struct GameClock {
    begun: Instant,
    /// What it showed then, in microseconds of game time.
    offset_us: u64,
    /// For how long it stood still since.
    stood: Duration,
    /// What it showed when it went on for the last time.
    least_us: u64,
    speed_permille: u32,
}

impl GameClock {
    /// A clock that shows `offset_us` now, and runs.
    pub(super) fn at(offset_us: u64, speed_permille: u32) -> Self {
        Self { begun: clock::now(), offset_us, stood: Duration::ZERO, least_us: offset_us, speed_permille }
    }

    /// What it shows now, in microseconds of game time.
    pub(crate) fn now_us(&self) -> u64 {
        self.shown_us(clock::now())
    }

    /// The game time at an instant. While it was paused that was the time at which it resumes.
    pub(crate) fn shown_us(&self, at: Instant) -> u64 {
        let run = at.saturating_duration_since(self.begun).saturating_sub(self.stood);
        self.offset_us.saturating_add(self.game_us(run)).max(self.least_us)
    }

    /// When it will show this, if it is not paused until then.
    pub(crate) fn instant(&self, at_us: u64) -> Instant {
        let left_us = u128::from(at_us.saturating_sub(self.offset_us));
        // Rounded up: a timer that rings early would find nothing to do.
        let clock_us = (left_us * 1000).div_ceil(u128::from(self.speed_permille));
        self.begun + self.stood + Duration::from_micros(u64::try_from(clock_us).unwrap_or(u64::MAX / 2))
    }

    /// Has it shown `at_us` for that long, up to now.
    pub(super) fn stand_still(&mut self, at_us: u64, lasted: Duration) {
        self.stood += lasted;
        self.least_us = self.least_us.max(at_us);
    }

    /// Microseconds of game time in which it runs for that long.
    pub(super) fn game_us(&self, run: Duration) -> u64 {
        let game_us = run.as_micros() * u128::from(self.speed_permille) / 1000;
        u64::try_from(game_us).unwrap_or(u64::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn game_time_runs_at_its_speed_and_stands_still() {
        let mut clock = GameClock::at(1_000_000, 2_000);
        let begun = clock.begun;
        let after = |ms: u64| begun + Duration::from_millis(ms);
        let (half, whole) = (after(500), after(1_000));
        assert_eq!((clock.shown_us(half), clock.shown_us(whole)), (2_000_000, 3_000_000));
        assert_eq!(clock.instant(2_000_000), half);
        clock.stand_still(2_000_000, Duration::from_millis(250));
        // A move that arrives while it stands still counts as of then.
        assert_eq!(clock.shown_us(after(600)), 2_000_000);
        assert_eq!((clock.shown_us(after(750)), clock.shown_us(whole)), (2_000_000, 2_500_000));
        assert_eq!(clock.instant(2_500_000), whole);
    }
}
