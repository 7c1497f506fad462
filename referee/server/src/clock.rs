//! The one place of this package that reads the clock.

use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Now, for deadlines.
#[expect(clippy::disallowed_methods, reason = "the server owns the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

/// Now and so much; a year from now, if that is further than the clock of the system counts.
pub(crate) fn after(time: Duration) -> Instant {
    const YEAR: Duration = Duration::from_secs(366 * 24 * 3_600);
    let now = now();
    now.checked_add(time).unwrap_or(now + YEAR)
}

/// Milliseconds since this machine started, on a clock that runs on while the process, or the whole machine, is suspended: whoever
/// slept past the end of a lease must not take it for valid.
pub(crate) fn awake_ms() -> u64 {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    let clock = rustix::time::ClockId::Boottime;
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    let clock = rustix::time::ClockId::Monotonic;
    let time = rustix::time::clock_gettime(clock);
    let part = |part: i64| u64::try_from(part).unwrap_or_default();
    part(time.tv_sec).saturating_mul(1_000) + part(time.tv_nsec) / 1_000_000
}

/// Milliseconds since 1970, for the lists of matches; nothing is dealt or decided by it.
#[expect(clippy::disallowed_methods, reason = "the server owns the clock")]
pub(crate) fn unix_ms() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}

/// The clock of one match.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MatchClock {
    begun: Instant,
    offset_ms: u64,
}

impl MatchClock {
    /// A clock that shows `offset_ms` now.
    pub(crate) fn at(offset_ms: u64) -> Self {
        Self { begun: now(), offset_ms }
    }

    /// The current time.
    pub(crate) fn ms(&self) -> u64 {
        let passed = u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        self.offset_ms.saturating_add(passed)
    }

    /// When it will show this.
    pub(crate) fn instant(&self, at_ms: u64) -> Instant {
        self.begun + Duration::from_millis(at_ms.saturating_sub(self.offset_ms))
    }
}
