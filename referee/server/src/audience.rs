//! The spectators of a match: which parts of stored lines they see, and when.

use std::{
    collections::VecDeque,
    sync::Arc,
    time::{Duration, Instant},
};

use serde::Serialize;
use tokio::sync::{broadcast, watch};

use crate::{
    feed::{FeedEvent, Known},
    metrics::{Counted, metrics},
    setup::Spectators,
};

/// Maximum number of events that a spectator may be behind before it misses some.
const EVENTS_MAX: usize = 256;

/// How far a match is, for everybody.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(crate) struct Progress {
    /// `waiting`, `running`, or how it ended.
    pub(crate) status: &'static str,
    /// How many turns were played.
    pub(crate) turns: u32,
}

/// The spectators of a match.
pub(crate) struct Audience {
    sight: Spectators,
    /// Whether others hold the same cards.
    shares_deal: bool,
    progress: watch::Sender<Progress>,
    events: broadcast::Sender<Arc<FeedEvent>>,
    /// The match among all of its status.
    counted: Counted,
    /// Turns that are shown later, the oldest first.
    delayed: VecDeque<DelayedTurn>,
}

/// A turn that is shown later.
struct DelayedTurn {
    /// How many turns were played with it.
    turns: u32,
    /// The earliest time.
    at: Instant,
    event: Arc<FeedEvent>,
}

impl Audience {
    pub(crate) fn new(sight: Spectators, shares_deal: bool, first: Progress) -> Self {
        Self {
            sight,
            shares_deal,
            counted: Counted::match_that_is(first.status),
            progress: watch::Sender::new(first),
            events: broadcast::Sender::new(EVENTS_MAX),
            delayed: VecDeque::new(),
        }
    }

    /// The progress of the match, for spectators.
    pub(crate) fn progress(&self) -> watch::Receiver<Progress> {
        self.progress.subscribe()
    }

    /// Where spectators listen.
    pub(crate) fn events(&self) -> broadcast::Sender<Arc<FeedEvent>> {
        self.events.clone()
    }

    /// Notes how far the match is.
    pub(crate) fn note(&self, change: impl FnOnce(&mut Progress)) {
        self.progress.send_modify(change);
    }

    /// Shows what may be seen of lines that are stored now.
    pub(crate) fn see(&mut self, lines: &[String], now: Instant) {
        for line in lines {
            if let Some(known) = Known::of(line) {
                self.learn(&known, line, now);
                continue;
            }
            #[cfg(feature = "mutants")]
            if let Some(event) = crate::leaks::early_event(line) {
                self.show(Arc::new(FeedEvent::new(&event, false)));
            }
        }
        self.show_due(now);
    }

    fn learn(&mut self, known: &Known, line: &str, now: Instant) {
        match known {
            Known::Begun => {
                self.note(|progress| progress.status = "running");
                self.counted = Counted::match_that_is("running");
            }
            Known::Played(turns) => {
                metrics().turns.inc();
                self.note(|progress| progress.turns = *turns);
            }
            // How many there were tells when something happened.
            Known::Updated(updates) => {
                if !matches!(self.sight, Spectators::Sealed | Spectators::AfterHand) {
                    self.note(|progress| progress.turns = *updates);
                }
            }
            // What was to be seen later is seen now: the record is there for everybody.
            Known::Over => self.delayed.drain(..).for_each(|delayed| drop(self.events.send(delayed.event))),
        }
        let delay = match (self.sight, known) {
            (Spectators::Delayed { seconds, .. }, Known::Played(turns) | Known::Updated(turns)) => {
                Some((seconds, *turns))
            }
            (Spectators::AfterHand, Known::Played(turns) | Known::Updated(turns)) if !self.shares_deal => {
                Some((0, *turns))
            }
            _ => None,
        };
        // Who comes to watch later is told how far it is; what is seen later may find others watching.
        if delay.is_none() && self.events.receiver_count() == 0 {
            return;
        }
        let is_told_now = self.sight == Spectators::AfterHand && matches!(known, Known::Played(_));
        if let Some(event) =
            known.event(line, false, self.shares_deal).filter(|_| is_told_now && delay.is_some())
        {
            self.show(Arc::new(event));
        }
        let shows_moves = self.sight.shows_moves(self.shares_deal);
        let Some(event) = known.event(line, shows_moves, self.shares_deal).map(Arc::new) else { return };
        match delay {
            None => self.show(event),
            Some((seconds, turns)) => {
                let at = now + Duration::from_secs(seconds.into());
                self.delayed.push_back(DelayedTurn { turns, at, event });
            }
        }
    }

    fn show(&self, event: Arc<FeedEvent>) {
        // Whoever was watching may have gone.
        let _ = self.events.send(event);
    }

    /// When there will be something to show, if no other turn is played before.
    pub(crate) fn due(&self) -> Option<Instant> {
        self.delayed.front().filter(|delayed| self.is_far_enough(delayed)).map(|delayed| delayed.at)
    }

    /// Shows the moves whose delay is over.
    pub(crate) fn show_due(&mut self, now: Instant) {
        while self.due().is_some_and(|at| at <= now)
            && let Some(delayed) = self.delayed.pop_front()
        {
            self.show(delayed.event);
        }
    }

    /// Whether enough turns were played since.
    fn is_far_enough(&self, delayed: &DelayedTurn) -> bool {
        let turns = match self.sight {
            Spectators::Delayed { turns, .. } => turns,
            Spectators::AfterHand => u32::MAX,
            Spectators::Open | Spectators::Sealed => return true,
        };
        self.progress.borrow().turns >= delayed.turns.saturating_add(turns)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    fn turn(number: u32) -> String {
        format!(r#"{{"event":"turn","moves":{{"alice":"(bet {number})"}},"turn":{number}}}"#)
    }

    #[test]
    fn after_the_hand_its_moves_are_shown_and_before_only_how_far_it_is_and_never_those_of_a_deal_that_others_play()
     {
        for shares_deal in [false, true] {
            let first = Progress { status: "running", turns: 0 };
            let mut audience = Audience::new(Spectators::AfterHand, shares_deal, first);
            let mut watching = audience.events().subscribe();
            let mut shown = || -> Vec<String> {
                std::iter::from_fn(|| watching.try_recv().ok())
                    .map(|event| String::from_utf8_lossy(&event.line).trim().to_owned())
                    .collect()
            };
            audience.see(&[turn(0), turn(1)], clock::now());
            let counts = [r#"{"event":"turn","turn":0}"#, r#"{"event":"turn","turn":1}"#];
            assert_eq!((shown(), audience.due()), (counts.map(str::to_owned).to_vec(), None));
            let end = r#"{"event":"end","goals":{},"status":"terminal","turns":2}"#;
            audience.see(&[end.to_owned()], clock::now());
            let last = shown();
            let moves = last.iter().filter(|line| line.contains("(bet ")).count();
            assert_eq!(moves, if shares_deal { 0 } else { 2 }, "{last:?}");
            assert!(last.last().is_some_and(|line| line.contains("\"end\"")), "{last:?}");
        }
    }

    #[test]
    fn a_delayed_turn_is_shown_when_enough_turns_and_enough_time_have_passed_and_all_are_shown_at_the_end() {
        let first = Progress { status: "running", turns: 0 };
        let mut audience = Audience::new(Spectators::Delayed { turns: 2, seconds: 10 }, false, first);
        let mut watching = audience.events().subscribe();
        let mut shown = || -> Vec<String> {
            std::iter::from_fn(|| watching.try_recv().ok())
                .map(|event| String::from_utf8_lossy(&event.line).trim().to_owned())
                .collect()
        };
        let begun = clock::now();
        let after = |seconds: u64| begun + Duration::from_secs(seconds);
        audience.see(&[turn(0)], after(0));
        audience.see(&[turn(1)], after(1));
        assert_eq!((shown(), audience.due()), (vec![], None), "no time is enough without two turns more");
        audience.see(&[turn(2)], after(2));
        assert_eq!((shown(), audience.due()), (vec![], Some(after(10))), "and no turns without the time");
        audience.show_due(after(9));
        assert_eq!(shown(), Vec::<String>::new());
        audience.show_due(after(10));
        assert_eq!(shown(), [r#"{"event":"turn","moves":{"alice":"(bet 0)"},"turn":0}"#]);
        assert_eq!(audience.due(), None, "the next one waits for a turn");
        let end = r#"{"event":"end","goals":{},"status":"terminal","turns":3}"#;
        audience.see(&[end.to_owned()], after(11));
        let last = shown();
        assert_eq!(last.len(), 3, "{last:?}");
        assert!(
            last[0].contains("(bet 1)") && last[1].contains("(bet 2)") && last[2].contains("end"),
            "{last:?}"
        );
    }
}
