//! When messages are sent, and so what their timing reveals.
//!
//! Nothing here uses a clock: instants are microseconds on any monotonic clock.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// When the messages of a turn go out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cadence {
    /// As soon as they are stored. How long others thought, and how long the referee computed, can be seen.
    Prompt,
    /// A time after the last reply that does not depend on the state. How long the slowest player thought can be seen.
    Padded,
    /// When the clock of the turn has run out plus that time. This only reveals that someone did not reply in time.
    Fixed,
}

/// The shortest time from the last reply to the next messages, if padded.
const STEP_US_MIN: u64 = 5_000;

/// The longest: it is taken from the second of grace that every reply has.
const STEP_US_MAX: u64 = 250_000;

/// The times at which one match sends messages.
///
/// The step is fixed before the match starts: a step that depended on the state would reveal it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pace {
    cadence: Cadence,
    step_us: u64,
    /// How long the messages of each turn took, of as many turns as are kept.
    took_us: Vec<u64>,
    overruns: u64,
}

/// Turns of a match of which the time is kept.
const TURNS_KEPT: usize = 256;

impl Pace {
    /// The pace of a match in which messages go out so long after the last reply, but after 5 to 250 ms.
    #[must_use]
    pub fn new(cadence: Cadence, step_us: u64) -> Self {
        let step_us = step_us.clamp(STEP_US_MIN, STEP_US_MAX);
        Self { cadence, step_us, took_us: Vec::new(), overruns: 0 }
    }

    /// When messages go out that are ready at `ready_us`, and that the match owes since `caused_us`: the last reply, or the
    /// end of a clock.
    ///
    /// Messages that are not ready after one step wait for the end of another, and are counted.
    pub fn release_us(&mut self, caused_us: u64, ready_us: u64) -> u64 {
        let took_us = ready_us.saturating_sub(caused_us);
        if self.took_us.len() < TURNS_KEPT {
            self.took_us.push(took_us);
        }
        if self.cadence == Cadence::Prompt {
            return ready_us;
        }
        let steps = took_us.div_ceil(self.step_us).max(1);
        self.overruns += u64::from(steps > 1);
        caused_us + steps * self.step_us
    }

    /// Until when replies to messages of `released_us` are held, with a clock of `clock_us`; `None` if they count
    /// at once.
    #[must_use]
    pub fn kept_until_us(&self, released_us: u64, clock_us: u64) -> Option<u64> {
        (self.cadence == Cadence::Fixed).then(|| released_us.saturating_add(clock_us))
    }

    /// How long messages may wait for their time, unless they are not ready.
    #[must_use]
    pub fn step_us(&self) -> u64 {
        if self.cadence == Cadence::Prompt { 0 } else { self.step_us }
    }

    /// The times from a reply to messages that were ready, of the first turns of this match.
    #[must_use]
    pub fn took_us(&self) -> &[u64] {
        &self.took_us
    }

    /// How often messages were not ready after one step.
    #[must_use]
    pub fn overruns(&self) -> u64 {
        self.overruns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_padded_message_goes_out_a_time_after_the_last_reply_that_does_not_depend_on_the_work() {
        let mut pace = Pace::new(Cadence::Padded, 8_000);
        assert_eq!(pace.step_us(), 8_000);
        for took_us in [0, 1, 500, 7_999, 8_000] {
            assert_eq!(pace.release_us(1_000_000, 1_000_000 + took_us), 1_008_000, "{took_us}");
        }
        assert_eq!(pace.overruns(), 0);
    }

    #[test]
    fn what_is_not_ready_waits_for_the_next_multiple_and_is_counted() {
        let mut pace = Pace::new(Cadence::Padded, 0);
        assert_eq!(pace.release_us(100, 100 + 5_001), 100 + 10_000);
        assert_eq!(pace.release_us(100, 100 + 10_000), 100 + 10_000);
        assert_eq!(pace.release_us(100, 100 + 10_001), 100 + 15_000);
        assert_eq!(
            (pace.overruns(), pace.took_us(), pace.step_us()),
            (3, &[5_001, 10_000, 10_001][..], 5_000),
            "the step stays"
        );
    }

    #[test]
    fn a_prompt_message_goes_out_when_it_is_ready() {
        let mut pace = Pace::new(Cadence::Prompt, 4_000);
        assert_eq!((pace.release_us(100, 107), pace.step_us(), pace.overruns()), (107, 0, 0));
    }

    #[test]
    fn only_fixed_keeps_replies_and_until_the_end_of_the_clock() {
        for (cadence, kept) in
            [(Cadence::Prompt, None), (Cadence::Padded, None), (Cadence::Fixed, Some(1_300))]
        {
            assert_eq!(Pace::new(cadence, 0).kept_until_us(300, 1_000), kept);
        }
    }

    #[test]
    fn a_step_is_from_5_to_250_ms() {
        for (wanted_us, step_us) in [(0, 5_000), (5_000, 5_000), (5_001, 5_001), (u64::MAX, 250_000)] {
            assert_eq!(Pace::new(Cadence::Padded, wanted_us).step_us(), step_us);
        }
    }
}
