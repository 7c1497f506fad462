//! Whether matches are what their records say.

use std::io::Write;

use croupier_games::printable;
use croupier_referee::{Record, Replay, ReplayError, SealCheck};
use serde_json::{Value, json};

use crate::{Answer, failure::Failure, interrupt::Interrupt, records::Chosen};

/// Says of each match whether it is what its record says.
pub(super) fn verify(
    chosen: Chosen<'_>,
    is_json: bool,
    interrupt: &Interrupt,
    out: &mut dyn Write,
) -> Result<Answer, Failure> {
    let (count, mut looked_at) = (chosen.iter().len(), 0);
    let mut verdicts = Vec::new();
    let mut differing = 0;
    for (number, record, result) in chosen.replays() {
        interrupt.hold();
        looked_at += 1;
        differing += usize::from(!is_whole(&result));
        if is_json {
            verdicts.push(verdict_json(number, record, &result));
        } else {
            writeln!(out, "match {number}: {}", verdict(&result))?;
        }
        if interrupt.is_raised() {
            break;
        }
    }
    let is_interrupted = looked_at < count;
    if is_json {
        let is_verified = differing == 0 && !is_interrupted;
        let verdict = json!({ "verified": is_verified, "interrupted": is_interrupted, "matches": verdicts });
        writeln!(out, "{verdict}")?;
    } else if is_interrupted {
        writeln!(out, "interrupted: {looked_at} of {count} matches were looked at, and {differing} differ")?;
    } else if count > 1 {
        match differing {
            0 => writeln!(out, "all {count} matches are what their records say")?,
            _ => writeln!(out, "{differing} of {count} matches differ from their records, or were cut off")?,
        }
    }
    Ok(match differing {
        _ if is_interrupted => Answer::Interrupted,
        0 => Answer::Yes,
        _ => Answer::No,
    })
}

/// Whether a match is what its record says, from beginning to end.
fn is_whole(result: &Result<Replay, ReplayError>) -> bool {
    result.as_ref().is_ok_and(|replayed| replayed.seal() != SealCheck::Missing)
}

fn verdict(result: &Result<Replay, ReplayError>) -> String {
    match result {
        Err(error) => format!("DIFFERS at {}", printable(&error.to_string())),
        Ok(replayed) => {
            let turns = replayed.turns().len();
            match replayed.seal() {
                SealCheck::Missing => format!("INCOMPLETE: {turns} turns agree, then the record is cut off"),
                SealCheck::FromSeed => format!("OK, {turns} turns; sealed without a key"),
                SealCheck::Signed { public_key } => {
                    format!("OK, {turns} turns; signed by {}", hex::encode(public_key))
                }
            }
        }
    }
}

fn verdict_json(number: usize, record: &Record, result: &Result<Replay, ReplayError>) -> Value {
    let mut object = json!({
        "match": number,
        "match_id": record.genesis().setup.match_id,
        "verified": is_whole(result),
    });
    match result {
        Ok(replayed) => {
            object["turns"] = json!(replayed.turns().len());
            object["seal"] = match replayed.seal() {
                SealCheck::Missing => json!("missing"),
                SealCheck::FromSeed => json!("from_seed"),
                SealCheck::Signed { .. } => json!("signed"),
            };
            if let SealCheck::Signed { public_key } = replayed.seal() {
                object["public_key"] = json!(hex::encode(public_key));
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
