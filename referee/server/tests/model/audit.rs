//! What must hold of a match that is over, judged from outside: from its record, and from what its players were told.

use std::collections::BTreeMap;

use croupier_engine::RoleId;
use croupier_referee::{
    Message, Outcome, SealCheck, read_records,
    record::{Entry, TurnLine},
    replay_all,
};

use crate::table::about;

/// Records that are replayed together, so that their game is compiled once.
const BATCH: usize = 512;

/// A match that is over.
pub(crate) struct Finished {
    /// Its record as it is stored.
    pub(crate) lines: Vec<String>,
    /// Everything that each player was ever told, by whichever server, in the order in which it was sent.
    pub(crate) told: Vec<(RoleId, Message)>,
    /// How it ended, as the server noted it.
    pub(crate) outcome: Outcome,
    /// How to run it again.
    pub(crate) name: String,
}

/// Checks finished matches, some at a time.
#[derive(Default)]
pub(crate) struct Audit {
    waiting: Vec<Finished>,
    /// By seed and place in the match, what was drawn: a crash must not draw again.
    draws: BTreeMap<(String, u32, Option<String>, u64), u64>,
    pub(crate) matches: usize,
    pub(crate) messages: usize,
}

impl Audit {
    pub(crate) fn add(&mut self, finished: Finished) {
        tells_one_story(&finished);
        self.waiting.push(finished);
        if self.waiting.len() >= BATCH {
            self.check();
        }
    }

    /// Replays what waits: every record must replay, and say everything that its players were told.
    pub(crate) fn check(&mut self) {
        let text: String =
            self.waiting.iter().flat_map(|match_| &match_.lines).flat_map(|line| [line, "\n"]).collect();
        let records = read_records(text.as_bytes()).expect("whole records");
        assert_eq!(records.len(), self.waiting.len());
        let replays = replay_all(&records);
        for ((finished, record), replay) in self.waiting.iter().zip(&records).zip(replays) {
            let name = &finished.name;
            let replay =
                replay.unwrap_or_else(|error| panic!("{name}: {error}\n{}", finished.lines.join("\n")));
            assert_eq!(replay.outcome(), Some(&finished.outcome), "{name}: another end");
            assert!(matches!(replay.seal(), SealCheck::Signed { .. }), "{name}: {:?}", replay.seal());
            for (role, message) in &finished.told {
                let said = replay.messages(*role).contains(message);
                assert!(said, "{name}: {message} does not follow from the record");
            }
            let seed: String = record.lines().iter().filter_map(|line| source(&line.entry)).collect();
            for line in record.lines() {
                let (turn, role, n, index) = match &line.entry {
                    Entry::Draw { step, n, index } => (*step, None, *n, *index),
                    Entry::Own(TurnLine::Substitute { turn, role, n, index }) => {
                        (*turn, Some(role.clone()), *n, *index)
                    }
                    _ => continue,
                };
                let first = *self.draws.entry((seed.clone(), turn, role, n)).or_insert(index);
                assert_eq!(first, index, "{name}: drawn twice in turn {turn}");
            }
            self.messages += finished.told.len();
        }
        self.matches += self.waiting.len();
        self.waiting.clear();
        if self.draws.len() > 1_000_000 {
            self.draws.clear();
        }
    }
}

/// What the draws of a match come from: its seed, and what players add to it.
fn source(entry: &Entry) -> Option<String> {
    match entry {
        Entry::Reveal { seed, .. } => Some(seed.reveal()),
        Entry::Nonce { revealed: Ok(nonce), role, .. } => Some(format!("{role}{nonce:?}")),
        _ => None,
    }
}

/// No role is told two different things about the same, whoever tells it and however often.
fn tells_one_story(finished: &Finished) {
    let mut stories: BTreeMap<(RoleId, String), &Message> = BTreeMap::new();
    for (role, message) in &finished.told {
        let first = stories.entry((*role, about(message))).or_insert(message);
        assert_eq!(*first, message, "{}: a seat is told two different things", finished.name);
    }
}
