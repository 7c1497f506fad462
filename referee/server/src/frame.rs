//! What goes over the wire between the referee and a player that connects to it: JSON, one object a frame.

use std::{collections::BTreeMap, sync::Arc};

use croupier_referee::{Header, Message, Nonces, OwnTurn};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::pledge::Pledge;

/// A message to a seat.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SeatMessage<'m> {
    Start {
        #[serde(rename = "match")]
        match_id: &'m str,
        role: &'m str,
        rules: &'m str,
        dialect: &'static str,
        start_clock_ms: u64,
        play_clock_ms: u64,
        commitment: &'m str,
        signature: &'m str,
        public_key: &'m str,
        /// Whether the answer may commit to a nonce; not in matches that older servers have begun.
        #[serde(skip_serializing_if = "Option::is_none")]
        nonces: Option<&'static str>,
    },
    Reveal {
        commitments: BTreeMap<&'m str, String>,
        signature: String,
        deadline_ms: u64,
    },
    Play {
        turn: u32,
        last_move: Option<&'m str>,
        percepts: &'m [Arc<str>],
        deadline_ms: u64,
    },
    Stop {
        turn: u32,
        last_move: Option<&'m str>,
        percepts: &'m [Arc<str>],
    },
    Abort,
}

/// A message from a seat.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Said {
    /// It is ready, and may commit to a nonce, which is mixed into the seed once it is revealed.
    Ready {
        /// The commitment to a nonce, as 64 hexadecimal digits: SHA-256 of `croupier-nonce-v1` and, each after its length as eight
        /// little-endian bytes, the match id, the role, and the 32 bytes of the nonce.
        commitment: Option<String>,
        /// Not taken any more: a nonce is committed to first.
        nonce: Option<String>,
    },
    /// The nonce that it has committed to, now that everybody has.
    Reveal {
        /// 64 hexadecimal digits.
        nonce: String,
    },
    /// Its move in a turn.
    Move {
        /// The turn for which the move was requested.
        turn: u32,
        /// A term.
        #[serde(rename = "move")]
        own_move: String,
    },
}

/// A message as a frame: the same bytes for the same message, whenever it is sent.
pub(crate) fn frame(header: &Header, pledge: &Pledge, message: &Message) -> Arc<str> {
    let clocks = header.clocks();
    let texts;
    let told = match message {
        Message::Start { match_id, role, rules, .. } => {
            texts = pledge.texts();
            let [commitment, signature, public_key] = &texts;
            SeatMessage::Start {
                match_id,
                role,
                rules,
                dialect: "gdl2",
                start_clock_ms: clocks.start_ms,
                play_clock_ms: clocks.play_ms,
                commitment,
                signature,
                public_key,
                nonces: nonces_str(header.setup().nonces),
            }
        }
        Message::Reveal { commitments, .. } => SeatMessage::Reveal {
            commitments: commitments.iter().map(|(role, digest)| (&**role, digest.to_string())).collect(),
            signature: pledge.of_nonces(commitments),
            deadline_ms: clocks.start_ms,
        },
        Message::Play { turn, last, .. } => {
            let (last_move, percepts) = parts(last.as_ref());
            SeatMessage::Play { turn: *turn, last_move, percepts, deadline_ms: clocks.play_ms }
        }
        Message::Stop { turn, last, .. } => {
            let (last_move, percepts) = parts(last.as_ref());
            SeatMessage::Stop { turn: *turn, last_move, percepts }
        }
        Message::Abort { .. } => SeatMessage::Abort,
    };
    serde_json::to_string(&told).expect("texts and numbers are JSON").into()
}

/// Whether players may commit to nonces.
fn nonces_str(nonces: Nonces) -> Option<&'static str> {
    match nonces {
        Nonces::Clear => None,
        Nonces::Committed => Some("committed"),
        Nonces::Declined => Some("declined"),
    }
}

fn parts(last: Option<&OwnTurn>) -> (Option<&str>, &[Arc<str>]) {
    match last {
        Some(last) => (Some(&last.own_move), &last.percepts),
        None => (None, &[]),
    }
}
