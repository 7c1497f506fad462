//! Reading one line of a record strictly: every field that is expected, and no other.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::{Strictness, game::PerceptReading};
use thiserror::Error;

use crate::{
    chance::{Nonce, RNG, Seed},
    digest::{Digest, bytes_of_hex},
    event::{Failure, ReplyStatus},
    header::{Clocks, GRACE_MS, MatchSetup, Nonces, SeriesPlace, Substitution},
    record::{
        entry::{
            Entry, FORMAT, FORMAT_WITH_NONCES, FORMAT_WITHOUT_SERIES, Genesis, PROTOCOL,
            PROTOCOL_WITH_NONCES, REVEALED, SEMANTICS, nonces_str, percept_reading_str, strictness_str,
            substitution_str,
        },
        json::Value,
    },
};

/// A problem with a field. Nested fields are named like `game.rules`.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum FieldError {
    /// It is not there.
    #[error("the field {0} is missing")]
    Missing(String),
    /// It should not be there.
    #[error("unknown field {0}")]
    Unknown(String),
    /// The field has an invalid value.
    #[error("the field {field} is not {expected}")]
    Wrong {
        /// The field.
        field: String,
        /// The expected kind of value.
        expected: String,
    },
}

/// The fields of an object that have not been read yet.
pub(crate) struct Fields {
    /// The prefix of each field's name: empty, or the outer field and a dot.
    prefix: String,
    pub(crate) unread: BTreeMap<String, Value>,
}

impl Fields {
    /// The fields of one line, its event, and the chain value that it claims to follow.
    pub(crate) fn of_line(line: Value) -> Result<(Self, String, Option<Digest>), FieldError> {
        let Value::Object(unread) = line else {
            return Err(FieldError::Missing("event".to_owned()));
        };
        let mut fields = Self { prefix: String::new(), unread };
        let event = fields.text("event")?;
        let prev = match fields.optional_text("prev")? {
            None => None,
            Some(text) => {
                let bytes = bytes_of_hex(&text);
                Some(Digest(bytes.ok_or_else(|| fields.wrong("prev", "64 lower-case hexadecimal digits"))?))
            }
        };
        Ok((fields, event, prev))
    }

    pub(crate) fn name(&self, field: &str) -> String {
        format!("{}{field}", self.prefix)
    }

    pub(crate) fn wrong(&self, field: &str, expected: &str) -> FieldError {
        FieldError::Wrong { field: self.name(field), expected: expected.to_owned() }
    }

    pub(crate) fn value(&mut self, field: &str) -> Result<Value, FieldError> {
        self.unread.remove(field).ok_or_else(|| FieldError::Missing(self.name(field)))
    }

    pub(crate) fn optional_text(&mut self, field: &str) -> Result<Option<String>, FieldError> {
        match self.value(field)? {
            Value::Null => Ok(None),
            Value::Text(text) => Ok(Some(text)),
            _ => Err(self.wrong(field, "text or null")),
        }
    }

    pub(crate) fn text(&mut self, field: &str) -> Result<String, FieldError> {
        match self.value(field)? {
            Value::Text(text) => Ok(text),
            _ => Err(self.wrong(field, "text")),
        }
    }

    pub(crate) fn count(&mut self, field: &str) -> Result<u64, FieldError> {
        let Value::Integer(number) = self.value(field)? else { return Err(self.wrong(field, "an integer")) };
        u64::try_from(number).map_err(|_| self.wrong(field, "an integer from 0"))
    }

    /// A count that may be missing, and then is this.
    pub(crate) fn count_or(&mut self, field: &str, usual: u64) -> Result<u64, FieldError> {
        if self.unread.contains_key(field) { self.count(field) } else { Ok(usual) }
    }

    pub(crate) fn turn(&mut self, field: &str) -> Result<u32, FieldError> {
        u32::try_from(self.count(field)?).map_err(|_| self.wrong(field, "an integer below 2^32"))
    }

    pub(crate) fn bytes<const N: usize>(&mut self, field: &str) -> Result<[u8; N], FieldError> {
        let text = self.text(field)?;
        bytes_of_hex(&text)
            .ok_or_else(|| self.wrong(field, &format!("{} lower-case hexadecimal digits", 2 * N)))
    }

    pub(crate) fn digest(&mut self, field: &str) -> Result<Digest, FieldError> {
        self.bytes(field).map(Digest)
    }

    pub(crate) fn object(&mut self, field: &str) -> Result<Self, FieldError> {
        let Value::Object(unread) = self.value(field)? else { return Err(self.wrong(field, "an object")) };
        Ok(Self { prefix: format!("{}.", self.name(field)), unread })
    }

    pub(crate) fn texts(&mut self, field: &str) -> Result<BTreeMap<String, String>, FieldError> {
        let mut object = self.object(field)?;
        let names: Vec<String> = object.unread.keys().cloned().collect();
        names.into_iter().map(|name| Ok((name.clone(), object.text(&name)?))).collect()
    }

    pub(crate) fn names(&mut self, field: &str) -> Result<Vec<String>, FieldError> {
        let Value::List(names) = self.value(field)? else { return Err(self.wrong(field, "a list of names")) };
        let name = |name| match name {
            Value::Text(name) => Ok(name),
            _ => Err(self.wrong(field, "a list of names")),
        };
        names.into_iter().map(name).collect()
    }

    pub(crate) fn digests(&mut self, field: &str) -> Result<BTreeMap<String, Digest>, FieldError> {
        let mut object = self.object(field)?;
        let names: Vec<String> = object.unread.keys().cloned().collect();
        names.into_iter().map(|name| Ok((name.clone(), object.digest(&name)?))).collect()
    }

    /// One of a few values by its word.
    pub(crate) fn word<T: Copy>(&mut self, field: &str, words: &[(&str, T)]) -> Result<T, FieldError> {
        let text = self.text(field)?;
        words.iter().find(|(word, _)| *word == text).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(word, _)| *word).collect();
            self.wrong(field, &format!("one of {}", known.join(", ")))
        })
    }

    pub(crate) fn version(&mut self, field: &str, known: u64) -> Result<(), FieldError> {
        if self.count(field)? == known { Ok(()) } else { Err(self.wrong(field, &known.to_string())) }
    }

    pub(crate) fn finish(self) -> Result<(), FieldError> {
        self.unread.keys().next().map_or(Ok(()), |field| Err(FieldError::Unknown(self.name(field))))
    }
}

/// The event of one line and the chain value that it claims to follow.
pub(crate) fn entry_of(line: Value) -> Result<(Entry, Option<Digest>), FieldError> {
    let (mut fields, event, prev) = Fields::of_line(line)?;
    let entry = match event.as_str() {
        "genesis" => Entry::Genesis(Arc::new(genesis(&mut fields)?)),
        "ready" | "reply" => answer(&event, &mut fields)?,
        "nonce" => nonce(&mut fields)?,
        "resume" => Entry::Resume { epoch: fields.count("epoch")? },
        "draw" => {
            Entry::Draw { turn: fields.turn("turn")?, n: fields.count("n")?, index: fields.count("index")? }
        }
        "substitute" => Entry::Substitute {
            turn: fields.turn("turn")?,
            role: fields.text("role")?,
            n: fields.count("n")?,
            index: fields.count("index")?,
        },
        "turn" => Entry::Turn {
            turn: fields.turn("turn")?,
            moves: fields.texts("moves")?,
            state: fields.digest("state")?,
            percepts: fields.digests("percepts")?,
        },
        "end" => end(&mut fields)?,
        "reveal" => {
            Entry::Reveal { seed: Seed::from_bytes(fields.bytes("seed")?), nonce: fields.bytes("nonce")? }
        }
        "seal" => Entry::Seal {
            head: fields.digest("head")?,
            public_key: fields.bytes("public_key")?,
            signature: fields.bytes("signature")?,
        },
        _ => return Err(fields.wrong("event", "an event of a record")),
    };
    fields.finish()?;
    Ok((entry, prev))
}

fn answer(event: &str, fields: &mut Fields) -> Result<Entry, FieldError> {
    let failures = Failure::ALL.map(Some);
    let role = fields.text("role")?;
    let elapsed_ms = fields.count("elapsed_ms")?;
    if event == "ready" {
        let words = failures.into_iter().chain([None]);
        let words: Vec<_> =
            words.map(|failure| (failure.map_or("ready", Failure::as_str), failure)).collect();
        let failure = fields.word("status", &words)?;
        let nonce = match fields.unread.contains_key("nonce") {
            true if failure.is_none() => Some(Nonce(fields.bytes("nonce")?)),
            true => return Err(fields.wrong("nonce", "beside a player that is ready")),
            false => None,
        };
        let commitment = match fields.unread.contains_key("commitment") {
            true if failure.is_none() => Some(fields.digest("commitment")?),
            true => return Err(fields.wrong("commitment", "beside a player that is ready")),
            false => None,
        };
        return Ok(Entry::Ready { role, failure, elapsed_ms, nonce, commitment });
    }
    let statuses = failures.into_iter().flatten().map(ReplyStatus::Failed);
    let statuses = statuses.chain([ReplyStatus::Legal, ReplyStatus::Illegal]);
    let words: Vec<_> = statuses.map(|status| (status.as_str(), status)).collect();
    let status = fields.word("status", &words)?;
    let own_move = fields.optional_text("move")?;
    if own_move.is_some() == matches!(status, ReplyStatus::Failed(_)) {
        return Err(fields.wrong("move", "text after a legal or illegal reply, and null after another"));
    }
    Ok(Entry::Reply { turn: fields.turn("turn")?, role, status, own_move, elapsed_ms })
}

fn nonce(fields: &mut Fields) -> Result<Entry, FieldError> {
    let words = Failure::ALL.map(|failure| (failure.as_str(), Some(failure)));
    let words: Vec<_> = words.into_iter().chain([(REVEALED, None)]).collect();
    let status = fields.word("status", &words)?;
    let revealed = match (status, fields.optional_text("nonce")?) {
        (Some(failure), None) => Err(failure),
        (None, Some(text)) => {
            let bytes = bytes_of_hex(&text);
            Ok(Nonce(bytes.ok_or_else(|| fields.wrong("nonce", "64 lower-case hexadecimal digits"))?))
        }
        _ => return Err(fields.wrong("nonce", "text where it was revealed, and null otherwise")),
    };
    Ok(Entry::Nonce { role: fields.text("role")?, revealed, elapsed_ms: fields.count("elapsed_ms")? })
}

fn end(fields: &mut Fields) -> Result<Entry, FieldError> {
    let goals = match fields.value("goals")? {
        Value::Null => None,
        Value::Object(goals) => {
            let goal = |(role, value)| match value {
                Value::Integer(goal) => Ok((role, goal)),
                _ => Err(fields.wrong(&format!("goals.{role}"), "an integer")),
            };
            Some(goals.into_iter().map(goal).collect::<Result<_, _>>()?)
        }
        _ => return Err(fields.wrong("goals", "an object or null")),
    };
    Ok(Entry::End {
        turns: fields.turn("turns")?,
        status: fields.text("status")?,
        goals,
        role: fields.optional_text("role")?,
        error: fields.optional_text("error")?,
    })
}

fn genesis(fields: &mut Fields) -> Result<Genesis, FieldError> {
    let (has_series, nonces) = format(fields)?;
    let has_protocol = if nonces == Nonces::Clear { PROTOCOL } else { PROTOCOL_WITH_NONCES };
    fields.version("semantics", SEMANTICS)?;
    fields.version("protocol", has_protocol)?;
    fields.word("rng", &[(RNG, ())])?;
    let mut game = fields.object("game")?;
    let game_name = game.optional_text("name")?;
    let rules = game.text("rules")?;
    let game_digest = game.digest("sha256")?;
    let full_sight =
        if game.unread.contains_key("full_sight") { game.names("full_sight")? } else { Vec::new() };
    game.finish()?;
    let mut clocks = fields.object("clocks")?;
    let start_ms = clocks.count("start_ms")?;
    let play_ms = clocks.count("play_ms")?;
    let has_grace = clocks.unread.contains_key("grace_ms");
    let grace_ms = if has_grace { clocks.count("grace_ms")? } else { GRACE_MS };
    clocks.finish()?;
    let roles = fields.names("roles")?;
    let readings = [PerceptReading::OldState, PerceptReading::NewState];
    let strictnesses = [Strictness::Compatible, Strictness::Strict];
    let substitutions = [Substitution::Drawn, Substitution::First];
    let setup = MatchSetup {
        match_id: fields.text("match_id")?,
        series: if has_series { Some(series(fields)?) } else { None },
        rules,
        game_name,
        players: fields.texts("players")?.into_iter().collect(),
        clocks: Clocks { start_ms, play_ms, grace_ms },
        percepts: fields
            .word("percepts", &readings.map(|reading| (percept_reading_str(reading), reading)))?,
        strictness: fields
            .word("strictness", &strictnesses.map(|strict| (strictness_str(strict), strict)))?,
        substitution: fields
            .word("substitution", &substitutions.map(|rule| (substitution_str(rule), rule)))?,
        turns_max: fields.turn("turns_max")?,
        nonces,
    };
    Ok(Genesis { setup, game_digest, roles, full_sight, commitment: fields.digest("commitment")? })
}

/// Whether a record of this format says which match of a series it is of, and whether players add nonces to its seed.
fn format(fields: &mut Fields) -> Result<(bool, Nonces), FieldError> {
    match fields.count("format")? {
        FORMAT => Ok((true, Nonces::Clear)),
        FORMAT_WITHOUT_SERIES => Ok((false, Nonces::Clear)),
        FORMAT_WITH_NONCES => {
            let rules = [Nonces::Committed, Nonces::Declined];
            let words: Vec<_> =
                rules.into_iter().filter_map(|rule| Some((nonces_str(rule)?, rule))).collect();
            Ok((fields.unread.contains_key("series"), fields.word("nonces", &words)?))
        }
        _ => Err(fields.wrong("format", "1, 2 or 4; a later version of Croupier may support it")),
    }
}

fn series(fields: &mut Fields) -> Result<SeriesPlace, FieldError> {
    let mut place = fields.object("series")?;
    let series =
        SeriesPlace { id: place.text("id")?, index: place.count("index")?, total: place.count("total")? };
    place.finish()?;
    Ok(series)
}
