//! Whether matches are what their records say, whose records they are, and whether they are all there.

use std::io::Write;

use croupier_games::printable;
use croupier_referee::{
    Disorder, Record, ReplayError, SealCheck, SeriesPlace, Tear,
    record::{Kind, Shared},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    arguments::{key_file::PublicKey, records::Chosen},
    output::{
        answer::Answer,
        failure::Failure,
        schema::{Output, output},
    },
    sessions::interrupt::Interrupt,
};

/// Whether records are what was played.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct VerifyReport<'r> {
    verified: bool,
    interrupted: bool,
    state: Option<State>,
    matches: &'r [Checked],
    /// What is wrong with the file as a whole.
    findings: &'r [FileFinding],
}
output!(Verify: VerifyReport<'_>);

/// What a file comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum State {
    /// Everything is there, and as it was played.
    Complete,
    /// What is there is as it was played, but something is missing.
    Incomplete,
    /// Somebody changed it, or it is not who it should be from.
    Altered,
}

/// What was found about one match.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Checked {
    /// Its place in the file or series, from 1.
    #[serde(rename = "match")]
    number: usize,
    match_id: String,
    verified: bool,
    state: State,
    #[serde(skip_serializing_if = "Option::is_none")]
    series: Option<Place>,
    /// How many there were.
    #[serde(skip_serializing_if = "Option::is_none")]
    turns: Option<usize>,
    /// The same in real time.
    #[serde(skip_serializing_if = "Option::is_none")]
    updates: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seal: Option<Seal>,
    #[serde(skip_serializing_if = "Option::is_none")]
    public_key: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The first difference.
    #[serde(skip_serializing_if = "Option::is_none")]
    difference: Option<DifferenceReport>,
}

/// A place in a series.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Place {
    id: String,
    /// From 1.
    index: u64,
    total: u64,
}

/// What seals a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
enum Seal {
    /// It is cut off.
    Missing,
    /// A key that follows from the match's seed.
    FromSeed,
    /// A key of somebody's.
    Signed,
}

/// Where a record is not what its inputs give.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct DifferenceReport {
    line: usize,
    turn: Option<u32>,
    field: String,
    expected: String,
    found: String,
}

/// What is left of a replay.
pub(super) struct Replayed {
    /// How many turns or updates there were.
    pub(super) steps: usize,
    pub(super) seal: SealCheck,
}

/// What is wrong with the file as a whole.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct FileFinding {
    state: State,
    code: &'static str,
    text: String,
    /// The same for programs.
    #[cfg_attr(test, schemars(with = "serde_json::Map<String, Value>"))]
    details: Value,
}

/// Says of each match whether it is what its record says, signed by this key if one is asked for, and of all whether
/// they fit together.
pub(super) fn verify<K: Kind>(
    chosen: Chosen<'_, K>,
    replays: impl Iterator<Item = Result<Replayed, ReplayError>>,
    signer: Option<PublicKey>,
    is_json: bool,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let mut matches = Vec::new();
    for ((number, record), result) in chosen.iter().zip(replays) {
        interrupt.hold();
        let checked = Checked::new(number, record, &result, signer);
        if !is_json {
            writeln!(out, "match {number}: {}", checked.verdict())?;
        }
        matches.push(checked);
        if interrupt.is_raised() {
            break;
        }
    }
    let count = chosen.iter().len();
    if matches.len() < count {
        write_part(out, &matches, is_json, count)?;
        return Ok(Answer::Interrupted);
    }
    let mut findings: Vec<FileFinding> = chosen.disorders().iter().map(FileFinding::of).collect();
    findings.extend(mixed_seals(&matches));
    findings.extend(chosen.tear().map(FileFinding::torn));
    let states =
        matches.iter().map(|checked| checked.state).chain(findings.iter().map(|finding| finding.state));
    let state = states.max().unwrap_or(State::Complete);
    if is_json {
        let verified = state == State::Complete;
        let (state, matches, findings) = (Some(state), &*matches, &*findings);
        VerifyReport { verified, interrupted: false, state, matches, findings }.write_json(out)?;
    } else {
        write_findings(out, &matches, &findings)?;
    }
    Ok(if state == State::Complete { Answer::Yes } else { Answer::No })
}

/// What was found before an interruption; whether matches are missing is not looked at.
fn write_part(out: &mut dyn Write, matches: &[Checked], is_json: bool, count: usize) -> Result<(), Failure> {
    let looked_at = matches.len();
    if is_json {
        VerifyReport { verified: false, interrupted: true, state: None, matches, findings: &[] }
            .write_json(out)?;
    } else {
        let bad = bad(matches);
        writeln!(
            out,
            "interrupted: {looked_at} of {count} matches were looked at, and {bad} of them differ from their \
             records, are not signed as asked, or were cut off"
        )?;
    }
    Ok(())
}

/// How many matches are not what they should be.
fn bad(matches: &[Checked]) -> usize {
    matches.iter().filter(|checked| !checked.verified).count()
}

fn write_findings(out: &mut dyn Write, matches: &[Checked], findings: &[FileFinding]) -> Result<(), Failure> {
    for FileFinding { state, text, .. } in findings {
        writeln!(out, "{}: {}", state.word().to_uppercase(), printable(text))?;
    }
    match (matches.len(), bad(matches)) {
        (1, _) => {}
        (count, 0) => {
            let file = findings.iter().map(|finding| finding.state).max();
            let file = file.map_or_else(String::new, |state| format!(", but the file is {}", state.word()));
            writeln!(out, "all {count} matches are what their records say{file}")?;
        }
        (count, bad) => writeln!(
            out,
            "{bad} of {count} matches differ from their records, are not signed as asked, or were cut off"
        )?,
    }
    Ok(())
}

impl State {
    fn word(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Incomplete => "incomplete",
            Self::Altered => "altered",
        }
    }
}

impl FileFinding {
    fn of(disorder: &Disorder) -> Self {
        let state = if disorder.is_alteration() { State::Altered } else { State::Incomplete };
        Self { state, code: disorder.code(), text: disorder.to_string(), details: details(disorder) }
    }

    fn torn(tear: Tear) -> Self {
        let text = format!("{tear}; `croupier play --append --cut-torn` removes them");
        let details = json!({ "line": tear.line, "bytes": tear.bytes });
        Self { state: State::Incomplete, code: "torn", text, details }
    }
}

fn details(disorder: &Disorder) -> Value {
    match disorder {
        Disorder::RepeatedId { number, earlier, match_id } => {
            json!({ "match": number, "earlier": earlier, "match_id": match_id })
        }
        Disorder::RepeatedPlace { number, earlier, series, index } => {
            json!({ "match": number, "earlier": earlier, "series": series, "index": index })
        }
        Disorder::Swapped { number, series, index, before } => {
            json!({ "match": number, "series": series, "index": index, "before": before })
        }
        Disorder::Shrunk { number, series, total, before } => {
            json!({ "match": number, "series": series, "total": total, "before": before })
        }
        Disorder::Missing { series, total, found, missing } => {
            let missing: Vec<[u64; 2]> = missing.iter().map(|range| [*range.start(), *range.end()]).collect();
            json!({ "series": series, "total": total, "found": found, "missing": missing })
        }
    }
}

impl Checked {
    fn new<K: Kind>(
        number: usize,
        record: &Record<K>,
        result: &Result<Replayed, ReplayError>,
        signer: Option<PublicKey>,
    ) -> Self {
        let Shared { match_id, series, .. } = K::shared(&record.genesis().setup);
        let series = series.map(|SeriesPlace { id, index, total }| Place {
            id: id.clone(),
            index: *index,
            total: *total,
        });
        let known = Self {
            number,
            match_id: match_id.to_owned(),
            verified: false,
            state: State::Altered,
            series,
            turns: None,
            updates: None,
            seal: None,
            public_key: None,
            error: None,
            difference: None,
        };
        match result {
            Ok(replayed) => known.replayed(replayed, K::STEP, signer),
            Err(error) => known.differing(error),
        }
    }

    /// The same of a match that agrees with its record as far as that goes.
    fn replayed(self, replayed: &Replayed, step: &str, signer: Option<PublicKey>) -> Self {
        let (seal, key) = match replayed.seal {
            SealCheck::Missing => (Seal::Missing, None),
            SealCheck::FromSeed => (Seal::FromSeed, None),
            SealCheck::Signed { public_key } => (Seal::Signed, Some(public_key)),
        };
        let is_signer = seal == Seal::Missing || signer.is_none() || signer == key;
        let state = match seal {
            _ if !is_signer => State::Altered,
            Seal::Missing => State::Incomplete,
            Seal::FromSeed | Seal::Signed => State::Complete,
        };
        let [turns, updates] = ["turn", "update"].map(|word| (word == step).then_some(replayed.steps));
        let error = (!is_signer).then(|| "not signed by the key that was asked for".to_owned());
        let public_key = key.map(hex::encode);
        let (verified, seal) = (state == State::Complete, Some(seal));
        Self { verified, state, turns, updates, seal, public_key, error, ..self }
    }

    /// The same of a match that was not played like that.
    fn differing(self, error: &ReplayError) -> Self {
        let difference = match error {
            ReplayError::Difference(found) => {
                let croupier_referee::Difference { line, turn, field, expected, found } = found.clone();
                Some(DifferenceReport { line, turn, field, expected, found })
            }
            _ => None,
        };
        Self { error: Some(error.to_string()), difference, ..self }
    }

    fn verdict(&self) -> String {
        let steps = match (self.turns, self.updates) {
            (Some(turns), _) => format!("{turns} turns"),
            (None, updates) => format!("{} updates", updates.unwrap_or_default()),
        };
        let seal = match (self.seal, &self.public_key) {
            (None, _) => {
                return format!("DIFFERS at {}", printable(self.error.as_deref().unwrap_or_default()));
            }
            (Some(Seal::Missing), _) => {
                return format!("INCOMPLETE: {steps} agree, then the record is cut off");
            }
            (Some(_), key) => sealed(key.as_deref()),
        };
        let word = if self.verified { "OK" } else { "NOT SIGNED by the key that was asked for" };
        format!("{word}, {steps}; {seal}")
    }
}

/// That not all matches are sealed in the same way: the first that is not sealed as the first.
fn mixed_seals(matches: &[Checked]) -> Option<FileFinding> {
    let is_sealed = |checked: &&Checked| !matches!(checked.seal, None | Some(Seal::Missing));
    let mut all = matches.iter().filter(is_sealed);
    let first = all.next()?;
    let other = all.find(|other| other.public_key != first.public_key)?;
    let [one, another] = [first, other].map(|checked| sealed(checked.public_key.as_deref()));
    let text = format!("match {} is {one}, and match {} {another}", first.number, other.number);
    let details = json!({ "match": other.number, "earlier": first.number });
    Some(FileFinding { state: State::Altered, code: "mixed-keys", text, details })
}

/// Whose seal it is.
fn sealed(key: Option<&str>) -> String {
    key.map_or_else(|| "sealed without a key".to_owned(), |key| format!("signed by {key}"))
}
