//! What happens to a session, as its journal keeps it: one entry a line. Everything else follows from the entries.

use croupier_session::SessionEvent;
use serde::{Deserialize, Serialize};

use super::{handle::CommandAnswer, view::SeatPlace};
use crate::rights::TokenDigest;

/// Something that has happened to a session.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "entry", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum JournalEntry {
    /// Something that its state machine takes in.
    Happened {
        /// What.
        what: SessionEvent,
    },
    /// An invitation was made, and earlier ones to the seat open nothing any more.
    Invited {
        /// The seat.
        place: SeatPlace,
        /// Which invitation of the session it is, from 1: its token follows from that and the server's key.
        number: u64,
        /// The digest of its token.
        token: String,
        /// Until when it opens something, in milliseconds since 1970.
        until_ms: i64,
        /// The first match that the seat's next key opens, if it is a new link for whoever sits there.
        renews_from: Option<u64>,
    },
    /// The invitation to a seat was taken back.
    Revoked {
        /// The seat.
        place: SeatPlace,
    },
    /// An invitation was exchanged for a key.
    Keyed {
        /// The seat.
        place: SeatPlace,
        /// The digest of the key.
        key: String,
    },
    /// A request was answered: the same again is answered alike.
    Answered {
        /// Who asked, and under which key.
        request: String,
        /// The digest of what was asked for.
        digest: String,
        /// The answer.
        done: CommandAnswer,
    },
}

impl JournalEntry {
    /// As the store keeps it.
    pub(super) fn line(&self) -> String {
        serde_json::to_string(self).expect("an entry is JSON")
    }

    /// The key or token that was made with it, by its digest.
    pub(super) fn made(&self) -> Option<TokenDigest> {
        match self {
            Self::Invited { token: digest, .. } | Self::Keyed { key: digest, .. } => {
                TokenDigest::from_hex(digest)
            }
            Self::Happened { .. } | Self::Revoked { .. } | Self::Answered { .. } => None,
        }
    }
}
