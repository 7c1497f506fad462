//! Records of both kinds of match that were changed, cut or mixed, and what is found about them.

use serde_json::json;

use crate::{
    fixture::{self, mixed, play, setup},
    header::MatchSetup,
    realtime::{RealTimeMatch, tests as real_time},
    record::{Chain, read_records_of},
    replay::{lockstep::HeaderOf, *},
};

/// A kind of match, with records to be changed.
trait Sample: Machine {
    /// The fields of a line that follow from the inputs, by its event.
    const DERIVED: &'static [(&'static str, &'static [&'static str])];

    /// A record in which every kind of line but a game error stands.
    fn record(match_id: &str) -> String;
    /// One of few lines.
    fn short() -> String {
        Self::record("m.1")
    }
    /// Whether the record holds what a match gives.
    fn replayed(record: &Record<Self::Kind>, header: Arc<HeaderOf<Self>>) -> Result<SealCheck, ReplayError>;
}

impl Sample for MatchState {
    const DERIVED: &'static [(&'static str, &'static [&'static str])] = &[
        ("draw", &["n", "index"]),
        ("substitute", &["n", "index"]),
        ("turn", &["moves", "state", "percepts"]),
        ("end", &["goals", "status", "turns"]),
    ];

    fn record(match_id: &str) -> String {
        let setup = MatchSetup { match_id: match_id.to_owned(), ..setup() };
        let header = Arc::new(fixture::header().with_setup(setup).unwrap());
        String::from_utf8(play(&header, "42", mixed(), |_, _| ()).record).unwrap()
    }

    fn short() -> String {
        let short = Arc::new(Header::compile(MatchSetup { turns_max: 1, ..setup() }).unwrap());
        String::from_utf8(play(&short, "42", mixed(), |_, _| ()).record).unwrap()
    }

    fn replayed(record: &Record, header: Arc<Header>) -> Result<SealCheck, ReplayError> {
        replay_with(record, header).map(|replay| replay.seal())
    }
}

impl Sample for RealTimeMatch {
    const DERIVED: &'static [(&'static str, &'static [&'static str])] = &[
        ("draw", &["n", "index"]),
        ("move", &["status"]),
        ("update", &["moves", "state", "percepts", "at_us"]),
        ("end", &["goals", "status", "updates", "at_us"]),
    ];

    fn record(match_id: &str) -> String {
        real_time::mixed_record(match_id)
    }

    fn replayed(record: &Record<Self::Kind>, header: Arc<HeaderOf<Self>>) -> Result<SealCheck, ReplayError> {
        Ok(verify::<Self>(record, &header)?.seal)
    }
}

/// Claims of both kinds of match.
macro_rules! of_both_kinds {
    ($($claim:ident)*) => {
        mod in_turns { $(#[test] fn $claim() { super::$claim::<super::MatchState>(); })* }
        mod in_real_time { $(#[test] fn $claim() { super::$claim::<super::RealTimeMatch>(); })* }
    };
}

of_both_kinds! {
    every_flipped_bit_is_found
    every_field_of_every_line_is_covered_even_if_the_chain_is_made_consistent
    what_is_derived_is_found_at_its_own_step_and_field_before_any_seal
    lines_cannot_be_deleted_repeated_or_swapped
    a_record_that_is_cut_off_is_neither_good_nor_bad
    tampering_is_found_in_a_record_without_its_end
    matches_cannot_be_spliced
}

/// What a file is found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    CutOff,
    Bad(String),
}

/// Finds what files are; it keeps the last game that was compiled, because changed copies of one record are many.
struct Auditor<M: Sample>(Option<Arc<HeaderOf<M>>>);

impl<M: Sample> Auditor<M> {
    fn verdict(&mut self, text: impl AsRef<[u8]>) -> Verdict {
        let records = match read_records_of::<M::Kind>(text.as_ref()) {
            Ok(records) => records,
            Err(error) => return Verdict::Bad(error.to_string()),
        };
        let mut verdict = Verdict::Good;
        for record in &records {
            let replayed = header_of(record, self.0.as_deref()).and_then(|header| {
                self.0 = Some(Arc::clone(&header));
                M::replayed(record, header)
            });
            match replayed {
                Ok(SealCheck::Missing) => verdict = Verdict::CutOff,
                Ok(_) => {}
                Err(error) => return Verdict::Bad(error.to_string()),
            }
        }
        if records.is_empty() { Verdict::CutOff } else { verdict }
    }

    fn finds_bad(&mut self, text: &str) -> bool {
        matches!(self.verdict(text), Verdict::Bad(_))
    }
}

fn lines(record: &str) -> Vec<String> {
    record.lines().map(str::to_owned).collect()
}

fn joined(lines: &[String]) -> String {
    lines.iter().map(|line| format!("{line}\n")).collect()
}

/// The same lines with their chain made consistent again, as a forger would; the seal's signature is kept.
fn rechained(lines: &[String]) -> String {
    let mut chain = Chain::default();
    let mut text = String::new();
    for line in lines {
        let mut value: serde_json::Value = serde_json::from_str(line).expect("a line");
        let head = chain.head().map(|head| head.to_string());
        value["prev"] = json!(head);
        if value["event"] == "seal" {
            value["head"] = json!(head);
        }
        let line = value.to_string();
        chain.absorb(line.as_bytes());
        text.push_str(&line);
        text.push('\n');
    }
    text
}

/// Every leaf of a value, changed to another of its kind.
fn mutations(value: &serde_json::Value) -> Vec<(String, serde_json::Value)> {
    use serde_json::Value;
    match value {
        Value::Object(fields) => fields
            .iter()
            .flat_map(|(name, inner)| {
                let mutants = mutations(inner).into_iter().map(|(path, mutant)| {
                    let mut outer = value.clone();
                    outer[name] = mutant;
                    (format!("{name}{path}"), outer)
                });
                mutants.collect::<Vec<_>>()
            })
            .collect(),
        Value::Array(items) => (0..items.len())
            .flat_map(|index| {
                let mutants = mutations(&items[index]).into_iter().map(move |(path, mutant)| {
                    let mut outer = value.clone();
                    outer[index] = mutant;
                    (format!(".{index}{path}"), outer)
                });
                mutants.collect::<Vec<_>>()
            })
            .collect(),
        Value::Number(number) => vec![("+1".to_owned(), json!(number.as_i64().expect("an integer") + 1))],
        Value::String(text) => {
            let swap = |c: char| if c == 'a' { 'b' } else { 'a' };
            let last: String = text.chars().last().map(swap).into_iter().collect();
            let all_but_last: String = text.chars().take(text.chars().count().saturating_sub(1)).collect();
            vec![("~".to_owned(), json!(format!("{all_but_last}{last}"))), (" null".to_owned(), Value::Null)]
        }
        Value::Null => vec![("=x".to_owned(), json!("x"))],
        Value::Bool(_) => panic!("records have no booleans"),
    }
}

fn every_flipped_bit_is_found<M: Sample>() {
    let (mut auditor, mut bytes) = (Auditor::<M>(None), M::short().into_bytes());
    assert_eq!(auditor.verdict(&bytes), Verdict::Good);
    let rules = bytes.windows(9).position(|window| window == b"\"rules\":\"").expect("rules");
    let rules_end = rules + bytes[rules..].windows(2).position(|window| window == b"\",").expect("an end");
    for position in 0..bytes.len() {
        // Every byte outside the rules, and a sample of those: they are all under one digest.
        if (rules + 20..rules_end).contains(&position) && position % 37 != 0 {
            continue;
        }
        for bit in 0..8 {
            bytes[position] ^= 1 << bit;
            assert_ne!(auditor.verdict(&bytes), Verdict::Good, "byte {position} bit {bit}");
            bytes[position] ^= 1 << bit;
        }
    }
}

fn every_field_of_every_line_is_covered_even_if_the_chain_is_made_consistent<M: Sample>() {
    let (mut auditor, original) = (Auditor::<M>(None), lines(&M::record("m.1")));
    let mut mutants = 0;
    for number in 0..original.len() {
        let value: serde_json::Value = serde_json::from_str(&original[number]).expect("a line");
        for (path, mutant) in mutations(&value) {
            let mut changed = original.clone();
            changed[number] = mutant.to_string();
            assert!(auditor.finds_bad(&joined(&changed)), "line {number} {path}");
            let is_chained = !path.starts_with("prev") && !path.starts_with("head");
            assert_eq!(auditor.finds_bad(&rechained(&changed)), is_chained, "line {number} {path}");
            mutants += 1;
        }
    }
    assert!(mutants > 150, "{mutants}");
}

fn what_is_derived_is_found_at_its_own_step_and_field_before_any_seal<M: Sample>() {
    let original = lines(&M::record("m.1"));
    let mut mutants = 0;
    for number in 1..original.len() {
        let value: serde_json::Value = serde_json::from_str(&original[number]).expect("a line");
        let derived = M::DERIVED.iter().find(|(event, _)| value["event"] == *event);
        for (path, mutant) in mutations(&value) {
            let is_derived =
                derived.is_some_and(|(_, fields)| fields.iter().any(|field| path.starts_with(field)));
            if !is_derived || path.ends_with("null") {
                continue;
            }
            let mut changed = original.clone();
            changed[number] = mutant.to_string();
            // What is no word of the format is found when it is read.
            let Ok(records) = read_records_of::<M::Kind>(rechained(&changed).as_bytes()) else { continue };
            let found = header_of(&records[0], None).and_then(|header| M::replayed(&records[0], header));
            let Err(ReplayError::Difference(difference)) = found else { panic!("{path} was changed") };
            assert_eq!(difference.line, number + 1, "{path}: {difference}");
            assert_eq!(difference.turn.map(u64::from), value[<M::Kind as Kind>::STEP].as_u64(), "{path}");
            assert!(
                path.starts_with(difference.field.split('.').next().unwrap_or("?")),
                "{path}: {difference}"
            );
            mutants += 1;
        }
    }
    assert!(mutants > 20, "{mutants}");
}

fn lines_cannot_be_deleted_repeated_or_swapped<M: Sample>() {
    let (mut auditor, original) = (Auditor::<M>(None), lines(&M::record("m.1")));
    let last = original.len() - 1;
    for number in 0..original.len() {
        let mut deleted = original.clone();
        deleted.remove(number);
        let mut repeated = original.clone();
        repeated.insert(number, original[number].clone());
        let mut edits = vec![("deleted", deleted), ("repeated", repeated)];
        if number < last {
            let mut swapped = original.clone();
            swapped.swap(number, number + 1);
            edits.push(("swapped", swapped));
        }
        for (edit, changed) in edits {
            for text in [joined(&changed), rechained(&changed)] {
                let found = auditor.verdict(text);
                // Without its seal, or after a second genesis, a record is merely cut off.
                let is_cut = (edit == "deleted" && number == last) || (edit == "repeated" && number == 0);
                assert!(
                    matches!(found, Verdict::Bad(_)) || (is_cut && found == Verdict::CutOff),
                    "{edit} line {number}: {found:?}"
                );
            }
        }
    }
}

fn a_record_that_is_cut_off_is_neither_good_nor_bad<M: Sample>() {
    let (mut auditor, record) = (Auditor::<M>(None), M::record("m.1"));
    let first_line = record.find('\n').expect("a line");
    for end in (first_line + 1..record.len()).step_by(17) {
        assert_eq!(auditor.verdict(&record[..end]), Verdict::CutOff, "{end} bytes");
    }
}

fn tampering_is_found_in_a_record_without_its_end<M: Sample>() {
    let (mut auditor, all) = (Auditor::<M>(None), lines(&M::record("m.1")));
    let cut = &all[..all.len() - 3];
    assert_eq!(auditor.verdict(joined(cut)), Verdict::CutOff);
    for number in 0..cut.len() {
        let line: serde_json::Value = serde_json::from_str(&cut[number]).expect("a line");
        if line["event"] != <M::Kind as Kind>::STEP {
            continue;
        }
        for (path, mutant) in mutations(&line) {
            let mut changed = cut.to_vec();
            changed[number] = mutant.to_string();
            let is_bad = auditor.finds_bad(&rechained(&changed));
            assert!(path.starts_with("prev") || is_bad, "line {number} {path}");
        }
    }
}

fn matches_cannot_be_spliced<M: Sample>() {
    let mut auditor = Auditor::<M>(None);
    let [first, second] = ["m.1", "m.2"].map(|id| lines(&M::record(id)));
    assert_eq!(auditor.verdict(joined(&first) + &joined(&second)), Verdict::Good);
    for at in 1..first.len().min(second.len()) {
        let spliced = [&first[..at], &second[at..]].concat();
        assert!(auditor.finds_bad(&joined(&spliced)), "at line {at}");
        assert!(auditor.finds_bad(&rechained(&spliced)), "at line {at}");
    }
}
