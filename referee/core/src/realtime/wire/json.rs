//! Messages as frames of JSON.

use std::collections::BTreeMap;

use croupier_engine::Limits;
use serde::{Deserialize, Serialize};

use super::{
    SAID_BYTES_MAX,
    error::{WireError, check_length, part},
    message::{Opening, RealTimeMessage, RealTimeSaid, Seen},
};
use crate::{chance::Nonce, digest::Digest, realtime::MoveStatus};

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Time {
    Real,
}

/// A frame of the referee, as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Frame {
    Start {
        time: Time,
        #[serde(rename = "match")]
        match_id: String,
        role: String,
        rules: String,
        tick_us: u64,
        speed_permille: u32,
        start_clock_ms: u64,
        now_us: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        public_key: Option<String>,
    },
    Reveal {
        commitments: BTreeMap<String, String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        signature: Option<String>,
    },
    Clock {
        now_us: u64,
    },
    Event {
        at_us: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        moves: Option<BTreeMap<String, String>>,
        #[serde(default, rename = "move", skip_serializing_if = "Option::is_none")]
        own_move: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        percepts: Option<Vec<String>>,
    },
    Received {
        id: u64,
        at_us: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        arrived_us: Option<u64>,
        accepted: bool,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        status: Option<String>,
    },
    Stop {
        at_us: u64,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        goals: Option<BTreeMap<String, i32>>,
    },
}

/// A frame of a player, as it is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
enum SaidFrame {
    Ready {
        #[serde(default, skip_serializing_if = "Option::is_none")]
        commitment: Option<String>,
    },
    Reveal {
        nonce: String,
    },
    Move {
        id: u64,
        #[serde(rename = "move")]
        text: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        not_before_us: Option<u64>,
    },
}

impl RealTimeMessage {
    /// The message as a frame of JSON: the same bytes for the same message.
    #[must_use]
    pub fn to_json(&self) -> String {
        let frame = match self.clone() {
            Self::Start { match_id, role, rules, tick_us, opening, now_us } => {
                let Opening { speed_permille, start_clock_ms, commitment, signed } = opening;
                let (signature, public_key) = signed.map(|[signature, key]| (signature, key)).unzip();
                let time = Time::Real;
                Frame::Start {
                    time,
                    match_id,
                    role,
                    rules,
                    tick_us,
                    speed_permille,
                    start_clock_ms,
                    now_us,
                    commitment,
                    signature,
                    public_key,
                }
            }
            Self::Reveal { commitments, signature } => Frame::Reveal { commitments, signature },
            Self::Clock { now_us } => Frame::Clock { now_us },
            Self::Event { at_us, seen: Seen::Moves(moves) } => {
                Frame::Event { at_us, moves: Some(moves), own_move: None, percepts: None }
            }
            Self::Event { at_us, seen: Seen::Percepts { own_move, percepts } } => {
                Frame::Event { at_us, moves: None, own_move, percepts: Some(percepts) }
            }
            Self::Received { id, at_us, arrived_us, status } => Frame::Received {
                id,
                at_us,
                arrived_us: (arrived_us != at_us).then_some(arrived_us),
                accepted: status == MoveStatus::Legal,
                status: (status != MoveStatus::Legal).then(|| status.as_str().to_owned()),
            },
            Self::Stop { at_us, goals } => Frame::Stop { at_us, goals },
        };
        serde_json::to_string(&frame).expect("texts and numbers are JSON")
    }

    /// Reads a frame of the referee. Fields that are not known are passed over.
    ///
    /// # Errors
    /// [`WireError`], for bytes that are not a frame.
    ///
    /// # Complexity
    /// Linear in the length of the frame.
    pub fn read_json(bytes: &[u8], limits: &Limits) -> Result<Self, WireError> {
        check_length(bytes.len(), limits.source_bytes.saturating_add(4096))?;
        let frame: Frame =
            serde_json::from_slice(bytes).map_err(|error| WireError::Json(crate::json_trouble(&error)))?;
        let message = match frame {
            Frame::Start {
                match_id,
                role,
                rules,
                tick_us,
                speed_permille,
                start_clock_ms,
                now_us,
                commitment,
                signature,
                public_key,
                ..
            } => {
                let signed = signature.zip(public_key).map(|(signature, key)| [signature, key]);
                let opening = Opening { speed_permille, start_clock_ms, commitment, signed };
                Self::Start { match_id, role, rules, tick_us, opening, now_us }
            }
            Frame::Reveal { commitments, signature } => Self::Reveal { commitments, signature },
            Frame::Clock { now_us } => Self::Clock { now_us },
            Frame::Event { at_us, moves: Some(moves), percepts: None, .. } => {
                Self::Event { at_us, seen: Seen::Moves(moves) }
            }
            Frame::Event { moves: Some(_), .. } => {
                return Err(WireError::Json("an event must have either moves or percepts".to_owned()));
            }
            Frame::Event { at_us, moves: None, own_move, percepts } => Self::Event {
                at_us,
                seen: Seen::Percepts { own_move, percepts: percepts.unwrap_or_default() },
            },
            Frame::Received { id, at_us, arrived_us, accepted, status } => Self::Received {
                id,
                at_us,
                arrived_us: arrived_us.unwrap_or(at_us),
                status: judged(accepted, status.as_deref())?,
            },
            Frame::Stop { at_us, goals } => Self::Stop { at_us, goals },
        };
        message.checked(limits)
    }
}

/// How a move was judged that was accepted, or was not, with the word for it if there is one.
fn judged(accepted: bool, status: Option<&str>) -> Result<MoveStatus, WireError> {
    let status = match status {
        None if accepted => MoveStatus::Legal,
        None => MoveStatus::Illegal,
        Some(word) => *MoveStatus::ALL
            .iter()
            .find(|status| status.as_str() == word)
            .ok_or_else(|| WireError::Json("unknown status of a move".to_owned()))?,
    };
    if (status == MoveStatus::Legal) == accepted {
        Ok(status)
    } else {
        Err(WireError::Json("a move must be accepted if and only if it is legal".to_owned()))
    }
}

impl RealTimeSaid {
    /// A player's message as a JSON frame.
    #[must_use]
    pub fn to_json(&self) -> String {
        let frame = match self.clone() {
            Self::Ready { commitment } => {
                SaidFrame::Ready { commitment: commitment.map(|digest| digest.to_string()) }
            }
            Self::Reveal { nonce } => SaidFrame::Reveal { nonce: hex::encode(nonce.0) },
            Self::Move { id, text, not_before_us } => SaidFrame::Move { id, text, not_before_us },
        };
        serde_json::to_string(&frame).expect("texts and numbers are JSON")
    }

    /// Reads a frame of a player.
    ///
    /// # Errors
    /// [`WireError`], for bytes that are not a frame; its text never quotes the move.
    ///
    /// # Complexity
    /// Linear in the length of the frame, which has at most [`SAID_BYTES_MAX`] bytes.
    pub fn read_json(bytes: &[u8]) -> Result<Self, WireError> {
        check_length(bytes.len(), SAID_BYTES_MAX)?;
        let form = r#"a frame is {"type":"ready"}, with "commitment":HEX if you like, {"type":"reveal","nonce":HEX} or {"type":"move","id":N,"move":TERM,"not_before_us":N}"#;
        let frame: SaidFrame = serde_json::from_slice(bytes).map_err(|_| WireError::Json(form.to_owned()))?;
        let said = match frame {
            SaidFrame::Ready { commitment: None } => Self::Ready { commitment: None },
            SaidFrame::Ready { commitment: Some(text) } => {
                let digest = Digest::from_hex(&text).ok_or_else(|| part("READY", "the commitment"))?;
                Self::Ready { commitment: Some(digest) }
            }
            SaidFrame::Reveal { nonce } => {
                Self::Reveal { nonce: Nonce::from_hex(&nonce).ok_or_else(|| part("REVEAL", "the nonce"))? }
            }
            SaidFrame::Move { id, text, not_before_us } => Self::Move { id, text, not_before_us },
        };
        said.checked()
    }
}
