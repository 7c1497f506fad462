//! Records that were changed, cut or mixed, and what is found about them.

use croupier_engine::Status;
use serde_json::json;

use crate::{
    chance::Seed,
    driver::SeatReply,
    fixture::{header, mixed, mixed_record, play, setup},
    header::MatchSetup,
    match_state::Secrets,
    record::{Chain, SealKey, read_records},
};

use super::*;

/// What a file is found to be.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Verdict {
    Good,
    CutOff,
    Bad(String),
}

fn verdict(bytes: &[u8]) -> Verdict {
    verdict_with(bytes, &mut None)
}

/// The same, with the last game that was compiled; changed copies of one record are many.
fn verdict_with(bytes: &[u8], last: &mut Option<Arc<Header>>) -> Verdict {
    let records = match read_records(bytes) {
        Ok(records) => records,
        Err(error) => return Verdict::Bad(error.to_string()),
    };
    let mut verdict = Verdict::Good;
    for record in &records {
        let replayed = header_of(record, last.as_deref()).and_then(|header| {
            *last = Some(Arc::clone(&header));
            replay_with(record, header)
        });
        match replayed {
            Ok(replay) if replay.seal() == SealCheck::Missing => verdict = Verdict::CutOff,
            Ok(_) => {}
            Err(error) => return Verdict::Bad(error.to_string()),
        }
    }
    if records.is_empty() { Verdict::CutOff } else { verdict }
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
        let mut value: serde_json::Value = serde_json::from_str(line).unwrap();
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

#[test]
fn a_record_gives_the_match_back() {
    let header = header();
    let mut told = ByPlayer::from_fn(header.roles(), |_| Vec::new());
    let played = play(&header, "42", mixed(), |role, message| told[role].push(message.clone()));
    let record = &read_records(&played.record).unwrap()[0];
    let replay = replay(record).unwrap();
    assert_eq!(replay.outcome(), Some(&played.outcome));
    assert_eq!(replay.seal(), SealCheck::FromSeed);
    let game = replay.header().game();
    let mut scratch = game.scratch();
    let last = replay.turns().last().unwrap();
    assert!(matches!(game.status(&last.successor, &mut scratch), Ok(Status::Terminal { .. })));
    for (role, told) in told.iter() {
        assert_eq!(replay.messages(role), told);
        let known = replay.information_set(role, 3).unwrap();
        let own = replay.own_history(role, 3).unwrap();
        for ((own_move, percepts), turn) in known.turns.iter().zip(&own.turns) {
            assert_eq!(game.move_text(*own_move), turn.own_move);
            assert_eq!(game.percept_terms(percepts), turn.percepts);
        }
        assert_eq!((known.turns.len(), own.turns.len()), (3, 3));
    }
    assert!(replay.messages(game.roles().random().unwrap()).is_empty());
}

#[test]
fn a_key_of_ones_own_shows_who_sealed() {
    let header = header();
    let seal_key = SealKey::from_bytes(&[7; 32]);
    let public_key = seal_key.public_key();
    let secrets = Secrets { seed: Seed::from_text("1").unwrap(), seal_key };
    let mut seats = ByPlayer::from_fn(header.roles(), |_| Box::new(crate::fixture::Script::default()));
    let played = crate::run_match(&header, secrets, &mut seats, |_, _| ());
    let record = &read_records(&played.record).unwrap()[0];
    assert_eq!(replay(record).unwrap().seal(), SealCheck::Signed { public_key });
}

#[test]
fn every_flipped_bit_is_found() {
    // One turn only, because each of some twenty thousand flips reads the whole record.
    let short = Arc::new(Header::compile(MatchSetup { turns_max: 1, ..setup() }).unwrap());
    let mut bytes = play(&short, "42", mixed(), |_, _| ()).record;
    let rules = bytes.windows(9).position(|window| window == b"\"rules\":\"").unwrap();
    let rules_end = rules + setup().rules.len();
    let mut last = Some(short);
    for position in 0..bytes.len() {
        // Every byte outside the rules, and a sample of those: they are all under one digest.
        if (rules + 20..rules_end).contains(&position) && position % 37 != 0 {
            continue;
        }
        for bit in 0..8 {
            bytes[position] ^= 1 << bit;
            assert_ne!(verdict_with(&bytes, &mut last), Verdict::Good, "byte {position} bit {bit}");
            bytes[position] ^= 1 << bit;
        }
    }
    assert_eq!(verdict(&bytes), Verdict::Good);
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
        Value::Number(number) => vec![("+1".to_owned(), json!(number.as_i64().unwrap() + 1))],
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

#[test]
fn every_field_of_every_line_is_covered_even_if_the_chain_is_made_consistent() {
    let original = lines(&mixed_record());
    let mut mutants = 0;
    let mut last = Some(header());
    for number in 0..original.len() {
        let value: serde_json::Value = serde_json::from_str(&original[number]).unwrap();
        for (path, mutant) in mutations(&value) {
            let mut changed = original.clone();
            changed[number] = mutant.to_string();
            let plain = verdict_with(joined(&changed).as_bytes(), &mut last);
            assert!(matches!(plain, Verdict::Bad(_)), "line {number} {path}: {plain:?}");
            let is_chained = !path.starts_with("prev") && !path.starts_with("head");
            let forged = verdict_with(rechained(&changed).as_bytes(), &mut last);
            assert_eq!(matches!(forged, Verdict::Bad(_)), is_chained, "line {number} {path}: {forged:?}");
            mutants += 1;
        }
    }
    assert!(mutants > 150, "{mutants}");
}

#[test]
fn what_is_derived_is_found_at_its_own_turn_and_field_before_any_seal() {
    let original = lines(&mixed_record());
    let mut mutants = 0;
    for number in 1..original.len() {
        let value: serde_json::Value = serde_json::from_str(&original[number]).unwrap();
        let derived: &[&str] = match value["event"].as_str().unwrap() {
            "draw" | "substitute" => &["n", "index"],
            "turn" => &["moves", "state", "percepts"],
            "end" => &["goals", "status", "turns"],
            _ => &[],
        };
        for (path, mutant) in mutations(&value) {
            if !derived.iter().any(|field| path.starts_with(field)) || path.ends_with("null") {
                continue;
            }
            let mut changed = original.clone();
            changed[number] = mutant.to_string();
            let records = read_records(rechained(&changed).as_bytes()).unwrap();
            let Err(ReplayError::Difference(difference)) = replay(&records[0]) else {
                panic!("{path} was changed")
            };
            assert_eq!(difference.line, number + 1, "{path}: {difference}");
            assert_eq!(difference.turn.map(u64::from), value["turn"].as_u64(), "{path}");
            assert!(path.starts_with(difference.field.split('.').next().unwrap()), "{path}: {difference}");
            mutants += 1;
        }
    }
    assert!(mutants > 30, "{mutants}");
}

#[test]
fn lines_cannot_be_deleted_repeated_or_swapped() {
    let original = lines(&mixed_record());
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
                let found = verdict(text.as_bytes());
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

#[test]
fn a_record_that_is_cut_off_is_neither_good_nor_bad() {
    let record = mixed_record();
    let full = replay(&read_records(record.as_bytes()).unwrap()[0]).unwrap();
    let first_line = record.find('\n').unwrap();
    for end in (first_line + 1..record.len()).step_by(17) {
        let cut = &record.as_bytes()[..end];
        assert_eq!(verdict(cut), Verdict::CutOff, "{end} bytes");
        let part = replay(&read_records(cut).unwrap()[0]).unwrap();
        assert_eq!(part.turns(), &full.turns()[..part.turns().len()]);
        for role in full.header().roles().players() {
            assert!(full.messages(role).starts_with(part.messages(role)));
        }
    }
}

#[test]
fn tampering_is_found_in_a_record_without_its_end() {
    let all = lines(&mixed_record());
    let cut = &all[..all.len() - 3];
    assert_eq!(verdict(joined(cut).as_bytes()), Verdict::CutOff);
    for number in 0..cut.len() {
        let line: serde_json::Value = serde_json::from_str(&cut[number]).unwrap();
        if line["event"] != "turn" {
            continue;
        }
        for (path, mutant) in mutations(&line) {
            let mut changed = cut.to_vec();
            changed[number] = mutant.to_string();
            assert!(
                path.starts_with("prev")
                    || matches!(verdict(rechained(&changed).as_bytes()), Verdict::Bad(_)),
                "line {number} {path}"
            );
        }
    }
}

#[test]
fn matches_cannot_be_spliced() {
    let header = header();
    let other =
        Arc::new(header.with_setup(MatchSetup { match_id: "cards.2".to_owned(), ..setup() }).unwrap());
    let first = lines(&mixed_record());
    let record = play(&other, "43", mixed(), |_, _| ()).record;
    let second = lines(std::str::from_utf8(&record).unwrap());
    assert_eq!(verdict((joined(&first) + &joined(&second)).as_bytes()), Verdict::Good);
    for at in 1..first.len().min(second.len()) {
        let spliced = [&first[..at], &second[at..]].concat();
        assert!(matches!(verdict(joined(&spliced).as_bytes()), Verdict::Bad(_)), "at line {at}");
        assert!(matches!(verdict(rechained(&spliced).as_bytes()), Verdict::Bad(_)), "at line {at}");
    }
}

#[test]
fn replays_of_every_kind_of_end_are_good() {
    let short = Arc::new(Header::compile(MatchSetup { turns_max: 1, ..setup() }).unwrap());
    let leaving = |replies: usize| {
        let mut script: Vec<SeatReply> = ["ready", "noop", "raise"].map(SeatReply::text).to_vec();
        script.truncate(replies);
        script.push(SeatReply::Leave);
        [script, Vec::new()]
    };
    let mut files = vec![play(&short, "1", mixed(), |_, _| ()).record];
    files.extend((0..4).map(|replies| play(&header(), "1", leaving(replies), |_, _| ()).record));
    for file in files {
        assert_eq!(verdict(&file), Verdict::Good, "{}", String::from_utf8_lossy(&file));
    }
}
