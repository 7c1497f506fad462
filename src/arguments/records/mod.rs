//! The argument RECORD: a file of matches, and which of them is meant.

mod chosen;
mod networks;
mod words;

use std::{borrow::Cow, io::Write as _, path::Path, sync::Arc};

use croupier_belief::BeliefError;
use croupier_engine::{Game, InformationSet, RoleId};
use croupier_games::printable;
use croupier_referee::{
    Record, Replay, Tear,
    realtime::is_real_time_record,
    record::{Kind, Turns, read_records_of},
    without_tear,
};
use croupier_session::{SessionFile, is_session_record};
use croupier_table::Seen;

pub(crate) use self::{
    chosen::Chosen,
    networks::{Networks, network},
    words::RecordWords,
};
use crate::{
    arguments::{file::read_file, foreign},
    output::failure::Failure,
};

/// Longest file of records, in bytes: some hundred thousand matches.
pub(crate) const FILE_BYTES_MAX: usize = 1 << 30;

/// A file of records.
#[derive(Debug)]
pub(crate) struct Records<K: Kind = Turns> {
    /// Its path, for messages.
    pub(crate) path: String,
    records: Vec<Record<K>>,
    /// A torn line behind the last whole match, which is not read.
    tear: Option<Tear>,
}

impl Records {
    /// Reads a file of records; what is torn at its end is said.
    ///
    /// # Errors
    /// If it cannot be read, or is not records through and through.
    pub(crate) fn read(path: &Path) -> Result<Self, Failure> {
        let records = Self::of(path, &read_file(path, FILE_BYTES_MAX)?)?;
        records.warn();
        Ok(records)
    }

    /// The records of matches in turns that these bytes of a file are.
    ///
    /// # Errors
    /// If they are not records through and through.
    pub(crate) fn of(path: &Path, bytes: &[u8]) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        if is_real_time_record(bytes) {
            return Err(Failure::refuse(
                "real-time",
                "the matches are of a real-time game, in which nobody takes turns",
            )
            .at(&shown)
            .help("`croupier replay` shows and verifies them"));
        }
        if !is_session_record(bytes) {
            return Self::of_kind(path, bytes);
        }
        // The matches of a session stand between the lines of the session.
        let file = SessionFile::read(bytes);
        let file = file.map_err(|error| Failure::refuse("bad-record", error.to_string()).at(&shown))?;
        let records = file.match_records();
        if is_real_time_record(&records) {
            return Self::of(path, &records);
        }
        if records.is_empty() {
            return Err(Failure::refuse("bad-record", "no match of the session was recorded").at(&shown));
        }
        Self::of_kind(path, &records)
    }
}

/// The real-time matches in these bytes of a file, or of the session that they are the record of; `None` if it has none.
pub(crate) fn real_time_matches(bytes: &[u8]) -> Option<Cow<'_, [u8]>> {
    if is_session_record(bytes) {
        let matches = SessionFile::read(bytes).ok()?.match_records();
        return is_real_time_record(&matches).then_some(Cow::Owned(matches));
    }
    is_real_time_record(bytes).then_some(Cow::Borrowed(bytes))
}

impl<K: Kind> Records<K> {
    /// The records of one kind of match that these bytes of a file are.
    ///
    /// # Errors
    /// If they are not records through and through.
    pub(crate) fn of_kind(path: &Path, bytes: &[u8]) -> Result<Self, Failure> {
        let shown = path.display().to_string();
        let (lines, tear) = without_tear(bytes);
        let records = read_records_of(lines).map_err(|error| {
            if error.line == 1
                && let Some(foreign) = foreign::not_records(bytes)
            {
                return foreign.refused("bad-record", "a record", &shown);
            }
            Failure::refuse("bad-record", error.problem.to_string())
                .at(&format!("{shown}:{}", error.line))
                .help("a record is written by `croupier play GAME --record FILE`, and never changed")
        })?;
        if records.is_empty() {
            return Err(Failure::refuse("bad-record", "the file is empty").at(&shown));
        }
        Ok(Self { path: shown, records, tear })
    }

    /// Says that a torn line behind the last whole match is not read, if there is one.
    pub(crate) fn warn(&self) {
        if let Some(tear) = self.tear {
            let path = printable(&self.path);
            // Nobody is left to be told if standard error is closed.
            let _ = writeln!(anstream::stderr(), "warning[torn]: {path}: {tear}; they are not read");
        }
    }

    /// The match of this number, from 1, or all; with the number of the first.
    ///
    /// # Errors
    /// If there is none of this number.
    pub(crate) fn chosen(&self, number: Option<usize>) -> Result<Chosen<'_, K>, Failure> {
        let Some(number) = number else {
            return Ok(Chosen {
                path: &self.path,
                first: 1,
                records: &self.records,
                tear: self.tear,
                is_all: true,
            });
        };
        let record = number.checked_sub(1).and_then(|index| self.records.get(index));
        let record = record.ok_or_else(|| self.no_match(number))?;
        let records = std::slice::from_ref(record);
        Ok(Chosen { path: &self.path, first: number, records, tear: None, is_all: false })
    }

    fn no_match(&self, number: usize) -> Failure {
        let help = match self.records.len() {
            1 => "the file has one match, --match 1".to_owned(),
            count => format!("the file has the matches 1 to {count}"),
        };
        Failure::refuse("unknown-match", format!("there is no match {number}")).at(&self.path).help(help)
    }
}

/// What a player knows after some turns, in the terms of `game`; `None` for a role that is not played.
///
/// # Errors
/// If something that was told is no term, which the replay excludes.
pub(crate) fn information_set(
    game: &Game,
    replayed: &Replay,
    role: RoleId,
    turns: usize,
) -> Result<Option<InformationSet>, Failure> {
    let Some(own) = replayed.own_history(role, turns) else { return Ok(None) };
    let known = croupier_seat::information_set(game, &own);
    known.map(Some).map_err(|error| Failure::refuse("bad-match", error.to_string()))
}

/// What `role` knew of the table in a match, worked out in `game`, which has the same rules.
///
/// # Errors
/// Those of [`information_set`], and if the role can have no belief.
pub(crate) fn seen(game: Arc<Game>, replayed: &Replay, role: RoleId) -> Result<Seen, Failure> {
    let whole = information_set(&game, replayed, role, replayed.turns().len())?;
    Seen::new(game, whole.expect("the role is a player")).map_err(unknowable)
}

/// Why nothing is known of the table.
pub(crate) fn unknowable(error: BeliefError) -> Failure {
    Failure::refuse("no-belief", error.to_string()).help("leave out --table")
}
