//! When every reply is due: fixed before the first of them, whatever the server does.

use std::time::{Duration, Instant};

/// The schedule of all replies.
///
/// A schedule that waited for the server would hide its delays (*coordinated omission*): while the server stands still, nobody
/// would be there to notice. Here a reply is due at an instant that is fixed in advance, and what comes late is late.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReplySchedule {
    /// When the first match is to reply for the first time.
    pub(super) begin: Instant,
    /// From one turn of a match to the next.
    pub(super) period: Duration,
    /// How many matches share a period: each replies a little later than the one before.
    pub(super) matches: u32,
    /// How many turns each of them has.
    pub(super) turns: u32,
}

impl ReplySchedule {
    fn phase(&self, match_number: u32) -> Duration {
        self.period.mul_f64(f64::from(match_number) / f64::from(self.matches.max(1)))
    }

    /// When both players of a match are to answer START, so that they know of turn 0 a period before its reply is due.
    pub(super) fn ready(&self, match_number: u32) -> Instant {
        self.begin + self.phase(match_number)
    }

    /// When both players of a match are to reply in a turn.
    pub(super) fn due(&self, match_number: u32, turn: u32) -> Instant {
        self.ready(match_number) + self.period * (turn + 1)
    }

    /// When the last reply is due.
    pub(super) fn end(&self) -> Instant {
        self.begin + self.period * (self.turns + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sessions::clock;

    #[test]
    fn every_period_has_one_turn_of_every_match_at_equal_distances() {
        let begin = clock::now();
        let schedule = ReplySchedule { begin, period: Duration::from_secs(1), matches: 4, turns: 3 };
        let due: Vec<u128> =
            (0..4).map(|number| schedule.due(number, 0).duration_since(begin).as_millis()).collect();
        assert_eq!(due, [1_000, 1_250, 1_500, 1_750]);
        assert_eq!(schedule.due(2, 2).duration_since(schedule.due(2, 0)), Duration::from_secs(2));
        assert_eq!(schedule.due(0, 0).duration_since(schedule.ready(0)), Duration::from_secs(1));
        assert!(schedule.due(3, 2) < schedule.end());
    }
}
