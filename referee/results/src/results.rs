//! The lines of a file of results: one about the tournament, and one for each match that is over.

use std::collections::BTreeMap;

use croupier_referee::json_trouble;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The format of the file, in its first line.
pub const FORMAT: u32 = 1;

/// What must be the same for results to belong together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Heading {
    /// [`FORMAT`].
    pub tournament: u32,
    /// The name of the game.
    pub game: String,
    /// The digest of its rules.
    pub rules: String,
    /// The entrants, with all their options.
    pub players: Vec<String>,
    /// Whether seats are rotated on each deal.
    pub duplicate: bool,
    /// How rounds are played if this is a Swiss tournament, and nothing if it is a round robin.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub swiss: Option<SwissHeading>,
    /// What all deals and draws follow from.
    pub seed: String,
    /// Milliseconds a move, if anybody is timed.
    pub play_clock_ms: Option<u64>,
}

/// What must be the same in all rounds of a Swiss tournament. How many there are may change: more can be played later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SwissHeading {
    /// Matches of each group in a round.
    pub matches: u64,
}

impl Heading {
    /// The first thing in which another heading differs, as it is called on the command line; `None` if results of both
    /// belong together.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<&'static str> {
        let differs = [
            ("game", self.game != other.game || self.rules != other.rules),
            ("players", self.players != other.players),
            ("--format", self.swiss.is_some() != other.swiss.is_some()),
            ("--duplicate", self.duplicate != other.duplicate),
            ("--matches", self.swiss != other.swiss),
            ("seed", self.seed != other.seed),
            ("play clock", self.play_clock_ms != other.play_clock_ms),
        ];
        differs.iter().find(|(_, differs)| *differs).map(|(what, _)| *what)
    }
}

/// A match that is over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MatchResult {
    /// Its place in the schedule, from 0.
    pub index: u64,
    /// What its record calls it.
    pub match_id: String,
    /// The entrant in each seat, by its place in the heading.
    pub seats: Vec<usize>,
    /// How it ended.
    pub status: String,
    /// Joint moves; 0 in real time, where nobody is asked for a move.
    pub turns: u64,
    /// The goal of each seat, unless the rules failed.
    pub goals: Option<Vec<i32>>,
    /// How many moves were drawn for each seat.
    pub no_moves: Vec<u64>,
    /// Those of each seat by what its reply was; older results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reasons: Option<Vec<BTreeMap<String, u64>>>,
    /// How often the strategy in a file that each seat plays by had an entry, for seats that play by one; older results do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub looked_up: Option<Vec<Option<LookedUp>>>,
    /// Bytes of the file of records up to the end of this match, if there is one.
    pub record_end: Option<u64>,
}

/// How often a strategy in a file was looked up, and had an entry.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct LookedUp {
    /// Information sets with a choice; repeats count.
    pub met: u64,
    /// Those that it has an entry for.
    pub known: u64,
}

impl MatchResult {
    /// Whether it has a result for each of these seats, and is the match that the schedule describes.
    #[must_use]
    pub fn is_of(&self, index: u64, seats: &[usize]) -> bool {
        self.index == index
            && self.seats == seats
            && self.no_moves.len() == seats.len()
            && self.goals.as_ref().is_none_or(|goals| goals.len() == seats.len())
            && self.reasons.as_ref().is_none_or(|reasons| reasons.len() == seats.len())
            && self.looked_up.as_ref().is_none_or(|looked_up| looked_up.len() == seats.len())
    }
}

/// The content of a results file.
#[derive(Debug)]
pub struct ResultsFile {
    /// Its first line.
    pub heading: Heading,
    /// Its other lines.
    pub results: Vec<MatchResult>,
    /// The number of bytes of complete lines: the rest was cut off while it was written.
    pub bytes: u64,
}

/// Why a text is not a results file.
#[derive(Debug, Error)]
#[error("not a tournament result: {}", json_trouble(source))]
pub struct ResultsError {
    /// The line, from 1.
    pub line: usize,
    source: serde_json::Error,
}

impl ResultsFile {
    /// Reads a file of results; `None` if its first line is cut off. A last line that is cut off does not count.
    ///
    /// # Errors
    /// If a line is not a result.
    pub fn read(content: &[u8]) -> Result<Option<Self>, ResultsError> {
        let whole = content.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let mut lines = content[..whole].split_inclusive(|&byte| byte == b'\n').zip(1..);
        let Some((first, line)) = lines.next() else {
            let cut = serde_json::from_slice::<Heading>(content).err();
            return cut.map_or(Ok(None), |source| Err(ResultsError { line: 1, source }));
        };
        let heading = serde_json::from_slice(first).map_err(|source| ResultsError { line, source })?;
        let mut results = Vec::new();
        for (text, line) in lines {
            results.push(serde_json::from_slice(text).map_err(|source| ResultsError { line, source })?);
        }
        Ok(Some(Self { heading, results, bytes: whole as u64 }))
    }
}
