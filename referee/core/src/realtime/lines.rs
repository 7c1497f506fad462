//! Real-time matches: how their records describe them, and the lines that only they have.

use std::{collections::BTreeMap, sync::Arc};

use croupier_engine::Roles;

use super::{MoveStatus, RealTimeHeader, RealTimeSetup};
use crate::{
    digest::Digest,
    header::HeaderError,
    record::{
        FieldError, Fields, Kind, PROTOCOL, PROTOCOL_WITH_NONCES, Record, RecordError, Shared, Value,
        by_name, read_records_of, read_value,
    },
};

/// Version of the lines and fields of a record of a match on its own.
const FORMAT: u64 = 3;

/// Version of those of a match on its own whose players may commit to nonces.
const FORMAT_WITH_NONCES: u64 = 5;

/// Version of those of a match in a series, whether or not its players may commit to nonces.
const FORMAT_WITH_SERIES: u64 = 6;

/// Version of those of a match of a session, whether or not its players may commit to nonces: the same number as that of a match in turns.
const FORMAT_IN_SESSION: u64 = 7;

/// Matches in which every move has an instant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RealTime {}

/// The record of a real-time match.
pub type RealTimeRecord = Record<RealTime>;

/// A line that only records of real-time matches have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RealTimeLine {
    /// A move was judged.
    Move {
        /// The instant at which it counted, in microseconds.
        at_us: u64,
        /// The instant at which it arrived.
        arrived_us: u64,
        /// The player's role.
        role: String,
        /// The player's name for it.
        id: u64,
        /// How it was judged.
        status: MoveStatus,
        /// The move, if it was one.
        text: Option<String>,
    },
    /// Game time stood still while the clock went on.
    Pause {
        /// At which instant, in microseconds.
        at_us: u64,
        /// For how long, in microseconds of the clock.
        lasted_us: u64,
    },
    /// Moves were played, or something expired.
    Update {
        /// Its number, from 0.
        update: u32,
        /// When, in microseconds.
        at_us: u64,
        /// Who played what.
        moves: BTreeMap<String, String>,
        /// SHA-256 of the state after it.
        state: Digest,
        /// SHA-256 of each player's percepts: in canonical order, one a line.
        percepts: BTreeMap<String, Digest>,
    },
    /// The match is over.
    End {
        /// How many updates there were.
        updates: u32,
        /// When, in microseconds.
        at_us: u64,
        /// How it ended.
        status: String,
        /// The goal of each player, if the match ended by the rules.
        goals: Option<BTreeMap<String, i64>>,
        /// How the rules failed, if they did, as one word.
        error: Option<String>,
    },
}

impl RealTimeLine {
    /// The instant that it is of, in microseconds.
    #[must_use]
    pub fn at_us(&self) -> u64 {
        match self {
            Self::Move { at_us, .. }
            | Self::Pause { at_us, .. }
            | Self::Update { at_us, .. }
            | Self::End { at_us, .. } => *at_us,
        }
    }
}

/// Whether bytes begin as a real-time record does.
#[must_use]
pub fn is_real_time_record(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    let Ok((_, Value::Object(fields))) = read_value(first) else { return false };
    fields.get("time") == Some(&Value::text("real"))
}

/// The real-time records in a file, one after another: see [`read_records_of`].
///
/// # Errors
/// [`RecordError`] for the first line that is not exactly as a referee writes it, whatever its content.
pub fn read_real_time_records(bytes: &[u8]) -> Result<Vec<RealTimeRecord>, RecordError> {
    read_records_of(bytes)
}

impl Kind for RealTime {
    type Setup = RealTimeSetup;
    type Header = RealTimeHeader;
    type Line = RealTimeLine;

    const STEP: &'static str = "update";
    const FORMATS: &'static [u64] = &[FORMAT, FORMAT_WITH_NONCES, FORMAT_WITH_SERIES, FORMAT_IN_SESSION];
    const TIMES_ANSWERS: bool = false;

    fn shared(setup: &RealTimeSetup) -> Shared<'_> {
        Shared {
            match_id: &setup.match_id,
            series: setup.series.as_ref(),
            session: setup.session.as_ref(),
            rules: &setup.rules,
            game_name: setup.game_name.as_deref(),
            players: &setup.players,
            strictness: setup.strictness,
        }
    }

    fn header(setup: RealTimeSetup, other: Option<&RealTimeHeader>) -> Result<RealTimeHeader, HeaderError> {
        let is_same = |other: &&RealTimeHeader| {
            other.setup().rules == setup.rules && other.setup().strictness == setup.strictness
        };
        match other.filter(is_same) {
            Some(other) => RealTimeHeader::with_game(setup, Arc::clone(other.game())),
            None => RealTimeHeader::compile(setup),
        }
    }

    fn setup(header: &RealTimeHeader) -> &RealTimeSetup {
        header.setup()
    }

    fn roles(header: &RealTimeHeader) -> &Roles {
        header.roles()
    }

    fn game_digest(header: &RealTimeHeader) -> Digest {
        header.game_digest()
    }

    fn full_sight(_: &RealTimeHeader) -> &[String] {
        &[]
    }

    fn event(line: &RealTimeLine) -> &'static str {
        match line {
            RealTimeLine::Move { .. } => "move",
            RealTimeLine::Pause { .. } => "pause",
            RealTimeLine::Update { .. } => "update",
            RealTimeLine::End { .. } => "end",
        }
    }

    fn step(line: &RealTimeLine) -> Option<u32> {
        match line {
            RealTimeLine::Update { update, .. } => Some(*update),
            _ => None,
        }
    }

    fn substituted(_: &RealTimeLine) -> Option<((u32, Option<String>), u64)> {
        None
    }

    fn write(line: &RealTimeLine) -> Value {
        let fields = match line {
            RealTimeLine::Move { at_us, arrived_us, role, id, status, text } => Value::object([
                ("role", Value::text(role)),
                ("id", Value::count(*id)),
                ("status", Value::text(status.as_str())),
                ("move", text.clone().into()),
            ])
            // Where it counted when it came, as in matches in one process, the line is as it always was.
            .with("arrived_us", (arrived_us != at_us).then(|| Value::count(*arrived_us))),
            RealTimeLine::Pause { lasted_us, .. } => Value::object([("lasted_us", Value::count(*lasted_us))]),
            RealTimeLine::Update { update, moves, state, percepts, .. } => Value::object([
                ("update", Value::count(u64::from(*update))),
                ("moves", by_name(moves, |text| Value::text(text))),
                ("state", Value::text(state.to_string())),
                ("percepts", by_name(percepts, |digest| Value::text(digest.to_string()))),
            ]),
            RealTimeLine::End { updates, status, goals, error, .. } => Value::object([
                ("updates", Value::count(u64::from(*updates))),
                ("status", Value::text(status)),
                ("goals", goals.as_ref().map(|goals| by_name(goals, |&goal| Value::Integer(goal))).into()),
                ("error", error.clone().into()),
            ]),
        };
        fields.with("at_us", Some(Value::count(line.at_us())))
    }

    fn read(event: &str, fields: &mut Fields) -> Result<RealTimeLine, FieldError> {
        if !["move", "pause", "update", "end"].contains(&event) {
            return Err(fields.wrong("event", "an event of a real-time record"));
        }
        let at_us = fields.count("at_us")?;
        Ok(match event {
            "move" => RealTimeLine::Move {
                at_us,
                arrived_us: fields.count_or("arrived_us", at_us)?,
                role: fields.text("role")?,
                id: fields.count("id")?,
                status: fields.word("status", &MoveStatus::ALL.map(|status| (status.as_str(), status)))?,
                text: fields.optional_text("move")?,
            },
            "pause" => RealTimeLine::Pause { at_us, lasted_us: fields.count("lasted_us")? },
            "update" => RealTimeLine::Update {
                update: fields.turn("update")?,
                at_us,
                moves: fields.texts("moves")?,
                state: fields.digest("state")?,
                percepts: fields.digests("percepts")?,
            },
            _ => RealTimeLine::End {
                updates: fields.turn("updates")?,
                at_us,
                status: fields.text("status")?,
                goals: fields.goals("goals")?,
                error: fields.optional_text("error")?,
            },
        })
    }

    fn write_setup(setup: &RealTimeSetup) -> Value {
        let format = match (&setup.series, setup.nonces_ms) {
            _ if setup.session.is_some() => FORMAT_IN_SESSION,
            (Some(_), _) => FORMAT_WITH_SERIES,
            (None, Some(_)) => FORMAT_WITH_NONCES,
            (None, None) => FORMAT,
        };
        let protocol = if setup.nonces_ms.is_some() { PROTOCOL_WITH_NONCES } else { PROTOCOL };
        Value::object([
            ("format", Value::count(format)),
            ("time", Value::text("real")),
            ("protocol", Value::count(protocol)),
            ("tick_us", Value::count(setup.tick_us)),
            ("updates_max", Value::count(u64::from(setup.updates_max))),
            ("time_max_us", Value::count(setup.time_max_us)),
        ])
        .with("nonces_ms", setup.nonces_ms.map(Value::count))
    }

    fn read_setup(format: u64, fields: &mut Fields, shared: Shared<'_>) -> Result<RealTimeSetup, FieldError> {
        fields.word("time", &[("real", ())])?;
        let field = |name: &str| name.to_owned();
        let places = [
            ("series", format == FORMAT_WITH_SERIES, shared.series.is_some()),
            ("session", format == FORMAT_IN_SESSION, shared.session.is_some()),
        ];
        for (name, is_due, is_there) in places {
            match (is_due, is_there) {
                (true, false) => return Err(FieldError::Missing(field(name))),
                (false, true) => return Err(FieldError::Unknown(field(name))),
                _ => {}
            }
        }
        let has_nonces = fields.has("nonces_ms");
        match format {
            FORMAT if has_nonces => return Err(FieldError::Unknown(field("nonces_ms"))),
            FORMAT_WITH_NONCES if !has_nonces => return Err(FieldError::Missing(field("nonces_ms"))),
            _ => {}
        }
        fields.version("protocol", if has_nonces { PROTOCOL_WITH_NONCES } else { PROTOCOL })?;
        Ok(RealTimeSetup {
            match_id: shared.match_id.to_owned(),
            series: shared.series.cloned(),
            session: shared.session.cloned(),
            rules: shared.rules.to_owned(),
            game_name: shared.game_name.map(str::to_owned),
            players: shared.players.to_vec(),
            strictness: shared.strictness,
            tick_us: fields.count("tick_us")?,
            updates_max: fields.turn("updates_max")?,
            time_max_us: fields.count("time_max_us")?,
            nonces_ms: if has_nonces { Some(fields.count("nonces_ms")?) } else { None },
        })
    }
}
