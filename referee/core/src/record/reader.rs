//! From the bytes of a file to the records in it, strictly.

use std::{fmt, sync::Arc};

use thiserror::Error;

use crate::{
    digest::Digest,
    json_trouble,
    record::{
        entry::{Entry, Genesis},
        fields::FieldError,
        json::Value,
        kind::Kind,
        turns::Turns,
    },
};

/// Maximum length of a line, in bytes: a genesis with a megabyte of rules fits, however it is escaped.
pub const LINE_BYTES_MAX: usize = 16 << 20;

/// Why bytes are not records.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {problem}")]
pub struct RecordError {
    /// The line, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: RecordProblem,
}

/// A problem with a line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum RecordProblem {
    /// It is longer than [`LINE_BYTES_MAX`].
    #[error("{bytes} bytes: limit {LINE_BYTES_MAX}")]
    TooLong {
        /// How long it is.
        bytes: usize,
    },
    /// The line has no newline at its end, and there is no running match to which it could belong.
    #[error("the line is incomplete and belongs to no record")]
    Torn,
    /// It is not UTF-8.
    #[error("not UTF-8")]
    NotText,
    /// It is not JSON as records use it.
    #[error("not a Croupier record: {0}")]
    NotJson(String),
    /// It is not written as this program writes the same values.
    #[error("not in canonical form: it was changed, or written by another program")]
    NotCanonical,
    /// A field is wrong.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The event is out of place: a record starts with its genesis and ends with its seal.
    #[error("unexpected event {event}: {expected}")]
    Misplaced {
        /// The event.
        event: &'static str,
        /// The expected event.
        expected: &'static str,
    },
}

/// One line of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordLine<K: Kind = Turns> {
    /// Its number in the file, from 1.
    pub number: usize,
    /// Its text without the newline.
    pub text: String,
    /// The content of the line.
    pub entry: Entry<K>,
    /// The chain value that it claims to follow.
    pub prev: Option<Digest>,
}

/// The record of one match as it was read: well formed, but nothing in it is verified.
///
/// Invariant: the first line is the genesis and no other is; a seal is the last line.
///
/// ```
/// use std::sync::Arc;
/// # use croupier_engine::ByPlayer;
/// use croupier_referee::{read_records, run_match};
///
/// # use croupier_referee::{Clocks, Header, MatchSetup, Message, Nonces, Seat, SeatReply, Secrets, Seed, Substitution};
/// # use croupier_engine::{Strictness, game::PerceptReading};
/// # let rules = "(role ann) (role ben) (init begun) (legal ann left) (legal ann right) (legal ben wait)
/// #     (<= (next (went ?side)) (does ann ?side)) (<= (sees ben moved) (true begun)) (<= terminal (not (true begun)))
/// #     (<= (goal ann 100) (true (went left))) (<= (goal ann 0) (not (true (went left)))) (goal ben 50)";
/// # let setup = MatchSetup {
/// #     match_id: "friday.1".to_owned(),
/// #     series: None,
/// #     session: None,
/// #     rules: rules.to_owned(),
/// #     game_name: None,
/// #     players: ["ann", "ben"].map(|role| (role.to_owned(), "a person".to_owned())).to_vec(),
/// #     clocks: Clocks::of(10_000, 5_000),
/// #     percepts: PerceptReading::OldState,
/// #     strictness: Strictness::Compatible,
/// #     substitution: Substitution::Drawn,
/// #     turns_max: 100,
/// #     nonces: Nonces::Clear,
/// # };
/// # struct Mumbler;
/// # impl Seat for Mumbler {
/// #     fn receive(&mut self, _: &Message) -> SeatReply {
/// #         SeatReply::text("mumble")
/// #     }
/// # }
/// # let header = Arc::new(Header::compile(setup)?);
/// # let mut seats = ByPlayer::from_fn(header.roles(), |_| Box::new(Mumbler));
/// # let secrets = Secrets::from_seed(Seed::from_text("42")?);
/// let bytes = run_match(&header, secrets, &mut seats, |_, _| ()).record;
/// // Records stand one after another in a file.
/// let records = read_records(&bytes.repeat(2))?;
/// assert_eq!(records.len(), 2);
/// assert!(records[0].is_sealed());
/// assert_eq!(records[0].genesis().setup.match_id, "friday.1");
/// // Without its last line it is the record of a match that was cut off.
/// let cut = bytes.iter().rposition(|&byte| byte == b'\n').ok_or("it has lines")?;
/// assert!(!read_records(&bytes[..cut])?[0].is_sealed());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<K: Kind = Turns> {
    genesis: Arc<Genesis<K>>,
    lines: Vec<RecordLine<K>>,
    torn_bytes: usize,
}

impl<K: Kind> Record<K> {
    /// The content of the first line.
    #[must_use]
    pub fn genesis(&self) -> &Genesis<K> {
        &self.genesis
    }

    /// All lines, the first and the seal included.
    #[must_use]
    pub fn lines(&self) -> &[RecordLine<K>] {
        &self.lines
    }

    /// The first line.
    pub(crate) fn first(&self) -> &RecordLine<K> {
        self.lines.first().expect("a record begins with its genesis")
    }

    /// Whether the record ends with a seal; otherwise the match was running when the record was cut off.
    #[must_use]
    pub fn is_sealed(&self) -> bool {
        matches!(self.lines.last(), Some(RecordLine { entry: Entry::Seal { .. }, .. }))
    }

    /// Bytes after the last newline of the file: a line that was being written, and is not read.
    #[must_use]
    pub fn torn_bytes(&self) -> usize {
        self.torn_bytes
    }
}

/// The records of matches in turns in a file, one after another: see [`read_records_of`].
///
/// # Errors
/// [`RecordError`] for the first line that is not exactly as a referee writes it, whatever its content.
pub fn read_records(bytes: &[u8]) -> Result<Vec<Record>, RecordError> {
    read_records_of(bytes)
}

/// The records of one kind of match in a file, one after another.
///
/// Bytes after the last newline are not a line: a record that is not sealed counts them, elsewhere they are an error.
/// No bytes, no records.
///
/// # Errors
/// [`RecordError`] for the first line that is not exactly as a referee writes it, whatever its content.
pub fn read_records_of<K: Kind>(bytes: &[u8]) -> Result<Vec<Record<K>>, RecordError> {
    let mut records: Vec<Record<K>> = Vec::new();
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let at = |problem| RecordError { line: index + 1, problem };
        let Some(line) = line.strip_suffix(b"\n") else {
            let running = records.last_mut().filter(|record| !record.is_sealed());
            running.ok_or_else(|| at(RecordProblem::Torn))?.torn_bytes = line.len();
            continue;
        };
        let (text, entry, prev) = read_line(line).map_err(at)?;
        let event = entry.event();
        let misplaced = |expected| at(RecordProblem::Misplaced { event, expected });
        if let Entry::Genesis(genesis) = &entry {
            records.push(Record { genesis: Arc::clone(genesis), lines: Vec::new(), torn_bytes: 0 });
        }
        let record = records.last_mut().ok_or_else(|| misplaced("a record must start with genesis"))?;
        if record.is_sealed() {
            return Err(misplaced("only another genesis can follow a seal"));
        }
        record.lines.push(RecordLine { number: index + 1, text, entry, prev });
    }
    Ok(records)
}

/// What stands behind the last whole match of a file: a line that was being written when the program that wrote it ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tear {
    /// The line, counted from 1.
    pub line: usize,
    /// How many bytes of it are there.
    pub bytes: usize,
}

impl fmt::Display for Tear {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { line, bytes } = self;
        write!(f, "line {line} is torn: {bytes} bytes stand behind the last whole match")
    }
}

/// A file of records without the torn line behind its last whole match, and that line if there is one.
///
/// Whatever stands behind the last newline is torn. Behind a match that is not sealed it belongs to that
/// ([`Record::torn_bytes`]), and a file with nothing else in it has no records: both are left in the file.
#[must_use]
pub fn without_tear(bytes: &[u8]) -> (&[u8], Option<Tear>) {
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let (lines, torn) = bytes.split_at(whole);
    if torn.is_empty() || !ends_with_seal(lines) {
        return (bytes, None);
    }
    let line = lines.iter().filter(|&&byte| byte == b'\n').count() + 1;
    (lines, Some(Tear { line, bytes: torn.len() }))
}

/// How many bytes of a file of records its whole matches take: up to the last seal.
#[must_use]
pub fn whole_matches_bytes(bytes: &[u8]) -> usize {
    let mut end = bytes.len();
    while let Some(last) = bytes[..end].iter().rposition(|&byte| byte == b'\n') {
        if ends_with_seal(&bytes[..=last]) {
            return last + 1;
        }
        end = last;
    }
    0
}

/// Whether the last of these lines, all of which have their newlines, is a seal.
fn ends_with_seal(lines: &[u8]) -> bool {
    let Some(lines) = lines.strip_suffix(b"\n") else { return false };
    let start = lines.iter().rposition(|&byte| byte == b'\n').map_or(0, |last| last + 1);
    let Ok((_, Value::Object(fields))) = read_value(&lines[start..]) else { return false };
    fields.get("event") == Some(&Value::text("seal"))
}

fn read_line<K: Kind>(line: &[u8]) -> Result<(String, Entry<K>, Option<Digest>), RecordProblem> {
    let (text, value) = read_value(line)?;
    let (entry, prev) = Entry::read(value)?;
    Ok((text, entry, prev))
}

/// The text of a line, and the value that it writes in the one way there is.
pub(crate) fn read_value(line: &[u8]) -> Result<(String, Value), RecordProblem> {
    if line.len() > LINE_BYTES_MAX {
        return Err(RecordProblem::TooLong { bytes: line.len() });
    }
    let text = str::from_utf8(line).map_err(|_| RecordProblem::NotText)?;
    let value: Value =
        serde_json::from_str(text).map_err(|error| RecordProblem::NotJson(json_trouble(&error)))?;
    if value.to_text() != text {
        return Err(RecordProblem::NotCanonical);
    }
    Ok((text.to_owned(), value))
}
