//! From the bytes of a file to the lines of a session and the records of its matches, strictly.

use std::collections::BTreeMap;

use croupier_referee::{Digest, RecordError, ReplayError, json_trouble};
use serde::{Deserialize, Serialize, de::IgnoredAny};
use thiserror::Error;

use crate::{
    effect::SessionEffect,
    event::SessionEvent,
    match_record::MatchRecord,
    order::{FamilyMember, MatchGame},
    record::{SessionEntry, SessionLine},
    refusal::SessionRefusal,
    state::SessionState,
    terms::{OPENING_EVENT, SESSION_FORMAT, SessionTerms, TermsError},
};

/// What is wrong with the record of a session.
#[derive(Clone, Debug, Error)]
#[error("line {line}: {problem}")]
pub struct SessionRecordError {
    /// The line of the file, counted from 1.
    pub line: usize,
    /// The problem.
    pub problem: SessionRecordProblem,
}

/// A problem with the record of a session.
#[derive(Clone, Debug, Error)]
pub enum SessionRecordProblem {
    /// The line is not what a session's record has there.
    #[error("not a line of a session: {0}")]
    Line(String),
    /// The line is not written as this program writes the same values.
    #[error("not in canonical form: it was changed, or written by another program")]
    NotCanonical,
    /// The line does not follow the lines before it.
    #[error("the line does not follow those before it: a line was changed, added or taken out")]
    Chain,
    /// A line follows the seal.
    #[error("the session is sealed, and nothing can follow")]
    AfterSeal,
    /// No session can open on these terms.
    #[error("no session opens on these terms: {0}")]
    Terms(#[from] TermsError),
    /// The event cannot happen there.
    #[error("this cannot happen there: {0}")]
    Refused(#[from] SessionRefusal),
    /// The seed is not the one that was committed to.
    #[error("the seed is not the one that the session was bound to when it opened")]
    Commitment,
    /// The session is not over where its seed is revealed.
    #[error("the seed is revealed, and the session is not over")]
    NotOver,
    /// The signature is not that of the key.
    #[error("the seal is not that of its key")]
    Seal,
    /// A record of a match cannot be read.
    #[error("a record of a match: {0}")]
    Record(#[from] RecordError),
    /// A record is not of this session.
    #[error("the match {match_id} is none of this session")]
    Foreign {
        /// Its id.
        match_id: String,
    },
    /// A match has two records.
    #[error("match {index} has two records")]
    Doubled {
        /// The match.
        index: u64,
    },
    /// A match has no record.
    #[error("match {index} has no record")]
    Missing {
        /// The match.
        index: u64,
    },
    /// A match is not what its record says.
    #[error("match {index}: {error}")]
    Replay {
        /// The match.
        index: u64,
        /// What differs.
        #[source]
        error: Box<ReplayError>,
    },
    /// A match is not the one that the session had at this place.
    #[error("match {index}: {what} of its record is not what follows from the session")]
    Altered {
        /// The match.
        index: u64,
        /// What differs.
        what: &'static str,
    },
}

/// The file of a session as it was read: well formed, but nothing in it is verified.
#[derive(Clone, Debug)]
pub struct SessionFile {
    pub(crate) terms: SessionTerms,
    pub(crate) commitment: Digest,
    /// SHA-256 of the first line.
    pub(crate) opening: Digest,
    pub(crate) lines: Vec<NumberedLine>,
    pub(crate) records: Vec<MatchRecord>,
}

/// A line of a session after the first.
#[derive(Clone, Debug)]
pub(crate) struct NumberedLine {
    pub(crate) number: usize,
    pub(crate) text: String,
    pub(crate) line: SessionLine,
}

/// The first line, to be read.
#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct OpeningLine {
    commitment: Digest,
    event: String,
    format: u64,
    prev: Option<Digest>,
    terms: SessionTerms,
}

/// As much of a line as says whose it is.
#[derive(Deserialize)]
struct Peeked {
    event: String,
    #[serde(default)]
    session: Option<Owner>,
}

/// A line of a session names it; the first line of a match has an object there.
#[derive(Deserialize)]
#[serde(untagged)]
enum Owner {
    Session(#[expect(dead_code, reason = "that it is text is what tells the two apart")] String),
    Place(IgnoredAny),
}

/// Whether a file begins with the record of a session.
#[must_use]
pub fn is_session_record(bytes: &[u8]) -> bool {
    let first = bytes.split(|&byte| byte == b'\n').next().unwrap_or_default();
    serde_json::from_slice::<Peeked>(first).is_ok_and(|line| line.event == OPENING_EVENT)
}

impl SessionFile {
    /// Reads the file of a session.
    ///
    /// # Errors
    /// [`SessionRecordError`] for the first line that is not exactly as it is written, whatever its content.
    pub fn read(bytes: &[u8]) -> Result<Self, SessionRecordError> {
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n').enumerate();
        let at = |line: usize, problem: SessionRecordProblem| SessionRecordError { line: line + 1, problem };
        let (_, first) = lines.next().unwrap_or_default();
        let first = first.strip_suffix(b"\n").unwrap_or(first);
        let OpeningLine { commitment, terms, .. } = opening(first).map_err(|problem| at(0, problem))?;
        let opening = Digest::of(first);
        let mut file = Self { terms, commitment, opening, lines: Vec::new(), records: Vec::new() };
        let mut split: Vec<(usize, Vec<u8>)> = Vec::new();
        for (number, line) in lines {
            let Some(text) = line.strip_suffix(b"\n") else {
                // What was being written when the program ended belongs to nothing.
                break;
            };
            let peeked = peek(text).map_err(|problem| at(number, problem))?;
            match (peeked.session, peeked.event == "genesis") {
                (Some(Owner::Session(_)), _) => {
                    file.lines.push(numbered(number + 1, text).map_err(|problem| at(number, problem))?);
                }
                (_, true) => split.push((number, line.to_vec())),
                (_, false) => match split.last_mut() {
                    Some((_, record)) => record.extend_from_slice(line),
                    None => {
                        let problem = SessionRecordProblem::Line("it belongs to no match".to_owned());
                        return Err(at(number, problem));
                    }
                },
            }
        }
        for (number, bytes) in split {
            let read = MatchRecord::read(number, &bytes).map_err(|mut error| {
                error.line += number;
                at(number, error.into())
            })?;
            file.records.extend(read);
        }
        Ok(file)
    }

    /// What was fixed when the session opened.
    #[must_use]
    pub fn terms(&self) -> &SessionTerms {
        &self.terms
    }

    /// The events of the session, in order.
    pub fn events(&self) -> impl Iterator<Item = &SessionEvent> {
        self.lines.iter().filter_map(|line| match &line.line.entry {
            SessionEntry::Event(event) => Some(event),
            SessionEntry::Closing(_) => None,
        })
    }

    /// The games of a family that the matches are, by the id of the match: as far as the events of the file go.
    #[must_use]
    pub fn members(&self) -> BTreeMap<String, FamilyMember> {
        let mut members = BTreeMap::new();
        let session = SessionState::open_sealed(self.terms.clone(), self.commitment, self.opening);
        let Ok(mut session) = session else { return members };
        for event in self.events() {
            let Ok(effects) = session.step(event) else { break };
            for effect in effects {
                let SessionEffect::Create(order) = effect else { continue };
                if let MatchGame::Member(member) = order.game {
                    members.insert(order.match_id, member);
                }
            }
        }
        members
    }

    /// The records of the matches alone, one after another, as they stand in the file.
    #[must_use]
    pub fn match_records(&self) -> Vec<u8> {
        self.records.iter().flat_map(|record| record.bytes.iter().copied()).collect()
    }
}

fn peek(line: &[u8]) -> Result<Peeked, SessionRecordProblem> {
    serde_json::from_slice(line).map_err(|error| SessionRecordProblem::Line(json_trouble(&error)))
}

fn opening(line: &[u8]) -> Result<OpeningLine, SessionRecordProblem> {
    let read: OpeningLine =
        serde_json::from_slice(line).map_err(|error| SessionRecordProblem::Line(json_trouble(&error)))?;
    if read.event != OPENING_EVENT || read.format != SESSION_FORMAT || read.prev.is_some() {
        let reason = format!("it must begin with the event {OPENING_EVENT} in format {SESSION_FORMAT}");
        return Err(SessionRecordProblem::Line(reason));
    }
    let written = serde_json::to_vec(&read).unwrap_or_default();
    if written == line { Ok(read) } else { Err(SessionRecordProblem::NotCanonical) }
}

fn numbered(number: usize, text: &[u8]) -> Result<NumberedLine, SessionRecordProblem> {
    let line: SessionLine =
        serde_json::from_slice(text).map_err(|error| SessionRecordProblem::Line(json_trouble(&error)))?;
    let written = line.text();
    match written.as_bytes() == text {
        true => Ok(NumberedLine { number, text: written, line }),
        false => Err(SessionRecordProblem::NotCanonical),
    }
}
