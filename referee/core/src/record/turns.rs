//! Matches in turns: how their records describe them, and the lines that only they have.

use std::collections::BTreeMap;

use croupier_engine::{Roles, game::PerceptReading};

use crate::{
    digest::Digest,
    event::{Failure, ReplyStatus},
    header::{Clocks, GRACE_MS, Header, HeaderError, MatchSetup, Nonces, Substitution},
    record::{
        fields::{FieldError, Fields},
        json::{Value, by_name},
        kind::{Kind, Shared},
    },
};

/// Version of the messages to players.
pub const PROTOCOL: u64 = 1;

/// Version of the messages to players that may commit to nonces.
pub const PROTOCOL_WITH_NONCES: u64 = 2;

/// Version of the lines and fields of a record of a match in a series.
pub const FORMAT: u64 = 2;

/// Version of the lines and fields of a record of a match on its own: without `series`, and otherwise the same.
pub const FORMAT_WITHOUT_SERIES: u64 = 1;

/// Version of the lines and fields of a record of a match whose genesis says whether players add nonces to the seed; with or
/// without `series`.
pub const FORMAT_WITH_NONCES: u64 = 4;

/// Version of the lines and fields of a record of a match of a session: with `session`, without `series`, and with `nonces` unless
/// players add them in the clear.
pub const FORMAT_IN_SESSION: u64 = 7;

/// Matches in which everybody moves in every turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {}

/// A line that only records of matches in turns have.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TurnLine {
    /// Another referee resumed the match, or the same one after an interruption.
    Resume {
        /// Its number: each is higher than the one before.
        epoch: u64,
    },
    /// A player answered PLAY, or failed to.
    Reply {
        /// The turn.
        turn: u32,
        /// The player's role.
        role: String,
        /// The status of the reply.
        status: ReplyStatus,
        /// The move it wrote, legal or illegal; `None` if there was none to read.
        own_move: Option<String>,
        /// Time since PLAY was sent.
        elapsed_ms: u64,
    },
    /// A move was played for a player that gave no legal one.
    Substitute {
        /// The turn.
        turn: u32,
        /// The player's role.
        role: String,
        /// How many legal moves there were.
        n: u64,
        /// The index of the drawn move, from 0 in canonical order.
        index: u64,
    },
    /// A joint move was played.
    Turn {
        /// The turn.
        turn: u32,
        /// The move of each role.
        moves: BTreeMap<String, String>,
        /// SHA-256 of the state after it: its fluents in canonical order, one a line.
        state: Digest,
        /// SHA-256 of each player's percepts: in canonical order, one a line.
        percepts: BTreeMap<String, Digest>,
    },
    /// The match is over.
    End {
        /// How many turns were played.
        turns: u32,
        /// How it ended: `terminal`, `turn_limit`, `game_error` or `aborted`.
        status: String,
        /// The goal of each player, if the match ended by the rules.
        goals: Option<BTreeMap<String, i64>>,
        /// The role for which the rules failed, if they did for one.
        role: Option<String>,
        /// How the rules failed, if they did, as one word.
        error: Option<String>,
    },
}

impl Kind for Turns {
    type Setup = MatchSetup;
    type Header = Header;
    type Line = TurnLine;

    const STEP: &'static str = "turn";
    const FORMATS: &'static [u64] = &[FORMAT_WITHOUT_SERIES, FORMAT, FORMAT_WITH_NONCES, FORMAT_IN_SESSION];
    const TIMES_ANSWERS: bool = true;

    fn shared(setup: &MatchSetup) -> Shared<'_> {
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

    fn header(setup: MatchSetup, other: Option<&Header>) -> Result<Header, HeaderError> {
        match other {
            Some(other) => other.with_setup(setup),
            None => Header::compile(setup),
        }
    }

    fn setup(header: &Header) -> &MatchSetup {
        header.setup()
    }

    fn roles(header: &Header) -> &Roles {
        header.roles()
    }

    fn game_digest(header: &Header) -> Digest {
        header.game_digest()
    }

    fn full_sight(header: &Header) -> &[String] {
        header.full_sight()
    }

    fn event(line: &TurnLine) -> &'static str {
        match line {
            TurnLine::Resume { .. } => "resume",
            TurnLine::Reply { .. } => "reply",
            TurnLine::Substitute { .. } => "substitute",
            TurnLine::Turn { .. } => "turn",
            TurnLine::End { .. } => "end",
        }
    }

    fn step(line: &TurnLine) -> Option<u32> {
        match line {
            TurnLine::Reply { turn, .. }
            | TurnLine::Substitute { turn, .. }
            | TurnLine::Turn { turn, .. } => Some(*turn),
            TurnLine::Resume { .. } | TurnLine::End { .. } => None,
        }
    }

    fn substituted(line: &TurnLine) -> Option<((u32, Option<String>), u64)> {
        match line {
            TurnLine::Substitute { turn, role, index, .. } => Some(((*turn, Some(role.clone())), *index)),
            _ => None,
        }
    }

    fn write(line: &TurnLine) -> Value {
        match line {
            TurnLine::Resume { epoch } => Value::object([("epoch", Value::count(*epoch))]),
            TurnLine::Reply { turn, role, status, own_move, elapsed_ms } => Value::object([
                ("turn", Value::count(u64::from(*turn))),
                ("role", Value::text(role)),
                ("status", Value::text(status.as_str())),
                ("move", own_move.clone().into()),
                ("elapsed_ms", Value::count(*elapsed_ms)),
            ]),
            TurnLine::Substitute { turn, role, n, index } => Value::object([
                ("turn", Value::count(u64::from(*turn))),
                ("role", Value::text(role)),
                ("n", Value::count(*n)),
                ("index", Value::count(*index)),
            ]),
            TurnLine::Turn { turn, moves, state, percepts } => Value::object([
                ("turn", Value::count(u64::from(*turn))),
                ("moves", by_name(moves, |text| Value::text(text))),
                ("state", Value::text(state.to_string())),
                ("percepts", by_name(percepts, |digest| Value::text(digest.to_string()))),
            ]),
            TurnLine::End { turns, status, goals, role, error } => Value::object([
                ("turns", Value::count(u64::from(*turns))),
                ("status", Value::text(status)),
                ("goals", goals.as_ref().map(|goals| by_name(goals, |&goal| Value::Integer(goal))).into()),
                ("role", role.clone().into()),
                ("error", error.clone().into()),
            ]),
        }
    }

    fn read(event: &str, fields: &mut Fields) -> Result<TurnLine, FieldError> {
        Ok(match event {
            "resume" => TurnLine::Resume { epoch: fields.count("epoch")? },
            "reply" => reply(fields)?,
            "substitute" => TurnLine::Substitute {
                turn: fields.turn("turn")?,
                role: fields.text("role")?,
                n: fields.count("n")?,
                index: fields.count("index")?,
            },
            "turn" => TurnLine::Turn {
                turn: fields.turn("turn")?,
                moves: fields.texts("moves")?,
                state: fields.digest("state")?,
                percepts: fields.digests("percepts")?,
            },
            "end" => TurnLine::End {
                turns: fields.turn("turns")?,
                status: fields.text("status")?,
                goals: fields.goals("goals")?,
                role: fields.optional_text("role")?,
                error: fields.optional_text("error")?,
            },
            _ => return Err(fields.wrong("event", "an event of a record")),
        })
    }

    fn write_setup(setup: &MatchSetup) -> Value {
        let protocol = if setup.nonces == Nonces::Clear { PROTOCOL } else { PROTOCOL_WITH_NONCES };
        let format = match setup.nonces {
            _ if setup.session.is_some() => FORMAT_IN_SESSION,
            Nonces::Clear if setup.series.is_some() => FORMAT,
            Nonces::Clear => FORMAT_WITHOUT_SERIES,
            Nonces::Committed | Nonces::Declined => FORMAT_WITH_NONCES,
        };
        // The grace is written where it is not the usual one, so that records are the same to the byte as before it could be chosen.
        let Clocks { start_ms, play_ms, grace_ms } = setup.clocks;
        let clocks =
            Value::object([("start_ms", Value::count(start_ms)), ("play_ms", Value::count(play_ms))])
                .with("grace_ms", (grace_ms != GRACE_MS).then(|| Value::count(grace_ms)));
        Value::object([
            ("format", Value::count(format)),
            ("protocol", Value::count(protocol)),
            ("clocks", clocks),
            ("percepts", Value::text(percept_reading_str(setup.percepts))),
            ("substitution", Value::text(substitution_str(setup.substitution))),
            ("turns_max", Value::count(u64::from(setup.turns_max))),
        ])
        .with("nonces", nonces_str(setup.nonces).map(Value::text))
    }

    fn read_setup(format: u64, fields: &mut Fields, shared: Shared<'_>) -> Result<MatchSetup, FieldError> {
        let nonces = nonces(format, fields, &shared)?;
        let protocol = if nonces == Nonces::Clear { PROTOCOL } else { PROTOCOL_WITH_NONCES };
        fields.version("protocol", protocol)?;
        let mut clocks = fields.object("clocks")?;
        let (start_ms, play_ms) = (clocks.count("start_ms")?, clocks.count("play_ms")?);
        let grace_ms = clocks.count_or("grace_ms", GRACE_MS)?;
        clocks.finish()?;
        let readings = [PerceptReading::OldState, PerceptReading::NewState];
        let substitutions = [Substitution::Drawn, Substitution::First];
        Ok(MatchSetup {
            match_id: shared.match_id.to_owned(),
            series: shared.series.cloned(),
            session: shared.session.cloned(),
            rules: shared.rules.to_owned(),
            game_name: shared.game_name.map(str::to_owned),
            players: shared.players.to_vec(),
            clocks: Clocks { start_ms, play_ms, grace_ms },
            percepts: fields
                .word("percepts", &readings.map(|reading| (percept_reading_str(reading), reading)))?,
            strictness: shared.strictness,
            substitution: fields
                .word("substitution", &substitutions.map(|rule| (substitution_str(rule), rule)))?,
            turns_max: fields.turn("turns_max")?,
            nonces,
        })
    }
}

/// Whether players add nonces to the seed of a match whose record has this format.
fn nonces(format: u64, fields: &mut Fields, shared: &Shared<'_>) -> Result<Nonces, FieldError> {
    let in_session = format == FORMAT_IN_SESSION;
    match format {
        _ if in_session && shared.session.is_none() => Err(FieldError::Missing("session".to_owned())),
        _ if !in_session && shared.session.is_some() => Err(FieldError::Unknown("session".to_owned())),
        FORMAT_IN_SESSION if shared.series.is_some() => Err(FieldError::Unknown("series".to_owned())),
        FORMAT_IN_SESSION if !fields.has("nonces") => Ok(Nonces::Clear),
        FORMAT if shared.series.is_none() => Err(FieldError::Missing("series".to_owned())),
        FORMAT_WITHOUT_SERIES if shared.series.is_some() => Err(FieldError::Unknown("series".to_owned())),
        FORMAT_WITH_NONCES | FORMAT_IN_SESSION => {
            let rules = [Nonces::Committed, Nonces::Declined];
            let words: Vec<_> =
                rules.into_iter().filter_map(|rule| Some((nonces_str(rule)?, rule))).collect();
            fields.word("nonces", &words)
        }
        _ => Ok(Nonces::Clear),
    }
}

fn reply(fields: &mut Fields) -> Result<TurnLine, FieldError> {
    let statuses = Failure::ALL.into_iter().map(ReplyStatus::Failed);
    let statuses = statuses.chain([ReplyStatus::Legal, ReplyStatus::Illegal]);
    let words: Vec<_> = statuses.map(|status| (status.as_str(), status)).collect();
    let status = fields.word("status", &words)?;
    let own_move = fields.optional_text("move")?;
    if own_move.is_some() == matches!(status, ReplyStatus::Failed(_)) {
        return Err(fields.wrong("move", "text after a legal or illegal reply, and null after another"));
    }
    let (turn, elapsed_ms) = (fields.turn("turn")?, fields.count("elapsed_ms")?);
    Ok(TurnLine::Reply { turn, role: fields.text("role")?, status, own_move, elapsed_ms })
}

/// The word in the genesis; none where nonces are in the clear, as in formats without that field.
fn nonces_str(nonces: Nonces) -> Option<&'static str> {
    match nonces {
        Nonces::Clear => None,
        Nonces::Committed => Some("committed"),
        Nonces::Declined => Some("declined"),
    }
}

fn percept_reading_str(reading: PerceptReading) -> &'static str {
    match reading {
        PerceptReading::OldState => "old_state",
        PerceptReading::NewState => "new_state",
    }
}

fn substitution_str(substitution: Substitution) -> &'static str {
    match substitution {
        Substitution::Drawn => "drawn",
        Substitution::First => "first",
    }
}
