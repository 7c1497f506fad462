//! Lines before messages: what follows from lines of a record waits until they are stored.

use std::{collections::VecDeque, mem};

/// Lines of one match's record to be stored, and what waits for them.
///
/// Lines are stored in the order in which they were written, one request at a time, and whatever follows waits for all
/// lines before it: nobody is told anything that a crash could undo.
#[derive(Debug)]
pub(crate) struct Outbox<T> {
    stages: VecDeque<OutboxStage<T>>,
    gathering: Gathering,
    /// How many lines were given out to be stored.
    lines: u64,
    /// How many of them are durable.
    durable: u64,
    /// Whether the lines of the first stage are being stored.
    is_storing: bool,
}

/// What shares a request to the store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Gathering {
    /// Lines without anything between them: what is to be done between two lines may have been done after a crash only
    /// if the first is stored.
    Neighbours,
    /// All lines that came while others were on their way: a match needs no more requests than the store can take.
    Everything,
}

/// Lines, and what may be done once they are stored.
#[derive(Debug)]
struct OutboxStage<T> {
    lines: Vec<String>,
    then: Vec<T>,
}

/// Lines to be stored now.
#[derive(Debug, PartialEq, Eq)]
pub struct Lines {
    /// The number of the first, from 0.
    pub first: u64,
    /// The lines, without newlines.
    pub lines: Vec<String>,
}

impl<T> Outbox<T> {
    /// An outbox of a match with this many stored lines.
    pub(crate) fn behind(lines: u64, gathering: Gathering) -> Self {
        Self { stages: VecDeque::new(), gathering, lines, durable: lines, is_storing: false }
    }

    /// How many lines of the record are written, durable or not.
    pub(crate) fn written(&self) -> u64 {
        self.lines + self.stages.iter().map(|stage| stage.lines.len() as u64).sum::<u64>()
    }

    /// How many lines of the record are durable.
    pub(crate) fn durable(&self) -> u64 {
        self.durable
    }

    /// Whether everything was stored and given out.
    pub(crate) fn is_done(&self) -> bool {
        self.stages.is_empty()
    }

    /// Adds a line.
    pub(crate) fn append(&mut self, line: String) {
        let is_busy = self.is_storing && self.stages.len() == 1;
        match self.stages.back_mut() {
            Some(stage) if stage.then.is_empty() && !is_busy => stage.lines.push(line),
            _ => self.stages.push_back(OutboxStage { lines: vec![line], then: Vec::new() }),
        }
    }

    /// Adds what may be done once all lines so far are stored.
    pub(crate) fn follow(&mut self, item: T) {
        match self.stages.back_mut() {
            Some(stage) => stage.then.push(item),
            None => self.stages.push_back(OutboxStage { lines: Vec::new(), then: vec![item] }),
        }
    }

    /// What need not wait, and the next lines to store; [`Self::stored`] says that they are durable.
    pub(crate) fn advance(&mut self) -> (Vec<T>, Option<Lines>) {
        let mut items = Vec::new();
        while !self.is_storing
            && let Some(stage) = self.stages.front_mut()
        {
            if stage.lines.is_empty() {
                items.append(&mut stage.then);
                self.stages.pop_front();
            } else {
                self.is_storing = true;
            }
        }
        let lines = if self.is_storing { self.take_lines() } else { Vec::new() };
        let first = self.lines;
        self.lines += lines.len() as u64;
        (items, (!lines.is_empty()).then_some(Lines { first, lines }))
    }

    /// The lines that were given out are durable.
    ///
    /// # Panics
    /// If none were: then something would be told too early.
    pub(crate) fn stored(&mut self) {
        assert!(self.is_storing && self.durable < self.lines, "lines are durable that were not given out");
        self.is_storing = false;
        self.durable = self.lines;
    }

    /// The lines of the first stage, together with those behind it that share its request.
    fn take_lines(&mut self) -> Vec<String> {
        let Some(stage) = self.stages.front_mut() else { return Vec::new() };
        let mut lines = mem::take(&mut stage.lines);
        if self.gathering == Gathering::Everything && !lines.is_empty() {
            let behind: Vec<OutboxStage<T>> = self.stages.drain(1..).collect();
            for mut other in behind {
                lines.append(&mut other.lines);
                self.stages[0].then.append(&mut other.then);
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(gathering: Gathering) -> Outbox<u8> {
        let mut outbox = Outbox::behind(3, gathering);
        outbox.append("a".to_owned());
        outbox.follow(1);
        outbox.append("b".to_owned());
        outbox.follow(2);
        outbox
    }

    fn lines(first: u64, texts: &str) -> Option<Lines> {
        Some(Lines { first, lines: texts.split(' ').map(str::to_owned).collect() })
    }

    #[test]
    fn each_item_waits_for_the_lines_before_it_and_lines_for_those_on_their_way() {
        let mut outbox = filled(Gathering::Neighbours);
        assert_eq!(outbox.advance(), (vec![], lines(3, "a")));
        outbox.append("c".to_owned());
        assert_eq!(outbox.advance(), (vec![], None), "one request at a time");
        assert_eq!((outbox.written(), outbox.durable()), (6, 3));
        outbox.stored();
        assert_eq!(outbox.advance(), (vec![1], lines(4, "b")));
        outbox.stored();
        assert_eq!(outbox.advance(), (vec![2], lines(5, "c")));
        outbox.stored();
        assert_eq!(outbox.advance(), (vec![], None));
        assert!(outbox.is_done());
        outbox.follow(9);
        assert_eq!(outbox.advance(), (vec![9], None), "nothing to wait for");
    }

    #[test]
    fn lines_of_a_match_in_real_time_share_requests() {
        let mut outbox = filled(Gathering::Everything);
        assert_eq!(outbox.advance(), (vec![], lines(3, "a b")));
        outbox.append("c".to_owned());
        outbox.follow(3);
        outbox.append("d".to_owned());
        assert_eq!(outbox.advance(), (vec![], None));
        outbox.stored();
        assert_eq!(outbox.advance(), (vec![1, 2], lines(5, "c d")));
        outbox.stored();
        assert_eq!(outbox.advance(), (vec![3], None));
        assert!(outbox.is_done());
    }
}
