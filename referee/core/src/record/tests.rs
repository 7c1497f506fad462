//! The bytes of a record, and what is not one.

use std::sync::Arc;

use proptest::prelude::*;

use super::*;
use crate::{
    Header, MatchSetup, Nonces, SessionPlace,
    digest::Digest,
    fixture::{self, mixed_record},
    replay::replay,
};

/// These values were confirmed by a program of other authors and language (Python's `hashlib`, `hmac` and `cryptography`)
/// that recomputed the chain, the keys, the commitment, the digests and the signature from the record and this page.
#[test]
fn a_record_has_the_bytes_that_were_confirmed_elsewhere() {
    let record = mixed_record();
    let records = read_records(record.as_bytes()).unwrap();
    assert_eq!(
        records[0].genesis().commitment.to_string(),
        "9095780684c9e26a1a308af12f75462e26efc063cdb578299a8ea8146536655f"
    );
    let mut digests = Vec::new();
    let mut key = [0; 32];
    for line in records[0].lines() {
        match &line.entry {
            Entry::Own(TurnLine::Turn { turn: 0, moves, state, percepts }) => {
                assert_eq!(moves["random"], "(deal 3 1)");
                digests = vec![*state, percepts["alice"], percepts["bob"]];
            }
            Entry::Seal { public_key, .. } => key = *public_key,
            _ => {}
        }
    }
    assert_eq!(
        digests.iter().map(ToString::to_string).collect::<Vec<_>>(),
        [
            // (hand alice 3), (hand bob 1), (round first)
            "78b963684d22d11f174e2e4c707f255525a42190f88880566cc4e1f3b5110b30",
            // (yours 3), dealt
            "5913297b3a69ae492b4a1fb64b930d574d1521a452fd3fc9d9117fcadb399a99",
            "aecf4339ebb6f1a2c61d7470983fb8d6ac99d0167ce54468e4a40a28c41b039b",
        ]
    );
    assert_eq!(hex::encode(key), "203b59aa63d97f46dca54313f62781690ff7df51c45908f5d9ea654c92710834");
    assert_eq!(
        Digest::of(record.as_bytes()).to_string(),
        "9dde2901138fac06dd5551243b5404ee00b7235228526e93c2323d8aba0b2efe"
    );
}

#[test]
fn a_match_of_a_session_names_its_place_and_a_session_no_other_format() {
    let place = SessionPlace { id: "friday".to_owned(), index: 2, before: Digest::of(b"the match before") };
    for nonces in [Nonces::Clear, Nonces::Declined] {
        let setup = MatchSetup { session: Some(place.clone()), nonces, ..fixture::setup() };
        let header = Arc::new(Header::compile(setup).unwrap());
        let record = fixture::play(&header, "42", fixture::mixed(), |_, _| ()).record;
        let text = String::from_utf8(record).unwrap();
        let read = read_records(text.as_bytes()).unwrap();
        assert_eq!(read[0].genesis().setup.session.as_ref(), Some(&place));
        assert!(replay(&read[0]).is_ok());
        for line in read[0].lines() {
            assert_eq!(line.entry.line(line.prev), line.text);
        }
        let error = |record: &str| read_records(record.as_bytes()).unwrap_err().to_string();
        for (format, reason) in
            [("1", "unknown field session"), ("2", "unknown field session"), ("4", "unknown field session")]
        {
            let other = text.replacen("\"format\":7", &format!("\"format\":{format}"), 1);
            assert!(error(&other).contains(reason), "{}", error(&other));
        }
    }
    let without = mixed_record().replacen("\"format\":1", "\"format\":7", 1);
    let error = read_records(without.as_bytes()).unwrap_err().to_string();
    assert_eq!(error, "line 1: the field session is missing");
    // A match is never in a series too.
    let series = Some(crate::SeriesPlace { id: "s".to_owned(), index: 1, total: 1 });
    let both = MatchSetup { session: Some(place), series, ..fixture::setup() };
    assert!(Header::compile(both).unwrap_err().to_string().contains("not both"));
}

#[test]
fn every_line_reads_back_to_itself() {
    let record = mixed_record();
    for line in read_records(record.as_bytes()).unwrap()[0].lines() {
        assert_eq!(line.entry.line(line.prev), line.text);
    }
}

/// The error for the second line of a record when `found` in it is replaced.
fn second_line_error(found: &str, replacement: &str) -> String {
    let record = mixed_record();
    let mut lines: Vec<&str> = record.lines().collect();
    let line = lines[1].replacen(found, replacement, 1);
    assert_ne!(line, lines[1], "{found} stands in the line");
    lines[1] = &line;
    read_records((lines.join("\n") + "\n").as_bytes()).unwrap_err().to_string()
}

#[test]
fn a_line_is_read_strictly() {
    let not_canonical = "line 2: not in canonical form: it was changed, or written by another program";
    for (found, replacement, error) in [
        ("{\"elapsed", "{ \"elapsed", not_canonical),
        ("\"alice\"", "\"\\u0061lice\"", not_canonical),
        ("}", "}\r", not_canonical),
        ("\"elapsed_ms\":0,\"event\":\"ready\"", "\"event\":\"ready\",\"elapsed_ms\":0", not_canonical),
        ("\"elapsed_ms\":0,", "", "line 2: the field elapsed_ms is missing"),
        ("\"elapsed_ms\"", "\"elapsed\"", "line 2: the field elapsed_ms is missing"),
        ("\"event\"", "\"era\":1,\"event\"", "line 2: unknown field era"),
        (":0", ":-1", "line 2: the field elapsed_ms is not an integer from 0"),
        (":0", ":\"0\"", "line 2: the field elapsed_ms is not an integer"),
        ("\"ready\",\"prev\"", "\"steady\",\"prev\"", "line 2: the field event is not an event of a record"),
        (
            "\"status\":\"ready\"",
            "\"status\":\"legal\"",
            "line 2: the field status is not one of timeout, connect_error, closed, too_large, malformed, busy, player_error, interrupted, ready",
        ),
    ] {
        assert_eq!(second_line_error(found, replacement), error, "{replacement}");
    }
    for (found, replacement) in
        [(":0", ":0.5"), (":0", ":9007199254740992"), (":0", ":true"), (":0", ":-0"), ("{", "[")]
    {
        let error = second_line_error(found, replacement);
        assert!(error.starts_with("line 2: not a Croupier record"), "{replacement}: {error}");
    }
    let twice = second_line_error("\"event\"", "\"elapsed_ms\":0,\"event\"");
    assert!(twice.contains("a duplicate field"), "{twice}");
}

#[test]
fn upper_case_digests_other_versions_and_misplaced_events_are_refused() {
    let record = mixed_record();
    let error = |record: &str| read_records(record.as_bytes()).unwrap_err().to_string();
    let body = record.split_once('\n').unwrap().1;
    assert_eq!(error(body), "line 1: unexpected event ready: a record must start with genesis");
    let twice = record.clone() + record.lines().nth(1).unwrap() + "\n";
    assert_eq!(error(&twice), "line 23: unexpected event ready: only another genesis can follow a seal");
    assert_eq!(
        error(&record.replacen("\"format\":1", "\"format\":3", 1)),
        "line 1: the field format is not 1, 2, 4 or 7; a later version of Croupier may support it"
    );
    assert_eq!(
        error(&record.replacen("\"format\":1", "\"format\":2", 1)),
        "line 1: the field series is missing"
    );
    let series = r#""series":{"id":"cards","index":1,"total":2},"strictness""#;
    assert_eq!(error(&record.replacen("\"strictness\"", series, 1)), "line 1: unknown field series");
    let commitment = &record[record.find("9095780684c9").unwrap()..][..64];
    assert_eq!(
        error(&record.replacen(commitment, &commitment.to_uppercase(), 1)),
        "line 1: the field commitment is not 64 lower-case hexadecimal digits"
    );
    assert_eq!(
        error(&record.replacen("\"name\":\"cards\",", "", 1)),
        "line 1: the field game.name is missing"
    );
    assert_eq!(error(&(record + "{")), "line 23: the line is incomplete and belongs to no record");
    assert!(read_records(b"").unwrap().is_empty());
}

#[test]
fn a_commitment_tells_its_fields_apart() {
    let (seed, nonce) = (crate::Seed::from_bytes([1; 32]), [2; 32]);
    let digest_of = |match_id: &str, roles: &[&str]| {
        let roles: Vec<String> = roles.iter().map(|role| (*role).to_owned()).collect();
        commitment(&Commitment { match_id, game_digest: Digest([3; 32]), roles: &roles }, &seed, &nonce)
    };
    let all = [
        digest_of("ab", &["c", "d"]),
        digest_of("a", &["bc", "d"]),
        digest_of("ab", &["cd"]),
        digest_of("ab", &["c", "d", ""]),
        digest_of("ab", &["d", "c"]),
    ];
    for (index, one) in all.iter().enumerate() {
        assert!(all[..index].iter().all(|other| other != one), "{index}");
    }
}

#[test]
fn no_key_is_in_debug_output() {
    assert_eq!(format!("{:?}", SealKey::from_bytes(&[7; 32])), "SealKey(..)");
}

proptest! {
    #[test]
    fn reading_never_panics(bytes: Vec<u8>, text in "(\\{\"(event|prev)\":(\"(genesis|turn|seal)\"|null|\\[\\])\\}\n){0,3}") {
        let _ = read_records(&bytes);
        let _ = read_records(text.as_bytes());
    }

    #[test]
    fn reading_a_changed_record_never_panics(edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut bytes = mixed_record().into_bytes();
        for (place, byte) in edits {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        if let Ok(records) = read_records(&bytes) {
            let _ = records.iter().map(crate::replay).filter(Result::is_ok).count();
        }
    }
}

/// The vectors of `docs/records-prove.md`, which a program in Python computes there.
#[test]
fn commitments_nonces_and_signatures_are_those_that_the_documentation_specifies() {
    let vectors = include_str!("../../../../docs/records-prove.md");
    let vector = |name: &str| {
        let line = vectors.lines().find(|line| line.starts_with(&format!("{name:18} "))).unwrap();
        line[19..].to_owned()
    };
    let seed = crate::Seed::from_bytes(std::array::from_fn(|index| u8::try_from(index).unwrap()));
    let key = SealKey::from_bytes(&[7; 32]);
    let roles = ["alice", "bob", "random"].map(str::to_owned);
    let bound =
        Commitment { match_id: "m1", game_digest: Digest::of(b"(role alice)"), roles: roles.as_slice() };
    let bound = commitment(&bound, &seed, &nonce(&seed));
    let nonces = [("alice", crate::Nonce([0xa1; 32])), ("bob", crate::Nonce([0xb0; 32]))];
    let committed = nonces.map(|(role, nonce)| (role.to_owned(), nonce.commitment("m1", role)));
    let joint = seed.joined(&nonces);
    let draws = |seed: &crate::Seed| {
        let chance = crate::Chance::new(seed);
        format!("{:?}", (0..6).map(|turn| chance.draw(turn, 52)).collect::<Vec<_>>())
    };
    for (name, value) in [
        ("seed of match 2", seed.for_match(1).reveal()),
        ("draws below 52", draws(&seed)),
        ("nonce of reveal", hex::encode(nonce(&seed))),
        ("commitment", bound.to_string()),
        ("alice commits to", committed[0].1.to_string()),
        ("bob commits to", committed[1].1.to_string()),
        ("joint seed", joint.reveal()),
        ("its draws below 52", draws(&joint)),
        ("public key", hex::encode(key.public_key())),
        ("of start", hex::encode(key.sign_commitment(bound))),
        ("of reveal", hex::encode(key.sign_nonces(bound, &committed))),
        ("key from the seed", hex::encode(SealKey::from_seed(&seed).public_key())),
    ] {
        assert_eq!(value, vector(name), "{name}");
    }
    let Entry::Seal { signature, .. } = key.seal::<Turns>(Digest::of(b"one line")) else { panic!("a seal") };
    assert_eq!(hex::encode(signature), vector("of seal"));
}
