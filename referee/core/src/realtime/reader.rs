//! From the bytes of a file to the real-time records in it, strictly.

use croupier_engine::Strictness;

use super::{
    MoveStatus, RealTimeSetup,
    ledger::{FORMAT, FORMAT_WITH_NONCES},
};
use crate::{
    chance::{Nonce, RNG, Seed},
    digest::Digest,
    event::Failure,
    record::{
        FieldError, Fields, PROTOCOL, PROTOCOL_WITH_NONCES, REVEALED, RecordError, RecordProblem, SEMANTICS,
        Value, read_value, strictness_str,
    },
};

/// One line of a real-time record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    /// Its number in the file, from 1.
    pub(super) number: usize,
    pub(super) text: String,
    pub(super) entry: Entry,
    /// The chain value that it claims to follow.
    pub(super) prev: Option<Digest>,
}

/// The content of a line, as far as replay needs it: everything else is recomputed and compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    Genesis,
    Ready {
        role: String,
        is_late: bool,
        commitment: Option<Digest>,
    },
    /// What was disclosed; nothing if it is another nonce than the one committed to.
    Nonce {
        role: String,
        is_late: bool,
        nonce: Option<Nonce>,
    },
    Move {
        at_us: u64,
        arrived_us: u64,
        role: String,
        id: u64,
        text: Option<String>,
    },
    Pause {
        at_us: u64,
        lasted_us: u64,
    },
    Draw {
        update: u32,
        index: u64,
    },
    Update {
        update: u32,
        at_us: u64,
    },
    End {
        at_us: u64,
        status: String,
    },
    Reveal {
        seed: Seed,
        nonce: [u8; 32],
    },
    Seal {
        head: Digest,
        public_key: [u8; 32],
        signature: [u8; 64],
    },
}

impl Entry {
    /// The word for this event in a record.
    pub(super) fn event(&self) -> &'static str {
        match self {
            Self::Genesis => "genesis",
            Self::Ready { .. } => "ready",
            Self::Nonce { .. } => "nonce",
            Self::Move { .. } => "move",
            Self::Pause { .. } => "pause",
            Self::Draw { .. } => "draw",
            Self::Update { .. } => "update",
            Self::End { .. } => "end",
            Self::Reveal { .. } => "reveal",
            Self::Seal { .. } => "seal",
        }
    }

    /// The instant that it is of, in microseconds.
    pub(super) fn at_us(&self) -> Option<u64> {
        match self {
            Self::Move { at_us, .. }
            | Self::Pause { at_us, .. }
            | Self::Update { at_us, .. }
            | Self::End { at_us, .. } => Some(*at_us),
            Self::Genesis
            | Self::Ready { .. }
            | Self::Nonce { .. }
            | Self::Draw { .. }
            | Self::Reveal { .. }
            | Self::Seal { .. } => None,
        }
    }

    pub(super) fn update(&self) -> Option<u32> {
        match self {
            Self::Draw { update, .. } | Self::Update { update, .. } => Some(*update),
            _ => None,
        }
    }
}

/// The record of one real-time match as it was read: well formed, but nothing in it is verified.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RealTimeRecord {
    setup: RealTimeSetup,
    pub(super) game_digest: Digest,
    pub(super) commitment: Digest,
    pub(super) lines: Vec<Line>,
}

impl RealTimeRecord {
    /// The match as described by the first line.
    #[must_use]
    pub fn setup(&self) -> &RealTimeSetup {
        &self.setup
    }

    /// How many lines it has.
    #[must_use]
    pub fn lines_count(&self) -> usize {
        self.lines.len()
    }

    /// Whether the record ends with a seal; otherwise the match was running when it was cut off.
    #[must_use]
    pub fn is_sealed(&self) -> bool {
        matches!(self.lines.last(), Some(Line { entry: Entry::Seal { .. }, .. }))
    }
}

/// Whether bytes begin as a real-time record does.
#[must_use]
pub fn is_real_time_record(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Ok((_, Value::Object(fields))) = read_value(first) else { return false };
    fields.get("time") == Some(&Value::text("real"))
}

/// The real-time records in a file, one after another. Bytes after the last newline are not a line.
///
/// # Errors
/// [`RecordError`] for the first line that is not exactly as a referee writes it, whatever its content.
pub fn read_real_time_records(bytes: &[u8]) -> Result<Vec<RealTimeRecord>, RecordError> {
    let mut records: Vec<RealTimeRecord> = Vec::new();
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let number = index + 1;
        let at = |problem| RecordError { line: number, problem };
        let Some(line) = line.strip_suffix(b"\n") else {
            if records.last().is_none_or(RealTimeRecord::is_sealed) {
                return Err(at(RecordProblem::Torn));
            }
            continue;
        };
        let (text, value) = read_value(line).map_err(at)?;
        let (fields, event, prev) = Fields::of_line(value).map_err(|error| at(error.into()))?;
        let wrong = |error: FieldError| at(error.into());
        let entry = if event == "genesis" {
            records.push(genesis(fields).map_err(wrong)?);
            Entry::Genesis
        } else {
            entry(&event, fields).map_err(wrong)?
        };
        let event = entry.event();
        let misplaced = |expected| at(RecordProblem::Misplaced { event, expected });
        let record = records.last_mut().ok_or_else(|| misplaced("a record must start with genesis"))?;
        if record.is_sealed() {
            return Err(misplaced("only another genesis can follow a seal"));
        }
        record.lines.push(Line { number, text, entry, prev });
    }
    Ok(records)
}

fn genesis(mut fields: Fields) -> Result<RealTimeRecord, FieldError> {
    let has_nonces = match fields.count("format")? {
        FORMAT => false,
        FORMAT_WITH_NONCES => true,
        _ => return Err(fields.wrong("format", "3 or 5; a later version of Croupier may support it")),
    };
    fields.word("time", &[("real", ())])?;
    fields.version("semantics", SEMANTICS)?;
    fields.version("protocol", if has_nonces { PROTOCOL_WITH_NONCES } else { PROTOCOL })?;
    fields.word("rng", &[(RNG, ())])?;
    let mut game = fields.object("game")?;
    let game_name = game.optional_text("name")?;
    let rules = game.text("rules")?;
    let game_digest = game.digest("sha256")?;
    game.finish()?;
    let _ = fields.names("roles")?;
    let players = fields.texts("players")?.into_iter().collect();
    let strictnesses = [Strictness::Compatible, Strictness::Strict];
    let setup = RealTimeSetup {
        match_id: fields.text("match_id")?,
        rules,
        game_name,
        players,
        strictness: fields
            .word("strictness", &strictnesses.map(|strict| (strictness_str(strict), strict)))?,
        tick_us: fields.count("tick_us")?,
        updates_max: fields.turn("updates_max")?,
        time_max_us: fields.count("time_max_us")?,
        nonces_ms: if has_nonces { Some(fields.count("nonces_ms")?) } else { None },
    };
    let commitment = fields.digest("commitment")?;
    fields.finish()?;
    Ok(RealTimeRecord { setup, game_digest, commitment, lines: Vec::new() })
}

fn entry(event: &str, mut fields: Fields) -> Result<Entry, FieldError> {
    let entry = match event {
        "ready" => {
            let is_late = fields.word("status", &[("ready", false), (Failure::Timeout.as_str(), true)])?;
            let has_one = fields.unread.contains_key("commitment");
            let commitment = if has_one { Some(fields.digest("commitment")?) } else { None };
            Entry::Ready { role: fields.text("role")?, is_late, commitment }
        }
        "nonce" => {
            let words = [REVEALED, Failure::Malformed.as_str(), Failure::Timeout.as_str()];
            let status = fields.word("status", &words.map(|word| (word, word)))?;
            let is_late = status == Failure::Timeout.as_str();
            let nonce = match status == REVEALED {
                true => Some(Nonce(fields.bytes("nonce")?)),
                false => fields.optional_text("nonce").map(|_| None)?,
            };
            Entry::Nonce { role: fields.text("role")?, is_late, nonce }
        }
        "move" => {
            let _ = fields.word("status", &MoveStatus::ALL.map(|status| (status.as_str(), status)))?;
            let at_us = fields.count("at_us")?;
            Entry::Move {
                at_us,
                arrived_us: fields.count_or("arrived_us", at_us)?,
                role: fields.text("role")?,
                id: fields.count("id")?,
                text: fields.optional_text("move")?,
            }
        }
        "pause" => Entry::Pause { at_us: fields.count("at_us")?, lasted_us: fields.count("lasted_us")? },
        "draw" => {
            let _ = fields.count("n")?;
            Entry::Draw { update: fields.turn("update")?, index: fields.count("index")? }
        }
        "update" => {
            let _ = (fields.texts("moves")?, fields.digest("state")?, fields.digests("percepts")?);
            Entry::Update { update: fields.turn("update")?, at_us: fields.count("at_us")? }
        }
        "end" => {
            let _ = (fields.count("updates")?, fields.value("goals")?, fields.optional_text("error")?);
            Entry::End { at_us: fields.count("at_us")?, status: fields.text("status")? }
        }
        "reveal" => {
            Entry::Reveal { seed: Seed::from_bytes(fields.bytes("seed")?), nonce: fields.bytes("nonce")? }
        }
        "seal" => Entry::Seal {
            head: fields.digest("head")?,
            public_key: fields.bytes("public_key")?,
            signature: fields.bytes("signature")?,
        },
        _ => return Err(fields.wrong("event", "an event of a real-time record")),
    };
    fields.finish()?;
    Ok(entry)
}
