//! What people write to each other at a table: kept in memory alone, the last lines only, and in no record.

use std::{
    collections::{BTreeMap, VecDeque},
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    view::{ChatLine, SeatPlace},
    wording,
};
use crate::problem::{Problem, ProblemCode, Result};

/// Lines that are kept.
const LINES_MAX: usize = 100;

/// Lines that one seat may write in so long.
const BURST_MAX: usize = 5;
const BURST: Duration = Duration::from_secs(10);

/// What was said at a table.
#[derive(Debug, Default)]
pub(super) struct Talk {
    lines: VecDeque<ChatLine>,
    /// How many there were.
    count: u64,
    /// By seat, when the last lines were written.
    lately: BTreeMap<Option<SeatPlace>, VecDeque<Instant>>,
}

impl Talk {
    /// Says something; all lines that are kept then.
    ///
    /// # Errors
    /// [`Problem`] if it is no line, or comes too soon after others.
    pub(super) fn say(
        &mut self,
        place: Option<SeatPlace>,
        name: &str,
        text: &str,
        now: Instant,
    ) -> Result<Arc<[ChatLine]>> {
        let text = wording::said(text)?;
        let lately = self.lately.entry(place).or_default();
        while lately.front().is_some_and(|at| now.saturating_duration_since(*at) >= BURST) {
            lately.pop_front();
        }
        if let Some(first) = lately.front().filter(|_| lately.len() >= BURST_MAX) {
            return Err(Problem::too_many(BURST.saturating_sub(now.saturating_duration_since(*first))));
        }
        lately.push_back(now);
        self.count += 1;
        self.lines.push_back(ChatLine { number: self.count, place, name: name.to_owned(), text });
        if self.lines.len() > LINES_MAX {
            self.lines.pop_front();
        }
        Ok(self.lines.iter().cloned().collect())
    }

    /// A line where nothing can be said.
    ///
    /// # Errors
    /// [`Problem`], always.
    pub(super) fn refuse<T>() -> Result<T> {
        Err(ProblemCode::NotNow.because("the chat of this session is off"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    #[test]
    fn lines_are_numbered_kept_and_limited_by_seat() {
        let (mut talk, now) = (Talk::default(), clock::now());
        for number in 1..=5 {
            let lines = talk.say(Some(1), "ann", "hello", now).expect("few lines");
            assert_eq!(lines.last().map(|line| line.number), Some(number));
        }
        let refused = talk.say(Some(1), "ann", "again", now).map_err(|problem| problem.code());
        assert_eq!(refused, Err(ProblemCode::TooManyRequests));
        assert!(talk.say(Some(2), "ben", "<b>hi</b>", now).is_ok(), "others have limits of their own");
        assert!(talk.say(Some(1), "ann", "later", now + BURST).is_ok());
        for second in 2..400_u64 {
            let at = now + BURST * u32::try_from(second).expect("few");
            let lines = talk.say(None, "host", "x", at).expect("one every ten seconds");
            assert!(lines.len() <= LINES_MAX);
        }
    }
}
