//! The effects of a real-time match, in order: first lines, and then what depends on them once they are stored.

use std::{mem, sync::Arc};

use croupier_engine::RoleId;
use croupier_referee::realtime::{Notice, RealTimeEffect};

/// Lines to be stored, and notices that wait for them.
///
/// While lines are being written, those of further steps gather and share the next write, so a match needs no more
/// writes than the store can take; nobody is told anything before all lines up to it are stored.
#[derive(Debug, Default)]
pub(super) struct Outbox {
    lines: Vec<String>,
    notices: Vec<(RoleId, Notice)>,
    /// The effects that depend on the lines being stored.
    waiting: Option<Vec<(RoleId, Notice)>>,
    /// How many lines were given out.
    count: u64,
}

impl Outbox {
    /// An outbox of a match with this many stored lines.
    pub(super) fn behind(count: u64) -> Self {
        Self { count, ..Self::default() }
    }

    /// Adds the effects of a step of the match.
    pub(super) fn take_in(&mut self, effects: Vec<RealTimeEffect>) {
        for effect in effects {
            match effect {
                RealTimeEffect::Append(line) => self.lines.push(line),
                RealTimeEffect::Tell { role, notice } => self.notices.push((role, notice)),
                // States are for nobody; the end is asked of the match.
                RealTimeEffect::Updated { .. } | RealTimeEffect::Finish(_) => {}
            }
        }
    }

    /// The next lines to be stored, with the number of the first, unless others are on their way. What waits for none is told
    /// with them.
    pub(super) fn next(&mut self) -> Option<(u64, Arc<[String]>)> {
        if self.waiting.is_some() || self.is_empty() {
            return None;
        }
        let lines: Arc<[String]> = mem::take(&mut self.lines).into();
        self.waiting = Some(mem::take(&mut self.notices));
        let first = self.count;
        self.count += lines.len() as u64;
        Some((first, lines))
    }

    /// What may be told now that the lines are stored.
    pub(super) fn stored(&mut self) -> Vec<(RoleId, Notice)> {
        self.waiting.take().unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty() && self.notices.is_empty()
    }

    /// Whether everything was stored and told.
    pub(super) fn is_done(&self) -> bool {
        self.waiting.is_none() && self.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use croupier_engine::{Options, realtime::RealTimeGame};

    use super::*;

    #[test]
    fn notices_wait_for_all_lines_before_them_and_lines_for_those_on_their_way() {
        let rules = "(role ann) (init 1 f) (<= terminal (expired f)) (goal ann 0) (legal ann go)";
        let game = RealTimeGame::compile(rules, &Options::PLAY).expect("sound rules").game;
        let ann = game.roles().find("ann").expect("a role");
        let line = |text: &str| RealTimeEffect::Append(text.to_owned());
        let tell = |at_us| RealTimeEffect::Tell { role: ann, notice: Notice::Stop { at_us, goals: None } };
        let lines = |next: Option<(u64, Arc<[String]>)>| next.map(|(first, lines)| (first, lines.join(" ")));
        let mut outbox = Outbox::behind(3);
        outbox.take_in(vec![line("a"), tell(1), line("b")]);
        assert_eq!(lines(outbox.next()), Some((3, "a b".to_owned())));
        outbox.take_in(vec![line("c"), tell(2)]);
        outbox.take_in(vec![line("d")]);
        assert_eq!(outbox.next(), None, "one write at a time");
        assert_eq!(outbox.stored().len(), 1);
        assert_eq!(lines(outbox.next()), Some((5, "c d".to_owned())));
        assert!(!outbox.is_done());
        assert_eq!(outbox.stored(), [(ann, Notice::Stop { at_us: 2, goals: None })]);
        assert!(outbox.is_done() && outbox.next().is_none());
    }
}
