//! The record of a session: JSON Lines, one event a line, chained by digests, with the records of its matches between them.
//!
//! Every line of the session has `event`, `prev` (the chain value of the lines before it, null in the first), and, in all but the
//! first, `session`, its id. The first line, `session`, has the terms and the commitment to the seed. Then comes a line for every
//! [`SessionEvent`], with the fields of the event; a tick is left out if it changes nothing but the time and another
//! follows. The last lines are `session_seed`, with the seed, and `session_seal`, with the signature of the chain.
//!
//! The chain starts with the SHA-256 of the first line's bytes, and each further value is the SHA-256 of the previous value
//! followed by the next line's bytes, without newlines, as in records of matches. Lines of matches are not part of it: the event
//! `match_over` has the digest of the record of its match, which stands before it in the file.

use croupier_referee::{Digest, SealKey, Seed};
use serde::{Deserialize, Serialize};

use crate::{effect::SessionEffect, event::SessionEvent, state::SessionState};

/// One line of a session, but for the first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct SessionLine {
    #[serde(flatten)]
    pub(crate) entry: SessionEntry,
    pub(crate) prev: Digest,
    pub(crate) session: String,
}

/// What a line of a session says.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub(crate) enum SessionEntry {
    Event(SessionEvent),
    Closing(SessionClosing),
}

/// The last lines.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event")]
pub(crate) enum SessionClosing {
    #[serde(rename = "session_seed")]
    Seed { seed: String },
    #[serde(rename = "session_seal")]
    Seal { head: Digest, public_key: String, signature: String },
}

impl SessionLine {
    /// The one text of this line, without its newline.
    pub(crate) fn text(&self) -> String {
        serde_json::to_string(self).expect("text keys and no numbers that JSON lacks")
    }
}

/// Writes the lines of a session's record. All lines are returned with their newlines.
///
/// The same events give the same bytes, so that a record can be written while a session is played, or later from its stored
/// events.
#[derive(Clone, Debug)]
pub struct SessionLedger {
    id: String,
    head: Digest,
    /// The last tick, if it is not written yet.
    tick: Option<SessionEvent>,
    /// Whether time is counted from a tick that is written.
    has_instant: bool,
}

impl SessionLedger {
    /// The ledger of a session, and its first line.
    #[must_use]
    pub fn open(session: &SessionState) -> (Self, String) {
        let line = session.opening_line();
        let (id, head) = (session.terms().id.clone(), Digest::of(line.as_bytes()));
        (Self { id, head, tick: None, has_instant: false }, line + "\n")
    }

    /// The lines for an event that the session took, with the effects it had. The record of a match stands before the lines of
    /// its [`MatchOver`](SessionEvent::MatchOver).
    #[must_use]
    pub fn lines(&mut self, event: &SessionEvent, effects: &[SessionEffect]) -> String {
        let is_tick = matches!(event, SessionEvent::Tick { .. });
        if is_tick && effects.is_empty() && self.has_instant {
            self.tick = Some(event.clone());
            return String::new();
        }
        let mut lines = String::new();
        // The time between the last tick that is written and this one is counted in one piece.
        if let Some(tick) = self.tick.take().filter(|_| !is_tick) {
            lines.push_str(&self.line(SessionEntry::Event(tick)));
        }
        self.has_instant = is_tick || (self.has_instant && *event != SessionEvent::Interrupted);
        lines + &self.line(SessionEntry::Event(event.clone()))
    }

    /// The last lines: the seed, now that nothing is hidden any more, and the seal. Without a key of one's own the seal
    /// is made with one from the seed, which shows damage, but not whose record it is.
    #[must_use]
    pub fn close(mut self, seed: &Seed, key: Option<&SealKey>) -> String {
        let own = SealKey::from_seed(seed);
        let key = key.unwrap_or(&own);
        let line = self.line(SessionEntry::Closing(SessionClosing::Seed { seed: seed.reveal() }));
        let seal = SessionClosing::Seal {
            head: self.head,
            public_key: hex::encode(key.public_key()),
            signature: hex::encode(key.sign_session(self.head)),
        };
        line + &self.line(SessionEntry::Closing(seal))
    }

    fn line(&mut self, entry: SessionEntry) -> String {
        let text = SessionLine { entry, prev: self.head, session: self.id.clone() }.text();
        self.head = self.head.followed_by(text.as_bytes());
        text + "\n"
    }
}
