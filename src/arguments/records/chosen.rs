//! Records that were asked for, out of a file of them.

use croupier_referee::{
    Disorder, Record, Replay, ReplayError, Tear, disorders,
    realtime::{RealTime, RealTimeReplay, replay_all_real_time},
    record::{Kind, Turns},
    replay_all,
};

use crate::output::failure::Failure;

/// Records that were asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chosen<'r, K: Kind = Turns> {
    pub(super) path: &'r str,
    pub(super) first: usize,
    pub(super) records: &'r [Record<K>],
    pub(super) tear: Option<Tear>,
    pub(super) is_all: bool,
}

impl<'r, K: Kind> Chosen<'r, K> {
    /// The file, for messages.
    pub(crate) fn path(self) -> &'r str {
        self.path
    }

    /// A torn line behind the last whole match, if all matches were asked for.
    pub(crate) fn tear(self) -> Option<Tear> {
        self.tear
    }

    /// The records and their numbers.
    pub(crate) fn iter(self) -> impl ExactSizeIterator<Item = (usize, &'r Record<K>)> {
        self.records.iter().enumerate().map(move |(index, record)| (self.first + index, record))
    }

    /// In what the records do not fit together; nothing if one was asked for alone.
    pub(crate) fn disorders(self) -> Vec<Disorder> {
        if self.is_all { disorders(self.records) } else { Vec::new() }
    }

    /// Why a match cannot be shown.
    pub(crate) fn differs(self, number: usize, error: &ReplayError) -> Failure {
        let place = match error {
            ReplayError::Header { line, .. } => format!("{}:{line}", self.path),
            ReplayError::Difference(difference) => format!("{}:{}", self.path, difference.line),
            ReplayError::Game { .. } => self.path.to_owned(),
        };
        Failure::refuse("record-differs", format!("match {number} does not replay: {error}"))
            .at(&place)
            .help("the record was altered, or written by a program that reads the rules differently")
    }
}

impl<'r> Chosen<'r> {
    /// The matches that the records give back, with their numbers.
    pub(crate) fn replays(self) -> impl Iterator<Item = (usize, &'r Record, Result<Replay, ReplayError>)> {
        self.iter().zip(replay_all(self.records)).map(|((number, record), replay)| (number, record, replay))
    }
}

impl<'r> Chosen<'r, RealTime> {
    /// The matches that the records give back.
    pub(crate) fn replays(self) -> impl Iterator<Item = Result<RealTimeReplay, ReplayError>> + use<'r> {
        replay_all_real_time(self.records)
    }
}
