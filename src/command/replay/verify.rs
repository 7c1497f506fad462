//! Whether matches are what their records say, whose records they are, and whether they are all there.

use std::io::Write;

use croupier_games::printable;
use croupier_referee::{
    Disorder, Record, ReplayError, SealCheck, Tear,
    record::{Kind, Shared},
};
use serde_json::{Value, json};

use crate::{
    answer::Answer, failure::Failure, interrupt::Interrupt, key_file::PublicKey, records::Chosen,
    schema::Schema,
};

/// What a file comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum State {
    /// Everything is there, and as it was played.
    Complete,
    /// What is there is as it was played, but something is missing.
    Incomplete,
    /// Somebody changed it, or it is not who it should be from.
    Altered,
}

/// What was found about one match.
struct Checked<'r, K: Kind> {
    number: usize,
    record: &'r Record<K>,
    /// What the record gives back.
    result: Result<Replayed, ReplayError>,
    /// Whether the seal is the one that was asked for, if one was.
    is_signer: bool,
}

/// What is left of a replay.
pub(super) struct Replayed {
    /// How many turns or updates there were.
    pub(super) steps: usize,
    pub(super) seal: SealCheck,
}

/// What is wrong with the file as a whole.
struct Finding {
    state: State,
    code: &'static str,
    text: String,
    /// The same for programs.
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
        let checked = Checked::new(number, record, result, signer);
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
    let mut findings: Vec<Finding> = chosen.disorders().iter().map(Finding::of).collect();
    findings.extend(mixed_seals(&matches));
    findings.extend(chosen.tear().map(Finding::torn));
    let states = matches.iter().map(Checked::state).chain(findings.iter().map(|finding| finding.state));
    let state = states.max().unwrap_or(State::Complete);
    if is_json {
        Schema::Verify.write(out, as_json(&matches, &findings, state))?;
    } else {
        write_findings(out, &matches, &findings)?;
    }
    Ok(if state == State::Complete { Answer::Yes } else { Answer::No })
}

/// What was found before an interruption; whether matches are missing is not looked at.
fn write_part<K: Kind>(
    out: &mut dyn Write,
    matches: &[Checked<'_, K>],
    is_json: bool,
    count: usize,
) -> Result<(), Failure> {
    let looked_at = matches.len();
    if is_json {
        let matches: Vec<Value> = matches.iter().map(Checked::as_json).collect();
        let part = json!({ "verified": false, "interrupted": true, "state": null, "matches": matches, "findings": [] });
        Schema::Verify.write(out, part)?;
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
fn bad<K: Kind>(matches: &[Checked<'_, K>]) -> usize {
    matches.iter().filter(|checked| checked.state() != State::Complete).count()
}

fn write_findings<K: Kind>(
    out: &mut dyn Write,
    matches: &[Checked<'_, K>],
    findings: &[Finding],
) -> Result<(), Failure> {
    for Finding { state, text, .. } in findings {
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

fn as_json<K: Kind>(matches: &[Checked<'_, K>], findings: &[Finding], state: State) -> Value {
    let findings: Vec<Value> = findings
        .iter()
        .map(|Finding { state, code, text, details }| {
            json!({ "state": state.word(), "code": code, "text": text, "details": details })
        })
        .collect();
    json!({
        "verified": state == State::Complete,
        "interrupted": false,
        "state": state.word(),
        "matches": matches.iter().map(Checked::as_json).collect::<Vec<Value>>(),
        "findings": findings,
    })
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

impl Finding {
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

impl<'r, K: Kind> Checked<'r, K> {
    fn new(
        number: usize,
        record: &'r Record<K>,
        result: Result<Replayed, ReplayError>,
        signer: Option<PublicKey>,
    ) -> Self {
        let is_signer = match (&result, signer) {
            (Ok(Replayed { seal: SealCheck::Signed { public_key }, .. }), Some(signer)) => {
                *public_key == signer
            }
            (Ok(Replayed { seal: SealCheck::FromSeed, .. }), Some(_)) => false,
            (Ok(Replayed { seal: SealCheck::Missing, .. }) | Err(_), _) | (Ok(_), None) => true,
        };
        Self { number, record, result, is_signer }
    }

    fn state(&self) -> State {
        match &self.result {
            Err(_) => State::Altered,
            Ok(_) if !self.is_signer => State::Altered,
            Ok(Replayed { seal: SealCheck::Missing, .. }) => State::Incomplete,
            Ok(_) => State::Complete,
        }
    }

    fn verdict(&self) -> String {
        let Replayed { steps, seal } = match &self.result {
            Err(error) => return format!("DIFFERS at {}", printable(&error.to_string())),
            Ok(replayed) => replayed,
        };
        let seal = match seal {
            SealCheck::Missing => {
                return format!("INCOMPLETE: {steps} {}s agree, then the record is cut off", K::STEP);
            }
            SealCheck::FromSeed => "sealed without a key".to_owned(),
            SealCheck::Signed { public_key } => format!("signed by {}", hex::encode(public_key)),
        };
        let word = if self.is_signer { "OK" } else { "NOT SIGNED by the key that was asked for" };
        format!("{word}, {steps} {}s; {seal}", K::STEP)
    }

    fn as_json(&self) -> Value {
        let Shared { match_id, series, .. } = K::shared(&self.record.genesis().setup);
        let mut object = json!({
            "match": self.number,
            "match_id": match_id,
            "verified": self.state() == State::Complete,
            "state": self.state().word(),
        });
        if let Some(place) = series {
            object["series"] = json!({ "id": place.id, "index": place.index, "total": place.total });
        }
        match &self.result {
            Ok(Replayed { steps, seal }) => {
                object[format!("{}s", K::STEP)] = json!(steps);
                object["seal"] = match seal {
                    SealCheck::Missing => json!("missing"),
                    SealCheck::FromSeed => json!("from_seed"),
                    SealCheck::Signed { .. } => json!("signed"),
                };
                if let SealCheck::Signed { public_key } = seal {
                    object["public_key"] = json!(hex::encode(public_key));
                }
                if !self.is_signer {
                    object["error"] = json!("not signed by the key that was asked for");
                }
            }
            Err(error) => {
                object["error"] = json!(error.to_string());
                if let ReplayError::Difference(difference) = error {
                    object["difference"] = json!({
                        "line": difference.line,
                        "turn": difference.turn,
                        "field": difference.field,
                        "expected": difference.expected,
                        "found": difference.found,
                    });
                }
            }
        }
        object
    }
}

/// That not all matches are sealed in the same way: the first that is not sealed as the first.
fn mixed_seals<K: Kind>(matches: &[Checked<'_, K>]) -> Option<Finding> {
    let sealed = matches.iter().filter_map(|checked| match &checked.result {
        Ok(Replayed { seal: SealCheck::Signed { public_key }, .. }) => {
            Some((checked.number, Some(public_key)))
        }
        Ok(Replayed { seal: SealCheck::FromSeed, .. }) => Some((checked.number, None)),
        Ok(Replayed { seal: SealCheck::Missing, .. }) | Err(_) => None,
    });
    let mut sealed = sealed.peekable();
    let &(first, key) = sealed.peek()?;
    let (number, other) = sealed.find(|(_, other)| *other != key)?;
    let by = |key: Option<&PublicKey>| {
        key.map_or_else(|| "sealed without a key".to_owned(), |key| format!("signed by {}", hex::encode(key)))
    };
    let text = format!("match {first} is {}, and match {number} {}", by(key), by(other));
    let details = json!({ "match": number, "earlier": first });
    Some(Finding { state: State::Altered, code: "mixed-keys", text, details })
}
